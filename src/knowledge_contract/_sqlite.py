"""What every SQLite file of ours shares: all of a change is kept, or nothing."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["transaction"]


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Keep all of what is written inside, or nothing; one writer at a time."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # After some errors, a full disk among them, SQLite has already rolled back.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
