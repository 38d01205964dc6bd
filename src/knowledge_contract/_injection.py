"""Find a key anywhere in what a caller sends: dicts, lists and live objects of frameworks."""

from collections import deque
from collections.abc import Iterable, Mapping
from types import NoneType
from typing import Any

from knowledge_contract._shapes import attributes_of

__all__ = ["holds_key", "is_human"]

_LIMIT = 1_000_000
"""Values that are looked at; what holds more counts as holding the key."""
_LEAVES = frozenset({str, bytes, int, float, complex, bool, NoneType})
_LISTS = (list, tuple, set, frozenset, deque)
# LangChain feeds lists of pairs to `dict.update`, and LangGraph takes pending writes as threes.
_PAIR_LENGTHS = (2, 3)
_HUMAN = frozenset({"human", "user"})
# What a tool or a model said, and what a tool gave, is text and foreign data: nothing runs from
# there. What a person's message says comes from the caller.
_NOT_SEARCHED = frozenset({"artifact", "content"})
# What any other object is asked for.
_OWN_NAMES = ("additional_kwargs", "response_metadata", "__pydantic_extra__", "resume")


def holds_key(root: object, key: str) -> bool:
    """Tell whether a mapping or an object in a value has a key, also behind underscores.

    Values that contain themselves end, and no value is too deep.
    """
    pending: list[object] = [root]
    # Held, so that an identity stays its own.
    seen: dict[int, object] = {}
    while pending:
        value = pending.pop()
        if type(value) in _LEAVES or id(value) in seen:
            continue
        seen[id(value)] = value
        names, members = _open(value, key)
        if len(seen) > _LIMIT or any(_is_named(name, key) for name in names):
            return True
        pending += members
    return False


def is_human(message: object) -> bool:
    """Tell whether a message is a person's, be it an object or a dict with `type` or `role`."""
    if isinstance(message, Mapping):
        # As LangChain reads it: the role wins.
        kind = message.get("role", message.get("type"))
    else:
        kind = getattr(message, "type", None)
    return isinstance(kind, str) and kind in _HUMAN


def _open(value: object, key: str) -> tuple[Iterable[object], list[Any]]:
    """Return the names that stand in a value, and the members to look into."""
    if isinstance(value, Mapping):
        return list(value), _searched(value, value)
    fields = attributes_of(value)
    if fields is not None:
        return _given(fields), _searched(value, fields)
    if isinstance(value, _LISTS):
        members = list(value)
        return members[:-1] if len(members) in _PAIR_LENGTHS else (), members
    own = {name: getattr(value, name, None) for name in (*_OWN_NAMES, key)}
    return _given(own), list(own.values())


def _given(fields: Mapping[str, Any]) -> list[str]:
    # A class may declare a field that nobody filled.
    return [name for name, value in fields.items() if value is not None]


def _searched(message: object, entries: Mapping[Any, Any]) -> list[Any]:
    if is_human(message):
        return list(entries.values())
    return [value for name, value in entries.items() if name not in _NOT_SEARCHED]


def _is_named(name: object, key: str) -> bool:
    return isinstance(name, str) and name.strip("_") == key
