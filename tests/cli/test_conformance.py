"""Vectors on our readers, and on programs that behave well or badly."""

import json
import os
import shlex
import sys
from pathlib import Path

import pytest

from cli.program import Run
from knowledge_contract.cli.conformance import Report, run_vectors
from knowledge_contract.cli.line_protocol import Answer, Declined, Id
from knowledge_contract.cli.vectors import Vector, load_vectors
from knowledge_contract.cli.verdicts import Verdict
from knowledge_wire.parsing import Problem

PARTNER = """
import base64, json, sys

from knowledge_wire.identity import source_id
from knowledge_wire.parsing import ParseError, parse_document
from knowledge_wire.validators import CHECKS

for line in sys.stdin:
    request = json.loads(line)
    try:
        document = parse_document(base64.b64decode(request["bytes"]))
    except ParseError as error:
        problems = [error.problem]
    else:
        if request["kind"] == "id":
            print(json.dumps({"id": source_id(document)}), flush=True)
            continue
        problems = CHECKS[request["as"]](document)
    listed = [{"pointer": each.pointer, "rule": RULE or each.rule} for each in problems]
    print(json.dumps({"valid": not listed, "problems": listed}), flush=True)
"""
DECLINE = "import sys\nfor _ in sys.stdin: print('{\"declined\": true}', flush=True)\n"
VALID = Vector(
    id="a",
    kind="document",
    definition="KnowledgeSource",
    data=b"{}",
    valid=True,
    problem=None,
    source_id=None,
    note="note",
)
REFUSED = VALID._replace(id="b", valid=False, problem=Problem("/x", "type"))
SOURCE = VALID._replace(id="c", kind="id", source_id="0a")


def command(folder: Path, program: str) -> str:
    """Return a command that runs Python text."""
    path = folder / "program.py"
    path.write_text(program, encoding="utf-8")
    if os.name == "posix":
        return shlex.join([sys.executable, str(path)])
    return f"{sys.executable} {path}"


def respond(answer: Answer, vector: Vector, *, has_strict_rules: bool = False) -> Report:
    return run_vectors("reader", [vector], lambda _: answer, has_strict_rules=has_strict_rules)


def test_every_available_reader_of_ours_passes_every_vector(run: Run) -> None:
    ending = run("conformance", "--format", "json", PATH="")

    answer = json.loads(ending.out)
    reports = answer["readers"]
    assert (ending.code, ending.err) == (0, "")
    assert [report["reader"] for report in reports] == ["validators", "models", "jsonschema"]
    assert [report["failures"] for report in reports] == [[], [], []]
    assert {report["passed"] + report["declined"] for report in reports} == {len(load_vectors())}
    assert [each["reader"] for each in answer["left_out"]] == ["typescript"]


def test_vectors_that_a_reader_declines_are_listed(run: Run) -> None:
    ending = run("conformance", "--reader", "models", "--format", "json")

    (report,) = json.loads(ending.out)["readers"]
    ids = [vector.id for vector in load_vectors() if vector.kind == "id"]
    assert set(report["declined_ids"]) <= set(ids)
    assert len(report["declined_ids"]) == report["declined"] > 0


def test_one_reader_is_one_line(run: Run) -> None:
    ending = run("conformance", "--reader", "validators")

    assert ending == (0, f"validators: {len(load_vectors())} passed, 0 failed, 0 declined\n", "")


def test_program_with_the_contracts_rules_passes_strictly(run: Run, tmp_path: Path) -> None:
    program = command(tmp_path, f"RULE = None\n{PARTNER}")

    ending = run("conformance", "--strict-rules", "--command", program)

    count = len(load_vectors())
    assert ending == (0, f"command: {count} passed, 0 failed, 0 declined\n", "")


def test_program_with_rules_of_its_own_passes_with_remarks(run: Run, tmp_path: Path) -> None:
    program = command(tmp_path, f"RULE = 'odd'\n{PARTNER}")

    ending = run("conformance", "--command", program)

    refused = [(vector, vector.problem) for vector in load_vectors() if vector.problem]
    assert ending.code == 0
    assert ending.out.splitlines()[1:] == [
        f"  differs: {vector.id}: "
        f"expected refused at {problem.pointer or '(document)'} by {problem.rule}, "
        f"got refused at {problem.pointer or '(document)'} by odd; {vector.note}"
        for vector, problem in refused
    ]


def test_program_that_declines_everything_has_shown_nothing(run: Run, tmp_path: Path) -> None:
    ending = run("conformance", "--command", command(tmp_path, DECLINE))

    assert ending == (
        1,
        (
            f"command: 0 passed, 0 failed, {len(load_vectors())} declined\n"
            "  nothing passed: a reader has to answer at least one vector\n"
        ),
        "",
    )


def test_program_that_stops_is_told_at_which_vector(run: Run, tmp_path: Path) -> None:
    ending = run("conformance", "--command", command(tmp_path, "raise SystemExit(3)"))

    assert ending == (
        1,
        (
            "command: 0 passed, 0 failed, 0 declined\n"
            "  stopped: the command ended with exit code 3 instead of answering "
            f"(vector {load_vectors()[0].id})\n"
        ),
        "",
    )


def test_program_that_fails_after_its_last_answer_does_not_pass(run: Run, tmp_path: Path) -> None:
    program = command(tmp_path, f"RULE = None\n{PARTNER}\nraise SystemExit(3)")

    ending = run("conformance", "--command", program)

    assert ending == (
        1,
        (
            f"command: {len(load_vectors())} passed, 0 failed, 0 declined\n"
            "  stopped: the command ended with exit code 3 after its last answer\n"
        ),
        "",
    )


@pytest.mark.parametrize(
    ("text", "err"),
    [
        ("no-such-program", "cannot start the command: no such program\n"),
        ("", "cannot start the command: it is empty\n"),
        ("'open", "cannot start the command: a quotation mark is not closed\n"),
    ],
    ids=["no-program", "empty", "open-quotation"],
)
def test_what_is_no_command_is_wrong_usage(run: Run, text: str, err: str) -> None:
    assert run("conformance", "--command", text) == (2, "", err)


@pytest.mark.parametrize(
    ("answer", "vector"),
    [
        (Verdict(valid=True), VALID),
        (Verdict(valid=False, problems=(Problem("/x", "type"),)), REFUSED),
        (Verdict(valid=False, problems=(Problem("/x", "type"), Problem("", "y"))), REFUSED),
        (Id("0a"), SOURCE),
    ],
    ids=["valid", "refused", "more-problems", "id"],
)
def test_right_answer_passes(answer: Answer, vector: Vector) -> None:
    report = respond(answer, vector, has_strict_rules=True)

    assert (report.passed, report.failures, report.is_good) == (1, (), True)


@pytest.mark.parametrize(
    ("answer", "vector", "expected", "actual"),
    [
        (Verdict(valid=False), VALID, "valid", "refused"),
        (Verdict(valid=True), REFUSED, "refused at /x by type", "valid"),
        (Id("0b"), SOURCE, "id 0a", "id 0b"),
        (Verdict(valid=True), SOURCE, "id 0a", "valid"),
        (Id("0a"), VALID, "valid", "id 0a"),
    ],
    ids=["refuses", "accepts", "other-id", "verdict-for-id", "id-for-verdict"],
)
def test_wrong_answer_fails(answer: Answer, vector: Vector, expected: str, actual: str) -> None:
    report = respond(answer, vector)

    assert [(miss.expected, miss.actual) for miss in report.failures] == [(expected, actual)]
    assert (report.passed, report.is_good) == (0, False)


def test_other_rule_fails_only_with_strict_rules() -> None:
    answer = Verdict(valid=False, problems=(Problem("/y", "type"),))

    assert respond(answer, REFUSED, has_strict_rules=True).is_good is False
    assert respond(answer, REFUSED).is_good is True
    assert len(respond(answer, REFUSED).differing) == 1


def test_declined_vector_neither_passes_nor_fails() -> None:
    answers: dict[str, Answer] = {"a": Verdict(valid=True), "c": Declined()}

    report = run_vectors(
        "reader", [VALID, SOURCE], lambda vector: answers[vector.id], has_strict_rules=False
    )

    assert (report.passed, report.declined, report.is_good) == (1, ("c",), True)
    assert respond(Declined(), VALID).is_good is False


@pytest.mark.parametrize(
    ("answer", "vector"),
    [
        (Id("a" * 10_000), SOURCE),
        (Verdict(valid=False, problems=(Problem("/a" * 10_000, "b" * 10_000),)), VALID),
    ],
    ids=["id", "problem"],
)
def test_long_answer_is_cut_where_it_is_shown(answer: Answer, vector: Vector) -> None:
    (miss,) = respond(answer, vector).failures

    assert len(miss.actual) < 500
    assert "…" in miss.actual
