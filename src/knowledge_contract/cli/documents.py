"""Reading FILE or `-`: bytes in, a parsed document or one clear refusal out."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from knowledge_contract.cli.streams import write_problem
from knowledge_contract.errors import InputError
from knowledge_wire.parsing import ParseError, parse_document

DOCUMENT_LIMIT_BYTES = 16 * 2**20
"""Longest document or line that is looked at.

Small objects side by side take about 60 times their bytes in memory: a gigabyte at this limit.
The excerpts of one artifact, 1,000,000 code points together, take 12 MB when all are escaped; only
a native snapshot that is filled to its bounds would be longer.
"""

STANDARD_INPUT = "-"
_CHUNK_BYTES = 2**20


def read_document(file: str) -> bytes:
    """Return the bytes of one document, cut one byte past the limit.

    Raises:
        InputError: `file` cannot be opened or read.
    """
    with _opened(file) as stream:
        return stream.read(DOCUMENT_LIMIT_BYTES + 1)


def read_lines(file: str) -> Iterator[bytes]:
    """Yield each line without its LF, cut one byte past the limit.

    Raises:
        InputError: `file` cannot be opened or read.
    """
    with _opened(file) as stream:
        while line := stream.readline(DOCUMENT_LIMIT_BYTES + 1):
            if len(line) > DOCUMENT_LIMIT_BYTES and not line.endswith(b"\n"):
                _skip_line(stream)
            yield line.removesuffix(b"\n")


def parse_input(data: bytes) -> Any:
    """Return the value of one strict JSON document that `read_document` or `read_lines` gave.

    Raises:
        ParseError: it is empty, over the limit or not strict JSON.
    """
    if len(data) > DOCUMENT_LIMIT_BYTES:
        raise ParseError("json", f"longer than {DOCUMENT_LIMIT_BYTES} bytes")
    if not data.strip():
        raise ParseError("json", "there is nothing to read")
    return parse_document(data)


def _skip_line(stream: BinaryIO) -> None:
    while (rest := stream.readline(_CHUNK_BYTES)) and not rest.endswith(b"\n"):
        pass


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    try:
        if file == STANDARD_INPUT:
            yield _standard_input()
        else:
            with open(file, "rb") as stream:  # noqa: PTH123 - `Path("")` would open the folder
                yield stream
    except OSError as error:
        raise InputError(f"cannot read {_described(file)}: {_reason(error, file)}") from None


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise InputError("cannot read standard input: it is closed")
    if sys.stdin.isatty():
        write_problem("reading from the terminal; end with Ctrl-D (Windows: Ctrl-Z, Enter)")
    return sys.stdin.buffer


def _described(file: str) -> str:
    return "standard input" if file == STANDARD_INPUT else file


def _reason(error: OSError, file: str) -> str:
    # Windows refuses a folder with "permission denied".
    if isinstance(error, IsADirectoryError) or os.path.isdir(file):  # noqa: PTH112 - as above
        return "it is a directory"
    if isinstance(error, FileNotFoundError):
        return "no such file"
    if isinstance(error, PermissionError):
        return "permission denied"
    return os.strerror(error.errno) if error.errno else "input/output error"
