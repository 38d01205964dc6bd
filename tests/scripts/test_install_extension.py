"""A plugin's folder is looked at before it is installed."""

import json
import sys
from pathlib import Path

import pytest

import install_extension
from knowledge_contract.host import ENTRY_POINTS

GOOD = """\
[project]
name = "example"
[project.entry-points."deerflow.extensions"]
example = "example_plugin:install"
"""


@pytest.fixture
def recorder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a program in the place of the installer that writes down its arguments."""
    record = tmp_path / "record.json"
    program = tmp_path / "installer"
    lines = (
        f"#!{sys.executable}",
        "import json, pathlib, sys",
        f"pathlib.Path({str(record)!r}).write_text(json.dumps(sys.argv[1:]))",
        "sys.exit(3 if 'broken' in sys.argv[-1] else 0)",
    )
    program.write_text("\n".join(lines), encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("UV", str(program))
    return record


def write(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.skipif(sys.platform == "win32", reason="the recorder is a script with a shebang")
def test_good_folder_is_installed_and_its_block_printed(
    recorder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write(tmp_path / "extension", GOOD)

    code = install_extension.main([str(folder)])

    assert code == 0
    assert json.loads(recorder.read_text(encoding="utf-8")) == [
        *("pip", "install", "--python", sys.executable, str(folder))
    ]
    told = capsys.readouterr()
    assert told.out == (
        "plugins:\n  - use: example_plugin:install\n"
        "    enabled: true\n    required: true\n    config: {}\n"
    )
    assert told.err == "Then look at it: knowledge-contract host check --config FILE\n"


@pytest.mark.skipif(sys.platform == "win32", reason="the recorder is a script with a shebang")
def test_relative_folder_starts_where_the_recipe_was_called(
    recorder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path / "extension", GOOD)
    monkeypatch.setenv(install_extension.CALLED_FROM, str(tmp_path))

    code = install_extension.main(["extension"])

    assert code == 0
    assert json.loads(recorder.read_text(encoding="utf-8"))[-1] == str(folder)


def test_recipe_says_where_it_was_called() -> None:
    recipes = (Path(__file__).resolve().parents[2] / "justfile").read_text(encoding="utf-8")

    assert f"{install_extension.CALLED_FROM}={{{{ quote(invocation_directory()) }}}}" in recipes


def test_missing_installer_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("UV", str(tmp_path / "nowhere"))
    folder = write(tmp_path / "extension", GOOD)

    code = install_extension.main([str(folder)])

    told = capsys.readouterr()
    assert (code, told.out) == (2, "")
    assert told.err == "uv cannot be run: install it, or name it in the variable UV\n"


@pytest.mark.skipif(sys.platform == "win32", reason="the recorder is a script with a shebang")
@pytest.mark.usefixtures("recorder")
def test_failed_installation_prints_no_block(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write(tmp_path / "broken", GOOD)

    code = install_extension.main([str(folder)])

    assert (code, capsys.readouterr().out) == (3, "")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "the folder holds no pyproject.toml"),
        ("[project", "is not TOML"),
        ("[project]\nname = 'x'\n", 'has no [project.entry-points."deerflow.extensions"]'),
        (GOOD.replace("_plugin:install", "_plugin"), "is not `module:attribute`"),
        ("project = 1\n", "has no [project.entry-points"),
        (GOOD.replace("install", "i\\n  - use: evil:x"), "is not `module:attribute`"),
        (GOOD.replace('"example_plugin:install"', "7"), "is not `module:attribute`"),
    ],
    ids=[
        *("no file", "no TOML", "no entry point", "no attribute", "no project"),
        *("two lines", "number"),
    ],
)
def test_folder_that_is_no_plugin_is_refused_before_anything_is_installed(
    text: str | None,
    reason: str,
    recorder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "nothing" if text is None else write(tmp_path / "extension", text)

    code = install_extension.main([str(folder)])

    told = capsys.readouterr()
    assert (code, told.out) == (2, "")
    assert reason in told.err
    assert not recorder.exists()


@pytest.mark.parametrize("arguments", [[], ["a", "b"]], ids=["none", "two"])
def test_usage_is_one_folder(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert install_extension.main(arguments) == 2
    assert capsys.readouterr().err == "usage: just extension-install FOLDER\n"


def test_group_is_the_one_that_hosts_look_in() -> None:
    assert install_extension.GROUP == ENTRY_POINTS
