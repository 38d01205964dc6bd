"""Take reserved keys out of the bodies of requests, before any code of an application runs.

Source:
    contracts/README.md, "Trust"; the ASGI specification, "HTTP & WebSocket ASGI Message Format".
"""

import asyncio
import io
import json
import math
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple, TypeAlias

from knowledge_contract.boundary import may_hold_reserved, strip_body
from knowledge_contract.gateway.routes import Route, compile_route
from knowledge_wire.parsing import ParseError, Problem

__all__ = ["StrippingMiddleware"]

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
ASGIApp: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]
_Headers: TypeAlias = list[tuple[bytes, bytes]]

EVERY_PATH: Final = (Route("/"),)
LIMIT_BYTES: Final = 16 * 1024 * 1024
BODY_TIMEOUT_S: Final = 60.0

# What may stand before the first bracket of a JSON text: NUL and byte order marks, since it may be
# UTF-16 or UTF-32, and all that `str.strip` takes away. As single bytes: chunks may split them.
_BLANKS = "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"
_SPACES = "".join(map(chr, range(0x2000, 0x200B)))
_LEADING = b"\x00\xef\xbb\xbf\xff\xfe" + (_BLANKS + _SPACES).encode()
# JSON starts with ASCII, so that UTF-16 and UTF-32 show here, with a byte order mark too.
_FIRST = slice(4)
_CHARSETS = frozenset({b"", b"utf-8", b"utf8", b"us-ascii", b"ascii"})
# A 64 KiB body of nothing but small containers takes 40 ms to strip; one of 16 MiB takes seconds.
_THREAD_BYTES = 64 * 1024
# At this count small containers take as long to strip as the keys or numbers that fit into 16 MiB:
# some ten times an honest body of 16 MiB. Those have two brackets a KiB, and so a twentieth of it.
_CONTAINER_COUNT = 500_000
# Bodies that wait for the one parser, each held in memory meanwhile.
_WAITING_COUNT = 8
_DIGITS = 18


class _Refusal(Exception):
    """What answers a request in the application's place."""

    def __init__(self, status: int, rule: str, message: str, *, pointer: str = "") -> None:
        self.status = status
        self.problem = Problem(pointer, rule)
        self.message = message
        super().__init__(message)


class _Disconnected(Exception):
    """The client left before the end of the body."""


class _Body(NamedTuple):
    """What was read of a body.

    Attributes:
        data: The body, or the part of one that is not JSON by which that could be told.
        is_json: Whether it may be JSON; then it is whole.
        more_body: Whether the application has more to receive.
    """

    data: bytes
    is_json: bool
    more_body: bool


class StrippingMiddleware:
    r"""ASGI middleware after which no JSON body holds a reserved key in an artifact.

    It strips and does nothing else: who may write where is the application's to decide. A body
    with nothing to lose reaches the application byte for byte and with its own headers (in one
    chunk); a stripped one has the right Content-Length.

    Which bodies are JSON is not the caller's to say, because Starlette's `request.json()` never
    looks at the Content-Type, nor at the method. Looked at are: bodies of a type that names JSON,
    of no type, and of any other type if they start like a JSON object or list, behind blanks or a
    byte order mark. Everything else that has no Content-Encoding passes as it comes, without
    limits. So these are **not** looked at, and a host that parses them gives them to `strip_body`:
    JSON inside a form field or an uploaded file, and, if the type does not name JSON, JSON behind
    any other prefix and documents one on each line whose first is no object or list.

    Requests of its routes are answered here, as `{"error": {"rule", "pointer", "message"}}`, with

    - 400 `json`, `unicode`: the body could hold a reserved key and is not strict JSON;
    - 408 `timeout`: the body took too long;
    - 413 `maxLength`: the body, or what Content-Length announces, is too long;
    - 413 `maxItems`: the body could hold a reserved key, and has more than 500,000 opening
      brackets and braces;
    - 415 `encoding`: a Content-Encoding, another charset than UTF-8, or UTF-16 or UTF-32 without
      saying so. Neither could be looked into.
    - 503 `busy`: eight long bodies wait to be parsed already.

    Only a body that could hold a reserved key is parsed, and so only such a body is refused with
    400: one that names the key anywhere, or has an escape that can spell a letter of it, such as
    `\u0061`. If that body is honest, it still must not hold a key twice or nest too deep.

    Parsing takes many times the memory of a body, and holds Python's interpreter while it runs, in
    a thread too: no other request is served meanwhile. What bounds it is the length and the count
    of brackets, and that above 64 KiB there is one at a time; the others wait for their turn, and
    a request that is cancelled loses it.

    A request without a body passes at once, whatever its method and headers; what the server says
    afterwards, a disconnect among it, reaches the application. If the client leaves before the end
    of the body, the application is not called.

    WebSocket messages are **not** looked at, since what they mean is the application's own
    protocol: call `strip_body` on each that is received. Lifespan events pass too.

    Args:
        app: The application.
        routes: The requests to look at; all unless given.
        limit_bytes: The longest JSON body; at least 1. A request holds at most this and a chunk
            more, unless its body is parsed.
        body_timeout_s: How many seconds reading a JSON body may take in all; more than 0.

    Raises:
        TypeError: A route is no `Route`, or its methods are a single string.
        ValueError: There are no routes, one of them cannot be compiled, or a bound is impossible.

    Example:
        >>> from knowledge_contract.gateway import Route, StrippingMiddleware
        >>> async def app(scope, receive, send): ...
        >>> guarded = StrippingMiddleware(app, routes=[Route("/threads"), Route("/runs")])

    Source:
        contracts/README.md, "Trust".
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        routes: Iterable[Route] = EVERY_PATH,
        limit_bytes: int = LIMIT_BYTES,
        body_timeout_s: float = BODY_TIMEOUT_S,
    ) -> None:
        if limit_bytes < 1:
            raise ValueError("limit_bytes must be at least 1")
        if not 0 < body_timeout_s < math.inf:
            raise ValueError("body_timeout_s must be more than 0 and finite")
        self._app = app
        self._routes = tuple(compile_route(route) for route in routes)
        if not self._routes:
            raise ValueError("routes must not be empty: without one nothing would be stripped")
        self._limit_bytes = limit_bytes
        self._body_timeout_s = body_timeout_s
        # One worker: parsed, a hostile body takes many times the memory of its bytes.
        self._pending = 0
        self._parser = ThreadPoolExecutor(1, thread_name_prefix="knowledge-contract-stripping")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on to the application: one ASGI call."""
        if scope["type"] != "http" or not any(route.covers(scope) for route in self._routes):
            await self._app(scope, receive, send)
            return
        try:
            body = await self._read(scope["headers"], receive)
            data = await self._strip(body.data) if body.is_json else body.data
        except _Disconnected:
            return
        except _Refusal as refusal:
            await _refuse(refusal, scope, send)
            return
        if data is not body.data:
            scope = {**scope, "headers": _resized(scope["headers"], len(data))}
        await self._app(scope, _replay(data, receive, more_body=body.more_body), send)

    async def _read(self, headers: _Headers, receive: Receive) -> _Body:
        """Read a body that may be JSON to its end, any other until that is clear."""
        is_json = _says_json(headers)
        if is_json:
            self._check_announced(headers)
        try:
            async with asyncio.timeout(self._body_timeout_s):
                return await self._collect(headers, receive, is_json=is_json)
        except TimeoutError:
            message = f"the body must arrive within {self._body_timeout_s} seconds"
            raise _Refusal(408, "timeout", message) from None

    async def _collect(self, headers: _Headers, receive: Receive, *, is_json: bool) -> _Body:
        # Its value is the buffer itself, where joined chunks would be a second copy.
        read = io.BytesIO()
        more_body = True
        while more_body:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise _Disconnected
            chunk: bytes = message.get("body", b"")
            more_body = message.get("more_body", False)
            if chunk and not read.tell():
                _check_coding(headers)
                if is_json:
                    _check_charset(headers)
            start = chunk if is_json else chunk.lstrip(_LEADING)
            read.write(chunk)
            if not is_json and start:
                if start[:1] not in (b"{", b"["):
                    return _Body(read.getvalue(), is_json=False, more_body=more_body)
                is_json = True
                _check_charset(headers)
                self._check_announced(headers)
            if read.tell() > self._limit_bytes:
                raise self._too_long()
        return _Body(read.getvalue(), is_json=is_json, more_body=False)

    def _check_announced(self, headers: _Headers) -> None:
        for value in _values(headers, b"content-length"):
            digits = value.strip().lstrip(b"0")
            # What is no number is the server's to refuse; what arrives is counted anyway.
            if digits.isdigit() and (len(digits) > _DIGITS or int(digits) > self._limit_bytes):
                raise self._too_long()

    def _too_long(self) -> _Refusal:
        message = f"the body must not be longer than {self._limit_bytes} bytes"
        return _Refusal(413, "maxLength", message)

    async def _strip(self, data: bytes) -> bytes:
        if b"\x00" in data[_FIRST]:
            raise _Refusal(415, "encoding", "the body must be UTF-8")
        try:
            # A search is quick: clean bodies never wait behind one that has to be parsed.
            if len(data) <= _THREAD_BYTES or not may_hold_reserved(data):
                return strip_body(data)
            return await self._strip_in_turn(data)
        except ParseError as error:
            problem = error.problem
            raise _Refusal(400, problem.rule, error.reason, pointer=problem.pointer) from None

    async def _strip_in_turn(self, data: bytes) -> bytes:
        if data.count(b"[") + data.count(b"{") > _CONTAINER_COUNT:
            message = f"the body must not have more than {_CONTAINER_COUNT} brackets and braces"
            raise _Refusal(413, "maxItems", message)
        # One is parsed, the others wait.
        if self._pending > _WAITING_COUNT:
            raise _Refusal(503, "busy", "too many long bodies wait to be parsed: try again")
        held = [data]
        self._pending += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._parser, _strip_held, held)
        finally:
            self._pending -= 1
            # A cancelled call stays in the queue until its turn, without its body.
            held.clear()


def _strip_held(held: list[bytes]) -> bytes:
    return strip_body(held[0])


def _values(headers: _Headers, name: bytes) -> list[bytes]:
    return [value for key, value in headers if key.lower() == name]


def _check_coding(headers: _Headers) -> None:
    for value in _values(headers, b"content-encoding"):
        if value.strip().lower() not in (b"", b"identity"):
            raise _Refusal(415, "encoding", "the body must not have a Content-Encoding")


def _says_json(headers: _Headers) -> bool:
    # Of several, the application may read any.
    types = _values(headers, b"content-type")
    names = [value.partition(b";")[0].strip().lower() for value in types]
    return not names or any(b"json" in name or b"/" not in name for name in names)


def _check_charset(headers: _Headers) -> None:
    for value in _values(headers, b"content-type"):
        for parameter in value.split(b";")[1:]:
            name, _, charset = parameter.partition(b"=")
            # RFC 2231 writes `charset*` and `charset*0` too, which no JSON client does.
            if (
                name.strip().lower().startswith(b"charset")
                and charset.strip().strip(b'"').lower() not in _CHARSETS
            ):
                raise _Refusal(415, "encoding", "the charset of the body must be UTF-8")


def _resized(headers: _Headers, length: int) -> _Headers:
    sizes = (b"content-length", b"transfer-encoding")
    kept = [(key, value) for key, value in headers if key.lower() not in sizes]
    return [*kept, (b"content-length", b"%d" % length)]


def _replay(data: bytes, receive: Receive, *, more_body: bool) -> Receive:
    """Return a `receive` that gives what was read first, and then what the server's gives."""
    pending: list[Message] = [{"type": "http.request", "body": data, "more_body": more_body}]

    async def replay() -> Message:
        return pending.pop() if pending else await receive()

    return replay


async def _refuse(refusal: _Refusal, scope: Scope, send: Send) -> None:
    error = {**refusal.problem._asdict(), "message": refusal.message}
    content = json.dumps({"error": error}, separators=(",", ":")).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(content)),
    ]
    # Only a body that is no strict JSON was read to its end: no server should read on for others.
    if refusal.status != 400 and scope.get("http_version", "1.1").startswith("1"):  # noqa: PLR2004 - a status
        headers.append((b"connection", b"close"))
    if refusal.problem.rule == "busy":
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": content})
