"""Where an index lives, how it comes to be, and what happens to one that is damaged.

A new index is made beside its place and linked into it, so that of two processes one wins and
none ever sees half an index.
"""

import hashlib
import os
import sqlite3
import tempfile
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

from knowledge_contract.errors import InputError, ProviderError, UnavailableError
from knowledge_contract.providers.local.index import SCHEMA, TABLES, Index, transaction
from knowledge_contract.providers.local.records import Settings

_Outcome = TypeVar("_Outcome")

SCHEMA_VERSION = 1
"""Raised when tables, terms, chunks or the reading of documents change."""
_APPLICATION_ID = 0x4B4E4C31
_BUSY_TIMEOUT_S = 60.0
_DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_PRIMARY_CODE = 0xFF
_DAMAGED_SUFFIX = ".damaged"
_REPLACED = "The index was damaged and was made anew; the old file was kept beside it."


class _Damaged(Exception):
    """The file is no index that can be read; `inode` tells which file that was."""

    def __init__(self, inode: int) -> None:
        self.inode = inode
        super().__init__("damaged")


def default_index_path(folder: Path) -> Path:
    """Return where the index of a folder lives in the user's cache directory.

    Args:
        folder: Resolved; its path gives the file's name.

    Raises:
        UnavailableError: platformdirs is not installed.
    """
    try:
        from platformdirs import user_cache_path  # noqa: PLC0415 - of an extra
    except ImportError:
        raise UnavailableError(
            "the index's default place needs platformdirs: install knowledge-contract[local]"
        ) from None
    digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:32]
    return user_cache_path("knowledge-contract") / "local" / f"{digest}.sqlite3"


def with_index(
    path: Path, settings: Settings, work: Callable[[Index], _Outcome]
) -> tuple[_Outcome, tuple[str, ...]]:
    """Return what `work` returns for the index, and notes about the index.

    A damaged index is put aside once, and `work` starts anew on an empty one.

    Raises:
        InputError: the path holds another database, or no index can be there.
        ProviderError: the index cannot be used now: the disk is full, or it stays locked.
    """
    notes: tuple[str, ...] = ()
    with _translated():
        try:
            with _opened(path, settings) as index:
                return work(index), notes
        except _Damaged as damaged:
            if _put_aside(path, damaged.inode):
                notes = (_REPLACED,)
        try:
            with _opened(path, settings) as index:
                return work(index), notes
        except _Damaged:
            raise ProviderError("local: the index is damaged again") from None


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "SQLITE_ERROR")
        raise ProviderError(f"local: the index cannot be used ({name})") from error
    except OSError as error:
        raise InputError(f"the index cannot be kept there: {error.strerror}") from error


@contextmanager
def _opened(path: Path, settings: Settings) -> Iterator[Index]:
    if not path.exists():
        _create(path, settings)
    inode = path.stat().st_ino
    try:
        with closing(_connect(path)) as connection:
            _check_owner(connection, inode)
            _check_fingerprint(connection, settings)
            yield Index(connection)
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", 0)
        if code & _PRIMARY_CODE in _DAMAGE or code == sqlite3.SQLITE_READONLY_DBMOVED:
            raise _Damaged(inode) from None
        raise


def _connect(path: Path) -> sqlite3.Connection:
    # Never makes the file: that is done in one step by `_create`.
    uri = f"{path.absolute().as_uri()}?mode=rw"
    connection = sqlite3.connect(
        uri, uri=True, timeout=_BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
    )
    # Enough with a write-ahead log: a power cut may lose the last files, never break the index.
    connection.execute("PRAGMA synchronous = NORMAL")
    # Each checkpoint waits for the disk; the log stays below 32 MiB.
    connection.execute("PRAGMA wal_autocheckpoint = 8000")
    return connection


def _check_owner(connection: sqlite3.Connection, inode: int) -> None:
    owner = connection.execute("PRAGMA application_id").fetchone()[0]
    if owner == _APPLICATION_ID:
        return
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise InputError("the index's path holds another database")
    # An empty file: something else, or the remains of an index.
    raise _Damaged(inode)


def _check_fingerprint(connection: sqlite3.Connection, settings: Settings) -> None:
    wanted = _fingerprint(settings)
    if _version(connection) == SCHEMA_VERSION and _made_for(connection) == wanted:
        return
    with transaction(connection):
        # Another process may have done it meanwhile.
        if _version(connection) == SCHEMA_VERSION and _made_for(connection) == wanted:
            return
        _make_tables(connection, wanted)


def _version(connection: sqlite3.Connection) -> object:
    return connection.execute("PRAGMA user_version").fetchone()[0]


def _made_for(connection: sqlite3.Connection) -> object:
    has_table = "SELECT 1 FROM sqlite_master WHERE name = 'made_for'"
    if connection.execute(has_table).fetchone() is None:
        return None
    row = connection.execute("SELECT fingerprint FROM made_for").fetchone()
    return row[0] if row else None


def _fingerprint(settings: Settings) -> str:
    """Return what an index depends on beside the files: bounds, and how terms are folded."""
    bounds = {name: value for name, value in asdict(settings).items() if name != "hit_limit"}
    return f"{bounds} {unicodedata.unidata_version}"


def _make_tables(connection: sqlite3.Connection, fingerprint: str) -> None:
    for table in TABLES:
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in SCHEMA.split(";\n"):
        connection.execute(statement)
    connection.execute("INSERT INTO made_for VALUES (?)", (fingerprint,))
    connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _create(path: Path, settings: Settings) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".index-", dir=path.parent) as folder:
        draft = Path(folder) / path.name
        with closing(sqlite3.connect(draft, isolation_level=None)) as connection:
            if not _has_full_text(connection):
                raise UnavailableError("this Python's SQLite was built without FTS5")
            connection.execute("PRAGMA journal_mode = WAL")
            with transaction(connection):
                _make_tables(connection, _fingerprint(settings))
        try:
            os.link(draft, path)
        except FileExistsError:
            return
        except OSError:
            # A file system without hard links.
            draft.replace(path)


def _has_full_text(connection: sqlite3.Connection) -> bool:
    options = connection.execute("PRAGMA compile_options").fetchall()
    return ("ENABLE_FTS5",) in options


def _put_aside(path: Path, inode: int) -> bool:
    """Rename a damaged file, unless another process already did; return whether it was done."""
    with suppress(FileNotFoundError):
        if path.stat().st_ino != inode:
            return False
        for suffix in ("-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        path.replace(path.with_name(path.name + _DAMAGED_SUFFIX))
        return True
    return False
