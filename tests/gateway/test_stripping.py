"""The middleware strips and does nothing else; what it cannot look into it refuses."""

import asyncio
import math
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from gateway.exchanges import (
    CLEAN,
    FORGED,
    JSON_TYPE,
    RUNS,
    STRIPPED,
    Answer,
    http_scope,
    in_halves,
    post,
    problem,
    unused,
)
from knowledge_contract.gateway import Route, StrippingMiddleware
from knowledge_wire.constants import DOCUMENT_DEPTH

LIMIT = 64


@pytest.mark.parametrize(
    "body",
    [
        CLEAN,
        b"",
        b'{ "a" : 1.0, "a": 2 } trailing',
        b'{ "text": "about \\u0061 knowledge_sources" }',
        b'\xef\xbb\xbf{"a": 1}',
        b"[" * 100_000,
    ],
    ids=["clean", "empty", "malformed", "signs", "UTF-8 byte order mark", "deep"],
)
def test_body_with_nothing_to_lose_arrives_byte_for_byte_with_its_headers(body: bytes) -> None:
    headers = [JSON_TYPE, (b"content-length", b"%d" % len(body)), (b"x-a", b"1"), (b"x-a", b"2")]

    answer = post(*in_halves(body), headers=headers)

    assert answer.status == 200
    assert [each.body for each in answer.seen] == [body]
    assert answer.seen[0].scope["headers"] == headers


def test_reserved_keys_are_stripped_and_the_length_is_right() -> None:
    headers = [(b"Content-Length", b"%d" % len(FORGED)), JSON_TYPE, (b"x-a", b"1")]

    answer = post(*in_halves(FORGED), headers=headers)

    assert answer.seen[0].body == STRIPPED
    assert answer.seen[0].scope["headers"] == [
        JSON_TYPE,
        (b"x-a", b"1"),
        (b"content-length", b"%d" % len(STRIPPED)),
    ]


def test_stripped_chunked_body_is_no_longer_chunked() -> None:
    headers = [JSON_TYPE, (b"transfer-encoding", b"chunked")]

    answer = post(*in_halves(FORGED), headers=headers)

    sizes = dict(answer.seen[0].scope["headers"])
    assert b"transfer-encoding" not in sizes
    assert sizes[b"content-length"] == b"%d" % len(STRIPPED)


def test_clean_chunked_body_keeps_its_headers() -> None:
    headers = [JSON_TYPE, (b"transfer-encoding", b"chunked")]

    answer = post(*in_halves(CLEAN), headers=headers)

    assert answer.seen[0].scope["headers"] == headers


def test_long_body_is_stripped_while_other_requests_are_served() -> None:
    body = b'[{"artifact":{"knowledge_sources":[]}}' + b',"abc"' * 50_000 + b"]"
    served = 0
    log: list[int] = []

    async def serve_others() -> None:
        nonlocal served
        while True:
            served += 1
            await asyncio.sleep(0)

    async def receive() -> Any:
        log.append(served)
        return {"type": "http.request", "body": body}

    async def app(_scope: Any, receive: Any, _send: Any) -> None:
        log.append(served)
        assert (await receive())["body"] == b"[{}" + b',"abc"' * 50_000 + b"]"

    async def run() -> None:
        others = asyncio.create_task(serve_others())
        await StrippingMiddleware(app)(http_scope(), receive, unused)
        others.cancel()

    asyncio.run(run())

    received, called = log
    assert called > received


def test_disconnect_after_the_body_reaches_the_application() -> None:
    answers = [post(body) for body in (CLEAN, FORGED)]

    assert [answer.seen[0].after for answer in answers] == ["http.disconnect", "http.disconnect"]


@pytest.mark.parametrize("chunks", [[], [FORGED[:9]], [CLEAN]], ids=["none", "half", "whole"])
def test_application_is_not_called_when_the_client_leaves_within_the_body(
    chunks: list[bytes],
) -> None:
    assert post(*chunks, end="cut") == Answer(None, {}, b"", [])


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        (b'{"artifact": {"knowledge_sources": []}', "json"),
        (b'{"artifact": {"knowledge_sources": []}, "artifact": {}}', "json"),
        (b'{"artifact": {"knowledge_sources": NaN}}', "json"),
        (b"[" * DOCUMENT_DEPTH + b'["\\u0061"]' + b"]" * DOCUMENT_DEPTH, "json"),
        (b'["\\u0061",' + b"[" * 100_000, "json"),
        (b'{"\\u0061": "\\ud800"}', "unicode"),
        (b'{"knowledge_sources": "\xff"}', "unicode"),
        (b'{"a": 1, "b": "\x00"}', "json"),
        (b'\xef\xbb\xbf{"knowledge_sources": 1}', "json"),
        (b'{"artifact": {"knowledge_sources": []}}\n{}', "json"),
    ],
    ids=[
        *("cut", "key twice", "NaN", "too deep", "brackets", "surrogate", "not UTF-8"),
        *("NUL", "byte order mark", "two documents"),
    ],
)
def test_body_that_could_hide_a_key_must_be_strict_json(body: bytes, rule: str) -> None:
    answer = post(*in_halves(body))

    assert problem(answer) == (400, rule, "")
    assert b"connection" not in answer.headers


def test_refusal_quotes_nothing_of_the_body() -> None:
    answer = post(b'{"secret-key": "secret-value", "secret-key": "knowledge_sources"}')

    assert answer.status == 400
    assert b"secret" not in answer.body


@pytest.mark.parametrize("length", ["65", "10737418240", "9" * 5_000, "0065"], ids=len)
@pytest.mark.parametrize("content_type", [b"application/json", b"text/plain"], ids=["json", "text"])
def test_announced_length_beyond_the_limit_is_refused_before_the_body(
    length: str, content_type: bytes
) -> None:
    headers = [(b"content-type", content_type), (b"content-length", length.encode())]

    answer = post(b"{", headers=headers, end="stall", limit_bytes=LIMIT)

    assert problem(answer) == (413, "maxLength", "")
    assert answer.headers[b"connection"] == b"close"


@pytest.mark.parametrize("more", [0, 1], ids=["limit", "one more"])
@pytest.mark.parametrize("announced", [None, b"1", b"-1", b"x"], ids=str)
def test_arrived_length_is_what_counts(more: int, announced: bytes | None) -> None:
    headers = [JSON_TYPE, *([(b"content-length", announced)] if announced else [])]
    body = b'"' + b"a" * (LIMIT - 2 + more) + b'"'

    answers = [
        post(*each, headers=headers, limit_bytes=LIMIT) for each in ([body], in_halves(body))
    ]

    assert [answer.status for answer in answers] == [413 if more else 200] * 2


def test_endless_body_is_refused_at_the_limit() -> None:
    answers = [
        post(*[b" " * 10] * 7, headers=headers, end="stall", limit_bytes=LIMIT)
        for headers in ([JSON_TYPE], [(b"content-type", b"text/plain")])
    ]

    assert [problem(answer) for answer in answers] == [(413, "maxLength", "")] * 2


@pytest.mark.parametrize("chunks", [[], [FORGED[:9]], [b""]], ids=["none", "half", "empty"])
@pytest.mark.parametrize("http_version", ["1.0", "1.1", "2"])
def test_body_that_takes_too_long_is_refused(chunks: list[bytes], http_version: str) -> None:
    answer = post(*chunks, end="stall", body_timeout_s=0.001, http_version=http_version)

    assert problem(answer) == (408, "timeout", "")
    # HTTP/2 has no such header.
    assert (b"connection" in answer.headers) == (http_version != "2")


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE", "OPTIONS", "QUERY"])
def test_every_method_may_have_a_body(method: str) -> None:
    answer = post(*in_halves(FORGED), method=method)

    assert answer.seen[0].body == STRIPPED


def test_methods_that_a_route_does_not_name_pass_untouched() -> None:
    routes = [Route(RUNS, ["POST", "PUT"])]

    answer = post(*in_halves(FORGED), method="DELETE", routes=routes, limit_bytes=1)

    assert answer.seen[0].body == FORGED


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    "header",
    [
        *((b"content-encoding", b"gzip"), (b"content-type", b"application/json; charset=latin-1")),
        *((b"content-type", b"text/plain"), (b"content-length", b"0")),
    ],
    ids=["coding", "charset", "text", "length"],
)
def test_request_without_a_body_is_the_application_s(method: str, header: Any) -> None:
    answer = post(b"", method=method, headers=[header])

    assert (answer.status, answer.seen[0].body, answer.seen[0].after) == (
        *(200, b"", "http.disconnect"),
    )


def test_other_paths_pass_untouched() -> None:
    assert post(*in_halves(FORGED), path="/other", limit_bytes=1).seen[0].body == FORGED


@pytest.mark.parametrize("kind", ["lifespan", "websocket", "unheard-of"])
def test_other_scopes_pass_untouched(kind: str) -> None:
    scope = {"type": kind, "path": RUNS, "headers": []}
    got: list[Any] = []

    async def app(*given: Any) -> None:
        got.extend(given)

    async def receive() -> Any:
        raise AssertionError("nothing was to be received")

    asyncio.run(StrippingMiddleware(app)(scope, receive, unused))

    assert got[0] is scope
    assert got[1:] == [receive, unused]


def test_error_of_the_application_is_not_caught() -> None:
    async def app(*_: Any) -> None:
        raise TimeoutError("of the application")

    async def receive() -> Any:
        return {"type": "http.request", "body": CLEAN}

    with pytest.raises(TimeoutError, match="of the application"):
        asyncio.run(StrippingMiddleware(app)(http_scope(), receive, unused))


MISTAKES: dict[str, Callable[[], Any]] = {
    "no routes": lambda: build(routes=[]),
    "limit of 0": lambda: build(limit_bytes=0),
    "no time": lambda: build(body_timeout_s=0),
    "endless time": lambda: build(body_timeout_s=math.inf),
    "time is no number": lambda: build(body_timeout_s=math.nan),
    "no methods": lambda: build(routes=[Route("/a", [])]),
    "relative path": lambda: build(routes=[Route("a")]),
    "open brace": lambda: build(routes=[Route("/{a")]),
    "empty braces": lambda: build(routes=[Route("/{}")]),
}


def build(**options: Any) -> StrippingMiddleware:
    async def app(*_: Any) -> None: ...

    return StrippingMiddleware(app, **options)


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake_that_would_leave_a_door_open_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"must|needs"):
        MISTAKES[name]()


@pytest.mark.parametrize(
    "routes",
    ["/threads", [Route("/threads", "POST")], [("POST", "/threads")]],
    ids=["string", "methods are a string", "plain tuple"],
)
def test_wrongly_typed_route_is_refused(routes: Any) -> None:
    with pytest.raises(TypeError, match="route"):
        build(routes=routes)


def test_importing_the_gateway_loads_no_framework() -> None:
    program = (
        "import sys, knowledge_contract.gateway\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules}"
        " - sys.stdlib_module_names - {'__main__'}))"
    )
    child = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{program}"],
        capture_output=True,
        check=True,
        encoding="utf-8",
    )

    assert child.stdout == "['knowledge_contract', 'knowledge_wire']\n"
