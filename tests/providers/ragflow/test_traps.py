"""The table of traps is complete, and every test that it names exists."""

import ast
from pathlib import Path

import pytest

from providers.ragflow.traps import TRAPS, Trap

HERE = Path(__file__).parent
COUNT = 47


def names_in(path: Path) -> set[str]:
    """Return the names of a file's tests."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    return {name for name in found if name.startswith("test_")}


def test_every_trap_has_its_number() -> None:
    assert list(TRAPS) == list(range(1, COUNT + 1))
    assert len({trap.source for trap in TRAPS.values()}) == COUNT


@pytest.mark.parametrize("trap", TRAPS.values(), ids=map(str, TRAPS))
def test_trap_is_tested_or_out_of_reach(trap: Trap) -> None:
    named = [each.partition("::") for each in trap.tests]

    missing = [name for file, _, name in named if name not in names_in(HERE / file)]

    assert missing == []
    assert trap.tests or trap.reason
    assert all(text.endswith(".") for text in (trap.trap, trap.reason) if text)
