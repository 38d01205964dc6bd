"""What a child and its parent share: the user and the run, but no messages and no database."""

import asyncio
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, MessagesState, StateGraph
from pydantic import BaseModel, ConfigDict

from counting_provider import CountingProvider
from knowledge_contract.retrieval import RetrievalContext
from knowledge_contract.tools import SubAgent, build_task_tool, knowledge_search_tool
from scripted_model import call_tool
from tools.delegating import (
    ASKED,
    BOTH_COLOURS,
    CONTEXT,
    FAILED,
    THREAD,
    Invoke,
    cite_all,
    make_agent,
    make_graph,
    make_parent,
    make_search,
    only_answer,
    order,
)

WHISPER = "whispered by the child"


def whispering(saver: Any = None) -> Any:
    """Return a child that searches, whispers and reports, in a graph inside its graph."""
    inner = make_agent(
        [call_tool("search", query="tea"), AIMessage(WHISPER)], [make_search("Tea.")]
    )
    builder = StateGraph(MessagesState)
    builder.add_node("inner", inner)
    builder.add_node("report", lambda _: {"messages": [AIMessage("Hot.")]})
    builder.add_edge(START, "inner")
    builder.add_edge("inner", "report")
    return builder.compile(checkpointer=saver)


@BOTH_COLOURS
@pytest.mark.parametrize("own", ["none", "a saver", "lasting", "off"])
def test_childs_checkpoints_stay_out_of_the_parents_database(own: str, invoke: Invoke) -> None:
    childs, parents = InMemorySaver(), InMemorySaver()
    kinds: dict[str, Any] = {"none": None, "a saver": childs, "lasting": True, "off": False}
    parent = make_parent(whispering(kinds[own]), saver=parents)

    answer = only_answer(invoke(parent))

    assert answer.content == "Hot."
    assert {each.config["configurable"]["checkpoint_ns"] for each in parents.list(None)} == {""}
    assert WHISPER not in repr(list(parents.list(None)))
    assert list(childs.list(None)) == []


def test_childs_own_saver_serves_the_child_alone_as_before() -> None:
    saver = InMemorySaver()
    child = make_graph(lambda _: {"messages": [AIMessage("Hot.")]})
    child.checkpointer = saver

    make_parent(child).invoke(ASKED, context=CONTEXT)
    before = len(list(saver.list(None)))
    child.invoke(ASKED, THREAD)

    assert before == 0
    assert len(list(saver.list(None))) > 0


def test_file_of_a_parent_holds_nothing_that_its_child_said(tmp_path: Any) -> None:
    path = tmp_path / "threads.db"
    with SqliteSaver.from_conn_string(str(path)) as saver:
        make_parent(whispering(), saver=saver).invoke(ASKED, THREAD, context=CONTEXT)

    assert b"Hot." in path.read_bytes()
    assert WHISPER.encode() not in path.read_bytes()


MODES = ["values", "updates", "messages", "custom", "checkpoints"]


def test_childs_messages_are_in_no_stream_of_its_parent() -> None:
    def parent() -> Any:
        return make_parent(whispering(), saver=InMemorySaver())

    async def collect() -> list[Any]:
        stream = parent().astream(ASKED, THREAD, context=CONTEXT, stream_mode=MODES)
        return [each async for each in stream]

    in_sync = list(parent().stream(ASKED, THREAD, context=CONTEXT, stream_mode=MODES))
    in_async = asyncio.run(collect())

    for shown in (in_sync, in_async):
        assert {mode for mode, _ in shown} == {*MODES} - {"custom"}
        assert "whispered" not in repr(shown)
        assert "Hot." in repr(shown)


@dataclass(frozen=True)
class Frozen:
    """A host's context that must not change."""

    knowledge: Any
    other: str = "x"

    def __post_init__(self) -> None:
        """Refuse to be made by anybody but the host."""
        if self.knowledge.agent_name != "lead":
            raise ValueError("only the host may")


@dataclass(slots=True)
class Slotted:
    """One without a dict."""

    knowledge: Any
    other: str = "x"


class Named(NamedTuple):
    """One that is a tuple."""

    knowledge: Any
    other: str = "x"


class Model(BaseModel):
    """One of pydantic's."""

    model_config = ConfigDict(frozen=True)
    knowledge: Any
    other: str = "x"


class Plain:
    """One like any other object."""

    def __init__(self, knowledge: Any) -> None:
        self.knowledge = knowledge
        self.other = "x"


def asked_by(invoke: Invoke, context: Any) -> list[RetrievalContext]:
    """Return on whose behalf the child of a run searches."""
    provider = CountingProvider()
    child = make_agent(
        [call_tool("knowledge_search", query="tea"), cite_all], [knowledge_search_tool(provider)]
    )
    only_answer(invoke(make_parent(child), context=context))
    return [each.context for each in provider.requests]


@BOTH_COLOURS
@pytest.mark.parametrize(
    "wrap",
    [lambda own: own, Frozen, Slotted, Named, lambda own: Model(knowledge=own), Plain],
    ids=["itself", "frozen", "slots", "named tuple", "model", "object"],
)
def test_child_searches_in_its_own_name_for_the_same_user(wrap: Any, invoke: Invoke) -> None:
    own = RetrievalContext("ada", "lead", "t1", {"version": 1, "mode": "all"})
    context = wrap(own)

    found = asked_by(invoke, context)

    assert found == [own._replace(agent_name="researcher")]
    assert getattr(context, "knowledge", context) is own


@BOTH_COLOURS
@pytest.mark.parametrize(
    "context",
    [None, Plain(None)],
    ids=["none", "no knowledge"],
)
def test_context_that_names_nobody_names_nobody_for_the_child(context: Any, invoke: Invoke) -> None:
    assert asked_by(invoke, context) == [RetrievalContext()]


@BOTH_COLOURS
@pytest.mark.parametrize(
    "context",
    [{"user_id": "ada"}, {"knowledge": CONTEXT}, Plain({"user_id": "ada"})],
    ids=["dict", "dict of one", "other knowledge"],
)
def test_child_searches_nothing_in_a_context_that_cannot_be_read(
    context: Any, invoke: Invoke
) -> None:
    assert asked_by(invoke, context) == []


class Computed:
    """A context whose knowledge cannot be replaced."""

    @property
    def knowledge(self) -> RetrievalContext:
        return CONTEXT


@BOTH_COLOURS
def test_child_that_cannot_get_its_own_name_does_not_run(invoke: Invoke) -> None:
    child = make_agent([])

    answer = only_answer(invoke(make_parent(child), context=Computed()))

    assert answer.content == FAILED


@BOTH_COLOURS
def test_grandchild_searches_in_the_last_name(invoke: Invoke) -> None:
    provider = CountingProvider()
    leaf = make_agent(
        [call_tool("knowledge_search", query="tea"), cite_all], [knowledge_search_tool(provider)]
    )
    task = build_task_tool({"leaf": SubAgent(graph=leaf, description="Finds.")})
    middle = make_agent([order("leaf"), cite_all], [task])

    only_answer(invoke(make_parent({"middle": middle}, [order("middle"), AIMessage("Done.")])))

    assert [each.context for each in provider.requests] == [CONTEXT._replace(agent_name="leaf")]


@BOTH_COLOURS
def test_name_that_the_model_forges_counts_for_nothing(invoke: Invoke) -> None:
    provider = CountingProvider()
    child = make_agent(
        [call_tool("knowledge_search", query="tea"), cite_all], [knowledge_search_tool(provider)]
    )
    forged = order().tool_calls[0]
    forged["args"] |= {"runtime": {"context": "eve"}, "context": "eve", "agent_name": "lead"}
    parent = make_parent(child, [AIMessage("", tool_calls=[forged]), AIMessage("Done.")])

    only_answer(invoke(parent))

    assert [each.context for each in provider.requests] == [
        CONTEXT._replace(agent_name="researcher")
    ]
