"""From a query's chunks to hits with the titles of their documents, and nothing guessed.

LightRAG gives neither pages nor addresses; what it calls `file_path` is a name.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from knowledge_contract._text import normalize_line
from knowledge_contract.normalize import normalize_hit
from knowledge_contract.providers.lightrag.client import Found
from knowledge_contract.providers.retriever import PLACEHOLDER_TITLES
from knowledge_contract.retrieval import RetrievalHit

__all__ = ["Chunk", "read_chunks", "text_of"]

# Written for text that never had a document.
_PLACEHOLDERS = PLACEHOLDER_TITLES | {"custom_kg", "manual_creation"}
# The end of a list of names that was cut, which looks like one more name.
_CUT_LIST = "...truncated..."


class Chunk(NamedTuple):
    """A piece of a document; `id` is empty where the server gives none."""

    id: str
    hit: RetrievalHit


def read_chunks(found: Found, *, secrets: frozenset[str]) -> list[Chunk]:
    """Return the chunks with text, in the server's order."""
    titles = _read_references(found.references)
    chunks: list[Chunk] = []
    for row in found.chunks:
        if isinstance(row, dict):
            hit = RetrievalHit(text_of(row, "content"), title=_title(row, titles))
            hit = normalize_hit(hit, secrets=secrets)
            if hit.text:
                chunks.append(Chunk(text_of(row, "chunk_id"), hit))
    return chunks


def text_of(row: Mapping[Any, Any], key: str) -> str:
    """Return the text under a key of a row; empty where there is none."""
    value = row.get(key)
    return value if isinstance(value, str) else ""


def _read_references(rows: list[object]) -> dict[str, str]:
    """Return names by reference id; an id that stands for two documents stands for none."""
    titles: dict[str, str] = {}
    for row in rows:
        reference_id = text_of(row, "reference_id") if isinstance(row, dict) else ""
        if isinstance(row, dict) and reference_id:
            name = text_of(row, "file_path")
            titles[reference_id] = name if titles.get(reference_id, name) == name else ""
    return titles


def _title(row: Mapping[Any, Any], titles: Mapping[str, str]) -> str | None:
    """Return the chunk's own document, else that of its reference; a name is never split."""
    own = normalize_line(text_of(row, "file_path"))
    name = own or normalize_line(titles.get(text_of(row, "reference_id"), ""))
    if name in _PLACEHOLDERS or name.startswith(_CUT_LIST):
        return None
    return name or None
