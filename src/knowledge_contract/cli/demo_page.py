"""The demo for people: a page that fits 80 columns."""

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table
from rich.text import Text

from knowledge_contract.cli.demo import TAMPERING, Demo
from knowledge_contract.cli.streams import output, printable
from knowledge_contract.cli.verdicts import Verdict, explain

_COLUMNS = 80


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
        _print_sources(console, demo)
        _print_envelope(console, demo)
        _print_tampered(console, demo)
        _print_broken(console, demo)
        _print_end(console, demo)
    stream.write(page.get())


def _print_sources(console: Console, demo: Demo) -> None:
    _head(console, "1. Documents become sources")
    console.print("Every paragraph gives a source: an excerpt, its title, and an id over both.\n")
    for sample, sources in demo.samples:
        console.print(Text(printable(f"{sample.title}  ({sample.file})"), style="cyan"))
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(width=34, no_wrap=True)
        table.add_column(width=42, no_wrap=True, overflow="ellipsis")
        for source in sources:
            first_line = source["excerpt"].split("\n", 1)[0]
            table.add_row(f"  {source['id']}", Text(printable(first_line)))
        console.print(table)


def _print_envelope(console: Console, demo: Demo) -> None:
    _head(console, "2. One envelope, one verdict")
    count = len(demo.envelope["knowledge_sources"])
    console.print(f"{count} sources of {len(demo.samples)} documents in one envelope.\n")
    _print_verdicts(console, demo.judged)
    for name, is_same in demo.same_ids.items():
        words = "computes the same ids" if is_same else "computes OTHER ids"
        console.print(Text(f"  {name:<12}{words}", style="green" if is_same else "red"))


def _print_tampered(console: Console, demo: Demo) -> None:
    _head(console, "3. One letter is changed")
    before, after = TAMPERING
    original = demo.envelope["knowledge_sources"][0]
    console.print(Text(printable(f"  - {_around(original['excerpt'], before)}"), style="green"))
    console.print(Text(printable(f"  + {_around(demo.tampered['excerpt'], after)}"), style="red"))
    console.print()
    if all(verdict.valid for verdict in demo.tampered_judged.values()):
        console.print("Its form is still good for every reader, but its id is not:\n")
    console.print(f"  it says      {demo.tampered['id']}")
    console.print(f"  it should be {demo.tampered_identity.id}")
    for problem in demo.tampered_identity.problems:
        console.print(Text(f"  refused: {explain(problem)}", style="red"))


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


def _around(excerpt: str, word: str) -> str:
    """Return the sentence that holds `word`."""
    return next(part for part in excerpt.split(". ") if word in part.split())


def _head(console: Console, text: str) -> None:
    console.print()
    console.print(Text(text, style="bold"))
