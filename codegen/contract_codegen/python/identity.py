"""Emit `knowledge_wire.identity`: the id's recipe as a few lines of Python."""

from contract_codegen.model import Contract, Field, Integer
from contract_codegen.source import header, quote


def emit_identity(contract: Contract) -> dict[str, str]:
    """Return the module that computes ids."""
    identity = contract.identity
    separator = _literal_part(identity.separator)
    slots = [f"{{{_name(field)}}}" for field in identity.fields]
    parts = separator.join([_literal_part(identity.domain), *slots])
    reads = "".join(_read(field) for field in identity.fields)
    source, vector_id = identity.vectors[0]
    example = ", ".join(f"{quote(key)}: {_literal(value)}" for key, value in source.items())
    body = f'''"""The id of a source: first {identity.digits} hexadecimal digits of a SHA-256.

It proves integrity, not authority: anyone can compute one.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

__all__ = ["source_id", "source_preimage"]


def source_id(source: Mapping[str, Any]) -> str:
    """Return the opaque id that citations use for this evidence.

    Equal evidence gives equal ids in every language.

    Args:
        source: A {identity.definition}; its `{identity.id_field}` is ignored and may be absent.

    Returns:
        {identity.digits} lower-case hexadecimal digits.

    Raises:
        KeyError: a required field is absent.
        UnicodeEncodeError: a text holds a lone surrogate.

    Example:
        >>> source_id({{{example}}})
        '{vector_id}'

    Source:
        contracts/{contract.file_name}, `x-identity`.
    """
    return sha256(source_preimage(source)).hexdigest()[:{identity.digits}]


def source_preimage(source: Mapping[str, Any]) -> bytes:
    """Return the bytes that the id hashes.

    Args:
        source: As for `source_id`; its fields are not checked.
    """
{reads}    text = f"{parts}"
    return text.encode()
'''
    return {"python/knowledge_wire/identity.py": f"{header(contract)}{body}"}


def _name(field: Field) -> str:
    # The underscore keeps a field from shadowing a builtin or the argument.
    return f"{field.name}_"


def _literal(value: object) -> str:
    return quote(value) if isinstance(value, str) else repr(value)


def _literal_part(text: str) -> str:
    """Return text as it stands inside an f-string."""
    return quote(text)[1:-1].replace("{", "{{").replace("}", "}}")


def _read(field: Field) -> str:
    name = _name(field)
    if field.required and isinstance(field.type, Integer):
        return f"    {name} = int(source[{quote(field.name)}])\n"
    if field.required:
        return f"    {name} = source[{quote(field.name)}]\n"
    if isinstance(field.type, Integer):
        # A page of 1.0 is 1, and its digits are those of 1.
        key = quote(field.name)
        return f'    {name} = int(source[{key}]) if {key} in source else ""\n'
    return f'    {name} = source.get({quote(field.name)}, "")\n'
