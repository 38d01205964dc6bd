"""A writer may be killed at any time: no committed row is lost, and the next run goes on."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import IO

import pytest

from batch.rows import OWNER, make_row, stored_rows
from knowledge_contract.batch import open_batches

WRITER = Path(__file__).with_name("writer.py")
KILLS = 50
FRESH_START = 10
MOST_ROWS = 12


def kill_after(lines: int, requests: IO[str], answers: IO[str]) -> set[str]:
    """Start a writer, kill it once it printed so many keys; return all that it printed."""
    requests.write("start\n")
    requests.flush()
    writer = int(answers.readline())
    printed = {answers.readline().strip() for _ in range(lines)}
    os.kill(writer, signal.SIGKILL)
    while not (line := answers.readline().strip()).startswith("ended"):
        printed.add(line)
    assert line == f"ended by {int(signal.SIGKILL)}"
    return printed


def check_rows(path: Path, committed: set[str]) -> int:
    """Check that the store is sound and holds every committed row whole; return how many."""
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with open_batches(path) as store:
        rows = stored_rows(store)
    assert committed <= {row.item_key for row in rows}
    assert rows == [make_row(number) for number in range(len(rows))]
    return len(rows)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="has neither fork nor SIGKILL")
def test_store_survives_fifty_kills_at_random_points(tmp_path: Path) -> None:
    chance = random.Random(5)  # noqa: S311 - a seeded choice of places
    command = [sys.executable, str(WRITER), str(tmp_path / "batches.sqlite3")]
    environment = {**os.environ, "PYTHONPATH": str(WRITER.parents[1])}
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env=environment,
    ) as spawner:
        assert spawner.stdin is not None
        assert spawner.stdout is not None
        for kill in range(KILLS):
            if kill % FRESH_START == 0:
                # From nothing again, so that kills meet the making of the store too.
                for each in tmp_path.iterdir():
                    each.unlink()
                committed: set[str] = set()
            lines = chance.randrange(MOST_ROWS) if kill % FRESH_START else 0
            committed |= kill_after(lines, spawner.stdin, spawner.stdout)
            stored = check_rows(tmp_path / "batches.sqlite3", committed)
        spawner.stdin.close()

    with open_batches(tmp_path / "batches.sqlite3") as store:
        for number in range(stored + 5):
            assert store.put_row(OWNER, "b", make_row(number)) == make_row(number)
    assert check_rows(tmp_path / "batches.sqlite3", committed) == stored + 5
