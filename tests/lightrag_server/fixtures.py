"""The real LightRAG server as a fixture; the plugin is named in the top `conftest.py`.

A test that uses it bears the mark that `REAL_SERVER` is, so that one worker runs all of them.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lightrag_server.installing import InstallError, install_server
from lightrag_server.library import ANONYMOUS, DOCUMENTS
from lightrag_server.running import Server, running
from run_tests import in_ci

REAL_SERVER = pytest.mark.xdist_group("lightrag-server")


@pytest.fixture(scope="session")
def lightrag_python() -> Path:
    """The Python of an environment that holds the server, installed when it is first needed."""
    try:
        return install_server()
    except InstallError as error:
        message = f"LightRAG's server cannot be installed: {error}"
    if in_ci():
        pytest.fail(message, pytrace=False)
    pytest.skip(message)


@pytest.fixture(scope="session")
def lightrag_server(
    lightrag_python: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A running server that knows the library; tests do not change what it stores."""
    folder = tmp_path_factory.mktemp("lightrag")
    with running(
        python=lightrag_python, folder=folder, documents=DOCUMENTS, anonymous=ANONYMOUS
    ) as server:
        yield server
