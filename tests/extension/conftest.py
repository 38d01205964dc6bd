"""A configuration in a file, with the key in the environment."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from extension.block import BLOCK, KEY, Configure
from providers.lightrag.synthetic import chunk, entity, finding, relation
from providers.raw_server import RawServer


@pytest.fixture
def configure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Configure:
    """Return what writes the block, or another text, for a server's address."""
    monkeypatch.setenv("LIGHTRAG_API_KEY", KEY)

    def configure(base_url: str, text: str = BLOCK) -> Path:
        path = tmp_path / "config.yaml"
        path.write_text(text.replace("BASE_URL", base_url), encoding="utf-8")
        return path

    return configure


@pytest.fixture
def server() -> Iterator[RawServer]:
    """A server that answers with one graph, and echoes the key into it."""
    with finding(
        chunk(1, content=f"Orla tends the bridge. {KEY}"),
        chunk(2),
        relationships=[relation(1), relation(9, tgt_id="Port Kesel")],
        entities=[entity("Bridge", description=f"A bridge. {KEY}")],
    ) as running:
        yield running
