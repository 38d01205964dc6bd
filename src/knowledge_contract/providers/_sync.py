"""Run a coroutine from synchronous code, whether or not an event loop runs already."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

__all__ = ["run_sync"]

_Outcome = TypeVar("_Outcome")


def run_sync(coroutine: Coroutine[Any, Any, _Outcome]) -> _Outcome:
    """Return what the coroutine returns, or raise what it raises.

    Where an event loop runs in this thread, the coroutine gets a loop in a thread of its own,
    with this thread's context variables, and this thread waits for it. Else its loop lives here,
    so that an interrupt cancels it. What must not outlive a loop, such as an HTTP client, has to
    be opened inside of the coroutine.
    """
    if not _has_loop():
        return _run(coroutine)
    context = copy_context()
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="run-sync") as executor:
        return executor.submit(context.run, _run, coroutine).result()


def _has_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _run(coroutine: Coroutine[Any, Any, _Outcome]) -> _Outcome:
    # With a factory the thread's own current event loop stays as it is.
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        return runner.run(coroutine)
