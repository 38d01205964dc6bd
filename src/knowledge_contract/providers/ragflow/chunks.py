"""From a retrieval's chunks to hits: checked against the scope again, then normalised.

A machine-written summary that the server keeps among its chunks looks like any other chunk, so
that it is cited under its document's name.
"""

import logging
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from knowledge_contract._text import normalize_line
from knowledge_contract.normalize import normalize_hit
from knowledge_contract.providers._secrets import Secrets
from knowledge_contract.providers.ragflow.client import Found
from knowledge_contract.providers.ragflow.pages import read_pages
from knowledge_contract.providers.ragflow.settings import RESULT_COUNT_MAX
from knowledge_contract.redaction import redactor
from knowledge_contract.retrieval import NativeLocators, RetrievalHit
from knowledge_wire.constants import NATIVE_SOURCE_PROVIDER
from knowledge_wire.validators import is_native_locator

__all__ = ["Sight", "read_hits"]

_LOGGER = logging.getLogger(__name__)
_OUTSIDE = "outside of the scope"
_TEXTLESS = "without text"


class Sight(NamedTuple):
    """What one retrieval was allowed to see.

    Attributes:
        dataset_names: By id.
        documents: For each document the dataset that it was selected in, and its name; None:
            every document of the datasets.
        is_selected: A person chose them, so that what does not say where it stands is outside.
    """

    dataset_names: Mapping[str, str | None]
    documents: Mapping[str, tuple[str, str | None]] | None
    is_selected: bool


class _Chunk(NamedTuple):
    """A chunk as it was read.

    Attributes:
        titles: What may name its document, the best first.
        is_odd: An identifier is of a type that identifiers never have.
    """

    id: str | None
    text: str
    document_id: str | None
    titles: tuple[str, ...]
    dataset_ids: tuple[str, ...]
    positions: object
    is_odd: bool


def read_hits(found: Found, sight: Sight, *, count: int, secrets: Secrets) -> list[RetrievalHit]:
    """Return at most `count` hits in the server's order.

    No more rows are looked at than can be asked for. Left out are chunks without text, those
    outside of the scope, and repeated ones. One without a document stays text without a citation.
    """
    hits: list[RetrievalHit] = []
    seen: set[tuple[str, str]] = set()
    dropped: Counter[str] = Counter()
    for raw in found.chunks[:RESULT_COUNT_MAX]:
        if len(hits) == count:
            break
        judged = _judge(raw, found.titles, sight, seen=seen, secrets=secrets)
        if isinstance(judged, str):
            dropped[judged] += 1
        else:
            hits.append(judged)
    if dropped:
        level = logging.WARNING if _OUTSIDE in dropped else logging.INFO
        counts = ", ".join(f"{number} {why}" for why, number in dropped.items())
        _LOGGER.log(level, "%s: chunks dropped: %s", NATIVE_SOURCE_PROVIDER, counts)
    return hits


def _judge(
    raw: object,
    titles: Mapping[str, str],
    sight: Sight,
    *,
    seen: set[tuple[str, str]],
    secrets: Secrets,
) -> RetrievalHit | str:
    """Return a hit, or why there is none."""
    chunk = _read_chunk(raw)
    if chunk is None:
        return _TEXTLESS
    if not _is_within(chunk, sight):
        return _OUTSIDE
    hit = normalize_hit(_hit(chunk, titles, sight, secrets), secrets=secrets)
    if not hit.text:
        return _TEXTLESS
    if chunk.document_id is not None and chunk.id is not None:
        key = (chunk.document_id, chunk.id)
        if key in seen:
            return "repeated"
        seen.add(key)
    return hit


def _read_chunk(raw: object) -> _Chunk | None:
    """Return a chunk; None if it is none. Second names are those of older servers."""
    texts = _texts(raw, "content", "content_with_weight") if isinstance(raw, dict) else ()
    if not isinstance(raw, dict) or not texts:
        return None
    document_id = _present(raw, "document_id", "doc_id")
    datasets = _present(raw, "dataset_id", "kb_id")
    dataset_ids = datasets if isinstance(datasets, list) else [datasets]
    named = tuple(each for each in dataset_ids if isinstance(each, str))
    is_odd = not isinstance(document_id, str | None) or (
        datasets is not None and len(named) != len(dataset_ids)
    )
    return _Chunk(
        id=next(iter(_texts(raw, "id", "chunk_id")), None),
        text=texts[0],
        # Beside an odd identifier nothing says which document this is.
        document_id=document_id if isinstance(document_id, str) and not is_odd else None,
        titles=_texts(raw, "document_keyword", "document_name", "docnm_kwd"),
        dataset_ids=named,
        positions=raw.get("positions"),
        is_odd=is_odd,
    )


def _present(raw: dict[str, Any], *keys: str) -> object:
    """Return the first value that says something; None if none does."""
    return next((raw[key] for key in keys if raw.get(key) not in (None, "")), None)


def _texts(raw: dict[str, Any], *keys: str) -> tuple[str, ...]:
    values = (raw.get(key) for key in keys)
    return tuple(each for each in values if isinstance(each, str) and each.strip())


def _is_within(chunk: _Chunk, sight: Sight) -> bool:
    if not all(each in sight.dataset_names for each in chunk.dataset_ids):
        return False
    if not sight.is_selected:
        # One that names no dataset is not outside: the request named them.
        return True
    if sight.documents is None:
        return bool(chunk.dataset_ids) and not chunk.is_odd
    # Without a document nothing says that it is one of those that were selected.
    selected = sight.documents.get(chunk.document_id or "")
    return selected is not None and all(each == selected[0] for each in chunk.dataset_ids)


def _hit(chunk: _Chunk, titles: Mapping[str, str], sight: Sight, secrets: Secrets) -> RetrievalHit:
    dataset_id = chunk.dataset_ids[0] if len(chunk.dataset_ids) == 1 else None
    title = _title(chunk, titles, sight)
    pages = read_pages(chunk.positions, title)
    return RetrievalHit(
        text=chunk.text,
        title=title,
        dataset_name=None if dataset_id is None else sight.dataset_names.get(dataset_id),
        page=pages[0] if pages else None,
        locators=_locators((dataset_id, chunk.document_id, chunk.id), pages, secrets),
    )


def _locators(
    ids: tuple[str | None, str | None, str | None], pages: tuple[int, ...], secrets: Secrets
) -> NativeLocators | None:
    """Return the identifiers, written as they are or not at all."""
    redact = redactor(secrets)
    dataset_id, document_id, chunk_id = (
        each if is_native_locator(each) and redact(each) == each else None for each in ids
    )
    if dataset_id is None or document_id is None or chunk_id is None:
        return None
    return NativeLocators(dataset_id, document_id, chunk_id, pages)


def _title(chunk: _Chunk, titles: Mapping[str, str], sight: Sight) -> str | None:
    """Return the document's name; without a document there is none, whatever the server says."""
    if chunk.document_id is None:
        return None
    _, selected = (sight.documents or {}).get(chunk.document_id, (None, None))
    names = (*chunk.titles, titles.get(chunk.document_id), selected)
    # A name of what the contract takes for blanks is none.
    return next((each for each in names if each is not None and normalize_line(each)), None)
