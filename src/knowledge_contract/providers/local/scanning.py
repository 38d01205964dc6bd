"""A folder's files, in a stable order, without following any symbolic link."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from knowledge_contract.providers.local.files import is_document, open_folder, stamp_of
from knowledge_contract.providers.local.records import Skipped, SkipReason, Stamp


class Candidate(NamedTuple):
    """A file to be read: its path relative to the folder, with `/`, and its state."""

    path: str
    stamp: Stamp


def scan_folder(folder: Path) -> Iterator[Candidate | Skipped]:
    """Return every file below the folder, or why it, or a folder, is left out.

    Hidden is what starts with a full stop. A link is left out wherever it leads: what it names
    inside the folder is found there anyway.

    Args:
        folder: Resolved.
    """
    # A stack, because folders can be nested deeper than calls.
    waiting = [""]
    while waiting:
        prefix = waiting.pop()
        folders = []
        try:
            # Open until the last entry was looked at, because they belong to the descriptor.
            with open_folder(folder, prefix) as place:
                for entry in _entries(place):
                    found = _look_at(entry, prefix + entry.name)
                    if isinstance(found, str):
                        folders.append(found)
                    else:
                        yield found
        except OSError:
            yield Skipped(prefix.rstrip("/") or ".", "cannot be opened")
        waiting.extend(reversed(folders))


def count_documents(folder: Path) -> int:
    """Return how many files `scan_folder` would offer."""
    return sum(isinstance(found, Candidate) for found in scan_folder(folder))


def _entries(place: Path | int) -> list[os.DirEntry[str]]:
    with os.scandir(place) as listing:
        return sorted(listing, key=lambda entry: entry.name)


def _look_at(entry: os.DirEntry[str], path: str) -> Candidate | Skipped | str:
    """Return a file, a reason, or the prefix of a folder to look into."""
    if reason := _why_not(entry):
        return Skipped(_shown(path), reason)
    try:
        if entry.is_dir(follow_symlinks=False):
            return f"{path}/"
        if not entry.is_file(follow_symlinks=False):
            return Skipped(path, "not a regular file")
        if not is_document(entry.name):
            return Skipped(path, "not a kind of document that is read")
        return Candidate(path, stamp_of(entry.stat(follow_symlinks=False)))
    except OSError:
        return Skipped(path, "cannot be opened")


def _why_not(entry: os.DirEntry[str]) -> SkipReason | None:
    if entry.name.startswith("."):
        return "hidden"
    if entry.is_symlink():
        return "symbolic link"
    try:
        entry.name.encode()
    except UnicodeEncodeError:
        return "name is not text"
    return None


def _shown(path: str) -> str:
    return path.encode("utf-8", "replace").decode()
