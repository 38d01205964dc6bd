"""Keep full tool outputs as files that the model's tools can read.

Source:
    `knowledge_contract.budget.Store`.
"""

import contextlib
import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path

from knowledge_contract.budget import Store
from knowledge_contract.errors import UnavailableError

__all__ = ["file_store"]

_NOT_IN_NAMES = re.compile(r"[^a-z0-9_-]+")
_NAME_CHARS = 64
_RANDOM_BYTES = 16
_OWNER_ONLY = 0o600
# A file that exists is never opened, and a symbolic link never followed.
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _NO_LINK


def file_store(folder: Path, *, shown_folder: str | None = None) -> Store:
    """Return a store that writes each text into a file of its own in one folder.

    A file is complete as soon as it has its name, readable by its owner only, and never
    replaced. Its name holds the tool's, reduced to `[a-z0-9_-]`, and 128 random bits. A folder
    that is, or has become, a symbolic link is not written to.

    The text is on the disk before the file has its name, because the message that names the
    file may outlive a power cut: a missing file tells the model more than an empty one. The
    folder itself is not synchronised.

    Args:
        folder: Where files go; it is made, for its owner only, when the first one is written.
        shown_folder: How the model's tools name this folder, where they see it under another
            path, as in a sandbox; None if they see it as it is.

    Returns:
        A store whose calls raise `OSError` if the text cannot be kept.

    Raises:
        UnavailableError: The system cannot open files by a folder's handle, as on Windows.
    """
    if os.open not in os.supports_dir_fd:
        raise UnavailableError("file_store needs a system that opens files by a folder's handle")
    folder = folder.absolute()
    shown = str(folder) if shown_folder is None else shown_folder.rstrip("/")

    def keep(text: str, *, tool_name: str | None) -> str:
        name = _file_name(tool_name)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _opened(folder) as handle:
            # A lone surrogate, which UTF-8 cannot spell, becomes a question mark.
            _write(handle, name, text.encode(errors="replace"))
        return f"{shown}/{name}"

    return keep


def _file_name(tool_name: str | None) -> str:
    named = _NOT_IN_NAMES.sub("-", (tool_name or "").lower()).strip("-_")[:_NAME_CHARS]
    return f"{named or 'tool'}-{secrets.token_hex(_RANDOM_BYTES)}.txt"


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[int]:
    """Open a folder, so that no file lands elsewhere if its path is exchanged meanwhile."""
    handle = os.open(folder, _FOLDER)
    try:
        yield handle
    finally:
        os.close(handle)


def _write(folder: int, name: str, data: bytes) -> None:
    temporary = f".{name}.part"
    file = os.open(temporary, _CREATE, _OWNER_ONLY, dir_fd=folder)
    try:
        with open(file, "wb") as stream:  # noqa: PTH123 - of a descriptor, not of a path
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise
