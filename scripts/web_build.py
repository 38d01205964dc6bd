"""Install and build the TypeScript parts, when something that they depend on changed.

Each step leaves a stamp, a hash of all that it read, inside what it made: a deleted output takes
its stamp along, and an unchanged one costs only the hashing.
"""

import hashlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "src" / "web"
MODULES = WEB / "node_modules"
READER = ROOT / "src" / "knowledge_contract" / "_web" / "reader.mjs"

NODE_MAJOR_MINIMUM = 20


def why_no_web() -> str | None:
    """Return why the TypeScript parts cannot be built here, None when they can."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return f"Node {NODE_MAJOR_MINIMUM} or newer, with npm, is not installed"
    version = subprocess.run(
        [node, "--version"], capture_output=True, check=False, encoding="utf-8"
    ).stdout.strip()
    major = re.match(r"v(\d+)\.", version)
    if major is None or int(major[1]) < NODE_MAJOR_MINIMUM:
        return f"Node {NODE_MAJOR_MINIMUM} or newer is needed, and this is {version or 'unknown'}"
    return None


def hash_of(paths: Iterable[Path]) -> str:
    """Return a hash of the names and bytes of these files."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        data = path.read_bytes()
        digest.update(f"{path.relative_to(ROOT).as_posix()}\0{len(data)}\0".encode())
        digest.update(data)
    return digest.hexdigest()


def package_files() -> list[Path]:
    """Return what decides which packages are installed."""
    return [WEB / "package.json", WEB / "package-lock.json"]


def source_files() -> list[Path]:
    """Return what decides the bundle: our sources, the generated ones, and the packages."""
    roots = [path for path in WEB.iterdir() if path != MODULES]
    roots.append(ROOT / "generated" / "typescript")
    return [path for root in roots for path in (root, *root.rglob("*")) if path.is_file()]


def make(output: Path, stamp: Path, inputs: Iterable[Path], command: list[str]) -> None:
    """Run the command in the web folder, unless it made the output from these very inputs.

    Raises:
        CalledProcessError: The command failed; the stamp stays absent.
    """
    wanted = hash_of(inputs)
    if output.exists() and stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return
    stamp.unlink(missing_ok=True)
    print("web:", *command, flush=True)
    program = shutil.which(command[0]) or command[0]
    subprocess.run([program, *command[1:]], cwd=WEB, check=True, stdin=subprocess.DEVNULL)
    stamp.write_text(wanted, encoding="utf-8")


def main() -> int:
    """Bring the TypeScript parts up to date; say so when this machine cannot."""
    if reason := why_no_web():
        print(f"web: left out the TypeScript parts: {reason}", file=sys.stderr)
        return 0
    try:
        make(MODULES, MODULES / ".stamp", package_files(), ["npm", "ci", "--no-fund"])
        make(READER, READER.with_name(".stamp"), source_files(), ["npm", "run", "build"])
    except subprocess.CalledProcessError as error:
        print(f"web: `{error.cmd[0]}` failed with exit code {error.returncode}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
