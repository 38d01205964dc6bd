"""Verdicts on documents and lines, by one reader and by all."""

import json
import os
import shutil
from importlib.resources import files
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
TYPESCRIPT = pytest.param(
    "typescript",
    marks=pytest.mark.skipif(
        shutil.which("node") is None
        or not (files("knowledge_contract") / "_web" / "reader.mjs").is_file(),
        reason="the TypeScript reader is not built",
    ),
)
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
        *("validate", "--as", "KnowledgeCapabilities", "--jsonl", "--format", "text"),
        stdin='{"operations": []}\n{"operations": 1}\n',
    )

    assert ending == (
        1,
        "1: valid\n2: refused: /operations type: not of the type that the contract names\n",
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


def test_reader_that_was_asked_for_has_to_be_here(run: Run) -> None:
    ending = run("validate", "--reader", "typescript", stdin=json.dumps(VALID), PATH="")

    assert ending == (
        2,
        "",
        "reader typescript is not available: install Node 20 or newer: `node` is not on the path\n",
    )


@pytest.mark.skipif(
    os.name != "posix" or not (files("knowledge_contract") / "_web" / "reader.mjs").is_file(),
    reason="the TypeScript reader is not built",
)
def test_reader_that_dies_is_no_verdict(run: Run, tmp_path: Path) -> None:
    node = tmp_path / "node"
    node.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    node.chmod(0o755)

    ending = run("validate", "--reader", "all", stdin=json.dumps(VALID), PATH=str(tmp_path))

    assert ending == (
        2,
        "",
        "the TypeScript reader (Node 20 or newer) ended with exit code 3 instead of answering\n",
    )


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
