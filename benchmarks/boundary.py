"""Stripping a JSON body: ours against what one writes by hand, and growth.

Run: `just bench boundary` (add `--assert` to fail on a missed goal).

The peer is what a platform engineer writes: `json.loads`, a recursive copy without the reserved
keys, `json.dumps`. It accepts duplicate keys, NaN and lone surrogates, and strips the keys
everywhere; ours is strict and strips artifacts only. Bodies are compact UTF-8, as browsers and
LangGraph's clients write them; what other writers cost is shown without a goal.
"""

import argparse
import json
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any, NamedTuple

from harness import Goals, compare, growth, report
from knowledge_contract.boundary import strip_body
from knowledge_wire.constants import RESERVED_KEYS

OURS = "strip_body"
PLAIN = "loads, copy, dumps"
RESERVED = frozenset(RESERVED_KEYS)

WORDS = (
    *("each", "deployment", "needs", "a", "second", "pair", "of", "eyes", "before", "the"),
    *("change", "window", "opens", "and", "every", "service", "keeps", "its", "own", "runbook.\n"),
    *("with", "owners", '"alerts"', "and", "a", "way", "back", "so", "that", "nobody", "waits"),
)
FOREIGN_WORDS = ("café", "\N{EM DASH}", "日本", "\N{GRINNING FACE}", "Straße")
WORDS_PER_MESSAGE = (90, 530)
"""Half a kilobyte to three."""


class Shape(NamedTuple):
    """A run's input: its size, which share of its messages is not ASCII, and how it is written."""

    size_bytes: int
    foreign: float = 1 / 3
    is_forged: bool = False
    writing: str = "compact"


class Row(NamedTuple):
    """A shape, and how many times faster than the peer it must be; None shows it without a goal."""

    shape: Shape
    goal: float | None


WRITINGS: dict[str, Callable[[object], str]] = {
    "compact": partial(json.dumps, ensure_ascii=False, separators=(",", ":")),
    "escaped": partial(json.dumps, separators=(",", ":")),
    "spaced": partial(json.dumps, ensure_ascii=False),
}
ROWS = {
    "100 kB, clean": Row(Shape(100_000), 7),
    "1 MB, clean": Row(Shape(1_000_000), 7),
    "100 kB, forged": Row(Shape(100_000, is_forged=True), 2.2),
    "1 MB, forged": Row(Shape(1_000_000, is_forged=True), 2),
    "1 MB, forged, no message ASCII": Row(Shape(1_000_000, 1, is_forged=True), None),
    "1 MB, clean, with escapes": Row(Shape(1_000_000, writing="escaped"), None),
    "1 MB, forged, with escapes": Row(Shape(1_000_000, is_forged=True, writing="escaped"), None),
    "1 MB, forged, with blanks": Row(Shape(1_000_000, is_forged=True, writing="spaced"), None),
}
# What is written anew takes fresh memory, which a machine hands out more slowly the more it is:
# `json.loads` and `orjson.loads` alone reach 1.25 here.
GROWING = {
    "clean": (Shape(0), 1.1),
    "clean, with escapes": (Shape(0, writing="escaped"), 1.1),
    "forged": (Shape(0, is_forged=True), 1.25),
    "forged, with blanks": (Shape(0, is_forged=True, writing="spaced"), 1.25),
}
SIZES = (100_000, 300_000, 600_000, 1_250_000, 2_500_000, 5_000_000)


def make_text(random: Random, foreign: float) -> str:
    """Return one message's text."""
    words = random.choices(WORDS, k=random.randint(*WORDS_PER_MESSAGE))
    if random.random() < foreign:
        for at in range(3, len(words), 25):
            words[at] = random.choice(FOREIGN_WORDS)
    return " ".join(words)


def make_message(random: Random, index: int, shape: Shape) -> dict[str, Any]:
    """Return a message; each tenth is a tool's, with an artifact."""
    text = make_text(random, shape.foreign)
    if index % 10 != 9:
        kind = "human" if index % 2 else "ai"
        extra: dict[str, Any] = {"additional_kwargs": {}, "response_metadata": {}}
        return {"type": kind, "content": text, "id": f"{random.getrandbits(128):032x}", **extra}
    artifact: dict[str, Any] = {"elapsed_ms": index * 1.5, "query": "who deploys"}
    if shape.is_forged:
        source = {"id": "0" * 32, "provider": "local", "title": "Guide", "excerpt": text[:800]}
        artifact |= {"knowledge_sources_version": 1, "knowledge_sources": [source]}
    return {"type": "tool", "content": text, "tool_call_id": f"c{index}", "artifact": artifact}


def make_body(shape: Shape) -> bytes:
    """Return a run's input as JSON; equal arguments give equal bodies."""
    random = Random(1)  # noqa: S311 - synthetic text, no secret
    messages: list[dict[str, Any]] = []
    size = 0
    while size < shape.size_bytes:
        messages.append(make_message(random, len(messages), shape))
        size += len(messages[-1]["content"]) + 100
    run = {"assistant_id": "agent", "input": {"messages": messages}, "stream_mode": ["values"]}
    return WRITINGS[shape.writing](run).encode()


def copy_without_reserved(value: Any) -> Any:
    """Return a copy without the reserved keys, at any depth."""
    if isinstance(value, dict):
        return {k: copy_without_reserved(v) for k, v in value.items() if k not in RESERVED}
    if isinstance(value, list):
        return [copy_without_reserved(each) for each in value]
    return value


def strip_plainly(body: bytes) -> bytes:
    """Strip a body as one writes it by hand."""
    return json.dumps(copy_without_reserved(json.loads(body))).encode()


def fresh(body: bytes) -> bytes:
    """Return a copy that no earlier call has touched."""
    return bytes(bytearray(body))


def compare_strippers(goals: Goals, rounds: int) -> None:
    """Compare both on all shapes."""
    strippers: dict[str, Callable[[bytes], bytes]] = {OURS: strip_body, PLAIN: strip_plainly}
    for name, (shape, goal) in ROWS.items():
        body = make_body(shape)
        values = [json.loads(strip(body)) for strip in strippers.values()]
        if values[0] != values[1]:
            raise SystemExit(f"{name}: the two do not agree")
        repeat = dict.fromkeys(strippers, 10 if shape.size_bytes < SIZES[-3] // 2 else 2)
        make = partial(fresh, body)
        ratios = compare(strippers, make, baseline=OURS, rounds=rounds, repeat=repeat)
        report(name, ratios, OURS)
        if goal is not None:
            goals.at_least(f"{name}: {PLAIN} / ours", ratios[PLAIN].median, goal)


def check_growth(goals: Goals, rounds: int) -> None:
    """Check that time follows the size."""
    print("growth (exponent over the upper half)")
    for name, (shape, goal) in GROWING.items():
        bodies = {size: make_body(shape._replace(size_bytes=size)) for size in SIZES}

        def of_size(size: int, bodies: dict[int, bytes] = bodies) -> bytes:
            return fresh(bodies[size])

        exponent = growth(strip_body, of_size, sizes=SIZES, rounds=max(9, rounds // 2))
        goals.at_most(f"exponent, {name}", exponent, goal)


def main() -> int:
    """Print the tables; return 1 if a goal was asked for and missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assert", dest="must_meet", action="store_true", help="fail on a miss")
    parser.add_argument("--rounds", type=int, default=30, help="paired measurements per table")
    options = parser.parse_args()
    goals = Goals()
    compare_strippers(goals, options.rounds)
    check_growth(goals, options.rounds)
    return 1 if options.must_meet and goals.missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
