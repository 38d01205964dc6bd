"""Take the reserved keys out of a value of any shape: one walk, iterative, copying what changes.

Frameworks are known by their shape (a model's fields, a named tuple's, a dataclass's), so that
none is imported. What no rule here names is a leaf: it comes back as it is.

Source:
    contracts/README.md, "Trust".
"""

import copy
from collections import deque
from collections.abc import Iterable, Mapping
from types import NoneType
from typing import Any, Literal, NamedTuple, TypeAlias

from knowledge_contract._shapes import attributes_of
from knowledge_wire.constants import RESERVED_KEYS

__all__ = ["RESERVED", "attributes_of", "walk", "walk_document"]

RESERVED = frozenset(RESERVED_KEYS)

# How a value loses the reserved keys: not itself, itself alone, or at every depth.
_PLAIN, _ARTIFACT, _DEEP = range(3)
# Resumed values come under `resume`, or in a checkpoint's writes under `__resume__`.
_MODES = {"artifact": _ARTIFACT, "resume": _DEEP, "__resume__": _DEEP}
# `langchain_core.load.load` makes an object of a serialised constructor, and a dict round trip
# makes its keyword arguments the artifact.
_CONSTRUCTOR_MODES = {**_MODES, "kwargs": _ARTIFACT}
_MODES_OF: tuple[dict[str, int], ...] = (_MODES, _MODES, {})
_PAIR_LENGTHS = (2, 3)
_MODE_OF_OTHERS = (_PLAIN, _PLAIN, _DEEP)
# What any plain object is asked for, since readers take every object with an artifact.
_OWN_NAMES = frozenset({"artifact", "additional_kwargs", "resume"})
_CONTAINERS = frozenset({dict, list})
_LEAVES = frozenset({str, int, float, bool, NoneType, bytes})

_Kind: TypeAlias = Literal["mapping", "object", "list", "transparent"]
_Member: TypeAlias = tuple[Any, Any, int]
"""The key, name or index of a member, the member, and how it loses the keys."""


class _Opened(NamedTuple):
    """A container, ready to be put together again when its members are done.

    Attributes:
        kind: How it is put together; `object` with reserved names to lose becomes a mapping.
        items: Its entries by key or name; empty for a list.
        members: Those that may change.
        loses: Whether it holds reserved keys that it must lose.
    """

    kind: _Kind
    items: Mapping[Any, Any]
    members: list[_Member]
    loses: bool


_OPEN = (None, None)
_Results: TypeAlias = tuple[dict[int, tuple[Any, Any]], ...]
"""For each mode, by identity: a value, held so that its identity stays its own, and its result."""


def walk(root: Any) -> Any:
    """Return `root` without the reserved keys of its artifacts; the same object if it has none.

    Raises:
        ValueError: A container contains itself.
    """
    on_the_way = _survey(root)
    if on_the_way is not None and not on_the_way:
        return root
    results: _Results = ({}, {}, {})
    stack: list[tuple[Any, int, _Opened | None]] = [(root, _PLAIN, None)]
    while stack:
        value, mode, opened = stack.pop()
        done, identity = results[mode], id(value)
        if opened is not None:
            done[identity] = (value, _close(value, opened, results))
            continue
        if identity in done:
            if done[identity] is _OPEN:
                raise ValueError("the value contains itself")
            continue
        opened = None
        if on_the_way is None or identity in on_the_way:
            opened = _open(value, mode)
        if opened is None or not (opened.members or opened.loses):
            done[identity] = (value, value)
            continue
        done[identity] = _OPEN
        stack.append((value, mode, opened))
        stack.extend([(member, how, None) for _, member, how in opened.members])
    return results[_PLAIN][id(root)][1]


def walk_document(holder: list[Any]) -> bool:
    """Strip a parsed JSON document in place, as `walk` would; tell whether anything changed.

    Args:
        holder: A list of its own that holds the document. Nothing else may hold a part of it.
    """
    changed = False
    artifacts: list[tuple[Any, Any, Any]] = []
    pending: list[tuple[Any, int]] = [(holder, _PLAIN)]
    while pending:
        container, mode = pending.pop()
        if type(container) is list:
            for index, member, inner in _filled(container, mode):
                pending.append((member, inner))
                if inner == _ARTIFACT:
                    artifacts.append((container, index, member))
            continue
        if mode != _PLAIN and not RESERVED.isdisjoint(container):
            changed = True
            for name in RESERVED_KEYS:
                container.pop(name, None)
        modes, others = _modes_within(container, mode), _MODE_OF_OTHERS[mode]
        for key, member in container.items():
            # Empty ones stay as they are, and most others are strings.
            if member and type(member) is not str and type(member) in _CONTAINERS:
                pending.append((member, modes.get(key, others)))
                if key == "artifact":
                    artifacts.append((container, key, member))
    _drop_emptied(artifacts)
    return changed


def _filled(container: list[Any], mode: int) -> list[_Member]:
    """Return the members of a parsed list that may change: empty ones stay as they are."""
    if len(container) in _PAIR_LENGTHS:
        return [each for each in _listed(container, mode) if each[1]]
    inner = _DEEP if mode == _DEEP else _PLAIN
    return [
        (index, member, inner)
        for index, member in enumerate(container)
        if member and type(member) in _CONTAINERS
    ]


def _drop_emptied(artifacts: list[tuple[Any, Any, Any]]) -> None:
    """Take out artifacts that held something and no longer do, the innermost first."""
    for container, slot, artifact in reversed(artifacts):
        if not _is_emptied(artifact):
            continue
        if type(container) is dict:
            del container[slot]
        else:
            container[slot] = None


def _survey(root: Any) -> set[int] | None:
    """Return the identities of the containers on the way to a reserved key.

    None where that cannot be told in one look: a part stands twice, so that it may be cyclic, or
    a foreign mapping may give other objects next time.
    """
    above: dict[int, int] = {}
    on_the_way: set[int] = set()
    pending = [(root, 0)]
    while pending:
        value, parent = pending.pop()
        contents = _contents(value)
        # An empty tuple is one object wherever it stands.
        if contents is None or not contents[1]:
            continue
        identity = id(value)
        if identity in above or (contents[0] == "mapping" and not isinstance(value, dict)):
            return None
        above[identity] = parent
        kind, entries = contents
        if kind != "list":
            if not RESERVED.isdisjoint(entries):
                while identity and identity not in on_the_way:
                    on_the_way.add(identity)
                    identity = above[identity]
                identity = id(value)
            entries = entries.values()
        pending += [(each, identity) for each in entries if type(each) not in _LEAVES]
    return on_the_way


def _contents(value: Any) -> tuple[_Kind, Any] | None:
    """Return the entries of a mapping or list, or an object's by name; None for a leaf."""
    kind = type(value)
    if kind is dict:
        return "mapping", value
    if kind is list:
        return "list", value
    if kind in _LEAVES or isinstance(value, type):
        return None
    if isinstance(value, Mapping):
        return "mapping", value
    fields = attributes_of(value)
    if fields is not None:
        return "object", fields
    if isinstance(value, list | tuple | deque):
        return "list", value
    own = getattr(value, "__dict__", None)
    if type(own) is not dict or _OWN_NAMES.isdisjoint(own):
        return None
    return "object", {name: own[name] for name in own if name in _OWN_NAMES}


def _open(value: Any, mode: int) -> _Opened | None:
    contents = _contents(value)
    if contents is None:
        return None
    kind, entries = contents
    if kind == "list":
        return _Opened("list", {}, _listed(entries, mode), loses=False)
    # The dict of a root model is its root.
    if mode != _PLAIN and getattr(type(value), "__pydantic_root_model__", False):
        return _Opened("transparent", {}, [("root", entries.get("root"), mode)], loses=False)
    return _open_items(kind, entries, mode)


def _open_items(kind: _Kind, items: Mapping[Any, Any], mode: int) -> _Opened:
    modes = _modes_within(items, mode)
    others = _MODE_OF_OTHERS[mode]
    loses = mode != _PLAIN and not RESERVED.isdisjoint(items)
    members = [
        (key, member, modes.get(key, others))
        for key, member in items.items()
        if type(member) not in _LEAVES and not (loses and key in RESERVED)
    ]
    return _Opened(kind, items, members, loses)


def _modes_within(items: Mapping[Any, Any], mode: int) -> dict[str, int]:
    return _CONSTRUCTOR_MODES if mode == _ARTIFACT and "lc" in items else _MODES_OF[mode]


def _listed(value: Iterable[Any], mode: int) -> list[_Member]:
    inner = _DEEP if mode == _DEEP else _PLAIN
    members = [
        (index, member, inner) for index, member in enumerate(value) if type(member) not in _LEAVES
    ]
    # One container behind a name is a pair: LangChain feeds `additional_kwargs` to `dict.update`,
    # and LangGraph takes updates and pending writes as tuples.
    if mode != _DEEP and len(members) == 1 and members[0][0] + 1 in _PAIR_LENGTHS:
        return _paired(value, members[0])
    return members


def _paired(value: Iterable[Any], member: _Member) -> list[_Member]:
    *names, last = value
    index, inner, mode = member
    named = last is inner and isinstance(names[-1], str)
    return [(index, inner, _MODES.get(names[-1], mode) if named else mode)]


def _close(value: Any, opened: _Opened, results: _Results) -> Any:
    changed = {
        slot: new
        for slot, member, mode in opened.members
        if (new := results[mode][id(member)][1]) is not member
    }
    if not changed and not opened.loses:
        return value
    if opened.kind == "transparent":
        return changed["root"]
    if opened.kind == "list":
        return _close_list(value, changed, opened)
    emptied = _is_emptied(changed.get("artifact"))
    if opened.kind == "object" and not opened.loses:
        return _close_object(value, {**changed, "artifact": None} if emptied else changed)
    lost = {"artifact"} if emptied else set()
    if opened.loses:
        lost |= RESERVED
    return {key: changed.get(key, each) for key, each in opened.items.items() if key not in lost}


def _is_emptied(artifact: object) -> bool:
    return type(artifact) is dict and not artifact


def _close_list(value: Any, changed: dict[int, Any], opened: _Opened) -> Any:
    entries = list(value)
    artifacts = {index for index, _, mode in opened.members if mode == _ARTIFACT}
    for index, new in changed.items():
        entries[index] = None if index in artifacts and _is_emptied(new) else new
    if isinstance(value, tuple):
        return tuple(entries)
    return deque(entries, value.maxlen) if isinstance(value, deque) else entries


def _close_object(value: Any, changed: dict[str, Any]) -> Any:
    if hasattr(type(value), "model_copy"):
        return value.model_copy(update=changed)
    if isinstance(value, tuple):
        return value._replace(**changed)  # type: ignore[attr-defined]  # a named tuple's own
    clone = copy.copy(value)
    for name, new in changed.items():
        # Frozen and slotted dataclasses too.
        object.__setattr__(clone, name, new)
    return clone
