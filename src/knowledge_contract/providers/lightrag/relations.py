"""From a query's graph to hits: single relations, each behind the chunks that support it.

Only a `source_id` that names a returned chunk is evidence; that two things share a document's
name proves nothing. LightRAG sorts the ends of a relation, so that none is a beginning.
"""

import logging
from collections.abc import Iterator, Mapping
from typing import Any

from knowledge_contract._text import normalize_line
from knowledge_contract.normalize import normalize_hit
from knowledge_contract.providers.lightrag.chunks import Chunk, text_of
from knowledge_contract.providers.lightrag.client import Found
from knowledge_contract.retrieval import RetrievalHit

__all__ = ["build_relation_hits", "split_ids"]

_LOGGER = logging.getLogger(__name__)
_SEPARATOR = "<SEP>"
_LINE = " -- "


def build_relation_hits(
    found: Found, chunks: list[Chunk], *, name: str, secrets: frozenset[str]
) -> list[RetrievalHit]:
    """Return relations in the server's order, then entities.

    Relations come first because what does not fit a limit is cut at the end. Each chunk stands
    once, before the first relation that names it; chunks that no relation names are left out.
    """
    evidence = _by_id(chunks, name)
    ranks = {chunk_id: rank for rank, chunk_id in enumerate(evidence)}
    hits: list[RetrievalHit] = []
    indices: dict[str, int] = {}
    for row in found.relationships:
        text = _relation_text(row)
        if not isinstance(row, dict) or not text:
            continue
        named = split_ids(row.get("source_id"))
        supporting = sorted(ranks.keys() & named, key=ranks.__getitem__)
        for chunk_id in supporting:
            if chunk_id not in indices:
                indices[chunk_id] = len(hits)
                hits.append(evidence[chunk_id])
        positions = tuple(indices[each] for each in supporting)
        hits.append(normalize_hit(RetrievalHit(text, evidence=positions), secrets=secrets))
    texts = filter(None, map(_entity_text, found.entities))
    hits += [normalize_hit(RetrievalHit(text), secrets=secrets) for text in texts]
    return hits


def split_ids(source_id: object) -> list[str]:
    """Return the ids that a list in one text holds, each once.

    >>> split_ids("chunk-2<SEP> chunk-1 <SEP><SEP>chunk-2")
    ['chunk-2', 'chunk-1']
    """
    parts = source_id.split(_SEPARATOR) if isinstance(source_id, str) else []
    return list(dict.fromkeys(filter(None, map(str.strip, parts))))


def _by_id(chunks: list[Chunk], name: str) -> dict[str, RetrievalHit]:
    """Return chunks by id in their order; the first of an id counts."""
    kept: dict[str, RetrievalHit] = {}
    contradicting = 0
    for chunk in chunks:
        if chunk.id and kept.setdefault(chunk.id, chunk.hit) != chunk.hit:
            contradicting += 1
    if contradicting:
        _LOGGER.warning(
            "%s: %d chunks bear another one's chunk_id: the first of each counts",
            *(name, contradicting),
        )
    return kept


def _relation_text(row: object) -> str:
    """Return the lines of a relation; empty where an end is missing."""
    if not isinstance(row, dict):
        return ""
    ends = [_name(row, key) for key in ("src_id", "tgt_id")]
    if not all(ends):
        return ""
    return "\n".join([f"Relation: {_LINE.join(map(_quoted, ends))}", *_statements(row)])


def _entity_text(row: object) -> str:
    if not isinstance(row, dict) or not _name(row, "entity_name"):
        return ""
    kind = _name(row, "entity_type")
    remark = f" ({kind})" if kind else ""
    return "\n".join([f"Entity: {_name(row, 'entity_name')}{remark}", *_statements(row)])


def _name(row: Mapping[Any, Any], key: str) -> str:
    return normalize_line(text_of(row, key))


def _quoted(name: str) -> str:
    # Otherwise one relation could look like a path of two.
    return f'"{name}"' if _LINE.strip() in name else name


def _statements(row: Mapping[Any, Any]) -> Iterator[str]:
    """Yield the statements of a description that was put together of several."""
    for part in dict.fromkeys(text_of(row, "description").split(_SEPARATOR)):
        if part.strip():
            yield part.strip()
