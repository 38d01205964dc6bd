"""Emit `knowledge_wire.types`: what valid data looks like to a type checker."""

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
from contract_codegen.source import docstring, header, quote

_PREAMBLE = '''"""Typed dictionaries of the contract, for code that builds or has judged wire data.

They say nothing about bounds: `knowledge_wire.validators` does.
"""

'''


def emit_types(contract: Contract) -> dict[str, str]:
    """Return the module of typed dictionaries."""
    body = "\n\n".join(_definition(each) for each in contract.definitions)
    exported = "".join(
        f"    {quote(name)},\n" for name in sorted(d.name for d in contract.definitions)
    )
    imports = sorted({"Literal", "NotRequired", "TypeAlias", "TypedDict"} & set(_words(body)))
    text = (
        f"{header(contract)}{_PREAMBLE}from typing import {', '.join(imports)}\n\n"
        f"__all__ = [\n{exported}]\n\n\n{body}"
    )
    return {"python/knowledge_wire/types.py": text}


def _words(text: str) -> list[str]:
    return "".join(char if char.isalnum() else " " for char in text).split()


def _definition(definition: Record | Union) -> str:
    if isinstance(definition, Union):
        branches = " | ".join(name for _, name in definition.branches)
        return f"{definition.name}: TypeAlias = {branches}\n{docstring(definition.description)}"
    fields = "".join(_field(field) for field in definition.fields)
    head = f"class {definition.name}(TypedDict):\n"
    return f"{head}{docstring(definition.description, '    ')}\n{fields}"


def _field(field: Field) -> str:
    written = python_type(field.type)
    hint = written if field.required else f"NotRequired[{written}]"
    return f"    {field.name}: {hint}\n{docstring(field.description, '    ')}"


def python_type(wire: Type) -> str:
    """Return the annotation of a type."""
    match wire:
        case Text():
            return "str"
        case Integer():
            return "int"
        case Boolean():
            return "bool"
        case Constant(value=str(value)):
            return f"Literal[{quote(value)}]"
        case Constant(value=value):
            return f"Literal[{value}]"
        case Choices(values=values):
            return f"Literal[{', '.join(map(quote, values))}]"
        case List(items=items):
            return f"list[{python_type(items)}]"
        case Named(name=name):
            return name
