"""Rows in one SQLite file: whatever ends a process, a row is there whole or not at all.

One transaction a row, on disk before `put_row` returns. Every access names the owner, and the
rows of others are as good as absent.

Source:
    contracts/README.md, "Delegation", for what a row keeps; the rest is this store's own.
"""

import contextlib
import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from knowledge_contract._sqlite import transaction
from knowledge_contract.batch.rows import (
    BatchRow,
    Owner,
    Status,
    check_name,
    check_row,
    compact,
)
from knowledge_contract.errors import InputError

__all__ = ["BatchStore", "open_batches"]

SCHEMA_VERSION = 1
_OWNER_ONLY = 0o600
_APPLICATION_ID = 0x4B4E4C42
_BUSY_TIMEOUT_S = 60.0
_BUSY_PAUSE_S = 0.005
_PRIMARY_CODE = 0xFF
LIMIT_MAX = 100
OFFSET_MAX = 100_000
_SCHEMA = """
CREATE TABLE IF NOT EXISTS rows (
  user_id TEXT NOT NULL,
  thread_id TEXT NOT NULL,
  batch_id TEXT NOT NULL,
  item_key TEXT NOT NULL,
  position INTEGER NOT NULL,
  status TEXT NOT NULL,
  text TEXT NOT NULL,
  evidence TEXT,
  revision TEXT NOT NULL,
  PRIMARY KEY (user_id, thread_id, batch_id, item_key)
)
"""
_COLUMNS = "item_key, position, status, text, evidence, revision"
_PUT = f"""
INSERT INTO rows (user_id, thread_id, batch_id, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET
  position = excluded.position, status = excluded.status, text = excluded.text,
  evidence = excluded.evidence, revision = excluded.revision
WHERE rows.status <> 'succeeded'
"""  # noqa: S608 - constants only
_OWN = "user_id = ? AND thread_id = ? AND batch_id = ?"


@contextmanager
def open_batches(path: Path) -> Iterator["BatchStore"]:
    """Open the store at `path`, which is made, for its owner only, if nothing is there.

    A file that may not be written to can still be read.

    Raises:
        InputError: the path holds something else or what a newer release wrote, or SQLite
            cannot use it now.
    """
    is_readable_only = path.exists() and not os.access(path, os.W_OK)
    with _translated():
        connection = _connect_to_read(path) if is_readable_only else _connect(path)
    with closing(connection):
        with _translated():
            if is_readable_only:
                _check(connection)
            else:
                _set_up(connection)
        yield BatchStore(connection)


def _connect(path: Path) -> sqlite3.Connection:
    # SQLite would go by the umask; its log takes the mode of the database. What keeps the file
    # from being made keeps SQLite from it too, and is told there.
    with contextlib.suppress(OSError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY))
    return sqlite3.connect(path, timeout=_BUSY_TIMEOUT_S, isolation_level=None)


def _connect_to_read(path: Path) -> sqlite3.Connection:
    log = path.with_name(f"{path.name}-wal")
    # In a folder where SQLite can make no index of a log it has to be told that there is none.
    is_still = not log.exists() and not os.access(path.absolute().parent, os.W_OK)
    query = "mode=ro&immutable=1" if is_still else "mode=ro"
    address = f"{path.absolute().as_uri()}?{query}"
    return sqlite3.connect(address, uri=True, timeout=_BUSY_TIMEOUT_S, isolation_level=None)


class BatchStore:
    """An open store; see `open_batches`. For one thread; others open their own."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def put_row(self, owner: Owner, batch_id: str, row: BatchRow) -> BatchRow:
        """Keep an item's outcome and return the row that is now stored.

        The first success of an item stays: putting it again, or something else for the same
        item, changes nothing. A failure gives way to any later outcome.

        Args:
            owner: Whose batch it is.
            batch_id: The batch's name among its owner's.
            row: What `build_row` made.

        Raises:
            ValueError: a name is out of its bounds, or the row is not what `build_row` made.
            InputError: SQLite cannot store it; then nothing was stored.
        """
        own = _own(owner, batch_id)
        check_row(row)
        stored = None if row.evidence is None else compact(row.evidence)
        outcome = (row.item_key, row.position, row.status, row.text, stored, row.revision)
        with _translated(), transaction(self._connection):
            self._connection.execute(_PUT, (*own, *outcome))
            found = self.find_row(owner, batch_id, row.item_key)
        return found or row

    def find_row(self, owner: Owner, batch_id: str, item_key: str) -> BatchRow | None:
        """Return the row of an item, if this owner has one.

        Raises:
            ValueError: a name is out of its bounds.
            InputError: SQLite cannot read it.
        """
        check_name("item_key", item_key)
        query = f"SELECT {_COLUMNS} FROM rows WHERE {_OWN} AND item_key = ?"  # noqa: S608 - constants
        values = (*_own(owner, batch_id), item_key)
        with _translated():
            found = self._connection.execute(query, values).fetchone()
        return None if found is None else _row(found)

    def list_rows(
        self, owner: Owner, batch_id: str, *, limit: int = LIMIT_MAX, offset: int = 0
    ) -> tuple[BatchRow, ...]:
        """Return rows of a batch by position, then by item; none if this owner has no such batch.

        Args:
            owner: Whose batch it is.
            batch_id: The batch's name.
            limit: At most so many, 1 to 100.
            offset: So many are skipped, 0 to 100,000.

        Raises:
            ValueError: an argument is out of its bounds.
            InputError: SQLite cannot read them.
        """
        if type(limit) is not int or not 1 <= limit <= LIMIT_MAX:
            raise ValueError(f"limit must be an integer from 1 to {LIMIT_MAX}")
        if type(offset) is not int or not 0 <= offset <= OFFSET_MAX:
            raise ValueError(f"offset must be an integer from 0 to {OFFSET_MAX}")
        query = (
            f"SELECT {_COLUMNS} FROM rows WHERE {_OWN}"  # noqa: S608 - constants
            " ORDER BY position, item_key LIMIT ? OFFSET ?"
        )
        values = (*_own(owner, batch_id), limit, offset)
        with _translated():
            found = self._connection.execute(query, values).fetchall()
        return tuple(_row(each) for each in found)


def _own(owner: Owner, batch_id: str) -> tuple[str, str, str]:
    check_name("user_id", owner.user_id)
    check_name("thread_id", owner.thread_id)
    check_name("batch_id", batch_id)
    return owner.user_id, owner.thread_id, batch_id


def _row(found: tuple[str, int, Status, str, str | None, str]) -> BatchRow:
    item_key, position, status, text, evidence, revision = found
    return BatchRow(
        item_key=item_key,
        position=position,
        status=status,
        text=text,
        evidence=None if evidence is None else json.loads(evidence),
        revision=revision,
    )


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "SQLITE_ERROR")
        raise InputError(f"the batch store cannot be used ({name})") from error


def _set_up(connection: sqlite3.Connection) -> None:
    # In one look, because another process may be making the store.
    with transaction(connection):
        _check(connection)
    _use_log(connection)
    # Each row survives a power cut too.
    connection.execute("PRAGMA synchronous = FULL")
    if _pragma(connection, "user_version") == SCHEMA_VERSION:
        return
    with transaction(connection):
        # Again, because another process may have come first.
        _check(connection)
        connection.execute(_SCHEMA)
        connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _use_log(connection: sqlite3.Connection) -> None:
    """Turn the write-ahead log on; here SQLite itself does not wait for other processes."""
    end = time.monotonic() + _BUSY_TIMEOUT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            is_busy = error.sqlite_errorcode & _PRIMARY_CODE == sqlite3.SQLITE_BUSY
            if not is_busy or time.monotonic() > end:
                raise
            time.sleep(_BUSY_PAUSE_S)
        else:
            return


def _check(connection: sqlite3.Connection) -> None:
    """Refuse a database that is neither empty nor a store of this release."""
    owner, version = _pragma(connection, "application_id"), _pragma(connection, "user_version")
    if owner == _APPLICATION_ID and version > SCHEMA_VERSION:
        raise InputError("the batch store was written by a newer release: update this one")
    is_empty = not connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
    if owner != _APPLICATION_ID and not (owner == 0 and version == 0 and is_empty):
        raise InputError("the batch store's path holds another database")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value
