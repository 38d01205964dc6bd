"""The command `conformance`: the packaged vectors on readers of ours, or on any program."""

import os
import shlex
from collections.abc import Callable
from itertools import zip_longest
from typing import NamedTuple

from knowledge_contract.cli.documents import parse_input
from knowledge_contract.cli.line_process import started_process
from knowledge_contract.cli.line_protocol import (
    Answer,
    Declined,
    Id,
    ask,
    request_bytes,
    request_message,
)
from knowledge_contract.cli.output import Format, left_out_json, write_left_out
from knowledge_contract.cli.readers import Reader, ReaderName, open_readers
from knowledge_contract.cli.streams import write_json, write_line
from knowledge_contract.cli.vectors import Vector, load_vectors
from knowledge_contract.cli.verdicts import (
    Findings,
    Verdict,
    summarize,
    verdict_of_parse_error,
)
from knowledge_contract.errors import InputError, ReaderError
from knowledge_wire.parsing import ParseError, Problem

_COMMAND = "the command"
_ANSWER_LIMIT_BYTES = 2**20
_SHOWN_CHARS = 200
"""What is shown of a pointer, a rule or an id: a foreign program may write long ones."""

Respond = Callable[[Vector], Answer]


class Miss(NamedTuple):
    """A vector whose answer is not the expected one."""

    vector: Vector
    expected: str
    actual: str

    def as_json(self) -> dict[str, str]:
        """Return the miss for a machine."""
        return {
            "id": self.vector.id,
            "note": self.vector.note,
            "expected": self.expected,
            "actual": self.actual,
        }


class Report(NamedTuple):
    """How one reader did.

    Attributes:
        reader: Its name.
        passed: Vectors answered as expected.
        declined: Ids of the vectors that it does not take; no failure, but who takes none at
            all has shown nothing.
        failures: Wrong answers.
        differing: Right verdicts with another first rule or pointer, where these do not count.
        stopped: Why not all vectors were asked; None when all were.
    """

    reader: str
    passed: int
    declined: tuple[str, ...]
    failures: tuple[Miss, ...]
    differing: tuple[Miss, ...]
    stopped: str | None = None

    @property
    def is_good(self) -> bool:
        """Whether nothing failed, every vector was asked, and something passed."""
        return self.passed > 0 and not self.failures and self.stopped is None

    def as_json(self) -> dict[str, object]:
        """Return the report for a machine."""
        return {
            "reader": self.reader,
            "passed": self.passed,
            "failed": len(self.failures),
            "declined": len(self.declined),
            "failures": [miss.as_json() for miss in self.failures],
            "differing": [miss.as_json() for miss in self.differing],
            "declined_ids": list(self.declined),
            "stopped": self.stopped,
        }


def check_readers(name: ReaderName, form: Format, *, has_strict_rules: bool) -> bool:
    """Run the vectors on one or every reader of ours, and return whether all is good."""
    vectors = load_vectors()
    with open_readers(name) as opened:
        reports = [
            run_vectors(
                reader.name,
                vectors,
                _responder(reader),
                has_strict_rules=has_strict_rules or reader.is_exact,
            )
            for reader in opened.readers
        ]
    if form is Format.JSON:
        write_json(
            {
                "readers": [report.as_json() for report in reports],
                "left_out": left_out_json(opened.left_out),
            }
        )
    else:
        _write_reports(reports)
        write_left_out(opened.left_out)
    return all(report.is_good for report in reports)


def check_command(command: str, form: Format, *, timeout_s: float, has_strict_rules: bool) -> bool:
    """Run the vectors on a program over the line protocol, and return whether all is good.

    Raises:
        InputError: the command is no command, or cannot be started.
    """
    vectors = load_vectors()
    arguments = _split(command)
    with started_process(
        arguments,
        name=_COMMAND,
        timeout_s=timeout_s,
        answer_limit_bytes=_ANSWER_LIMIT_BYTES,
        is_ours=False,
    ) as process:

        def respond(vector: Vector) -> Answer:
            return ask(process, _request(vector), name=_COMMAND)

        report = run_vectors("command", vectors, respond, has_strict_rules=has_strict_rules)
        if report.stopped is None:
            try:
                process.finish()
            except ReaderError as error:
                report = report._replace(stopped=str(error))
    if form is Format.JSON:
        write_json({"readers": [report.as_json()], "left_out": []})
    else:
        _write_reports([report])
        for miss in report.differing:
            write_line(f"  differs: {_miss_line(miss)}")
    return report.is_good


def run_vectors(
    reader: str, vectors: list[Vector], respond: Respond, *, has_strict_rules: bool
) -> Report:
    """Return how a reader answers the vectors.

    Args:
        reader: Its name.
        vectors: The cases, asked in this order.
        respond: Asks the reader.
        has_strict_rules: Whether another first rule or pointer is a failure.
    """
    report = Report(reader, passed=0, declined=(), failures=(), differing=())
    for vector in vectors:
        try:
            answer = respond(vector)
        except ReaderError as error:
            return report._replace(stopped=f"{error} (vector {vector.id})")
        report = _count(report, vector, answer, has_strict_rules=has_strict_rules)
    return report


def _count(report: Report, vector: Vector, answer: Answer, *, has_strict_rules: bool) -> Report:
    if isinstance(answer, Declined):
        return report._replace(declined=(*report.declined, vector.id))
    if isinstance(answer, Verdict):
        # A vector names the first problem only.
        answer = Verdict(answer.valid, answer.problems[:1])
    expected = _expected(vector)
    if answer == expected:
        return report._replace(passed=report.passed + 1)
    miss = Miss(vector, *_described_both(expected, answer))
    if _has_right_verdict(expected, answer) and not has_strict_rules:
        return report._replace(passed=report.passed + 1, differing=(*report.differing, miss))
    return report._replace(failures=(*report.failures, miss))


def _request(vector: Vector) -> bytes:
    if vector.definition is None:
        return request_message(vector.binding.value, vector.data)
    return request_bytes(vector.kind, vector.definition, vector.data)


def _responder(reader: Reader) -> Respond:
    def respond(vector: Vector) -> Answer:
        if vector.definition is None:
            return _read(reader, vector)
        try:
            document = parse_input(vector.data)
        except ParseError as error:
            return verdict_of_parse_error(error)
        if vector.kind == "document":
            return reader.judge(vector.definition, document)
        if reader.source_id is None:
            return Declined()
        return Id(reader.source_id(document))

    return respond


def _read(reader: Reader, vector: Vector) -> Answer:
    if reader.read is None:
        return Declined()
    try:
        message = parse_input(vector.data)
    except ParseError as error:
        return Findings((), (error.problem,), 0)
    return reader.read(message, vector.binding)


def _expected(vector: Vector) -> Answer:
    if vector.findings is not None:
        return vector.findings
    if vector.source_id is not None:
        return Id(vector.source_id)
    return Verdict(vector.valid, (vector.problem,) if vector.problem else ())


def _has_right_verdict(expected: Answer, answer: Answer) -> bool:
    match expected, answer:
        case Verdict(), Verdict():
            return expected.valid == answer.valid
        case Findings(), Findings():
            return _without_places(expected) == _without_places(answer)
    return False


def _without_places(findings: Findings) -> tuple[object, ...]:
    return findings.evidence, len(findings.refused), findings.overflow


def _described_both(expected: Answer, answer: Answer) -> tuple[str, str]:
    """Return both in words; of two readings of a message, where they part."""
    if isinstance(expected, Findings) and isinstance(answer, Findings):
        pairs = zip_longest(_steps(expected), _steps(answer), fillvalue="no more")
        return next(((left, right) for left, right in pairs if left != right), ("", ""))
    return _described(expected), _described(answer)


def _described(answer: Answer) -> str:
    match answer:
        case Id(value):
            return f"id {_clipped(value)}"
        case Verdict(valid, problems):
            return summarize(Verdict(valid, tuple(map(_clipped_problem, problems[:1]))))
        case Findings():
            return "; ".join(_steps(answer)[:2])
    return "declined"


def _steps(findings: Findings) -> list[str]:
    refusals = (Verdict(valid=False, problems=(_clipped_problem(p),)) for p in findings.refused)
    return [
        *(
            f"evidence {_clipped(each.id)} {_clipped(each.form)}/{_clipped(each.binding)}"
            for each in findings.evidence
        ),
        *map(summarize, refusals),
        f"overflow {findings.overflow}",
    ]


def _clipped_problem(problem: Problem) -> Problem:
    return Problem(_clipped(problem.pointer), _clipped(problem.rule))


def _clipped(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"


def _split(command: str) -> list[str]:
    try:
        # Windows paths hold backslashes, which POSIX rules would eat.
        arguments = shlex.split(command, posix=os.name == "posix")
    except ValueError:
        raise InputError("cannot start the command: a quotation mark is not closed") from None
    if not arguments:
        raise InputError("cannot start the command: it is empty")
    return arguments


def _write_reports(reports: list[Report]) -> None:
    for report in reports:
        write_line(_summary(report))
        for miss in report.failures:
            write_line(f"  failed: {_miss_line(miss)}")
        if report.stopped is not None:
            write_line(f"  stopped: {report.stopped}")
        elif report.passed == 0:
            write_line("  nothing passed: a reader has to answer at least one vector")


def _summary(report: Report) -> str:
    counts = (
        f"{report.reader}: {report.passed} passed, {len(report.failures)} failed, "
        f"{len(report.declined)} declined"
    )
    if not report.differing:
        return counts
    return f"{counts} ({len(report.differing)} refused by another rule or at another place)"


def _miss_line(miss: Miss) -> str:
    return f"{miss.vector.id}: expected {miss.expected}, got {miss.actual}; {miss.vector.note}"
