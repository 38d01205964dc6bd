"""Index a folder in a process of its own: one line for each file, then what was done.

python indexer.py FOLDER INDEX
"""

import json
import sys
from pathlib import Path

from knowledge_contract.providers.local import LocalProvider, Progress


def main() -> None:
    """Print progress lines that a parent can count."""
    folder, index_path = map(Path, sys.argv[1:])

    def report(progress: Progress) -> None:
        sys.stdout.write(f"{progress.done}\n")
        sys.stdout.flush()

    summary = LocalProvider(folder, index_path=index_path).refresh(progress=report)
    sys.stdout.write(json.dumps(summary[:3]) + "\n")


if __name__ == "__main__":
    main()
