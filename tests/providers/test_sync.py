"""Coroutines from synchronous code, inside of a running event loop and outside."""

import asyncio
import socket
import threading
from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from typing import Any

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


def run_inside(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine while a loop runs in this thread."""

    async def outer() -> None:
        run_sync(coroutine)

    asyncio.run(outer())


@pytest.mark.parametrize("run", [run_sync, run_inside], ids=["outside", "inside"])
def test_thread_that_hangs_is_not_waited_for(
    run: Callable[[Coroutine[Any, Any, None]], None],
) -> None:
    released, ended = threading.Event(), threading.Event()

    def hang() -> None:
        released.wait(60)
        ended.set()

    async def give_up() -> None:
        async with asyncio.timeout(0.01):
            await asyncio.to_thread(hang)

    with pytest.raises(TimeoutError):
        run(give_up())

    assert not ended.is_set()
    released.set()
    assert ended.wait(60)


def test_what_a_thread_returns_or_raises_is_passed_on() -> None:
    async def resolve(host: str) -> list[tuple[object, ...]]:
        return [*await asyncio.get_running_loop().getaddrinfo(host, 80, type=socket.SOCK_STREAM)]

    assert run_sync(resolve("127.0.0.1"))[0][-1] == ("127.0.0.1", 80)
    with pytest.raises(socket.gaierror):
        run_sync(resolve("no such host.invalid"))
