"""Emit `types.ts`: an interface or union for every definition."""

from collections.abc import Mapping

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
from contract_codegen.source import LINE_LENGTH, header
from contract_codegen.typescript.source import doc, literal

_TAKEN = frozenset({"DefinitionName", "Problem", "SourceFields"})
"""Exported by the other modules, so that the index could not export a definition so named."""

_PRIMITIVES: Mapping[type, str] = {Text: "string", Integer: "number", Boolean: "boolean"}


def emit_typescript_types(contract: Contract) -> str:
    """Return the module of types. Optional means absent: neither null nor undefined.

    Raises:
        OutputError: a definition has a name that the other modules export.
    """
    for definition in contract.definitions:
        if definition.name in _TAKEN:
            raise OutputError(f"typescript/types.ts: the name {definition.name!r} is taken")
    return header(contract, "//") + "".join(
        f"\n{_definition(definition)}" for definition in contract.definitions
    )


def _definition(definition: Record | Union) -> str:
    if isinstance(definition, Union):
        names = [name for _, name in definition.branches]
        return doc(definition.description) + _alias(definition.name, names)
    fields = "".join(_field(field) for field in definition.fields)
    return f"{doc(definition.description)}export interface {definition.name} {{\n{fields}}}\n"


def _alias(name: str, members: list[str]) -> str:
    line = f"export type {name} = {' | '.join(members)};\n"
    if len(line) <= LINE_LENGTH:
        return line
    return f"export type {name} =\n" + "\n".join(f"  | {each}" for each in members) + ";\n"


def _field(field: Field) -> str:
    mark = "" if field.required else "?"
    line = f"  readonly {field.name}{mark}: {_type(field.type)};\n"
    if len(line) > LINE_LENGTH:
        line = f"  readonly {field.name}{mark}: {_long_type(field.type)};\n"
    return doc(field.description, "  ") + line


def _long_type(wire: Type) -> str:
    """Return a type over several lines if it is an enumeration: nothing else gets long."""
    match wire:
        case Choices(values=values):
            return "".join(f"\n    | {literal(each)}" for each in values)
        case List(items=Choices() as items):
            return f"readonly ({_long_type(items)}\n  )[]"
    return _type(wire)


def _type(wire: Type) -> str:
    match wire:
        case Constant(value=value):
            return literal(value)
        case Choices(values=values):
            return " | ".join(map(literal, values))
        case List(items=Choices() | List() as items):
            return f"readonly ({_type(items)})[]"
        case List(items=items):
            return f"readonly {_type(items)}[]"
        case Named(name=name):
            return name
    return _PRIMITIVES[type(wire)]
