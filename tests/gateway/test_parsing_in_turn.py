"""Bodies that must be parsed wait for their turn, few of them, and cost no more than they may."""

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any, NamedTuple

import pytest

from gateway.exchanges import http_scope, post, problem
from knowledge_contract.boundary import strip_body
from knowledge_contract.gateway import StrippingMiddleware

MOST_BRACKETS = 500_000
# The one that is parsed, and eight that wait.
MOST_AT_ONCE = 9


def long_body(mark: int) -> bytes:
    """Return a forged body that is too long to be stripped at once."""
    return b'{"artifact":{"knowledge_sources":[]},"mark":%d,"x":"%s"}' % (mark, b"a" * 70_000)


@pytest.mark.parametrize("unit", [b"[]", b"{}"], ids=["lists", "objects"])
@pytest.mark.parametrize("more", [0, 1], ids=["limit", "one more"])
def test_body_that_is_parsed_has_a_bounded_number_of_brackets(unit: bytes, more: int) -> None:
    body = b'["knowledge_sources",%s]' % b",".join([unit] * (MOST_BRACKETS - 1 + more))

    answer = post(body)

    if more:
        assert problem(answer) == (413, "maxItems", "")
        assert answer.headers[b"connection"] == b"close"
    else:
        assert answer.seen[0].body == body


def test_body_that_is_not_parsed_may_have_more() -> None:
    body = b"[%s]" % b",".join([b"[]"] * MOST_BRACKETS)

    assert post(body).seen[0].body == body


class Parsing(NamedTuple):
    """The bodies that were parsed, and the gate that holds each until it opens."""

    bodies: list[bytes]
    gate: threading.Event


@pytest.fixture
def parsing() -> Iterator[Parsing]:
    """Hold what is parsed in a thread of its own until the gate opens."""
    parsing = Parsing([], threading.Event())

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code is strip_body.__code__:
            parsing.bodies.append(frame.f_locals["data"])
            parsing.gate.wait()

    threading.setprofile(watch)
    try:
        yield parsing
    finally:
        threading.setprofile(None)
        parsing.gate.set()


class Service(NamedTuple):
    """A guarded application, and what clients of it got and it was called with."""

    app: StrippingMiddleware
    statuses: list[int]
    refused: list[dict[bytes, bytes]]

    async def ask(self, body: bytes) -> None:
        async def receive() -> Any:
            return {"type": "http.request", "body": body}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                self.statuses.append(message["status"])
                self.refused.append(dict(message["headers"]))

        await self.app(http_scope(), receive, send)


def build() -> Service:
    async def app(_scope: Any, receive: Any, send: Any) -> None:
        assert b"knowledge_sources" not in (await receive())["body"]
        await send({"type": "http.response.start", "status": 200, "headers": []})

    return Service(StrippingMiddleware(app), [], [])


def test_body_beyond_those_that_wait_is_turned_away(parsing: Parsing) -> None:
    service = build()
    bodies = [long_body(mark) for mark in range(MOST_AT_ONCE)]

    async def run() -> None:
        asked = [asyncio.create_task(service.ask(body)) for body in bodies]
        # Each waits once it has run for the first time.
        await asyncio.sleep(0)
        await service.ask(long_body(9))
        assert service.statuses == [503]
        parsing.gate.set()
        await asyncio.gather(*asked)
        await service.ask(long_body(10))

    asyncio.run(run())

    assert service.statuses == [503, *[200] * (MOST_AT_ONCE + 1)]
    assert service.refused[0].items() >= {b"retry-after": b"1", b"connection": b"close"}.items()
    assert parsing.bodies == [*bodies, long_body(10)]


def test_clean_and_short_bodies_never_wait(parsing: Parsing) -> None:
    service = build()

    async def run() -> None:
        asked = [asyncio.create_task(service.ask(long_body(mark))) for mark in range(MOST_AT_ONCE)]
        await asyncio.sleep(0)
        await service.ask(b'{"artifact":{"knowledge_sources":[]}}')
        await service.ask(b'["%s"]' % (b"a" * 70_000))
        assert service.statuses == [200, 200]
        parsing.gate.set()
        await asyncio.gather(*asked)

    asyncio.run(run())


def test_body_of_a_cancelled_request_is_never_parsed(parsing: Parsing) -> None:
    service = build()

    async def run() -> None:
        asked = [asyncio.create_task(service.ask(long_body(mark))) for mark in range(3)]
        await asyncio.sleep(0)
        asked[1].cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asked[1]
        parsing.gate.set()
        await asyncio.gather(asked[0], asked[2])

    asyncio.run(run())

    assert service.statuses == [200, 200]
    assert parsing.bodies == [long_body(0), long_body(2)]


def test_cancelled_requests_leave_the_queue(parsing: Parsing) -> None:
    service = build()

    async def run() -> None:
        first = asyncio.create_task(service.ask(long_body(0)))
        for _ in range(3):
            asked = [asyncio.create_task(service.ask(long_body(1))) for _ in range(8)]
            await asyncio.sleep(0)
            for each in asked:
                each.cancel()
            await asyncio.gather(*asked, return_exceptions=True)
        parsing.gate.set()
        await first

    asyncio.run(run())

    assert service.statuses == [200]
