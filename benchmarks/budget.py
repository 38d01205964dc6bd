"""What a budget for tool outputs costs beside reading them: ratios and growth.

Run: `just bench budget` (add `--assert` to fail on a missed goal).
"""

import argparse
import json
from collections.abc import Callable
from functools import partial
from typing import Any

from accumulator import compare_frames
from harness import Goals, compare, growth, report
from knowledge_contract.budget import prune_message
from knowledge_contract.reading import read_message
from knowledge_wire.identity import source_id
from reading import HOSTILE, SIZES, Shape, fill, message_text, parse_size

READING = "one reading"
SHAPES = {
    # The least that the default settings act upon.
    "16 x 800 B": Shape(16, 800),
    "100 x 2 KB": Shape(100, 2000),
    "100 x 700 CJK": Shape(100, 700, is_cjk=True),
    "1 MB (100 x 2 KB behind 800 KB)": Shape(100, 2000, other_chars=800_000),
}


def prune_to(share: float, message: dict[str, Any]) -> object:
    """Prune a message to a share of its length."""
    return prune_message(message, limit_chars=int(len(message["content"]) * share))


PRUNINGS: dict[str, Callable[[dict[str, Any]], object]] = {
    READING: read_message,
    "pruned to nearly all": partial(prune_to, 0.99),
    "pruned to a half": partial(prune_to, 0.5),
    "pruned to a hundredth": partial(prune_to, 0.01),
}


def parse(text: str) -> Any:
    """Parse a message anew, so that nothing of an earlier turn is left in its strings."""
    return json.loads(text)


def compare_prunings(goals: Goals, rounds: int) -> None:
    """Check that pruning costs little more than the one reading that it needs."""
    for name, shape in SHAPES.items():
        make = partial(parse, message_text(shape, source_id))
        few = dict.fromkeys(PRUNINGS, 20 if shape.sources < 20 else 3)
        ratios = compare(PRUNINGS, make, baseline=READING, rounds=rounds, repeat=few)
        report(name, ratios, READING)
        worst = max(ratios, key=lambda each: ratios[each].median)
        goals.at_most(f"{name}: {worst} / {READING}", ratios[worst].median, 3)


def foreign_entries(chars: int) -> dict[str, Any]:
    """Return a message where one proven entry stands before entries that prove nothing."""
    message: dict[str, Any] = json.loads(message_text(Shape(1, 200), source_id))
    entries = [
        f"[{at}] Team [citation:Guide](#{prefix}knowledge-source-{at:032x})\nAsk.\n\n"
        f"[{at}] (no source to cite)\nAsk ](#knowledge-source- and [citation:\n\n"
        for at, prefix in enumerate(("", "user-content-") * 500)
    ]
    message["content"] += "\n\n" + fill("".join(entries), chars)
    return message


def half_remarks(chars: int) -> dict[str, Any]:
    """Return a message where one line nearly says that it is uncited, again and again."""
    message: dict[str, Any] = json.loads(message_text(Shape(1, 200), source_id))
    message["content"] += "\n\n" + fill("[1] (no source to cite", chars)
    return message


def native_teasing(chars: int) -> dict[str, Any]:
    """Return a message that repeats a native handle above nearly its whole text."""
    record = {"id": f"{'a' * 32}-1", "provider": "ragflow", "document_name": "Guide"}
    tease = f"](#knowledge-{record['id']})\n"
    record["text"] = fill(tease, 20_000) + "end"
    artifact = {"knowledge_sources": {"version": 1, "sources": [record]}}
    text = fill(tease, chars) + "\n\n" + f"[1] [citation:1{tease}{record['text']}"
    return {"type": "tool", "name": "task", "content": text, "artifact": artifact}


PRUNING_HOSTILE = {
    **HOSTILE,
    "foreign entries": foreign_entries,
    "half remarks": half_remarks,
    "native teasing": native_teasing,
}


def check_pruning_growth(goals: Goals, rounds: int) -> None:
    """Check that time follows the number of sources and the length of the text, hostile or not."""

    def in_sources(count: int) -> Any:
        return json.loads(message_text(Shape(count, 2000), source_id))

    def in_content(chars: int) -> Any:
        return json.loads(message_text(Shape(20, 200, other_chars=chars), source_id))

    print("growth of pruning (exponent over the upper half)")
    half = partial(prune_to, 0.5)
    sources = growth(half, in_sources, sizes=(5, 10, 20, 50, 100), rounds=rounds, repeat=4)
    goals.at_most("exponent in sources", sources, 1.1)
    # Beyond, caches run out, and the reader's own exponent rises with ours.
    sizes = (10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000)
    content = growth(half, in_content, sizes=sizes, rounds=max(5, rounds // 4))
    goals.at_most("exponent in content", content, 1.1)
    for name, make in PRUNING_HOSTILE.items():
        texts = {size: json.dumps(make(size)) for size in SIZES}
        exponent = growth(half, partial(parse_size, texts), sizes=SIZES, rounds=max(5, rounds // 4))
        goals.at_most(f"{name}, per doubling", 2**exponent, 2.3)


def check_pruning(goals: Goals, rounds: int) -> None:
    """Measure pruning."""
    compare_prunings(goals, rounds)
    check_pruning_growth(goals, rounds)


# What a benchmark of another kind measures goes into a function of its own, and into this list.
PARTS: tuple[Callable[[Goals, int], None], ...] = (check_pruning, compare_frames)


def main() -> int:
    """Print the tables; return 1 if a goal was asked for and missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assert", dest="must_meet", action="store_true", help="fail on a miss")
    parser.add_argument("--rounds", type=int, default=40, help="paired measurements per table")
    options = parser.parse_args()
    goals = Goals()
    for part in PARTS:
        part(goals, options.rounds)
    return 1 if options.must_meet and goals.missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
