"""Take secrets out of text, in every spelling that a server is likely to echo.

A secret is found raw, percent-encoded, JSON-escaped and as Python shows text and bytes, character
by character, so that a mixture of spellings is found too; not found are HTML entities and
anything encoded twice.
Found places that overlap or touch become one marker.
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import count, groupby

from knowledge_contract._text import normalize_line, normalize_text

__all__ = ["redact", "redactor"]

_MARKER = "[redacted]"
_FULL_BLOCK = 0x2588
"""The first character to try where a secret could form anew around the readable marker."""
_SHORT = {
    '"': '\\"',
    "'": "\\'",
    "/": "\\/",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
}


def redact(text: str, secrets: Iterable[str]) -> str:
    """Return `text` without any of `secrets`; a second pass changes nothing.

    Args:
        text: Normalised text.
        secrets: Blank ones are ignored; blanks at their ends are not part of them.
    """
    return redactor(secrets)(text)


def redactor(secrets: Iterable[str]) -> Callable[[str], str]:
    """Return a function that redacts the same secrets from many texts."""
    if isinstance(secrets, str):
        raise TypeError("secrets is a collection of texts, not one text")
    wanted = frozenset(filter(None, (secret.strip() for secret in secrets)))
    if not wanted:
        return _unchanged
    searches, marker = _compiled(wanted)
    return lambda text: _replace(text, searches, marker)


def _unchanged(text: str) -> str:
    return text


@lru_cache(maxsize=64)
def _compiled(secrets: frozenset[str]) -> tuple[tuple[re.Pattern[str], ...], str]:
    # A text is searched after it was normalised, so a secret is looked for as both give it.
    forms = {form for secret in secrets for form in _forms(secret) if form}
    patterns = sorted(map(_pattern, forms))
    # Look-ahead finds occurrences that overlap each other.
    return tuple(re.compile(f"(?=({pattern}))") for pattern in patterns), _marker_for(forms)


def _forms(secret: str) -> tuple[str, ...]:
    return secret, normalize_text(secret), normalize_line(secret)


def _pattern(form: str) -> str:
    return "".join(
        f"(?:\\\\u005[cC]|\\\\x5[cC]|%5[cC]|\\\\){{{len(run)},{2 * len(run)}}}"
        # A run of backslashes may be escaped or not, each on its own: to try both for each would
        # take exponential time.
        if char == "\\"
        else _any_spelling(char) * len(run)
        for char, run in ((char, list(run)) for char, run in groupby(form))
    )


def _any_spelling(char: str) -> str:
    try:
        encoded = char.encode()
    except UnicodeEncodeError:
        return re.escape(char)
    units = char.encode("utf-16-be")
    percent = "".join(f"%{_hex(byte, 2)}" for byte in encoded)
    escaped = "".join(
        rf"\\u{_hex(int.from_bytes(units[at : at + 2], 'big'), 4)}"
        for at in range(0, len(units), 2)
    )
    shown = "".join(rf"\\x{_hex(byte, 2)}" for byte in encoded)
    spellings = [re.escape(char), percent, escaped, shown]
    if char in _SHORT:
        spellings.insert(0, re.escape(_SHORT[char]))
    if char == " ":
        spellings.append(r"\+")
    return f"(?:{'|'.join(spellings)})"


def _hex(number: int, digits: int) -> str:
    return "".join(
        f"[{digit}{digit.upper()}]" if digit.isalpha() else digit
        for digit in f"{number:0{digits}x}"
    )


def _marker_for(forms: set[str]) -> str:
    letters = set("".join(forms))
    if letters.isdisjoint("[]") and not any(form in _MARKER for form in forms):
        return _MARKER
    # No secret holds this character, so that none can span what stands beside it.
    return next(char for char in map(chr, count(_FULL_BLOCK)) if char not in letters)


def _replace(text: str, searches: tuple[re.Pattern[str], ...], marker: str) -> str:
    spans = sorted(match.span(1) for search in searches for match in search.finditer(text))
    if not spans:
        return text
    pieces: list[str] = []
    kept = 0
    start, end = spans[0]
    for low, high in spans[1:]:
        if low > end:
            pieces += [text[kept:start], marker]
            kept, start = end, low
        end = max(end, high)
    pieces += [text[kept:start], marker, text[end:]]
    return "".join(pieces)
