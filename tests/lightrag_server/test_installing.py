"""An environment for a server is made once, whole or not at all, with uv or without."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lightrag_server.installing import REQUIREMENTS, InstallError, install_server


def write(folder: Path, requirements: str) -> Path:
    """Return a file of requirements that no registry is needed for."""
    file = folder / "requirements.txt"
    file.write_text(requirements, encoding="utf-8")
    return file


def version_of(python: Path) -> str:
    """Return what an interpreter says that it is."""
    done = subprocess.run(
        [python, "-c", "import sys; print(sys.version)"],
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    return done.stdout.strip()


def test_environments_that_are_asked_for_at_once_are_one(tmp_path: Path) -> None:
    requirements = write(tmp_path, "# nothing\n")
    cache = tmp_path / "cache"

    with ThreadPoolExecutor(4) as threads:
        asked = [
            threads.submit(install_server, requirements=requirements, cache=cache) for _ in range(4)
        ]
    (python,) = {each.result() for each in asked}

    assert version_of(python) == sys.version
    assert sorted(path.suffix for path in cache.iterdir()) == ["", ".lock"]


def test_environment_without_its_python_is_made_again(tmp_path: Path) -> None:
    requirements = write(tmp_path, "# nothing\n")
    python = install_server(requirements=requirements, cache=tmp_path / "cache")
    python.unlink()

    assert install_server(requirements=requirements, cache=tmp_path / "cache") == python
    assert version_of(python) == sys.version


def test_other_requirements_are_another_environment(tmp_path: Path) -> None:
    first = install_server(requirements=write(tmp_path, "# one\n"), cache=tmp_path)
    second = install_server(requirements=write(tmp_path, "# two\n"), cache=tmp_path)

    assert first != second


def test_failed_installation_names_its_reason_and_leaves_nothing(tmp_path: Path) -> None:
    requirements = write(tmp_path, f"{tmp_path.as_uri()}/no-such-1.0-py3-none-any.whl\n")
    cache = tmp_path / "cache"

    with pytest.raises(InstallError, match=r"no-such-1\.0"):
        install_server(requirements=requirements, cache=cache)

    assert [path.suffix for path in cache.iterdir()] == [".lock"]


def test_pip_installs_where_there_is_no_uv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UV", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    requirements = write(tmp_path, "# nothing\n")

    python = install_server(requirements=requirements, cache=tmp_path / "cache")

    assert python.with_name("pip").is_file()


def test_installer_that_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UV", str(tmp_path / "no-uv"))

    with pytest.raises(InstallError, match="no-uv: FileNotFoundError"):
        install_server(requirements=write(tmp_path, ""), cache=tmp_path / "cache")


def test_every_requirement_is_pinned() -> None:
    lines = REQUIREMENTS.read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]

    assert "lightrag-hku==1.5.7" in pins
    assert [line for line in pins if line.count("==") != 1] == []
