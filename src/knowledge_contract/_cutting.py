"""Shorten text that is no evidence: its start, a mark, its end.

Whole code points, and never a part of a handle. What stands at the very end, such as the path
of a file, is worth more than what stands before it.
"""

from knowledge_contract._text import cut_text
from knowledge_contract.citation import handle_around
from knowledge_wire.constants import EXCERPT_BLANKS

__all__ = ["ELISION", "cut_middle", "shorten"]

ELISION = "\n\u2026\n"
"""What stands where a short text lost its middle."""


def cut_middle(text: str, *, limit_chars: int, head_chars: int, tail_chars: int) -> str:
    """Return a text's start and end with a line between that tells its length.

    Args:
        text: Anything.
        limit_chars: Code points of the whole result, at least 0; text within it stays as it is.
        head_chars: Of its start; both shrink in proportion where the limit allows less.
        tail_chars: Of its end.
    """
    if len(text) <= limit_chars:
        return text
    mark = f"\n[... shortened from {len(text)} characters ...]\n"
    room = limit_chars - len(mark)
    if room < 0:
        return text[: _before_handle(text, limit_chars)]
    # Settings that keep more than there is still lose the mark's room.
    wanted = head_chars + tail_chars
    head = head_chars if wanted <= room else room * head_chars // wanted
    tail = min(tail_chars, room - head)
    start = _after_handle(text, max(head, len(text) - tail))
    return f"{text[: _before_handle(text, head)]}{mark}{text[start:]}"


def shorten(text: str, limit_chars: int) -> str:
    """Return text without its middle if it is longer than the limit; its last line is kept whole.

    If the last line does not fit, its last word is; if that does not fit either, its end.

    Args:
        text: Text without handles and without blanks at its ends.
        limit_chars: Code points, more than the mark between the halves.
    """
    if len(text) <= limit_chars:
        return text
    room = limit_chars - len(ELISION)
    last_line = text[text.rfind("\n") + 1 :]
    last_word = last_line[max(last_line.rfind(blank) for blank in " \t") + 1 :]
    tail = room // 2
    for ending in (last_line, last_word):
        if tail < len(ending) <= room:
            tail = len(ending)
            break
    start = _word_start(text, len(text) - tail)
    return f"{cut_text(text, room - tail)}{ELISION}{text[start:]}"


def _before_handle(text: str, at: int) -> int:
    around = handle_around(text, at)
    return at if around is None else around[0]


def _after_handle(text: str, at: int) -> int:
    around = handle_around(text, at)
    return at if around is None else around[1]


def _word_start(text: str, at: int) -> int:
    """Return where the next word starts if `at` is inside one that ends soon, else `at`."""
    if text[at - 1] in EXCERPT_BLANKS:
        return at
    reach = at + (len(text) - at) // 5
    blanks = [place for blank in " \n" if (place := text.find(blank, at, reach)) >= 0]
    return min(blanks) + 1 if blanks else at
