"""Plain text to blocks: paragraphs are parted by blank lines."""

import re
from collections.abc import Iterator

from knowledge_contract.providers.local.records import Block

_GAP = re.compile(r"\n[ \t]*\n\s*")


def read_plain(text: str, *, page: int | None = None) -> Iterator[Block]:
    """Return the paragraphs of a text, or of one page."""
    at = 0
    gap = "\n\n"
    for match in _GAP.finditer(text):
        if match.start() > at:
            yield Block(text[at : match.start()], gap, page)
        at, gap = match.end(), match[0]
    if at < len(text):
        yield Block(text[at:], gap, page)
