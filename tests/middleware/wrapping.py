"""Middleware that looks at, or replaces, what goes through it; and agents around it."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import BaseMessage, ToolMessage
from langgraph.types import Command

from core.written_forms import FORMS
from recorded_agents import QUESTION, Recorded

Shape = Callable[[ToolMessage], Any]

# No tuple of messages: LangGraph's reducer takes it for a role and a text.
SHAPES: dict[str, Shape] = {
    "message": lambda message: message,
    "command of one": lambda message: Command(update={"messages": message}),
    "command of a list": lambda message: Command(update={"messages": [message]}),
    "command of a dict": lambda message: Command(update={"messages": [message.model_dump()]}),
    "list of results": lambda message: [Command(update={"messages": [message]}), Command()],
}


FORMS_AND_SHAPES = pytest.mark.parametrize(
    ("form", "shape"),
    [
        pytest.param(form, shape, id=f"{form} {shape}")
        for form in FORMS
        for shape in (SHAPES if form == "mixed" else ["message"])
    ],
)
"""Each form once, and the one that holds both others in each shape."""


class Shaping(AgentMiddleware[Any, Any, Any]):
    """Gives a tool's message in another shape."""

    def __init__(self, shape: Shape, **changes: Any) -> None:
        super().__init__()
        self.shape = shape
        self.changes = changes

    def wrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        return self._shaped(handler(request))

    async def awrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        return self._shaped(await handler(request))

    def _shaped(self, message: ToolMessage) -> Any:
        return self.shape(message.model_copy(update=self.changes))


class Spy(AgentMiddleware[Any, Any, Any]):
    """Notes results, and the messages of model requests with what they were before."""

    def __init__(self) -> None:
        super().__init__()
        self.results: list[Any] = []
        self.requests: list[tuple[list[BaseMessage], list[BaseMessage]]] = []

    def wrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        self.results.append(handler(request))
        return self.results[-1]

    async def awrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        self.results.append(await handler(request))
        return self.results[-1]

    def wrap_model_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        self._note(request.messages)
        return handler(request)

    async def awrap_model_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        self._note(request.messages)
        return await handler(request)

    def _note(self, messages: list[BaseMessage]) -> None:
        self.requests.append((messages, [each.model_copy(deep=True) for each in messages]))


class InnerSpy(Spy):
    """A second one: LangChain takes no two of one class."""


def ask_sync(recorded: Recorded, given: Any = QUESTION) -> list[BaseMessage]:
    return recorded.ask(None, given)


def ask_async(recorded: Recorded, given: Any = QUESTION) -> list[BaseMessage]:
    return asyncio.run(recorded.ask_async(None, given))


Ask = Callable[..., list[BaseMessage]]
BOTH_COLOURS = pytest.mark.parametrize("ask", [ask_sync, ask_async], ids=["sync", "async"])
