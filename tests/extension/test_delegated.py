"""Relations through a sub-agent: bound by its own name, cut by prefix, cited, and there on reload.

The server's answers are synthetic, the models are scripts.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.sqlite import SqliteSaver

from core.stored_threads import config_of, evidence_of, read_twice
from extension.block import KEY, RELATIONS, Configure
from knowledge_contract.budget import BudgetSettings
from knowledge_contract.host import load_host
from knowledge_contract.middleware.authority import evidence_middleware
from knowledge_contract.retrieval import RetrievalContext
from knowledge_contract.tools import SubAgent, build_task_tool
from providers.lightrag.synthetic import chunk, entity, finding, relation
from providers.raw_server import RawServer
from scripted_model import ScriptedModel, call_tool

ASKED = {"messages": [HumanMessage("Who tends the bridge?", id="h1")]}
LIMIT_CHARS = 1_200


def report(messages: list[BaseMessage]) -> AIMessage:
    """Cite the first passage that the tool showed, if it showed one."""
    shown = re.findall(r"\[citation:[^\]]*\]\([^)]*\)", messages[-1].text)
    return AIMessage(f"Orla does {shown[0]}." if shown else "I could not look.")


def build_parent(path: Path, child_name: str, saver: Any) -> tuple[Any, ScriptedModel]:
    """Return an agent that hands its question to a sub-agent, and the sub-agent's model."""
    host = load_host(path)
    tools = [each for each in host.tools if each.name == RELATIONS]
    model = ScriptedModel(script=[call_tool(RELATIONS, query="bridge"), report])
    settings = BudgetSettings(tool_overrides={RELATIONS: LIMIT_CHARS})
    child = create_agent(
        model,
        tools,
        middleware=evidence_middleware(tools, settings=settings),
        context_schema=RetrievalContext,
    )
    task = build_task_tool({child_name: SubAgent(graph=child, description="Knows the graph.")})
    calling = call_tool("task", description="Bridge", prompt="Who?", subagent_type=child_name)
    parent = create_agent(
        ScriptedModel(script=[calling, AIMessage("It is told.")]),
        [task],
        middleware=evidence_middleware([task]),
        context_schema=RetrievalContext,
        checkpointer=saver,
    )
    return parent, model


def run(path: Path, child_name: str, folder: Path) -> tuple[list[BaseMessage], ToolMessage]:
    """Return the parent's messages, and what the sub-agent's model was shown of its tool."""
    with SqliteSaver.from_conn_string(str(folder / "threads.db")) as saver:
        parent, model = build_parent(path, child_name, saver)
        context = RetrievalContext("ada", "lead_agent")
        messages = parent.invoke(ASKED, config_of("t1"), context=context)["messages"]
    shown = model.seen[-1][-1]
    assert isinstance(shown, ToolMessage)
    return messages, shown


def test_bound_sub_agent_brings_home_the_passage_that_it_cites(
    configure: Configure, tmp_path: Path
) -> None:
    crowd = [relation(1), *(relation(9, tgt_id=f"Port {number}") for number in range(40))]
    with finding(chunk(1), relationships=crowd, entities=[entity("Bridge")]) as server:
        messages, shown = run(configure(server.base_url), "researcher", tmp_path)

    # The budget cut the graph at its end: what is named is there.
    assert len(shown.text) <= LIMIT_CHARS
    assert shown.artifact["knowledge_layout"] == "relations"
    positions = {int(each) for each in re.findall(r"^\[(\d+)\] ", shown.text, re.MULTILINE)}
    named = {int(each) for each in re.findall(r"evidence: \[(\d+)\]", shown.text)}
    assert positions == set(range(1, len(positions) + 1))
    assert named == {1} <= positions
    # What the report cites came home, and a new process finds it.
    forwarded = evidence_of(messages)
    assert forwarded == evidence_of([shown])
    assert [record["title"] for record, _ in forwarded] == ["book-1.pdf"]
    path = tmp_path / "threads.db"
    with SqliteSaver.from_conn_string(str(path)) as saver:
        both = read_twice(saver, path, ["t1"])["t1"]
    assert both.reload.latest == both.reload.again == forwarded
    assert KEY.encode() not in path.read_bytes()


@pytest.mark.parametrize("child_name", ["writer", "Researcher"])
def test_sub_agent_that_is_not_bound_sends_no_request(
    child_name: str, configure: Configure, server: RawServer, tmp_path: Path
) -> None:
    messages, shown = run(configure(server.base_url), child_name, tmp_path)

    assert shown.status == "error"
    assert evidence_of(messages) == []
    assert messages[2].text == "I could not look."
    assert server.requests == []
