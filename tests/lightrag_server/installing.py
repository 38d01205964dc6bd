"""The pinned LightRAG server in a virtual environment of its own, installed once per checkout."""

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENTS = Path(__file__).with_name("requirements.txt")
CACHE = ROOT / ".servers"
"""Ignored by git, and removed by `just clean`."""

_INSTALL_LIMIT_S = 600
_REASON_LINES = 5
_PYTHON = Path("Scripts/python.exe") if os.name == "nt" else Path("bin/python")


class InstallError(Exception):
    """The server cannot be installed here; one line that ends with the installer's own words."""


def install_server(*, requirements: Path = REQUIREMENTS, cache: Path = CACHE) -> Path:
    """Return the Python of an environment that holds what is required; install it if need be.

    However many processes ask at the same time, one installs and the others wait. An environment
    appears under its final name when it is complete, so that a killed process leaves none behind
    that looks finished.

    Raises:
        InstallError: A command failed, or took longer than ten minutes, or another process did.
    """
    environment = cache / _key(requirements)
    python = environment / _PYTHON
    if not python.is_file():
        cache.mkdir(parents=True, exist_ok=True)
        with _lock(environment.with_suffix(".lock")):
            if not python.is_file():
                _install(environment, requirements)
    return python


def _key(requirements: Path) -> str:
    digest = hashlib.sha256(f"{sys.version}\0{sys.base_prefix}\0".encode())
    digest.update(requirements.read_bytes())
    return f"lightrag-{digest.hexdigest()[:16]}"


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Hold a lock that ends with the process; SQLite has one on every platform."""
    with closing(sqlite3.connect(path, timeout=_INSTALL_LIMIT_S, isolation_level=None)) as file:
        try:
            file.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise InstallError(f"another process has not finished installing: {error}") from error
        yield


def _install(environment: Path, requirements: Path) -> None:
    # What is there under this name has lost its Python.
    shutil.rmtree(environment, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=environment.parent) as folder:
        made = Path(folder) / "environment"
        for command in _commands(made, requirements):
            _run(command)
        made.rename(environment)


def _commands(environment: Path, requirements: Path) -> Iterator[tuple[str | Path, ...]]:
    uv = os.environ.get("UV") or shutil.which("uv")
    if uv:
        yield uv, "venv", "--quiet", "--python", sys.executable, environment
        pip: tuple[str | Path, ...] = (uv, "pip", "install", "--python", environment)
    else:
        yield sys.executable, "-m", "venv", environment
        # A server imports a small part of what is installed, and compiles that by itself.
        pip = (environment / _PYTHON, "-m", "pip", "install", "--no-compile")
    yield *pip, "--quiet", "--no-deps", "--requirement", requirements


def _run(command: tuple[str | Path, ...]) -> None:
    hidden = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
    try:
        done = subprocess.run(
            command,
            env={name: value for name, value in os.environ.items() if name not in hidden},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=_INSTALL_LIMIT_S,
            encoding="utf-8",
            errors="replace",
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InstallError(f"{command[0]}: {type(error).__name__}") from error
    if done.returncode:
        reason = " ".join(done.stdout.strip().splitlines()[-_REASON_LINES:])
        raise InstallError(f"{command[0]} failed ({done.returncode}): {reason}")
