"""From a query's graph to hits: single relations, each behind the chunks that support it.

Only a `source_id` that names a returned chunk is evidence; that two things share a document's
name proves nothing. LightRAG sorts the ends of a relation, so that none is a beginning.
"""

import logging
import re
from collections.abc import Callable, Collection, Container, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from knowledge_contract._text import cut_text, normalize_line, normalize_text
from knowledge_contract.citation import show_uncited
from knowledge_contract.normalize import normalize_hit
from knowledge_contract.providers.lightrag.chunks import Chunk, text_of
from knowledge_contract.providers.lightrag.client import Found
from knowledge_contract.redaction import redactor
from knowledge_contract.retrieval import RetrievalHit
from knowledge_wire.constants import HIT_COUNT

__all__ = ["build_relation_hits", "find_ids"]

_LOGGER = logging.getLogger(__name__)
_SEPARATOR = "<SEP>"
_LINE = " -- "
# What else could make one relation look like a path: quotes, dashes and arrows.
_LIKE_A_PATH = re.compile('"|--|->|<-|[\u2012-\u2015\u2190-\u2193]')
_NAME_CHARS = 100
"""Of one name: both ends of a relation stand in its first line, however much is cut off below."""
_FEW_CHUNKS = 3
"""That a relation may need for itself without waiting behind those that need fewer."""


class _Edge(NamedTuple):
    """A relation's first line, its row, and the ids of the returned chunks that it names."""

    head: str
    row: Mapping[Any, Any]
    supporting: list[str]


def build_relation_hits(
    found: Found, chunks: list[Chunk], *, name: str, secrets: frozenset[str]
) -> list[RetrievalHit]:
    """Return relations, then entities, each in the server's order; at most 100 of both together.

    What does not fit a limit is cut at the end: so entities come last, and relations that need
    many chunks for themselves behind all others. Each chunk stands once, before the first
    relation that names it; chunks that no relation names are left out.
    """
    evidence = _by_id(chunks, name)
    redact = redactor(secrets)
    hits: list[RetrievalHit] = []
    indices: dict[str, int] = {}
    # Each takes a position of its own, so that no text could show more of them.
    edges = list(islice(_in_order(_edges(found, evidence, redact)), HIT_COUNT))
    for edge in edges:
        for chunk_id in edge.supporting:
            if chunk_id not in indices:
                indices[chunk_id] = len(hits)
                hits.append(evidence[chunk_id])
        positions = tuple(indices[each] for each in edge.supporting)
        text = "\n".join([edge.head, *_statements(edge.row, redact)])
        hits.append(normalize_hit(RetrievalHit(text, evidence=positions), secrets=secrets))
    texts = filter(None, (_entity_text(row, redact) for row in found.entities))
    shown = islice(texts, HIT_COUNT - len(edges))
    hits += [normalize_hit(RetrievalHit(text), secrets=secrets) for text in shown]
    return hits


def find_ids(source_id: object, known: Container[str]) -> set[str]:
    """Return the known ids that a list in one text names.

    Ids are opaque: blanks around one count, and are left out only where no known id has them.

    >>> sorted(find_ids("c2<SEP> c1 <SEP><SEP>c2<SEP>c3", {"c1", "c2", " c2"}))
    ['c1', 'c2']
    """
    parts = source_id.split(_SEPARATOR) if isinstance(source_id, str) else []
    ids = (each if each in known else each.strip() for each in parts)
    return {each for each in ids if each in known}


def _by_id(chunks: list[Chunk], name: str) -> dict[str, RetrievalHit]:
    """Return chunks by id in their order; the first of an id counts, a blank id is none."""
    kept: dict[str, RetrievalHit] = {}
    contradicting = 0
    for chunk in chunks:
        if chunk.id.strip() and kept.setdefault(chunk.id, chunk.hit) != chunk.hit:
            contradicting += 1
    if contradicting:
        _LOGGER.warning(
            "%s: %d chunks bear another one's chunk_id: the first of each counts",
            *(name, contradicting),
        )
    return kept


def _edges(
    found: Found, evidence: Collection[str], redact: Callable[[str], str]
) -> Iterator[_Edge]:
    """Yield the relations that have both ends."""
    ranks = {chunk_id: rank for rank, chunk_id in enumerate(evidence)}
    for row in found.relationships:
        head = _relation_head(row, redact)
        if isinstance(row, dict) and head:
            named = find_ids(row.get("source_id"), ranks.keys())
            yield _Edge(head, row, sorted(named, key=ranks.__getitem__))


def _in_order(edges: Iterator[_Edge]) -> Iterator[_Edge]:
    """Yield relations in their order, but those that need many chunks for themselves at the end.

    One of these could fill a text with its chunks alone, and then no relation would be shown.
    """
    shown: set[str] = set()
    waiting: list[_Edge] = []
    for edge in edges:
        if len({*edge.supporting} - shown) > _FEW_CHUNKS:
            waiting.append(edge)
        else:
            shown.update(edge.supporting)
            yield edge
    yield from waiting


def _relation_head(row: object, redact: Callable[[str], str]) -> str:
    """Return the line that names a relation's ends; empty where one is missing."""
    if not isinstance(row, dict):
        return ""
    ends = [_name(row, key, redact) for key in ("src_id", "tgt_id")]
    return f"Relation: {_LINE.join(map(_quoted, ends))}" if all(ends) else ""


def _entity_text(row: object, redact: Callable[[str], str]) -> str:
    name = _name(row, "entity_name", redact) if isinstance(row, dict) else ""
    if not isinstance(row, dict) or not name:
        return ""
    kind = _name(row, "entity_type", redact)
    remark = f" ({kind})" if kind else ""
    return "\n".join([f"Entity: {name}{remark}", *_statements(row, redact)])


def _name(row: Mapping[Any, Any], key: str, redact: Callable[[str], str]) -> str:
    name = _cleaned(normalize_line(text_of(row, key)), redact)
    return name if len(name) <= _NAME_CHARS else f"{cut_text(name, _NAME_CHARS - 1)}\u2026"


def _quoted(name: str) -> str:
    # A name's own quotes change, because they could end it early.
    return '"' + name.replace('"', "'") + '"' if _LIKE_A_PATH.search(name) else name


def _statements(row: Mapping[Any, Any], redact: Callable[[str], str]) -> Iterator[str]:
    """Yield the lines of a description, each once; the model put it together of statements.

    Each begins with a dash, so that none looks like the first line of an entry.
    """
    description = _cleaned(normalize_text(text_of(row, "description")), redact)
    parts = description.split(_SEPARATOR)
    lines = (normalize_line(line) for part in parts for line in part.splitlines())
    yield from (f"- {line}" for line in dict.fromkeys(lines) if line)


def _cleaned(text: str, redact: Callable[[str], str]) -> str:
    # Before anything is cut or split, which could part a secret or a handle.
    return redact(show_uncited(redact(text)))
