"""The plugin, an agent with both tools, and LightRAG 1.5.7 itself; only the models are stubs."""

from typing import Any

import pytest

from extension.block import DOCUMENTS, RELATIONS, Configure
from knowledge_contract.host import load_host
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import RetrievalContext
from knowledge_contract.tools import call_search
from lightrag_server.fixtures import REAL_SERVER
from lightrag_server.library import DOCUMENTS as LIBRARY
from lightrag_server.running import Server
from recorded_agents import Recorded, answers
from scripted_model import call_tool

pytestmark = REAL_SERVER

ADA = RetrievalContext("ada", "lead_agent")
QUESTION = "Who tends the Grey Heron Bridge?"


@pytest.fixture
def tools(
    configure: Configure, lightrag_server: Server, monkeypatch: pytest.MonkeyPatch
) -> dict[str, Any]:
    """Return the host's tools by name, over the plugin's connection to the server."""
    path = configure(lightrag_server.base_url)
    monkeypatch.setenv("LIGHTRAG_API_KEY", lightrag_server.api_key)
    return {each.name: each for each in load_host(path).tools}


@pytest.mark.parametrize("name", [RELATIONS, DOCUMENTS])
def test_agent_gets_passages_that_stand_in_the_documents(name: str, tools: dict[str, Any]) -> None:
    recorded = Recorded([tools[name]], calls=[call_tool(name, query=QUESTION)])

    (answer,) = answers(recorded.ask(ADA))

    evidence = read_message(answer, binding="entry").evidence
    assert evidence
    for found in evidence:
        # LightRAG trims its chunks and changes line ends, and nothing else.
        whole = LIBRARY[str(found.record["title"])].replace("\r\n", "\n")
        assert str(found.record["excerpt"]) in whole


def test_agent_sees_relations_of_the_graph_with_the_passages_behind_them(
    tools: dict[str, Any], lightrag_server: Server
) -> None:
    message = call_search(tools[RELATIONS], QUESTION, context=ADA)

    rows = lightrag_server.query(QUESTION, mode="hybrid", top_k=20)["relationships"]
    ends = {frozenset((row["src_id"], row["tgt_id"])) for row in rows}
    lines = [line for line in message.text.split("\n") if line.startswith("Relation: ")]
    shown = [frozenset(line.removeprefix("Relation: ").split(" -- ")) for line in lines]
    assert shown
    assert set(shown) <= ends
    assert "; evidence: [1])\nRelation: " in message.text


def test_nobody_else_gets_anything(tools: dict[str, Any]) -> None:
    said = [call_search(each, QUESTION, context=RetrievalContext("eve")) for each in tools.values()]

    assert [(each.status, each.artifact) for each in said] == [("error", None)] * 2


def test_key_that_the_server_does_not_know_is_refused_there(
    configure: Configure, lightrag_server: Server
) -> None:
    tool, _ = load_host(configure(lightrag_server.base_url)).tools

    message = call_search(tool, QUESTION, context=ADA)

    assert message.status == "error"
    assert "lightrag-relations: the server refuses the key" in message.text
