"""Each input that breaks citations is accounted for: by tests that exist, or by another floor."""

import ast
from functools import cache
from pathlib import Path

import pytest

from core.citation_inputs import FLOORS, INPUTS, NUMBERS, Elsewhere, Input

ROOT = Path(__file__).parents[2]
TESTED = [(str(each.number), name) for each in INPUTS for name in each.tests]


@cache
def names_in(file: str) -> frozenset[str]:
    """Return the names of a file's tests, without importing it."""
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def test_every_number_occurs_once_and_in_order() -> None:
    assert tuple(each.number for each in INPUTS) == NUMBERS
    assert len(set(NUMBERS)) == len(NUMBERS) == 39


@pytest.mark.parametrize(("number", "test"), TESTED, ids=[" ".join(each) for each in TESTED])
def test_test_of_an_input_exists(number: str, test: str) -> None:
    file, _, name = test.partition("::")

    assert name.startswith("test_"), number
    assert name in names_in(file), number


@pytest.mark.parametrize("row", INPUTS, ids=lambda row: str(row.number))
def test_input_is_worded_and_has_tests_or_a_reason(row: Input) -> None:
    assert row.input
    assert "\n" not in row.input
    assert row.tests or row.elsewhere
    assert len(set(row.tests)) == len(row.tests)


REASONS: dict[str, Elsewhere] = {
    str(each.number): each.elsewhere for each in INPUTS if each.elsewhere
}


@pytest.mark.parametrize("number", REASONS)
def test_reason_names_known_floors(number: str) -> None:
    floors, reason = REASONS[number]

    assert floors
    assert set(floors) <= set(FLOORS)
    assert reason.endswith(".")
