"""Datasets, documents and chunks for a test server, and a provider that asks it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from knowledge_contract.errors import ProviderError
from knowledge_contract.providers._http import Retrying
from knowledge_contract.providers.ragflow import RagflowProvider, RagflowSettings
from knowledge_contract.retrieval import RetrievalContext, RetrievalResult
from providers.ragflow.server import KEY, Row, Server, running

SHAPES = Path(__file__).parent / "shapes"
MODEL = "bge-m3@Lab"


def hex_id(number: int) -> str:
    """Return an id as RAGFlow makes them."""
    return f"{number:032x}"


def dataset(number: int, **changes: Any) -> Row:
    """Return the row of a dataset."""
    row = {"id": hex_id(number), "name": f"Shelf {number}", "embedding_model": MODEL}
    return {**row, "chunk_count": 9, "document_count": 3, "avatar": None, **changes}


def document(number: int, *, of: int = 1, **changes: Any) -> Row:
    """Return the row of a searchable document."""
    row = {"id": hex_id(number), "dataset_id": hex_id(of), "name": f"Book {number}.pdf"}
    return {**row, "run": "DONE", "status": "1", "chunk_count": 3, **changes}


def chunk(number: int, *, of: int = 1, document: int = 101, **changes: Any) -> Row:
    """Return a chunk; a higher number is a worse hit."""
    return {
        "id": f"{number:016x}",
        "content": f"Step {number}: prime the pump.",
        "content_ltks": f"step {number} prime pump",
        "dataset_id": hex_id(of),
        "document_id": hex_id(document),
        "document_keyword": f"Book {document}.pdf",
        "positions": [[number, 72, 523, 101, 188]],
        "similarity": 1 - number / 1000,
        **changes,
    }


def library(**changes: Any) -> Server:
    """Return a server with two datasets of one document each, and three chunks."""
    rows: dict[str, Any] = {
        "datasets": [dataset(1), dataset(2)],
        "documents": [document(101), document(102, of=2)],
        "chunks": [chunk(1), chunk(2, of=2, document=102), chunk(3)],
    }
    return Server(**{**rows, **changes})


def retrieval(*chunks: object, **changes: Any) -> Row:
    """Return the answer of a retrieval."""
    return {
        "code": 0,
        "data": {"total": len(chunks), "chunks": [*chunks], "doc_aggs": []} | changes,
    }


def answering(path: str, *answers: Any) -> Any:
    """Return an interceptor that gives these answers to a path, the last one for ever."""
    left = list(answers)

    def intercept(asked: Any) -> Any:
        if not asked.path.endswith(path):
            return None
        return left.pop(0) if len(left) > 1 else left[0]

    return intercept


def shape(name: str) -> Any:
    """Return a recorded answer."""
    return json.loads(SHAPES.joinpath(name).read_text(encoding="utf-8"))


async def no_pause(_: float) -> None:
    """Take the place of sleeping."""


def provider_for(server: Server, **changes: Any) -> RagflowProvider:
    """Return a provider that asks a server, and never sleeps."""
    options = {"base_url": server.base_url, "api_key": KEY, **changes}
    return RagflowProvider(RagflowSettings(**options), retrying=Retrying(sleep=no_pause))


def search(server: Server, *, scope: object = None, **changes: Any) -> RetrievalResult:
    """Return what a provider finds."""
    context = RetrievalContext(scope=scope)
    return provider_for(server, **changes).search_sync("How is it primed?", context=context)


def refusal(server: Server, **changes: Any) -> ProviderError:
    """Return the error that a search ends in: one sentence that shows nobody anything."""
    with running(server), pytest.raises(ProviderError) as caught:
        search(server, **changes)
    shown = f"{caught.value!s} {caught.value!r} {caught.value.args}"
    assert re.fullmatch(r"ragflow: [^\n]+", str(caught.value))
    assert KEY not in shown
    assert re.search(r"[0-9a-f]{32}|sk-no|tenant", shown) is None
    # Nothing of the wire, which may quote a header, is carried along.
    assert (caught.value.__cause__, caught.value.__context__) == (None, None)
    return caught.value


def selecting(*dataset_ids: str, **documents: list[str]) -> Row:
    """Return a scope that selects datasets; documents are named by `_` and a dataset's id."""
    scope: Row = {"version": 1, "mode": "selected", "dataset_ids": [*dataset_ids]}
    if documents:
        scope["document_filters"] = [
            {"dataset_id": key.removeprefix("_"), "document_ids": ids}
            for key, ids in documents.items()
        ]
    return scope


def texts(result: RetrievalResult) -> list[str]:
    """Return the hits' texts."""
    return [hit.text for hit in result.hits]
