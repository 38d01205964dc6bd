"""Markdown to blocks, by the CommonMark parser's own idea of where each one ends."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from knowledge_contract.providers.local.records import Block, Title
from knowledge_wire.constants import ONE_LINE_MAX_LENGTH

_WINDOW_CHARS = 65_536
"""Parsed at once, because tokens take a hundred times the memory of short lines."""
_FRONT_MATTER = re.compile(r"(---|\+\+\+)[ \t]*\n(?:(.*?)\n)??\1[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE_LINE = re.compile(r"^title[ \t]*[:=][ \t]*(\S.*)", re.MULTILINE)
_NO_PLAIN_SCALAR = tuple("|>[{&*!#")
_MARKUP = re.compile(r"[\\`*_\[\]<>&!\n]")
_WHOLE = frozenset({"fence", "code_block", "table_open", "html_block"})
_LISTS = frozenset({"bullet_list_open", "ordered_list_open"})


class _Span(NamedTuple):
    """A block's place in the text."""

    start: int
    end: int
    token: Token
    heading: str


def read_markdown(text: str) -> Iterator[Title | Block]:
    """Return title and blocks: the front matter's title, else the first heading of level 1.

    Front matter is no part of the text. Comments are left out, as a page would not show them.
    A block that is longer than 64 Ki code points is read in parts.
    """
    at = 0
    if match := _FRONT_MATTER.match(text):
        at = match.end()
        if title := _front_title(match[2] or ""):
            yield Title(title)
    end: int | None = None
    for span in _spans(text, at):
        if _is_comment(text, span):
            end = None
            continue
        if span.token.tag == "h1" and span.heading:
            yield Title(span.heading)
        gap = text[end : span.start] if end is not None else None
        level = int(span.token.tag[1]) if span.token.type == "heading_open" else 0
        is_whole = span.token.type in _WHOLE
        body = text[span.start : span.end]
        yield Block(body, gap, level=level, heading=span.heading, is_whole=is_whole)
        end = span.end


def _front_title(front: str) -> str:
    match = _TITLE_LINE.search(front)
    value = match[1].rstrip() if match else ""
    if value.startswith(_NO_PLAIN_SCALAR):
        return ""
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        value = value[1:-1]
    return value.strip()


def _is_comment(text: str, span: _Span) -> bool:
    if span.token.type != "html_block":
        return False
    body = text[span.start : span.end].strip()
    return body.startswith("<!--") and body.endswith("-->")


def _spans(text: str, start: int) -> Iterator[_Span]:
    while start < len(text):
        end = start + _WINDOW_CHARS
        end = text.rfind("\n", start, end) + 1 or text.find("\n", end) + 1
        if not end or len(text) - start <= _WINDOW_CHARS:
            end = len(text)
        groups = _groups(text[start:end], start)
        # The last block may go on behind the window, so the next window starts with it.
        if end < len(text) and len(groups) > 1:
            end = groups.pop()[0].start
        for group in groups:
            yield from group
        start = end


def _groups(window: str, offset: int) -> list[list[_Span]]:
    """Return the window's top-level blocks; a list gives one span an item, others one span."""
    starts = [offset]
    for line in window.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    groups: list[list[_Span]] = []
    tokens = _block_parser().parse(window)
    for index, token in enumerate(tokens):
        is_item = token.level == 1 and token.type == "list_item_open"
        if token.map is None or token.nesting < 0 or (token.level and not is_item):
            continue
        if token.level == 0:
            groups.append([])
        if token.type in _LISTS:
            continue
        first, last = token.map
        heading = _plain(tokens[index + 1].content) if token.type == "heading_open" else ""
        body = window[starts[first] - offset : starts[last] - offset].rstrip("\n")
        groups[-1].append(_Span(starts[first], starts[first] + len(body), token, heading))
    return [group for group in groups if group]


def _plain(heading: str) -> str:
    """Return a heading's text, as far as a title goes, without emphasis, links and markup."""
    heading = heading[:ONE_LINE_MAX_LENGTH]
    if not _MARKUP.search(heading):
        return heading
    inline = _inline_parser().parseInline(heading)[0].children or []
    pieces = (" " if token.type.endswith("break") else token.content for token in inline)
    return "".join(pieces).strip()


@cache
def _block_parser() -> MarkdownIt:
    # Definitions of links would vanish from the text; headings are parsed one by one.
    return MarkdownIt("commonmark").enable("table").disable(["inline", "reference"])


@cache
def _inline_parser() -> MarkdownIt:
    return MarkdownIt("commonmark")
