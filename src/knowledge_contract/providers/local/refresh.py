"""Bring an index up to date with its folder, one file at a time."""

import hashlib
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeAlias

from knowledge_contract.providers.local.files import (
    open_document,
    read_content,
    read_document,
    stamp_of,
)
from knowledge_contract.providers.local.index import FileRow, Index
from knowledge_contract.providers.local.records import (
    Chunk,
    Progress,
    Settings,
    Skipped,
    Summary,
    Unusable,
)
from knowledge_contract.providers.local.scanning import Candidate, count_documents, scan_folder

OnProgress: TypeAlias = Callable[[Progress], None]
Trust: TypeAlias = Literal["stamps", "content"]
"""What tells that a file is unchanged: its size, times and inode, or only its content."""

_SETTLED_NS = 3_000_000_000
"""The coarsest clock of a file system ticks every two seconds."""
_AHEAD_NS = 300_000_000_000
"""Nobody reads a file minutes from now: such a time is from before the clock was set back."""
_SKIPPED_LISTED = 1000


def refresh_index(
    index: Index, folder: Path, settings: Settings, *, trust: Trust, progress: OnProgress | None
) -> Summary:
    """Index what is new or changed, forget what is gone, leave the rest untouched.

    Args:
        index: To be brought up to date; whatever ends this function leaves it usable.
        folder: Resolved.
        settings: Bounds.
        trust: With `stamps`, a file is read again only if its size, times or inode changed, or
            if it was so young when it was last read that a later write could share its times.
            The time of a status change (ctime) cannot be set by hand. Windows has none.
        progress: Called after each file.
    """
    started_ns = time.time_ns()
    work = _Refresh(index, folder, settings, trust)
    total = count_documents(folder) if progress is not None else 0
    done = 0
    for found in scan_folder(folder):
        if isinstance(found, Skipped):
            work.skip(found)
            continue
        work.look_at(found)
        done += 1
        if progress is not None:
            progress(Progress(done, max(done, total), found.path))
    removed = index.forget_files(
        seen=work.seen, read_before_ns=started_ns, read_after_ns=time.time_ns() + _AHEAD_NS
    )
    return Summary(work.indexed, work.unchanged, removed, tuple(work.skipped), work.skipped_count)


class _Refresh:
    """One pass over a folder, and what it did so far."""

    def __init__(self, index: Index, folder: Path, settings: Settings, trust: Trust) -> None:
        self.indexed = 0
        self.unchanged = 0
        self.skipped: list[Skipped] = []
        self.skipped_count = 0
        self.seen: set[int] = set()
        self._index = index
        self._folder = folder
        self._settings = settings
        self._trust = trust

    def skip(self, skipped: Skipped) -> None:
        self.skipped_count += 1
        if len(self.skipped) < _SKIPPED_LISTED:
            self.skipped.append(skipped)

    def look_at(self, found: Candidate) -> None:
        """Read a file if it may have changed, and count it."""
        stored = self._index.find_file(found.path)
        if stored is not None and self._trust == "stamps" and _is_settled(stored.row, found):
            row, is_new = stored.row, False
            self.seen.add(stored.id)
        else:
            row, is_new = self._read(found, stored.row if stored else None)
        if row.skip_reason is not None:
            self.skip(Skipped(found.path, row.skip_reason))
        elif is_new:
            self.indexed += 1
        else:
            self.unchanged += 1

    def _read(self, found: Candidate, known: FileRow | None) -> tuple[FileRow, bool]:
        """Return the file's new row, and whether its content is new."""
        row = FileRow(found.path, found.stamp, time.time_ns(), b"", None, None)
        chunks: list[Chunk] = []
        try:
            with open_document(self._folder, found.path, self._settings) as stream:
                row = row._replace(stamp=stamp_of(os.fstat(stream.fileno())))
                content = read_content(stream, found.path, self._settings)
            row = row._replace(sha256=hashlib.sha256(content).digest())
            if known is not None and known.sha256 == row.sha256:
                row = row._replace(title=known.title, skip_reason=known.skip_reason)
                self.seen.add(self._index.touch_file(row))
                return row, False
            document = read_document(content, found.path, self._settings)
            row, chunks = row._replace(title=document.title), document.chunks
        except Unusable as refusal:
            sha256 = row.sha256 if refusal.is_of_content else b""
            row = row._replace(skip_reason=refusal.reason, sha256=sha256)
        except MemoryError:
            row = row._replace(skip_reason="too large", sha256=b"")
        self.seen.add(self._index.store_file(row, chunks))
        return row, True


def _is_settled(row: FileRow, found: Candidate) -> bool:
    if row.skip_reason == "cannot be opened":
        return False
    youngest = max(row.stamp.ctime_ns, row.stamp.mtime_ns)
    return row.stamp == found.stamp and youngest < row.read_at_ns - _SETTLED_NS
