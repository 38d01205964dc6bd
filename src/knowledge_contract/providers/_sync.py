"""Run a coroutine from synchronous code, whether or not an event loop runs already."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, ParamSpec, TypeVar

__all__ = ["run_sync"]

_Outcome = TypeVar("_Outcome")
_Arguments = ParamSpec("_Arguments")


def run_sync(coroutine: Coroutine[Any, Any, _Outcome]) -> _Outcome:
    """Return what the coroutine returns, or raise what it raises.

    Where an event loop runs in this thread, the coroutine gets a loop in a thread of its own,
    with this thread's context variables, and this thread waits for it. Else its loop lives here,
    so that an interrupt cancels it. What must not outlive a loop, such as an HTTP client, has to
    be opened inside of the coroutine. What the loop does in threads, such as looking up a name,
    is not waited for once the coroutine is over.
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
    with asyncio.Runner(loop_factory=_new_loop) as runner:
        return runner.run(coroutine)


def _new_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    loop.set_default_executor(_LooseThreads())
    return loop


class _LooseThreads(ThreadPoolExecutor):
    """Runs each call in a thread that nobody waits for, neither a loop's end nor the program's.

    A loop takes no other kind of executor, and would wait for a name's lookup, which has no
    time-out of its own.
    """

    def submit(
        self,
        fn: Callable[_Arguments, _Outcome],
        /,
        *args: _Arguments.args,
        **kwargs: _Arguments.kwargs,
    ) -> Future[_Outcome]:
        future: Future[_Outcome] = Future()

        def call() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(fn(*args, **kwargs))
            # Whoever waits gets it, as from any executor.
            except BaseException as error:  # noqa: BLE001 - see above
                future.set_exception(error)

        threading.Thread(target=call, name="run-sync-call", daemon=True).start()
        return future
