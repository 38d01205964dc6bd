"""Compare functions in one process: turn by turn, each on fresh input, as paired ratios.

Machines are shared and noisy, so nothing here claims a time: a round measures every candidate,
in an order that is rotated and reversed, and only ratios within a round are kept. The clock is
the processor time of this process, which stands still while others run.
"""

import gc
import math
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

Input = TypeVar("Input")


class Ratios(NamedTuple):
    """Paired ratios of a candidate to the baseline: how many times its time."""

    low: float
    median: float
    high: float


def compare(
    candidates: Mapping[str, Callable[[Input], object]],
    make_input: Callable[[], Input],
    *,
    baseline: str,
    rounds: int,
    repeat: Mapping[str, int] | None = None,
) -> dict[str, Ratios]:
    """Return each candidate's ratio to `baseline`, as quartiles over all rounds.

    Args:
        candidates: Functions by name.
        make_input: Builds one fresh input; its cost is not measured. Fresh matters: some
            libraries leave a cached form in the strings they saw.
        baseline: The name that all ratios refer to.
        rounds: How many paired measurements; the first is thrown away.
        repeat: Calls in one measurement by name, each on its own input; 1 where absent.
    """
    times: dict[str, list[float]] = {name: [] for name in candidates}
    names = list(candidates)
    for index in range(rounds + 1):
        turn = names[index % len(names) :] + names[: index % len(names)]
        for name in turn if index % 2 else reversed(turn):
            calls = (repeat or {}).get(name, 1)
            took = _measure(candidates[name], [make_input() for _ in range(calls)])
            if index:
                times[name].append(took)
    return {
        name: _quartiles([a / b for a, b in zip(own, times[baseline], strict=True)])
        for name, own in times.items()
    }


def growth(
    function: Callable[[Input], object],
    make_input: Callable[[int], Input],
    *,
    sizes: Sequence[int],
    rounds: int,
    repeat: int = 1,
) -> float:
    """Return the exponent by which the time grows with the size: 1 is linear.

    It is the slope over the upper half of the sizes on doubly logarithmic paper, where what a
    call costs at any size no longer counts; the median over all rounds.

    Args:
        function: What is measured.
        make_input: Builds a fresh input of a size; its cost is not measured.
        sizes: At least three, ascending.
        rounds: How often each size is measured; the first round is thrown away.
        repeat: Calls in one measurement, each on its own input.
    """
    upper = sizes[len(sizes) // 2 :]
    logs = [math.log(size) for size in upper]
    slopes = []
    for index in range(rounds + 1):
        turn = list(range(len(upper)))
        turn = turn[index % len(turn) :] + turn[: index % len(turn)]
        took = {
            at: _measure(function, [make_input(upper[at]) for _ in range(repeat)]) for at in turn
        }
        if index:
            times = [math.log(took[at]) for at in range(len(upper))]
            slopes.append(statistics.linear_regression(logs, times).slope)
    return statistics.median(slopes)


def _measure(function: Callable[[Input], object], inputs: Sequence[Input]) -> float:
    gc.disable()
    try:
        start = time.process_time_ns()
        for each in inputs:
            function(each)
        return (time.process_time_ns() - start) / len(inputs)
    finally:
        gc.enable()


def _quartiles(values: list[float]) -> Ratios:
    low, median, high = statistics.quantiles(values, n=4)
    return Ratios(low, median, high)


def report(title: str, ratios: Mapping[str, Ratios], baseline: str) -> None:
    """Print a table of ratios, cheapest first."""
    print(f"{title} (times the cost of {baseline!r}: median, quartiles)")
    for name, ratio in sorted(ratios.items(), key=lambda row: row[1].median):
        print(f"  {name:<28} {ratio.median:8.2f}x   {ratio.low:.2f} .. {ratio.high:.2f}")


class Goals:
    """Collects goals, prints each with its measured value, and tells whether all are met."""

    def __init__(self) -> None:
        self.missed: list[str] = []

    def at_least(self, what: str, measured: float, goal: float) -> None:
        """Record a goal that wants a large value."""
        self._record(what, measured, f"at least {goal:g}", met=measured >= goal)

    def at_most(self, what: str, measured: float, goal: float) -> None:
        """Record a goal that wants a small value."""
        self._record(what, measured, f"at most {goal:g}", met=measured <= goal)

    def _record(self, what: str, measured: float, goal: str, *, met: bool) -> None:
        print(f"  {'met   ' if met else 'MISSED'} {what}: {measured:.2f} ({goal})")
        if not met:
            self.missed.append(what)
