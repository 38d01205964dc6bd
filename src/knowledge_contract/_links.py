"""Which evidence an answer or a report links to, as CommonMark decides it.

The destination counts, whatever the label says. Images, code and raw HTML are no citations. A
tool's text is never read like this: there the closed handle counts (`citation.py`).

Source:
    contracts/README.md, "Handles".
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from string import ascii_letters, digits
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.common.utils import unescapeAll

from knowledge_contract.reading import Form
from knowledge_wire.constants import (
    NATIVE_DESTINATION,
    NATIVE_ID_PATTERN,
    SANITISED_PREFIX,
    SHARED_DESTINATION,
    SHARED_ID_PATTERN,
)

__all__ = [
    "BRACKET_COUNT",
    "REPORT_CHARS",
    "Link",
    "cut_off",
    "link_of",
    "read_links",
    "replace_destinations",
]

REPORT_CHARS = 1_000_000
"""Code points of an answer or report that are read; what stands behind them cites nothing."""

BRACKET_COUNT = 100_000
"""Opening brackets that are followed, in blocks that may hold a link; the block with the next
one and all behind it cite nothing. Each costs as much as a line of prose."""

_ANY_DESTINATION = re.compile(
    rf"#(?:{re.escape(SANITISED_PREFIX)})?(?:"
    rf"{re.escape(SHARED_DESTINATION[1:])}(?P<shared>{SHARED_ID_PATTERN})"
    rf"|{re.escape(NATIVE_DESTINATION[1:])}(?P<native>{NATIVE_ID_PATTERN}))(?![0-9A-Za-z_-])"
)
"""A destination that names evidence, the shared form first, up to the id's end."""

_CHARACTERS = frozenset(f"#-_{ascii_letters}{digits}")
# One character that a destination may hold, as CommonMark lets it be spelt.
_UNIT = re.compile(r"[#\w-]|\\[#_-]|&#?\w{1,31};", re.ASCII)
_SPELT = re.compile(rf"(?:{_UNIT.pattern}){{20,}}", re.ASCII)

# Every destination holds it, unless an entity spells one of its characters.
_WORD = NATIVE_DESTINATION.strip("#-")
# What only decides how text looks. Links bind tighter than emphasis.
_UNUSED = ("inline", "text_join", "emphasis", "entity", "newline", "balance_pairs")


class Link(NamedTuple):
    """A link to evidence.

    Attributes:
        form: The form that the destination names.
        id: The record's id, whether or not there is such a record.
    """

    form: Form
    id: str


def read_links(text: str) -> tuple[Link, ...]:
    """Return an answer's links to evidence in order, each occurrence of its own.

    Never raises. Time is linear in the text. Only the first `REPORT_CHARS` code points and
    `BRACKET_COUNT` brackets are read; what nests deeper than 20 levels cites nothing.
    """
    if not _may_link(text):
        return ()
    try:
        return tuple(_links(text[:REPORT_CHARS]))
    except Exception:  # noqa: BLE001 - a parser that trips over hostile text finds no citation
        return ()


def link_of(destination: object) -> Link | None:
    """Return the link to evidence that a destination is; None for every other one."""
    found = _ANY_DESTINATION.fullmatch(destination) if isinstance(destination, str) else None
    if found is None:
        return None
    if found["shared"] is not None:
        return Link("shared", found["shared"])
    return Link("native", found["native"])


def _links(text: str) -> Iterator[Link]:
    parser = _parser()
    env: dict[str, Any] = {}
    blocks = [token.content for token in parser.parse(text, env) if token.type == "inline"]
    defined = env.get("references", {}).values()
    has_references = any(link_of(each["href"]) is not None for each in defined)
    brackets = 0
    for content in blocks:
        # Most blocks hold no link, and parsing what stands inside them is what takes the time.
        if "]" not in content or not (has_references or _may_link(content)):
            continue
        brackets += content.count("[")
        if brackets > BRACKET_COUNT:
            return
        children = parser.inline.parse(content, parser, env, [])
        for token in children or []:
            link = link_of(token.attrGet("href")) if token.type == "link_open" else None
            if link is not None:
                yield link


def _may_link(text: str) -> bool:
    return _WORD in text or "&" in text


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").disable(_UNUSED)


def replace_destinations(text: str, change: Callable[[Link], str | None]) -> str:
    """Return a text with other destinations in the place of those that name evidence.

    Those are found wherever they stand, code included, and however their characters are spelt:
    plainly, behind backslashes or as entities. Nothing else changes.

    Args:
        text: Anything.
        change: Called with each link; returns what to write, or None to leave it as it is.
    """

    def settle(found: re.Match[str]) -> str:
        link = link_of(found[0])
        new = change(link) if link is not None else None
        return found[0] if new is None else new

    if "&" not in text and "\\" not in text:
        return _ANY_DESTINATION.sub(settle, text)
    return _SPELT.sub(lambda run: _replace_spelt(run[0], settle), text)


def _replace_spelt(run: str, settle: Callable[[re.Match[str]], str]) -> str:
    """Return a run of characters that a destination may be spelt with, its destinations settled."""
    if "&" not in run and "\\" not in run:
        return _ANY_DESTINATION.sub(settle, run)
    units = list(_UNIT.finditer(run))
    plain = "".join([_plain(unit[0]) for unit in units])
    starts = [*[unit.start() for unit in units], len(run)]
    pieces: list[str] = []
    at = 0
    for found in _ANY_DESTINATION.finditer(plain):
        new = settle(found)
        if new != found[0]:
            pieces += [run[at : starts[found.start()]], new]
            at = starts[found.end()]
    return "".join([*pieces, run[at:]])


def _plain(unit: str) -> str:
    """Return the one character that a unit stands for; a blank if it is none of a destination."""
    if len(unit) == 1:
        return unit
    plain = unescapeAll(unit)
    return plain if len(plain) == 1 and plain in _CHARACTERS else " "


def cut_off(text: str, is_stray: Callable[[Link], bool]) -> str:
    """Return a text whose links to strays lead nowhere, whatever their form."""
    return replace_destinations(text, lambda link: "#" if is_stray(link) else None)
