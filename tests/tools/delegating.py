"""Parents that hand tasks to children, in real graphs and in both colours."""

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.graph import START, MessagesState, StateGraph

from counting_provider import CountingProvider
from knowledge_contract.middleware.authority import AuthorityMiddleware
from knowledge_contract.retrieval import RetrievalContext, RetrievalHit
from knowledge_contract.tools import SubAgent, build_task_tool, knowledge_search_tool
from recorded_agents import answers
from scripted_model import ScriptedModel, call_tool

ASKED = {"messages": [HumanMessage("How hot?", id="h1")]}
CONTEXT = RetrievalContext(user_id="ada", agent_name="lead")
THREAD: dict[str, Any] = {"configurable": {"thread_id": "t1"}}
FAILED = "Error: the agent failed; try again, or go on without it."
SILENT = "Error: the agent ended without a report."


def invoke_sync(graph: Any, given: Any = ASKED, *, context: Any = CONTEXT) -> dict[str, Any]:
    found: dict[str, Any] = graph.invoke(given, THREAD, context=context)
    return found


def invoke_async(graph: Any, given: Any = ASKED, *, context: Any = CONTEXT) -> dict[str, Any]:
    found: dict[str, Any] = asyncio.run(graph.ainvoke(given, THREAD, context=context))
    return found


Invoke = Callable[..., dict[str, Any]]
BOTH_COLOURS = pytest.mark.parametrize("invoke", [invoke_sync, invoke_async], ids=["sync", "async"])


def order(agent: str = "researcher", call_id: str = "c1") -> AIMessage:
    """Return the answer of a model that hands over a task."""
    return call_tool(
        "task", call_id=call_id, description="Tea", prompt="How hot?", subagent_type=agent
    )


def orders(*agents: str) -> AIMessage:
    """Return one that hands over several at once."""
    calls = [order(agent, f"c{at}").tool_calls[0] for at, agent in enumerate(agents, start=1)]
    return AIMessage("", tool_calls=calls)


def make_agent(
    script: Sequence[Any], tools: Sequence[BaseTool] = (), *, saver: Any = None, **options: Any
) -> Any:
    """Return an agent that plays a script; whatever tools it has may write evidence."""
    options.setdefault("middleware", [AuthorityMiddleware(tools)])
    return create_agent(
        ScriptedModel(script=script),
        [*tools],
        context_schema=RetrievalContext,
        checkpointer=saver,
        **options,
    )


def make_parent(
    children: Mapping[str, Any] | Any,
    script: Sequence[Any] | None = None,
    *,
    saver: Any = None,
    **options: Any,
) -> Any:
    """Return an agent that hands a task to one of its children, and then says `Done.`."""
    named = children if isinstance(children, Mapping) else {"researcher": children}
    agents = {name: SubAgent(graph=graph, description="Finds.") for name, graph in named.items()}
    task = build_task_tool(agents, **options)
    return make_agent(script or [order(), AIMessage("Done.")], [task], saver=saver)


def make_graph(*nodes: Any, state: Any = MessagesState) -> Any:
    """Return a graph of nodes one behind the other."""
    builder: StateGraph[Any, Any, Any, Any] = StateGraph(state)
    names = [f"n{at}" for at, _ in enumerate(nodes)]
    for name, node in zip(names, nodes, strict=True):
        builder.add_node(name, node)
    builder.add_edge(START, names[0])
    for before, after in pairwise(names):
        builder.add_edge(before, after)
    return builder.compile()


def make_search(*texts: str, name: str = "search") -> BaseTool:
    """Return a tool that finds these texts."""
    hits = tuple(RetrievalHit(text, title=f"Title {at}") for at, text in enumerate(texts))
    return knowledge_search_tool(CountingProvider(answer=lambda: hits), name=name)


def handles(message: BaseMessage) -> list[str]:
    """Return the handles of a message's entries, as a model would copy them."""
    return re.findall(r"\[citation:[^\]]*\]\([^)]*\)", message.text)


def cite_all(messages: list[BaseMessage]) -> AIMessage:
    """Cite all that the tools showed."""
    shown = [each for message in messages if message.type == "tool" for each in handles(message)]
    return AIMessage(f"Found {' and '.join(dict.fromkeys(shown))}.")


def only_answer(found: Mapping[str, Any]) -> ToolMessage:
    """Return what the one tool call of a run gave; the run went on after it."""
    (answer,) = answers(found["messages"])
    assert found["messages"][-1].text == "Done."
    return answer
