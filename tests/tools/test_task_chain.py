"""Evidence along the whole way: searched, pruned, cited by a child, cited by its parent, reloaded.

In each of the three forms: five sources are found, one is too long for the budget, the child
cites two of the others, and the parent cites one.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from core.stored_threads import config_of, evidence_of, read_twice
from core.written_forms import FORMS, WrittenForm
from counting_provider import CountingProvider
from knowledge_contract._links import read_links
from knowledge_contract.budget import BudgetSettings
from knowledge_contract.middleware.authority import evidence_middleware
from knowledge_contract.reading import Evidence, read_message
from knowledge_contract.retrieval import NativeLocators, RetrievalContext, RetrievalHit
from knowledge_contract.tools import SubAgent, build_task_tool, knowledge_search_tool
from scripted_model import ScriptedModel, call_tool
from tools.delegating import handles

SETTINGS = BudgetSettings(externalize_min_chars=1_500)
ASKED = {"messages": [HumanMessage("How hot?", id="h1")]}
CONTEXT = RetrievalContext(user_id="ada", agent_name="lead")


def documents() -> tuple[RetrievalHit, ...]:
    """Return five documents; the second is longer than the budget."""
    black, mate, chai = "Black tea: 95 °C.", "Mate: 70 °C.", "Chai: 100 °C."
    texts = ["Green tea: 80 °C.", "long " * 400, black, mate, chai]
    return tuple(
        RetrievalHit(
            text,
            title=f"Tea {number}",
            dataset_name="Handbook",
            locators=NativeLocators("d1", f"doc{number}", f"c{number}"),
        )
        for number, text in enumerate(texts, start=1)
    )


def search_tools(form: WrittenForm) -> list[BaseTool]:
    """Return one tool for each plain form; both for the mixed one."""
    native = knowledge_search_tool(
        CountingProvider(name="ragflow", answer=documents), excerpt_chars=5_000
    )
    shared = knowledge_search_tool(
        CountingProvider(answer=documents), name="search", excerpt_chars=5_000
    )
    tools: dict[WrittenForm, list[BaseTool]] = {
        "native": [native],
        "shared": [shared],
        "mixed": [native, shared],
    }
    return tools[form]


def report(messages: list[BaseMessage]) -> AIMessage:
    """Cite the second and the fourth of what the tools showed."""
    tools = [each for each in messages if isinstance(each, ToolMessage)]
    shown = [handle for each in tools for handle in handles(each)]
    return AIMessage(f"Black {shown[1]}, and the last {shown[-1]}; not `{shown[0]}`.")


def answer(messages: list[BaseMessage]) -> AIMessage:
    """Cite the first of what the child forwarded."""
    return AIMessage(f"Hot {handles(messages[-1])[0]}.")


def make_agents(form: WrittenForm, saver: Any, published: list[Any]) -> tuple[Any, ScriptedModel]:
    tools = search_tools(form)
    calls = [call_tool(tool.name, call_id=tool.name, query="tea") for tool in tools]
    child_model = ScriptedModel(script=[*calls, report])
    child = create_agent(
        child_model,
        tools,
        middleware=evidence_middleware(tools, settings=SETTINGS),
        context_schema=RetrievalContext,
    )
    task = build_task_tool(
        {"researcher": SubAgent(graph=child, description="Finds sources.")},
        publish=published.append,
    )
    calling = call_tool("task", description="Tea", prompt="How hot?", subagent_type="researcher")
    parent = create_agent(
        ScriptedModel(script=[calling, answer]),
        [task],
        middleware=evidence_middleware([task], settings=SETTINGS),
        context_schema=RetrievalContext,
        checkpointer=saver,
    )
    return parent, child_model


def run_sync(form: WrittenForm, path: Path, published: list[Any]) -> tuple[Any, ScriptedModel]:
    with SqliteSaver.from_conn_string(str(path)) as saver:
        parent, child_model = make_agents(form, saver, published)
        return parent.invoke(ASKED, config_of("t1"), context=CONTEXT)["messages"], child_model


def run_async(form: WrittenForm, path: Path, published: list[Any]) -> tuple[Any, ScriptedModel]:
    async def run() -> tuple[Any, ScriptedModel]:
        async with AsyncSqliteSaver.from_conn_string(str(path)) as saver:
            parent, child_model = make_agents(form, saver, published)
            found = await parent.ainvoke(ASKED, config_of("t1"), context=CONTEXT)
            return found["messages"], child_model

    return asyncio.run(run())


Run = Callable[[WrittenForm, Path, list[Any]], tuple[Any, ScriptedModel]]


@pytest.mark.parametrize("run", [run_sync, run_async], ids=["sync", "async"])
@pytest.mark.parametrize("form", FORMS)
def test_each_step_of_a_task_has_exactly_its_evidence(
    form: WrittenForm, run: Run, tmp_path: Path
) -> None:
    published: list[tuple[Evidence, ...]] = []

    messages, child_model = run(form, tmp_path / "threads.db", published)

    # Searched and pruned: four of five sources are left in each tool's message.
    searched = [each for each in child_model.seen[-1] if isinstance(each, ToolMessage)]
    pruned = evidence_of(searched)
    assert [len(evidence_of([each])) for each in searched] == [4] * len(searched)
    assert [dict(each.record) for each in published[0]] == [record for record, _ in pruned]
    # The child cites two of them, and the parent sees those two.
    forwarded = evidence_of(messages)
    assert len(published) == 1
    assert forwarded == cited(pruned, form)
    # The parent cites one, which is one of the two.
    links = read_links(messages[-1].text)
    assert [link.id for link in links] == [forwarded[0][0]["id"]]
    # A new process finds the same.
    path = tmp_path / "threads.db"
    with SqliteSaver.from_conn_string(str(path)) as saver:
        both = read_twice(saver, path, ["t1"])["t1"]
    assert both.store.latest == both.reload.latest == forwarded
    assert both.reload.again == forwarded


def cited(pruned: list[Any], form: WrittenForm) -> list[Any]:
    """Return what the child's report cites, native records first, as artifacts hold them."""
    chosen = [pruned[1], pruned[-1]]
    return sorted(chosen, key=lambda found: found[1] != "native") if form == "mixed" else chosen


def test_child_leaves_neither_messages_nor_checkpoints_with_its_parent(tmp_path: Path) -> None:
    path = tmp_path / "threads.db"

    messages, child_model = run_sync("shared", path, [])

    assert len(child_model.seen) == 2
    assert [each.type for each in messages] == ["human", "ai", "tool", "ai"]
    with SqliteSaver.from_conn_string(str(path)) as saver:
        spaces = {each.config["configurable"]["checkpoint_ns"] for each in saver.list(None)}
    assert spaces == {""}
    assert read_message(messages[2], binding="entry").refused == ()
