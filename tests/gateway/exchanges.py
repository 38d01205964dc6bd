"""Drive an ASGI application directly: say what a server would, and see what comes out."""

import asyncio
import copy
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from knowledge_contract.gateway import Route, StrippingMiddleware

RUNS = "/threads/7/runs"
JSON_TYPE = (b"content-type", b"application/json")
ROUTES = (Route("/threads/{thread_id}/runs"),)

CLEAN = '{ "input": {"messages": [{"content": "日本"}]} }'.encode()
FORGED = b'{"k": "\xc3\xbc", "artifact": {"ok": 1, "knowledge_sources": []}}'
STRIPPED = b'{"k":"\xc3\xbc","artifact":{"ok":1}}'

Headers = Sequence[tuple[bytes, bytes]]


class Seen(NamedTuple):
    """What the application got: its scope, its body, and the message after the body."""

    scope: Any
    body: bytes
    after: str


class Answer(NamedTuple):
    """What the client got (no status: nothing), and what the application saw."""

    status: int | None
    headers: dict[bytes, bytes]
    body: bytes
    seen: list[Seen]


def http_scope(headers: Headers = (JSON_TYPE,), **more: Any) -> dict[str, Any]:
    """Return the scope of a POST to `RUNS`, or with what is given instead."""
    return {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "path": RUNS,
        "headers": list(headers),
        **more,
    }


def post(
    *chunks: bytes, headers: Headers = (JSON_TYPE,), end: str = "disconnect", **more: Any
) -> Answer:
    """Send a body in chunks to an echo behind the middleware.

    Args:
        chunks: The last one ends the body if `end` is `disconnect`.
        headers: Of the request.
        end: What comes after the chunks: `disconnect` after the body, `cut` for a disconnect
            within it, `stall` for nothing, ever.
        more: Members of the scope, and options of the middleware.
    """
    names = ("routes", "limit_bytes", "body_timeout_s")
    options = {"routes": ROUTES, **{name: more.pop(name) for name in names if name in more}}
    return asyncio.run(_exchange(http_scope(headers, **more), list(chunks), end, options))


async def _exchange(scope: Any, chunks: list[bytes], end: str, options: Any) -> Answer:
    seen: list[Seen] = []
    sent: list[Any] = []

    async def receive() -> Any:
        if chunks:
            chunk = chunks.pop(0)
            more = bool(chunks) or end != "disconnect"
            return {"type": "http.request", "body": chunk, "more_body": more}
        if end == "stall":
            await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    async def echo(scope: Any, receive: Any, send: Any) -> None:
        body, more = b"", True
        while more:
            message = await receive()
            assert message["type"] == "http.request", "half a body"
            body, more = body + message["body"], message["more_body"]
        seen.append(Seen(scope, body, (await receive())["type"]))
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body})

    before = copy.deepcopy(scope)
    await StrippingMiddleware(echo, **options)(scope, receive, send)
    assert scope == before, "the server's scope changed"
    if not sent:
        return Answer(None, {}, b"", seen)
    start, content = sent
    return Answer(start["status"], dict(start["headers"]), content["body"], seen)


def problem(answer: Answer) -> tuple[int | None, str, str]:
    """Return status, rule and pointer of a refusal, which has this form and no other."""
    assert not answer.seen
    error = json.loads(answer.body)["error"]
    assert error.keys() == {"rule", "pointer", "message"}
    assert answer.headers[b"content-type"] == b"application/json"
    assert answer.headers[b"content-length"] == b"%d" % len(answer.body)
    return answer.status, error["rule"], error["pointer"]


def in_halves(body: bytes) -> list[bytes]:
    middle = len(body) // 2
    return [body[:middle], b"", body[middle:]]


async def unused(_message: Any) -> None:
    raise AssertionError("nothing was to be sent")
