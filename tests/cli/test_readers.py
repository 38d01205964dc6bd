"""What the readers of other libraries report, as near to the contract as they come."""

from pathlib import Path
from typing import Any

import pytest

from cli.program import Run
from knowledge_contract.cli import model_reader, schema_reader
from knowledge_wire.parsing import Problem

SOURCE = {"id": "0" * 32, "provider": "local", "title": "Handbook", "excerpt": "Ask."}
SELECTED = {"version": 1, "mode": "selected", "dataset_ids": ["a"]}
BROKEN: dict[str, tuple[str, Any, Problem]] = {
    "missing": ("KnowledgeCapabilities", {}, Problem("/operations", "required")),
    "unknown-key": ("KnowledgeSource", {**SOURCE, "x/y": 1}, Problem("", "additionalProperties")),
    "short": ("KnowledgeSource", {**SOURCE, "title": ""}, Problem("/title", "minLength")),
    "long": ("KnowledgeSource", {**SOURCE, "title": "a" * 513}, Problem("/title", "maxLength")),
    "pattern": ("KnowledgeSource", {**SOURCE, "title": "\n"}, Problem("/title", "pattern")),
    "small": ("KnowledgeSource", {**SOURCE, "page": 0}, Problem("/page", "minimum")),
    "large": ("KnowledgeSource", {**SOURCE, "page": 1e6 + 1}, Problem("/page", "maximum")),
    "type": ("KnowledgeSource", {**SOURCE, "page": "1"}, Problem("/page", "type")),
    "list": ("KnowledgeSource", [], Problem("", "type")),
    "constant": ("ScopeAll", {"version": 2, "mode": "all"}, Problem("/version", "const")),
    "many-items": (
        "KnowledgeCapabilities",
        {"operations": ["search"] * 8},
        Problem("/operations", "maxItems"),
    ),
    "few-items": (
        "ScopeSelected",
        {**SELECTED, "dataset_ids": []},
        Problem("/dataset_ids", "minItems"),
    ),
    "item": (
        "ScopeSelected",
        {**SELECTED, "dataset_ids": ["a", 1]},
        Problem("/dataset_ids/1", "type"),
    ),
}


@pytest.mark.parametrize(("definition", "document", "problem"), BROKEN.values(), ids=BROKEN)
def test_models_name_place_and_rule(definition: str, document: Any, problem: Problem) -> None:
    assert problem in model_reader.judge(definition, document).problems


@pytest.mark.parametrize(("definition", "document", "problem"), BROKEN.values(), ids=BROKEN)
def test_schema_names_place_and_rule(definition: str, document: Any, problem: Problem) -> None:
    assert problem in schema_reader.judge(definition, document).problems


def test_models_do_not_name_branches_as_places() -> None:
    verdict = model_reader.judge("KnowledgeScope", {**SELECTED, "dataset_ids": "a"})

    pointers = {problem.pointer for problem in verdict.problems}
    assert "/dataset_ids" in pointers
    assert pointers <= {"", "/mode", "/dataset_ids"}


def test_missing_extra_is_named_in_one_line(run_apart: Run, tmp_path: Path) -> None:
    absent = 'raise ModuleNotFoundError("no jsonschema here", name="jsonschema")\n'
    (tmp_path / "jsonschema.py").write_text(absent, encoding="utf-8")

    ending = run_apart("validate", "--reader", "jsonschema", stdin="{}", PYTHONPATH=str(tmp_path))

    assert ending == (
        2,
        "",
        "reader jsonschema is not available: install the extra: knowledge-contract[testing]\n",
    )
