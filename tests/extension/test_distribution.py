"""The plugin as its own distribution: built, put beside the host, and found by its entry point."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from extension.block import BLOCK, KEY, Configure
from install_extension import read_entry_points
from knowledge_contract.host import ENTRY_POINTS

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "examples" / "deerflow-extension-lightrag"
PACKAGE = "deerflow_extension_lightrag"
NAMED = BLOCK.replace(
    f"use: {PACKAGE}:install",
    "use: lightrag-relations\n    package: deerflow-extension-lightrag",
)


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the built wheel's files, as an installer would put them there."""
    folder = tmp_path_factory.mktemp("plugin")
    subprocess.run(
        [
            *(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder),
            FOLDER,
        ],
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    site = folder / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    return site


def test_folder_can_be_installed_as_a_plugin() -> None:
    assert read_entry_points(FOLDER) == ({"lightrag-relations": f"{PACKAGE}:install"}, "")


def test_wheel_holds_the_plugin_and_nothing_else(installed: Path) -> None:
    files = {path.relative_to(installed).as_posix() for path in installed.rglob("*.*")}

    assert {each for each in files if ".dist-info" not in each} == {
        f"{PACKAGE}/__init__.py",
        f"{PACKAGE}/plugin.py",
        f"{PACKAGE}/py.typed",
    }


@pytest.mark.parametrize("text", [BLOCK, NAMED], ids=["module", "entry point"])
def test_installed_plugin_is_loaded_in_a_new_process(
    text: str, installed: Path, configure: Configure
) -> None:
    path = configure("https://lightrag.example.com", text)

    done = subprocess.run(
        [
            *(sys.executable, "-m", "knowledge_contract.cli", "host", "check"),
            *("--config", path, "--format", "json"),
        ],
        env={**os.environ, "PYTHONPATH": str(installed), "LIGHTRAG_API_KEY": KEY},
        capture_output=True,
        check=False,
        encoding="utf-8",
    )

    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert [each["state"] for each in found["plugins"]] == ["loaded"]
    assert [each["provider"] for each in found["tools"]] == ["lightrag-relations"] * 2
    assert KEY not in done.stdout


def test_entry_point_stands_in_the_group_that_hosts_read(installed: Path) -> None:
    (points,) = installed.glob("*.dist-info/entry_points.txt")

    assert f"[{ENTRY_POINTS}]" in points.read_text(encoding="utf-8")
