"""Synthetic answers in the shape of LightRAG 1.5.7; no server ever gave these."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from knowledge_contract.errors import ProviderError
from knowledge_contract.providers._http import Retrying
from knowledge_contract.providers.lightrag import (
    LightragProvider,
    LightragRelationsProvider,
    LightragRelationsSettings,
    LightragSettings,
)
from knowledge_contract.retrieval import RetrievalContext, RetrievalResult
from providers.raw_server import Play, RawServer, reply, serving

ALL = RetrievalContext()
NO_RESULTS = {
    "status": "failure",
    "message": "Query returned no results",
    "data": {},
    "metadata": {"failure_reason": "no_results", "mode": "mix"},
}


def chunk(number: int, **changes: Any) -> dict[str, Any]:
    """Return a row of `chunks`."""
    return {
        "reference_id": str(number),
        "content": f"Passage {number}.",
        "file_path": f"book-{number}.pdf",
        "chunk_id": f"doc-{number}-chunk-000",
        **changes,
    }


def reference(number: int, file_path: str) -> dict[str, Any]:
    """Return a row of `references`."""
    return {"reference_id": str(number), "file_path": file_path}


def relation(*numbers: int, **changes: Any) -> dict[str, Any]:
    """Return a row of `relationships` that names some chunks."""
    return {
        "src_id": "Bridge",
        "tgt_id": "Orla Venn",
        "description": "Orla Venn tends the bridge.",
        "keywords": "tends",
        "weight": 1.0,
        "source_id": "<SEP>".join(f"doc-{number}-chunk-000" for number in numbers),
        "file_path": "book-1.pdf",
        "created_at": 1_700_000_000,
        **changes,
    }


def entity(name: str, **changes: Any) -> dict[str, Any]:
    """Return a row of `entities`."""
    return {
        "entity_name": name,
        "entity_type": "concept",
        "description": f"What {name} is.",
        "source_id": "doc-1-chunk-000",
        "file_path": "book-1.pdf",
        "created_at": 1_700_000_000,
        **changes,
    }


def success(*chunks: Any, **lists: Any) -> dict[str, Any]:
    """Return an answer; the lists that are not given are empty."""
    data = {"entities": [], "relationships": [], "references": [], "chunks": [*chunks], **lists}
    return {
        "status": "success",
        "message": "Query processed successfully",
        "data": data,
        "metadata": {"query_mode": "hybrid"},
    }


def play(document: object, status: str = "200 OK") -> Play:
    """Return the play of a JSON answer."""
    return reply(json.dumps(document).encode(), status)


async def no_pause(_: float) -> None:
    """Wait for nothing."""


def documents(server: RawServer, **settings: Any) -> LightragProvider:
    """Return a provider of documents at a server."""
    made = LightragSettings(base_url=server.base_url, **settings)
    return LightragProvider(made, retrying=Retrying(sleep=no_pause))


def relations(server: RawServer, **settings: Any) -> LightragRelationsProvider:
    """Return a provider of relations at a server."""
    made = LightragRelationsSettings(base_url=server.base_url, **settings)
    return LightragRelationsProvider(made, retrying=Retrying(sleep=no_pause))


def search(answer: object, context: RetrievalContext = ALL) -> RetrievalResult:
    """Return what a search for documents makes of an answer."""
    with serving(play(answer)) as server:
        return asyncio.run(documents(server).search("pump", context=context))


def search_relations(answer: object) -> RetrievalResult:
    """Return what a search for relations makes of an answer."""
    with serving(play(answer)) as server:
        return asyncio.run(relations(server).search_relations("pump", context=ALL))


def error_from(*plays: Play, **settings: Any) -> ProviderError:
    """Return the one-line error that a search ends in when a server plays these answers."""
    with serving(*plays) as server, pytest.raises(ProviderError) as caught:
        documents(server, **settings).search_sync("pump", context=ALL)
    assert str(caught.value).startswith("lightrag: ")
    assert "\n" not in str(caught.value)
    return caught.value


def sent(server: RawServer) -> list[tuple[dict[str, str], Any]]:
    """Return the header fields and body of each request that reached a server."""
    return list(map(_parse, server.requests))


def _parse(request: bytes) -> tuple[dict[str, str], Any]:
    top, _, body = request.partition(b"\r\n\r\n")
    lines = top.decode().split("\r\n")
    fields = {name.lower(): value.strip() for name, _, value in (x.partition(":") for x in lines)}
    return {"line": lines[0], **fields}, json.loads(body)


@contextmanager
def finding(*chunks: Any, **lists: Any) -> Iterator[RawServer]:
    """Run a server that finds the same for every query."""
    with serving(play(success(*chunks, **lists))) as server:
        yield server
