"""Take a tool's text apart: entries that can be kept or dropped, and what stands outside them.

From left to right, each proven excerpt skipped whole: an excerpt may hold anything, other
entries and handles too, and none of it counts.

Source:
    contracts/README.md, "Producing" and "Reading a tool message".
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from knowledge_contract._layout import SEPARATOR, UNCITED
from knowledge_contract._text import fold_blank_lines
from knowledge_contract.citation import unlink_handles
from knowledge_contract.reading import NATIVE_COMPARISONS, Evidence
from knowledge_wire.constants import (
    NATIVE_DESTINATION,
    NATIVE_ENTRY_GAP_CHARS,
    NATIVE_ID_MAX_LENGTH,
    SHARED_DESTINATION,
    SOURCE_ID_MAX_LENGTH,
)

__all__ = ["Entry", "Parts", "find_entries"]

_POSITION = re.compile(r"\[[0-9]+\] ")
_NUMBERED = re.compile(r"(?:\A|\n\n)\[[0-9]+\]")
_REMARK = f"({UNCITED}"
# What every closed handle starts with, and what stands between that and the id.
_MARK = f"]({NATIVE_DESTINATION}"
_TARGETS = {"shared": SHARED_DESTINATION.removeprefix(NATIVE_DESTINATION), "native": ""}
_LONGEST_TARGET = max(len(_TARGETS["shared"]) + SOURCE_ID_MAX_LENGTH, NATIVE_ID_MAX_LENGTH)
# What `Entry(...)` calls in the end; the function between costs as much as it does.
_new = tuple.__new__


class Entry(NamedTuple):
    """An entry as it may be kept: without any handle but its own.

    Attributes:
        chars: Code points of its first line and its excerpt, without what parts it from others.
        start: Where it starts in the text.
        cleaned: Its text where it is not that of the message, having lost handles.
        evidence: What its handle names; None for an entry without a citation.
    """

    chars: int
    start: int
    cleaned: str | None
    evidence: Evidence | None

    def shown(self, text: str) -> str:
        """Return the entry's own text, given the message's."""
        return text[self.start : self.start + self.chars] if self.cleaned is None else self.cleaned


class Parts(NamedTuple):
    """A text taken apart.

    Attributes:
        entries: In the order of the text.
        outside: All else in order, handles included, each piece behind the number of entries
            that stand before it.
    """

    entries: list[Entry]
    outside: list[tuple[int, str]]

    def unbroken(self) -> int:
        """Return how many entries stand before the first that proves nothing but is numbered."""
        broken = (count for count, piece in self.outside if _NUMBERED.search(piece) is not None)
        return next(broken, len(self.entries))


def find_entries(text: str, evidence: Sequence[Evidence]) -> Parts:
    """Return the entries of a tool's text.

    A cited entry is the line with a record's own closed handle and the excerpt right below it.
    An uncited one is a paragraph whose first line has a position and says that it is uncited.

    Args:
        text: The text that was read.
        evidence: What was read from it.
    """
    parts = Parts([], [])
    at = 0
    for entry, end in _cited(text, evidence):
        # Most entries stand one behind the other.
        if entry.start - at != len(SEPARATOR) or not text.startswith(SEPARATOR, at):
            _add_between(text, at, entry.start, parts)
        parts.entries.append(entry)
        at = end
    _add_between(text, at, len(text), parts)
    return parts


def _cited(text: str, evidence: Sequence[Evidence]) -> Iterator[tuple[Entry, int]]:
    """Yield the cited entries, each with where it ends."""
    wanted = {_TARGETS[each.form] + str(each.record["id"]): each for each in evidence}
    tries: dict[str, int] = {}
    at = search = 0
    while (handle := text.find(_MARK, search)) >= 0:
        search = handle + len(_MARK)
        closing = text.find(")", search, search + _LONGEST_TARGET + 1)
        # Ids that are wanted are well formed, so that no pattern has to tell.
        target = text[search:closing] if closing >= 0 else ""
        proven = wanted.get(target)
        if proven is None:
            continue
        search = closing + 1
        line_end, excerpt_end = _below(text, search, proven, target, tries)
        if excerpt_end < 0:
            continue
        start = max(at, text.rfind("\n", at, handle) + 1)
        at = excerpt_end
        cleaned = None
        if text.count("](#", start, line_end) > 1:
            before = unlink_handles(text[start:handle])
            after = unlink_handles(text[search:line_end])
            cleaned = f"{before}{text[handle:search]}{after}{text[line_end:at]}"
        chars = at - start if cleaned is None else len(cleaned)
        yield _new(Entry, (chars, start, cleaned, proven)), at
        search = at


def _below(
    text: str, handle_end: int, proven: Evidence, target: str, tries: dict[str, int]
) -> tuple[int, int]:
    """Return where a handle's line ends, and the excerpt below it; -1 if that is another."""
    excerpt: Any
    if proven.form == "shared":
        line_end, excerpt = handle_end, proven.record["excerpt"]
    else:
        excerpt = proven.record["text"]
        # A native id is no hash, so that a text may tease with its handle without end.
        tries[target] = tries.get(target, 0) + 1
        if tries[target] > 1 + NATIVE_COMPARISONS * len(text) // len(excerpt):
            return -1, -1
        line_end = text.find("\n", handle_end, handle_end + NATIVE_ENTRY_GAP_CHARS + 1)
    is_line = line_end >= 0 and text.startswith("\n", line_end)
    if not is_line or not text.startswith(excerpt, line_end + 1):
        return -1, -1
    return line_end, line_end + 1 + len(excerpt)


def _add_between(text: str, at: int, stop: int, parts: Parts) -> None:
    """Sort a stretch of text that holds no cited entry."""
    for start, end in _uncited(text, at, stop):
        _add_outside(text, at, start, parts)
        whole = text[start:end].rstrip("\n")
        plain = _unlinked(whole)
        cleaned = None if plain == whole else plain
        parts.entries.append(Entry(len(plain), start, cleaned, None))
        at = end
    _add_outside(text, at, stop, parts)


def _add_outside(text: str, at: int, stop: int, parts: Parts) -> None:
    # Not cut off afterwards, because the stretch may be the longest part of the text.
    at += len(SEPARATOR) if text.startswith(SEPARATOR, at, stop) else 0
    stop -= len(SEPARATOR) if text.endswith(SEPARATOR, at, stop) else 0
    if at < stop:
        parts.outside.append((len(parts.entries), text[at:stop]))


def _uncited(text: str, first: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield where the uncited entries of a stretch start and end."""
    # Most prose holds no bracket, which is found faster than a remark.
    if text.find("[", first, stop) < 0:
        return
    at = first
    while (remark := text.find(_REMARK, at, stop)) >= 0:
        start = max(at, text.rfind("\n", at, remark) + 1)
        at = text.find("\n", remark, stop)
        if at < 0:
            return
        is_paragraph = start == first or text.endswith(SEPARATOR, first, start)
        if is_paragraph and _POSITION.match(text, start) and text[at - 1] == ")":
            end = text.find(SEPARATOR, at, stop)
            at = stop if end < 0 else end
            yield start, at


def _unlinked(text: str) -> str:
    plain = unlink_handles(text)
    # A handle that stood on a line of its own would leave a blank one, which ends an entry.
    return text if plain == text else fold_blank_lines(plain)
