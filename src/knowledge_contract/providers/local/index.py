"""The index: chunks and their terms in one SQLite file with a full-text table.

Writing is one short transaction a file, so that a process may end at any time and others may
read and write meanwhile.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from knowledge_contract._sqlite import transaction
from knowledge_contract.providers.local.records import Chunk, SkipReason, Stamp
from knowledge_contract.providers.local.terms import document_terms

SCHEMA = """
CREATE TABLE made_for (fingerprint TEXT NOT NULL);
CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  ctime_ns INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  read_at_ns INTEGER NOT NULL,
  sha256 BLOB NOT NULL,
  title TEXT,
  skip_reason TEXT
);
CREATE TABLE chunks (
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL REFERENCES files (id),
  page INTEGER,
  -- NULL where it equals the terms.
  text TEXT
);
CREATE INDEX chunks_by_file ON chunks (file_id);
-- `ascii` parts at ASCII punctuation and folds A to Z, and leaves all else to `terms.py`.
CREATE VIRTUAL TABLE terms USING fts5 (title, headings, body, tokenize = 'ascii');
"""
TABLES = ("terms", "chunks", "files", "made_for")
# A title names what the whole document is about, a heading a part of it.
_RANK = "bm25(terms, 4.0, 2.0, 1.0)"
# Ranked first and read then, so that texts of what is cut off are never read.
_FIND = f"""
WITH best AS (
  SELECT chunks.id, chunks.file_id, chunks.page, chunks.text, files.path, {_RANK} AS score
  FROM terms
  JOIN chunks ON chunks.id = terms.rowid
  JOIN files ON files.id = chunks.file_id
  WHERE terms MATCH ?
  ORDER BY score, files.path, chunks.id
  LIMIT ?
)
SELECT coalesce(best.text, terms.body), best.page, best.path, files.title
FROM best
JOIN terms ON terms.rowid = best.id
JOIN files ON files.id = best.file_id
ORDER BY best.score, best.path, best.id
"""  # noqa: S608 - constants only
_FILE_COLUMNS = "path, size, mtime_ns, ctime_ns, inode, read_at_ns, sha256, title, skip_reason"
_BATCH = 1000


class FileRow(NamedTuple):
    """What is known about a file.

    Attributes:
        path: Relative to the folder, with `/`.
        stamp: Its state when it was read.
        read_at_ns: When reading it began, by this machine's clock.
        sha256: Of the content that was read; empty if another try may end otherwise.
        title: The document's own title.
        skip_reason: Why it gave no chunk.
    """

    path: str
    stamp: Stamp
    read_at_ns: int
    sha256: bytes
    title: str | None
    skip_reason: SkipReason | None


class StoredFile(NamedTuple):
    """A row with its number, which stays when the file changes."""

    id: int
    row: FileRow


class Found(NamedTuple):
    """A chunk that fits a query."""

    text: str
    page: int | None
    path: str
    title: str | None


class Index:
    """An open index; see `opening.py` for how one comes to be."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def find_file(self, path: str) -> StoredFile | None:
        """Return what is known about a file, if anything."""
        query = f"SELECT id, {_FILE_COLUMNS} FROM files WHERE path = ?"  # noqa: S608 - constants
        row = self._connection.execute(query, (path,)).fetchone()
        if row is None:
            return None
        number, path, size, mtime_ns, ctime_ns, inode, *rest = row
        return StoredFile(number, FileRow(path, Stamp(size, mtime_ns, ctime_ns, inode), *rest))

    def store_file(self, row: FileRow, chunks: Iterable[Chunk]) -> int:
        """Replace all that is known about a file; return its number."""
        with transaction(self._connection):
            number = self._upsert(row)
            self._delete_chunks(number)
            title = document_terms(row.title or row.path)
            for chunk in chunks:
                body = document_terms(chunk.text)
                text = None if body == chunk.text else chunk.text
                added = self._connection.execute(
                    "INSERT INTO chunks (file_id, page, text) VALUES (?, ?, ?)",
                    (number, chunk.page, text),
                )
                self._connection.execute(
                    "INSERT INTO terms (rowid, title, headings, body) VALUES (?, ?, ?, ?)",
                    (added.lastrowid, title, document_terms(chunk.headings), body),
                )
        return number

    def touch_file(self, row: FileRow) -> int:
        """Note a new state of a file whose content is the same; return its number."""
        with transaction(self._connection):
            return self._upsert(row)

    def forget_files(self, *, seen: set[int], read_before_ns: int, read_after_ns: int) -> int:
        """Remove files that were not seen; return how many.

        Args:
            seen: Numbers of files that are there.
            read_before_ns: Files read later stay: another process found them meanwhile.
            read_after_ns: Files read even later go: the clock was wrong then.
        """
        removed = 0
        for number in list(self._old_files(read_before_ns, read_after_ns, seen)):
            with transaction(self._connection):
                self._delete_chunks(number)
                self._connection.execute("DELETE FROM files WHERE id = ?", (number,))
            removed += 1
        return removed

    def find(self, expression: str, limit: int) -> list[Found]:
        """Return chunks that fit a full-text expression, best first; ties go by path."""
        rows = self._connection.execute(_FIND, (expression, limit))
        return [Found(*row) for row in rows]

    def _upsert(self, row: FileRow) -> int:
        values = (row.path, *row.stamp, *row[2:])
        places = ", ".join("?" * len(values))
        changes = ", ".join(f"{name} = excluded.{name}" for name in _FILE_COLUMNS.split(", "))
        self._connection.execute(
            f"INSERT INTO files ({_FILE_COLUMNS}) VALUES ({places})"  # noqa: S608 - constants
            f" ON CONFLICT (path) DO UPDATE SET {changes}",
            values,
        )
        query = "SELECT id FROM files WHERE path = ?"
        number: int = self._connection.execute(query, (row.path,)).fetchone()[0]
        return number

    def _delete_chunks(self, file_number: int) -> None:
        self._connection.execute(
            "DELETE FROM terms WHERE rowid IN (SELECT id FROM chunks WHERE file_id = ?)",
            (file_number,),
        )
        self._connection.execute("DELETE FROM chunks WHERE file_id = ?", (file_number,))

    def _old_files(self, read_before_ns: int, read_after_ns: int, seen: set[int]) -> Iterator[int]:
        rows = self._connection.execute(
            "SELECT id FROM files WHERE read_at_ns < ? OR read_at_ns > ? ORDER BY id",
            (read_before_ns, read_after_ns),
        )
        while batch := rows.fetchmany(_BATCH):
            yield from (number for (number,) in batch if number not in seen)
