"""LightRAG 1.5.7 without any document: every search finds nothing, and says no more."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from knowledge_contract.providers.lightrag import (
    LightragProvider,
    LightragRelationsProvider,
    LightragRelationsSettings,
    LightragSettings,
)
from knowledge_contract.retrieval import RetrievalContext, RetrievalResult
from lightrag_server.fixtures import REAL_SERVER
from lightrag_server.running import Server, running

pytestmark = REAL_SERVER

QUESTION = "Who tends the Grey Heron Bridge?"


@pytest.fixture(scope="module")
def empty_server(
    lightrag_python: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A running server that knows nothing."""
    folder = tmp_path_factory.mktemp("lightrag-empty")
    with running(python=lightrag_python, folder=folder) as server:
        yield server


@pytest.mark.parametrize("mode", LightragSettings.modes)
def test_search_of_an_empty_workspace_finds_nothing(empty_server: Server, mode: Any) -> None:
    settings = LightragSettings(
        base_url=empty_server.base_url, api_key=empty_server.api_key, mode=mode
    )

    result = LightragProvider(settings).search_sync(QUESTION, context=RetrievalContext())

    assert result == RetrievalResult("lightrag", ())


def test_relations_of_an_empty_workspace_are_none(empty_server: Server) -> None:
    settings = LightragRelationsSettings(
        base_url=empty_server.base_url, api_key=empty_server.api_key
    )
    provider = LightragRelationsProvider(settings)

    result = provider.search_relations_sync(QUESTION, context=RetrievalContext())

    assert result == RetrievalResult(provider.name, (), layout="relations")
