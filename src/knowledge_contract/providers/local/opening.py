"""Where an index lives, how it comes to be, and what happens to one that is damaged.

A new index is made beside its place and linked into it, so that of two processes one wins and
none ever sees half an index.
"""

import hashlib
import os
import sqlite3
import stat
import tempfile
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

from knowledge_contract._sqlite import transaction
from knowledge_contract.errors import InputError, ProviderError, UnavailableError
from knowledge_contract.providers.local.index import SCHEMA, TABLES, Index
from knowledge_contract.providers.local.records import Settings

_Outcome = TypeVar("_Outcome")

SCHEMA_VERSION = 2
"""Raised when tables, terms, chunks or the reading of documents change."""
_APPLICATION_ID = 0x4B4E4C31
_BUSY_TIMEOUT_S = 60.0
_DAMAGE = frozenset(
    {
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        # What a sound index never answers: a table is missing, or a value cannot be there.
        sqlite3.SQLITE_CONSTRAINT,
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_MISMATCH,
    }
)
_PRIMARY_CODE = 0xFF
_DAMAGED_SUFFIX = ".damaged"
_HEADER_BYTES = 100
_DATABASE_BYTES = 512
"""The size of the smallest database that is not empty."""
_MAGIC = b"SQLite format 3\0"
_APPLICATION_ID_AT = slice(68, 72)
_OTHER_FILE = "the index's path holds another file"
_BROKEN_HEADER = "the index's path holds a damaged database: delete it if it is the index"
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
        InputError: the path holds something else, or no index can be there.
        ProviderError: the index cannot be used now: the disk is full, or it stays locked.
    """
    notes: tuple[str, ...] = ()
    with _translated():
        # SQLite keeps its log beside the file that a link names.
        path = Path(os.path.realpath(path))
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
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise InputError(_OTHER_FILE)
    if status.st_size < _DATABASE_BYTES:
        raise _Damaged(status.st_ino)
    _check_untouched(path)
    try:
        with closing(_connect(path)) as connection:
            _check_owner(connection)
            _check_full_text(connection)
            _check_fingerprint(connection, settings)
            yield Index(connection)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if _is_damage(error):
            raise _Damaged(status.st_ino) from None
        raise


def _is_damage(error: sqlite3.DatabaseError | UnicodeDecodeError) -> bool:
    code: int | None = getattr(error, "sqlite_errorcode", None)
    if code is None:
        # Text that is not UTF-8, which Python and not SQLite finds.
        return isinstance(error, UnicodeDecodeError | sqlite3.OperationalError)
    return code & _PRIMARY_CODE in _DAMAGE or code == sqlite3.SQLITE_READONLY_DBMOVED


def _connect(path: Path) -> sqlite3.Connection:
    # Never makes the file: that is done in one step by `_create`.
    uri = f"{path.absolute().as_uri()}?mode=rw"
    connection = sqlite3.connect(
        uri, uri=True, timeout=_BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
    )
    try:
        # Enough with a write-ahead log: a power cut may lose the last files, never break the
        # index.
        connection.execute("PRAGMA synchronous = NORMAL")
        # Each checkpoint waits for the disk; the log stays below 32 MiB.
        connection.execute("PRAGMA wal_autocheckpoint = 8000")
    except BaseException:
        connection.close()
        raise
    return connection


def _check_untouched(path: Path) -> None:
    """Refuse another database or file, before SQLite would change it or what stands beside it."""
    # Not by reading it here: closing an index ends the locks of all other threads that use it.
    uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            _check_owner(connection)
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB:
            _check_header(path)
        # All else can be a write by another process, which is seen half without locks.


def _check_owner(connection: sqlite3.Connection) -> None:
    owner = connection.execute("PRAGMA application_id").fetchone()[0]
    if owner != _APPLICATION_ID:
        raise InputError("the index's path holds another database")


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
            _check_full_text(connection)
            connection.execute("PRAGMA journal_mode = WAL")
            with transaction(connection):
                _make_tables(connection, _fingerprint(settings))
            # Closing would do it too, but says nothing when the disk is full.
            if connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                raise ProviderError("local: the new index cannot be written")
        try:
            os.link(draft, path)
        except FileExistsError:
            return
        except OSError:
            # A file system without hard links.
            if not path.exists():
                draft.replace(path)


def _check_full_text(connection: sqlite3.Connection) -> None:
    options = connection.execute("PRAGMA compile_options").fetchall()
    if ("ENABLE_FTS5",) not in options:
        raise UnavailableError("this Python's SQLite was built without FTS5")


def _put_aside(path: Path, inode: int) -> bool:
    """Rename what is left of an index, unless another process already did; return whether.

    Raises:
        InputError: nothing says that the file is an index.
    """
    with suppress(FileNotFoundError):
        if path.stat().st_ino != inode:
            return False
        _check_header(path)
        kept = _reserve(path)
        # First, or a new index would take the old one's log for its own.
        for suffix in ("-wal", "-shm"):
            with suppress(FileNotFoundError):
                path.with_name(path.name + suffix).replace(kept.with_name(kept.name + suffix))
        try:
            path.replace(kept)
        except OSError:
            kept.unlink()
            raise
        return True
    return False


def _check_header(path: Path) -> None:
    """Refuse a damaged file that is neither empty nor named an index by its first bytes."""
    with path.open("rb") as stream:
        header = stream.read(_HEADER_BYTES)
    has_magic = header.startswith(_MAGIC)
    has_id = header[_APPLICATION_ID_AT] == _APPLICATION_ID.to_bytes(4, "big")
    if header and not (has_magic and has_id):
        raise InputError(_BROKEN_HEADER if has_magic or has_id else _OTHER_FILE)


def _reserve(path: Path) -> Path:
    """Return a new empty file to be replaced: `.damaged`, else `.damaged.2` and so on."""
    number = 1
    while True:
        suffix = _DAMAGED_SUFFIX if number == 1 else f"{_DAMAGED_SUFFIX}.{number}"
        kept = path.with_name(path.name + suffix)
        try:
            kept.touch(mode=0o600, exist_ok=False)
        except FileExistsError:
            number += 1
        else:
            return kept
