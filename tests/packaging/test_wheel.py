"""The wheel as users get it: what is in it, and that it works without a checkout."""

import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Every file of the wheel matches one of these, and each matches a file.
WHEEL_FILES = (
    "knowledge_contract-*.dist-info/METADATA",
    "knowledge_contract-*.dist-info/RECORD",
    "knowledge_contract-*.dist-info/WHEEL",
    "knowledge_contract-*.dist-info/entry_points.txt",
    "knowledge_contract-*.dist-info/licenses/LICENSE",
    "knowledge_contract/*.py",
    "knowledge_contract/_samples/*",
    "knowledge_contract/_web/reader.mjs",
    "knowledge_contract/batch/*.py",
    "knowledge_contract/cli/*.py",
    "knowledge_contract/gateway/*.py",
    "knowledge_contract/host/*.py",
    "knowledge_contract/middleware/*.py",
    "knowledge_contract/providers/*.py",
    "knowledge_contract/providers/lightrag/*.py",
    "knowledge_contract/providers/local/*.py",
    "knowledge_contract/providers/ragflow/*.py",
    "knowledge_contract/py.typed",
    "knowledge_contract/tools/*.py",
    "knowledge_wire/*.py",
    "knowledge_wire/py.typed",
    "knowledge_wire/schemas/*.json",
    "knowledge_wire/vectors/*.json",
)

SOURCE = {"provider": "local", "title": "Handbook", "excerpt": "Water boils at 100 °C.", "page": 3}

PERMISSIVE = re.compile(r"\b(?:MIT|BSD|Apache|ISC|PSF)\b")
LIST_LICENCES = """
from importlib.metadata import distributions
for each in distributions():
    said = [each.metadata.get("License-Expression"), each.metadata.get("License")]
    said += [line for line in each.metadata.get_all("Classifier", []) if "License" in line]
    print(each.name, *(line.partition("\\n")[0] for line in said if line))
"""

# One worker builds and installs, once; the wheel carries the TypeScript reader.
pytestmark = [pytest.mark.xdist_group("wheel"), pytest.mark.typescript]


class Installation(NamedTuple):
    """A virtual environment outside the checkout, and an empty folder to work in."""

    scripts: Path
    folder: Path

    def run(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run the installed command line."""
        return subprocess.run(
            [self.scripts / "knowledge-contract", *arguments],
            cwd=self.folder,
            env=clean_environment(),
            input=stdin,
            capture_output=True,
            check=False,
            encoding="utf-8",
        )


def clean_environment() -> dict[str, str]:
    """Return the environment without anything that could lead Python to the checkout."""
    hidden = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
    return {name: value for name, value in os.environ.items() if name not in hidden}


def run_tool(*command: str | Path, folder: Path) -> None:
    """Run a packaging tool; its output belongs to the failure."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=clean_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout


def install(wheel: Path, folder: Path, *, extras: str) -> Installation:
    """Install the wheel into a new virtual environment."""
    uv = os.environ.get("UV", "uv")
    environment = folder / "venv"
    scripts = environment / ("Scripts" if os.name == "nt" else "bin")
    empty = folder / "empty"
    empty.mkdir()
    run_tool(uv, "venv", "--quiet", "--python", sys.executable, environment, folder=folder)
    run_tool(
        *(uv, "pip", "install", "--quiet", "--python", environment, f"{wheel}{extras}"),
        folder=folder,
    )
    return Installation(scripts, empty)


def one_line(text: str) -> str:
    """Return the text, which must be a single line."""
    assert text.strip().count("\n") == 0, text
    return text.strip()


def members(wheel: Path) -> Sequence[PurePosixPath]:
    """Return the paths in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return [PurePosixPath(name) for name in archive.namelist()]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source distribution that was built from this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    run_tool(
        sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, folder=folder
    )
    assert len(list(folder.glob("*.tar.gz"))) == 1
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def base(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """The wheel without extras."""
    return install(wheel, tmp_path_factory.mktemp("base"), extras="")


@pytest.fixture(scope="session")
def testing(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """The wheel with the extra that brings the test readers."""
    return install(wheel, tmp_path_factory.mktemp("testing"), extras="[testing]")


@pytest.fixture
def envelope(base: Installation) -> str:
    """A valid envelope whose id the installed command line computed."""
    source_id = base.run("id", "-", stdin=json.dumps(SOURCE)).stdout.strip()
    return json.dumps(
        {"knowledge_sources_version": 1, "knowledge_sources": [{"id": source_id, **SOURCE}]}
    )


def test_wheel_brings_two_packages_and_nothing_else(wheel: Path) -> None:
    tops = {path.parts[0] for path in members(wheel)}

    assert {top for top in tops if not top.endswith(".dist-info")} == {
        "knowledge_contract",
        "knowledge_wire",
    }
    assert len(tops) == 3


def test_wheel_holds_the_files_that_it_should(wheel: Path) -> None:
    paths = members(wheel)

    def fits(path: PurePosixPath, pattern: str) -> bool:
        return path.match(pattern) and len(path.parts) == pattern.count("/") + 1

    assert [path for path in paths if not any(fits(path, each) for each in WHEEL_FILES)] == []
    assert [each for each in WHEEL_FILES if not any(fits(path, each) for path in paths)] == []


@pytest.mark.parametrize("reader", ["validators", "models"])
def test_base_installation_validates(base: Installation, envelope: str, reader: str) -> None:
    done = base.run("validate", "-", "--reader", reader, stdin=envelope)

    assert (done.returncode, done.stderr) == (0, "")


def test_base_installation_refuses_a_bad_envelope(base: Installation, envelope: str) -> None:
    done = base.run("validate", "-", stdin=envelope.replace("Handbook", ""))

    assert done.returncode == 1
    assert "/knowledge_sources/0/title" in done.stdout + done.stderr


def test_missing_extra_is_named_in_one_line(base: Installation, envelope: str) -> None:
    done = base.run("validate", "-", "--reader", "jsonschema", stdin=envelope)

    assert done.returncode == 2
    assert "knowledge-contract[testing]" in one_line(done.stderr)


def test_host_names_the_extra_that_it_needs(base: Installation) -> None:
    done = base.run("host", "check", "--config", "config.yaml")

    assert done.returncode == 2
    assert "knowledge-contract[langchain]" in one_line(done.stderr)


def test_everything_in_a_base_installation_is_permissively_licensed(base: Installation) -> None:
    listing = subprocess.run(
        [base.scripts / "python", "-c", LIST_LICENCES],
        env=clean_environment(),
        capture_output=True,
        check=True,
        encoding="utf-8",
    )

    lines = listing.stdout.splitlines()
    assert [line for line in lines if not PERMISSIVE.search(line)] == []
    assert any(line.startswith("knowledge-contract ") for line in lines)


@pytest.mark.parametrize("reader", ["jsonschema", "typescript", "all"])
def test_installation_with_test_readers_validates(
    testing: Installation, envelope: str, reader: str
) -> None:
    done = testing.run("validate", "-", "--reader", reader, stdin=envelope)

    assert (done.returncode, done.stderr) == (0, "")


def test_installation_computes_ids(testing: Installation) -> None:
    done = testing.run("id", "-", stdin=json.dumps(SOURCE))

    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.strip()) == 32


def test_installation_passes_the_vectors(testing: Installation) -> None:
    assert testing.run("conformance").returncode == 0


def test_installation_shows_the_demo(testing: Installation) -> None:
    done = testing.run("demo")

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("command", ["generate", "check"])
def test_developer_command_says_that_it_needs_a_checkout(
    testing: Installation, command: str
) -> None:
    done = testing.run(command)

    assert (done.returncode, done.stdout) == (2, "")
    assert "checkout" in one_line(done.stderr)
