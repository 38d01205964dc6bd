"""LangGraph's containers and foreign artifacts lose the keys and keep their types."""

import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from langchain_core.messages import (
    HumanMessage,
    RemoveMessage,
    ToolMessage,
    convert_to_messages,
    messages_to_dict,
)
from langchain_core.prompt_values import ChatPromptValue
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.types import Command, Overwrite, Send, StateUpdate
from pydantic import BaseModel, RootModel

from core.forged_messages import (
    BASE,
    ENVELOPE,
    RECORD,
    TEXT,
    TOOL,
    constructor,
)
from knowledge_contract.boundary import (
    strip_reserved,
)

FORGED = {**TOOL, "artifact": {**ENVELOPE, "keep": 1}}


CLEAN: dict[str, Any] = {
    "message": ToolMessage(TEXT, tool_call_id="c1", artifact={"ok": 1}),
    "extra fields": HumanMessage.model_validate({"content": "x", "more": {"artifact": {"ok": 1}}}),
    "prompt value": ChatPromptValue(messages=[HumanMessage("x")]),
    "command": Command(update={"messages": [TOOL]}, resume={"a": 1}, goto=Send("model", {"a": []})),
    "overwrite": Overwrite([TOOL]),
    "state update": StateUpdate({"messages": [TOOL]}, "tools"),
    "constructor": constructor({**BASE, "artifact": {"ok": 1}}),
    "removal": RemoveMessage(id="m1"),
    "reserved keys outside of artifacts": {"knowledge_sources": [RECORD], "messages": [TOOL]},
    "records in an object's own fields": ToolMessage.model_validate({**BASE, **ENVELOPE}),
}


@pytest.mark.parametrize("name", CLEAN)
def test_clean_value_comes_back_as_the_same_object(name: str) -> None:
    assert strip_reserved(CLEAN[name]) is CLEAN[name]


def tool_object() -> ToolMessage:
    return ToolMessage(TEXT, tool_call_id="c1", artifact={**ENVELOPE, "keep": 1})


@dataclasses.dataclass
class Written:
    messages: Any


CONTAINERS: dict[str, Callable[[Any], Any]] = {
    "update": lambda message: Command(update={"messages": [message]}),
    "pairs": lambda message: Command(update=[("messages", [message])]),
    "object": lambda message: Command(update=Written([message])),
    "send": lambda message: Command(goto=Send("model", {"messages": [message]})),
    "sends": lambda message: Command(goto=[Send("model", {"messages": [message]})]),
    "send in an update": lambda message: {"tasks": (Send("model", message),)},
    "overwrite": lambda message: Overwrite([message]),
    "overwrite in JSON": lambda message: {"messages": {"__overwrite__": [message]}},
    "state update": lambda message: StateUpdate({"messages": [message]}, "tools"),
    "bulk": lambda message: [[StateUpdate({"messages": [message]}, "tools")]],
    "another key": lambda message: {"history": [message], "notes": message},
    "prompt value": lambda message: ChatPromptValue(messages=convert_to_messages([message])),
    "data form": lambda message: messages_to_dict(convert_to_messages([message])),
    "pending write": lambda message: [("task", "messages", [message])],
}


@pytest.mark.parametrize("kind", ["dict", "object"])
@pytest.mark.parametrize("name", CONTAINERS)
def test_container_loses_the_keys_and_keeps_its_type(name: str, kind: str) -> None:
    forged = CONTAINERS[name](FORGED if kind == "dict" else tool_object())

    stripped = strip_reserved(forged)

    assert type(stripped) is type(forged)
    assert RECORD["id"] not in repr(stripped).replace(TEXT, "").replace(repr(TEXT)[1:-1], "")
    assert "keep" in repr(stripped)
    assert RECORD["id"] in repr(forged).replace(TEXT, "").replace(repr(TEXT)[1:-1], "")


def test_send_keeps_its_node_and_timeout() -> None:
    stripped = strip_reserved(Send("model", {"messages": [FORGED]}, timeout=3))

    assert stripped == Send("model", {"messages": [{**TOOL, "artifact": {"keep": 1}}]}, timeout=3)


@pytest.mark.parametrize("resumed", [ENVELOPE, {"i": ENVELOPE}, [[{"x": ENVELOPE}]]])
def test_resume_loses_the_keys_at_every_depth(resumed: object) -> None:
    stripped: Any = strip_reserved(Command(resume=resumed, update={"a": 1}))

    assert "knowledge_sources" not in repr(stripped)
    assert stripped.update == {"a": 1}


def test_pending_resume_loses_the_keys() -> None:
    assert strip_reserved([("task", "__resume__", [ENVELOPE])]) == [("task", "__resume__", [{}])]


class Snapshot(BaseModel):
    knowledge_sources: list[Any]
    knowledge_sources_version: int = 1
    keep: int = 1


@dataclasses.dataclass(frozen=True, slots=True)
class FrozenSnapshot:
    knowledge_sources: list[Any]
    knowledge_sources_version: int = 1
    keep: int = 1


class TupleSnapshot(NamedTuple):
    knowledge_sources: list[Any]
    knowledge_sources_version: int = 1
    keep: int = 1


class RootSnapshot(RootModel[dict[str, Any]]):
    pass


SNAPSHOTS = [
    Snapshot(knowledge_sources=[RECORD]),
    FrozenSnapshot([RECORD]),
    TupleSnapshot([RECORD]),
    RootSnapshot({**ENVELOPE, "keep": 1}),
]


@pytest.mark.parametrize("artifact", SNAPSHOTS, ids=lambda each: type(each).__name__)
def test_object_as_artifact_is_stripped_before_a_checkpoint_makes_it_a_dict(artifact: Any) -> None:
    message = ToolMessage(TEXT, tool_call_id="c1", artifact=artifact)

    stripped = strip_reserved(message)
    serde = JsonPlusSerializer(allowed_msgpack_modules=None)
    reloaded = serde.loads_typed(serde.dumps_typed(stripped))

    assert stripped.artifact == {"keep": 1}
    assert reloaded.artifact == {"keep": 1}
    assert message.artifact is artifact
