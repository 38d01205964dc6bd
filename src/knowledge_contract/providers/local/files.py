"""Files to text: opened without following links, bounded, and decoded or refused."""

import codecs
import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path, PurePosixPath
from typing import NamedTuple, TypeAlias

from knowledge_contract._text import normalize_text
from knowledge_contract.providers.local.chunking import chunk_blocks
from knowledge_contract.providers.local.html import read_html
from knowledge_contract.providers.local.markdown import read_markdown
from knowledge_contract.providers.local.pdf import read_pdf
from knowledge_contract.providers.local.plain import read_plain
from knowledge_contract.providers.local.records import (
    Block,
    Chunk,
    Settings,
    Stamp,
    Title,
    Unusable,
)

_TextReader: TypeAlias = Callable[[str], Iterator[Title | Block]]

_TEXT_READERS: dict[str, _TextReader] = {
    ".htm": read_html,
    ".html": read_html,
    ".markdown": read_markdown,
    ".md": read_markdown,
    ".text": read_plain,
    ".txt": read_plain,
    ".xhtml": read_html,
}
_PDF = ".pdf"

_ENCODINGS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    # A pipe that took a file's place must not block, a link must not lead elsewhere.
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
)


class Document(NamedTuple):
    """What a file holds: its own title, if it has one, and at least one chunk."""

    title: str | None
    chunks: list[Chunk]


def is_document(path: str) -> bool:
    """Return whether the name says that the file is of a kind that is read."""
    suffix = PurePosixPath(path).suffix.lower()
    return suffix == _PDF or suffix in _TEXT_READERS


def stamp_of(status: os.stat_result) -> Stamp:
    """Return what tells one state of a file from another."""
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


@contextmanager
def open_document(path: Path, settings: Settings) -> Iterator[BufferedReader]:
    """Open a regular file that is small enough.

    Raises:
        Unusable: it is none, or cannot be opened.
    """
    try:
        stream = os.fdopen(os.open(path, _OPEN_FLAGS), "rb")
    except OSError:
        raise Unusable("cannot be opened") from None
    with stream:
        status = os.fstat(stream.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise Unusable("not a regular file")
        if status.st_size > _limit_bytes(path, settings):
            raise Unusable("too large")
        yield stream


def hash_document(stream: BufferedReader) -> bytes:
    """Return the SHA-256 of the whole file, and go back to its start."""
    try:
        digest = hashlib.file_digest(stream, "sha256").digest()
        stream.seek(0)
    except OSError:
        raise Unusable("cannot be opened") from None
    return digest


def read_document(stream: BufferedReader, path: Path, settings: Settings) -> Document:
    """Return a document's title and chunks.

    Args:
        stream: At the file's start.
        path: Its name tells the kind of document.
        settings: Bounds.

    Raises:
        Unusable: nothing can be cited from it; carries the reason.
        UnavailableError: a library of the extra `local` is missing.
    """
    if path.suffix.lower() == _PDF:
        items = read_pdf(stream, page_limit=settings.page_limit)
    else:
        read = _TEXT_READERS[path.suffix.lower()]
        items = read(normalize_text(_decode(_read_bytes(stream, settings))))
    titles: list[str] = []
    blocks = _bounded(_without_titles(items, titles), settings.document_limit_chars)
    chunks = list(chunk_blocks(blocks, chunk_chars=settings.chunk_chars))
    if not chunks:
        raise Unusable("no text")
    return Document(titles[0] if titles else None, chunks)


def _limit_bytes(path: Path, settings: Settings) -> int:
    is_pdf = path.suffix.lower() == _PDF
    return settings.pdf_limit_bytes if is_pdf else settings.text_limit_bytes


def _read_bytes(stream: BufferedReader, settings: Settings) -> bytes:
    try:
        data = stream.read(settings.text_limit_bytes + 1)
    except OSError:
        raise Unusable("cannot be opened") from None
    # It may have grown since it was opened.
    if len(data) > settings.text_limit_bytes:
        raise Unusable("too large")
    return data


def _decode(data: bytes) -> str:
    encoding = next((name for mark, name in _ENCODINGS if data.startswith(mark)), "utf-8")
    if encoding != "utf-16" and b"\0" in data:
        raise Unusable("binary")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        raise Unusable("not UTF-8 or UTF-16") from None
    if "\0" in text:
        raise Unusable("binary")
    return text


def _without_titles(items: Iterator[Title | Block], titles: list[str]) -> Iterator[Block]:
    """Return the blocks; the first title goes into `titles`."""
    for item in items:
        if isinstance(item, Block):
            yield item
        elif not titles:
            titles.append(item.text)


def _bounded(blocks: Iterator[Block], limit_chars: int) -> Iterator[Block]:
    total = 0
    for block in blocks:
        total += len(block.text)
        if total > limit_chars:
            raise Unusable("too large")
        yield block
