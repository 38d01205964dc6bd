"""Change the reader and the boundary in hundreds of small ways, and see that a test notices each.

mutmut makes the changes and runs the tests that reach each one, in a copy of the tree. A change
that no test notices must stand in `tests/mutation/survivors.toml` with a reason, and what stands
there must have survived: the run fails on both. It takes minutes, so it is no part of `just test`.

Run: `uv run just mutate`.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SURVIVORS = ROOT / "tests/mutation/survivors.toml"
MODULES = ("boundary", "reading")
# They start agents, databases and interpreters: slow, and about what stands above the modules.
NOT_RUN = ("test_boundary_agents.py", "test_boundary_sqlite.py")
COPIED = ("contracts", "generated", "scripts", "src", "tests")
NOTICED = ("caught by type check", "killed", "timeout")

_OPTIONS = """
[tool.mutmut]
source_paths = ["src"]
only_mutate = ["src/knowledge_contract/{module}.py"]
also_copy = ["contracts", "generated", "scripts"]
# A changed function warns where the real one does not, and a failure for that proves nothing.
pytest_add_cli_args = ["-p", "no:cacheprovider", "-W", "default"]
pytest_add_cli_args_test_selection = {tests}
use_git_change_detection = false
"""


class Change(NamedTuple):
    """A change to a function, known by its text so that changes elsewhere leave it alone."""

    function: str
    lines: str

    def __str__(self) -> str:
        return f"{self.function}\n{self.lines}"


def copy_tree(folder: Path, module: str) -> None:
    """Copy what a module's tests need into a new folder, with mutmut's options."""
    unwanted = shutil.ignore_patterns("__pycache__", "node_modules", "_web")
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=unwanted)
    paths = sorted((ROOT / "tests/core").glob(f"test_{module}*.py"))
    tests = [f"tests/core/{path.name}" for path in paths if path.name not in NOT_RUN]
    options = _OPTIONS.format(module=module, tests=tests)
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (folder / "pyproject.toml").write_text(f"{project}{options}", encoding="utf-8")


def run_tests(folder: Path) -> None:
    """Let mutmut make the changes and run the tests, with its progress shown."""
    # Hypothesis then explores the same examples each time, so that a verdict is no chance.
    environment = {**os.environ, "CI": "1"}
    command = [sys.executable, "-m", "mutmut", "run", "--max-children", str(os.cpu_count() or 1)]
    if subprocess.run(command, cwd=folder, env=environment, check=False).returncode:
        raise SystemExit("mutmut could not finish")


def ask(folder: Path, *question: str) -> str:
    """Return what mutmut tells of a run that is done."""
    command = [sys.executable, "-m", "mutmut", *question]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=True, encoding="utf-8")
    return done.stdout


def verdicts(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield each change's name and what became of it."""
    for line in ask(folder, "results", "--all", "true").splitlines():
        name, found, verdict = line.strip().partition(": ")
        if found:
            yield name, verdict


def read_change(folder: Path, name: str) -> Change:
    """Return a change by mutmut's name for it."""
    diff = ask(folder, "show", name).splitlines()
    lines = [line for line in diff if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    function = name.rpartition("__mutmut_")[0].replace(".x_", ".")
    return Change(function, "\n".join(f"{line[0]} {line[1:].strip()}" for line in lines))


def known_survivors() -> dict[Change, str]:
    """Return the changes that may survive, with their reasons."""
    entries = tomllib.loads(SURVIVORS.read_text(encoding="utf-8"))["survivor"]
    return {Change(each["function"], each["change"].strip()): each["reason"] for each in entries}


def report(survived: Iterable[Change], known: dict[Change, str]) -> int:
    """Print what does not agree; return the exit code."""
    found = set(survived)
    unknown, stale = sorted(found - known.keys()), sorted(known.keys() - found)
    for change in unknown:
        print(f"\nNo test notices, and no reason is written: {change}")
    for change in stale:
        print(f"\nA reason is written, but a test notices: {change}")
    unreasoned = [change for change, reason in known.items() if not reason.strip()]
    for change in unreasoned:
        print(f"\nThe reason is empty: {change}")
    return 1 if unknown or stale or unreasoned else 0


def mutate(folder: Path, module: str) -> tuple[Counter[str], list[Change]]:
    """Return how many changes of a module met which verdict, and those that no test noticed."""
    copy_tree(folder, module)
    run_tests(folder)
    found = dict(verdicts(folder))
    survived = [name for name, verdict in found.items() if verdict not in NOTICED]
    return Counter(found.values()), [read_change(folder, name) for name in survived]


def main() -> int:
    """Run everything in a folder that is thrown away; return 1 if survivors are not as known."""
    start = time.monotonic()
    counts: Counter[str] = Counter()
    survived: list[Change] = []
    with tempfile.TemporaryDirectory() as name:
        for module in MODULES:
            folder = Path(name, module)
            counted, changes = mutate(folder, module)
            counts += counted
            survived += changes
    told = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    minutes = (time.monotonic() - start) / 60
    print(f"\n{counts.total()} changes in {minutes:.1f} minutes: {told}")
    return report(survived, known_survivors())


if __name__ == "__main__":
    raise SystemExit(main())
