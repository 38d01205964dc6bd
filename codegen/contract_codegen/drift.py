"""Write the generated files, or tell how they differ from what the contract gives today."""

import difflib
import os
import tempfile
from pathlib import Path
from typing import Literal, NamedTuple

from contract_codegen.errors import OutputError
from contract_codegen.outputs import CONTRACT_PATH, build_outputs

GENERATED = "generated"
_IGNORED_FOLDERS = frozenset({"__pycache__", ".mypy_cache", ".ruff_cache"})


class Change(NamedTuple):
    """One generated file that is not as it should be, or was just made so.

    Attributes:
        path: Relative to the checkout, with forward slashes.
        kind: `edited`: the content differs; `missing`: no such file; `extra`: a file that
            nothing generates; `written`: the file was written.
        diff: Unified diff from the file to what it should be; empty for `written`.
    """

    path: str
    kind: Literal["edited", "missing", "extra", "written"]
    diff: str


def find_checkout(start: Path) -> Path | None:
    """Return the nearest folder at or above `start` that holds a contract and the generator."""
    for folder in (start, *start.parents):
        if (folder / CONTRACT_PATH).is_file() and (folder / "codegen").is_dir():
            return folder
    return None


def compare_outputs(root: Path) -> list[Change]:
    """Compare in memory; nothing is written.

    Raises:
        CodegenError: the contract is refused, or a file cannot be read.
    """
    return _compare(_expected(root), _found(root))


def _compare(expected: dict[str, bytes], found: dict[str, bytes]) -> list[Change]:
    changes: list[Change] = []
    for path in sorted(expected.keys() | found.keys()):
        old, new = found.get(path), expected.get(path)
        if old != new:
            kind: Literal["edited", "missing", "extra"] = (
                "missing" if old is None else "extra" if new is None else "edited"
            )
            changes.append(Change(path, kind, _diff(path, old, new)))
    return changes


def write_outputs(root: Path) -> list[Change]:
    """Write every file that differs, and remove those that nothing generates.

    Raises:
        CodegenError: the contract is refused, or a file cannot be written.
    """
    expected = _expected(root)
    done: list[Change] = []
    for path, kind, diff in _compare(expected, _found(root)):
        target = root / path
        try:
            if kind == "extra":
                target.unlink()
            else:
                _replace(target, expected[path])
        except OSError as error:
            raise OutputError(f"{path}: cannot be written: {error.strerror}") from None
        done.append(Change(path, kind, diff) if kind == "extra" else Change(path, "written", ""))
    return done


def _expected(root: Path) -> dict[str, bytes]:
    return {f"{GENERATED}/{path}": text.encode() for path, text in build_outputs(root).items()}


def _found(root: Path) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for folder, names, leaves in os.walk(root / GENERATED):
        names[:] = sorted(set(names) - _IGNORED_FOLDERS)
        for leaf in sorted(leaves):
            path = Path(folder, leaf)
            relative = path.relative_to(root).as_posix()
            try:
                files[relative] = path.read_bytes()
            except OSError as error:
                raise OutputError(f"{relative}: cannot be read: {error.strerror}") from None
    return files


def _diff(path: str, old: bytes | None, new: bytes | None) -> str:
    before, after = _lines(old), _lines(new)
    names = ("/dev/null" if old is None else path, "/dev/null" if new is None else path)
    return "".join(difflib.unified_diff(before, after, *names, n=2))


def _lines(data: bytes | None) -> list[str]:
    if data is None:
        return []
    lines = data.decode("utf-8", "backslashreplace").splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n\\ No newline at end of file\n"
    return lines


def _replace(target: Path, data: bytes) -> None:
    """Write a file so that a reader, or a killed process, never leaves half of it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(name, 0o644)  # noqa: PTH101 - mkstemp's 0600 would hide the file from others
        os.replace(name, target)  # noqa: PTH105 - the twin of mkstemp's bare name
    except BaseException:
        os.unlink(name)  # noqa: PTH108 - as above
        raise
