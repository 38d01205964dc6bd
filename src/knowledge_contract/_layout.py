"""The words and marks of a tool's text that one module writes and another recognises."""

import re

__all__ = [
    "CUT",
    "LAYOUT_KEY",
    "OUTSIDE_MARKS",
    "RELATIONS",
    "SEPARATOR",
    "UNCITED",
    "omission_notice",
    "read_notice",
]

SEPARATOR = "\n\n"
"""What parts entries: one blank line, which nothing outside proven excerpts holds."""

UNCITED = "no source to cite"
"""What the first line of an entry without a citation says, in its closing parentheses."""

CUT = "cut"
"""What the first line of an entry says where not all of its text is shown."""

LAYOUT_KEY = "knowledge_layout"
"""The artifact's key that names how entries depend on each other; not a reserved one."""

RELATIONS = "relations"
"""Entries name earlier ones by position, so that text is only ever cut at its end."""


def omission_notice(omitted: int) -> str:
    """Return the line that says how many entries, at least one, are missing."""
    return f"{omitted} more result{'s' if omitted > 1 else ''} left out to fit the limit."


OUTSIDE_MARKS = ("Other text was left out to fit the limit.", "\u2026")
"""What stands where all text outside entries was left out; the first that fits."""

_NOTICE = re.compile(r"([1-9][0-9]{0,5}) more results? left out to fit the limit\.")


def read_notice(line: str) -> int:
    """Return how many entries a line says are missing; 0 if it says nothing of it."""
    found = _NOTICE.fullmatch(line)
    return int(found[1]) if found is not None else 0
