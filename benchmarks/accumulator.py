"""Measure what one more frame costs the accumulator, against reading the whole frame again.

A part of `budget.py`. The same reader does both. A frame holds every message so far; of four
messages one is a tool's, with five sources, and so is the one that the new frame adds.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from harness import Goals, compare, report
from knowledge_contract.delegation import EvidenceAccumulator
from knowledge_contract.formatting import format_result
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import RetrievalHit, RetrievalResult

SIZES = (10, 1_000, 10_000)
# How many times cheaper than a rescan one more frame has to be.
CHEAPER = {1_000: 80, 10_000: 150}
TOOL_MESSAGES = 4


class Run(NamedTuple):
    """An accumulator that saw all messages of a frame but the last."""

    accumulator: EvidenceAccumulator
    frame: list[Any]


def make_message(number: int) -> dict[str, Any]:
    """Return a tool's message for every fourth number, else one without an artifact."""
    if number % TOOL_MESSAGES:
        return {"type": "ai", "content": f"Thought {number}. " * 20, "id": str(number)}
    hits = [
        RetrievalHit(f"Fact {number}.{index}. " + "Some words. " * 60, title=f"Guide {index}")
        for index in range(5)
    ]
    text, artifact = format_result(
        RetrievalResult("local", tuple(hits)), limit_chars=8_000, excerpt_chars=1_200
    )
    return {"type": "tool", "content": text, "artifact": artifact, "id": str(number)}


def make_runs() -> dict[int, Run]:
    """Return a run of each size; the accumulator of each saw its first messages."""
    messages = [make_message(number) for number in range(max(SIZES))]
    last = make_message(max(SIZES))
    return {size: Run(EvidenceAccumulator(), [*messages[-size:], last]) for size in SIZES}


def rewind(runs: dict[int, Run], sizes: Sequence[int]) -> dict[int, Run]:
    """Take the last message of these sizes back, so that the next frame adds it again."""
    for size in sizes:
        runs[size].accumulator.observe(runs[size].frame[:-1])
    return runs


def observe(size: int, runs: dict[int, Run]) -> None:
    """Take in one more frame."""
    runs[size].accumulator.observe(runs[size].frame)


def rescan(size: int, runs: dict[int, Run]) -> None:
    """Read every message of the frame, as a reader without memory has to."""
    for message in runs[size].frame:
        read_message(message)


def copied(runs: dict[int, Run], size: int) -> dict[int, Run]:
    """Let an accumulator see equal copies of a frame, of which the next frame is made."""
    accumulator, frame = EvidenceAccumulator(), runs[size].frame
    accumulator.observe([dict(each) for each in frame[:-1]])
    accumulator.observe(frame[:-1])
    return {size: Run(accumulator, frame)}


def compare_frames(goals: Goals, rounds: int) -> None:
    """Check one more frame against a rescan, and a long history against a short one."""
    runs = make_runs()
    for size, cheaper in CHEAPER.items():
        candidates = {"one more frame": partial(observe, size), "rescan": partial(rescan, size)}
        make_input = partial(rewind, runs, [size])
        ratios = compare(candidates, make_input, baseline="one more frame", rounds=rounds)
        report(f"{size:,} messages", ratios, "one more frame")
        goals.at_least(f"rescan / one more frame, {size:,}", ratios["rescan"].median, cheaper)
    after = copied(runs, max(CHEAPER))
    for size in after:
        candidates = {"after copies": partial(observe, size), "rescan": partial(rescan, size)}
        make_input = partial(rewind, after, [size])
        ratios = compare(candidates, make_input, baseline="after copies", rounds=rounds)
        report(f"{size:,} messages after equal copies", ratios, "after copies")
        median = ratios["rescan"].median
        goals.at_least(f"rescan / after copies, {size:,}", median, CHEAPER[size])
    frames = {f"{size:,} messages": partial(observe, size) for size in SIZES}
    make_input = partial(rewind, runs, SIZES)
    ratios = compare(frames, make_input, baseline="10 messages", rounds=5 * rounds)
    report("One more frame", ratios, "10 messages")
    goals.at_most("one more frame, 10,000 / 10", ratios["10,000 messages"].median, 15)
