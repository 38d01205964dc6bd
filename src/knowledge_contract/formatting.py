"""Write hits as the text a model reads, and the artifact that proves it.

One entry a hit: a first line with position and locators that ends with the handle, then the
excerpt. What does not fit the limit is left out whole, so that text and artifact always say
the same.

Source:
    contracts/README.md, "Producing".
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from knowledge_contract._text import cut_text, fold_blank_lines, normalize_line, normalize_text
from knowledge_contract.citation import make_label, shared_handle, unlink_handles
from knowledge_contract.errors import ContractError
from knowledge_contract.normalize import normalize_hit
from knowledge_contract.retrieval import RetrievalHit, RetrievalResult
from knowledge_wire.constants import (
    CONTRACT_FILE,
    EXCERPT_MAX_LENGTH,
    EXCERPT_TOTAL_CHARS,
    HIT_COUNT,
    ID_DIGITS,
)
from knowledge_wire.identity import source_id
from knowledge_wire.validators import check_knowledge_source

__all__ = ["format_result"]

_SEPARATOR = "\n\n"
_NOTHING_FOUND = "No relevant content was found."
_NOTES_SHARE = 4
"""Where not everything fits, notes may take this part of the limit before any entry."""


class _Entry(NamedTuple):
    """A hit as it would be displayed; `record` is None for uncited text."""

    text: str
    record: dict[str, Any] | None


class _Page(NamedTuple):
    """The entries that are displayed, and how many hits were left out for want of room."""

    entries: list[_Entry]
    omitted: int


def format_result(
    result: RetrievalResult, *, limit_chars: int, excerpt_chars: int
) -> tuple[str, dict[str, Any] | None]:
    """Return a tool's text and artifact for what a provider found.

    Hits are normalised again, which changes nothing where the provider did. At most 100 are
    displayed; a hit that does not fit is left out whole: a search goes on to the next one,
    relations stop there, so that a displayed edge never names a position that is missing.
    An exact fit keeps everything and prints no notice.

    Args:
        result: What was found, in display order.
        limit_chars: Code points of the whole text, notes and notice included; 0 allows none.
        excerpt_chars: Code points of one excerpt, at least 1.

    Returns:
        The text, and the artifact that holds exactly the displayed excerpts; None if nothing
        displayed can be cited. A result of relations always has an artifact.

    Raises:
        ValueError: a bound is out of range, or an edge names a hit that does not come before it.
        ContractError: the provider's name cannot be carried.
    """
    if limit_chars < 0 or excerpt_chars < 1:
        raise ValueError("limit_chars must be at least 0 and excerpt_chars at least 1")
    hits = [normalize_hit(hit) for hit in result.hits]
    _check_evidence(hits)
    notes = [line for note in result.notes if (line := _note(note))]
    writer = _Writer(result, hits, min(excerpt_chars, EXCERPT_MAX_LENGTH))
    if not writer.has_text():
        text = _join([], notes or [_NOTHING_FOUND], limit_chars)
        return text, _artifact(result, [])
    page, tail = _fit(writer, notes, limit_chars)
    text = _join([entry.text for entry in page.entries], tail, limit_chars)
    return text, _artifact(result, page.entries)


def _note(text: str) -> str:
    # Before unlinking too, because a control character can hide a handle until it is removed.
    return normalize_line(unlink_handles(normalize_line(text)))


def _check_evidence(hits: list[RetrievalHit]) -> None:
    for index, hit in enumerate(hits):
        for named in hit.evidence or ():
            if not 0 <= named < index:
                raise ValueError(f"hit {index} names hit {named}, which does not come before it")


def _fit(writer: "_Writer", notes: list[str], limit_chars: int) -> tuple[_Page, list[str]]:
    """Return what is displayed: everything if it fits, else less, with notes and a notice."""
    page = writer.write(limit_chars - _cost(notes))
    if not page.omitted:
        return page, notes
    kept = _affordable(notes, limit_chars // _NOTES_SHARE)
    page = writer.write(limit_chars - _cost(kept))
    if not page.omitted:
        return page, kept
    reserve = [*kept, _notice(page.omitted + len(page.entries))]
    reserved = writer.write(limit_chars - _cost(reserve))
    # A notice that leaves no room for evidence is worth less than evidence.
    page = reserved if reserved.entries else writer.write(limit_chars)
    return page, [*kept, _notice(page.omitted)] if page.omitted else kept


def _cost(parts: list[str]) -> int:
    return sum(len(part) + len(_SEPARATOR) for part in parts)


def _affordable(notes: list[str], limit_chars: int) -> list[str]:
    kept: list[str] = []
    for note in notes:
        if _cost([*kept, note]) <= limit_chars:
            kept.append(note)
    return kept


def _notice(omitted: int) -> str:
    return f"{omitted} more result{'s' if omitted > 1 else ''} left out to fit the limit."


def _join(entries: list[str], tail: list[str], limit_chars: int) -> str:
    """Return entries, then each part of the tail that still fits."""
    text = _SEPARATOR.join(entries)
    for part in tail:
        longer = f"{text}{_SEPARATOR}{part}" if text else part
        if len(longer) <= limit_chars:
            text = longer
    return text


def _artifact(result: RetrievalResult, entries: list[_Entry]) -> dict[str, Any] | None:
    records = [entry.record for entry in entries if entry.record is not None]
    artifact: dict[str, Any] = {}
    if result.layout == "relations":
        artifact["knowledge_layout"] = "relations"
    if records:
        artifact |= {"knowledge_sources_version": 1, "knowledge_sources": records}
    return artifact or None


class _Writer:
    """Writes the same hits into any limit."""

    def __init__(
        self, result: RetrievalResult, hits: list[RetrievalHit], excerpt_chars: int
    ) -> None:
        self._provider = result.provider
        self._is_prefix_only = result.layout == "relations"
        self._hits = hits
        self._excerpt_chars = excerpt_chars
        self._records = [self._record(hit) for hit in hits]
        self._texts = [
            _uncited_text(hit.text) if record is None else hit.text
            for hit, record in zip(hits, self._records, strict=True)
        ]

    def has_text(self) -> bool:
        """Tell whether any hit has something to display."""
        return any(self._texts)

    def write(self, limit_chars: int) -> _Page:
        """Return the entries that fit; their positions are contiguous from 1."""
        entries: list[_Entry] = []
        positions: dict[int, int] = {}
        shown: dict[str, int] = {}
        # Copies of one record are one thing that was left out.
        omitted: set[int | str] = set()
        room, total = limit_chars, 0
        for index, record in enumerate(self._records):
            if not self._texts[index]:
                continue
            if record is not None and record["id"] in shown:
                positions[index] = shown[record["id"]]
                continue
            entry = self._entry(len(entries) + 1, index, positions)
            size = len(entry.text) + (len(_SEPARATOR) if entries else 0)
            excerpt = len(record["excerpt"]) if record is not None else 0
            stopped = self._is_prefix_only and omitted
            full = len(entries) == HIT_COUNT or total + excerpt > EXCERPT_TOTAL_CHARS
            if stopped or full or size > room:
                omitted.add(index if record is None else record["id"])
                continue
            room -= size
            total += excerpt
            entries.append(entry)
            positions[index] = len(entries)
            if record is not None:
                shown[record["id"]] = len(entries)
        return _Page(entries, len(omitted - shown.keys()))

    def _record(self, hit: RetrievalHit) -> dict[str, Any] | None:
        # An edge's description is a fact of the graph, never a quotation of a document.
        if hit.title is None or hit.evidence is not None or not hit.text:
            return None
        record: dict[str, Any] = {"provider": self._provider, "title": hit.title}
        record["excerpt"] = cut_text(hit.text, self._excerpt_chars)
        for key in ("dataset_name", "url", "page"):
            if (value := getattr(hit, key)) is not None:
                record[key] = value
        # The id is only defined for what is valid, so all else is judged first.
        problems = check_knowledge_source({"id": "0" * ID_DIGITS, **record})
        if problems:
            raise ContractError(CONTRACT_FILE.removesuffix(".json"), *problems[0])
        return {"id": source_id(record), **record}

    def _entry(
        self,
        position: int,
        index: int,
        positions: dict[int, int],
    ) -> _Entry:
        hit, record = self._hits[index], self._records[index]
        if record is not None:
            remark = " (cut)" if len(record["excerpt"]) < len(hit.text) else ""
            handle = shared_handle(record["id"], record["title"])
            first = f"[{position}]{_locators(hit)}{remark} {handle}"
            return _Entry(f"{first}\n{record['excerpt']}", record)
        remark = "; ".join(_remarks(hit, positions))
        cut = cut_text(self._texts[index], self._excerpt_chars)
        return _Entry(f"[{position}]{_locators(hit)} ({remark})\n{cut}", None)


def _uncited_text(text: str) -> str:
    """Return text that is displayed without a citation: no handle, and no blank line."""
    return normalize_text(fold_blank_lines(unlink_handles(text)))


def _locators(hit: RetrievalHit) -> str:
    parts = [make_label(hit.dataset_name)] if hit.dataset_name is not None else []
    if hit.page is not None:
        parts.append(f"p. {hit.page}")
    return " " + ", ".join(parts) if parts else ""


def _remarks(hit: RetrievalHit, positions: dict[int, int]) -> Iterator[str]:
    yield "no source to cite"
    if hit.evidence is not None:
        named = sorted({positions[index] for index in hit.evidence if index in positions})
        if named:
            yield "evidence: " + ", ".join(f"[{position}]" for position in named)
        else:
            yield "no document evidence"
