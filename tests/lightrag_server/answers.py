"""A `/query/data` answer as its server sent it, read without the provider's code, to compare."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from knowledge_contract._text import cut_text, normalize_line
from knowledge_contract.formatting import format_result
from knowledge_contract.normalize import normalize_hit
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import RetrievalHit, RetrievalResult
from knowledge_wire.constants import EXCERPT_MAX_LENGTH, EXCERPT_TOTAL_CHARS

NO_DOCUMENT = ("", "unknown_source", "no-file-path", "custom_kg", "manual_creation")
"""What stands for a name where there is none."""


class Passage(NamedTuple):
    """A returned chunk: what can be cited of it, and None for a title where nothing can."""

    title: str | None
    text: str


def passages(data: Mapping[str, Any]) -> dict[str, Passage]:
    """Return the returned chunks, normalised, by `chunk_id`."""
    names = {each["reference_id"]: each["file_path"] for each in data.get("references") or []}
    found: dict[str, Passage] = {}
    for chunk in data["chunks"]:
        name = chunk.get("file_path") or names.get(chunk.get("reference_id")) or ""
        hit = RetrievalHit(chunk["content"], title=None if name in NO_DOCUMENT else name)
        normal = normalize_hit(hit)
        if normal.text:
            found.setdefault(chunk["chunk_id"], Passage(normal.title, normal.text))
    return found


def relations(data: Mapping[str, Any]) -> dict[str, set[Passage]]:
    """Return the returned chunks behind each relation, by the line that names its ends."""
    chunks = passages(data)
    found: dict[str, set[Passage]] = {}
    for edge in data["relationships"]:
        ids = (edge["source_id"] or "").split("<SEP>")
        behind = {chunks[each] for each in ids if each in chunks}
        found.setdefault(heading(edge["src_id"], edge["tgt_id"]), set()).update(behind)
    return found


def shown_relations(result: RetrievalResult) -> dict[str, set[Passage]]:
    """Return the same of a result: what stands at the positions that each relation names."""
    found: dict[str, set[Passage]] = {}
    for index, hit in enumerate(result.hits):
        if hit.evidence is not None:
            assert all(0 <= each < index for each in hit.evidence), "evidence stands before"
            behind = [result.hits[each] for each in hit.evidence]
            line = hit.text.partition("\n")[0]
            found.setdefault(line, set()).update(Passage(each.title, each.text) for each in behind)
    return found


def citations(
    result: RetrievalResult,
    *,
    limit_chars: int = EXCERPT_TOTAL_CHARS,
    excerpt_chars: int = EXCERPT_MAX_LENGTH,
) -> list[Passage]:
    """Return what is read back as evidence when a tool writes the result; all of it must be."""
    text, artifact = format_result(result, limit_chars=limit_chars, excerpt_chars=excerpt_chars)
    message = {"type": "tool", "name": "search", "content": text, "artifact": artifact}
    reading = read_message(message, binding="entry")
    assert reading.refused == ()
    records = [each.record for each in reading.evidence]
    return [Passage(str(each["title"]), str(each["excerpt"])) for each in records]


def heading(*ends: str) -> str:
    """Return the line that names the ends of a relation."""
    return "Relation: " + " -- ".join(map(_shown_name, ends))


def _shown_name(name: str) -> str:
    line = normalize_line(name)
    short = line if len(line) <= 100 else cut_text(line, 99) + "\u2026"
    marks = ('"', "--", "->", "<-", *"\u2012\u2013\u2014\u2015\u2190\u2191\u2192\u2193")
    is_plain = not any(each in short for each in marks)
    return short if is_plain else '"' + short.replace('"', "'") + '"'
