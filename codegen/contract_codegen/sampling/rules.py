"""Which mutations exist at every place of a definition, and which rule each breaks."""

import re
from collections.abc import Iterator
from typing import TypeAlias

from contract_codegen.sampling.shapes import (
    Boolean,
    Choices,
    Constant,
    Integer,
    List,
    Place,
    Record,
    Shape,
    Text,
    Union,
)

Mutations: TypeAlias = tuple[tuple[str, str], ...]
"""Pairs of a mutation's name and the rule it breaks."""

_LONGEST_TEXT = 1_000_000
_LONGEST_LIST = 10_000
_NEWLINE = 10


def places_of(shape: Record | Union) -> dict[Place, Mutations]:
    """Return every place of a definition, outermost first, in the contract's order."""
    return dict(_walk(shape, ()))


def _walk(shape: Shape, place: Place) -> Iterator[tuple[Place, Mutations]]:
    yield place, _mutations_of(shape)
    match shape:
        case Record():
            yield from _walk_fields(shape, place)
        case List(items, _, most) if most:
            yield from _walk(items, (*place, "*"))
        case Union(_, tag, branches):
            tags = Choices(tuple(value for value, _ in branches))
            broken = tuple((name, "oneOf") for name, _ in _mutations_of(tags))
            yield (*place, tag), (("absent", "required"), *broken)
            for value, record in branches:
                branch = (*place, f"{tag}={value}")
                yield branch, _record_mutations(record)
                yield from _walk_fields(record, branch, known=tag)


def _walk_fields(
    record: Record, place: Place, *, known: str | None = None
) -> Iterator[tuple[Place, Mutations]]:
    for name, shape, required in record.fields:
        if name == known:
            continue
        (first, mutations), *others = _walk(shape, (*place, name))
        yield first, ((("absent", "required"),) if required else ()) + mutations
        yield from others


def _mutations_of(shape: Shape) -> Mutations:
    match shape:
        case Text():
            return tuple(_text_mutations(shape))
        case Integer():
            return (
                *_all("type", "null true false fraction string list object"),
                ("below", "minimum"),
                ("far below", "minimum"),
                ("above", "maximum"),
                ("far above", "maximum"),
            )
        case Boolean():
            return _all("type", "null number string list object")
        case Constant():
            return _all("const", "null true false number string list object")
        case Choices():
            return _all("enum", "null true false number string list object")
        case List(_, least, most):
            few: Mutations = (("too few", "minItems"),) if least else ()
            many: Mutations = (("too many", "maxItems"),) if most <= _LONGEST_LIST else ()
            return _all("type", "null true number string object") + few + many
        case Record():
            return _all("type", "null true number string list") + _record_mutations(shape)
        case Union():
            return _all("type", "null true number string list")


def _all(rule: str, names: str) -> Mutations:
    return tuple((name, rule) for name in names.split())


def _record_mutations(record: Record) -> Mutations:
    return (("unknown key", "additionalProperties"),) if record.closed else ()


def _text_mutations(shape: Text) -> Iterator[tuple[str, str]]:
    yield from _all("type", "null true number list object")
    yield "lone surrogate", "unicode"
    if shape.min_length:
        yield "empty", "minLength"
    elif shape.expression is not None and not re.search(shape.expression, ""):
        yield "empty", "pattern"
    if shape.min_length > 1:
        yield "too short", "minLength"
    if shape.max_length <= _LONGEST_TEXT:
        yield "too long", "maxLength"
    if shape.max_length:
        yield from _pattern_mutations(shape)


def _pattern_mutations(shape: Text) -> Iterator[tuple[str, str]]:
    if shape.alone:
        yield "none accepted", "pattern"
    if shape.foreign:
        yield "foreign character", "pattern"
    if any(low <= _NEWLINE <= high for low, high in shape.foreign):
        yield "final newline", "pattern"
    if shape.refused:
        yield "mangled", "pattern"
