"""Rows are kept once, whole, and for their owner alone."""

import json
import os
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from batch.rows import OWNER, make_row
from core.evidence import handle, native_record, proof, shared_record
from knowledge_contract.batch import BatchStore, Owner, build_row, open_batches
from knowledge_contract.errors import InputError
from knowledge_wire.constants import BATCH_EVIDENCE_CHARS, RECORD_COUNT
from knowledge_wire.validators import check_native_snapshot

FACT = native_record(1, "A fact.")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[BatchStore]:
    with open_batches(tmp_path / "batches.sqlite3") as opened:
        yield opened


def failed(key: str = "a", text: str = "It timed out.") -> Any:
    return build_row(key, position=0, status="failed", text=text)


def succeeded(text: str, key: str = "a", position: int = 0) -> Any:
    return build_row(key, position=position, status="succeeded", text=text)


def test_row_is_found_as_it_was_put(store: BatchStore) -> None:
    row = make_row(3)

    stored = store.put_row(OWNER, "b", row)

    assert stored == row == store.find_row(OWNER, "b", row.item_key)
    assert store.list_rows(OWNER, "b") == (row,)


def test_row_outlives_its_store(tmp_path: Path) -> None:
    row = make_row(3)
    with open_batches(tmp_path / "b.sqlite3") as store:
        store.put_row(OWNER, "b", row)

    with open_batches(tmp_path / "b.sqlite3") as store:
        assert store.list_rows(OWNER, "b") == (row,)


def test_first_success_of_an_item_stays(store: BatchStore) -> None:
    first = store.put_row(OWNER, "b", succeeded("First."))

    again = store.put_row(OWNER, "b", succeeded("Second."))
    late = store.put_row(OWNER, "b", failed())

    assert first.text == "First."
    assert again == late == first
    assert store.list_rows(OWNER, "b") == (first,)


def test_failure_gives_way_to_a_later_outcome(store: BatchStore) -> None:
    store.put_row(OWNER, "b", failed())

    retried = store.put_row(OWNER, "b", succeeded("Done."))

    assert (retried.status, retried.text) == ("succeeded", "Done.")


@pytest.mark.parametrize(
    ("owner", "batch"),
    [
        (Owner(user_id="u2", thread_id="t1"), "b"),
        (Owner(user_id="u1", thread_id="t2"), "b"),
        (Owner(user_id="U1", thread_id="t1"), "b"),
        (OWNER, "c"),
    ],
    ids=["another user", "another thread", "another case", "another batch"],
)
def test_rows_of_others_are_as_good_as_absent(store: BatchStore, owner: Owner, batch: str) -> None:
    row = store.put_row(OWNER, "b", succeeded("Mine."))

    assert store.find_row(owner, batch, "a") is None
    assert store.list_rows(owner, batch) == ()
    store.put_row(owner, batch, succeeded("Theirs."))
    assert store.list_rows(OWNER, "b") == (row,)


def test_rows_come_by_position_in_pages(store: BatchStore) -> None:
    for position in (4, 0, 3, 1, 2):
        store.put_row(OWNER, "b", succeeded("x", key=str(9 - position), position=position))

    first = store.list_rows(OWNER, "b", limit=2)
    rest = store.list_rows(OWNER, "b", offset=2)

    assert [row.position for row in first + rest] == [0, 1, 2, 3, 4]
    assert store.list_rows(OWNER, "b", limit=100, offset=100_000) == ()


@pytest.mark.parametrize(
    "bounds",
    [{"limit": 0}, {"limit": 101}, {"limit": True}, {"offset": -1}, {"offset": 100_001}],
    ids=["limit 0", "limit 101", "limit true", "offset -1", "offset 100,001"],
)
def test_page_out_of_bounds_is_refused(store: BatchStore, bounds: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be an integer from"):
        store.list_rows(OWNER, "b", **bounds)


@pytest.mark.parametrize(
    "changes",
    [
        {"item_key": ""},
        {"item_key": "a" * 257},
        {"item_key": "\ud800"},
        {"item_key": "a\0b"},
        {"position": -1},
        {"position": 100_000},
        {"position": True},
        {"status": "running"},
        {"text": "a" * 1_000_001},
        {"text": None},
    ],
    ids=[
        *("empty key", "long key", "broken key", "key with NUL", "position -1"),
        *("position 100,000", "position true", "other status", "long text", "no text"),
    ],
)
def test_row_out_of_bounds_is_refused(changes: dict[str, Any]) -> None:
    fields: dict[str, Any] = {"item_key": "a", "position": 0, "status": "succeeded", "text": "x"}

    with pytest.raises(ValueError, match="must be") as refusal:
        build_row(**{**fields, **changes})

    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    "changes",
    [
        {"text": "Other."},
        {"position": "x"},
        {"status": "weird"},
        {"text": "t" * 1_000_001},
        {"evidence": {"version": {1}}},
        {"revision": ""},
    ],
    ids=["text", "position", "status", "long text", "no JSON", "revision"],
)
def test_row_that_was_not_built_is_refused(store: BatchStore, changes: dict[str, Any]) -> None:
    row = replace(make_row(1), **changes)

    with pytest.raises(ValueError, match="must be"):
        store.put_row(OWNER, "b", row)

    assert store.list_rows(OWNER, "b") == ()


@pytest.mark.skipif(os.name != "posix", reason="has no file modes")
def test_store_is_its_owners_alone_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with open_batches(tmp_path / "batches.sqlite3") as store:
            store.put_row(OWNER, "b", make_row(1))
            modes = {stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()}
    finally:
        os.umask(before)

    assert modes == {0o600}


READER = """
import os, sys
from pathlib import Path
from batch.rows import OWNER, make_row
from knowledge_contract.batch import open_batches
from knowledge_contract.errors import InputError

if os.geteuid() == 0:
    os.setuid(65534)
with open_batches(Path(sys.argv[1])) as store:
    print(store.list_rows(OWNER, "b") == (make_row(1),))
    try:
        store.put_row(OWNER, "b", make_row(2))
    except InputError as error:
        print(error)
"""


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="has no users to be")
def test_store_that_may_not_be_written_can_be_listed() -> None:
    # Not in the folder of the tests, which only its owner may enter.
    with tempfile.TemporaryDirectory() as name:
        folder, path = Path(name), Path(name, "batches.sqlite3")
        with open_batches(path) as store:
            store.put_row(OWNER, "b", make_row(1))
        path.chmod(0o444)
        folder.chmod(0o555)
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}

        child = subprocess.run(
            [sys.executable, "-c", READER, str(path)],
            capture_output=True,
            check=True,
            encoding="utf-8",
            env=environment,
        )
        folder.chmod(0o700)

    assert child.stdout.splitlines() == [
        "True",
        "the batch store cannot be used (SQLITE_READONLY)",
    ]


@pytest.mark.parametrize(
    "name", ["", "a" * 257, None, "\udfff"], ids=["empty", "long", "none", "broken"]
)
def test_access_without_an_owner_is_refused(store: BatchStore, name: Any) -> None:
    with pytest.raises(ValueError, match="user_id must be"):
        store.list_rows(Owner(user_id=name, thread_id="t1"), "b")
    with pytest.raises(ValueError, match="thread_id must be"):
        store.put_row(Owner(user_id="u1", thread_id=name), "b", failed())
    with pytest.raises(ValueError, match="batch_id must be"):
        store.find_row(OWNER, name, "a")


def test_largest_row_is_kept(store: BatchStore) -> None:
    row = build_row("a" * 256, position=99_999, status="succeeded", text="\U0001f600" * 1_000_000)

    assert store.put_row(OWNER, "b", row) == store.find_row(OWNER, "b", row.item_key) == row


def test_odd_text_comes_back_whole(store: BatchStore) -> None:
    row = succeeded("a\0b\r\n\ud800\u2028'; DROP TABLE rows;")

    stored = store.put_row(OWNER, "b", row)

    assert stored.text == "a\0b\r\n\ufffd\u2028'; DROP TABLE rows;"


def test_evidence_is_what_the_report_links_to() -> None:
    other, third = native_record(2, "Another."), native_record(3, "A third.", score=0.5)
    shared = shared_record("Shared.")
    text = f"{handle(third)} {handle(FACT)} {handle(shared)} `{handle(other)}`"

    row = build_row(
        "a",
        position=0,
        status="succeeded",
        text=text,
        evidence=map(proof, (FACT, other, third, shared)),
    )

    expected = {"version": 1, "sources": [native_record(3, "A third."), FACT], "omitted_count": 0}
    assert row.evidence == expected
    assert check_native_snapshot(row.evidence) == ()


def test_failed_row_keeps_no_evidence() -> None:
    row = build_row("a", position=0, status="failed", text=handle(FACT), evidence=[proof(FACT)])

    assert row.evidence is None


def test_records_beyond_a_hundred_are_counted() -> None:
    records = [native_record(number, "x") for number in range(1, 104)]

    row = build_row(
        "a",
        position=0,
        status="succeeded",
        text=" ".join(map(handle, records)),
        evidence=map(proof, records),
    )

    assert row.evidence is not None
    assert row.evidence["sources"] == records[:RECORD_COUNT]
    assert row.evidence["omitted_count"] == 3


@pytest.mark.parametrize("more", [0, 1], ids=["exact fit", "one code point more"])
def test_records_are_dropped_from_the_end_to_fit(more: int) -> None:
    # What stands around six records where ten are left out.
    around = len('{"version":1,"sources":[],"omitted_count":10}' + ",,,,,")
    records = [native_record(number, "\U0001f600" * 199_000) for number in range(1, 6)]
    used = around + sum(len(_compact(record)) for record in [*records, native_record(6, "")])
    records += [native_record(6, "é" * (BATCH_EVIDENCE_CHARS - used + more))]
    records += [native_record(number, "x") for number in range(7, 17)]

    row = build_row(
        "a",
        position=0,
        status="succeeded",
        text=" ".join(map(handle, records)),
        evidence=map(proof, records),
    )

    assert row.evidence is not None
    assert row.evidence["sources"] == records[: 6 - more]
    assert row.evidence["omitted_count"] == 10 + more
    assert (len(_compact(row.evidence)) == BATCH_EVIDENCE_CHARS) == (more == 0)


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def test_equal_rows_have_equal_revisions_and_others_do_not() -> None:
    rows = [
        make_row(1),
        make_row(2),
        make_row(1, text="Other."),
        succeeded("x"),
        succeeded("x", position=1),
        succeeded("x", key="b"),
        failed(text="x"),
    ]

    assert make_row(1).revision == rows[0].revision
    assert len({row.revision for row in rows}) == len(rows)
    assert all(len(row.revision) == 64 for row in rows)


def test_store_of_a_newer_release_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "b.sqlite3"
    with open_batches(path):
        pass
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 2")

    with pytest.raises(InputError, match="newer release"), open_batches(path):
        pass


def test_other_database_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE rows (x)")
    before = path.read_bytes()

    with pytest.raises(InputError, match="another database"), open_batches(path):
        pass

    assert path.read_bytes() == before


def test_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("Not a database, but long enough to be looked at.\n" * 20, encoding="utf-8")

    with pytest.raises(InputError, match="SQLITE_NOTADB"), open_batches(path):
        pass


def test_path_in_a_folder_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="SQLITE_CANTOPEN"), open_batches(tmp_path / "a" / "b"):
        pass


def test_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "b.sqlite3"
    start = threading.Barrier(4)
    problems: list[BaseException] = []

    def write(first: int) -> None:
        try:
            start.wait()
            with open_batches(path) as store:
                for number in range(first, 40, 2):
                    store.put_row(OWNER, "b", make_row(number))
        except BaseException as problem:  # noqa: BLE001 - shown by the test itself
            problems.append(problem)

    threads = [threading.Thread(target=write, args=(each % 2,)) for each in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert problems == []
    with open_batches(path) as store:
        assert list(store.list_rows(OWNER, "b")) == [make_row(number) for number in range(40)]
