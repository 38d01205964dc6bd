"""Write the vector files, or with `--check` compare them with the cases."""

import argparse
import sys
from pathlib import Path

from contract_vectors.files import find_drift, write_files

FOLDER = Path(__file__).parents[2] / "contracts" / "vectors"


def main(arguments: list[str] | None = None) -> int:
    """Return the exit code: 0 written or alike, 1 drifted."""
    parser = argparse.ArgumentParser(prog="python -m contract_vectors", description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 on a difference"
    )
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the files stand")
    options = parser.parse_args(arguments)
    if not options.check:
        write_files(options.folder)
        return 0
    drift = find_drift(options.folder)
    sys.stderr.write("".join(f"{line}\n" for line in drift))
    return 1 if drift else 0


if __name__ == "__main__":
    sys.exit(main())
