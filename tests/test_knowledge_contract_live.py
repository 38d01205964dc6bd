r"""Opt-in checks of a LightRAG server that somebody else runs.

`just live-lightrag` runs them, or in full:

    DEER_FLOW_RUN_LIVE_TESTS=1 \
    LIGHTRAG_BASE_URL=http://localhost:9621 \
    LIGHTRAG_EVIDENCE_QUERY='a question matching an indexed document' \
    uv run pytest tests/test_knowledge_contract_live.py -m live -q

`LIGHTRAG_API_KEY` is read too. Nothing is stored or changed: each search is one query, past any
proxy, and what it shows is compared with the very answer that the server gave to it.
"""

import os
from collections.abc import Callable
from typing import Any, TypeAlias

import httpx
import pytest

from knowledge_contract.providers.lightrag import (
    LightragProvider,
    LightragRelationsProvider,
    LightragRelationsSettings,
    LightragSettings,
)
from knowledge_contract.retrieval import RetrievalContext
from knowledge_wire.constants import HIT_COUNT
from lightrag_server.answers import (
    Passage,
    citations,
    passages,
    relations,
    shown_relations,
)

_NEEDED = ("DEER_FLOW_RUN_LIVE_TESTS", "LIGHTRAG_BASE_URL", "LIGHTRAG_EVIDENCE_QUERY")
_MISSING = [name for name in _NEEDED if os.environ.get(name, "0") in ("", "0")]

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(bool(_MISSING), reason=f"not set: {', '.join(_MISSING)}"),
]

Say: TypeAlias = Callable[[str], None]


class Recorder(httpx.AsyncHTTPTransport):
    """Passes queries and their answers on, and keeps what each answer held."""

    def __init__(self) -> None:
        super().__init__()
        self._documents: list[dict[str, Any]] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        assert request.method == "POST"
        assert request.url.path.endswith("/query/data"), "nothing else is asked of the server"
        response = await super().handle_async_request(request)
        raw = b"".join([piece async for piece in response.aiter_raw()])
        await response.aclose()
        status, headers = response.status_code, response.headers
        if response.is_success:
            self._documents.append(httpx.Response(status, headers=headers, content=raw).json())
        return httpx.Response(status, headers=headers, stream=httpx.ByteStream(raw))

    def client(self) -> httpx.AsyncClient:
        """Return a client of one search."""
        return httpx.AsyncClient(transport=self)

    def data(self) -> dict[str, Any]:
        """Return the lists of the one answer."""
        (document,) = self._documents
        assert document["status"] == "success", "the question finds nothing: ask another"
        data: dict[str, Any] = document["data"]
        return data


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    """Return a function that prints in spite of pytest's capturing."""

    def write(line: str) -> None:
        with capsys.disabled():
            print(f"\n  {line}", end="", flush=True)  # noqa: T201 - this is the report

    return write


def question() -> str:
    """Return the question."""
    return os.environ["LIGHTRAG_EVIDENCE_QUERY"]


def connection() -> dict[str, Any]:
    """Return the settings that the environment names."""
    return {
        "base_url": os.environ["LIGHTRAG_BASE_URL"],
        "api_key": os.environ.get("LIGHTRAG_API_KEY"),
        # A server that thinks with a large model takes its time.
        "timeout_s": 300.0,
    }


def test_citations_are_chunks_that_the_server_returned(say: Say) -> None:
    recorder = Recorder()
    provider = LightragProvider(LightragSettings(**connection()), client_factory=recorder.client)

    result = provider.search_sync(question(), context=RetrievalContext())

    returned = passages(recorder.data()).values()
    cited = citations(result)
    assert {Passage(each.title, each.text) for each in result.hits} == {*returned}
    assert cited, "nothing that was found has a document's name: ask another question"
    assert {*cited} <= {each for each in returned if each.title is not None}
    say(f"documents: {len(returned)} chunks returned, {len(cited)} cited word for word")


def test_relations_name_chunks_that_the_server_returned(say: Say) -> None:
    recorder = Recorder()
    provider = LightragRelationsProvider(
        LightragRelationsSettings(**connection()), client_factory=recorder.client
    )

    result = provider.search_relations_sync(question(), context=RetrievalContext())

    shown = shown_relations(result)
    behind = {passage for each in shown.values() for passage in each}
    cited = citations(result)
    returned = relations(recorder.data())
    assert all(each <= returned[line] for line, each in shown.items())
    # Of more than these the rest is not looked at.
    assert shown == returned or len(recorder.data()["relationships"]) > HIT_COUNT
    assert cited, "no relation rests on a chunk that has a document's name: ask another question"
    assert {*cited} <= {each for each in behind if each.title is not None}
    supported = sum(map(bool, shown.values()))
    say(f"relations: {len(shown)} returned, {supported} rest on {len(behind)} returned chunks")
