"""Promises about the files of the repository itself."""

import re
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINES_LIMIT = 400
GENERATED_HEADER = re.compile(r"generated from contracts/\S+", re.IGNORECASE)

# In classes of one character, so that this file does not hold what it forbids.
FORBIDDEN = re.compile(
    r"py[p]i\.|npm[j]s\.|python[h]osted\.|(?:^|[\s\"'(=])/(?:[h]ome|[U]sers|[r]oot)/", re.MULTILINE
)


def repository_files() -> list[Path]:
    """Return the files that are tracked or would be."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    paths = (ROOT / name for name in listing.stdout.split("\0") if name)
    return sorted(path for path in paths if path.is_file())


def names(paths: list[Path]) -> list[str]:
    """Return the paths as a developer would type them."""
    return [path.relative_to(ROOT).as_posix() for path in paths]


def test_no_file_names_a_registry_or_a_place_on_a_machine() -> None:
    offenders = [
        path
        for path in repository_files()
        if FORBIDDEN.search(path.read_bytes().decode("utf-8", errors="replace"))
    ]

    assert names(offenders) == []


def test_python_lock_file_is_not_tracked() -> None:
    assert [path for path in repository_files() if path.name == "uv.lock"] == []


def test_package_lock_names_no_address() -> None:
    locks = [path for path in repository_files() if path.name == "package-lock.json"]

    assert names(locks) == ["src/web/package-lock.json"]
    assert '"resolved"' not in locks[0].read_text(encoding="utf-8")


def test_version_is_the_newest_in_the_changelog() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    newest = re.search(r"^## \[([^\]]+)\]", changelog, re.MULTILINE)

    assert newest is not None
    assert newest[1] == project["version"]


def test_generated_files_say_so_in_their_head() -> None:
    generated = [
        path
        for path in repository_files()
        if path.is_relative_to(ROOT / "generated") and path.suffix not in {".json", ".typed"}
    ]

    unmarked = [
        path
        for path in generated
        if not GENERATED_HEADER.search(path.read_text(encoding="utf-8")[:400])
    ]

    assert generated
    assert names(unmarked) == []


def test_line_ends_are_line_feeds() -> None:
    assert names([path for path in repository_files() if b"\r" in path.read_bytes()]) == []


def test_source_files_are_short() -> None:
    sources = [
        path
        for path in repository_files()
        if path.suffix in {".py", ".ts", ".mjs"} and not path.is_relative_to(ROOT / "generated")
    ]

    long = [path for path in sources if path.read_bytes().count(b"\n") > LINES_LIMIT]

    assert names(long) == []
