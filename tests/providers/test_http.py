"""One strict way to ask a server: bounded in time and bytes, and silent about secrets."""

import asyncio
import gzip
import json
import logging
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from knowledge_contract.errors import (
    ProviderAPIError,
    ProviderConnectionError,
    ProviderError,
    ProviderProtocolError,
    UnavailableError,
)
from knowledge_contract.providers._http import (
    Answer,
    Endpoint,
    Request,
    Retrying,
    gather,
    open_client,
    open_session,
)
from providers.certificates import self_signed
from providers.faults import FAULTS, Fault
from providers.raw_server import Play, RawServer, reply, reset, send, serving

KEY = "sk-secret/key+1"
GOOD = reply(b'{"code": 0}')
BUSY = "503 Service Unavailable"
READ = Request("GET", "/items")


class Pauses(list[float]):
    """Takes the place of sleeping and remembers how long it would have been."""

    async def sleep(self, pause_s: float) -> None:
        """Remember."""
        self.append(pause_s)


def endpoint(base_url: str, **changes: Any) -> Endpoint:
    options = {"timeout_s": 30.0, "limit_bytes": 2**20, **changes}
    return Endpoint(
        provider="shelf",
        base_url=base_url,
        headers={"Authorization": f"Bearer {KEY}"},
        secrets=frozenset({KEY}),
        **options,
    )


def fetch(
    base_url: str,
    *requests: Request,
    retrying: Retrying | None = None,
    client_factory: Callable[[], httpx.AsyncClient] = open_client,
    **changes: Any,
) -> list[Answer]:
    """Return the answers to requests of one session; without `retrying` none is repeated."""

    async def ask() -> list[Answer]:
        async with open_session(
            endpoint(base_url, **changes),
            client_factory=client_factory,
            retrying=retrying or Retrying(count=0),
        ) as session:
            return await gather(session.fetch(request) for request in requests or (READ,))

    return asyncio.run(ask())


def retried(*plays: Play, **changes: Any) -> tuple[list[Answer], RawServer, Pauses]:
    """Return answer, server and pauses of one request that may be repeated."""
    pauses = Pauses()
    options = {"sleep": pauses.sleep, "jitter": lambda: 1.0, "now": lambda: 0.0, **changes}
    with serving(*plays) as server:
        return fetch(server.base_url, retrying=Retrying(**options)), server, pauses


def chain(error: BaseException) -> list[BaseException]:
    """Return an error and everything that it carries along."""
    found: list[BaseException] = []
    pending: list[BaseException | None] = [error]
    while pending:
        each = pending.pop()
        if each is not None and each not in found:
            found.append(each)
            pending += [each.__cause__, each.__context__]
    return found


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


MEASURE = (
    "import sys\n"
    "from knowledge_contract.errors import ProviderError\n"
    "from providers.faults import FAULTS\n"
    "from providers.test_http import fetch\n"
    "def peak_kib():\n"
    "    lines = open('/proc/self/status', encoding='utf-8').read().splitlines()\n"
    "    return next(int(line.split()[1]) for line in lines if line.startswith('VmHWM'))\n"
    "base_url, failed = sys.argv[1], 0\n"
    "fetch(base_url)\n"
    "before = peak_kib()\n"
    "for fault in FAULTS.values():\n"
    "    try: fetch(base_url, timeout_s=fault.timeout_s, limit_bytes=16 * 2**20)\n"
    "    except ProviderError: failed += 1\n"
    "print(failed, peak_kib() - before)"
)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc to read memory from")
def test_faults_cost_little_memory() -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}

    with serving(GOOD, *(fault.play for fault in FAULTS.values())) as server:
        done = subprocess.run(
            [sys.executable, "-c", MEASURE, server.base_url],
            env=environment,
            capture_output=True,
            check=True,
            encoding="utf-8",
        )

    failed, growth_kib = map(int, done.stdout.split())
    assert failed == len(FAULTS)
    assert growth_kib < 32 * 1024


def test_request_that_cannot_be_written_is_an_error() -> None:
    request = Request("GET", "/items", (("id", "\ud800"),))

    with serving(GOOD) as server, pytest.raises(ProviderProtocolError, match="cannot be sent"):
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


def test_certificate_that_nobody_signed_is_refused(tmp_path: Path) -> None:
    with serving(GOOD, tls=self_signed(tmp_path)) as server:
        with pytest.raises(ProviderConnectionError):
            fetch(server.base_url)

        assert server.requests == []


def test_server_that_echoes_the_key_leaves_no_trace(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    with serving(reply(b"{}", f"200 {KEY}", X_Echo=KEY)) as server:
        fetch(server.base_url)

    written = [f"{record.getMessage()} {record.msg} {record.args}" for record in caplog.records]
    assert any("HTTP Request" in line for line in written)
    assert any("X-Echo" in line for line in written)
    assert [line for line in written if KEY in line] == []


def test_libraries_log_as_before_once_the_session_is_over() -> None:
    before = list(logging.getLogger("httpx").filters)

    with serving(GOOD) as server:
        fetch(server.base_url)

    assert logging.getLogger("httpx").filters == before


def test_endpoint_hides_its_secrets() -> None:
    assert KEY not in repr(endpoint("http://localhost"))


def test_missing_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)

    with pytest.raises(UnavailableError, match=r"\A[^\n]+knowledge-contract\[providers\]\Z"):
        fetch("http://localhost")


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
