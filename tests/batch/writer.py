"""Write rows in processes of their own that a test kills: each line on stdin starts one.

python writer.py STORE

Answers with the new process's id; that process then prints each item's key once its row is on
disk, for ever. Imports are made once, so that a start costs next to nothing.
"""

import os
import sys
from itertools import count
from pathlib import Path

from batch.rows import OWNER, make_row, stored_rows
from knowledge_contract.batch import open_batches

AGAIN = 3


def write_rows(path: Path) -> None:
    """Go on where the last writer ended, and put its last rows again."""
    with open_batches(path) as store:
        for number in count(max(0, len(stored_rows(store)) - AGAIN)):
            say(store.put_row(OWNER, "b", make_row(number)).item_key)


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def main() -> None:
    """Fork a writer for each line, and tell what ended it."""
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            write_rows(Path(sys.argv[1]))
        say(str(child))
        _, status = os.waitpid(child, 0)
        say(f"ended by {os.WTERMSIG(status)}")


if __name__ == "__main__":
    main()
