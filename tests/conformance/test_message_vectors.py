"""The vectors of messages: well-formed, and right.

What they expect is hand-written. A slow reader that shares no code with ours confirms it, and
ours has to agree.
"""

import base64
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from contract_codegen.parsing import ParseError, parse_document
from core.slow_reader import read_slowly
from knowledge_contract.reading import read_message
from knowledge_wire import parsing

FILES = sorted((Path(__file__).parents[2] / "contracts" / "vectors").glob("*.json"))
FEWEST_MESSAGES = 400
FEWEST_DEMANDED = 100
PARSE_RULES = {"json", "unicode"}
READING_RULES = {"id", "handle", "excerpt", "duplicate", "total"}

Vector = dict[str, Any]

MESSAGES: list[Vector] = [
    vector
    for path in FILES
    for vector in json.loads(path.read_text(encoding="utf-8"))["vectors"]
    if vector["kind"] == "message"
]


def _bytes(vector: Vector) -> bytes:
    return base64.b64decode(vector["bytes"], validate=True)


def _expected(vector: Vector) -> Vector:
    return {name: vector[name] for name in ("evidence", "refused", "overflow")}


def _refused_whole(problem: Any) -> Vector:
    refused = [{"pointer": problem.pointer, "rule": problem.rule}]
    return {"evidence": [], "refused": refused, "overflow": 0}


def _slowly(vector: Vector) -> Vector:
    try:
        message = parse_document(_bytes(vector))
    except ParseError as error:
        return _refused_whole(error.problem)
    reading = read_slowly(message)[vector["binding"]]
    return {
        "evidence": [
            {"id": record["id"], "form": form, "binding": binding}
            for record, form, binding in reading.evidence
        ],
        "refused": [problem._asdict() for problem in reading.refused],
        "overflow": reading.overflow,
    }


def _ours(vector: Vector) -> Vector:
    try:
        message = parsing.parse_document(_bytes(vector))
    except parsing.ParseError as error:
        return _refused_whole(error.problem)
    reading = read_message(message, binding=vector["binding"])
    return {
        "evidence": [
            {"id": each.record["id"], "form": each.form, "binding": each.binding}
            for each in reading.evidence
        ],
        "refused": [problem._asdict() for problem in reading.refused],
        "overflow": reading.overflow,
    }


@pytest.mark.parametrize("read", [_slowly, _ours], ids=["slow", "ours"])
def test_every_reader_finds_what_the_vectors_expect(read: Any) -> None:
    assert [each["id"] for each in MESSAGES if read(each) != _expected(each)] == []


def test_there_are_enough_messages_of_both_demands() -> None:
    demands = Counter(vector["binding"] for vector in MESSAGES)

    assert set(demands) == {"message", "entry"}
    assert sum(demands.values()) >= FEWEST_MESSAGES
    assert demands["entry"] >= FEWEST_DEMANDED


def test_evidence_and_refusals_have_their_members_in_order() -> None:
    evidence = {tuple(each) for vector in MESSAGES for each in vector["evidence"]}
    refused = {tuple(each) for vector in MESSAGES for each in vector["refused"]}

    assert evidence == {("id", "form", "binding")}
    assert refused == {("pointer", "rule")}


def test_every_form_and_binding_occurs_and_no_other() -> None:
    found = {(each["form"], each["binding"]) for vector in MESSAGES for each in vector["evidence"]}

    assert found == {(form, at) for form in ("shared", "native") for at in ("message", "entry")}


def test_a_demanded_binding_is_met_by_all_evidence() -> None:
    demanded = [vector for vector in MESSAGES if vector["binding"] == "entry"]

    assert {each["binding"] for vector in demanded for each in vector["evidence"]} == {"entry"}


def test_every_rule_of_reading_and_parsing_occurs_in_the_list_it_belongs_to() -> None:
    rules = {
        (problem["pointer"].rpartition("/")[0], problem["rule"])
        for vector in MESSAGES
        for problem in vector["refused"]
    }

    shared = READING_RULES - {"id"}
    assert {("", rule) for rule in PARSE_RULES} <= rules
    assert {("/knowledge_sources", rule) for rule in shared - {"total"}} <= rules
    assert {("/retrieval_sources", rule) for rule in shared} <= rules
    assert {("/knowledge_sources/sources", rule) for rule in shared} <= rules
    assert ("/knowledge_sources/0", "id") in rules
