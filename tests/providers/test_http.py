"""One strict way to ask a server: bounded in time and bytes, and silent about secrets."""

import asyncio
import gzip
import json
import pickle
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from knowledge_contract.errors import (
    ProviderAPIError,
    ProviderConfigurationError,
    ProviderConnectionError,
    ProviderError,
    ProviderProtocolError,
)
from knowledge_contract.providers._http import (
    Answer,
    Request,
    Retrying,
    gather,
    open_session,
)
from providers.asking import BUSY, GOOD, KEY, READ, chain, endpoint, fetch
from providers.faults import FAULTS, Fault
from providers.raw_server import Play, RawServer, reply, reset, send, serving


class Pauses(list[float]):
    """Takes the place of sleeping and remembers how long it would have been."""

    async def sleep(self, pause_s: float) -> None:
        """Remember."""
        self.append(pause_s)


def retried(*plays: Play, **changes: Any) -> tuple[list[Answer], RawServer, Pauses]:
    """Return answer, server and pauses of one request that may be repeated."""
    pauses = Pauses()
    options = {"sleep": pauses.sleep, "jitter": lambda: 1.0, "now": lambda: 0.0, **changes}
    with serving(*plays) as server:
        return fetch(server.base_url, retrying=Retrying(**options)), server, pauses


def test_answer_is_parsed_json_with_its_status() -> None:
    with serving(reply(b'{"a": [1, "\xc3\xa4"]}', "201 Created")) as server:
        answers = fetch(server.base_url)

    assert answers == [Answer(201, {"a": [1, "ä"]})]


def test_request_carries_query_body_and_key() -> None:
    request = Request("POST", "/a%2Fb", (("id", "x y"), ("id", "ü&")), {"q": "\ud800 Käse"})

    with serving(GOOD) as server:
        fetch(server.base_url, request)

    head, _, body = server.requests[0].partition(b"\r\n\r\n")
    lines = head.lower().split(b"\r\n")
    assert lines[0] == b"post /a%2fb?id=x+y&id=%c3%bc%26 http/1.1"
    assert b"authorization: bearer sk-secret/key+1" in lines
    assert b"accept-encoding: gzip" in lines
    assert json.loads(body) == {"q": "\ud800 Käse"}


def test_gzip_is_unpacked() -> None:
    body = gzip.compress(b'{"code": 0}', mtime=0)

    with serving(reply(body, Content_Encoding="gzip")) as server:
        answers = fetch(server.base_url)

    assert answers == [Answer(200, {"code": 0})]


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_bound_counts_decoded_bytes_exactly(packed: bool) -> None:  # noqa: FBT001 - a parameter
    body = b'"' + b"x" * 98 + b'"'
    wire = gzip.compress(body) if packed else body
    fields = {"Content_Encoding": "gzip"} if packed else {}

    with serving(reply(wire, **fields)) as server:
        fits = fetch(server.base_url, limit_bytes=100)
        with pytest.raises(ProviderProtocolError):
            fetch(server.base_url, limit_bytes=99)

    assert fits == [Answer(200, "x" * 98)]


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_fault_is_one_clear_error(fault: Fault) -> None:
    with serving(fault.play) as server, pytest.raises(fault.error) as caught:
        fetch(server.base_url, timeout_s=fault.timeout_s)

    message = str(caught.value)
    assert type(caught.value) is fault.error
    assert message.startswith("shelf: ")
    assert fault.says in message
    assert message.count("\n") == 0
    assert "elsewhere" not in message
    assert len(chain(caught.value)) == 1


@pytest.mark.parametrize(
    "base_url", ["http://no-such-host.invalid", "http://127.0.0.1:1"], ids=["DNS", "refused"]
)
def test_server_that_is_not_there_is_a_connection_error(base_url: str) -> None:
    with pytest.raises(ProviderConnectionError, match=r"\Ashelf: .+base_url"):
        fetch(base_url)


class Slow(httpx.AsyncBaseTransport, httpx.AsyncByteStream):
    """Answers at once, but while the answer is closed a minute goes by without any await."""

    minutes = 0

    async def handle_async_request(self, _: httpx.Request) -> httpx.Response:
        """Answer."""
        return httpx.Response(200, stream=self)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the body."""
        yield b"{}"

    async def aclose(self) -> None:
        """Let a minute go by."""
        self.minutes = 1


def test_answer_that_is_parsed_too_late_is_none() -> None:
    transport = Slow()

    async def ask() -> list[Answer]:
        loop = asyncio.get_running_loop()
        clock = loop.time
        loop.time = lambda: clock() + 60 * transport.minutes  # type: ignore[method-assign]  # no other clock can be set
        async with open_session(
            endpoint("http://localhost"),
            client_factory=lambda: httpx.AsyncClient(transport=transport),
            retrying=Retrying(count=0),
        ) as session:
            return [await session.fetch(READ)]

    with pytest.raises(ProviderConnectionError, match="within 30 seconds"):
        asyncio.run(ask())


def test_request_that_cannot_be_written_is_an_error() -> None:
    request = Request("GET", "/items", (("id", "\ud800"),))

    with serving(GOOD) as server, pytest.raises(ProviderConfigurationError, match="cannot be sent"):
        fetch(server.base_url, request)

    assert server.requests == []


def test_redirect_is_not_followed() -> None:
    with serving(reply(b"", "307 Temporary Redirect", Location="/other"), GOOD) as server:
        with pytest.raises(ProviderProtocolError):
            fetch(server.base_url, client_factory=lambda: httpx.AsyncClient(follow_redirects=True))

        assert len(server.requests) == 1


def test_refusal_without_json_keeps_its_status() -> None:
    with serving(reply(b"<h1>Not found</h1>", "404 Not Found")) as server:
        answers = fetch(server.base_url)

    assert answers == [Answer(404, None)]


@pytest.mark.parametrize(
    "play",
    [
        reply(b"", "429 Too Many Requests"),
        reply(b"<h1>", "502 Bad Gateway"),
        reply(b"", BUSY),
        reply(b"", "504 Gateway Timeout"),
        reset(),
        send(b""),
    ],
    ids=["429", "502", "503", "504", "reset", "closed"],
)
def test_passing_trouble_is_asked_again_once(play: Play) -> None:
    answers, server, pauses = retried(play, GOOD)

    assert answers == [Answer(200, {"code": 0})]
    assert len(server.requests) == 2
    assert pauses == [0.5]


@pytest.mark.parametrize(
    "play",
    [reply(b"{}", "500 Internal Server Error"), reply(b"{}", "401 Unauthorized")],
    ids=["500", "401"],
)
def test_other_refusals_are_not_asked_again(play: Play) -> None:
    _, server, pauses = retried(play, GOOD)

    assert (len(server.requests), pauses) == (1, [])


def test_trouble_that_stays_is_the_answer() -> None:
    answers, server, pauses = retried(reply(b"", BUSY), count=3, pause_limit_s=9)

    assert answers == [Answer(503, None)]
    assert len(server.requests) == 4
    assert pauses == [0.5, 1.0, 2.0]


def test_pause_is_partly_random() -> None:
    _, _, pauses = retried(reply(b"", BUSY), GOOD, jitter=lambda: 0.0)

    assert pauses == [0.25]


@pytest.mark.parametrize(
    ("wish", "pauses"),
    [
        ("3", [3.0]),
        ("0", [0.5]),
        ("Thu, 01 Jan 1970 00:00:04 GMT", [4.0]),
        ("Wed, 31 Dec 1969 00:00:04 GMT", [0.5]),
        ("soon", [0.5]),
        ("", [0.5]),
        ("6", []),
        ("9" * 5000, []),
        ("Fri, 01 Jan 9999 00:00:04 GMT", []),
    ],
    ids=["3", "0", "date", "past", "words", "empty", "too long", "huge", "far date"],
)
def test_wish_to_wait_is_honoured_or_ends_the_attempts(wish: str, pauses: list[float]) -> None:
    _, server, waited = retried(reply(b"", BUSY, Retry_After=wish), GOOD)

    assert waited == pauses
    assert len(server.requests) == 1 + len(pauses)


def test_pause_never_reaches_beyond_the_time_out() -> None:
    pauses = Pauses()
    retrying = Retrying(sleep=pauses.sleep, pause_limit_s=99)

    with serving(reply(b"", BUSY, Retry_After="40"), GOOD) as server:
        answers = fetch(server.base_url, retrying=retrying, timeout_s=30.0)

    assert answers == [Answer(503, None)]
    assert pauses == []


def test_endpoint_hides_its_secrets() -> None:
    made = endpoint("http://localhost")

    assert KEY not in repr(made)
    assert KEY not in f"{made.secrets!r} {made.secrets}"


def test_first_failure_in_order_is_raised_and_the_rest_is_cancelled() -> None:
    cancelled: list[str] = []

    async def wait_for_ever() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append("yes")
            raise

    async def fail(name: str) -> None:
        raise ProviderError(name)

    async def run() -> None:
        await gather([wait_for_ever(), fail("first"), fail("second")])

    with pytest.raises(ProviderError, match="first"):
        asyncio.run(run())

    assert cancelled == ["yes"]


def test_bug_among_jobs_is_no_provider_error() -> None:
    async def fail() -> None:
        raise LookupError

    with pytest.raises(ExceptionGroup) as caught:
        asyncio.run(gather([fail()]))

    assert [type(each) for each in caught.value.exceptions] == [LookupError]


def test_api_error_survives_pickling() -> None:
    error = ProviderAPIError("shelf: it failed", status=200, code=102)

    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - pickled on this line

    assert (str(copy), copy.status, copy.code) == ("shelf: it failed", 200, 102)
