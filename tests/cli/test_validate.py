"""Verdicts on documents and lines, by one reader and by all."""

import json
import os
import sys
from pathlib import Path

import pytest

from cli.program import Run
from knowledge_contract.cli.readers import Reader
from knowledge_contract.cli.validate import judge
from knowledge_contract.cli.verdicts import Verdict
from knowledge_wire.parsing import Problem

SOURCE_ID = "084ed617406f2c6e73dae2dcfc1d69d2"
SOURCE = {
    "id": SOURCE_ID,
    "provider": "local",
    "title": "Handbook",
    "excerpt": "Ask before you deploy.",
}
VALID = {"knowledge_sources_version": 1, "knowledge_sources": [SOURCE]}
BAD = {"knowledge_sources_version": True, "knowledge_sources": [{**SOURCE, "page": 0, "mine": 1}]}
BAD_POINTERS = ["/knowledge_sources_version", "/knowledge_sources/0/page", "/knowledge_sources/0"]
TYPESCRIPT = pytest.param("typescript", marks=pytest.mark.typescript)
READERS = ["validators", "models", "jsonschema", TYPESCRIPT, "all"]


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_accepts_good_evidence(run: Run, reader: str) -> None:
    ending = run("validate", "--reader", reader, stdin=json.dumps(VALID))

    assert ending.code == 0
    assert ending.out.splitlines()[0] == "valid"


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_refuses_at_the_same_places(run: Run, reader: str) -> None:
    ending = run("validate", "--reader", reader, "--format", "json", stdin=json.dumps(BAD))

    answer = json.loads(ending.out)
    assert ending.code == 1
    assert answer["valid"] is False
    assert [each["pointer"] for each in answer["problems"]] == BAD_POINTERS


def test_problems_are_explained_without_the_value(run: Run) -> None:
    ending = run("validate", stdin=json.dumps(BAD))

    assert ending == (
        1,
        (
            "refused: /knowledge_sources_version const: "
            "not the one value that the contract allows\n"
            "refused: /knowledge_sources/0/page minimum: smaller than the contract allows\n"
            "refused: /knowledge_sources/0 additionalProperties: "
            "holds a key that the contract does not know\n"
        ),
        "",
    )


def test_lines_are_answered_one_by_one(run: Run) -> None:
    lines = [SOURCE, {**SOURCE, "url": None}]
    stdin = "".join(json.dumps(line) + "\n" for line in lines) + '\n{"id"\n"\\ud800"'

    ending = run("validate", "--as", "knowledge_source", "--jsonl", stdin=stdin)

    assert (ending.code, ending.err) == (1, "")
    assert [json.loads(line) for line in ending.out.splitlines()] == [
        {"valid": True, "problems": []},
        {"valid": False, "problems": [{"pointer": "/url", "rule": "type"}]},
        {"valid": False, "problems": [{"pointer": "", "rule": "json"}]},
        {"valid": False, "problems": [{"pointer": "", "rule": "json"}]},
        {"valid": False, "problems": [{"pointer": "", "rule": "unicode"}]},
    ]


def test_lines_can_be_read_by_people_too(run: Run) -> None:
    ending = run(
        *("validate", "--as", "ScopeAll", "--jsonl", "--format", "text"),
        stdin='{"version": 1, "mode": "all"}\n{"version": 2}\n\n',
    )

    assert ending == (
        1,
        (
            "line 1: valid\n"
            "line 2: refused: /version const: not the one value that the contract allows; "
            "/mode required: missing, and the contract requires it\n"
            "line 3: refused: (document) json: there is nothing to read\n"
        ),
        "",
    )


def test_no_lines_are_no_refusal(run: Run) -> None:
    assert run("validate", "--jsonl") == (0, "", "")


def test_readers_that_are_not_here_are_named_with_the_reason(run: Run) -> None:
    ending = run("validate", "--reader", "all", stdin=json.dumps(VALID), PATH="")

    assert ending == (
        0,
        "valid\nreaders agree: validators, models, jsonschema\n",
        "left out: typescript: install Node 20 or newer: `node` is not on the path\n",
    )


def test_readers_that_are_not_here_are_listed_for_machines(run: Run) -> None:
    ending = run(
        "validate", "--reader", "all", "--format", "json", stdin=json.dumps(VALID), PATH=""
    )

    answer = json.loads(ending.out)
    assert answer["agree"] is True
    assert list(answer["readers"]) == ["validators", "models", "jsonschema"]
    assert answer["left_out"] == [
        {
            "reader": "typescript",
            "reason": "install Node 20 or newer: `node` is not on the path",
        }
    ]


@pytest.mark.parametrize("form", ["text", "json"])
def test_readers_that_are_not_here_are_named_for_lines_too(run: Run, form: str) -> None:
    ending = run("validate", "--reader", "all", "--jsonl", "--format", form, PATH="")

    assert ending == (
        0,
        "",
        "left out: typescript: install Node 20 or newer: `node` is not on the path\n",
    )


MISPLACED = {
    "KnowledgeSource": SOURCE,
    "NativeSnapshotRead": {"version": 1, "sources": []},
    "TaskArtifact": {"knowledge_sources_version": 1, "retrieval_sources": []},
    "KnowledgeScope": {"version": 1, "mode": "all"},
}


@pytest.mark.parametrize("definition", MISPLACED)
def test_what_is_no_envelope_but_good_as_something_else_gets_a_hint(
    run: Run, definition: str
) -> None:
    ending = run("validate", stdin=json.dumps(MISPLACED[definition]))

    assert ending.code == 1
    assert ending.err == f"hint: the document is good with `--as {definition}`\n"


def test_unknown_reader_is_told_in_our_words(run: Run) -> None:
    ending = run("validate", "--reader", "nosuch")

    assert (ending.code, ending.out) == (2, "")
    assert "Invalid value for '--reader': 'nosuch' is not one of" in ending.err


def test_reader_that_was_asked_for_has_to_be_here(run: Run) -> None:
    ending = run("validate", "--reader", "typescript", stdin=json.dumps(VALID), PATH="")

    assert ending == (
        2,
        "",
        "reader typescript is not available: install Node 20 or newer: `node` is not on the path\n",
    )


@pytest.fixture
def node(tmp_path: Path) -> Path:
    """A program that stands for Node, once it is written."""
    path = tmp_path / "node"
    path.touch(mode=0o755)
    return path


@pytest.mark.typescript
@pytest.mark.skipif(os.name != "posix", reason="scripts are POSIX")
def test_reader_that_dies_is_no_verdict(run: Run, node: Path) -> None:
    node.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")

    ending = run("validate", "--reader", "all", stdin=json.dumps(VALID), PATH=str(node.parent))

    assert ending == (
        2,
        "",
        "the TypeScript reader (Node 20 or newer) ended with exit code 3 instead of answering\n",
    )


WRONG_READER = f"""#!{sys.executable} -S
import sys
for _ in sys.stdin:
    print('{{"valid": true, "problems": []}}', flush=True)
"""
READERS_DISAGREE = (
    "disagreement: validators says refused at /page by minimum, typescript says valid"
)


@pytest.mark.typescript
@pytest.mark.skipif(os.name != "posix", reason="scripts are POSIX")
@pytest.mark.parametrize(
    ("arguments", "out"),
    [
        (
            [],
            "refused: /page minimum: smaller than the contract allows\n" + READERS_DISAGREE,
        ),
        (
            ["--jsonl", "--format", "text"],
            "line 1: refused: /page minimum: smaller than the contract allows; " + READERS_DISAGREE,
        ),
        (
            ["--jsonl"],
            (
                '{"valid": false, "problems": [{"pointer": "/page", "rule": "minimum"}], '
                '"disagreement": {"typescript": {"valid": true, "problems": []}}}'
            ),
        ),
    ],
    ids=["text", "lines-of-text", "lines"],
)
def test_reader_that_is_wrong_is_named(
    run: Run, node: Path, arguments: list[str], out: str
) -> None:
    node.write_text(WRONG_READER, encoding="utf-8")

    ending = run(
        *("validate", "--as", "KnowledgeSource", "--reader", "all", *arguments),
        stdin=json.dumps({**SOURCE, "page": 0}),
        PATH=str(node.parent),
    )

    assert ending == (1, f"{out}\n", "")


@pytest.mark.typescript
@pytest.mark.skipif(os.name != "posix", reason="scripts are POSIX")
def test_good_document_fails_when_a_reader_disagrees(run: Run, node: Path) -> None:
    node.write_text(WRONG_READER.replace("true", "false"), encoding="utf-8")

    ending = run(
        *("validate", "--reader", "all", "--format", "json"),
        stdin=json.dumps(VALID),
        PATH=str(node.parent),
    )

    answer = json.loads(ending.out)
    assert (ending.code, answer["valid"], answer["agree"]) == (1, True, False)
    assert [name for name, verdict in answer["readers"].items() if not verdict["valid"]] == [
        "typescript"
    ]


def reader_that_says(name: str, *rules: str, is_exact: bool = False) -> Reader:
    verdict = Verdict(not rules, tuple(Problem("/a", rule) for rule in rules))
    return Reader(name, lambda _, __: verdict, is_exact=is_exact)


@pytest.mark.parametrize(
    ("readers", "differing"),
    [
        ([reader_that_says("a"), reader_that_says("b")], ()),
        ([reader_that_says("a"), reader_that_says("b", "type")], ("b",)),
        ([reader_that_says("a", "type"), reader_that_says("b")], ("b",)),
        ([reader_that_says("a", "type"), reader_that_says("b", "enum")], ()),
        (
            [
                reader_that_says("a", "type", is_exact=True),
                reader_that_says("b", "enum"),
                reader_that_says("c", "enum", is_exact=True),
            ],
            ("c",),
        ),
        (
            [
                reader_that_says("a", "type", is_exact=True),
                reader_that_says("b", "type", "enum", is_exact=True),
            ],
            ("b",),
        ),
    ],
    ids=["both-accept", "one-refuses", "one-accepts", "other-rule", "exact-rule", "more-problems"],
)
def test_disagreement_is_found(readers: list[Reader], differing: tuple[str, ...]) -> None:
    judgement = judge(b"{}", "KnowledgeSource", tuple(readers))

    assert judgement.differing == differing
    assert judgement.is_good is (not differing and judgement.verdict.valid)
