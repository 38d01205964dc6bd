"""The scope stands on the current human message, is taken off, and may stand nowhere else."""

import copy
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
from langchain_core.load import dumpd
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage, convert_to_messages
from langgraph.types import Command, Send
from pydantic import BaseModel

from knowledge_contract.scope import Refusal, Taken, drop_scopes, find_injected, take_scope
from knowledge_wire.parsing import Problem

SCOPE = {"version": 1, "mode": "selected", "dataset_ids": ["ds-secret-7"]}
KWARGS = {"knowledge_scope": SCOPE}


def taken(messages: list[Any]) -> Taken:
    result = take_scope(messages)
    assert isinstance(result, Taken), result
    return result


@pytest.mark.parametrize(
    ("message", "left"),
    [
        pytest.param(
            {"type": "human", "content": "Hi", "additional_kwargs": KWARGS},
            {"type": "human", "content": "Hi"},
            id="dict with type",
        ),
        pytest.param(
            {"role": "user", "content": "Hi", "additional_kwargs": {**KWARGS, "other": 1}},
            {"role": "user", "content": "Hi", "additional_kwargs": {"other": 1}},
            id="dict with role",
        ),
        pytest.param(
            HumanMessage("Hi", id="h1", additional_kwargs={**KWARGS, "other": 1}),
            HumanMessage("Hi", id="h1", additional_kwargs={"other": 1}),
            id="object",
        ),
    ],
)
def test_current_message_loses_its_scope(message: Any, left: Any) -> None:
    before = copy.deepcopy(message)

    result = taken([AIMessage("Hello"), message])

    assert result.requested == SCOPE
    assert result.messages == [AIMessage("Hello"), left]
    assert message == before


def test_messages_without_a_scope_come_back_as_they_are() -> None:
    messages = [HumanMessage("Hi"), {"role": "user", "content": "there"}, ("user", "x"), "y"]

    result = taken(messages)

    assert result.messages is messages
    assert result.requested is None


@pytest.mark.parametrize("scope", [[], "all", 1, {}], ids=["list", "text", "number", "empty"])
def test_whatever_stands_there_is_handed_on_to_be_judged(scope: object) -> None:
    result = taken([HumanMessage("Hi", additional_kwargs={"knowledge_scope": scope})])

    assert result.requested == scope


def test_null_is_no_scope() -> None:
    message = HumanMessage("Hi", additional_kwargs={"knowledge_scope": None})

    result = take_scope([message])

    assert isinstance(result, Refusal)
    assert result.problem == Problem("", "type")


HUMAN = {"role": "user", "content": "Hi"}


@pytest.mark.parametrize(
    "messages",
    [
        pytest.param([{**HUMAN, "additional_kwargs": KWARGS}, HUMAN], id="an earlier message"),
        pytest.param(
            [{**HUMAN, "additional_kwargs": KWARGS}, {**HUMAN, "additional_kwargs": KWARGS}],
            id="two messages",
        ),
        pytest.param([HUMAN, AIMessage("Hi", additional_kwargs=KWARGS)], id="an answer"),
        pytest.param(
            [HUMAN, ToolMessage("Hi", tool_call_id="c", additional_kwargs=KWARGS)], id="a tool"
        ),
        pytest.param([{**HUMAN, **KWARGS}], id="a key of the message"),
        pytest.param([HumanMessage("Hi", **KWARGS)], id="an extra field"),
        pytest.param(
            [{**HUMAN, "additional_kwargs": {"__knowledge_scope": SCOPE}}], id="the run-time key"
        ),
        pytest.param([{**HUMAN, "additional_kwargs": {"additional_kwargs": KWARGS}}], id="deeper"),
        pytest.param(
            [{"type": "human", "data": {"content": "Hi", "additional_kwargs": KWARGS}}],
            id="type and data",
        ),
        pytest.param([dumpd(HumanMessage("Hi", additional_kwargs=KWARGS))], id="serialised"),
        pytest.param([{**HUMAN, "response_metadata": KWARGS}], id="response metadata"),
        pytest.param([HumanMessage([{"type": "text", "text": "Hi", **KWARGS}])], id="a block"),
        pytest.param([{**HUMAN, "content": [{"x": [KWARGS]}]}], id="a block of a dict"),
        pytest.param([{**HUMAN, "additional_kwargs": [["knowledge_scope", SCOPE]]}], id="pairs"),
        pytest.param(
            [AIMessage("", tool_calls=[{"name": "a", "args": {"b": KWARGS}, "id": "1"}])],
            id="arguments of a call",
        ),
    ],
)
def test_scope_anywhere_else_is_refused(messages: list[Any]) -> None:
    result = take_scope(messages)

    assert isinstance(result, Refusal)
    assert result.problem == Problem("", "form")
    assert "ds-secret-7" not in repr(result)


@pytest.mark.parametrize(
    "config",
    [
        {"configurable": {"__knowledge_scope": SCOPE}},
        {"configurable": {"knowledge_scope": SCOPE}},
        {"metadata": [{"x": ({"knowledge_scope__": 1},)}]},
    ],
    ids=["run-time key", "plain key", "deep"],
)
def test_run_time_injection_is_found(config: object) -> None:
    assert isinstance(find_injected(config), Refusal)


@dataclass(frozen=True, slots=True)
class Record:
    """Any dataclass."""

    inner: object = None
    knowledge_scope: object = None


class Pair(NamedTuple):
    """Any named tuple."""

    first: int
    second: object


class Settings(BaseModel):
    """Any model."""

    inner: Any = None
    knowledge_scope: Any = None


@pytest.mark.parametrize(
    "build",
    [
        lambda: Command(update={"messages": [HumanMessage("Hi", additional_kwargs=KWARGS)]}),
        lambda: Command(resume=KWARGS),
        lambda: Command(goto=Send("tools", KWARGS)),
        lambda: Record(inner=KWARGS),
        lambda: Record(knowledge_scope=SCOPE),
        lambda: Pair(1, KWARGS),
        lambda: Settings(inner=[KWARGS]),
        lambda: Settings(knowledge_scope=SCOPE),
        lambda: deque([KWARGS]),
        lambda: [("task", "knowledge_scope", SCOPE)],
    ],
    ids=[
        *("update", "resume", "goto", "dataclass", "its field", "named tuple", "model"),
        *("field of a model", "queue", "pending write"),
    ],
)
def test_scope_inside_a_live_object_is_found(build: Callable[[], object]) -> None:
    assert isinstance(find_injected({"input": build()}), Refusal)


@pytest.mark.parametrize(
    "value",
    [Record(), Settings(), Command(update={"messages": [HumanMessage("knowledge_scope")]}), "a"],
    ids=["field that nobody filled", "field of a model", "text", "leaf"],
)
def test_objects_without_a_scope_pass(value: object) -> None:
    assert find_injected(value) is None


def test_no_depth_is_too_deep() -> None:
    value: dict[str, Any] = dict(KWARGS)
    for _ in range(100_000):
        value = {"in": value}

    assert isinstance(find_injected(value), Refusal)


def test_what_tools_and_models_say_is_not_looked_at() -> None:
    content = [{"type": "text", "text": "knowledge_scope", "knowledge_scope": 1}]
    message = ToolMessage(content, tool_call_id="c", artifact=KWARGS)  # type: ignore[arg-type]  # a block with a key of its own

    assert find_injected([message, {"content": content, "artifact": KWARGS}]) is None


def test_value_that_contains_itself_ends() -> None:
    loop: dict[str, Any] = {}
    loop["self"] = [loop]

    assert find_injected(loop) is None


def test_nothing_that_langchain_makes_of_the_messages_holds_the_scope() -> None:
    message = {"role": "user", "content": "Hi", "additional_kwargs": KWARGS}

    result = taken([message])

    assert "ds-secret-7" not in repr(convert_to_messages(result.messages))
    assert "ds-secret-7" not in repr(result)


def test_scopes_of_an_old_thread_are_dropped_from_copies() -> None:
    old = HumanMessage("Hi", additional_kwargs=KWARGS)
    messages = [old, AIMessage("Hello")]

    shown = drop_scopes(messages)

    assert [each.additional_kwargs for each in shown] == [{}, {}]
    assert shown[1] is messages[1]
    assert old.additional_kwargs == KWARGS
    assert drop_scopes(shown) is shown


def test_any_object_with_these_attributes_is_a_message() -> None:
    class Plain:
        type = "human"

        def __init__(self) -> None:
            self.additional_kwargs = dict(KWARGS)

    message = Plain()

    result = taken([message])

    assert (result.requested, result.messages[0].additional_kwargs) == (SCOPE, {})
    assert message.additional_kwargs == KWARGS
