"""Stored evidence survives echoes, steering objects are refused, and only authorities write."""

import dataclasses
import json
from collections.abc import Callable
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.load import dumpd
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    BaseMessage,
    HumanMessage,
    RemoveMessage,
    ToolMessage,
    messages_to_dict,
)
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import REMOVE_ALL_MESSAGES, add_messages
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, Overwrite, Send, StateUpdate
from pydantic import BaseModel

from core.forged_messages import (
    BASE,
    ENVELOPE,
    RECORD,
    TEXT,
    TOOL,
    constructor,
)
from knowledge_contract.boundary import (
    drop_echoed,
    evidence_ids,
    gate_result,
    refuse_steering,
    strip_body,
)
from knowledge_contract.reading import read_message
from knowledge_wire.parsing import Problem

FORGED = {**TOOL, "artifact": {**ENVELOPE, "keep": 1}}
CONFIG: RunnableConfig = {"configurable": {"thread_id": "1"}}
# Its declared types say less than it takes.
merge: Any = add_messages


def proven(message: object) -> bool:
    return bool(read_message(message).evidence)


def tool_object() -> ToolMessage:
    return ToolMessage(TEXT, tool_call_id="c1", artifact={**ENVELOPE, "keep": 1})


class State(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    notes: Any


@dataclasses.dataclass
class Written:
    messages: Any


class Snapshot(BaseModel):
    knowledge_sources: list[Any]
    knowledge_sources_version: int = 1
    keep: int = 1


def graph(answer: Any = lambda _: {}) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Return a graph that stores what it gets; `answer` may ask its caller first."""
    builder = StateGraph(State)
    builder.add_node("model", answer)
    builder.add_edge(START, "model")
    builder.add_edge("model", END)
    return builder.compile(checkpointer=InMemorySaver())


def test_evidence_of_the_server_passes_and_survives_an_echo() -> None:
    compiled = graph(lambda _: {"messages": [tool_object().model_copy(update={"id": "t1"})]})
    compiled.invoke({"messages": [HumanMessage("h", id="h")]}, CONFIG)
    before = compiled.get_state(CONFIG).values["messages"]
    body = json.dumps({"messages": [each.model_dump() for each in before]}).encode()

    sent = json.loads(strip_body(body))["messages"]
    kept = drop_echoed(sent, evidence_ids(before))
    after = merge(before, kept)

    assert [each["id"] for each in kept] == ["h"]
    assert after == before
    assert proven(after[1])


ECHOES: dict[str, Any] = {
    "dict": {**TOOL, "id": "t1"},
    "another type": {"type": "human", "content": "x", "id": "t1"},
    "data form": {"type": "tool", "data": {**BASE, "id": "t1"}},
    "constructor": constructor({**BASE, "id": "t1"}),
    "constructor of a constructor": constructor(constructor({**BASE, "id": "t1"}), "AIMessage"),
    "object": AIMessage("x", id="t1"),
    "RemoveMessage": RemoveMessage(id="t1"),
    "removal as a dict": {"type": "remove", "content": "", "id": "t1"},
    "removal as a constructor": constructor({"id": "t1", "content": ""}, "RemoveMessage"),
}


@pytest.mark.parametrize("name", ECHOES)
def test_echo_of_stored_evidence_is_dropped(name: str) -> None:
    other = HumanMessage("new", id="h2")

    assert drop_echoed([ECHOES[name], other], frozenset({"t1"})) == [other]
    assert drop_echoed(ECHOES[name], frozenset({"t1"})) == []


def test_number_as_id_counts_as_its_text() -> None:
    before = [ToolMessage(TEXT, tool_call_id="c1", id="5", artifact=ENVELOPE)]
    echo = {**TOOL, "id": 5}

    assert merge(before, [echo])[0].artifact is None
    assert drop_echoed([echo], evidence_ids(before)) == []


def test_message_of_another_id_is_kept_in_the_same_list() -> None:
    sent = [HumanMessage("x", id="h"), {**TOOL, "id": "t2"}, ("human", "t1"), "t1"]

    assert drop_echoed(sent, frozenset({"t1"})) is sent


def test_only_tool_messages_with_reserved_keys_are_stored_evidence() -> None:
    messages = [
        HumanMessage("x", id="h"),
        ToolMessage(TEXT, tool_call_id="c", id="plain", artifact={"ok": 1}),
        ToolMessage(TEXT, tool_call_id="c", id="object", artifact=ENVELOPE),
        ToolMessage(TEXT, tool_call_id="c", id="kwargs", additional_kwargs={"artifact": ENVELOPE}),
        ToolMessage(
            TEXT, tool_call_id="c", id="model", artifact=Snapshot(knowledge_sources=[RECORD])
        ),
        {**FORGED, "id": "dict"},
        {**FORGED, "type": "human", "id": "human"},
    ]

    assert evidence_ids(messages) == {"object", "kwargs", "model", "dict"}


SERIALISED: dict[str, Callable[[BaseMessage], object]] = {
    "messages_to_dict": lambda message: messages_to_dict([message])[0],
    "dumpd": dumpd,
    "dumpd of messages_to_dict": lambda message: dumpd(messages_to_dict([message]))[0],
    "constructor of a constructor": lambda message: constructor(dumpd(message), "AIMessage"),
    "model_dump": lambda message: message.model_dump(),
}


@pytest.mark.parametrize("form", SERIALISED)
@pytest.mark.parametrize(
    "forged", [{"artifact": ENVELOPE}, {"additional_kwargs": {"artifact": ENVELOPE}}], ids=list
)
def test_serialised_tool_message_is_stored_evidence(form: str, forged: Any) -> None:
    serialise = SERIALISED[form]
    stored = ToolMessage(TEXT, tool_call_id="c", id="t1", **forged)
    others = [ToolMessage(TEXT, tool_call_id="c", id="t2"), HumanMessage("x", id="h")]

    assert evidence_ids([serialise(each) for each in [stored, *others]]) == {"t1"}


def test_serialised_message_that_contains_itself_has_an_end() -> None:
    message: dict[str, Any] = {"type": "tool", "id": "t1"}
    message["data"] = {"lc": 1, "kwargs": message, "artifact": ENVELOPE}

    assert evidence_ids(message) == {"t1"}


def refuse(update: object) -> tuple[Problem, ...]:
    return refuse_steering(update, state_keys={"messages", "notes"})


FORM_AT_MESSAGES = (Problem("/messages", "form"),)
REMOVE_ALL = {"type": "remove", "content": "", "id": REMOVE_ALL_MESSAGES}
STEERING: dict[str, tuple[object, tuple[Problem, ...]]] = {
    "Overwrite": ({"messages": Overwrite([])}, FORM_AT_MESSAGES),
    "RemoveMessage": (
        {"messages": [HumanMessage("x"), RemoveMessage(REMOVE_ALL_MESSAGES)]},
        (Problem("/messages/1", "form"),),
    ),
    "a single RemoveMessage": ({"messages": RemoveMessage(REMOVE_ALL_MESSAGES)}, FORM_AT_MESSAGES),
    "command, removal": (
        Command(update={"messages": REMOVE_ALL}),
        (Problem("/update/messages", "form"),),
    ),
    "command, pairs": (
        Command(update=[("messages", [REMOVE_ALL])]),
        (Problem("/update/0/1/0", "form"),),
    ),
    "command, object": (
        Command(update=Written(Overwrite([]))),
        (Problem("/update/messages", "form"),),
    ),
    "command, goto": (Command(goto="model"), (Problem("/goto", "form"),)),
    "command, send": (Command(goto=[Send("tools", [])]), (Problem("/goto", "form"),)),
    "command, parent": (Command(graph=Command.PARENT), (Problem("/graph", "form"),)),
    "state update, node": (StateUpdate({"messages": []}, "tools"), (Problem("/as_node", "form"),)),
    "bulk": (
        [[StateUpdate({"other": 1}), StateUpdate(None, "tools", "task")]],
        (
            Problem("/0/0/values", "additionalProperties"),
            Problem("/0/1/as_node", "form"),
            Problem("/0/1/task_id", "form"),
        ),
    ),
    "send": (Send("tools", []), (Problem("", "form"),)),
}


@pytest.mark.parametrize("name", STEERING)
def test_steering_object_is_refused(name: str) -> None:
    update, problems = STEERING[name]

    assert refuse(update) == problems


@pytest.mark.parametrize(
    "update",
    [
        {"messages": [HumanMessage("x"), RemoveMessage("m1"), TOOL], "notes": {"a": 1}},
        Command(resume={"decisions": [{"type": "approve"}]}),
        Command(update={"messages": [tool_object()]}),
        StateUpdate({"messages": []}),
    ],
    ids=["messages", "resume", "update", "state update"],
)
def test_ordinary_update_is_accepted(update: object) -> None:
    assert refuse(update) == ()


def make_tool(operations: object) -> StructuredTool:
    metadata = {"knowledge_capabilities": {"operations": operations}}

    def search(query: str) -> str:
        """Search."""
        return query

    return StructuredTool.from_function(search, name="search", metadata=metadata)


def test_result_of_an_authority_is_untouched() -> None:
    tool, result = make_tool(["search", "sources"]), tool_object()

    assert gate_result(result, tool, authorities=[make_tool(["sources"]), tool]) is result
    assert proven(result)


@pytest.mark.parametrize("operations", [["search"], "sources", {"sources": 1}, None])
def test_authority_that_does_not_advertise_sources_is_stripped(operations: object) -> None:
    tool = make_tool(operations)

    assert not proven(gate_result(tool_object(), tool, authorities=[tool]))


def test_result_of_an_equal_tool_is_stripped() -> None:
    trusted = make_tool(["sources"])
    twin = trusted.model_copy()
    result: Any = Command(update={"messages": [tool_object()]})

    gated = gate_result(result, twin, authorities=[trusted])

    assert twin == trusted
    assert isinstance(gated.update, dict)
    assert gated.update["messages"][0].artifact == {"keep": 1}
