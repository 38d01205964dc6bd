"""The scope of a turn, kept around the model and the tools."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias, cast

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ToolCallRequest
from langchain_core.messages import ToolMessage
from langchain_core.tools import ToolException
from langgraph.types import Command

from knowledge_contract.scope import drop_scopes, read_mode
from knowledge_contract.tools.capabilities import is_retrieval_tool
from knowledge_contract.tools.context import SWITCHED_OFF, read_context
from knowledge_wire.constants import SCOPE_DISABLED_MODE

__all__ = ["ScopeMiddleware"]

_Result: TypeAlias = ToolMessage | Command[Any]


class ScopeMiddleware(AgentMiddleware[Any, Any, Any]):
    """Takes retrieval away where the run's scope is `disabled`, and scopes away from the model.

    Then no tool that retrieves is offered to the model, and a call to one all the same is
    answered with a refusal and never reaches it. What retrieves is told by its metadata; a tool
    that only forwards evidence, as `task` does, stays. A scope that cannot be understood counts
    as `disabled`, and so does a run-time context that may hold one and cannot be read. A scope
    that a stored message still carries is not shown to the model.
    """

    def wrap_model_call(self, request: Any, handler: Callable[[ModelRequest[Any]], Any]) -> Any:
        """Offer only what the scope allows."""
        return handler(_narrow(request))

    async def awrap_model_call(
        self, request: Any, handler: Callable[[ModelRequest[Any]], Awaitable[Any]]
    ) -> Any:
        """Offer only what the scope allows."""
        return await handler(_narrow(request))

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], _Result]
    ) -> _Result:
        """Refuse a call that the scope forbids."""
        return _refuse(request) or handler(request)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[_Result]]
    ) -> _Result:
        """Refuse a call that the scope forbids."""
        return _refuse(request) or await handler(request)


def _why_not(runtime: object) -> str | None:
    """Return why nothing may be searched in this run, or None."""
    try:
        context = read_context(getattr(runtime, "context", None))
    except ToolException as error:
        return str(error)
    return SWITCHED_OFF if read_mode(context.scope) == SCOPE_DISABLED_MODE else None


def _narrow(request: ModelRequest[Any]) -> ModelRequest[Any]:
    changes: dict[str, Any] = {}
    shown = drop_scopes(cast("list[Any]", request.messages))
    if shown is not request.messages:
        changes["messages"] = shown
    if _why_not(request.runtime) is not None:
        kept = [tool for tool in request.tools if not is_retrieval_tool(tool)]
        if len(kept) != len(request.tools):
            changes["tools"] = kept
            gone = {_name(tool) for tool in request.tools} - {_name(tool) for tool in kept}
            # No model can choose what is gone, nor be made to choose among nothing.
            if not kept or not gone.isdisjoint(_named(request.tool_choice)):
                changes["tool_choice"] = None
    return request.override(**changes) if changes else request


def _name(tool: object) -> object:
    return getattr(tool, "name", None)


def _named(choice: Any) -> set[object]:
    """Return the names that a choice of a tool may mean, in the forms of the providers."""
    if isinstance(choice, str):
        return {choice}
    if not isinstance(choice, dict):
        return set()
    function = choice.get("function")
    inner = function.get("name") if isinstance(function, dict) else None
    return {each for each in (choice.get("name"), inner) if isinstance(each, str)}


def _refuse(request: ToolCallRequest) -> ToolMessage | None:
    reason = _why_not(request.runtime) if is_retrieval_tool(request.tool) else None
    if reason is None:
        return None
    return ToolMessage(
        reason,
        name=request.tool_call["name"],
        tool_call_id=request.tool_call["id"],
        status="error",
    )
