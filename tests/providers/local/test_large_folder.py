"""Ten thousand documents, a hundred megabytes: flat memory, and a second run that does little."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

FILE_COUNT = 10_000
GROWTH_LIMIT_BYTES = 200 * 2**20
PROGRAM = """
import resource, sys
from pathlib import Path
from knowledge_contract.providers.local import LocalProvider

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

provider = LocalProvider(Path(sys.argv[1]), index_path=Path(sys.argv[2]))
before = peak()
first = provider.refresh()
Path(sys.argv[1], "0", "0.txt").write_text("changed needle", encoding="utf-8")
second = provider.refresh()
hits = provider.search_index("needle").hits
print(*first[:3], *second[:3], len(hits), peak() - before)
"""


def write_documents(folder: Path) -> int:
    """Write the documents; return how many bytes they have."""
    chance = random.Random(5)  # noqa: S311 - text, no secret
    words = ["".join(chance.choices("abcdefghiklmnoprstu", k=6)) for _ in range(3000)]
    paragraphs = [" ".join(chance.choices(words, k=85)) + "." for _ in range(500)]
    size = 0
    for number in range(FILE_COUNT):
        kind = ".md" if number % 5 == 1 else ".txt"
        path = folder / str(number // 100) / f"{number}{kind}"
        path.parent.mkdir(parents=True, exist_ok=True)
        data = "\n\n".join([f"# Document {number}", *chance.choices(paragraphs, k=17)]).encode()
        path.write_bytes(data)
        size += len(data)
    return size


@pytest.mark.skipif(sys.platform == "win32", reason="does not tell a process's peak of memory")
def test_ten_thousand_documents_are_indexed_with_flat_memory(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    size = write_documents(folder)

    child = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder), str(tmp_path / "index.sqlite3")],
        capture_output=True,
        check=True,
        encoding="utf-8",
    )

    *counts, growth = map(int, child.stdout.split())
    # The unit is a kilobyte, on macOS a byte.
    growth_bytes = growth if sys.platform == "darwin" else growth * 1024
    assert size > 100_000_000
    assert counts == [FILE_COUNT, 0, 0, 1, FILE_COUNT - 1, 0, 1]
    assert growth_bytes < GROWTH_LIMIT_BYTES
