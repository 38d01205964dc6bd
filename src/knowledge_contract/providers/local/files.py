"""Files to text: opened without following links, bounded, and decoded or refused."""

import codecs
import io
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
_FOLDER_FLAGS = _OPEN_FLAGS | getattr(os, "O_DIRECTORY", 0)


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
def open_folder(folder: Path, prefix: str) -> Iterator[Path | int]:
    """Open a folder below another without following a link on the way.

    Args:
        folder: Resolved.
        prefix: Relative to it; each folder's name ends with `/`.

    Returns:
        A descriptor; where the platform cannot do this, the path.
    """
    if os.open not in os.supports_dir_fd or os.scandir not in os.supports_fd:
        yield folder / prefix
        return
    descriptor = os.open(folder, _FOLDER_FLAGS)
    try:
        for name in prefix.split("/")[:-1]:
            outer, descriptor = descriptor, os.open(name, _FOLDER_FLAGS, dir_fd=descriptor)
            os.close(outer)
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def open_document(folder: Path, path: str, settings: Settings) -> Iterator[BufferedReader]:
    """Open a regular file that is small enough, at a path relative to the folder.

    Raises:
        Unusable: it is none, or cannot be opened.
    """
    try:
        stream = os.fdopen(_open_file(folder, path), "rb")
    except OSError:
        raise Unusable("cannot be opened") from None
    with stream:
        status = os.fstat(stream.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise Unusable("not a regular file")
        if status.st_size > _limit_bytes(path, settings):
            raise Unusable("too large")
        yield stream


def read_content(stream: BufferedReader, path: str, settings: Settings) -> bytes:
    """Return what the file holds; read once, so that hash and text are of the same state.

    Raises:
        Unusable: it cannot be read, or grew too large.
    """
    limit_bytes = _limit_bytes(path, settings)
    try:
        content = stream.read(limit_bytes + 1)
    except OSError:
        raise Unusable("cannot be opened") from None
    # It may have grown since it was opened.
    if len(content) > limit_bytes:
        raise Unusable("too large")
    return content


def read_document(content: bytes, path: str, settings: Settings) -> Document:
    """Return a document's title and chunks.

    Args:
        content: The whole file.
        path: Its name tells the kind of document.
        settings: Bounds.

    Raises:
        Unusable: nothing can be cited from it; carries the reason.
        UnavailableError: a library of the extra `local` is missing.
    """
    suffix = PurePosixPath(path).suffix.lower()
    if suffix == _PDF:
        items = read_pdf(
            io.BytesIO(content), page_limit=settings.page_limit, limit_s=settings.pdf_limit_s
        )
    else:
        items = _TEXT_READERS[suffix](normalize_text(_decode(content)))
    titles: list[str] = []
    blocks = _bounded(_without_titles(items, titles), settings.document_limit_chars)
    chunks = list(chunk_blocks(blocks, chunk_chars=settings.chunk_chars))
    if not chunks:
        raise Unusable("no text")
    return Document(titles[0] if titles else None, chunks)


def _open_file(folder: Path, path: str) -> int:
    prefix, slash, name = path.rpartition("/")
    with open_folder(folder, prefix + slash) as place:
        if isinstance(place, int):
            return os.open(name, _OPEN_FLAGS, dir_fd=place)
        return os.open(place / name, _OPEN_FLAGS)


def _limit_bytes(path: str, settings: Settings) -> int:
    is_pdf = PurePosixPath(path).suffix.lower() == _PDF
    return settings.pdf_limit_bytes if is_pdf else settings.text_limit_bytes


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
