"""Judge many sampled documents with every reader, and stop at the first batch that disagrees.

    python tests/conformance/fuzz.py 100000 [--seed S] [--jobs N] [--only INDEX]

A document is made from the seed and its index alone, so that `--only` repeats one. Values are
synthetic and may be shown. Exit code: 0 all agree, 1 a disagreement, 2 the readers cannot run.
"""

# ruff: noqa: T201 - a program: printing is what it does

import argparse
import base64
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from multiprocessing.connection import Connection, wait
from pathlib import Path
from random import Random
from threading import Thread
from typing import IO, Any, NamedTuple, TypeAlias

import jsonschema
import jsonschema_rs
from pydantic import ValidationError

from contract_codegen.loading import load_contract
from contract_codegen.source import snake
from knowledge_wire import models, sampler, validators
from knowledge_wire.identity import source_id
from knowledge_wire.parsing import ParseError, Problem, parse_document

# Not collected by pytest, so that the folder of `reference.py` is put on the path by hand.
TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

from reference import judge  # noqa: E402 - after the path

ROOT = TESTS.parent
CONTRACT = ROOT / "contracts" / "knowledge_sources.v1.json"
READER = ROOT / "src" / "knowledge_contract" / "_web" / "reader.mjs"

BATCH = 256
SLOW_EVERY = 25
BYTES_EVERY = 8
SHOWN = 10
SHOWN_CHARS = 600

Problems: TypeAlias = tuple[Problem, ...]


class Case(NamedTuple):
    """A document to judge; `label` is None where nothing is promised, empty if it is valid."""

    at: int
    name: str
    kind: str
    value: Any
    label: Problems | None


class Parsed(NamedTuple):
    """What the strict parser made of a case: a value, or the rule that refused it."""

    case: Case
    data: bytes
    value: Any
    rule: str | None


class Tally(NamedTuple):
    """What one batch came to."""

    counts: Counter[str]
    disagreements: list[str]


def make_case(seed: int, index: int) -> Case:
    """Return the document of an index; any index can be made alone."""
    random = Random(f"{seed}/{index}")  # noqa: S311 - test data, no secret
    name = random.choice(weighted_names())
    match random.random():
        case roll if roll < 0.4:
            return Case(index, name, "sample", sampler.sample(random, name), ())
        case roll if roll < 0.75:
            near = sampler.near_miss(random, name)
            kind = f"near miss ({near.mutation})"
            return Case(index, name, kind, near.document, (Problem(near.pointer, near.rule),))
    return Case(index, name, "scramble", sampler.scramble(random, name), None)


def weighted_names() -> list[str]:
    """Return the definitions; what carries evidence more than once."""
    extra = ["KnowledgeSourcesEnvelope", "KnowledgeSource"] * 7 + ["TaskArtifact"] * 2
    return [*validators.CHECKS, *extra]


def parse(case: Case) -> Parsed:
    """Take a document through JSON text and the strict parser, as every reader's door does."""
    text = json.dumps(case.value, ensure_ascii=case.at % 2 == 0)
    data = text.encode("utf-8", "surrogatepass")
    try:
        return Parsed(case, data, parse_document(data), None)
    except ParseError as error:
        return Parsed(case, data, None, error.problem.rule)


class Node:
    """The TypeScript reader in one long-lived process."""

    def __init__(self, stdin: IO[bytes], stdout: IO[bytes]) -> None:
        self._stdin = stdin
        self._stdout = stdout

    def ask(self, requests: Sequence[bytes], meanwhile: Callable[[], None]) -> list[Any]:
        """Send a batch, do something else, and return the answers.

        A thread writes: with both pipes full, writer and reader would wait for each other.
        """
        writer = Thread(target=self._write, args=(b"".join(requests),), daemon=True)
        writer.start()
        meanwhile()
        answers = [json.loads(self._stdout.readline()) for _ in requests]
        writer.join()
        return answers

    def _write(self, data: bytes) -> None:
        self._stdin.write(data)
        self._stdin.flush()


@contextmanager
def running_node() -> Iterator[Node]:
    """Start the TypeScript reader and end it again."""
    command = [shutil.which("node") or "node", str(READER)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("no pipes")
        yield Node(process.stdin, process.stdout)


class Readers:
    """The Python readers: each tells whether a parsed value satisfies a definition."""

    def __init__(self) -> None:
        self._contract = load_contract(CONTRACT)
        text = files("knowledge_wire").joinpath(f"schemas/{CONTRACT.name}").read_text("utf-8")
        schema = json.loads(text)
        parts = {key: schema[key] for key in ("$schema", "$defs")}
        schemas = {name: {**parts, "$ref": f"#/$defs/{name}"} for name in schema["$defs"]}
        schemas[schema["title"]] = schema
        self._rust = {
            name: jsonschema_rs.Draft202012Validator(schemas[name]) for name in validators.CHECKS
        }
        self._python = {
            name: jsonschema.Draft202012Validator(schemas[name]) for name in validators.CHECKS
        }

    def verdicts(self, index: int, name: str, value: Any) -> dict[str, bool]:
        """Return each reader's verdict; the slow ones are asked now and then."""
        verdicts = {
            "is_x": bool(getattr(validators, f"is_{snake(name)}")(value)),
            "models": _model_accepts(name, value),
            "jsonschema-rs": self._rust[name].is_valid(value),
        }
        if index % SLOW_EVERY == 0:
            verdicts["jsonschema"] = self._python[name].is_valid(value)
        return verdicts

    def reference(self, name: str, value: Any) -> Problems:
        """Return the problems that the plain interpreter sees."""
        return tuple(Problem(*finding) for finding in judge(self._contract, name, value))


def _model_accepts(name: str, value: Any) -> bool:
    try:
        getattr(models, name).model_validate(value)
    except ValidationError:
        return False
    return True


class Judged(NamedTuple):
    """What the Python readers said of a document, and what is wrong with it."""

    parsed: Parsed
    problems: Problems
    complaints: list[str]


def judge_batch(cases: Sequence[Case], readers: Readers, node: Node) -> Tally:
    """Return what all readers say about a batch, and where they differ."""
    parsed = [parse(case) for case in cases]
    sources = [each for each in parsed if each.case[1:3] == ("KnowledgeSource", "sample")]
    judged: list[Judged] = []

    def ask_python() -> None:
        judged.extend(judge_in_python(each, readers) for each in parsed)

    requests = [_request(each) for each in parsed]
    requests += [_line("id", each.case.name, "document", each.data) for each in sources]
    answers = node.ask(requests, ask_python)
    reports = [
        report(each.parsed, [*each.complaints, *_typescript_complaints(each, answer)])
        for each, answer in zip(judged, answers[: len(judged)], strict=True)
    ]
    reports += [
        report(each, _differ("id", typescript=answer, python={"id": source_id(each.value)}))
        for each, answer in zip(sources, answers[len(judged) :], strict=True)
    ]
    counts = Counter(each.case.kind.partition(" (")[0] for each in parsed)
    counts += Counter("valid" if not each.problems else "refused" for each in judged)
    return Tally(counts + Counter(ids=len(sources)), [text for text in reports if text])


def judge_in_python(parsed: Parsed, readers: Readers) -> Judged:
    """Return the problems of a document, and complaints about readers that differ."""
    case = parsed.case
    if parsed.rule is not None:
        problems: Problems = (Problem("", parsed.rule),)
        return Judged(parsed, problems, _parser_complaints(case, parsed.rule))
    problems = validators.CHECKS[case.name](parsed.value)
    complaints = [
        f"{reader} says {_word(verdict)}, validators say {_word(not problems)}"
        for reader, verdict in readers.verdicts(case.at, case.name, parsed.value).items()
        if verdict != (not problems)
    ]
    if case.label is not None:
        complaints += _differ("problems", label=case.label, validators=problems)
    if case.at % SLOW_EVERY == 0:
        expected = readers.reference(case.name, parsed.value)
        complaints += _differ("problems", reference=expected, validators=problems)
    return Judged(parsed, problems, complaints)


def _parser_complaints(case: Case, rule: str) -> list[str]:
    """Return what is wrong where the parser refused: the parser, or the label of a near miss."""
    if case.label is None:
        return []
    if rule != "unicode" or [problem.rule for problem in case.label] != ["unicode"]:
        return [f"the parser says {rule}, the label {_shown(case.label)}"]
    # Already-parsed objects never meet the parser: validators must find it by themselves.
    return _differ(
        "problems", label=case.label, validators=validators.CHECKS[case.name](case.value)
    )


def _typescript_complaints(judged: Judged, answer: Any) -> list[str]:
    problems = judged.problems
    if _is_near_miss_in_unicode(judged.parsed):
        problems = judged.parsed.case.label or ()
    expected = {
        "valid": not problems,
        "problems": [{"pointer": each.pointer, "rule": each.rule} for each in problems],
    }
    return _differ("verdict", typescript=answer, python=expected)


def _request(parsed: Parsed) -> bytes:
    """Return the request: a parsed document, or bytes that the reader has to parse itself."""
    case, data = parsed.case, parsed.data
    if _is_near_miss_in_unicode(parsed):
        data = json.dumps(case.value).encode()
    elif parsed.rule is not None or case.at % BYTES_EVERY == 0:
        return _line("document", case.name, "bytes", b'"%s"' % base64.b64encode(data))
    return _line("document", case.name, "document", data)


def _line(kind: str, name: str, key: str, value: bytes) -> bytes:
    return b'{"kind":"%s","as":"%s","%s":%s}\n' % (
        kind.encode(),
        name.encode(),
        key.encode(),
        value,
    )


def _is_near_miss_in_unicode(parsed: Parsed) -> bool:
    return parsed.rule == "unicode" and bool(parsed.case.label)


def _differ(what: str, **said: Any) -> list[str]:
    (first, left), (second, right) = said.items()
    if left == right:
        return []
    return [f"{what} by {first} {_shown(left)}, by {second} {_shown(right)}"]


def _word(verdict: bool) -> str:  # noqa: FBT001 - the value that is shown
    return "valid" if verdict else "invalid"


def _shown(value: object) -> str:
    text = ascii([tuple(each) for each in value] if isinstance(value, tuple) else value)
    return text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}... ({len(text)})"


def report(parsed: Parsed, complaints: list[str]) -> str:
    """Return a few lines about a document that readers differ on, or nothing."""
    if not complaints:
        return ""
    case = parsed.case
    lines = [f"index {case.at}, {case.name}, {case.kind}", *complaints, _shown(parsed.data)]
    return "\n    ".join(lines)


def work(seed: int, indices: Sequence[int], channel: Connection) -> None:
    """Judge a share of the documents in this process; send a tally after each batch."""
    readers = Readers()
    with running_node() as node:
        for start in range(0, len(indices), BATCH):
            cases = [make_case(seed, index) for index in indices[start : start + BATCH]]
            channel.send(judge_batch(cases, readers, node))
    channel.close()


def tallies(seed: int, indices: Sequence[int], jobs: int) -> Iterator[Tally]:
    """Yield the tallies of all processes as they come.

    Raises:
        ChildProcessError: a process ended before its share.
    """
    context = multiprocessing.get_context("spawn")
    open_ends: dict[Any, Any] = {}
    for job in range(jobs):
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=work, args=(seed, indices[job::jobs], sender), daemon=True)
        process.start()
        sender.close()
        open_ends[receiver] = process
    while open_ends:
        ready: list[Any] = wait(list(open_ends))
        for receiver in ready:
            try:
                yield receiver.recv()
            except EOFError:
                process = open_ends.pop(receiver)
                process.join()
                if process.exitcode:
                    raise ChildProcessError("a process died; its traceback stands above") from None


def main() -> int:
    """Run the command line."""
    arguments = _arguments()
    if shutil.which("node") is None or not READER.is_file():
        print("the TypeScript reader is missing: run `uv run just setup`", file=sys.stderr)
        return 2
    indices = range(arguments.count) if arguments.only is None else [arguments.only]
    counts: Counter[str] = Counter()
    disagreements: list[str] = []
    started = time.monotonic()
    for tally in tallies(arguments.seed, indices, min(arguments.jobs, len(indices)) or 1):
        counts += tally.counts
        disagreements += tally.disagreements
        done = counts["valid"] + counts["refused"]
        if sys.stderr.isatty():
            print(f"\r{done:,} of {len(indices):,} ", end="", file=sys.stderr, flush=True)
        if len(disagreements) >= SHOWN:
            break
    return _summary(arguments.seed, counts, disagreements, time.monotonic() - started)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Judge sampled documents with every reader.")
    parser.add_argument("count", type=int, nargs="?", default=100_000, metavar="N")
    parser.add_argument("--seed", type=int, default=1, help="what all documents come from")
    parser.add_argument("--only", type=int, help="judge one document, by its index")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    return parser.parse_args()


def _summary(seed: int, counts: Counter[str], disagreements: list[str], seconds: float) -> int:
    if sys.stderr.isatty():
        print(file=sys.stderr)
    for text in disagreements[:SHOWN]:
        print(f"seed {seed}, {text}\n")
    done = counts["valid"] + counts["refused"]
    kinds = ("sample", "near miss", "scramble", "ids")
    print(
        f"{done:,} documents (seed {seed}: "
        + ", ".join(f"{counts[kind]:,} {kind}" for kind in kinds)
        + f"; {counts['valid']:,} valid) in {seconds:.0f} s, {done / seconds:,.0f} a second, "
        + f"{len(disagreements)} disagreements"
    )
    return 1 if disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
