"""The tool `task` by itself: what it offers, what it refuses, and how it tells of failures."""

import asyncio
from collections.abc import Callable
from typing import Any, TypedDict

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig, RunnableLambda
from langchain_core.tools import StructuredTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.pregel.remote import RemoteGraph
from langgraph.types import Command

from knowledge_contract._links import Link, read_links
from knowledge_contract.reading import Evidence, read_message
from knowledge_contract.tools import SubAgent, build_task_tool
from scripted_model import ScriptedModel, call_tool
from tools.delegating import (
    ASKED,
    BOTH_COLOURS,
    FAILED,
    SILENT,
    Invoke,
    cite_all,
    handles,
    make_agent,
    make_graph,
    make_parent,
    make_search,
    only_answer,
    order,
)

SECRET = "sk-hidden-7"  # noqa: S105 - no credential: what must not be shown


def test_schema_offers_three_arguments_and_the_names_of_the_agents() -> None:
    graph = make_agent([])
    agents = {
        "researcher": SubAgent(graph=graph, description="Finds sources."),
        "writer": SubAgent(graph=graph, description="Writes."),
    }

    offered = convert_to_openai_tool(build_task_tool(agents))["function"]

    arguments = offered["parameters"]["properties"]
    assert [*arguments] == ["description", "prompt", "subagent_type"]
    assert offered["parameters"]["required"] == [*arguments]
    assert arguments["subagent_type"]["enum"] == ["researcher", "writer"]
    assert offered["description"].endswith("\n- researcher: Finds sources.\n- writer: Writes.")


def test_tool_advertises_sources_and_nothing_else() -> None:
    task = build_task_tool({"one": SubAgent(graph=make_agent([]), description="Finds.")})

    assert task.name == "task"
    assert task.metadata == {"knowledge_capabilities": {"operations": ["sources"]}}


def breakpoint_graph() -> Any:
    builder = StateGraph(MessagesState)
    builder.add_node("n", lambda _: {})
    builder.add_edge(START, "n")
    return builder.compile(interrupt_before=["n"])


@pytest.mark.parametrize(
    ("make", "error"),
    [
        pytest.param(lambda: StateGraph(MessagesState), TypeError, id="not compiled"),
        pytest.param(lambda: make_agent([]).bind(stop=["x"]), TypeError, id="bound"),
        pytest.param(lambda: make_agent([]).with_retry(), TypeError, id="retried"),
        pytest.param(lambda: make_agent([]) | str, TypeError, id="sequence"),
        pytest.param(lambda: RunnableLambda(str), TypeError, id="function"),
        pytest.param(lambda: RemoteGraph("x", client=1, sync_client=1), TypeError, id="remote"),  # type: ignore[arg-type]  # never used
        pytest.param(lambda: None, TypeError, id="none"),
        pytest.param(breakpoint_graph, ValueError, id="breakpoints"),
    ],
)
def test_graph_that_cannot_run_inside_is_refused_when_the_tool_is_built(
    make: Callable[[], Any], error: type[Exception]
) -> None:
    agents = {"researcher": SubAgent(graph=make(), description="Finds.")}

    with pytest.raises(error, match=r"^the graph of the agent researcher must "):
        build_task_tool(agents)


def test_arguments_out_of_bounds_are_refused() -> None:
    agents = {"researcher": SubAgent(graph=make_agent([]), description="Finds.")}

    with pytest.raises(ValueError, match="at least one agent"):
        build_task_tool({})
    with pytest.raises(ValueError, match="at least 0"):
        build_task_tool(agents, appendix_chars=-1)


def test_description_shows_how_to_cite() -> None:
    task = build_task_tool({"one": SubAgent(graph=make_agent([]), description="Finds.")})

    example = f"[citation:Title](#knowledge-source-{'0' * 32})"
    assert example in task.description
    assert read_links(task.description) == (Link("shared", "0" * 32),)


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_configuration_of_a_graph_goes_before_its_parents(*, is_async: bool) -> None:
    seen: list[Any] = []

    def node(_: Any, config: RunnableConfig) -> dict[str, Any]:
        given = config["configurable"]
        seen.append((config["tags"], given["colour"], given["size"], given["thread_id"]))
        return {"messages": [AIMessage("Hot.")]}

    child = make_graph(node).with_config(tags=["mine"], configurable={"colour": "green"})
    parent = make_parent(child)
    config: Any = {"configurable": {"thread_id": "t1", "colour": "red", "size": "XL"}}

    found = asyncio.run(parent.ainvoke(ASKED, config)) if is_async else parent.invoke(ASKED, config)

    assert only_answer(found).content == "Hot."
    assert seen == [(["mine"], "green", "XL", "t1")]


@BOTH_COLOURS
def test_unknown_agent_is_an_error_that_names_those_there_are(invoke: Invoke) -> None:
    children = {"researcher": make_agent([]), "writer": make_agent([])}
    parent = make_parent(children, [order(SECRET), AIMessage("Done.")])

    answer = only_answer(invoke(parent))

    assert answer.status == "error"
    assert answer.content == "Error: there is no such agent; there are: researcher, writer."


class Loose(TypedDict, total=False):
    """A state whose messages are replaced as a whole, and may be missing."""

    messages: Any


def broken_tool() -> StructuredTool:
    def search(query: str) -> str:
        """Search."""
        raise OSError(f"{SECRET} {query}")

    return StructuredTool.from_function(search)


def endless() -> Any:
    def call(_: Any) -> AIMessage:
        return call_tool("search", query="tea")

    return make_agent([call] * 99, [make_search("Tea.")]).with_config(recursion_limit=4)


def hand_over(_: Any) -> Any:
    return Command(graph=Command.PARENT, update={"messages": [AIMessage(SECRET)]}, goto="model")


class Failing:
    """A last message that cannot be read."""

    type = "ai"

    @property
    def text(self) -> str:
        raise OSError(SECRET)


FAILURES: dict[str, Callable[[], Any]] = {
    "model": lambda: make_agent([RuntimeError(SECRET)]),
    "tool": lambda: make_agent([call_tool("search", query="tea")], [broken_tool()]),
    "group": lambda: make_agent([ExceptionGroup(SECRET, [ValueError(SECRET)])]),
    "messages of a wrong type": lambda: make_graph(lambda _: {"messages": 7}, state=Loose),
    "last message that fails": lambda: make_graph(lambda _: {"messages": [Failing()]}, state=Loose),
    "command to the parent": lambda: make_graph(hand_over),
}


@BOTH_COLOURS
@pytest.mark.parametrize("kind", FAILURES)
def test_failing_child_is_one_sentence_and_the_parent_goes_on(
    kind: str, invoke: Invoke, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(0)
    saver = InMemorySaver()
    parent = make_parent(FAILURES[kind](), saver=saver)

    found = invoke(parent)

    answer = only_answer(found)
    assert (answer.status, answer.content, answer.artifact) == ("error", FAILED, None)
    (logged,) = [each for each in caplog.records if each.name.startswith("knowledge_contract")]
    assert logged.exc_info is None
    assert SECRET not in f"{found!r}{list(saver.list(None))!r}{caplog.text}"


@BOTH_COLOURS
def test_child_without_end_is_told_from_one_that_failed(invoke: Invoke) -> None:
    answer = only_answer(invoke(make_parent(endless())))

    assert answer.status == "error"
    assert answer.content == "Error: the agent took too many steps; give it a smaller task."


@BOTH_COLOURS
@pytest.mark.parametrize(
    "last",
    [
        AIMessage(""),
        AIMessage(" \n"),
        AIMessage([{"type": "image", "url": "https://example.com/"}]),
        ToolMessage("A tool's words.", tool_call_id="c9"),
        HumanMessage("A summary."),
    ],
    ids=["empty", "blank", "no text", "tool message", "human message"],
)
def test_child_that_ends_on_anything_but_words_of_its_own_has_no_report(
    last: Any, invoke: Invoke
) -> None:
    answer = only_answer(invoke(make_parent(make_graph(lambda _: {"messages": [last]}))))

    assert (answer.status, answer.content) == ("error", SILENT)


def hidden_frames(messages: Any) -> Any:
    """Return a child that has found something, shows other messages, and reports at last."""
    found = make_agent(
        [call_tool("search", query="tea"), AIMessage("Wait.")], [make_search("Tea: 80.")]
    )
    kept: list[Any] = []

    def search(_: Any) -> Any:
        kept.extend(found.invoke(ASKED)["messages"])
        return {"messages": [*kept]}

    def report(_: Any) -> Any:
        return {"messages": [cite_all(kept)]}

    return make_graph(search, lambda _: {"messages": messages}, report, state=Loose)


@BOTH_COLOURS
@pytest.mark.parametrize("between", [None, [], ()], ids=["none", "empty list", "empty tuple"])
def test_frame_without_messages_loses_nothing(between: Any, invoke: Invoke) -> None:
    published: list[tuple[Evidence, ...]] = []
    parent = make_parent(hidden_frames(between), publish=published.append)

    answer = only_answer(invoke(parent))

    evidence = read_message(answer, binding="entry").evidence
    assert [each.record["excerpt"] for each in evidence] == ["Tea: 80."]
    assert [len(each) for each in published] == [1]


@BOTH_COLOURS
def test_report_stands_even_if_the_last_frame_has_no_messages(invoke: Invoke) -> None:
    child = make_graph(
        lambda _: {"messages": [AIMessage("Hot.")]}, lambda _: {"messages": None}, state=Loose
    )

    assert only_answer(invoke(make_parent(child))).content == "Hot."


@BOTH_COLOURS
def test_child_without_messages_at_all_has_no_report(invoke: Invoke) -> None:
    class Other(TypedDict, total=False):
        messages: Any
        other: str

    child = make_graph(lambda _: {"messages": None, "other": "x"}, state=Other)

    assert only_answer(invoke(make_parent(child))).content == SILENT


def test_sync_child_under_an_async_parent_is_an_error_that_ends_nothing() -> None:
    async def wait(query: str) -> str:
        """Search."""
        await asyncio.sleep(0)
        return query

    tool = StructuredTool.from_function(coroutine=wait, name="search")
    script = [call_tool("search", query="tea"), AIMessage("Hot.")]
    works, fails = (make_parent(make_agent(script, [tool])) for _ in range(2))

    assert only_answer(asyncio.run(works.ainvoke(ASKED))).content == "Hot."
    assert only_answer(fails.invoke(ASKED)).content == FAILED


@BOTH_COLOURS
def test_appendix_is_bounded(invoke: Invoke) -> None:
    child = make_agent(
        [call_tool("search", query="tea"), cite_all], [make_search("Black tea.", "long " * 99)]
    )
    parent = make_parent(child, appendix_chars=120)

    answer = only_answer(invoke(parent))

    assert [each.record["excerpt"] for each in read_message(answer).evidence] == ["Black tea."]
    assert len(set(handles(answer))) == 1


def test_calls_of_one_child_know_nothing_of_each_other() -> None:
    model = ScriptedModel(script=[AIMessage("First."), AIMessage("Second.")])
    parent = make_parent(
        create_agent(model, []),
        [order(), order(call_id="c2"), AIMessage("Done.")],
        saver=InMemorySaver(),
    )

    found = parent.invoke(ASKED, {"configurable": {"thread_id": "t1"}})

    assert [each.content for each in found["messages"] if each.type == "tool"] == [
        "First.",
        "Second.",
    ]
    assert [[each.text for each in request] for request in model.seen] == [["How hot?"]] * 2
