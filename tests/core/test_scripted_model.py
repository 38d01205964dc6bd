"""The scripted model plays what it was given, to the end and no further."""

from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import StructuredTool
from pydantic import BaseModel
from pydantic.errors import PydanticInvalidForJsonSchema

from core.written_forms import make_tool
from scripted_model import ScriptedModel, Step, call_tool

ASKED = [HumanMessage("Why?")]


def test_steps_are_played_in_order_and_requests_are_kept() -> None:
    steps: list[Step] = [AIMessage("One."), lambda seen: AIMessage(f"Two of {len(seen)}.")]
    model = ScriptedModel(script=steps)

    answers = [model.invoke(ASKED).text, model.invoke([*ASKED, *ASKED]).text]

    assert answers == ["One.", "Two of 2."]
    assert [len(messages) for messages in model.seen] == [1, 2]


def test_script_that_is_too_short_is_loud() -> None:
    with pytest.raises(IndexError):
        ScriptedModel(script=[]).invoke(ASKED)


def test_error_in_a_script_is_raised() -> None:
    with pytest.raises(TimeoutError, match="too slow"):
        ScriptedModel(script=[TimeoutError("too slow")]).invoke(ASKED)


@pytest.mark.parametrize(
    "answer",
    [AIMessage("Ask before  you\ndeploy."), call_tool("search", query="deploy"), AIMessage("")],
    ids=["text", "call without text", "nothing"],
)
def test_streamed_answer_is_the_whole_one(answer: AIMessage) -> None:
    model = ScriptedModel(script=[answer, answer])

    chunks = list(model.stream(ASKED))

    whole: Any = chunks[0]
    for chunk in chunks[1:]:
        whole += chunk
    invoked: Any = model.invoke(ASKED)
    assert (whole.text, whole.tool_calls) == (invoked.text, invoked.tool_calls)


class Unspeakable(BaseModel):
    """Arguments of which no provider can be told."""

    query: Callable[[], str]


def test_tool_without_a_schema_fails_when_it_is_bound() -> None:
    tool = StructuredTool.from_function(
        lambda query: query, name="search", description="Search.", args_schema=Unspeakable
    )
    model = ScriptedModel(script=[])

    assert model.bind_tools([make_tool("shared")]) is model
    with pytest.raises(PydanticInvalidForJsonSchema):
        model.bind_tools([tool])
