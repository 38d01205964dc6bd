"""Vectors on our readers, and on programs that behave well or badly."""

import json
import os
import shlex
import sys
from pathlib import Path

import pytest

from cli.program import Run
from knowledge_contract.cli.conformance import Report, run_vectors
from knowledge_contract.cli.line_protocol import Answer, Declined, Id, parse_answer
from knowledge_contract.cli.vectors import Vector, load_vectors
from knowledge_contract.cli.verdicts import Findings, Found, Verdict
from knowledge_wire.parsing import Problem

PARTNER = """
import base64, json, sys

from knowledge_contract.reading import read_message
from knowledge_wire.identity import source_id
from knowledge_wire.parsing import ParseError, parse_document
from knowledge_wire.validators import CHECKS

def answer(kind, document, request):
    if kind == "id":
        return {"id": source_id(document)}
    if kind == "document":
        return refuse(kind, CHECKS[request["as"]](document))
    reading = read_message(document, binding=request["binding"])
    evidence = [
        {"id": each.record["id"], "form": each.form, "binding": each.binding}
        for each in reading.evidence
    ]
    return {**refuse(kind, reading.refused), "evidence": evidence, "overflow": reading.overflow}

def refuse(kind, problems):
    listed = [{"pointer": each.pointer, "rule": RULE or each.rule} for each in problems]
    if kind == "message":
        return {"evidence": [], "refused": listed, "overflow": 0}
    return {"valid": not listed, "problems": listed}

for line in sys.stdin:
    request = json.loads(line)
    kind = request["kind"]
    try:
        said = answer(kind, parse_document(base64.b64decode(request["bytes"])), request)
    except ParseError as error:
        said = refuse(kind, [error.problem])
    print(json.dumps({"declined": True} if kind in DECLINED else said), flush=True)
"""
OWN_RULES = "RULE, DECLINED = None, ()\n"
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
FINDINGS = Findings(
    (Found("0a", "shared", "entry"),), (Problem("/knowledge_sources/1", "handle"),), overflow=2
)
MESSAGE = VALID._replace(id="d", kind="message", definition=None, findings=FINDINGS)


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
    others = {vector.id: vector.kind for vector in load_vectors() if vector.kind != "document"}
    assert set(report["declined_ids"]) <= set(others)
    assert {others[each] for each in report["declined_ids"]} == {"id", "message"}
    assert len(report["declined_ids"]) == report["declined"]


def test_one_reader_is_one_line(run: Run) -> None:
    ending = run("conformance", "--reader", "validators")

    assert ending == (0, f"validators: {len(load_vectors())} passed, 0 failed, 0 declined\n", "")


def test_program_with_the_contracts_rules_passes_strictly(run: Run, tmp_path: Path) -> None:
    program = command(tmp_path, f"{OWN_RULES}{PARTNER}")

    ending = run("conformance", "--strict-rules", "--command", program)

    count = len(load_vectors())
    assert ending == (0, f"command: {count} passed, 0 failed, 0 declined\n", "")


def test_program_with_rules_of_its_own_passes_with_remarks(run: Run, tmp_path: Path) -> None:
    program = command(tmp_path, f"RULE, DECLINED = 'odd', ()\n{PARTNER}")

    ending = run("conformance", "--command", program)

    refused = [(vector, first_problem(vector)) for vector in load_vectors()]
    assert ending.code == 0
    assert ending.out.splitlines()[1:] == [
        f"  differs: {vector.id}: "
        f"expected refused at {problem.pointer or '(document)'} by {problem.rule}, "
        f"got refused at {problem.pointer or '(document)'} by odd; {vector.note}"
        for vector, problem in refused
        if problem is not None
    ]


def first_problem(vector: Vector) -> Problem | None:
    """Return the first refusal that a vector expects, of a document or a message."""
    refused = vector.findings.refused if vector.findings else (vector.problem,)
    return next(iter(refused), None)


def test_program_that_reads_no_messages_passes_what_it_takes(run: Run, tmp_path: Path) -> None:
    program = command(tmp_path, f"RULE, DECLINED = None, 'message'\n{PARTNER}")

    ending = run("conformance", "--strict-rules", "--format", "json", "--command", program)

    (report,) = json.loads(ending.out)["readers"]
    messages = [vector.id for vector in load_vectors() if vector.kind == "message"]
    assert (ending.code, ending.err) == (0, "")
    assert report["declined_ids"] == messages
    assert report["passed"] == len(load_vectors()) - len(messages)


def test_verify_prints_what_a_program_has_to_answer(run: Run) -> None:
    vector = next(each for each in load_vectors() if each.id == "message-mixed-refused-in-both")

    ending = run("verify", "--format", "json", stdin=vector.data)

    assert parse_answer(json.loads(ending.out)) == vector.findings


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
    program = command(tmp_path, f"{OWN_RULES}{PARTNER}\nraise SystemExit(3)")

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
        (FINDINGS, MESSAGE),
    ],
    ids=["valid", "refused", "more-problems", "id", "message"],
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
        (
            FINDINGS._replace(evidence=(Found("0a", "shared", "message"),)),
            MESSAGE,
            "evidence 0a shared/entry",
            "evidence 0a shared/message",
        ),
        (
            FINDINGS._replace(evidence=()),
            MESSAGE,
            "evidence 0a shared/entry",
            "refused at /knowledge_sources/1 by handle",
        ),
        (
            FINDINGS._replace(refused=()),
            MESSAGE,
            "refused at /knowledge_sources/1 by handle",
            "overflow 2",
        ),
        (FINDINGS._replace(overflow=0), MESSAGE, "overflow 2", "overflow 0"),
        (
            Verdict(valid=True),
            MESSAGE,
            "evidence 0a shared/entry; refused at /knowledge_sources/1 by handle",
            "valid",
        ),
        (Findings((), (), 0), VALID, "valid", "overflow 0"),
    ],
    ids=[
        "refuses",
        "accepts",
        "other-id",
        "verdict-for-id",
        "id-for-verdict",
        "other-binding",
        "no-evidence",
        "no-refusal",
        "no-overflow",
        "verdict-for-message",
        "message-for-verdict",
    ],
)
def test_wrong_answer_fails(answer: Answer, vector: Vector, expected: str, actual: str) -> None:
    report = respond(answer, vector)

    assert [(miss.expected, miss.actual) for miss in report.failures] == [(expected, actual)]
    assert (report.passed, report.is_good) == (0, False)


@pytest.mark.parametrize(
    ("answer", "vector"),
    [
        (Verdict(valid=False, problems=(Problem("/y", "type"),)), REFUSED),
        (FINDINGS._replace(refused=(Problem("/knowledge_sources/1", "id"),)), MESSAGE),
    ],
    ids=["document", "message"],
)
def test_other_rule_fails_only_with_strict_rules(answer: Answer, vector: Vector) -> None:
    assert respond(answer, vector, has_strict_rules=True).is_good is False
    assert respond(answer, vector).is_good is True
    assert len(respond(answer, vector).differing) == 1


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
        (Findings((Found("a" * 10_000, "b" * 10_000, "c" * 10_000),), (), 0), MESSAGE),
    ],
    ids=["id", "problem", "evidence"],
)
def test_long_answer_is_cut_where_it_is_shown(answer: Answer, vector: Vector) -> None:
    (miss,) = respond(answer, vector).failures

    assert len(miss.actual) < 700
    assert "…" in miss.actual
