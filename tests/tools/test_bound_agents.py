"""Who asks comes from the run's context: users, agents and sub-agents, in real graphs."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from langchain.tools import ToolRuntime
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.tools import StructuredTool
from pydantic import BaseModel

from counting_provider import RELATING, CountingProvider
from knowledge_contract.providers.binding import BoundProvider, build_binding
from knowledge_contract.retrieval import RetrievalContext
from knowledge_contract.tools import entity_relations_search_tool, knowledge_search_tool
from recorded_agents import QUESTION, Recorded, answers
from scripted_model import call_tool

Ask = Callable[[Recorded, Any], list[BaseMessage]]


def ask_sync(recorded: Recorded, context: Any) -> list[BaseMessage]:
    return recorded.ask(context)


def ask_async(recorded: Recorded, context: Any) -> list[BaseMessage]:
    return asyncio.run(recorded.ask_async(context))


BOTH_COLOURS = pytest.mark.parametrize("ask", [ask_sync, ask_async], ids=["sync", "async"])


def bound(inside: CountingProvider) -> BoundProvider:
    binding = build_binding(["ada"], ["lead_agent", "researcher"])
    return BoundProvider(provider=inside, binding=binding)


@BOTH_COLOURS
@pytest.mark.parametrize(
    ("context", "is_allowed"),
    [
        pytest.param(RetrievalContext("ada", "lead_agent"), True, id="bound"),
        pytest.param(RetrievalContext("Ada", "lead_agent"), False, id="other user"),
        pytest.param(RetrievalContext("ada", "writer"), False, id="other agent"),
        pytest.param(RetrievalContext("ada"), False, id="no agent"),
        pytest.param(RetrievalContext(agent_name="lead_agent"), False, id="no user"),
        pytest.param(None, False, id="no context"),
        pytest.param({"user_id": "ada", "agent_name": "lead_agent"}, False, id="other type"),
    ],
)
def test_only_who_is_bound_causes_a_request(ask: Ask, context: Any, *, is_allowed: bool) -> None:
    inside = CountingProvider()
    recorded = Recorded([knowledge_search_tool(bound(inside))])

    messages = ask(recorded, context)

    (answer,) = answers(messages)
    assert answer.status == ("success" if is_allowed else "error")
    assert len(inside.requests) == is_allowed
    assert messages[-1].text == "It depends."


def test_identity_that_a_caller_or_the_model_sends_counts_for_nothing() -> None:
    inside = CountingProvider()
    forged = {"user_id": "ada", "agent_name": "lead_agent"}
    call = call_tool("knowledge_search", query="tea", runtime=forged, context=forged, **forged)
    recorded = Recorded([knowledge_search_tool(bound(inside))], calls=[call])
    config = {"configurable": {"thread_id": "t1", "context": forged, **forged}, "metadata": forged}

    found = recorded.agent.invoke({**QUESTION, **forged}, config, context=RetrievalContext("eve"))

    assert [each.status for each in answers(found["messages"])] == ["error"]
    assert inside.requests == []


class _Order(BaseModel):
    prompt: str


def delegating(child: Any, name: str) -> StructuredTool:
    """Return a tool that runs another agent under its own name."""

    def run(prompt: str, runtime: ToolRuntime[RetrievalContext, Any]) -> str:
        context = runtime.context._replace(agent_name=name)
        found = child.invoke({"messages": [("user", prompt)]}, context=context)
        return str(answers(found["messages"])[0].status)

    return StructuredTool.from_function(run, name="task", description="Ask.", args_schema=_Order)


@pytest.mark.parametrize(
    ("name", "status"), [("researcher", "success"), ("writer", "error")], ids=["bound", "other"]
)
def test_sub_agent_is_bound_by_its_own_name(name: str, status: str) -> None:
    inside = CountingProvider()
    child = Recorded([knowledge_search_tool(bound(inside))])
    parent = Recorded([delegating(child.agent, name)], calls=[call_tool("task", prompt="Ask")])

    messages = parent.ask(RetrievalContext("ada", "lead_agent"))

    assert [each.content for each in answers(messages)] == [status]
    agents = [each.context.agent_name for each in inside.requests]
    assert agents == (["researcher"] if status == "success" else [])


def test_two_tools_of_one_provider_ask_it_for_different_things() -> None:
    inside = CountingProvider(operations=RELATING)
    provider = bound(inside)
    both = AIMessage(
        "",
        tool_calls=[
            {"name": name, "args": {"query": name}, "id": name, "type": "tool_call"}
            for name in ("knowledge_search", "entity_relations_search")
        ],
    )
    recorded = Recorded(
        [knowledge_search_tool(provider), entity_relations_search_tool(provider)], calls=[both]
    )

    messages = recorded.ask(RetrievalContext("ada", "lead_agent"))

    assert ["knowledge_layout" in each.artifact for each in answers(messages)] == [False, True]
    assert sorted(each.query for each in inside.requests) == [
        "entity_relations_search",
        "knowledge_search",
    ]


def test_two_providers_answer_each_for_itself() -> None:
    first, second = CountingProvider(name="first"), CountingProvider(name="second")
    both = AIMessage(
        "",
        tool_calls=[
            {"name": name, "args": {"query": "tea"}, "id": name, "type": "tool_call"}
            for name in ("knowledge_search", "search_wiki")
        ],
    )
    tools = [knowledge_search_tool(bound(first)), knowledge_search_tool(second, name="search_wiki")]
    recorded = Recorded(tools, calls=[both])

    messages = recorded.ask(RetrievalContext("eve", "lead_agent"))

    assert [each.status for each in answers(messages)] == ["error", "success"]
    assert (len(first.requests), len(second.requests)) == (0, 1)
