"""From a retrieval's chunks to hits: checked against the scope again, then normalised.

A machine-written summary that the server keeps among its chunks looks like any other chunk, so
that it is cited under its document's name.
"""

import logging
from collections.abc import Mapping
from typing import Any, NamedTuple

from knowledge_contract.normalize import normalize_hit
from knowledge_contract.providers.ragflow.client import Found
from knowledge_contract.providers.ragflow.pages import read_pages
from knowledge_contract.redaction import redactor
from knowledge_contract.retrieval import NativeLocators, RetrievalHit
from knowledge_wire.constants import NATIVE_SOURCE_PROVIDER
from knowledge_wire.validators import is_native_locator

__all__ = ["Sight", "read_hits"]

_LOGGER = logging.getLogger(__name__)


class Sight(NamedTuple):
    """What one retrieval was allowed to see.

    Attributes:
        dataset_names: By id.
        documents: For each document the dataset that it was selected in, and its name; None:
            every document of the datasets.
    """

    dataset_names: Mapping[str, str]
    documents: Mapping[str, tuple[str, str]] | None


class _Chunk(NamedTuple):
    """A chunk as it was read; what the server left out is empty."""

    id: str
    text: str
    document_id: str
    document_name: str
    dataset_ids: tuple[str, ...]
    positions: object


def read_hits(
    found: Found, sight: Sight, *, count: int, secrets: frozenset[str]
) -> list[RetrievalHit]:
    """Return at most `count` hits in the server's order.

    Left out are chunks without text, those outside of the scope, and repeated ones. One without
    a document stays text without a citation.
    """
    hits: list[RetrievalHit] = []
    seen: set[tuple[str, str]] = set()
    outside = 0
    for chunk in filter(None, map(_read_chunk, found.chunks)):
        if len(hits) == count:
            break
        if not _is_within(chunk, sight):
            outside += 1
            continue
        key = (chunk.document_id, chunk.id)
        hit = normalize_hit(_hit(chunk, found.titles, sight, secrets), secrets=secrets)
        if hit.text and not (all(key) and key in seen):
            seen.add(key)
            hits.append(hit)
    if outside:
        _LOGGER.warning(
            "%s: %d chunks outside of the scope dropped", NATIVE_SOURCE_PROVIDER, outside
        )
    return hits


def _read_chunk(raw: object) -> _Chunk | None:
    """Return a chunk; None if it is none. Second names are those of older servers."""
    if not isinstance(raw, dict):
        return None
    dataset_ids = _dataset_ids(_present(raw, "dataset_id", "kb_id"))
    text = _first(raw, "content", "content_with_weight")
    document_id = _present(raw, "document_id", "doc_id")
    if dataset_ids is None or not text or not isinstance(document_id, str):
        return None
    return _Chunk(
        id=_first(raw, "id", "chunk_id"),
        text=text,
        document_id=document_id,
        document_name=_first(raw, "document_keyword", "document_name", "docnm_kwd"),
        dataset_ids=dataset_ids,
        positions=raw.get("positions"),
    )


def _present(raw: dict[str, Any], *keys: str) -> object:
    """Return the first value that says something, else an empty text."""
    return next((raw[key] for key in keys if raw.get(key) not in (None, "")), "")


def _dataset_ids(value: object) -> tuple[str, ...] | None:
    """Return the datasets that a chunk names: a text, or a list of some; None if it is neither."""
    if value == "":
        return ()
    ids = value if isinstance(value, list) else [value]
    texts = tuple(each for each in ids if isinstance(each, str))
    return texts if len(texts) == len(ids) else None


def _first(raw: dict[str, Any], *keys: str) -> str:
    for key in keys:
        value = raw.get(key)
        if isinstance(value, str) and value.strip():
            return value
    return ""


def _is_within(chunk: _Chunk, sight: Sight) -> bool:
    # One that names no dataset is not outside: the request named them.
    if not all(each in sight.dataset_names for each in chunk.dataset_ids):
        return False
    if sight.documents is None:
        return True
    # Without a document nothing says that it is one of those that were selected.
    selected = sight.documents.get(chunk.document_id)
    return selected is not None and all(each == selected[0] for each in chunk.dataset_ids)


def _hit(
    chunk: _Chunk, titles: Mapping[str, str], sight: Sight, secrets: frozenset[str]
) -> RetrievalHit:
    dataset_id = chunk.dataset_ids[0] if len(chunk.dataset_ids) == 1 else ""
    title = _title(chunk, titles, sight)
    pages = read_pages(chunk.positions, title)
    ids = (dataset_id, chunk.document_id, chunk.id)
    redact = redactor(secrets)
    # Identifiers are written as they are, or not at all.
    whole = all(is_native_locator(each) and redact(each) == each for each in ids)
    return RetrievalHit(
        text=chunk.text,
        title=title,
        dataset_name=sight.dataset_names.get(dataset_id),
        page=pages[0] if pages else None,
        locators=NativeLocators(*ids, pages) if whole else None,
    )


def _title(chunk: _Chunk, titles: Mapping[str, str], sight: Sight) -> str | None:
    """Return the document's name; without a document there is none, whatever the server says."""
    if not chunk.document_id:
        return None
    selected = (sight.documents or {}).get(chunk.document_id, ("", ""))
    return chunk.document_name or titles.get(chunk.document_id) or selected[1] or None
