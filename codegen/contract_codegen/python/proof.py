"""Emit `knowledge_wire.proof`: shape and id of a record in one pass.

Measured: a reader that first validates and then computes the id encodes most texts twice.
The id's own digits need no test, for they are compared with computed ones; nor does the
well-formedness of what is encoded.
"""

import ast

from contract_codegen.model import Contract, Field, Integer, Record
from contract_codegen.python.verdicts import encoded_tests, wrap_tests
from contract_codegen.source import header, quote, snake


def emit_proof(contract: Contract) -> dict[str, str]:
    """Return the module that proves records of the identity's definition."""
    identity = contract.identity
    record = contract.definition(identity.definition)
    if not isinstance(record, Record):
        raise TypeError("load_identity only lets records pass")
    name = snake(record.name)
    body = _body(contract, record)
    imports = "".join(f"    {helper},\n" for helper in _helpers(body, record))
    if imports:
        imports = f"from knowledge_wire.validators import (\n{imports})\n"
    text = f'''{header(contract)}"""Prove a record by itself: its shape and its id, in one pass."""

from hashlib import sha256
from typing import Any, TypeGuard

from knowledge_wire import types
{imports}
__all__ = ["is_proven_{name}"]


def is_proven_{name}(value: object) -> TypeGuard[types.{record.name}]:
    """Tell whether `value` is a {record.name} whose id recomputes.

    The same as `is_{name}(value) and source_id(value) == value["{identity.id_field}"]`, with
    each text encoded once. Integrity, not authority: anyone can compute an id.
    """
{body}'''
    return {"python/knowledge_wire/proof.py": text}


def _helpers(body: str, record: Record) -> list[str]:
    """Return the private names of the validators that a body needs."""
    tree = ast.parse(f"def proof(value):\n{body}")
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    own = {_variable(field) for field in record.fields}
    return sorted(name for name in names - own if name.startswith("_"))


def _body(contract: Contract, record: Record) -> str:
    identity = contract.identity
    required = [field for field in record.fields if field.required]
    optional = [field for field in record.fields if not field.required]
    reads = "".join(_required(record, field, identity.id_field) for field in required)
    if reads:
        reads = f"    try:\n{reads}    except KeyError:\n        return False\n"
    parts = [
        "    if type(value) is not dict:\n        return False\n",
        reads,
        _optionals(record, optional, len(required)),
        "    try:\n",
        f"        preimage = (\n            {_preimage(contract)}\n        ).encode()\n",
        "    except UnicodeEncodeError:\n        return False\n",
        f"    digits = sha256(preimage).hexdigest()[:{identity.digits}]\n",
        f"    return digits == {identity.id_field}_\n",
    ]
    return "".join(parts)


def _variable(field: Field) -> str:
    # The underscore keeps a field from shadowing a keyword or a builtin.
    return f"{field.name}_"


def _optionals(record: Record, optional: list[Field], count: int) -> str:
    if not optional:
        refusal = f"    if len(value) != {count}:\n        return False\n"
        return refusal if record.closed else ""
    names = "".join(f'    {_variable(field)}: Any = ""\n' for field in optional)
    inner = "".join(_optional(record, field) for field in optional)
    if not record.closed:
        return f"{names}    if len(value) > {count}:\n{inner}"
    return (
        f"{names}    if len(value) != {count}:\n        known = {count}\n{inner}"
        "        if len(value) != known:\n            return False\n"
    )


def _required(record: Record, field: Field, id_field: str) -> str:
    variable = _variable(field)
    read = f"        {variable} = value[{quote(field.name)}]\n"
    owner = f"{snake(record.name)}_{field.name}"
    if field.name == id_field:
        return f"{read}        if type({variable}) is not str:\n            return False\n"
    tests = encoded_tests(field.type, owner, variable)
    refusal = f"        if not {wrap_tests(tests, '        ')}:\n            return False\n"
    return f"{read}{refusal}{_number(field, '        ')}"


def _optional(record: Record, field: Field) -> str:
    variable = _variable(field)
    owner = f"{snake(record.name)}_{field.name}"
    condition = wrap_tests(encoded_tests(field.type, owner, variable), "            ")
    count = "            known += 1\n" if record.closed else ""
    return (
        f"        if {quote(field.name)} in value:\n"
        f"            {variable} = value[{quote(field.name)}]\n"
        f"            if not {condition}:\n                return False\n"
        f"{_number(field, '            ')}{count}"
    )


def _number(field: Field, indent: str) -> str:
    # A page of 1.0 is 1, and its digits are those of 1.
    variable = _variable(field)
    return f"{indent}{variable} = int({variable})\n" if isinstance(field.type, Integer) else ""


def _preimage(contract: Contract) -> str:
    identity = contract.identity
    separator = _braced(identity.separator)
    parts = [_braced(identity.domain), *(f"{{{_variable(field)}}}" for field in identity.fields)]
    lines = [f'f"{part}{separator}"' for part in parts[:-1]] + [f'f"{parts[-1]}"']
    return "\n            ".join(lines)


def _braced(text: str) -> str:
    """Return text as it stands in an f-string."""
    return quote(text)[1:-1].replace("{", "{{").replace("}", "}}")
