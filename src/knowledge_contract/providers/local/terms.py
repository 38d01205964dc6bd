"""Text to search terms, the same way for documents and queries.

Words are case-folded and lose their accents. Chinese, Japanese and Korean are written without
reliable spaces, so their runs become overlapping pairs: a run of n characters gives n - 1
pairs, and in documents its last character too, so that every character starts one term and a
prefix finds it.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

_PAIRED = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3041-\u3096\u309d-\u309f\u30a1-\u30fa"
    "\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\U0001aff0-\U0001b16f\U00020000-\U000323af"
)
_PAIRED_RUN = re.compile(f"[{_PAIRED}]+")
# Lines of Chinese and Japanese are broken anywhere, also within a word, and any part of a word
# is emphasised. A blank without width parts words elsewhere, in Thai and Khmer text.
_BROKEN_RUN = re.compile(rf"(?<=[{_PAIRED}])(?:[ \t]*\n[ \t]*|[*\u200b]+)(?=[{_PAIRED}])")
_ACCENTS = re.compile("[\u0300-\u036f\u0591-\u05c7\u064b-\u065f]")
_LINE_HYPHEN = re.compile(r"-\n[ \t]*([^\W\d_]+)")
_LETTERS_AT_END = re.compile(r"[^\W\d_]+\Z")
_HALF_CHARS = 40
"""What is looked at before a hyphen: no word's first half is longer."""
# Soft hyphens, and what chooses among a character's forms.
_UNSEEN = re.compile("[\u00ad\ufe00-\ufe0f\U000e0100-\U000e01ef]")


class QueryTerm(NamedTuple):
    """One term that a query looks for; a prefix where a single character was asked for."""

    text: str
    is_prefix: bool = False


def document_terms(text: str) -> str:
    """Return the text's terms, parted by blanks, as the index stores them.

    ASCII text is returned as it is, because the index parts and folds it by itself.

    >>> document_terms("Die Bücher: 図書館")
    'die bucher 図書 書館 館'
    """
    if joined := " ".join(_hyphenated_words(text)):
        text = f"{text}\n{joined}"
    return text if text.isascii() else " ".join(_document_terms(text))


def query_terms(query: str) -> list[QueryTerm]:
    """Return the query's terms, each once, in order.

    >>> query_terms("Zoë 館")
    [QueryTerm(text='zoe', is_prefix=False), QueryTerm(text='館', is_prefix=True)]
    """
    return list(dict.fromkeys(_query_terms(query)))


def _hyphenated_words(text: str) -> Iterator[str]:
    """Return words that a hyphen and a line end cut in two, whole."""
    for match in _LINE_HYPHEN.finditer(text) if "-\n" in text else ():
        before = text[max(0, match.start() - _HALF_CHARS) : match.start()]
        if half := _LETTERS_AT_END.search(before):
            yield half[0] + match[1]


def _document_terms(text: str) -> Iterator[str]:
    for run, is_paired in _runs(text):
        if is_paired:
            yield from (run[at : at + 2] for at in range(len(run)))
        else:
            yield run


def _query_terms(query: str) -> Iterator[QueryTerm]:
    for run, is_paired in _runs(query):
        if is_paired and len(run) == 1:
            yield QueryTerm(run, is_prefix=True)
        elif is_paired:
            yield from (QueryTerm(run[at : at + 2]) for at in range(len(run) - 1))
        else:
            yield QueryTerm(run)


def _runs(text: str) -> Iterator[tuple[str, bool]]:
    """Return runs of word characters, and whether each is one of paired characters."""
    for match in _word_pattern().finditer(_BROKEN_RUN.sub("", _fold(text))):
        word = match[0]
        at = 0
        for paired in () if word.isascii() else _PAIRED_RUN.finditer(word):
            if paired.start() > at:
                yield word[at : paired.start()], False
            yield paired[0], True
            at = paired.end()
        if at < len(word):
            yield word[at:], False


def _fold(text: str) -> str:
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", _UNSEEN.sub("", text)).casefold()
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", folded)))


@cache
def _word_pattern() -> re.Pattern[str]:
    # `\w` lacks the marks that stand inside words of Indian and South-East Asian scripts.
    marks = (chr(code) for code in range(0x300, 0x10000))
    inside = "".join(mark for mark in marks if unicodedata.category(mark).startswith("M"))
    return re.compile(rf"(?:[^\W_]|[{re.escape(inside)}])+")
