"""An indexer may end at any time: its index answers, and the next run completes it."""

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from knowledge_contract.providers.local import Progress
from providers.local.folders import check_soundness, make_folder, provider_for

INDEXER = Path(__file__).with_name("indexer.py")
FILE_COUNT = 120
KILLS = 20


def kill_after(lines: int, folder: Path, index_path: Path) -> int:
    """Start the indexer, kill it once it printed so many lines; return its exit code."""
    command = [sys.executable, str(INDEXER), str(folder), str(index_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        for _ in range(lines):
            child.stdout.readline()
        child.kill()
        child.stdout.read()
    return child.returncode


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGKILL")
def test_index_survives_twenty_kills_at_random_points(tmp_path: Path) -> None:
    chance = random.Random(3)  # noqa: S311 - a seeded choice of places
    text = "needle and straw in a stack of hay\n\n" * 60
    files = {f"{number:03}.txt": f"{text}{number}" for number in range(FILE_COUNT)}
    folder = make_folder(tmp_path, files)
    provider = provider_for(folder)

    for kill in range(KILLS):
        # Every run has something to do: one file is new, and those that were left are older.
        folder.joinpath(f"{kill:03}.txt").write_text(f"{text} again {kill}", encoding="utf-8")
        code = kill_after(chance.randrange(1, FILE_COUNT), folder, provider.index_path)

        assert code == -signal.SIGKILL
        assert provider.search_index("needle").hits
        check_soundness(provider.index_path)

    summary = provider.refresh()
    assert summary.indexed + summary.unchanged == FILE_COUNT
    assert provider.search_index("again 7").hits[0].title == "007.txt"
    assert provider.refresh()[:3] == (0, FILE_COUNT, 0)
    check_soundness(provider.index_path)


def test_interrupted_refresh_keeps_what_it_indexed(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, {f"{number}.txt": "needle" for number in range(5)})
    provider = provider_for(folder)

    def interrupt(progress: Progress) -> None:
        if progress.done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        provider.refresh(progress=interrupt)

    assert len(provider.search_index("needle").hits) == 3
    assert provider.refresh()[:3] == (2, 3, 0)
