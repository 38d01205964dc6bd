"""A configuration in a file, and modules that it can name."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from loopback import Loopback, serve

Write = Callable[[str], Path]
Offer = Callable[..., None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Return what writes a configuration, as `config.yaml` in the current folder."""
    monkeypatch.chdir(tmp_path)

    def write(text: str) -> Path:
        path = Path("config.yaml")
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def offer(monkeypatch: pytest.MonkeyPatch) -> Offer:
    """Return what puts a module with some attributes where it can be imported."""

    def offer(name: str, **attributes: Any) -> None:
        module = ModuleType(name)
        vars(module).update(attributes)
        monkeypatch.setitem(sys.modules, name, module)

    return offer


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    """Return a server on this machine that counts its requests."""
    with serve() as server:
        yield server
