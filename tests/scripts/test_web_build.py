"""The set-up of the TypeScript parts costs nothing when nothing changed."""

import sys
from pathlib import Path

import pytest

import web_build


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for the web folder."""
    monkeypatch.setattr(web_build, "ROOT", tmp_path)
    monkeypatch.setattr(web_build, "WEB", tmp_path)
    (tmp_path / "input").write_text("1", encoding="utf-8")
    return tmp_path


def build(web: Path) -> int:
    """Bring the output up to date; return how often it was ever built."""
    output = web / "output"
    append = f"open({str(output)!r}, 'a').write('x')"
    web_build.make(output, web / "stamp", [web / "input"], [sys.executable, "-c", append])
    return len(output.read_text(encoding="utf-8"))


def test_unchanged_input_builds_once(web: Path) -> None:
    assert [build(web), build(web)] == [1, 1]


def test_changed_input_builds_again(web: Path) -> None:
    build(web)
    (web / "input").write_text("2", encoding="utf-8")

    assert build(web) == 2


def test_deleted_output_is_built_again(web: Path) -> None:
    build(web)
    (web / "output").unlink()

    assert build(web) == 1


def test_missing_node_is_named_in_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    reason = web_build.why_no_web()

    assert reason is not None
    assert reason.startswith("Node 20 or newer")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script stands in for Node")
def test_old_node_is_named_in_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("node", "npm"):
        program = tmp_path / name
        program.write_text("#!/bin/sh\necho v18.19.0\n", encoding="utf-8")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    reason = web_build.why_no_web()

    assert reason == "Node 20 or newer is needed, and this is v18.19.0"
