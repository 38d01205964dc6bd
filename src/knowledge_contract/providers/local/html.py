"""HTML to blocks: what a page shows, without scripts, styles, comments and navigation."""

import re
from collections.abc import Iterator, Mapping

from knowledge_contract._text import normalize_text
from knowledge_contract.errors import UnavailableError
from knowledge_contract.providers.local.records import Block, Title, Unusable
from knowledge_wire.constants import ONE_LINE_MAX_LENGTH

_FEED_BYTES = 65_536
_DEPTH_LIMIT = 500
"""No page is nested like this, and beyond it the parser's time grows with the depth."""
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LINES = frozenset({"dd", "dt", "li"})
_BLOCKS = frozenset({*_LINES, *_HEADINGS, "address", "article", "aside", "blockquote", "body"}) | {
    *("caption", "details", "dialog", "div", "dl", "fieldset", "figcaption", "figure"),
    *("footer", "form", "header", "hr", "main", "ol", "p", "pre", "section", "summary"),
    *("table", "ul"),
}
# `rt` and `rp`: readings of characters, which would stand within the words.
_LEFT_OUT = frozenset({"audio", "button", "canvas", "iframe", "math", "nav", "noscript"}) | {
    *("object", "rp", "rt", "script", "select", "style", "svg", "template", "textarea", "video"),
}
_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SPACES = re.compile(r"[ \t\n\r\f]+")
_LINE_END_SPACES = re.compile(r" *\n *")


def read_html(text: str) -> Iterator[Title | Block]:
    """Return title and blocks: the title element's text, else that of the first heading.

    Cells of a table are parted by tabs, its rows by line ends.

    Raises:
        Unusable: elements are nested more than 500 deep.
        UnavailableError: lxml is not installed.
    """
    try:
        # Of an extra, and without types of its own.
        from lxml import etree  # type: ignore[import-untyped]  # noqa: PLC0415 - see above
    except ImportError:
        raise UnavailableError(
            "reading HTML needs lxml: install knowledge-contract[local]"
        ) from None
    page = _Page()
    parser = etree.HTMLParser(target=page, encoding="utf-8")
    data = text.encode("utf-8", "replace")
    first_heading = ""
    for at in range(0, len(data), _FEED_BYTES):
        parser.feed(data[at : at + _FEED_BYTES])
        yield from page.take()
        first_heading = first_heading or page.first_heading
    if data:
        parser.close()
    yield from page.take()
    if first_heading := first_heading or page.first_heading:
        yield Title(first_heading)


class _Page:
    """What lxml tells about one page, as blocks; lxml calls all methods but `take`."""

    def __init__(self) -> None:
        self.first_heading = ""
        self._ready: list[Title | Block] = []
        self._parts: list[str] = []
        self._depth = 0
        self._left_out_from = 0
        self._gap = "\n\n"
        self._level = 0
        self._tables = 0
        self._pre = 0
        self._is_title = False

    def take(self) -> list[Title | Block]:
        """Return what became ready since the last call."""
        if self._depth > _DEPTH_LIMIT:
            raise Unusable("nested too deeply")
        ready, self._ready = self._ready, []
        return ready

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEPTH_LIMIT or self._left_out_from:
            return
        if tag in _LEFT_OUT or _is_hidden(attributes):
            self._left_out_from = self._depth
        elif tag == "title":
            self._flush()
            self._is_title = True
        elif tag == "br":
            self._parts.append("\n")
        elif tag in _BLOCKS and (not self._tables or tag == "table"):
            self._open(tag)

    def end(self, tag: str) -> None:
        depth = self._depth
        if depth > _DEPTH_LIMIT:
            # Stays too deep, so that `take` sees it.
            return
        self._depth -= 1
        if self._left_out_from:
            if depth == self._left_out_from:
                self._left_out_from = 0
        elif tag == "title" and self._is_title:
            self._end_title()
        elif self._tables and tag in ("td", "th", "tr"):
            self._parts.append("\n" if tag == "tr" else "\t")
        elif tag in _BLOCKS:
            self._close(tag)

    def data(self, data: str) -> None:
        if self._left_out_from or self._depth > _DEPTH_LIMIT:
            return
        self._parts.append(data if self._pre else _SPACES.sub(" ", data))

    def comment(self, text: str) -> None:
        """Leave it out."""

    def close(self) -> None:
        self._flush()

    def _open(self, tag: str) -> None:
        if not self._tables:
            self._flush()
        self._gap = "\n" if tag in _LINES else "\n\n"
        self._level = _HEADINGS.get(tag, 0)
        self._pre += tag == "pre"
        self._tables += tag == "table"

    def _close(self, tag: str) -> None:
        if self._tables:
            # Blocks inside a cell stay parts of its row.
            self._parts.append(" ")
            if tag != "table" or self._tables > 1:
                self._tables -= tag == "table"
                return
        self._flush()
        self._level = 0
        self._tables -= tag == "table"
        self._pre -= tag == "pre" and self._pre > 0

    def _end_title(self) -> None:
        title = _one_line("".join(self._parts))
        self._parts = []
        self._is_title = False
        if title:
            self._ready.append(Title(title))

    def _flush(self) -> None:
        text = "".join(self._parts)
        self._parts = []
        if not self._pre:
            text = _table_text(text) if self._tables else _flowing_text(text)
        text = normalize_text(text)
        if not text:
            return
        heading = _one_line(text[:ONE_LINE_MAX_LENGTH]) if self._level else ""
        self.first_heading = self.first_heading or heading
        is_whole = bool(self._pre or self._tables)
        self._ready.append(
            Block(text, self._gap, level=self._level, heading=heading, is_whole=is_whole)
        )
        self._gap = "\n\n"


def _is_hidden(attributes: Mapping[str, str]) -> bool:
    return "hidden" in attributes or bool(_HIDING_STYLE.search(attributes.get("style", "")))


def _one_line(text: str) -> str:
    return _SPACES.sub(" ", text).strip()


def _flowing_text(text: str) -> str:
    return _LINE_END_SPACES.sub("\n", re.sub(" {2,}", " ", text))


def _table_text(text: str) -> str:
    rows = ("\t".join(map(_one_line, row.split("\t"))).strip() for row in text.split("\n"))
    return "\n".join(filter(None, rows))
