"""Write hits as the text a model reads, and the artifact that proves it.

One entry a hit: a first line with position and locators that ends with the handle, then the
excerpt. What does not fit the limit is left out whole, so that text and artifact always say
the same.

Source:
    contracts/README.md, "Producing".
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from knowledge_contract._forms import Form, native_form, shared_form
from knowledge_contract._layout import (
    CUT,
    LAYOUT_KEY,
    RELATIONS,
    SEPARATOR,
    UNCITED,
    omission_notice,
)
from knowledge_contract._text import cut_text, normalize_line
from knowledge_contract.citation import show_locators, show_uncited, unlink_handles
from knowledge_contract.normalize import normalize_hit
from knowledge_contract.retrieval import RetrievalHit, RetrievalResult
from knowledge_wire.constants import (
    EXCERPT_MAX_LENGTH,
    EXCERPT_TOTAL_CHARS,
    HIT_COUNT,
    NATIVE_TOOL_NAMES,
)
from knowledge_wire.validators import is_native_id

__all__ = ["format_result"]

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
    result: RetrievalResult,
    *,
    limit_chars: int,
    excerpt_chars: int,
    tool_name: str | None = None,
    retrieval_id: str | None = None,
) -> tuple[str, dict[str, Any] | None]:
    """Return a tool's text and artifact for what a provider found.

    Hits are normalised again, which changes nothing where the provider did. At most 100 are
    displayed; a hit that does not fit is left out whole: a search goes on to the next one,
    relations stop there, so that a displayed edge never names a position that is missing.
    An exact fit keeps everything and prints no notice.

    A RAGFlow result whose first 100 hits all have complete locators is written in the native
    form, if `tool_name` is one that native readers accept and `retrieval_id` is given; one hit
    without turns the whole result to the shared form, so that no text is lost.

    Args:
        result: What was found, in display order.
        limit_chars: Code points of the whole text, notes and notice included; 0 allows none.
        excerpt_chars: Code points of one excerpt, at least 1.
        tool_name: The name of the tool that the text is for.
        retrieval_id: 32 random hexadecimal digits in lower case, new for each retrieval.

    Returns:
        The text, and the artifact that holds exactly the displayed excerpts; None if nothing
        displayed can be cited. A result of relations always has an artifact.

    Raises:
        ValueError: a bound is out of range, `retrieval_id` is no such digits, or an edge names a
            hit that does not come before it.
        ContractError: the provider's name cannot be carried.
    """
    if limit_chars < 0 or excerpt_chars < 1:
        raise ValueError("limit_chars must be at least 0 and excerpt_chars at least 1")
    if retrieval_id is not None and not is_native_id(f"{retrieval_id}-1"):
        raise ValueError("retrieval_id must be 32 hexadecimal digits in lower case")
    hits = [normalize_hit(hit) for hit in result.hits]
    _check_evidence(hits)
    notes = [line for note in result.notes if (line := _note(note))]
    form = None
    if retrieval_id is not None and tool_name in NATIVE_TOOL_NAMES and result.layout == "search":
        form = native_form(result.provider, hits[:HIT_COUNT], excerpt_chars, retrieval_id)
    if form is None:
        form = shared_form(result.provider, hits, excerpt_chars)
    writer = _Writer(result, hits, form, excerpt_chars)
    if not writer.has_text():
        text = _join([], [_NOTHING_FOUND, *notes], limit_chars)
        return text, _artifact(result, form, [])
    page, tail = _fit(writer, notes, limit_chars)
    text = _join([entry.text for entry in page.entries], tail, limit_chars)
    return text, _artifact(result, form, page.entries)


def _note(text: str) -> str:
    # Before unlinking too, because a control character can hide a handle until it is removed.
    return normalize_line(unlink_handles(normalize_line(text)))


def _check_evidence(hits: list[RetrievalHit]) -> None:
    for index, hit in enumerate(hits):
        for named in hit.evidence or ():
            if not 0 <= named < index:
                raise ValueError("an edge names a hit that does not come before it")


def _fit(writer: "_Writer", notes: list[str], limit_chars: int) -> tuple[_Page, list[str]]:
    """Return what is displayed: everything if it fits, else less, with notes and a notice."""
    page = writer.write(limit_chars - _cost(notes))
    if not page.omitted:
        return page, notes
    kept = _affordable(notes, limit_chars // _NOTES_SHARE)
    page = writer.write(limit_chars - _cost(kept))
    if not page.omitted:
        return page, kept
    reserve = [*kept, omission_notice(page.omitted + len(page.entries))]
    reserved = writer.write(limit_chars - _cost(reserve))
    # A notice that leaves no room for evidence is worth less than evidence.
    page = reserved if reserved.entries else writer.write(limit_chars)
    if not page.omitted:
        return page, notes
    notice = omission_notice(page.omitted)
    room = limit_chars - _cost([entry.text for entry in page.entries]) - _cost([notice])
    return page, [*_affordable(notes, max(room, _cost(kept))), notice]


def _cost(parts: list[str]) -> int:
    return sum(len(part) + len(SEPARATOR) for part in parts)


def _affordable(notes: list[str], limit_chars: int) -> list[str]:
    kept: list[str] = []
    for note in notes:
        if _cost([*kept, note]) <= limit_chars:
            kept.append(note)
    return kept


def _join(entries: list[str], tail: list[str], limit_chars: int) -> str:
    """Return entries, then each part of the tail that still fits."""
    text = SEPARATOR.join(entries)
    for part in tail:
        longer = f"{text}{SEPARATOR}{part}" if text else part
        if len(longer) <= limit_chars:
            text = longer
    return text


def _artifact(result: RetrievalResult, form: Form, entries: list[_Entry]) -> dict[str, Any] | None:
    records = [entry.record for entry in entries if entry.record is not None]
    artifact: dict[str, Any] = {}
    if result.layout == "relations":
        artifact[LAYOUT_KEY] = RELATIONS
    if records:
        artifact |= form.envelope(records)
    return artifact or None


class _Writer:
    """Writes the same hits into any limit."""

    def __init__(
        self, result: RetrievalResult, hits: list[RetrievalHit], form: Form, excerpt_chars: int
    ) -> None:
        self._is_prefix_only = result.layout == "relations"
        self._hits = hits
        self._form = form
        self._excerpt_chars = min(excerpt_chars, EXCERPT_MAX_LENGTH)
        # Hits beyond those that the native form looks at are never displayed.
        self._records = [*form.records, *[None] * (len(hits) - len(form.records))]
        self._texts = [
            show_uncited(hit.text) if record is None else hit.text
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
            # Only shared ids are known before they are displayed, and stand for their content.
            known = record.get("id") if record is not None else None
            if known in shown:
                positions[index] = shown[known]
                continue
            entry = self._entry(len(entries) + 1, index, positions)
            size = len(entry.text) + (len(SEPARATOR) if entries else 0)
            excerpt = len(record[self._form.excerpt_key]) if record is not None else 0
            stopped = self._is_prefix_only and omitted
            full = len(entries) == HIT_COUNT or total + excerpt > EXCERPT_TOTAL_CHARS
            if stopped or full or size > room:
                omitted.add(index if known is None else known)
                continue
            room -= size
            total += excerpt
            entries.append(entry)
            positions[index] = len(entries)
            if known is not None:
                shown[known] = len(entries)
        return _Page(entries, len(omitted - shown.keys()))

    def _entry(
        self,
        position: int,
        index: int,
        positions: dict[int, int],
    ) -> _Entry:
        hit, record = self._hits[index], self._records[index]
        locators = show_locators(hit.dataset_name, hit.page)
        if record is not None:
            excerpt = record[self._form.excerpt_key]
            remark = f" ({CUT})" if excerpt != hit.text else ""
            sealed = self._form.seal(record, position)
            first = f"[{position}]{locators}{remark} {self._form.handle(sealed, position)}"
            return _Entry(f"{first}\n{excerpt}", sealed)
        text = self._texts[index]
        cut = cut_text(text, self._excerpt_chars)
        remarks = [*_remarks(hit, positions), *([CUT] if cut != text else [])]
        return _Entry(f"[{position}]{locators} ({'; '.join(remarks)})\n{cut}", None)


def _remarks(hit: RetrievalHit, positions: dict[int, int]) -> Iterator[str]:
    yield UNCITED
    if hit.evidence is not None:
        named = sorted({positions[index] for index in hit.evidence if index in positions})
        if named:
            yield "evidence: " + ", ".join(f"[{position}]" for position in named)
        else:
            yield "evidence not shown" if hit.evidence else "no document evidence"
