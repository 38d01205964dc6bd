"""Tool messages go in, evidence and refusals come out."""

import json
from pathlib import Path
from typing import Any

import pytest

from cli.program import Run
from knowledge_contract.cli.output import Format
from knowledge_contract.cli.verify import verify, verify_document, verify_lines
from knowledge_contract.formatting import format_result
from knowledge_contract.retrieval import RetrievalHit, RetrievalResult
from knowledge_wire.identity import source_id

HITS = (
    RetrievalHit("Ask before you deploy.", "Handbook", page=3),
    RetrievalHit("Tea needs 80 °C.", "Tea \x1b[2J\u202eroom"),
)


def build_message(*hits: RetrievalHit) -> dict[str, Any]:
    """Return the tool message of these hits."""
    text, artifact = format_result(
        RetrievalResult("local", hits), limit_chars=4000, excerpt_chars=400
    )
    return {"type": "tool", "name": "knowledge_search", "content": text, "artifact": artifact}


MESSAGE = build_message(*HITS)
IDS = [record["id"] for record in MESSAGE["artifact"]["knowledge_sources"]]
PROVEN = {
    "evidence": [{"id": each, "form": "shared", "binding": "entry"} for each in IDS],
    "refused": [],
    "overflow": 0,
}
NOTHING: dict[str, Any] = {"evidence": [], "refused": [], "overflow": 0}


def answer(message: object, binding: Any = "message") -> dict[str, object]:
    """Return what the command prints for a message, for machines."""
    return verify(json.dumps(message).encode(), binding).as_json()


def refused(pointer: str, rule: str, *, evidence: Any = ()) -> dict[str, Any]:
    """Return an answer with one refusal."""
    problem = {"pointer": pointer, "rule": rule}
    return {"evidence": list(evidence), "refused": [problem], "overflow": 0}


def with_records(*records: object, content: str | None = None) -> dict[str, Any]:
    """Return the message with other records, and perhaps another text."""
    artifact = {**MESSAGE["artifact"], "knowledge_sources": list(records)}
    return {**MESSAGE, "artifact": artifact, "content": content or MESSAGE["content"]}


FIRST, SECOND = MESSAGE["artifact"]["knowledge_sources"]
MOVED = MESSAGE["content"].replace("\nAsk before you deploy.", "\n\nAsk before you deploy.")
FORGED = {**FIRST, "excerpt": "Never ask."}
FORGED = {**FORGED, "id": source_id(FORGED)}


def test_message_of_a_search_is_proven(run: Run) -> None:
    ending = run("verify", "--format", "json", "--binding", "entry", stdin=json.dumps(MESSAGE))

    assert (ending.code, ending.err) == (0, "")
    assert json.loads(ending.out) == PROVEN


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (
            with_records({**FIRST, "excerpt": "Ask after you deploy."}),
            refused("/knowledge_sources/0/id", "id"),
        ),
        (with_records({**FIRST, "page": 0}), refused("/knowledge_sources/0/page", "minimum")),
        (with_records(FORGED), refused("/knowledge_sources/0", "handle")),
        (
            with_records(FIRST, FIRST, content=MOVED),
            refused(
                "/knowledge_sources/1",
                "duplicate",
                evidence=[{"id": IDS[0], "form": "shared", "binding": "message"}],
            ),
        ),
        (
            with_records(*[FIRST] * 101) | {"content": "none"},
            {
                "evidence": [],
                "refused": [
                    {"pointer": f"/knowledge_sources/{index}", "rule": "handle"}
                    for index in range(100)
                ],
                "overflow": 1,
            },
        ),
    ],
    ids=["tampered", "bound", "forged", "duplicate", "overflow"],
)
def test_records_are_refused_by_place_and_rule(message: object, expected: object) -> None:
    assert answer(message) == expected


def test_binding_can_be_demanded() -> None:
    message = with_records(FIRST, content=MOVED)

    loose, firm = answer(message), answer(message, "entry")

    assert loose == {
        **NOTHING,
        "evidence": [{"id": IDS[0], "form": "shared", "binding": "message"}],
    }
    assert firm == refused("/knowledge_sources/0", "excerpt")


@pytest.mark.parametrize(
    "document",
    [
        {},
        [],
        None,
        "secret",
        {**MESSAGE, "type": "human"},
        {**MESSAGE, "artifact": None},
        {**MESSAGE, "artifact": {**MESSAGE["artifact"], "knowledge_sources_version": 2}},
        with_records(),
    ],
    ids=["object", "list", "null", "text", "human", "no-artifact", "version-2", "no-records"],
)
def test_message_without_records_has_no_evidence_and_is_no_refusal(
    document: object, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "message.json"
    file.write_text(json.dumps(document), encoding="utf-8")

    is_good = verify_document(str(file), "message", Format.TEXT)

    assert is_good
    assert capsys.readouterr().out == (
        "no evidence: the message carries no records of a known form and version\n"
    )
    assert answer(document) == NOTHING


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (b"", "json"),
        (b"{", "json"),
        (b'{"type": "tool", "type": "tool"}', "json"),
        (b"NaN", "json"),
        (b"[" * 100_000, "json"),
        (b"\xff", "unicode"),
        (b'"\\ud800"', "unicode"),
    ],
    ids=["empty", "cut", "key-twice", "nan", "deep", "bytes", "surrogate"],
)
def test_what_is_not_strict_json_is_refused(data: bytes, rule: str) -> None:
    verification = verify(data, "message")

    assert verification.as_json() == refused("", rule)
    assert not verification.is_good


def test_words_name_title_place_and_rule_and_never_steer_a_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    message = with_records(FIRST, {**SECOND, "page": 7}, {**SECOND, "secret": 1}, SECOND, FORGED)
    file = tmp_path / "message.json"
    file.write_text(json.dumps(message), encoding="utf-8")

    is_good = verify_document(str(file), "message", Format.TEXT)

    assert not is_good
    assert capsys.readouterr().out == (
        f"evidence {IDS[0]} shared/entry: Handbook\n"
        f"evidence {IDS[1]} shared/entry: Tea [2J\\u202eroom\n"
        "refused: /knowledge_sources/1/id id: "
        "does not recompute: something that it covers was changed\n"
        "refused: /knowledge_sources/2 additionalProperties: "
        "holds a key that the contract does not know\n"
        "refused: /knowledge_sources/4 handle: its handle does not stand in the text\n"
    )


def test_lines_are_answered_one_by_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "messages.jsonl"
    file.write_text(f"{json.dumps(MESSAGE)}\n\n{{}}\n", encoding="utf-8")

    for_machines = verify_lines(str(file), "message", Format.JSON)
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for_people = verify_lines(str(file), "message", Format.TEXT)
    words = capsys.readouterr().out.splitlines()

    assert (for_machines, for_people) == (False, False)
    assert answers == [PROVEN, refused("", "json"), NOTHING]
    assert words[0] == (
        f"line 1: evidence {IDS[0]} shared/entry: Handbook; "
        f"evidence {IDS[1]} shared/entry: Tea [2J\\u202eroom"
    )
    assert words[1] == "line 2: refused: (document) json: there is nothing to read"
    assert words[2].startswith("line 3: no evidence: ")


def test_lines_without_a_refusal_are_good(run: Run) -> None:
    ending = run("verify", "--jsonl", "--binding", "entry", stdin=f"{json.dumps(MESSAGE)}\n{{}}\n")

    assert (ending.code, ending.err) == (0, "")
    assert [json.loads(line) for line in ending.out.splitlines()] == [PROVEN, NOTHING]
