"""No door of LangChain and LangGraph lets a caller's evidence in; the server's passes untouched.

Each forged envelope has correct ids, its handle and its excerpt, so that only the boundary stands
between it and evidence.
"""

import copy
import dataclasses
import json
from collections.abc import Callable
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.messages import (
    AnyMessage,
    HumanMessage,
    RemoveMessage,
    ToolMessage,
    convert_to_messages,
)
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import REMOVE_ALL_MESSAGES, add_messages
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, Overwrite, StateUpdate, interrupt

from core.forged_lives import escape, is_message, lives_of, proven
from core.forged_messages import (
    ENVELOPE,
    FORMS,
    FURTHER,
    JSON_FORMS,
    OBJECTS,
    TEXT,
    TOOL,
)
from knowledge_contract.boundary import (
    strip_body,
    strip_reserved,
)

FORGED = {**TOOL, "artifact": {**ENVELOPE, "keep": 1}}
CONFIG: RunnableConfig = {"configurable": {"thread_id": "1"}}


@pytest.mark.parametrize("name", FORMS)
def test_forged_form_ends_as_no_evidence(name: str) -> None:
    form = copy.deepcopy(FORMS[name])

    stripped = strip_reserved(form)

    assert not any(proven(each) for each in lives_of(stripped))
    assert form == FORMS[name]


def test_the_forms_would_forge_without_the_boundary() -> None:
    listed = {**JSON_FORMS, **OBJECTS}
    at_once = [name for name, form in listed.items() if is_forged_at_once(form)]
    ever = [name for name, form in FORMS.items() if any(proven(each) for each in lives_of(form))]

    assert len(listed) == 51
    assert len(at_once) == 18
    assert set(FURTHER) <= set(ever)
    assert {"ToolMessage, additional_kwargs", "data form"} <= set(ever)


def is_forged_at_once(form: Any) -> bool:
    """Tell whether a caller's envelope becomes a tool message's artifact, whatever its text."""
    try:
        message = convert_to_messages([copy.deepcopy(form)])[0]
    except (KeyError, NotImplementedError, TypeError, ValueError):
        return False
    return isinstance(message, ToolMessage) and message.artifact == ENVELOPE


@pytest.mark.parametrize("name", [name for name, form in FORMS.items() if not is_message(form)])
def test_forged_body_ends_as_no_evidence(name: str) -> None:
    body = json.dumps({"input": {"messages": [FORMS[name]]}}).encode()

    stripped = json.loads(strip_body(body))["input"]["messages"][0]

    assert not any(proven(each) for each in lives_of(stripped))


SPELLINGS: dict[str, Callable[[Any], bytes]] = {
    "compact": lambda value: json.dumps(value, separators=(",", ":")).encode(),
    "indented": lambda value: json.dumps(value, indent=2, ensure_ascii=False).encode(),
    "escaped": lambda value: escape(json.dumps(value)).encode(),
    "a single message": lambda value: json.dumps(value["messages"][0]).encode(),
    "command": lambda value: json.dumps({"command": {"update": value}}).encode(),
    "pairs": lambda value: json.dumps({"update": [["messages", value["messages"]]]}).encode(),
    "batch": lambda value: json.dumps([{"input": [[value]]}, value]).encode(),
    "overwrite": lambda value: json.dumps({"messages": {"__overwrite__": value}}).encode(),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_no_spelling_or_nesting_of_a_body_lets_a_form_through(spelling: str) -> None:
    for name, form in FORMS.items():
        if is_message(form):
            continue
        body = SPELLINGS[spelling]({"messages": [form]})

        document = json.loads(strip_body(body))

        assert not armed_artifacts(document), name


def armed_artifacts(document: Any) -> list[Any]:
    """Return the artifacts in a document that still hold a reserved key."""
    found, pending = [], [document]
    while pending:
        current = pending.pop()
        if isinstance(current, dict):
            artifact = current.get("artifact")
            if isinstance(artifact, dict) and "knowledge_sources" in artifact:
                found.append(artifact)
            pending.extend(current.values())
        elif isinstance(current, list):
            pending.extend(current)
    return found


def test_kept_artifact_keys_arrive() -> None:
    message = convert_to_messages([strip_reserved(FORGED)])[0]

    assert isinstance(message, ToolMessage)
    assert message.artifact == {"keep": 1}


def tool_object() -> ToolMessage:
    return ToolMessage(TEXT, tool_call_id="c1", artifact={**ENVELOPE, "keep": 1})


class State(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    notes: Any


@dataclasses.dataclass
class Written:
    messages: Any


def graph(answer: Any = lambda _: {}) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Return a graph that stores what it gets; `answer` may ask its caller first."""
    builder = StateGraph(State)
    builder.add_node("model", answer)
    builder.add_edge(START, "model")
    builder.add_edge("model", END)
    return builder.compile(checkpointer=InMemorySaver())


def stored(compiled: CompiledStateGraph[Any, Any, Any, Any]) -> list[Any]:
    """Return the thread's messages as a reloaded process would hold them, after a dict trip too."""
    messages = compiled.get_state(CONFIG).values.get("messages", [])
    again = [convert_to_messages([each.model_dump()])[0] for each in messages if is_message(each)]
    return [*messages, *again]


def run(value: Any) -> list[Any]:
    compiled = graph()
    compiled.invoke(value, CONFIG)
    return stored(compiled)


def run_started(value: Any) -> list[Any]:
    compiled = graph()
    compiled.invoke({"messages": [HumanMessage("h", id="h")]}, CONFIG)
    compiled.invoke(value, CONFIG)
    return stored(compiled)


def update_state(value: Any) -> list[Any]:
    compiled = graph()
    compiled.invoke({"messages": [HumanMessage("h", id="h")]}, CONFIG)
    compiled.update_state(CONFIG, value)
    return stored(compiled)


def bulk_update(value: Any) -> list[Any]:
    compiled = graph()
    compiled.invoke({"messages": [HumanMessage("h", id="h")]}, CONFIG)
    compiled.bulk_update_state(CONFIG, value)
    return stored(compiled)


def put_writes(value: Any) -> list[Any]:
    compiled = graph()
    compiled.invoke({"messages": [HumanMessage("h", id="h")]}, CONFIG)
    saver = compiled.checkpointer
    assert isinstance(saver, InMemorySaver)
    tuple_ = saver.get_tuple(CONFIG)
    assert tuple_ is not None
    saver.put_writes(tuple_.config, value, "00000000-0000-0000-0000-000000000000")
    return stored(compiled)


def resume(value: Any) -> list[Any]:
    def answer(_: Any) -> dict[str, Any]:
        return {"messages": [ToolMessage(TEXT, tool_call_id="c1", artifact=interrupt("?"))]}

    compiled = graph(answer)
    compiled.invoke({"messages": [HumanMessage("h", id="h")]}, CONFIG)
    compiled.invoke(value, CONFIG)
    return stored(compiled)


def resume_with_message(value: Any) -> list[Any]:
    compiled = graph(lambda _: {"messages": [interrupt("?")]})
    compiled.invoke({"messages": [HumanMessage("h", id="h")]}, CONFIG)
    compiled.invoke(value, CONFIG)
    return stored(compiled)


Door = tuple[Callable[[Any], list[Any]], Callable[[Any], Any]]

DOORS: dict[str, Door] = {
    "invoke": (run, lambda message: {"messages": [message]}),
    "invoke, a single message": (run, lambda message: {"messages": message}),
    "invoke, Overwrite": (run, lambda message: {"messages": Overwrite([message])}),
    "invoke, __overwrite__": (run, lambda message: {"messages": {"__overwrite__": [message]}}),
    "invoke, value and type": (
        run,
        lambda message: {"messages": {"type": "__overwrite__", "value": [message]}},
    ),
    "invoke, all removed": (
        run_started,
        lambda message: {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES), message]},
    ),
    "invoke, pairs as kwargs": (
        run,
        lambda _: {"messages": [FURTHER["additional_kwargs as pairs"]]},
    ),
    "command, update": (run_started, lambda message: Command(update={"messages": [message]})),
    "command, pairs": (run_started, lambda message: Command(update=[("messages", [message])])),
    "command, object": (run_started, lambda message: Command(update=Written([message]))),
    "update_state": (update_state, lambda message: {"messages": [message]}),
    "update_state, command": (
        update_state,
        lambda message: Command(update={"messages": [message]}),
    ),
    "update_state, overwrite": (
        update_state,
        lambda message: {"messages": {"__overwrite__": [message]}},
    ),
    "bulk_update_state": (
        bulk_update,
        lambda message: [[StateUpdate({"messages": [message]}, "model")]],
    ),
    "put_writes": (put_writes, lambda message: [("messages", [message])]),
    "resume": (resume, lambda _: Command(resume=ENVELOPE)),
    "resume, a message": (resume_with_message, lambda message: Command(resume=message)),
}


@pytest.mark.parametrize("name", DOORS)
def test_door_lets_no_forged_evidence_in(name: str) -> None:
    enter, shape = DOORS[name]

    results = [enter(strip_reserved(shape(message))) for message in (FORGED, tool_object())]

    assert not any(proven(each) for messages in results for each in messages)


@pytest.mark.parametrize("name", [name for name in DOORS if name != "put_writes"])
def test_door_would_let_it_in_without_the_boundary(name: str) -> None:
    enter, shape = DOORS[name]

    assert any(proven(each) for each in enter(shape(tool_object())))
