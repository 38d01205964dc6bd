"""The index's own file: made in one step, rebuilt when it must be, shared by processes."""

import json
import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from knowledge_contract.errors import InputError, ProviderError
from knowledge_contract.providers.local import LocalProvider, Settings
from providers.local.folders import check_soundness, make_folder, provider_for, run_sql

INDEXER = Path(__file__).with_name("indexer.py")
FILES = {f"{number}.txt": f"needle {number}" for number in range(40)}
REPLACED = "The index was damaged and was made anew; the old file was kept beside it."


def found(provider: LocalProvider) -> int:
    return len(provider.search_index("needle").hits)


def test_two_processes_that_index_at_once_leave_one_sound_index(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, {f"{number}.txt": "needle " * 300 for number in range(200)})
    index_path = tmp_path / "index.sqlite3"
    command = [sys.executable, str(INDEXER), str(folder), str(index_path)]

    children = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    outputs = [child.communicate()[0] for child in children]

    summaries = [json.loads(output.splitlines()[-1]) for output in outputs]
    assert [child.returncode for child in children] == [0, 0]
    assert all(indexed + unchanged == 200 for indexed, unchanged, _ in summaries)
    assert [removed for *_, removed in summaries] == [0, 0]
    assert run_sql(index_path, "SELECT count(*) FROM files") == [(200,)]
    assert run_sql(index_path, "SELECT count(DISTINCT file_id) FROM chunks") == [(200,)]
    check_soundness(index_path)


def test_search_answers_while_another_process_writes(tmp_path: Path) -> None:
    provider = provider_for(make_folder(tmp_path, {"a.txt": "needle"}))
    provider.refresh()

    with closing(sqlite3.connect(provider.index_path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("DELETE FROM files")

        assert found(provider) == 1


def damaged_header() -> bytes:
    """Return what says that it is an index, and nothing else that can be read."""
    return b"SQLite format 3\0" + b"\xff" * 52 + b"KNL1" + b"\xff" * 5000


@pytest.mark.parametrize("damage", [b"", damaged_header()], ids=["empty", "no pages"])
def test_damaged_index_is_made_anew_with_a_note(tmp_path: Path, damage: bytes) -> None:
    provider = provider_for(make_folder(tmp_path, FILES))
    provider.index_path.write_bytes(damage)

    summary = provider.refresh()

    kept = provider.index_path.with_name("index.sqlite3.damaged")
    assert (summary.indexed, summary.notes) == (40, (REPLACED,))
    assert kept.read_bytes() == damage
    assert found(provider) == 10
    check_soundness(provider.index_path)


def test_every_damaged_index_is_kept(tmp_path: Path) -> None:
    provider = provider_for(make_folder(tmp_path, {"a.txt": "needle"}))
    damages = [damaged_header() + bytes([number]) for number in range(3)]

    for damage in damages:
        provider.index_path.write_bytes(damage)
        provider.refresh()

    kept = [tmp_path / f"index.sqlite3.damaged{suffix}" for suffix in ("", ".2", ".3")]
    assert [path.read_bytes() for path in kept] == damages


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"x", "the index's path holds another file", id="one byte"),
        pytest.param(b"my notes\n" * 2000, "the index's path holds another file", id="text"),
        pytest.param(
            b"SQLite format 3\0" + b"\xff" * 5000,
            "the index's path holds a damaged database: delete it if it is the index",
            id="damaged header",
        ),
    ],
)
def test_file_that_is_no_index_is_left_alone(tmp_path: Path, content: bytes, message: str) -> None:
    provider = provider_for(make_folder(tmp_path, FILES))
    for suffix in ("", "-wal", "-shm"):
        tmp_path.joinpath(f"index.sqlite3{suffix}").write_bytes(content)

    with pytest.raises(InputError, match=rf"\A{message}\Z"):
        provider.refresh()

    left = {path.name: path.read_bytes() for path in tmp_path.glob("index*")}
    assert left == {f"index.sqlite3{suffix}": content for suffix in ("", "-wal", "-shm")}


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_is_no_file_is_left_alone(tmp_path: Path, kind: str) -> None:
    provider = provider_for(make_folder(tmp_path, FILES))
    if kind == "pipe":
        os.mkfifo(provider.index_path)
    else:
        provider.index_path.mkdir()
    before = provider.index_path.stat()

    with pytest.raises(InputError, match=r"\Athe index's path holds another file\Z"):
        provider.refresh()

    assert provider.index_path.stat().st_ino == before.st_ino


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("DROP TABLE chunks", id="missing table"),
        pytest.param("DROP TABLE terms_data", id="missing part of the full text"),
        pytest.param("UPDATE files SET title = CAST(x'ff' AS TEXT)", id="text that is none"),
        pytest.param("UPDATE made_for SET fingerprint = CAST(x'ff' AS TEXT)", id="fingerprint"),
    ],
)
def test_search_repairs_an_index_with_impossible_content(tmp_path: Path, statement: str) -> None:
    provider = provider_for(make_folder(tmp_path, FILES))
    provider.refresh()
    with closing(sqlite3.connect(provider.index_path)) as connection, connection:
        connection.execute(statement)

    result = provider.search_folder("needle")

    assert (len(result.hits), result.notes) == (10, (REPLACED,))
    check_soundness(provider.index_path)


def test_index_behind_a_link_is_repaired_where_it_is(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, {"a.txt": "needle"})
    place = tmp_path / "place"
    place.mkdir()
    place.joinpath("real").write_bytes(damaged_header())
    link = tmp_path / "link"
    link.symlink_to(place / "real")

    summary = LocalProvider(folder, index_path=link).refresh()

    assert summary.notes == (REPLACED,)
    assert link.is_symlink()
    assert sorted(path.name for path in place.iterdir()) == ["real", "real.damaged"]


def test_search_repairs_an_index_that_was_damaged_inside(tmp_path: Path) -> None:
    provider = provider_for(make_folder(tmp_path, FILES))
    provider.refresh()
    data = bytearray(provider.index_path.read_bytes())
    for at in range(4096, len(data)):
        data[at] = 0xA5
    provider.index_path.write_bytes(bytes(data))

    result = provider.search_folder("needle")

    assert (len(result.hits), result.notes) == (10, (REPLACED,))


def test_index_of_another_version_is_made_anew(tmp_path: Path) -> None:
    provider = provider_for(make_folder(tmp_path, FILES))
    provider.refresh()
    run_sql(provider.index_path, "PRAGMA user_version = 99")

    summary = provider.refresh()

    assert (summary.indexed, summary.notes) == (40, ())
    check_soundness(provider.index_path)


def test_index_made_with_other_bounds_is_made_anew(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, FILES)
    provider_for(folder).refresh()
    index_path = tmp_path / "index.sqlite3"

    other_chunks = LocalProvider(folder, index_path=index_path, settings=Settings(chunk_chars=50))
    other_hits = LocalProvider(
        folder, index_path=index_path, settings=Settings(chunk_chars=50, hit_limit=1)
    )

    assert [other_chunks.refresh().indexed, other_hits.refresh().indexed] == [40, 0]


def test_database_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    provider = provider_for(make_folder(tmp_path, FILES))
    run_sql(provider.index_path, "CREATE TABLE accounts (id)")
    before = provider.index_path.read_bytes()

    with pytest.raises(InputError, match=r"\Athe index's path holds another database\Z"):
        provider.refresh()

    assert provider.index_path.read_bytes() == before


def test_index_that_cannot_be_there_is_refused(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, {"a.txt": "needle"})
    provider = LocalProvider(folder, index_path=folder / "a.txt" / "index.sqlite3")

    with pytest.raises(InputError, match="the index cannot be kept there"):
        provider.refresh()


def test_full_disk_is_a_providers_error_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_folder(tmp_path, FILES)
    provider = provider_for(folder)
    provider.refresh()
    (pages,) = run_sql(provider.index_path, "PRAGMA page_count")[0]
    connect = sqlite3.connect

    def connect_to_a_small_disk(*arguments: object, **options: object) -> sqlite3.Connection:
        connection = connect(*arguments, **options)  # type: ignore[call-overload]  # as called
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection  # type: ignore[no-any-return]  # as above

    folder.joinpath("big.txt").write_text("needle straw " * 50_000, encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", connect_to_a_small_disk)
        with pytest.raises(ProviderError, match=r"local: the index cannot be used \(SQLITE_FULL\)"):
            provider.refresh()

    assert found(provider) == 10
    assert provider.refresh().indexed == 1


class FullDisk(sqlite3.Connection):
    """A connection that cannot write its log into the file."""

    def execute(self, sql: str, *arguments: object) -> sqlite3.Cursor:
        if "wal_checkpoint" in sql:
            raise sqlite3.OperationalError("database or disk is full")
        return super().execute(sql, *arguments)  # type: ignore[arg-type]  # as called


def test_full_disk_at_the_start_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider = provider_for(make_folder(tmp_path, FILES))
    connect = sqlite3.connect
    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", partial(connect, factory=FullDisk))
        with pytest.raises(ProviderError, match="the index cannot be used"):
            provider.refresh()

    assert [path.name for path in tmp_path.iterdir()] == ["docs"]
    assert provider.refresh().notes == ()


def test_index_of_a_folder_is_private_and_named_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    first = make_folder(tmp_path, {"a.txt": "needle"})
    second = tmp_path / "other"
    second.mkdir()
    link = tmp_path / "link"
    link.symlink_to(first)

    paths = [LocalProvider(folder).index_path for folder in (first, link, second)]
    LocalProvider(first).refresh()

    assert paths[0] == paths[1] != paths[2]
    assert len(paths[0].stem) == 32
    assert stat.S_IMODE(paths[0].parent.stat().st_mode) == 0o700
    assert [path.name for path in paths[0].parent.iterdir()] == [paths[0].name]
