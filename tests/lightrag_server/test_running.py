"""The fixture is the server that it says it is."""

import pytest

from lightrag_server.fixtures import REAL_SERVER
from lightrag_server.library import ANONYMOUS, DOCUMENTS
from lightrag_server.running import Server

pytestmark = REAL_SERVER


def test_one_worker_runs_what_needs_a_server(request: pytest.FixtureRequest) -> None:
    in_groups = request.config.getoption("loadgroup", default=False)

    assert request.node.nodeid.endswith("@lightrag-server") == in_groups


def test_server_is_the_pinned_release(lightrag_server: Server) -> None:
    health = lightrag_server.fetch("GET", "/health").json()

    assert health["core_version"] == "1.5.7"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_server_holds_every_document(lightrag_server: Server, name: str) -> None:
    listed = lightrag_server.fetch("POST", "/documents/paginated", json={"page_size": 50}).json()
    states = {each["file_path"]: each["status"] for each in listed["documents"]}

    assert states[name] == "processed"
    assert len(states) == len(DOCUMENTS) + 1, "one name stands for all texts without one"


def test_server_holds_texts_that_its_api_refuses(lightrag_server: Server) -> None:
    refused = lightrag_server.fetch("POST", "/documents/text", json={"text": ANONYMOUS[0]})
    found = lightrag_server.query("Tamsin Roe measured", mode="naive")["chunks"]

    assert refused.status_code == 400
    assert ANONYMOUS[0] in [each["content"] for each in found]
