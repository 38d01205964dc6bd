"""Each promise has tests that exist."""

import ast
from functools import cache
from pathlib import Path

import pytest

from extension.relations_promises import PROMISES, Promise

ROOT = Path(__file__).resolve().parents[2]


@cache
def functions_of(file: str) -> frozenset[str]:
    """Return the names of a file's test functions."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("promise", PROMISES, ids=[str(each.number) for each in PROMISES])
def test_promise_has_tests_that_exist_or_says_why_not(promise: Promise) -> None:
    assert bool(promise.tests) != bool(promise.why_untested)
    for test in promise.tests:
        file, _, function = test.partition("::")
        assert function.startswith("test_")
        assert function in functions_of(file), test


def test_promises_are_counted_from_one() -> None:
    assert [each.number for each in PROMISES] == [*range(1, len(PROMISES) + 1)]


@pytest.mark.parametrize("name", ["README.md", "VALIDATION.md"])
def test_page_of_the_plugin_names_only_files_that_exist(name: str) -> None:
    folder = ROOT / "examples" / "deerflow-extension-lightrag"
    text = (folder / name).read_text(encoding="utf-8")

    named = {word.strip("`") for word in text.split() if word.startswith(("tests/", "examples/"))}

    assert [each for each in named if not (ROOT / each).exists()] == []
