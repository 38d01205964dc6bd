"""A document's blocks to chunks, along the document's own structure.

A heading starts a chunk once the one before has some text; small blocks share a chunk; a block
that is too long is cut at the end of a sentence, else of a line, else between words.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from knowledge_contract._text import normalize_text
from knowledge_contract.providers.local.records import Block, Chunk

_SENTENCE_END = re.compile(
    "[.!?\u2026][\"'\u2019\u201d\u00bb)\\]]*(?=\\s)"
    "|[\u3002\uff01\uff1f\uff61][\u300d\u300f\u3011\u2019\u201d\uff09)\\]]*"
    "|\n(?=[ \t]*\n)"
)
_JOINERS = "\u200d\ufe0e\ufe0f"
_MARKS_LIMIT = 32
"""No letter carries more marks; text that is made of marks is cut anywhere."""
_WHOLE_FACTOR = 2
# A heading takes what follows it along: at most a whole code block.
_HEADED_FACTOR = 1 + _WHOLE_FACTOR
_SHORT_SHARE = 4
"""A chunk shorter than this part of the target goes on past a heading."""


def chunk_blocks(blocks: Iterable[Block], *, chunk_chars: int) -> Iterator[Chunk]:
    """Return chunks in reading order; together they hold every block's text once.

    Args:
        blocks: Of one document.
        chunk_chars: The size a chunk aims for. Longer ones: a heading with what follows it, and
            a code block or table up to twice the size; never more than three times the size.
    """
    draft = _Draft()
    for block in blocks:
        if draft.must_end_before(block, chunk_chars // _SHORT_SHARE):
            yield from draft.take()
        draft.enter(block)
        gap = block.gap or ""
        for piece in _pieces(block, chunk_chars):
            limit = chunk_chars if draft.has_body else chunk_chars * _HEADED_FACTOR
            if draft.size + len(gap) + len(piece) > limit:
                yield from draft.take()
            draft.add(piece, gap, is_body=not block.level)
            gap = ""
    yield from draft.take()


class _Draft:
    """The chunk that grows."""

    def __init__(self) -> None:
        self.size = 0
        self.has_body = False
        self._parts: list[str] = []
        self._page: int | None = None
        self._trail: list[tuple[int, str]] = []
        self._headings = ""

    def must_end_before(self, block: Block, short_chars: int) -> bool:
        if block.gap is None or block.page != self._page:
            return True
        return block.level > 0 and self.has_body and self.size >= short_chars

    def enter(self, block: Block) -> None:
        """Note where the block stands."""
        self._page = block.page
        if block.level:
            outer = [(level, text) for level, text in self._trail if level < block.level]
            self._trail = [*outer, (block.level, block.heading)]

    def add(self, piece: str, gap: str, *, is_body: bool) -> None:
        if self._parts:
            self._parts.append(gap)
            self.size += len(gap)
        self._parts.append(piece)
        self.size += len(piece)
        if not self.has_body:
            self._headings = "\n".join(text for _, text in self._trail)
        self.has_body = self.has_body or is_body

    def take(self) -> Iterator[Chunk]:
        """Return the chunk, if it holds text, and start anew."""
        text = normalize_text("".join(self._parts))
        if text:
            yield Chunk(text, self._page, self._headings)
        self._parts = []
        self.size = 0
        self.has_body = False


def _pieces(block: Block, chunk_chars: int) -> Iterator[str]:
    limit = chunk_chars * _WHOLE_FACTOR if block.is_whole else chunk_chars
    if len(block.text) <= limit:
        yield block.text
        return
    at = 0
    find_cut = _line_cut if block.is_whole else _sentence_cut
    while len(block.text) - at > chunk_chars:
        cut = find_cut(block.text, at, at + chunk_chars)
        yield block.text[at:cut]
        at = cut
    yield block.text[at:]


def _sentence_cut(text: str, start: int, end: int) -> int:
    # One character more, so that a blank after the last full stop is seen.
    ends = [match.end() for match in _SENTENCE_END.finditer(text, start, end + 1)]
    fitting = [cut for cut in ends if start < cut <= end]
    return fitting[-1] if fitting else _line_cut(text, start, end)


def _line_cut(text: str, start: int, end: int) -> int:
    for separator in ("\n", " "):
        cut = text.rfind(separator, start, end) + 1
        if cut > start:
            return cut
    # Never between a letter and its marks.
    for cut in range(end, max(start, end - _MARKS_LIMIT), -1):
        if not unicodedata.combining(text[cut]) and text[cut] not in _JOINERS:
            return cut
    return end
