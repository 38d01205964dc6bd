"""HTTP for every provider: one strict way to ask a server for JSON.

A request ends within its time-out whatever the server does, follows no redirect, reads no more
than a bounded number of decoded bytes, and gives parsed strict JSON or one of the provider's
errors. No error and no log record holds a secret or a server's own words unredacted.
"""

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from knowledge_contract.errors import (
    ProviderConfigurationError,
    ProviderConnectionError,
    ProviderError,
    ProviderProtocolError,
)
from knowledge_contract.providers._http_body import BodyError, read_text
from knowledge_contract.providers._http_client import ClientFactory, import_httpx, make_client
from knowledge_contract.providers._http_logs import redacted_logs
from knowledge_contract.providers._secrets import Secrets
from knowledge_wire.parsing import ParseError, parse_response

if TYPE_CHECKING:
    import httpx

__all__ = [
    "BUSY",
    "CONCURRENT_REQUESTS",
    "SUCCESSES",
    "VALUE_COUNT_MAX",
    "Answer",
    "ClientFactory",
    "Endpoint",
    "Request",
    "Retrying",
    "Session",
    "gather",
    "open_session",
]

CONCURRENT_REQUESTS = 4
"""Requests of one search that may be under way at the same time."""

VALUE_COUNT_MAX = 150_000
"""Commas and brackets of one answer: each value costs far more memory and time than its bytes."""

SUCCESSES = range(200, 300)
"""HTTP statuses."""

BUSY = frozenset({429, 502, 503, 504})
"""HTTP statuses after which a request may be sent again."""

_CONNECT_TIMEOUT_S = 5.0
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_OTHER_ADDRESSES = range(300, 400)

_Outcome = TypeVar("_Outcome")


@dataclass(frozen=True, kw_only=True, slots=True)
class Retrying:
    """When a request is sent again; every request of a provider only reads.

    Attributes:
        count: How often at most; 0 never.
        first_pause_s: The pause before the first further attempt, half of it at random; it
            doubles each time.
        pause_limit_s: A server that asks for a longer pause is not asked again.
        sleep: Waits for a number of seconds.
        now: Seconds since the epoch, against which a date in `Retry-After` is read.
        jitter: A random number from 0 to 1.
    """

    count: int = 1
    first_pause_s: float = 0.5
    pause_limit_s: float = 5.0
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    now: Callable[[], float] = time.time
    jitter: Callable[[], float] = random.random

    def pause_s(self, attempt: int, retry_after: str | None) -> float | None:
        """Return how long to wait after an attempt (from 0); None gives up."""
        if attempt >= self.count:
            return None
        pause_s = self.first_pause_s * 2**attempt * (1 + self.jitter()) / 2
        asked_s = _retry_after_s(retry_after, self.now)
        if asked_s is not None:
            pause_s = max(pause_s, asked_s)
        return pause_s if pause_s <= self.pause_limit_s else None


@dataclass(frozen=True, kw_only=True, slots=True)
class Endpoint:
    """A server, and how it may be asked.

    Attributes:
        provider: Begins every message.
        base_url: As `parse_base_url` returns it.
        headers: Sent with each request; may hold credentials.
        secrets: What is taken out of log records.
        timeout_s: Bound of one request from start to end, its further attempts included.
        limit_bytes: Bound of one answer's body, decoded.
    """

    provider: str
    base_url: str
    headers: Mapping[str, str] = field(repr=False)
    secrets: Secrets
    timeout_s: float
    limit_bytes: int


class Request(NamedTuple):
    """One question to a server.

    Attributes:
        method: `GET` or `POST`.
        path: Begins with a slash; its segments are percent-encoded.
        query: Names and values, which may repeat a name.
        body: Written as JSON; None sends none.
    """

    method: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    body: Any = None


class Answer(NamedTuple):
    """What a server answered.

    Attributes:
        status: The HTTP status, never a redirect.
        document: The parsed body; None if the status is no success and the body no strict JSON.
    """

    status: int
    document: Any


class _Failure(NamedTuple):
    """An attempt without an answer that can be used; `is_final` if no other one could help."""

    error: ProviderError
    is_final: bool


class _Reply(NamedTuple):
    """A status, the server's wish to wait, and the body; None if that is no text."""

    status: int
    retry_after: str | None
    text: str | None


@asynccontextmanager
async def open_session(
    endpoint: Endpoint, *, client_factory: "ClientFactory | None" = None, retrying: Retrying
) -> AsyncIterator["Session"]:
    """Open a client for one search and close it at the end.

    A client belongs to the event loop that it was first used in, so that none is kept.

    Raises:
        ProviderConfigurationError: no client can be made in this environment.
        UnavailableError: httpx is not installed.
    """
    with redacted_logs(endpoint.secrets):
        async with make_client(endpoint.provider, endpoint.base_url, client_factory) as client:
            yield Session(endpoint, client, retrying)


class Session:
    """Requests of one search, at most four of them under way."""

    def __init__(self, endpoint: Endpoint, client: "httpx.AsyncClient", retrying: Retrying) -> None:
        self._endpoint = endpoint
        self._client = client
        self._retrying = retrying
        self._slots = asyncio.Semaphore(CONCURRENT_REQUESTS)

    async def fetch(self, request: Request) -> Answer:
        """Return the server's answer, whatever its status.

        Waiting for a slot does not count against the time-out.

        Raises:
            ProviderConfigurationError: the request cannot be sent.
            ProviderConnectionError: no complete answer, or none within the time-out.
            ProviderProtocolError: a redirect, too many bytes or values, an unknown encoding, or
                a success that is not strict JSON.
        """
        async with self._slots:
            try:
                async with asyncio.timeout(self._endpoint.timeout_s) as deadline:
                    outcome = await self._attempts(request, deadline)
                    # Parsing blocks the loop, so that nothing interrupts it in time.
                    if asyncio.get_running_loop().time() >= (deadline.when() or 0.0):
                        outcome = self._late()
            except TimeoutError:
                outcome = self._late()
        # Raised here, so that no exception of the wire, which may quote a header, stays behind.
        if isinstance(outcome, _Failure):
            raise outcome.error
        return outcome

    async def _attempts(self, request: Request, deadline: asyncio.Timeout) -> Answer | _Failure:
        attempt = 0
        while True:
            reply = await self._attempt(request)
            if isinstance(reply, _Reply) and reply.status not in BUSY:
                return self._parsed(reply)
            if isinstance(reply, _Failure) and reply.is_final:
                return reply
            wish = reply.retry_after if isinstance(reply, _Reply) else None
            pause_s = self._retrying.pause_s(attempt, wish)
            left_s = (deadline.when() or 0.0) - asyncio.get_running_loop().time()
            if pause_s is None or pause_s >= left_s:
                return self._parsed(reply) if isinstance(reply, _Reply) else reply
            await self._retrying.sleep(pause_s)
            attempt += 1

    async def _attempt(self, request: Request) -> _Reply | _Failure:
        httpx = import_httpx()
        try:
            async with self._send(request) as response:
                if response.status_code in _OTHER_ADDRESSES:
                    return self._elsewhere(response.status_code)
                text = await read_text(response, limit_bytes=self._endpoint.limit_bytes)
                wish = response.headers.get("retry-after")
                return _Reply(response.status_code, wish, text)
        except BodyError as error:
            return self._failed(ProviderProtocolError, str(error))
        except httpx.TransportError:
            return self._failed(
                ProviderConnectionError,
                "the server was not reached, or broke off its answer: check base_url and the"
                " server, and try again later",
                is_final=False,
            )
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError):
            return self._failed(
                ProviderConfigurationError,
                "the request cannot be sent: check base_url and the key, or ask for less",
            )

    def _send(self, request: Request) -> "AbstractAsyncContextManager[httpx.Response]":
        endpoint = self._endpoint
        return self._client.stream(
            request.method,
            f"{endpoint.base_url}{request.path}",
            params=request.query or None,
            content=None if request.body is None else json.dumps(request.body).encode(),
            headers=self._headers(request),
            timeout=import_httpx().Timeout(endpoint.timeout_s, connect=_CONNECT_TIMEOUT_S),
            follow_redirects=False,
        )

    def _headers(self, request: Request) -> dict[str, str]:
        headers = {
            "Accept": "application/json",
            "Accept-Encoding": "gzip",
            **self._endpoint.headers,
        }
        if request.body is not None:
            headers["Content-Type"] = "application/json"
        return headers

    def _parsed(self, reply: _Reply) -> Answer | _Failure:
        text = reply.text or ""
        if sum(map(text.count, ",[{")) > VALUE_COUNT_MAX:
            return self._failed(
                ProviderProtocolError,
                f"the answer holds more than {VALUE_COUNT_MAX} values: ask for less, or check"
                " base_url",
            )
        try:
            document = parse_response(text)
        except ParseError:
            if reply.status not in SUCCESSES:
                return Answer(reply.status, None)
            return self._failed(
                ProviderProtocolError,
                "the answer is not the JSON that the API promises: check base_url, and what"
                " stands between here and the server",
            )
        return Answer(reply.status, document)

    def _elsewhere(self, status: int) -> _Failure:
        sentence = (
            "the server redirects, which is not followed: set base_url to the final address"
            if status in _REDIRECTS
            else f"the server answers HTTP {status}, which nothing here asks for: check base_url,"
            " and what stands between here and the server"
        )
        return self._failed(ProviderProtocolError, sentence)

    def _late(self) -> _Failure:
        return self._failed(
            ProviderConnectionError,
            f"the server did not answer within {self._endpoint.timeout_s:g} seconds:"
            " try again later, or raise timeout_s",
        )

    def _failed(
        self, kind: type[ProviderError], sentence: str, *, is_final: bool = True
    ) -> _Failure:
        return _Failure(kind(f"{self._endpoint.provider}: {sentence}"), is_final)


async def gather(jobs: Iterable[Coroutine[Any, Any, _Outcome]]) -> list[_Outcome]:
    """Return what all jobs return, in their order; the first failure cancels the others.

    Raises:
        ProviderError: a job's own error, the earliest in order if several failed.
    """
    tasks: list[asyncio.Task[_Outcome]] = []
    try:
        async with asyncio.TaskGroup() as group:
            tasks += [group.create_task(job) for job in jobs]
    except* ProviderError:
        pass
    done = [task for task in tasks if not task.cancelled()]
    for task in done:
        if (error := task.exception()) is not None:
            raise error
    return [task.result() for task in tasks]


def _retry_after_s(value: str | None, now: Callable[[], float]) -> float | None:
    """Return the seconds that a server asks to wait, or None if it says nothing that is read."""
    # Here, because few servers send one, and the parser of dates is slow to load.
    from email.utils import parsedate_to_datetime  # noqa: PLC0415 - see above

    if value is None:
        return None
    text = value.strip()
    if text.isascii() and text.isdecimal():
        # Digits beyond these are longer than any pause that is waited.
        return float(text[:9])
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now())
    except (ValueError, OverflowError):
        return None
