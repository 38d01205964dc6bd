"""The trust boundary: what a caller sends never becomes evidence, what it replaces is refused.

A host puts `strip_reserved` (values) or `strip_body` (bytes) at every door, `drop_echoed` between
a caller's messages and a thread that holds evidence, `refuse_steering` before any state update,
and `gate_result` between a tool and the state. All pure; nothing here reads a message's text.

Source:
    contracts/README.md, "Trust".
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from knowledge_contract._bodies import parse_body, render_body
from knowledge_contract._walking import RESERVED, attributes_of, walk, walk_document
from knowledge_wire.parsing import Problem

__all__ = [
    "drop_echoed",
    "evidence_ids",
    "gate_result",
    "may_hold_reserved",
    "refuse_steering",
    "strip_body",
    "strip_reserved",
]

_T = TypeVar("_T")

# A body that holds none of these cannot spell a reserved key: an escaped letter of one is `\u005f`
# or lies from `\u0061` to `\u007a`, and UTF-16 and UTF-32 hold NUL. `knowledge_sources_version`
# holds the first name.
# Looking back from what is rare in honest bodies takes half the time of looking for the whole.
_NAME = re.compile(rb"_sources(?<=knowledge_sources|retrieval_sources)")
_ESCAPE = re.compile(rb"00(?:5[Ff]|6[1-9A-Fa-f]|7[0-9Aa])(?<=\\u00..)")
_OVERWRITE = "__overwrite__"
_REMOVE_ALL = "__remove_all__"
_STEERING = ("as_node", "goto", "graph", "task_id")
_UPDATES = ("update", "values")
_COMMANDING = frozenset({*_STEERING, *_UPDATES, "resume"})
# How `Command`, `StateUpdate` and `Send` are known.
_COMMANDS = (frozenset({"update", "resume", "goto"}), frozenset({"values", "as_node"}))
_SEND = frozenset({"node", "arg"})
_PAIR = 2


def strip_reserved(value: _T) -> _T:
    """Return a caller's value without the reserved keys of its artifacts.

    An artifact is the value of any key or attribute `artifact`, at any depth of mappings, lists,
    tuples, deques, pydantic models (messages too, with their extra fields), dataclasses, and
    LangGraph's `Command`, `Send`, `Overwrite` and `StateUpdate`; also the last of a list or tuple
    of two or three that follows the word `artifact`, because LangChain reads pairs. A model,
    dataclass or named tuple as artifact counts as the dict that a checkpoint makes of it: if it
    holds a reserved key, the stripped dict takes its place. Below a key or attribute `resume`
    every container loses the keys.

    Every other key stays. An artifact that stripping empties becomes absent: no key in a
    mapping, None on an object. The input is never changed; without a change the same object
    comes back, and only the containers on the way to a change are copied (a subclass of dict or
    list as a plain one). Time is linear, for shared parts too, and depth has no bound. JSON
    inside strings stays: it never becomes an artifact.

    Args:
        value: A message, a list of them, a run's input, a command, checkpoint values, ...

    Raises:
        ValueError: A container contains itself.

    Example:
        >>> strip_reserved({"type": "tool", "artifact": {"text": "hi", "knowledge_sources": []}})
        {'type': 'tool', 'artifact': {'text': 'hi'}}

    Source:
        contracts/README.md, "Trust".
    """
    stripped: _T = walk(value)
    return stripped


def strip_body(data: bytes) -> bytes:
    r"""Return a JSON body without the reserved keys of its artifacts.

    A body that cannot spell a reserved key comes back unparsed, whatever else it is; so a
    malformed body is not always refused. One that had nothing to lose comes back as it is, any
    other as compact UTF-8.

    An escape that can spell a letter of a reserved key, such as `\u0061`, is enough for a body to
    be parsed, as is the key's name in a text; then an honest body too must not hold a key twice or
    nest too deep. Parsing holds the interpreter while it runs, and takes many times the memory of
    the body: bound its length and its brackets first, as `StrippingMiddleware` does.

    Raises:
        ParseError: The body could hold a reserved key and is not strict JSON, or is too deep.

    Source:
        contracts/README.md, "Trust" and "Parsing".
    """
    if not may_hold_reserved(data):
        return data
    holder = [parse_body(data)]
    return render_body(holder[0]) if walk_document(holder) else data


def may_hold_reserved(data: bytes) -> bool:
    """Tell whether a JSON body could spell a reserved key, in any encoding: then it is parsed."""
    return b"\x00" in data or bool(_NAME.search(data) or _ESCAPE.search(data))


def evidence_ids(messages: object) -> frozenset[str]:
    """Return the ids of stored tool messages whose artifact holds a reserved key.

    Args:
        messages: The messages in the checkpoint that will be written to: a list, or a single
            message; as objects, dicts, or the forms that `messages_to_dict` and `dumpd` write.

    Source:
        contracts/README.md, "Trust".
    """
    return frozenset(
        each for message in _as_list(messages) if _is_evidence(message) for each in _ids(message)
    )


def drop_echoed(messages: Any, evidence_ids: Collection[str]) -> Any:
    """Return a caller's messages without those that would replace or remove stored evidence.

    Clients send history back. `add_messages` replaces by id, and what came through the boundary
    has no evidence left, so the stored message must stay. The type does not matter, and the form
    neither: dict, `{"type", "data"}`, serialised constructors at any nesting, objects. A number
    as an id counts as its text, as in LangChain.

    Args:
        messages: A list of messages; anything else is a single message.
        evidence_ids: What the function of this name returns for the checkpoint written to.

    Returns:
        The same object if nothing is dropped, otherwise a new list.

    Source:
        contracts/README.md, "Trust".
    """
    if not evidence_ids:
        return messages
    given = _as_list(messages)
    kept = [message for message in given if not _is_echo(message, evidence_ids)]
    return messages if len(kept) == len(given) else kept


def refuse_steering(update: object, *, state_keys: Collection[str]) -> tuple[Problem, ...]:
    """Return why a caller's state update is refused: it replaces history, or steers the graph.

    An update is a mapping of state keys, pairs of them, an object with fields, a `Command`, a
    `StateUpdate` (these two also as mappings, unless their keys are state keys), None, or a list
    of updates and lists of them, as a bulk update takes them.

    Rule `form`: `__overwrite__` in either JSON form or `Overwrite` as a state key's value (more
    keys beside it do not help); a message there, of whatever type and form, whose id is
    `__remove_all__`; `goto`, `as_node`, `graph` and `task_id` unless empty; a `Send`. Rule
    `additionalProperties`: a key that is no state key; the pointer is its parent's, once. Rule
    `type`: no update at all. `resume` is never refused. Values of state keys are judged at the
    top, not within: deeper, LangGraph reads nothing from them.

    Args:
        update: What the caller wants written, before or after `strip_reserved`.
        state_keys: The state's keys that callers may write.

    Source:
        contracts/README.md, "Trust".
    """
    return tuple(dict.fromkeys(_judge(update, "", frozenset(state_keys))))


def gate_result(result: _T, tool: object, *, authorities: Iterable[object]) -> _T:
    """Return a tool's result, without reserved keys unless the tool may write evidence.

    Args:
        result: What the tool call gave: a message, a `Command`, a list of them.
        tool: The tool that was called, with `metadata`.
        authorities: The tools that the operator trusts, compared by identity: any tool can bear
            a trusted one's name or metadata. It must also advertise `sources`.

    Raises:
        ValueError: The result of another tool contains itself.

    Source:
        contracts/README.md, "Trust"; contracts/knowledge_sources.v1.json, `KnowledgeCapabilities`.
    """
    if any(tool is authority for authority in authorities) and _advertises_sources(tool):
        return result
    return strip_reserved(result)


def _advertises_sources(tool: object) -> bool:
    metadata = getattr(tool, "metadata", None)
    capabilities = _get(metadata, "knowledge_capabilities")
    operations = _get(capabilities, "operations")
    return isinstance(operations, list | tuple | set | frozenset) and "sources" in operations


def _get(value: object, key: str) -> object:
    return value.get(key) if isinstance(value, Mapping) else None


def _as_list(messages: object) -> list[Any]:
    # As `add_messages`: what is not a list is one message, a tuple too.
    return messages if isinstance(messages, list) else [messages]


def _read(message: object, name: str) -> object:
    return message.get(name) if isinstance(message, Mapping) else getattr(message, name, None)


def _is_evidence(message: object) -> bool:
    forms = list(_forms(message))
    # LangChain lets a role win over a type.
    if not any("tool" in (_read(form, "type"), _read(form, "role")) for form in forms):
        return False
    artifacts = [_read(form, "artifact") for form in forms]
    extras = [_get(_read(form, "additional_kwargs"), "artifact") for form in forms]
    return any(_holds_reserved(artifact) for artifact in [*artifacts, *extras])


def _holds_reserved(artifact: object) -> bool:
    members = artifact if isinstance(artifact, Mapping) else attributes_of(artifact)
    return members is not None and not RESERVED.isdisjoint(members)


def _ids(message: object) -> Iterator[str]:
    """Yield every id that LangChain could give the message."""
    for form in _forms(message):
        found = _read(form, "id")
        if isinstance(found, str):
            yield found
        elif isinstance(found, bytes | bytearray):
            yield found.decode(errors="replace")
        elif isinstance(found, int | float):
            yield str(found)


def _forms(message: object) -> Iterator[object]:
    """Yield the message, and what it is a serialised form of, at any nesting."""
    seen: set[int] = set()
    pending = [message]
    while pending:
        current = pending.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        if isinstance(current, Mapping):
            inner = [current.get("data"), current.get("kwargs") if "lc" in current else None]
            pending.extend(each for each in inner if isinstance(each, Mapping))


def _is_echo(message: object, stored: Collection[str]) -> bool:
    return any(each in stored for each in _ids(message))


def _is_series(value: object) -> bool:
    return isinstance(value, list | tuple) and not hasattr(value, "_fields")


def _is_overwrite(value: object) -> bool:
    if isinstance(value, Mapping):
        return _OVERWRITE in value or value.get("type") == _OVERWRITE
    return type(value).__name__ == "Overwrite" or getattr(value, "type", None) == _OVERWRITE


def _is_pair(value: Any) -> bool:
    return _is_series(value) and len(value) == _PAIR and isinstance(value[0], str)


def _judge(update: Any, pointer: str, state_keys: frozenset[str]) -> Iterator[Problem]:
    """Yield what is wrong with an update, a list of them, or a list of supersteps."""
    if not _is_series(update):
        yield from _judge_one(update, pointer, state_keys)
        return
    for index, entry in enumerate(update):
        place = f"{pointer}/{index}"
        if _is_pair(entry):
            yield from _judge_pair(entry, place, state_keys)
        elif _is_series(entry):
            for inner, each in enumerate(entry):
                yield from _judge_one(each, f"{place}/{inner}", state_keys)
        else:
            yield from _judge_one(entry, place, state_keys)


def _judge_one(update: Any, pointer: str, state_keys: frozenset[str]) -> Iterator[Problem]:
    if update is None:
        return
    members = update if isinstance(update, Mapping) else attributes_of(update)
    if members is None:
        yield Problem(pointer, "type")
        return
    if _is_overwrite(update) or (members is not update and members.keys() == _SEND):
        yield Problem(pointer, "form")
        return
    # An object that is a command is never a state; in a mapping the server's own keys win.
    is_command = members is not update and any(members.keys() >= names for names in _COMMANDS)
    own = frozenset() if is_command else state_keys
    state = {key: each for key, each in members.items() if key in own or key not in _COMMANDING}
    for key, each in members.items():
        if key in state:
            continue
        if key in _UPDATES:
            yield from _judge_plain(each, f"{pointer}/{key}", state_keys)
        elif key in _STEERING and not _is_empty(each):
            yield Problem(f"{pointer}/{key}", "form")
    yield from _judge_plain(state, pointer, state_keys)


def _judge_plain(update: Any, pointer: str, state_keys: frozenset[str]) -> Iterator[Problem]:
    """Yield what is wrong with an update that can only be a state's."""
    if update is None:
        return
    if _is_series(update):
        for index, entry in enumerate(update):
            yield from _judge_pair(entry, f"{pointer}/{index}", state_keys)
        return
    members = update if isinstance(update, Mapping) else attributes_of(update)
    if members is None:
        yield Problem(pointer, "type")
    elif _is_overwrite(update):
        yield Problem(pointer, "form")
    else:
        for key, each in members.items():
            if key in state_keys:
                yield from _judge_value(each, f"{pointer}/{_escape(key)}")
            else:
                yield Problem(pointer, "additionalProperties")


def _judge_pair(pair: Any, pointer: str, state_keys: frozenset[str]) -> Iterator[Problem]:
    if not _is_pair(pair):
        yield Problem(pointer, "type")
    elif pair[0] in state_keys:
        yield from _judge_value(pair[1], f"{pointer}/1")
    else:
        yield Problem(pointer, "additionalProperties")


def _is_empty(value: Any) -> bool:
    return value is None or value == "" or (_is_series(value) and not value)


def _judge_value(value: Any, pointer: str) -> Iterator[Problem]:
    if _is_overwrite(value):
        yield Problem(pointer, "form")
        return
    places = [(pointer, value)]
    if _is_series(value):
        places = [(f"{pointer}/{index}", each) for index, each in enumerate(value)]
    for place, message in places:
        if _REMOVE_ALL in _ids(message):
            yield Problem(place, "form")


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
