"""Emit `knowledge_wire.validators`: exact problems, and a specialised verdict in front of them.

`check_x` is the contract read literally; `is_x` is the same verdict from cheaper tests.
Where a cheap test cannot decide, the literal one does.
"""

import ast
from collections import Counter

from contract_codegen.errors import OutputError
from contract_codegen.model import (
    Boolean,
    Choices,
    Constant,
    Contract,
    Field,
    Integer,
    List,
    Named,
    Record,
    Text,
    Type,
    Union,
)
from contract_codegen.python.verdicts import (
    emit_record_verdict,
    emit_scalar_verdicts,
    emit_union_verdict,
    named_texts,
    pattern_name,
)
from contract_codegen.source import LINE_LENGTH, header, quote, raw_literal, snake

_PREAMBLE = '''"""Judge already-parsed values against the contract.

`check_x(value)` returns every problem, at most one for each value in it, in the contract's order;
`is_x(value)` only tells whether there is none. Neither changes anything, nor raises for any
value that a parser or a store gives back.
Containers must be exactly `dict` and `list`, texts exactly `str`; a boolean is not a number.
An empty tuple of problems means valid by the schema: ids, presence and totals are the reader's.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, TypeGuard

from knowledge_wire import types
from knowledge_wire.parsing import Problem, is_well_formed

'''

_HELPERS = """
_Problems = Callable[[object, str], Iterator[Problem]]


def _matches(pattern: re.Pattern[str], text: str) -> bool:
    return is_well_formed(text) and pattern.search(text) is not None


def _text(
    value: object, at: str, least: int, most: int, pattern: re.Pattern[str] | None
) -> Iterator[Problem]:
    if type(value) is not str:
        yield Problem(at, "type")
    elif not is_well_formed(value):
        yield Problem(at, "unicode")
    elif len(value) < least:
        yield Problem(at, "minLength")
    elif len(value) > most:
        yield Problem(at, "maxLength")
    elif pattern is not None and pattern.search(value) is None:
        yield Problem(at, "pattern")


def _integer(value: object, at: str, minimum: int, maximum: int) -> Iterator[Problem]:
    if type(value) is not int and not (type(value) is float and value.is_integer()):
        yield Problem(at, "type")
    elif value < minimum:
        yield Problem(at, "minimum")
    elif value > maximum:
        yield Problem(at, "maximum")


def _boolean(value: object, at: str) -> Iterator[Problem]:
    if type(value) is not bool:
        yield Problem(at, "type")


def _constant(value: object, at: str, expected: int | str) -> Iterator[Problem]:
    # Types are compared by identity: a foreign type may define equality of its own.
    kind = type(value)
    if not (kind is int or kind is float or kind is str) or value != expected:
        yield Problem(at, "const")


def _choice(value: object, at: str, values: frozenset[str]) -> Iterator[Problem]:
    if type(value) is not str or value not in values:
        yield Problem(at, "enum")


def _list(value: object, at: str, least: int, most: int, item: _Problems) -> Iterator[Problem]:
    if type(value) is not list:
        yield Problem(at, "type")
    elif len(value) < least:
        yield Problem(at, "minItems")
    elif len(value) > most:
        yield Problem(at, "maxItems")
    else:
        for index, each in enumerate(value):
            yield from item(each, f"{at}/{index}")

"""


def emit_validators(contract: Contract) -> dict[str, str]:
    """Return the module of validators."""
    parts = [
        header(contract),
        _PREAMBLE,
        _exported(contract),
        _patterns(contract),
        _HELPERS,
        *(_scalar_problems(scalar.name, scalar.type) for scalar in contract.scalars),
        *(_problems(definition) for definition in contract.definitions),
        *emit_scalar_verdicts(contract),
        *(_public(definition) for definition in contract.definitions),
        _table(contract),
    ]
    text = "".join(parts)
    _check_names(text)
    return {"python/knowledge_wire/validators.py": text}


def _check_names(text: str) -> None:
    """Refuse definitions whose generated names meet, such as two that only differ in case."""
    names = Counter(name for each in ast.parse(text).body for name in _bound(each))
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise OutputError(f"validators.py: two definitions give the name {twice[0]!r}")


def _bound(statement: ast.stmt) -> list[str]:
    """Return the names that a statement of a module's top level binds."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case ast.Assign(targets=targets):
            return [each.id for each in targets if isinstance(each, ast.Name)]
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            return [alias.asname or alias.name for alias in aliases]
    return []


def _exported(contract: Contract) -> str:
    names = sorted(
        ["CHECKS", "Problem"]
        + [
            f"{verb}_{snake(each.name)}"
            for each in contract.definitions
            for verb in ("check", "is")
        ]
    )
    return "__all__ = [\n" + "".join(f"    {quote(name)},\n" for name in names) + "]\n\n"


def _patterns(contract: Contract) -> str:
    lines: list[str] = []
    for name, wire in named_texts(contract):
        if wire.pattern is not None:
            # Python's `$` also matches before a final newline; `\Z` is the end alone.
            source = wire.pattern.source
            exact = source.removesuffix("$") + "\\Z" if wire.pattern.anchored_end else source
            lines.append(f"{pattern_name(name)} = {_compiled(exact, len(pattern_name(name)))}\n")
    return "".join(lines)


def _compiled(source: str, taken: int) -> str:
    literal = raw_literal(source, 4)
    one_line = f're.compile(r"{source}")'
    return (
        one_line if taken + 3 + len(one_line) <= LINE_LENGTH else f"re.compile(\n    {literal}\n)"
    )


def _scalar_problems(name: str, wire: Text | Integer) -> str:
    return (
        f"\ndef _{snake(name)}_problems(value: object, at: str) -> Iterator[Problem]:\n"
        f"    {_call(wire, name)}\n\n"
    )


def _call(wire: Type, owner: str, value: str = "value", at: str = "at") -> str:
    """Return the expression whose iteration gives a value's problems."""
    match wire:
        case Text(scalar=str(scalar)) | Integer(scalar=str(scalar)) if scalar != owner:
            return f"return _{snake(scalar)}_problems({value}, {at})"
        case Text(min_length=least, max_length=most, pattern=pattern):
            name = pattern_name(owner) if pattern is not None else "None"
            return f"return _text({value}, {at}, {least}, {most:_}, {name})"
        case Integer(minimum=least, maximum=most):
            return f"return _integer({value}, {at}, {least}, {most:_})"
        case Boolean():
            return f"return _boolean({value}, {at})"
        case Constant(value=str(expected)):
            return f"return _constant({value}, {at}, {quote(expected)})"
        case Constant(value=expected):
            return f"return _constant({value}, {at}, {expected})"
        case Choices():
            return f"return _choice({value}, {at}, {choices_name(owner)})"
        case List(items=items, min_items=least, max_items=most):
            return f"return _list({value}, {at}, {least}, {most:_}, {_item(items, owner)})"
        case Named(name=name):
            return f"return _{snake(name)}_problems({value}, {at})"


def choices_name(owner: str) -> str:
    """Return the name of the set of an enumeration's values."""
    return f"_{owner.upper()}_VALUES"


def _item(items: Type, owner: str) -> str:
    match items:
        case Named(name=name) | Text(scalar=str(name)) | Integer(scalar=str(name)):
            return f"_{snake(name)}_problems"
    return f"_{snake(owner)}_item"


def _problems(definition: Record | Union) -> str:
    if isinstance(definition, Union):
        return _union_problems(definition)
    return f"{_field_helpers(definition)}{_record_problems(definition)}"


def _field_helpers(record: Record) -> str:
    """Return what a record's anonymous enumerations and lists need beside it."""
    text = ""
    for field in record.fields:
        owner = f"{snake(record.name)}_{field.name}"
        inner = field.type.items if isinstance(field.type, List) else field.type
        if isinstance(inner, Choices):
            values = ", ".join(map(quote, inner.values))
            text += f"\n{choices_name(owner)} = frozenset(\n    [{values}]\n)\n\n"
        if isinstance(field.type, List) and _item(inner, owner) == f"_{owner}_item":
            text += (
                f"\ndef _{owner}_item(value: object, at: str) -> Iterator[Problem]:\n"
                f"    {_call(inner, owner)}\n\n"
            )
    return text


def _record_problems(record: Record) -> str:
    name = snake(record.name)
    body = "".join(_field_problems(record, field) for field in record.fields)
    keys = ", ".join(quote(field.name) for field in record.fields)
    text = ""
    if record.closed:
        text += f"\n_{name.upper()}_KEYS = frozenset([{keys}])\n\n"
        body += (
            f"    if not value.keys() <= _{name.upper()}_KEYS:\n"
            '        yield Problem(at, "additionalProperties")\n'
        )
    return text + (
        f"\ndef _{name}_problems(value: object, at: str) -> Iterator[Problem]:\n"
        "    if type(value) is not dict:\n"
        '        yield Problem(at, "type")\n'
        "        return\n"
        f"{body}\n"
    )


def _field_problems(record: Record, field: Field) -> str:
    key = quote(field.name)
    call = _call(
        field.type,
        f"{snake(record.name)}_{field.name}",
        f"value[{key}]",
        f'f"{{at}}/{field.name}"',
    ).replace("return ", "yield from ", 1)
    text = f"    if {key} in value:\n        {call}\n"
    if field.required:
        text += f'    else:\n        yield Problem(f"{{at}}/{field.name}", "required")\n'
    return text


def _union_problems(union: Union) -> str:
    name = snake(union.name)
    tag = quote(union.tag)
    branches = "".join(
        f"        case {quote(value)}:\n"
        f"            yield from _{snake(record)}_problems(value, at)\n"
        for value, record in union.branches
    )
    return (
        f"\ndef _{name}_problems(value: object, at: str) -> Iterator[Problem]:\n"
        "    if type(value) is not dict:\n"
        '        yield Problem(at, "type")\n'
        "        return\n"
        f"    if {tag} not in value:\n"
        f'        yield Problem(f"{{at}}/{union.tag}", "required")\n'
        "        return\n"
        f"    kind = value[{tag}]\n"
        "    match kind if type(kind) is str else None:\n"
        f"{branches}"
        "        case _:\n"
        f'            yield Problem(f"{{at}}/{union.tag}", "oneOf")\n\n'
    )


def _public(definition: Record | Union) -> str:
    name = snake(definition.name)
    verdict = (
        emit_union_verdict(definition)
        if isinstance(definition, Union)
        else emit_record_verdict(definition)
    )
    return (
        f"\ndef check_{name}(value: object) -> tuple[Problem, ...]:\n"
        f'    """Return why `value` is no {definition.name}; empty if it is one."""\n'
        f'    return () if is_{name}(value) else tuple(_{name}_problems(value, ""))\n\n'
        f"{verdict}"
    )


def _table(contract: Contract) -> str:
    rows = "".join(
        f"        {quote(each.name)}: check_{snake(each.name)},\n"
        for each in sorted(contract.definitions, key=lambda each: each.name)
    )
    return (
        "\n_Check = Callable[[object], tuple[Problem, ...]]\n"
        "CHECKS: Final[Mapping[str, _Check]] = MappingProxyType(\n"
        f"    {{\n{rows}    }}\n)\n"
        '"""Every `check_x` by the definition\'s name in the contract."""\n'
    )
