"""The demo for people: a page that fits 80 columns."""

import re
from collections.abc import Mapping

from rich.console import Console
from rich.text import Text

from knowledge_contract.cli.demo import TAMPERING, Demo
from knowledge_contract.cli.streams import output, printable
from knowledge_contract.cli.verdicts import Verdict, explain
from knowledge_contract.cli.verify import Verification, verification_lines
from knowledge_wire.constants import SHARED_DESTINATION, SHARED_ID_PATTERN

_COLUMNS = 80
_HANDLE = re.compile(rf"(\[[^\[\]]*\])(\({re.escape(SHARED_DESTINATION)}{SHARED_ID_PATTERN}\))")

_SENTENCE_END = re.compile(r"\.\s|\n")


def print_demo(demo: Demo) -> None:
    """Print the demo to standard output; colours appear on a terminal only."""
    stream = output()
    console = Console(
        file=stream,
        width=_COLUMNS,
        force_terminal=None if stream.isatty() else False,
        markup=False,
        highlight=False,
        emoji=False,
        legacy_windows=False,
    )
    # Captured: rich would answer a closed pipe with an exit code of its own.
    with console.capture() as page:
        _print_answers(console, demo)
        _print_verification(console, demo)
        _print_tampered(console, demo)
        _print_broken(console, demo)
        _print_end(console, demo)
    stream.write(page.get())


def _print_answers(console: Console, demo: Demo) -> None:
    _head(console, "1. Questions find text that can be cited")
    console.print(
        f"{len(demo.files)} documents were indexed. A search tool gives a model this text, and "
        "keeps the same excerpts with ids in its artifact."
    )
    for answer in demo.answers:
        console.print()
        console.print(Text(printable(f"? {answer.question}"), style="cyan"))
        for line in answer.message["content"].split("\n"):
            # A handle is one long word: its link gets a line of its own.
            for part in _HANDLE.sub(r"\1\n\2", line).split("\n"):
                _print_indented(console, part)


def _print_verification(console: Console, demo: Demo) -> None:
    _head(console, "2. The text proves its own evidence")
    console.print("Read back from text and artifact, without asking anybody:\n")
    for answer in demo.answers:
        for line in verification_lines(answer.verification):
            _print_indented(console, line, "green" if answer.is_proven else "red")
    count = len(demo.envelope["knowledge_sources"])
    console.print(f"\nAll {count} in one envelope, for every reader that is available here:\n")
    _print_verdicts(console, demo.judged)
    for name, is_same in demo.same_ids.items():
        words = "computes the same ids" if is_same else "computes OTHER ids"
        console.print(Text(f"  {name:<12}{words}", style="green" if is_same else "red"))


def _print_tampered(console: Console, demo: Demo) -> None:
    tampered = demo.tampered
    _head(console, "3. One letter is changed")
    before, after = TAMPERING
    original = demo.envelope["knowledge_sources"][0]
    _print_indented(console, f"- {_around(original['excerpt'], before)}", "green")
    _print_indented(console, f"+ {_around(tampered.source['excerpt'], after)}", "red")
    console.print()
    if all(verdict.valid for verdict in tampered.judged.values()):
        console.print("Its form is still good for every reader, but its id is not:\n")
    console.print(f"  it says      {tampered.source['id']}")
    console.print(f"  it should be {tampered.identity.id}")
    _print_refusals(console, tampered.verification)
    console.print("\nWith the id that it should have, it still is no evidence:\n")
    _print_refusals(console, tampered.forged_verification)


def _print_refusals(console: Console, verification: Verification) -> None:
    for problem in verification.reading.refused:
        _print_indented(console, f"refused: {explain(problem)}", "red")


def _print_broken(console: Console, demo: Demo) -> None:
    _head(console, "4. One record is broken")
    console.print("A source says `url: null`; the contract wants no url at all instead.\n")
    _print_verdicts(console, demo.broken_judged)


def _print_end(console: Console, demo: Demo) -> None:
    console.print()
    for name, reason in demo.left_out.items():
        console.print(Text(printable(f"left out: {name}: {reason}"), style="yellow"))
    if demo.is_good:
        console.print("Good evidence was accepted and bad records were refused, by every reader.")
    else:
        console.print(Text("This is not as it should be: see above.", style="red"))


def _print_verdicts(console: Console, verdicts: Mapping[str, Verdict]) -> None:
    for name, verdict in verdicts.items():
        line = Text(f"  {name:<12}")
        if verdict.valid:
            line.append("valid", style="green")
        for problem in verdict.problems[:1]:
            place = f"{problem.pointer or '(document)'} {problem.rule}"
            line.append(printable(f"refused: {place}"), style="red")
        console.print(line)


def _print_indented(console: Console, text: str, style: str = "") -> None:
    for line in Text(printable(text), style=style).wrap(console, _COLUMNS - 2):
        line.rstrip()
        console.print(Text("  ").append(line) if line else "")


def _around(excerpt: str, word: str) -> str:
    """Return the sentence that holds `word`."""
    return next(part for part in _SENTENCE_END.split(excerpt) if word in part.split())


def _head(console: Console, text: str) -> None:
    console.print()
    console.print(Text(text, style="bold"))
