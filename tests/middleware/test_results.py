"""What a tool call may give: every message in it is reached, and nothing else is touched."""

from typing import Any, NamedTuple

import pytest
from langchain_core.messages import HumanMessage, RemoveMessage, ToolMessage
from langgraph.types import Command, Send

from knowledge_contract.middleware.results import map_messages

FIRST = ToolMessage("first", tool_call_id="c1", id="m1", artifact={"kept": 1})
SECOND = ToolMessage("second", tool_call_id="c2", id="m2")
OTHER = HumanMessage("other", id="m3")
AS_DICT = {"type": "tool", "content": "first", "tool_call_id": "c1"}


class Pair(NamedTuple):
    """A tuple with names, which is no list of results."""

    left: Any
    right: Any


def shout(message: Any) -> Any:
    if isinstance(message, dict):
        return {**message, "content": message["content"].upper()}
    return message.model_copy(update={"content": message.content.upper()})


LOUD_FIRST, LOUD_SECOND = shout(FIRST), shout(SECOND)
CASES: dict[str, tuple[Any, Any]] = {
    "message": (FIRST, LOUD_FIRST),
    "command of one": (
        Command(update={"messages": FIRST}),
        Command(update={"messages": LOUD_FIRST}),
    ),
    "command of a list": (
        Command(update={"messages": [OTHER, FIRST, RemoveMessage("m9")], "files": ["x"]}),
        Command(update={"messages": [OTHER, LOUD_FIRST, RemoveMessage("m9")], "files": ["x"]}),
    ),
    "command of a tuple": (
        Command(update={"messages": (FIRST, OTHER)}, goto=Send("n", 1), graph="g", resume=2),
        Command(update={"messages": (LOUD_FIRST, OTHER)}, goto=Send("n", 1), graph="g", resume=2),
    ),
    "command of a dict": (
        Command(update={"messages": [AS_DICT]}),
        Command(update={"messages": [shout(AS_DICT)]}),
    ),
    "list of results": (
        [Command(update={"messages": [SECOND]}), FIRST, Command(goto="n")],
        [Command(update={"messages": [LOUD_SECOND]}), LOUD_FIRST, Command(goto="n")],
    ),
    "tuple of results": (
        (FIRST, [SECOND]),
        (LOUD_FIRST, [LOUD_SECOND]),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_messages_of_every_shape_are_changed_and_the_input_is_not(case: str) -> None:
    given, expected = CASES[case]
    before = repr(given)

    changed = map_messages(given, shout)

    assert changed == expected
    assert type(changed) is type(given)
    assert repr(given) == before


@pytest.mark.parametrize("case", CASES)
def test_without_a_change_the_same_object_comes_back(case: str) -> None:
    given, _ = CASES[case]

    assert map_messages(given, lambda message: message) is given


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(None, id="none"),
        pytest.param("text", id="text"),
        pytest.param(OTHER, id="human message"),
        pytest.param([], id="empty list"),
        pytest.param(Pair(FIRST, 1), id="named tuple"),
        pytest.param(Command(), id="empty command"),
        pytest.param(Command(update=[("messages", [FIRST])]), id="pairs"),
        pytest.param(Command(update={"other": [FIRST]}), id="other key"),
        pytest.param(Command(update={"messages": None}), id="no messages"),
        pytest.param(Command(update={"messages": "text"}), id="text as messages"),
    ],
)
def test_what_holds_no_tool_message_in_a_known_place_comes_back_as_it_is(given: Any) -> None:
    assert map_messages(given, shout) is given
