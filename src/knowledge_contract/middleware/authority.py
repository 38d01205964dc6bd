"""Who may write evidence: results of other tools lose the reserved keys before the state."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, TypeAlias

from langchain.agents.middleware import AgentMiddleware, ToolCallRequest
from langchain_core.messages import ToolMessage
from langgraph.types import Command

from knowledge_contract.boundary import gate_result
from knowledge_contract.budget import BudgetSettings, Store
from knowledge_contract.middleware.budget import BudgetMiddleware
from knowledge_contract.middleware.results import map_messages
from knowledge_contract.tools.gated import note_passed

__all__ = ["AuthorityMiddleware", "check_order", "evidence_middleware"]

_Result: TypeAlias = ToolMessage | Command[Any]


class AuthorityMiddleware(AgentMiddleware[Any, Any, Any]):
    """Strips the reserved keys from the results of tools that are no authorities (`gate_result`).

    Tools are compared as objects: neither a name nor metadata of its own makes a tool one. It
    belongs inside `BudgetMiddleware`, so that no budget is spent on forged records.

    In an agent that is given a task, it also tells the task which records it let through: no
    other counts as evidence there (`SubAgent`).
    """

    def __init__(self, authorities: Iterable[object]) -> None:
        super().__init__()
        self._authorities = tuple(authorities)

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], _Result]
    ) -> _Result:
        """Gate what the tool returns."""
        return self._gate(handler(request), request.tool)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[_Result]]
    ) -> _Result:
        """Gate what the tool returns."""
        return self._gate(await handler(request), request.tool)

    def _gate(self, result: _Result, tool: object) -> _Result:
        gated = gate_result(result, tool, authorities=self._authorities)
        map_messages(gated, _noted)
        return gated


def _noted(message: Any) -> Any:
    is_dict = isinstance(message, dict)
    note_passed(message.get("artifact") if is_dict else message.artifact)
    return message


def evidence_middleware(
    authorities: Iterable[object],
    *,
    settings: BudgetSettings | None = None,
    store: Store | None = None,
) -> list[AgentMiddleware[Any, Any, Any]]:
    """Return the middleware that keeps evidence whole, in the order in which it has to stand.

    Put it behind all middleware of your own that wraps tool calls; `check_order` refuses another
    order. What stands before it comes after the gate, and is the operator's own code.

    Args:
        authorities: The tools that may write evidence, as they are given to the agent.
        settings: The limits of tool outputs; None takes the defaults.
        store: Keeps full texts; None cuts them instead.
    """
    return [BudgetMiddleware(settings, store=store), AuthorityMiddleware(authorities)]


def check_order(middleware: Sequence[object]) -> None:
    """Refuse a list of middleware in which the gate does not stand innermost.

    LangChain calls the first of a list outermost: what stands behind the gate sees a tool's
    result before it, so that a budget would take forged records for evidence, and keep them whole.

    Raises:
        ValueError: something that wraps tool calls stands behind `AuthorityMiddleware`, or there
            is none while a `BudgetMiddleware` is there.
    """
    gates = [at for at, each in enumerate(middleware) if isinstance(each, AuthorityMiddleware)]
    has_budget = any(isinstance(each, BudgetMiddleware) for each in middleware)
    if not gates:
        if has_budget:
            raise ValueError("BudgetMiddleware needs an AuthorityMiddleware behind it")
        return
    # From the first gate on: what stands between two sees results that only one has judged.
    behind = [each for each in middleware[gates[0] + 1 :] if type(each) is not AuthorityMiddleware]
    if any(_wraps_tools(each) for each in behind):
        raise ValueError("nothing that wraps tool calls may stand behind AuthorityMiddleware")


def _wraps_tools(middleware: object) -> bool:
    own, base = type(middleware), AgentMiddleware
    return any(
        getattr(own, name, None) is not getattr(base, name)
        for name in ("wrap_tool_call", "awrap_tool_call")
    )
