"""How far a long piece of work is: on standard error, and only where somebody watches."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

Progress = Callable[[int, int], None]
"""Takes how many are done, and how many there are."""


@contextmanager
def progress_bar(label: str, unit: str) -> Iterator[Progress]:
    """Yield what draws a bar with counts; it is gone when the work ends.

    Args:
        label: What is being done.
        unit: What is counted, in the plural.
    """
    stream: TextIO | None = sys.stderr
    if stream is None or not stream.isatty():
        yield _draw_nothing
        return
    # Start-up: rich takes longer to import than most commands run.
    from rich.console import Console  # noqa: PLC0415 - start-up, see above
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn  # noqa: PLC0415 - same
    from rich.progress import Progress as Bar  # noqa: PLC0415 - same

    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TextColumn(unit))
    with Bar(*columns, console=Console(file=stream), transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _draw_nothing(_done: int, _total: int) -> None:
    return
