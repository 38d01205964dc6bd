"""How text is made fit for the contract: the rules of contracts/README.md, "Producing"."""

import re

from knowledge_wire.constants import EXCERPT_BLANKS, ONE_LINE_BLANKS, ONE_LINE_EXCLUDED

# CRLF first, so that it gives one line end.
_LINE_ENDS = re.compile("\r\n|[\r\f\v]")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_LINE_BREAKING = re.compile("[" + re.escape(ONE_LINE_EXCLUDED) + "]")
_BLANK_LINES = re.compile("\n[" + re.escape(EXCERPT_BLANKS) + "]*\n")


def normalize_text(text: str) -> str:
    """Return text as an excerpt may hold it; a second pass changes nothing.

    Line ends become LF, other C0 controls but TAB vanish, lone surrogates become U+FFFD, and
    blanks at the ends are trimmed. Nothing else changes: no Unicode normalisation, no tags.
    """
    if not text.isprintable():
        text = _SURROGATES.sub("\ufffd", _CONTROLS.sub("", _LINE_ENDS.sub("\n", text)))
    return text.strip(EXCERPT_BLANKS)


def normalize_line(text: str) -> str:
    """Return text for one line: as `normalize_text`, then each control and line end one space."""
    line = normalize_text(text)
    if not line.isprintable():
        line = _LINE_BREAKING.sub(" ", line)
    return line.strip(ONE_LINE_BLANKS)


def replace_surrogates(text: str) -> str:
    """Return text with each lone surrogate as U+FFFD."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def cut_text(text: str, limit_chars: int) -> str:
    """Return a prefix within the limit that does not end in blanks, nor inside a word if it can.

    A word is left out whole if it starts in the last fifth of the prefix; text without blanks is
    cut anywhere.
    """
    if len(text) <= limit_chars:
        return text
    prefix = text[:limit_chars]
    if text[limit_chars] not in EXCERPT_BLANKS:
        end = max(prefix.rfind(" "), prefix.rfind("\n"))
        prefix = prefix[:end] if end > limit_chars * 4 // 5 else prefix
    return prefix.rstrip(EXCERPT_BLANKS)


def fold_blank_lines(text: str) -> str:
    """Return text without blank lines; a second pass changes nothing."""
    return _BLANK_LINES.sub("\n", text)
