"""A thousand requests, most of them hostile, against a real server: each gets what it deserves."""

import asyncio
import collections
import contextlib
import gzip
import hashlib
import json
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from core.forged_messages import JSON_FORMS
from knowledge_contract.boundary import strip_body

SERVER = Path(__file__).with_name("load_server.py")
AT_ONCE = 100
LIMIT = 1024 * 1024
# Long enough for every honest body on a busy machine; it is what the stalled ones wait for.
BODY_TIMEOUT_S = 4.0
GROWTH_KIB = 64 * 1024
PATIENCE_S = 60

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads its peak memory from /proc")


class Wanted(NamedTuple):
    """The status that a request must get (None: the client left), and the body that must arrive."""

    status: int | None
    body: bytes = b""


class Answer(NamedTuple):
    status: int | None
    content: bytes


async def collect(client: socket.socket) -> Answer:
    """Read an answer to the end."""
    loop = asyncio.get_running_loop()
    data = b""
    # A server that will not read on closes at once, and that resets what is still being sent.
    with contextlib.suppress(ConnectionError):
        while received := await loop.sock_recv(client, LIMIT):
            data += received
    start, _, content = data.partition(b"\r\n\r\n")
    return Answer(int(start.split(b" ", 2)[1]) if start else None, content)


def head(*lines: str, method: str = "POST", path: str = "/threads/7/runs") -> bytes:
    always = ["host: localhost", "connection: close"]
    return "\r\n".join([f"{method} {path} HTTP/1.1", *always, *lines, "", ""]).encode()


def json_head(body: bytes, *lines: str) -> bytes:
    return head("content-type: application/json", f"content-length: {len(body)}", *lines)


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


CHUNKED = head("content-type: application/json", "transfer-encoding: chunked")


Sender = Callable[[socket.socket, bytes], Awaitable[Answer]]


async def send(client: socket.socket, data: bytes) -> None:
    # Streams forget an answer that has arrived when sending fails; sockets do not.
    with contextlib.suppress(ConnectionError):
        await asyncio.get_running_loop().sock_sendall(client, data)


async def send_whole(client: socket.socket, data: bytes) -> Answer:
    await send(client, data)
    return await collect(client)


async def dribble(client: socket.socket, data: bytes) -> Answer:
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for index in range(0, len(data), 7):
        await send(client, data[index : index + 7])
        await asyncio.sleep(0)
    return await collect(client)


async def cut(client: socket.socket, data: bytes) -> Answer:
    await send(client, data)
    return Answer(None, b"")


async def send_without_end(client: socket.socket, start: bytes) -> Answer:
    """Send chunks for as long as the server takes them."""

    async def flood() -> None:
        loop = asyncio.get_running_loop()
        await send(client, start)
        with contextlib.suppress(ConnectionError):
            while True:
                await loop.sock_sendall(client, chunk(b" " * 65_536))
                await asyncio.sleep(0)

    flooding = asyncio.create_task(flood())
    answer = await collect(client)
    flooding.cancel()
    await asyncio.gather(flooding, return_exceptions=True)
    return answer


async def ask(port: int, sender: Sender, data: bytes) -> Answer:
    with socket.socket() as client:
        client.setblocking(False)
        await asyncio.get_running_loop().sock_connect(client, ("127.0.0.1", port))
        return await sender(client, data)


Job = tuple[Sender, bytes, Wanted]


def clean_body(index: int) -> bytes:
    text = "knowledge_sources \\ud83d\\ude00" if index % 3 else "日本 " * (index % 50)
    return f'{{ "input": {{"messages": [{{"content": "{text}", "n": {index}}}]}}}}'.encode()


def forged_body(index: int) -> bytes:
    forms = [JSON_FORMS[name] for name in ("type tool", "kwargs", "constructor", "data form")]
    padding = "x" * (200_000 if index % 10 == 0 else index)
    body = json.dumps({"padding": padding, "messages": [forms[index % len(forms)]]})
    return body.replace("knowledge_s", "knowledge\\u005fs").encode() if index % 2 else body.encode()


def clean(index: int) -> Job:
    body = clean_body(index)
    return send_whole, json_head(body) + body, Wanted(200, body)


def clean_in_chunks(index: int) -> Job:
    body = clean_body(index)
    parts = [body[at : at + 11] for at in range(0, len(body), 11)]
    data = CHUNKED + b"".join(chunk(part) for part in [*parts, b""])
    return send_whole, data, Wanted(200, body)


def forged(index: int) -> Job:
    body = forged_body(index)
    return send_whole, json_head(body) + body, Wanted(200, strip_body(body))


def forged_as_text(index: int) -> Job:
    body = forged_body(index)
    data = head("content-type: text/plain", f"content-length: {len(body)}") + body
    return send_whole, data, Wanted(200, strip_body(body))


def dribbled(index: int) -> Job:
    body = forged_body(index * 10 + 1)
    return dribble, json_head(body) + body, Wanted(200, strip_body(body))


def malformed(index: int) -> Job:
    forms = (
        b'{"artifact": {"knowledge_sources": [',
        b'{"artifact": {"knowledge_sources": []}, "artifact": 1}',
        b'["\\u0061"' + b",[" * 100_000,
    )
    body = forms[index % len(forms)]
    return send_whole, json_head(body) + body, Wanted(400)


def encoded(index: int) -> Job:
    body = forged_body(index)
    if index % 2:
        wide = body.decode().encode("utf-16-le")
        return send_whole, json_head(wide) + wide, Wanted(415)
    packed = gzip.compress(body, mtime=0)
    return send_whole, json_head(packed, "content-encoding: gzip") + packed, Wanted(415)


def stalled(index: int) -> Job:
    body = forged_body(index)
    return send_whole, json_head(body) + body[:-1], Wanted(408)


def cut_off(index: int) -> Job:
    body = clean_body(index)
    return cut, json_head(body) + body[: index % len(body)], Wanted(None)


def cut_in_chunks(index: int) -> Job:
    return cut, CHUNKED + chunk(clean_body(index)), Wanted(None)


def announced_huge(_index: int) -> Job:
    data = head("content-type: application/json", "content-length: 10737418240")
    return send_whole, data + b"[" * 1000, Wanted(413)


def endless(_index: int) -> Job:
    return send_without_end, CHUNKED, Wanted(413)


def too_long(_index: int) -> Job:
    return send_whole, CHUNKED + chunk(b" " * (LIMIT + 1)), Wanted(413)


KINDS = {
    stalled: 20,
    clean: 300,
    clean_in_chunks: 120,
    forged: 180,
    forged_as_text: 40,
    dribbled: 50,
    malformed: 90,
    encoded: 60,
    cut_off: 60,
    cut_in_chunks: 20,
    announced_huge: 30,
    endless: 15,
    too_long: 15,
}


def is_right(answer: Answer, wanted: Wanted) -> bool:
    if wanted.status != 200:
        return answer.status == wanted.status
    return answer == Answer(200, hashlib.sha256(wanted.body).hexdigest().encode())


async def run_all(port: int, kinds: dict[Callable[[int], Job], int]) -> dict[str, int]:
    """Send every kind of request, mixed; return how many of each got the wrong answer."""
    slots = asyncio.Semaphore(AT_ONCE)
    wrong: collections.Counter[str] = collections.Counter()

    async def run(make: Callable[[int], Job], index: int) -> None:
        async with slots:
            sender, data, wanted = make(index)
            answer = await ask(port, sender, data)
        if not is_right(answer, wanted):
            wrong[f"{make.__name__}: {answer.status}"] += 1

    jobs = [(index / count, make, index) for make, count in kinds.items() for index in range(count)]
    # Interleaved, but for the stalled ones: these go first, as they take longest.
    jobs.sort(key=lambda job: (job[1] is not stalled, job[0]))
    async with asyncio.timeout(PATIENCE_S):
        await asyncio.gather(*[run(make, index) for _, make, index in jobs])
    return dict(wrong)


async def counts(port: int) -> dict[str, int]:
    answer = await ask(port, send_whole, head(method="GET", path="/"))
    return dict(json.loads(answer.content))


@pytest.fixture
def port() -> Iterator[int]:
    """The port of a server that must end without a word."""
    command = [sys.executable, SERVER, str(LIMIT), str(BODY_TIMEOUT_S)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, encoding="utf-8", **pipes) as server:  # type: ignore[call-overload]  # the pipes
        try:
            yield int(server.stdout.readline())
            _, said = server.communicate(timeout=PATIENCE_S)
        finally:
            server.kill()
    assert (server.returncode, said) == (0, "")


def test_thousand_mixed_requests_get_their_answers_and_memory_stays_bounded(port: int) -> None:
    async def run() -> tuple[Any, Any, Any]:
        return await counts(port), await run_all(port, KINDS), await counts(port)

    before, wrong, after = asyncio.run(run())

    called = sum(count for make, count in KINDS.items() if make(0)[2].status == 200)
    assert sum(KINDS.values()) == 1000
    assert wrong == {}
    assert {**after, "peak_kib": 0} == {"called": called, "halves": 0, "forged": 0, "peak_kib": 0}
    assert after["peak_kib"] - before["peak_kib"] < GROWTH_KIB
