"""Names and descriptions that every output can carry."""

from collections.abc import Mapping
from keyword import iskeyword
from typing import Any

from contract_codegen.errors import ContractFileError

_COMMENT_MARKS = ('"""', "\\", "*/", "-->")
_TAKEN = frozenset(
    {
        *("Annotated", "Any", "Array", "Boolean", "Callable", "ConfigDict", "False", "Field"),
        *("Final", "Iterator", "JsonInteger", "Literal", "Map", "Mapping", "MappingProxyType"),
        *("None", "NotRequired", "Number", "Object", "Problem", "Readonly", "ReadonlyArray"),
        *("Record", "RootModel", "Set", "StrictBool", "StrictInt", "StrictStr", "String", "True"),
        *("TypeAlias", "TypeGuard", "TypedDict", "WireModel"),
    }
)
"""What generated modules import or find in their language; a definition would hide it."""


def title_of(schema: Mapping[str, Any], pointer: str) -> str:
    """Return a definition's name.

    Raises:
        ContractFileError: it is missing, no CamelCase name, or one that generated code needs.
    """
    title = schema.get("title", "")
    if not (title.isascii() and title.isalnum() and title[:1].isupper()):
        raise ContractFileError(f"{pointer}/title", "is missing, or not a CamelCase name")
    if title in _TAKEN:
        raise ContractFileError(f"{pointer}/title", "is a name that generated code needs")
    return str(title)


def description_of(schema: Mapping[str, Any], pointer: str) -> str:
    """Return what a definition or field means, in one line.

    Raises:
        ContractFileError: it is missing, or no comment could hold it.
    """
    description = str(schema.get("description", ""))
    if not description.isprintable() or not description.strip():
        raise ContractFileError(f"{pointer}/description", "is missing, or not one line")
    for mark in _COMMENT_MARKS:
        if mark in description:
            reason = f"holds {mark!r}, which would end or bend a comment of generated code"
            raise ContractFileError(f"{pointer}/description", reason)
    return description


def check_field_name(name: str, pointer: str) -> None:
    """Refuse a property's name that is no name in Python.

    Raises:
        ContractFileError: it is no lower-case ASCII identifier, or a keyword.
    """
    if not (name.isascii() and name.isidentifier() and name.islower()) or iskeyword(name):
        reason = "property names are lower-case identifiers, and no words of Python's own"
        raise ContractFileError(pointer, reason)
