"""Files of full tool outputs: whole or absent, never outside their folder, for the owner only."""

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from knowledge_contract.budget import BudgetSettings, apply_budget
from knowledge_contract.errors import UnavailableError
from knowledge_contract.store import file_store

NAMES = {
    "plain": ("web_search", "web_search"),
    "with a path": ("../../etc/passwd", "etc-passwd"),
    "absolute": ("/etc/passwd", "etc-passwd"),
    "with a drive": ("C:\\x.txt", "c-x-txt"),
    "in capitals": ("Web Search!", "web-search"),
    "with NUL": ("a\0b", "a-b"),
    "of dots": ("..", "tool"),
    "empty": ("", "tool"),
    "absent": (None, "tool"),
    "in another script": ("\u641c\u7d22", "tool"),
    "endless": ("a" * 5000, "a" * 64),
}


@pytest.mark.parametrize(("tool_name", "shown"), NAMES.values(), ids=NAMES)
def test_tools_name_leads_nowhere_else(tmp_path: Path, tool_name: str | None, shown: str) -> None:
    folder = tmp_path / "outputs"

    path = file_store(folder)("Text.", tool_name=tool_name)

    assert path is not None
    assert Path(path).parent == folder
    prefix, _, digits = Path(path).stem.rpartition("-")
    assert prefix == shown
    assert len(digits) == 32
    assert set(digits) <= set("0123456789abcdef")
    assert [each.name for each in tmp_path.iterdir()] == ["outputs"]


def test_file_holds_the_text_for_its_owner_alone(tmp_path: Path) -> None:
    store = file_store(tmp_path / "a" / "outputs")

    first, second = (store("Zeile \u00e9\r\n\ud800\n", tool_name="t") for _ in range(2))

    assert first is not None
    assert first != second
    assert Path(first).read_bytes() == "Zeile \u00e9\r\n?\n".encode()
    assert stat.S_IMODE(Path(first).stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "a" / "outputs").stat().st_mode) == 0o700
    assert len(list((tmp_path / "a" / "outputs").iterdir())) == 2


def test_path_is_the_one_that_tools_see(tmp_path: Path) -> None:
    path = file_store(tmp_path, shown_folder="/mnt/outputs/")("Text.", tool_name="t")

    [file] = tmp_path.iterdir()
    assert path == f"/mnt/outputs/{file.name}"


def test_folder_exchanged_for_a_link_is_not_written_to(tmp_path: Path) -> None:
    elsewhere, folder = tmp_path / "elsewhere", tmp_path / "outputs"
    elsewhere.mkdir()
    store = file_store(folder)
    folder.symlink_to(elsewhere, target_is_directory=True)

    with pytest.raises(OSError, match="outputs"):
        store("Text.", tool_name="t")

    assert list(elsewhere.iterdir()) == []


def test_links_where_the_file_would_go_are_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim, folder = tmp_path / "victim", tmp_path / "outputs"
    victim.write_text("Untouched.", encoding="utf-8")
    folder.mkdir()
    monkeypatch.setattr("secrets.token_hex", lambda count: "0" * 2 * count)
    final = f"t-{'0' * 32}.txt"
    (folder / f".{final}.part").symlink_to(victim)

    with pytest.raises(FileExistsError):
        file_store(folder)("Text.", tool_name="t")
    (folder / f".{final}.part").unlink()
    (folder / final).symlink_to(victim)
    file_store(folder)("Text.", tool_name="t")

    assert victim.read_text(encoding="utf-8") == "Untouched."
    assert not (folder / final).is_symlink()


def test_failure_leaves_no_part_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(OSError, match="No space left"):
        file_store(tmp_path)("Text.", tool_name="t")

    assert list(tmp_path.iterdir()) == []


def test_folder_that_cannot_be_made_costs_the_middle_only(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    message: dict[str, Any] = {"type": "tool", "name": "t", "content": "x" * 20_000}

    budgeted = apply_budget(message, BudgetSettings(), store=file_store(tmp_path / "file" / "x"))

    assert "shortened from 20000 characters" in budgeted["content"]


def test_stored_output_reads_back_from_the_path_in_its_preview(tmp_path: Path) -> None:
    text = "".join(f"Line {index}.\n" for index in range(3000))
    message: dict[str, Any] = {"type": "tool", "name": "t", "content": text}

    budgeted = apply_budget(message, BudgetSettings(), store=file_store(tmp_path))

    path = budgeted["content"].rpartition("\nFull text: ")[2]
    assert Path(path).read_text(encoding="utf-8") == text


def test_system_without_handles_of_folders_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "supports_dir_fd", set())

    with pytest.raises(UnavailableError):
        file_store(tmp_path)
