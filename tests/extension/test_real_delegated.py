"""One agent with three tools over LightRAG 1.5.7 itself: relations, documents, and a sub-agent.

The models are scripts; the server's are stubs.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.checkpoint.sqlite import SqliteSaver

from core.stored_threads import config_of, evidence_of, read_twice
from extension.block import DOCUMENTS, RELATIONS, Configure
from knowledge_contract.host import load_host
from knowledge_contract.middleware.authority import evidence_middleware
from knowledge_contract.retrieval import RetrievalContext
from knowledge_contract.tools import SubAgent, build_task_tool
from lightrag_server.fixtures import REAL_SERVER
from lightrag_server.library import DOCUMENTS as LIBRARY
from lightrag_server.running import Server
from recorded_agents import answers
from scripted_model import ScriptedModel, call_tool

pytestmark = REAL_SERVER

QUESTION = "Who tends the Grey Heron Bridge?"
ADA = RetrievalContext("ada", "lead_agent")


def report(messages: list[BaseMessage]) -> AIMessage:
    """Cite the first passage that the tool showed, if it showed one."""
    shown = re.findall(r"\[citation:[^\]]*\]\([^)]*\)", messages[-1].text)
    return AIMessage(f"Orla does {shown[0]}." if shown else "I could not look.")


def build_agent(path: Path, child_name: str, saver: Any) -> Any:
    """Return an agent that calls all three tools in one step."""
    tools = [*load_host(path).tools]
    graph = [each for each in tools if each.name == RELATIONS]
    child = create_agent(
        ScriptedModel(script=[call_tool(RELATIONS, query=QUESTION), report]),
        graph,
        middleware=evidence_middleware(graph),
        context_schema=RetrievalContext,
    )
    tools.append(build_task_tool({child_name: SubAgent(graph=child, description="Looks.")}))
    calls = [
        call_tool(RELATIONS, call_id="c1", query=QUESTION),
        call_tool(DOCUMENTS, call_id="c2", query=QUESTION),
        call_tool("task", call_id="c3", description="Bridge", prompt="?", subagent_type=child_name),
    ]
    all_three = AIMessage("", tool_calls=[each for call in calls for each in call.tool_calls])
    return create_agent(
        ScriptedModel(script=[all_three, AIMessage("It is told.")]),
        tools,
        middleware=evidence_middleware(tools),
        context_schema=RetrievalContext,
        checkpointer=saver,
    )


def ask(path: Path, child_name: str, context: RetrievalContext, saver: Any) -> list[Any]:
    """Return what the three tools said, in the order of the calls."""
    asked = {"messages": [HumanMessage(QUESTION, id="h1")]}
    agent = build_agent(path, child_name, saver)
    said = answers(agent.invoke(asked, config_of("t1"), context=context)["messages"])
    return sorted(said, key=lambda each: str(each.tool_call_id))


@pytest.fixture
def path(configure: Configure, lightrag_server: Server, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The configuration of a host over the plugin's connection to the server."""
    file = configure(lightrag_server.base_url)
    monkeypatch.setenv("LIGHTRAG_API_KEY", lightrag_server.api_key)
    return file


def test_three_tools_give_passages_that_stand_in_the_documents(
    path: Path, lightrag_server: Server, tmp_path: Path
) -> None:
    store = tmp_path / "threads.db"
    with SqliteSaver.from_conn_string(str(store)) as saver:
        relations, documents, task = ask(path, "researcher", ADA, saver)
        both = read_twice(saver, store, ["t1"])["t1"]

    found = [evidence_of([each]) for each in (relations, documents, task)]
    assert [each.name for each in (relations, documents, task)] == [RELATIONS, DOCUMENTS, "task"]
    assert all(found)
    for record, _ in [each for some in found for each in some]:
        whole = LIBRARY[str(record["title"])].replace("\r\n", "\n")
        assert str(record["excerpt"]) in whole
    # The sub-agent asked the same, and brought home the one passage that it cites.
    assert len(found[2]) == 1
    assert found[2][0] in found[0]
    assert "; evidence: [1])\nRelation: " in relations.text
    # All of it is there again in a new process, and no key.
    stored = [each for some in found for each in some]
    assert sorted(both.reload.latest, key=repr) == sorted(stored, key=repr)
    assert both.reload.latest == both.reload.again
    assert lightrag_server.api_key.encode() not in store.read_bytes()


def test_user_and_sub_agent_that_are_not_named_get_nothing(path: Path, tmp_path: Path) -> None:
    with SqliteSaver.from_conn_string(str(tmp_path / "a.db")) as saver:
        other_user = ask(path, "researcher", ADA._replace(user_id="eve"), saver)
    with SqliteSaver.from_conn_string(str(tmp_path / "b.db")) as saver:
        relations, documents, task = ask(path, "writer", ADA, saver)

    assert evidence_of(other_user) == evidence_of([task]) == []
    assert task.text == "I could not look."
    assert all(map(evidence_of, ([relations], [documents])))
