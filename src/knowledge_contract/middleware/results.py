"""What a tool call may give, taken apart and put together: a message, a command, a list of them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from operator import is_
from typing import Any, TypeVar, cast

from langchain_core.messages import ToolMessage
from langgraph.types import Command

__all__ = ["map_messages"]

_T = TypeVar("_T")


def map_messages(result: _T, change: Callable[[Any], Any]) -> _T:
    """Return a tool call's result with every tool message, and every dict for one, changed.

    Taken are a message, a `Command` whose update holds one message, a list or a tuple of them,
    and lists of these; all else comes back as it is. Nothing is changed in place, and without a
    change the same object comes back.
    """
    return cast("_T", _map(result, change))


def _map(result: Any, change: Callable[[Any], Any]) -> Any:
    # LangGraph takes a dict in a command for a message.
    if isinstance(result, ToolMessage | dict):
        return change(result)
    if isinstance(result, list | tuple) and not hasattr(result, "_fields"):
        changed = [_map(each, change) for each in result]
        if all(map(is_, changed, result)):
            return result
        return tuple(changed) if isinstance(result, tuple) else changed
    if isinstance(result, Command) and isinstance(result.update, Mapping):
        messages = result.update.get("messages")
        new = _map(messages, change)
        return (
            result
            if new is messages
            else replace(result, update={**result.update, "messages": new})
        )
    return result
