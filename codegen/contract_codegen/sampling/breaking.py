"""How a valid value is broken: with a label that holds, or beyond all labels."""

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from contract_codegen.sampling.pools import (
    FRACTIONS,
    HOSTILE,
    HUGE,
    JUNK,
    LONE_SURROGATES,
    odd_keys,
    palette,
    variants,
)
from contract_codegen.sampling.shapes import (
    SHAPES,
    Choices,
    Constant,
    Integer,
    List,
    Record,
    Shape,
    Text,
)
from contract_codegen.sampling.text import Pick, Run, runs_of, spell

__all__ = ["BREAKERS", "Fresh", "damage", "junk"]

Fresh: TypeAlias = Callable[[Shape], Any]
"""Returns a new valid value of a shape."""

_Breaker: TypeAlias = Callable[[Pick, Fresh, Any, Any], Any]

_SEVERAL = 8
_HOSTILE = 1
_LARGE = 2.0**64


def junk(pick: Pick) -> Any:
    """Return a JSON value that no contract waits for."""
    index = pick(len(JUNK) + 4)
    if index < len(JUNK):
        return JUNK[index]
    containers: tuple[Any, ...] = ([], {}, [None], {"": {}})
    return containers[index - len(JUNK)]


def _number(pick: Pick, _: Fresh, shape: Shape, __: Any) -> Any:
    if not isinstance(shape, Constant) or isinstance(shape.value, str):
        return (0, 1, 1.0, -1, 7, *HUGE)[pick(5 + len(HUGE))]
    value = shape.value
    return (value + 1, value - 1, value + 0.5, -value - 2 * (value == 0), 2**53 + 1)[pick(5)]


def _string(pick: Pick, fresh: Fresh, shape: Shape, value: Any) -> str:
    match shape:
        case Constant(str(text)):
            return _string(pick, fresh, Choices((text,)), value)
        case Choices():
            looks = variants(shape)
            return looks[pick(len(looks))]
        case Integer() | Constant():
            return (str(value), f"{value}.0", "1", "", "one")[pick(5)]
    return ("", "true", "[]", "{}", "x")[pick(5)]


def _list(pick: Pick, _: Fresh, __: Shape, value: Any) -> Any:
    return ([value], [], [value, value])[pick(3)]


def _object(pick: Pick, _: Fresh, shape: Shape, value: Any) -> Any:
    if isinstance(shape, List):
        return ({}, {"length": 0}, {"0": value, "length": 1})[pick(3)]
    return ({}, {"0": value}, {"value": value})[pick(3)]


def _lone_surrogate(pick: Pick, _: Fresh, __: Text, value: str) -> str:
    place = pick(len(value) + 1)
    return value[:place] + LONE_SURROGATES[pick(len(LONE_SURROGATES))] + value[place:]


def _too_short(pick: Pick, _: Fresh, shape: Text, value: str) -> str:
    length = shape.min_length - 1
    # Astral characters: enough UTF-16 units, too few code points.
    return (value[:length], "\U0001f600" * length)[pick(2)]


def _too_long(pick: Pick, _: Fresh, shape: Text, __: str) -> str:
    length = shape.max_length + 1
    text = spell(pick, runs_of(pick, shape, length))
    return text[:length].ljust(length, text[-1:] or "a")


def _replace(shape: Text, value: str, at: int, characters: str) -> str:
    """Insert characters, or overwrite some where there is no room."""
    spare = min(len(characters), shape.max_length - len(value))
    lost = len(characters) - spare
    at = min(at, len(value) - lost)
    return value[:at] + characters + value[at + lost :]


def _foreign_character(pick: Pick, _: Fresh, shape: Text, value: str) -> str:
    strangers = palette(shape.foreign)[_HOSTILE]
    places = (0, len(value), len(value) // 2, pick(len(value) + 1))
    return _replace(shape, value, places[pick(4)], strangers[pick(len(strangers))])


def _final_newline(_: Pick, __: Fresh, shape: Text, value: str) -> str:
    return _replace(shape, value, len(value), "\n")


def _none_accepted(pick: Pick, _: Fresh, shape: Text, __: str) -> str:
    least = max(shape.min_length, 1)
    length = least + pick(min(shape.max_length - least, _SEVERAL) + 1)
    return spell(pick, [Run(shape.alone, length)])


def _mangled(pick: Pick, _: Fresh, shape: Text, value: str) -> str:
    for _attempt in range(_SEVERAL):
        text = _mangle(pick, value)
        if shape.min_length <= len(text) <= shape.max_length and not _matches(shape, text):
            return text
    return shape.refused[pick(len(shape.refused))] * max(shape.min_length, 1)


def _matches(shape: Text, text: str) -> bool:
    return shape.expression is None or re.search(shape.expression, text) is not None


def _mangle(pick: Pick, value: str) -> str:
    at = pick(len(value) + 1)
    other = pick(len(value) + 1)
    edits: tuple[Callable[[], str], ...] = (
        lambda: value[1:] + value[:1],
        lambda: value[:at] + value[at + 1 :],
        lambda: value[:at] + value[at:].swapcase(),
        lambda: value[:at] + value[other : other + 1] + value[at:],
        lambda: value[:at] + value[other : other + 1] + value[at + 1 :],
        lambda: value[:at] + HOSTILE[pick(len(HOSTILE))] + value[at + 1 :],
        lambda: value[at:],
        lambda: value[::-1],
    )
    return edits[pick(len(edits))]()


def _below(pick: Pick, _: Fresh, shape: Integer, __: Any) -> Any:
    return (shape.minimum - 1, float(shape.minimum - 1))[pick(2)]


def _above(pick: Pick, _: Fresh, shape: Integer, __: Any) -> Any:
    return (shape.maximum + 1, float(shape.maximum + 1))[pick(2)]


def _too_many(_: Pick, fresh: Fresh, shape: List, value: list[Any]) -> list[Any]:
    some = value[:3] or [fresh(shape.items)]
    count = shape.max_items + 1
    return (some * (count // len(some) + 1))[:count]


def _unknown_key(pick: Pick, _: Fresh, shape: Record, value: dict[str, Any]) -> dict[str, Any]:
    keys = odd_keys(shape.name, tuple(field.name for field in shape.fields))
    return {**value, keys[pick(len(keys))]: junk(pick)}


BREAKERS: Mapping[str, _Breaker] = {
    "null": lambda *_: None,
    "true": lambda *_: True,
    "false": lambda *_: False,
    "number": _number,
    "fraction": lambda pick, *_: FRACTIONS[pick(len(FRACTIONS))],
    "string": _string,
    "list": _list,
    "object": _object,
    "lone surrogate": _lone_surrogate,
    "empty": lambda *_: "",
    "too short": _too_short,
    "too long": _too_long,
    "none accepted": _none_accepted,
    "foreign character": _foreign_character,
    "final newline": _final_newline,
    "mangled": _mangled,
    "below": _below,
    "far below": lambda pick, *_: -HUGE[1:][pick(len(HUGE) - 1)],
    "above": _above,
    "far above": lambda pick, *_: HUGE[pick(len(HUGE))],
    "too few": lambda _, __, shape, value: value[: shape.min_items - 1],
    "too many": _too_many,
    "unknown key": _unknown_key,
}
"""What each mutation of `MUTATIONS` does to a valid value; `absent` removes it instead."""


def damage(pick: Pick, fresh: Fresh, document: Any) -> Any:
    """Return the document with some random harm done to it, in place where possible."""
    holder = [document]
    for _ in range(1 + pick(4)):
        container, key = _somewhere(pick, holder)
        _HARMS[pick(len(_HARMS))](pick, fresh, container, key)
        if not holder:
            holder.append(junk(pick))
    return holder[0]


def _somewhere(pick: Pick, holder: list[Any]) -> tuple[Any, Any]:
    container: Any = holder
    key: Any = 0
    while container[key] and isinstance(container[key], dict | list) and pick(5):
        container = container[key]
        keys = list(container) if isinstance(container, dict) else range(len(container))
        key = keys[pick(len(keys))]
    return container, key


def _harm_replace(pick: Pick, _: Fresh, container: Any, key: Any) -> None:
    container[key] = junk(pick)


def _harm_delete(_: Pick, __: Fresh, container: Any, key: Any) -> None:
    del container[key]


def _harm_wrap(pick: Pick, _: Fresh, container: Any, key: Any) -> None:
    container[key] = ([container[key]], {"": container[key]})[pick(2)]


def _harm_add(pick: Pick, _: Fresh, container: Any, key: Any) -> None:
    target = container[key] if isinstance(container[key], dict | list) else container
    if isinstance(target, dict):
        keys = odd_keys("", ())
        target[keys[pick(len(keys))]] = junk(pick)
    else:
        target.insert(pick(len(target) + 1), junk(pick))


def _harm_rename(pick: Pick, fresh: Fresh, container: Any, key: Any) -> None:
    if not isinstance(container, dict):
        return _harm_replace(pick, fresh, container, key)
    keys = odd_keys("", ())
    container[keys[pick(len(keys))]] = container.pop(key)
    return None


def _harm_swap(pick: Pick, _: Fresh, container: Any, key: Any) -> None:
    keys = list(container) if isinstance(container, dict) else range(len(container))
    other = keys[pick(len(keys))]
    container[key], container[other] = container[other], container[key]


def _harm_text(pick: Pick, fresh: Fresh, container: Any, key: Any) -> None:
    value = container[key]
    if not isinstance(value, str):
        return _harm_replace(pick, fresh, container, key)
    edits = (
        _mangle(pick, value),
        value + HOSTILE[pick(len(HOSTILE))],
        _lone_surrogate(pick, fresh, Text(0, 0), value),
        value[: len(value) // 2] * 3,
    )
    container[key] = edits[pick(len(edits))]
    return None


def _harm_number(pick: Pick, fresh: Fresh, container: Any, key: Any) -> None:
    value = container[key]
    if type(value) not in (int, float) or not abs(value) < _LARGE:
        return _harm_replace(pick, fresh, container, key)
    values = (-value, str(value), value * 2, value / 2, float(value), [value], bool(value))
    container[key] = values[pick(len(values))]
    return None


def _harm_transplant(pick: Pick, fresh: Fresh, container: Any, key: Any) -> None:
    shapes = tuple(SHAPES.values())
    container[key] = fresh(shapes[pick(len(shapes))])


def _harm_parser(pick: Pick, _: Fresh, container: Any, key: Any) -> None:
    if pick(4):
        return
    deep: Any = None
    for _level in range(60 + pick(20)):
        deep = [deep]
    not_json: tuple[Any, ...] = (float("nan"), float("inf"), -float("inf"), 10**400, deep)
    container[key] = not_json[pick(len(not_json))]


_HARMS: tuple[Callable[[Pick, Fresh, Any, Any], None], ...] = (
    _harm_replace,
    _harm_delete,
    _harm_wrap,
    _harm_add,
    _harm_rename,
    _harm_swap,
    _harm_text,
    _harm_number,
    _harm_transplant,
    _harm_parser,
)
