"""Drift: what was generated is what the contract gives, wherever and however one asks."""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from contract_codegen.drift import Change, compare_outputs, find_checkout, write_outputs
from contract_codegen.errors import CodegenError
from contract_codegen.outputs import CONTRACT_PATH, build_outputs

ROOT = Path(__file__).parents[2]
GENERATED = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "generated").rglob("*")
    if path.is_file() and "__pycache__" not in path.parts
)
PRINT_DIGEST = """
import hashlib, sys
from pathlib import Path
from contract_codegen.outputs import build_outputs
outputs = build_outputs(Path(sys.argv[1]))
print(hashlib.sha256(repr(sorted(outputs.items())).encode()).hexdigest())
"""


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what drift looks at, clean at first; every test leaves it clean."""
    root = tmp_path_factory.mktemp("checkout")
    for name in ("contracts", "generated"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, root / name, ignore=ignored)
    (root / "codegen").mkdir()
    return root


@pytest.fixture
def checkout(copied: Path) -> Iterator[Path]:
    assert compare_outputs(copied) == []
    yield copied
    shutil.copy(ROOT / CONTRACT_PATH, copied / CONTRACT_PATH)
    write_outputs(copied)


def drift(root: Path) -> list[tuple[str, str]]:
    return [(change.path, change.kind) for change in compare_outputs(root)]


def test_one_changed_character_in_any_generated_file_is_drift(checkout: Path) -> None:
    for path in GENERATED:
        target = checkout / path
        data = target.read_bytes()
        target.write_bytes(data[:-1] + b"#" if data else b"#")

    assert drift(checkout) == [(path, "edited") for path in GENERATED]


def test_each_missing_file_is_drift(checkout: Path) -> None:
    for path in GENERATED:
        (checkout / path).unlink()

    assert drift(checkout) == [(path, "missing") for path in GENERATED]


def test_added_file_is_drift(checkout: Path) -> None:
    (checkout / "generated/python/knowledge_wire/helpers.py").write_text("x = 1\n", "utf-8")

    assert compare_outputs(checkout) == [
        Change(
            "generated/python/knowledge_wire/helpers.py",
            "extra",
            "--- generated/python/knowledge_wire/helpers.py\n+++ /dev/null\n"
            "@@ -1 +0,0 @@\n-x = 1\n",
        )
    ]


def test_one_changed_character_in_the_contract_is_drift(checkout: Path) -> None:
    contract = checkout / CONTRACT_PATH
    text = contract.read_text(encoding="utf-8")
    contract.write_text(text.replace('"maxLength": 512', '"maxLength": 513', 1), encoding="utf-8")

    changed = {path for path, kind in drift(checkout) if kind == "edited"}

    assert "generated/python/knowledge_wire/validators.py" in changed
    assert "generated/python/knowledge_wire/models.py" in changed
    assert "generated/typescript/validator.ts" in changed
    assert "generated/docs/knowledge_sources.v1.md" in changed


def test_changed_line_ends_are_drift(checkout: Path) -> None:
    target = checkout / "generated/typescript/identity.ts"
    target.write_bytes(target.read_bytes().replace(b"\n", b"\r\n"))

    assert drift(checkout) == [("generated/typescript/identity.ts", "edited")]


def test_write_repairs_everything_and_then_has_nothing_to_do(checkout: Path) -> None:
    (checkout / "generated/python/knowledge_wire/types.py").unlink()
    (checkout / "generated/typescript/limits.ts").write_text("edited\n", encoding="utf-8")
    (checkout / "generated/extra.txt").write_text("extra\n", encoding="utf-8")

    done = [(change.path, change.kind) for change in write_outputs(checkout)]

    assert done == [
        ("generated/extra.txt", "extra"),
        ("generated/python/knowledge_wire/types.py", "written"),
        ("generated/typescript/limits.ts", "written"),
    ]
    assert write_outputs(checkout) == []


def test_check_writes_nothing(checkout: Path) -> None:
    target = checkout / "generated/python/knowledge_wire/types.py"
    target.write_text("edited\n", encoding="utf-8")

    compare_outputs(checkout)

    assert target.read_text(encoding="utf-8") == "edited\n"


def test_refused_contract_leaves_the_files_alone(checkout: Path) -> None:
    target = checkout / "generated/python/knowledge_wire/types.py"
    before = target.read_bytes()
    (checkout / CONTRACT_PATH).write_text("{", encoding="utf-8")

    with pytest.raises(CodegenError):
        write_outputs(checkout)

    assert target.read_bytes() == before


def test_file_that_cannot_be_written_is_one_clear_error(checkout: Path) -> None:
    target = checkout / "generated/python/knowledge_wire/types.py"
    target.unlink()
    target.mkdir()

    with pytest.raises(CodegenError, match=r"types\.py: cannot be written"):
        write_outputs(checkout)

    target.rmdir()


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "1", "LC_ALL": "C", "PYTHONUTF8": "0"},
        {"PYTHONHASHSEED": "4242", "LC_ALL": "C.UTF-8", "COLUMNS": "40", "TZ": "Asia/Tokyo"},
    ],
    ids=["plain locale", "other time zone and width"],
)
def test_bytes_do_not_depend_on_folder_locale_or_hash_seed(
    environment: dict[str, str], tmp_path: Path
) -> None:
    # The formatters of some generators read the nearest pyproject.toml.
    (tmp_path / "pyproject.toml").write_text(
        "[tool.black]\nline-length = 40\n[tool.ruff]\nline-length = 40\n", encoding="utf-8"
    )
    expected = hashlib.sha256(repr(sorted(build_outputs(ROOT).items())).encode()).hexdigest()

    printed = subprocess.run(
        [sys.executable, "-c", PRINT_DIGEST, str(ROOT)],
        cwd=tmp_path,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    assert printed.strip() == expected


def test_checkout_is_found_from_any_folder_inside_it() -> None:
    assert find_checkout(ROOT / "src" / "knowledge_contract") == ROOT


def test_nothing_is_found_outside_a_checkout(tmp_path: Path) -> None:
    assert find_checkout(tmp_path) is None
