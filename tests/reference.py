"""The contract read literally and slowly: what every other reader must agree with.

Walks the intermediate form and shares no code with the emitters. Problems come in document
order, at most one for each value.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from contract_codegen.model import (
    Boolean,
    Choices,
    Constant,
    Contract,
    Integer,
    List,
    Named,
    Record,
    Text,
    Type,
    Union,
)


class Finding(NamedTuple):
    """A problem; equal to `knowledge_wire.parsing.Problem` with the same fields."""

    pointer: str
    rule: str


def judge(contract: Contract, name: str, value: object) -> tuple[Finding, ...]:
    """Return every problem of a value that claims to be a definition."""
    return tuple(_definition(contract, contract.definition(name), value, ""))


def _definition(
    contract: Contract, definition: Record | Union, value: object, at: str
) -> Iterator[Finding]:
    if type(value) is not dict:
        yield Finding(at, "type")
    elif isinstance(definition, Record):
        yield from _record(contract, definition, value, at)
    else:
        yield from _union(contract, definition, value, at)


def _record(
    contract: Contract, record: Record, value: dict[str, object], at: str
) -> Iterator[Finding]:
    for field in record.fields:
        if field.name in value:
            yield from _value(contract, field.type, value[field.name], f"{at}/{field.name}")
        elif field.required:
            yield Finding(f"{at}/{field.name}", "required")
    known = [field.name for field in record.fields]
    if record.closed and any(key not in known for key in value):
        yield Finding(at, "additionalProperties")


def _union(
    contract: Contract, union: Union, value: dict[str, object], at: str
) -> Iterator[Finding]:
    if union.tag not in value:
        yield Finding(f"{at}/{union.tag}", "required")
        return
    for tag, record in union.branches:
        if type(value[union.tag]) is str and value[union.tag] == tag:
            yield from _definition(contract, contract.definition(record), value, at)
            return
    yield Finding(f"{at}/{union.tag}", "oneOf")


def _value(contract: Contract, wire: Type, value: object, at: str) -> Iterator[Finding]:
    rule: str | None = None
    match wire:
        case Named(name=name):
            yield from _definition(contract, contract.definition(name), value, at)
        case List():
            yield from _list(contract, wire, value, at)
        case Text():
            rule = _text_rule(wire, value)
        case Integer():
            rule = _integer_rule(wire, value)
        case Boolean():
            rule = None if type(value) is bool else "type"
        case Constant(value=expected):
            rule = None if _is_constant(expected, value) else "const"
        case Choices(values=values):
            rule = None if type(value) is str and value in values else "enum"
    if rule is not None:
        yield Finding(at, rule)


def _list(contract: Contract, wire: List, value: object, at: str) -> Iterator[Finding]:
    if type(value) is not list:
        yield Finding(at, "type")
    elif len(value) < wire.min_items:
        yield Finding(at, "minItems")
    elif len(value) > wire.max_items:
        yield Finding(at, "maxItems")
    else:
        for index, item in enumerate(value):
            yield from _value(contract, wire.items, item, f"{at}/{index}")


def _text_rule(wire: Text, value: object) -> str | None:
    if type(value) is not str:
        return "type"
    if any(0xD800 <= ord(char) <= 0xDFFF for char in value):
        return "unicode"
    if len(value) < wire.min_length:
        return "minLength"
    if len(value) > wire.max_length:
        return "maxLength"
    if wire.pattern is not None and not _matches(wire.pattern.source, value):
        return "pattern"
    return None


def _matches(pattern: str, value: str) -> bool:
    # In Python `$` also matches in front of a final newline; the contract means the very end.
    ends = pattern.endswith("$") and not pattern.endswith(r"\$")
    return re.search(pattern[:-1] + r"\Z" if ends else pattern, value) is not None


def _integer_rule(wire: Integer, value: object) -> str | None:
    if type(value) is float:
        if value in (float("inf"), -float("inf")) or value != value // 1:
            return "type"
    elif type(value) is not int:
        return "type"
    if value < wire.minimum:
        return "minimum"
    return "maximum" if value > wire.maximum else None


def _is_constant(expected: int | str, value: object) -> bool:
    if isinstance(expected, str):
        return type(value) is str and value == expected
    return type(value) in (int, float) and value == expected
