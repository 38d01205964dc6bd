"""Small folders of documents, and a look into their index."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from knowledge_contract.providers.local import LocalProvider


def make_folder(parent: Path, files: Mapping[str, str]) -> Path:
    """Write text files into a new folder `docs`."""
    folder = parent / "docs"
    folder.mkdir()
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def provider_for(folder: Path) -> LocalProvider:
    """Return a provider whose index stands beside the folder."""
    return LocalProvider(folder, index_path=folder.parent / "index.sqlite3")


def run_sql(index_path: Path, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """Run one statement on an index that nobody uses at the moment."""
    with closing(sqlite3.connect(index_path)) as connection, connection:
        return connection.execute(statement, values).fetchall()


def check_soundness(index_path: Path) -> None:
    """Assert that the file is sound and that full-text terms and chunks agree."""
    assert run_sql(index_path, "PRAGMA integrity_check") == [("ok",)]
    run_sql(index_path, "INSERT INTO terms (terms) VALUES ('integrity-check')")
    rows = "SELECT rowid FROM terms EXCEPT SELECT id FROM chunks"
    orphans = "SELECT file_id FROM chunks EXCEPT SELECT id FROM files"
    assert run_sql(index_path, rows) == []
    assert run_sql(index_path, orphans) == []
    chunks = run_sql(index_path, "SELECT count(*) FROM chunks")
    assert run_sql(index_path, "SELECT count(*) FROM terms") == chunks
