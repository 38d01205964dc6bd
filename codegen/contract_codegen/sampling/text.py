"""Texts of a given length out of a pattern's parts, whoever makes the choices."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from contract_codegen.sampling.pools import ALL_CHARACTERS, palette
from contract_codegen.sampling.shapes import (
    Characters,
    Either,
    Node,
    Ranges,
    Repeat,
    Text,
    Then,
)

__all__ = ["FREE", "Pick", "Run", "build_text", "legal_length", "legal_runs", "runs_of", "spell"]

Pick: TypeAlias = Callable[[int], int]
"""Returns an index below its argument; 0 should be the simplest choice."""

_ATTEMPTS = 64
_PIECE = 12
_LONG = 4096
FREE: Node = Repeat(Characters(ALL_CHARACTERS), 0, None)


class Run(NamedTuple):
    """So many characters, each out of `ranges`."""

    ranges: Ranges
    length: int


_Part: TypeAlias = list[Any]
"""What may vary in length: ranges, count, least and greatest count (None: without bound)."""


def build_text(pick: Pick, shape: Text) -> str:
    """Return an accepted text.

    Raises:
        ValueError: none was found.
    """
    return spell(pick, legal_runs(pick, shape))


def legal_runs(pick: Pick, shape: Text) -> list[Run]:
    """Return runs that pattern and bounds accept.

    Raises:
        ValueError: none were found; the pattern and the bounds exclude each other.
    """
    for _ in range(_ATTEMPTS):
        runs = runs_of(pick, shape, legal_length(pick, shape))
        if shape.min_length <= sum(run.length for run in runs) <= shape.max_length:
            return runs
    raise ValueError("no text satisfies both the pattern and the bounds")


def legal_length(pick: Pick, shape: Text) -> int:
    """Return a length between the bounds: mostly short, often at a bound, rarely very long."""
    low, high = shape.min_length, shape.max_length
    roll = pick(64)
    if roll < 48 or (high > _LONG and pick(100) < 99):
        return low + pick(min(high - low, 24) + 1)
    if roll < 54:
        return low + pick(min(high - low, 200) + 1)
    # Just above the half, astral characters have more UTF-16 units than the bound.
    length = (high, high - 1, low, low + 1, high // 2 + 1)[pick(5)]
    return min(max(low, length), high)


def runs_of(pick: Pick, shape: Text, length: int) -> list[Run]:
    """Return runs that the pattern accepts, `length` characters in all if it can be that long."""
    parts: list[_Part] = []
    _derive(pick, FREE if shape.node is None else shape.node, parts)
    gap = length - sum([part[1] for part in parts])
    for part in _growing(pick, parts):
        if not gap:
            break
        _, count, least, most = part
        if gap < 0:
            step = -min(-gap, count - least)
        else:
            step = gap if most is None else min(gap, most - count)
        part[1] += step
        gap -= step
    return [Run(ranges, count) for ranges, count, _, _ in parts if count]


def _derive(pick: Pick, node: Node, parts: list[_Part]) -> None:
    match node:
        case Characters(ranges):
            parts.append([ranges, 1, 1, 1])
        case Repeat(Characters(ranges), least, most):
            extra = 3 if most is None else min(most - least, 3)
            parts.append([ranges, least + pick(extra + 1), least, most])
        case Repeat(inner, least, most):
            extra = 2 if most is None else min(most - least, 2)
            for _ in range(least + pick(extra + 1)):
                _derive(pick, inner, parts)
        case Then(nodes):
            for inner in nodes:
                _derive(pick, inner, parts)
        case Either(branches):
            _derive(pick, branches[pick(len(branches))], parts)


def _growing(pick: Pick, parts: list[_Part]) -> list[_Part]:
    """Return the last part first, which is where text goes on; at times any first."""
    order = parts[::-1]
    if pick(4) < 3 or not order:
        return order
    start = pick(len(order))
    return order[start:] + order[:start]


def spell(pick: Pick, runs: list[Run]) -> str:
    """Return characters for the runs, all in one mood: ordinary, hostile or astral."""
    mood = (0, 0, 0, 1, 1, 1, 2)[pick(7)]
    return "".join(_spell_run(pick, palette(run.ranges)[mood], run.length) for run in runs)


def _spell_run(pick: Pick, characters: str, count: int) -> str:
    size = len(characters)
    piece = "".join([characters[pick(size)] for _ in range(min(count, _PIECE))])
    return piece if count <= _PIECE else (piece * (count // _PIECE + 1))[:count]
