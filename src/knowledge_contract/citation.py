"""Handles: the links by which text points to evidence, and the labels people see.

The shared form is tested before the native one, whose destination is a prefix of it.
Only closed handles count: `](#knowledge-source-<id>)`, brackets included.
"""

import re
from collections.abc import Callable

from knowledge_contract._text import fold_blank_lines, normalize_text
from knowledge_wire.constants import (
    EXCERPT_BLANKS,
    FALLBACK_LABEL,
    LABEL_MAX_CHARS,
    NATIVE_DESTINATION,
    NATIVE_ID_MAX_LENGTH,
    NATIVE_ID_PATTERN,
    NATIVE_LABEL,
    SANITISED_PREFIX,
    SHARED_DESTINATION,
    SHARED_ID_PATTERN,
    SHARED_LABEL,
    SOURCE_ID_MAX_LENGTH,
)

__all__ = [
    "find_native_handles",
    "find_shared_handles",
    "handle_around",
    "make_label",
    "native_handle",
    "shared_handle",
    "shared_tail",
    "show_locators",
    "show_uncited",
    "unlink_handles",
]

_BIDI_CONTROLS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_NOT_IN_LABELS = re.compile(rf"[\[\]|\\`<>\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f{_BIDI_CONTROLS}]")
_BLANKS = re.compile(f"[{re.escape(EXCERPT_BLANKS)}]+")
_SHARED_TAIL = re.compile(rf"\]\({re.escape(SHARED_DESTINATION)}({SHARED_ID_PATTERN})\)")
_NATIVE_TAIL = re.compile(rf"\]\({re.escape(NATIVE_DESTINATION)}({NATIVE_ID_PATTERN})\)")
_ANY_TAIL = re.compile(
    rf"\]\(#(?:{re.escape(SANITISED_PREFIX)})?(?:"
    rf"{re.escape(SHARED_DESTINATION[1:])}({SHARED_ID_PATTERN})"
    rf"|{re.escape(NATIVE_DESTINATION[1:])}({NATIVE_ID_PATTERN}))\)"
)
_LABEL_END = re.compile(r"[\]\n]")
_LONGEST_ID = max(SOURCE_ID_MAX_LENGTH, NATIVE_ID_MAX_LENGTH)
_LONGEST_HANDLE = len(f"](#{SANITISED_PREFIX}{SHARED_DESTINATION})") + _LONGEST_ID
# What text must not end with where a removed handle brings two pieces together: they could
# form a new one.
_OPEN_TAIL = re.compile(r"\](?:\((?:#[a-z0-9-]*)?)?\Z")


def make_label(title: str) -> str:
    """Return a title for display inside a handle or an entry's first line.

    Brackets, vertical bars, backslashes, backticks, angle brackets, controls and bidi controls
    are left out and blanks are folded; never empty, and bounded by `LABEL_MAX_CHARS`.

    >>> make_label("Plan [draft] (v2).pdf")
    'Plan draft (v2).pdf'
    """
    text = _BLANKS.sub(" ", _NOT_IN_LABELS.sub("", title)).strip(" ")
    return text[:LABEL_MAX_CHARS].rstrip(" ") or FALLBACK_LABEL


def show_locators(dataset_name: str | None, page: int | None) -> str:
    """Return what an entry's first line says between position and handle: a blank first, or ''."""
    parts = [make_label(dataset_name)] if dataset_name is not None else []
    if page is not None:
        parts.append(f"p. {page}")
    return " " + ", ".join(parts) if parts else ""


def shared_handle(source_id: str, title: str) -> str:
    """Return the handle that cites a shared record."""
    return f"[{SHARED_LABEL}{make_label(title)}{shared_tail(source_id)}"


def shared_tail(source_id: str) -> str:
    """Return the closed part of a shared handle: what proves evidence in a tool's text."""
    return f"]({SHARED_DESTINATION}{source_id})"


def native_handle(record_id: str, position: int) -> str:
    """Return the handle that cites a native record; its label is the position, from 1."""
    return f"[{NATIVE_LABEL}{position}]({NATIVE_DESTINATION}{record_id})"


def find_shared_handles(text: str, wanted: frozenset[str]) -> dict[str, list[int]]:
    """Return where each wanted id's closed handles end, in one scan; every occurrence counts."""
    return _find(_SHARED_TAIL, text, wanted)


def find_native_handles(text: str, wanted: frozenset[str]) -> dict[str, list[int]]:
    """Return where each wanted native id's closed handles end, as `find_shared_handles`."""
    return _find(_NATIVE_TAIL, text, wanted)


def _find(tail: re.Pattern[str], text: str, wanted: frozenset[str]) -> dict[str, list[int]]:
    ends: dict[str, list[int]] = {}
    for match in tail.finditer(text):
        if match[1] in wanted:
            ends.setdefault(match[1], []).append(match.end())
    return ends


def handle_around(text: str, at: int) -> tuple[int, int] | None:
    """Return start and end, label included, of the handle that a cut at `at` would split."""
    for match in _ANY_TAIL.finditer(text, max(0, at - _LONGEST_HANDLE), at + _LONGEST_HANDLE):
        if match.start() < at < match.end():
            return _opening(text, match.start()), match.end()
    closing = _LABEL_END.search(text, at)
    tail = _ANY_TAIL.match(text, closing.start()) if closing is not None else None
    if tail is None:
        return None
    start = _opening(text, tail.start())
    return (start, tail.end()) if start < at else None


def _opening(text: str, closing: int) -> int:
    """Return where the label before a tail begins; the tail's own start if it has none."""
    start = text.rfind("[", 0, closing)
    return start if start > max(text.rfind(end, 0, closing) for end in "]\n") else closing


def unlink_handles(text: str, *, is_kept: Callable[[str], bool] | None = None) -> str:
    """Return text without handles: whole ones become their labels, halves vanish.

    A label, or what stands around a half, could complete another handle; there a space is put
    between. Linear in the text, and a second pass changes nothing.

    Args:
        text: Anything.
        is_kept: Called with the id of each closed handle in order; those it accepts stay as
            they are. None keeps none.
    """
    if NATIVE_DESTINATION[1:] not in text:
        return text
    pieces = _Pieces()
    at = 0
    for match in _ANY_TAIL.finditer(text):
        if is_kept is not None and is_kept(match[1] or match[2]):
            continue
        before = text[at : match.start()]
        opening = before.rfind("[")
        if opening > max(before.rfind("]"), before.rfind("\n")):
            pieces.add(before[:opening])
            pieces.join(before[opening + 1 :].removeprefix(SHARED_LABEL))
        else:
            pieces.add(before)
        pieces.join("")
        at = match.end()
    pieces.add(text[at:])
    return pieces.text()


def show_uncited(text: str) -> str:
    """Return normalised text as it is displayed without a citation: no handle, no blank line."""
    return normalize_text(fold_blank_lines(unlink_handles(text)))


class _Pieces:
    """Text that grows, and never lets a removed handle's two sides form a new one."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._joined = False

    def add(self, part: str) -> None:
        if part and self._joined and _OPEN_TAIL.search(self._tail()):
            self._parts.append(" ")
        if part:
            self._parts.append(part)
            self._joined = False

    def join(self, part: str) -> None:
        self._joined = True
        self.add(part)
        self._joined = True

    def _tail(self) -> str:
        tail = ""
        for part in reversed(self._parts):
            tail = part[-_LONGEST_HANDLE:] + tail
            if len(tail) >= _LONGEST_HANDLE:
                break
        return tail[-_LONGEST_HANDLE:]

    def text(self) -> str:
        return "".join(self._parts)
