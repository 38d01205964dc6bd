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


def respond(answer: Answer, vector: Vector, *, rules_count: bool = False) -> Report:
    return run_vectors("reader", [vector], lambda _: answer, rules_count=rules_count)


@pytest.mark.parametrize("reader", ["validators", "models", "jsonschema"])
def test_reader_of_ours_passes_every_vector(run: Run, reader: str) -> None:
    ending = run("conformance", "--reader", reader, "--format", "json")

    (report,) = json.loads(ending.out)["readers"]
    assert report["failures"] == []
    assert report["passed"] + report["declined"] == len(load_vectors())
    assert (ending.code, ending.err) == (0, "")


def test_every_available_reader_is_the_default(run: Run) -> None:
    ending = run("conformance", PATH="")

    names = [line.split(":")[0] for line in ending.out.splitlines()]
    assert (ending.code, names) == (0, ["validators", "models", "jsonschema"])
    assert ending.err == (
        "left out: typescript: install Node 20 or newer: `node` is not on the path\n"
    )


def test_program_with_the_contracts_rules_passes_strictly(run: Run, tmp_path: Path) -> None:
    program = command(tmp_path, f"RULE = None\n{PARTNER}")

    ending = run("conformance", "--strict-rules", "--command", program)

    count = len(load_vectors())
    assert ending == (0, f"command: {count} passed, 0 failed, 0 declined\n", "")


def test_program_with_rules_of_its_own_passes_with_remarks(run: Run, tmp_path: Path) -> None:
    program = command(tmp_path, f"RULE = 'odd'\n{PARTNER}")

    ending = run("conformance", "--format", "json", "--command", program)

    (report,) = json.loads(ending.out)["readers"]
    refused = [vector.id for vector in load_vectors() if vector.problem]
    assert (ending.code, report["failures"]) == (0, [])
    assert [miss["id"] for miss in report["differing"]] == refused


def test_other_rules_are_listed_as_differing(run: Run, tmp_path: Path) -> None:
    program = command(tmp_path, f"RULE = 'odd'\n{PARTNER}")

    ending = run("conformance", "--command", program)

    first = next(vector for vector in load_vectors() if vector.problem)
    assert first.problem is not None
    place = first.problem.pointer or "(document)"
    assert ending.out.splitlines()[1] == (
        f"  differs: {first.id}: expected refused at {place} by {first.problem.rule}, "
        f"got refused at {place} by odd; {first.note}"
    )


def test_declining_is_counted_apart(run: Run, tmp_path: Path) -> None:
    ending = run("conformance", "--command", command(tmp_path, DECLINE))

    count = len(load_vectors())
    assert ending == (0, f"command: 0 passed, 0 failed, {count} declined\n", "")


BAD_PROGRAMS = {
    "ends-at-once": ("raise SystemExit(3)", "ended with exit code 3 instead of answering"),
    "says-nothing": (
        "import sys\nfor _ in sys.stdin: pass",
        "gave no answer within 0.2 s",
    ),
    "reads-nothing": ("import time\ntime.sleep(60)", "gave no answer within 0.2 s"),
    "writes-without-end": (
        "import sys\nwhile True: sys.stdout.write('x' * 4096)",
        "gave no answer within 0.2 s",
    ),
    "garbage": (
        "import sys\nfor _ in sys.stdin: print('ok', flush=True)",
        "wrote a line that is no verdict, no id and no `declined`",
    ),
    "binary": (
        "import sys\nsys.stdout.buffer.write(b'\\xff\\n')",
        "wrote a line that is no verdict, no id and no `declined`",
    ),
    "half-a-line": (
        "import sys\nsys.stdin.readline()\nprint('{\"valid\"', end='')",
        "ended with exit code 0 instead of answering",
    ),
}


@pytest.mark.parametrize(("program", "stopped"), BAD_PROGRAMS.values(), ids=BAD_PROGRAMS)
def test_bad_program_is_told_what_it_did(
    run: Run, tmp_path: Path, program: str, stopped: str
) -> None:
    slow = "gave no answer" in stopped
    timeout = "0.2" if slow else "60"

    ending = run("conformance", "--timeout", timeout, "--command", command(tmp_path, program))

    first = load_vectors()[0].id
    assert (ending.code, ending.err) == (1, "")
    assert ending.out == (
        f"command: 0 passed, 0 failed, 0 declined\n"
        f"  stopped: the command {stopped} (vector {first})\n"
    )


def test_a_line_too_many_is_noticed(run: Run, tmp_path: Path) -> None:
    ending = run("conformance", "--command", command(tmp_path, f"{DECLINE}\nprint('bye')"))

    assert ending.code == 1
    assert ending.out.endswith("  stopped: the command wrote more lines than it was asked for\n")


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
def test_program_ended_by_a_signal_is_noticed(run: Run, tmp_path: Path) -> None:
    program = command(tmp_path, "import os\nos.kill(os.getpid(), 9)")

    ending = run("conformance", "--command", program)

    assert ending.code == 1
    assert "the command was ended by signal 9 instead of answering" in ending.out


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
    report = respond(answer, vector, rules_count=True)

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


def test_other_rule_fails_only_where_rules_count() -> None:
    answer = Verdict(valid=False, problems=(Problem("/y", "type"),))

    assert respond(answer, REFUSED, rules_count=True).is_good is False
    assert respond(answer, REFUSED).is_good is True
    assert len(respond(answer, REFUSED).differing) == 1


def test_declined_vector_neither_passes_nor_fails() -> None:
    report = respond(Declined(), VALID)

    assert (report.passed, report.declined, report.is_good) == (0, 1, True)
