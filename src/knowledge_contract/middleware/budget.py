"""The budget of tool outputs around an agent's tools and its model."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ToolCallRequest
from langchain_core.messages import ToolCall, ToolMessage
from langgraph.types import Command

from knowledge_contract.budget import BudgetSettings, Store, apply_budget, prune_messages
from knowledge_contract.middleware.results import map_messages

__all__ = ["BudgetMiddleware"]

_Result: TypeAlias = ToolMessage | Command[Any]


class BudgetMiddleware(AgentMiddleware[Any, Any, Any]):
    """Keeps tool outputs within their limits, in the state and in what the model is shown.

    A tool's result is pruned, stored or cut before it enters the state (`apply_budget`). What a
    model's request holds is pruned once more and never stored (`prune_messages`): a thread may
    come from a host with larger limits. The state's own messages stay as they are.

    The limit is that of the tool that was called, whatever its messages call themselves. A
    message gets the name of the call that it answers: limits, and readers of native evidence,
    go by it whenever the thread is read.
    """

    def __init__(
        self, settings: BudgetSettings | None = None, *, store: Store | None = None
    ) -> None:
        super().__init__()
        self._settings = settings or BudgetSettings()
        self._store = store

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], _Result]
    ) -> _Result:
        """Fit what the tool returns."""
        return self._fit(handler(request), request)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[_Result]]
    ) -> _Result:
        """Fit what the tool returns."""
        result = await handler(request)
        if self._store is None:
            return self._fit(result, request)
        # A store writes files.
        return await asyncio.to_thread(self._fit, result, request)

    def wrap_model_call(self, request: Any, handler: Callable[[ModelRequest[Any]], Any]) -> Any:
        """Show the model what fits."""
        return handler(self._shown(request))

    async def awrap_model_call(
        self, request: Any, handler: Callable[[ModelRequest[Any]], Awaitable[Any]]
    ) -> Any:
        """Show the model what fits."""
        return await handler(self._shown(request))

    def _fit(self, result: _Result, request: ToolCallRequest) -> _Result:
        if not self._settings.enabled:
            return result

        def fit(message: Any) -> Any:
            named = _named(message, request.tool_call)
            name = request.tool_call["name"]
            return apply_budget(named, self._settings, store=self._store, tool_name=name)

        return map_messages(result, fit)

    def _shown(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        shown = prune_messages(request.messages, self._settings)
        return request if shown is request.messages else request.override(messages=list(shown))


def _named(message: Any, call: ToolCall) -> Any:
    """Return the answer to a call with the tool's name, which a tool may leave out or change."""
    is_dict = isinstance(message, dict)
    answered = message.get("tool_call_id") if is_dict else message.tool_call_id
    said = message.get("name") if is_dict else message.name
    name = {"name": call["name"]}
    if answered != call["id"] or said == call["name"]:
        return message
    return {**message, **name} if is_dict else message.model_copy(update=name)
