"""Standard output and error: text that any terminal survives, JSON that any machine reads."""

import io
import json
import os
import re
import sys
from typing import TextIO

from knowledge_contract.errors import InputError

# Controls but TAB, line and paragraph separators, marks that reorder text, lone surrogates.
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def prepare_streams() -> None:
    """Make output independent of locale and platform.

    A pipe or file gets UTF-8 and LF. A terminal keeps its own encoding, and what that cannot
    write appears escaped.
    """
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, io.TextIOWrapper):
            continue
        if stream.isatty():
            stream.reconfigure(errors="backslashreplace")
        else:
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def printable(text: str) -> str:
    r"""Return `text` with everything escaped that could steer a terminal.

    >>> printable("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    return _UNPRINTABLE.sub(lambda match: ascii(match[0])[1:-1], text)


def write_line(text: str) -> None:
    """Write one line of a result to standard output, at once: somebody may be waiting."""
    stream = output()
    stream.write(f"{printable(text)}\n")
    stream.flush()


def write_json(value: object) -> None:
    """Write one line of ASCII JSON to standard output, at once: a program may be waiting."""
    stream = output()
    stream.write(f"{json.dumps(value)}\n")
    stream.flush()


def write_text(text: str) -> None:
    """Write text to standard output as it is, for a program; a pipe or file gets its UTF-8."""
    stream = output()
    stream.write(text)
    stream.flush()


def write_problem(text: str) -> None:
    """Write one line to standard error; with no standard error there is nobody to tell.

    Raises:
        BrokenPipeError: who read it has gone, so there is nothing left to work for.
    """
    stream: TextIO | None = sys.stderr
    if stream is None:
        return
    try:
        stream.write(f"{printable(text)}\n")
        stream.flush()
    except BrokenPipeError:
        discard(stream)
        raise
    except OSError:
        discard(stream)


def output() -> TextIO:
    """Return standard output.

    Raises:
        InputError: the caller closed it.
    """
    stream: TextIO | None = sys.stdout
    if stream is None:
        raise InputError("standard output is closed")
    return stream


def discard(stream: TextIO) -> None:
    """Send what is left of a broken stream nowhere, so that the interpreter ends quietly."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
    except OSError:
        return
