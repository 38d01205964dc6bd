"""Coroutines from synchronous code, inside of a running event loop and outside."""

import asyncio
import threading
from contextvars import ContextVar

import pytest

from knowledge_contract.providers._sync import run_sync

NAME: ContextVar[str] = ContextVar("NAME", default="nobody")


async def where() -> tuple[bool, str]:
    """Return whether this is the main thread, and the context's name."""
    await asyncio.sleep(0)
    return threading.current_thread() is threading.main_thread(), NAME.get()


async def fail() -> None:
    raise LookupError("from inside")


def test_without_a_loop_the_coroutine_runs_here() -> None:
    assert run_sync(where()) == (True, "nobody")


def test_inside_of_a_loop_it_runs_in_a_thread_with_the_same_context() -> None:
    async def outer() -> tuple[bool, str]:
        NAME.set("ada")
        return run_sync(where())

    assert asyncio.run(outer()) == (False, "ada")


def test_failure_is_the_coroutine_s_own() -> None:
    async def outer() -> None:
        run_sync(fail())

    with pytest.raises(LookupError) as caught:
        run_sync(fail())
    assert caught.value.__context__ is None
    with pytest.raises(LookupError):
        asyncio.run(outer())


def test_the_thread_s_own_event_loop_stays() -> None:
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)

    run_sync(where())

    assert asyncio.get_event_loop() is loop
    asyncio.set_event_loop(None)
    loop.close()
