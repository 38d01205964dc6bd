"""The parts of a contract that JSON Schema has no keyword for: `x-identity`, `x-limits`, ..."""

import hashlib
from collections.abc import Mapping
from typing import Any

from contract_codegen.errors import ContractFileError, UnsupportedKeyword
from contract_codegen.model import (
    Field,
    Handle,
    Handles,
    Identity,
    Integer,
    Limit,
    Record,
    Scalar,
    Text,
    Union,
)
from contract_codegen.patterns import NotBlank, alphabet, disjoint, parse_pattern
from contract_codegen.pointers import child

_IDENTITY_KEYS = (
    "description",
    "definition",
    "id",
    "algorithm",
    "digits",
    "separator",
    "domain",
    "fields",
    "vectors",
)


def load_identity(schema: Mapping[str, Any], definitions: Mapping[str, Record | Union]) -> Identity:
    """Return the id's recipe.

    Raises:
        ContractFileError: the recipe is incomplete, ambiguous, or its own vectors do not
            recompute.
    """
    pointer = "/x-identity"
    node = _object(schema, "", "x-identity")
    _only(node, pointer, *_IDENTITY_KEYS)
    record = definitions.get(_text(node, pointer, "definition"))
    if not isinstance(record, Record):
        raise ContractFileError(f"{pointer}/definition", "must name an object of $defs")
    if _text(node, pointer, "algorithm") != "sha256":
        raise ContractFileError(f"{pointer}/algorithm", "must be 'sha256'")
    known = {field.name: field for field in record.fields}
    names = _texts(node, pointer, "fields")
    separator = _text(node, pointer, "separator")
    id_field = _text(node, pointer, "id")
    if set(names) | {id_field} != set(known) or len(set(names)) != len(names):
        raise ContractFileError(f"{pointer}/fields", "must cover every field but the id, once")
    if len(separator) != 1:
        raise ContractFileError(f"{pointer}/separator", "must be one character")
    digits = _integer(node, pointer, "digits")
    _check_id_field(known[id_field], digits, f"{pointer}/id")
    for name in names:
        _check_unambiguous(known[name], separator, f"{pointer}/fields")
    identity = Identity(
        description=_text(node, pointer, "description"),
        definition=record.name,
        id_field=id_field,
        digits=digits,
        separator=separator,
        domain=_text(node, pointer, "domain"),
        fields=tuple(known[name] for name in names),
        vectors=_vectors(node, pointer),
    )
    _check_vectors(identity)
    return identity


def compute_preimage(identity: Identity, source: Mapping[str, object]) -> bytes:
    """Return the bytes that the recipe hashes for a source; the plainest form of it."""
    values = [str(source.get(field.name, "")) for field in identity.fields]
    return identity.separator.join([identity.domain, *values]).encode()


def compute_id(identity: Identity, source: Mapping[str, object]) -> str:
    """Return the id that the recipe gives for a source."""
    return hashlib.sha256(compute_preimage(identity, source)).hexdigest()[: identity.digits]


def _check_id_field(field: Field, digits: int, pointer: str) -> None:
    wire = field.type
    hexadecimal = parse_pattern(f"^[0-9a-f]{{{digits}}}$", pointer)
    is_exact = isinstance(wire, Text) and wire.pattern == hexadecimal
    if not (field.required and is_exact):
        reason = f"must name a required string of exactly {digits} hexadecimal digits"
        raise ContractFileError(pointer, reason)


def _check_unambiguous(field: Field, separator: str, pointer: str) -> None:
    if isinstance(field.type, Integer):
        return
    point = ord(separator)
    if isinstance(field.type, Text) and field.type.min_length > 0:
        meaning = field.type.meaning
        if isinstance(meaning, NotBlank):
            safe = not disjoint(meaning.excluded, ((point, point),))
        else:
            pattern = field.type.pattern
            safe = pattern is not None and disjoint(alphabet(pattern.body), ((point, point),))
        if safe:
            return
    raise ContractFileError(pointer, f"{field.name!r} may be empty or hold the separator")


def _vectors(node: Mapping[str, Any], pointer: str) -> tuple[tuple[dict[str, object], str], ...]:
    found: list[tuple[dict[str, object], str]] = []
    for index, vector in enumerate(_list(node, pointer, "vectors")):
        place = f"{pointer}/vectors/{index}"
        if not isinstance(vector, dict):
            raise ContractFileError(place, "must be an object")
        _only(vector, place, "source", "id")
        found.append((_object(vector, place, "source"), _text(vector, place, "id")))
    return tuple(found)


def _check_vectors(identity: Identity) -> None:
    for index, (source, expected) in enumerate(identity.vectors):
        if compute_id(identity, source) != expected:
            raise ContractFileError(f"/x-identity/vectors/{index}/id", "does not recompute")
    if not identity.vectors:
        raise ContractFileError("/x-identity/vectors", "must hold at least one example")


def load_limits(schema: Mapping[str, Any]) -> tuple[Limit, ...]:
    """Return the named numbers, in the contract's order."""
    node = _object(schema, "", "x-limits")
    limits: list[Limit] = []
    for name in node:
        pointer = child("/x-limits", name)
        entry = _object(node, "/x-limits", name)
        if not (name.isascii() and name.isidentifier() and name.islower()):
            raise ContractFileError(pointer, "a limit's name is a lower-case identifier")
        _only(entry, pointer, "description", "value")
        description = _text(entry, pointer, "description")
        value = _integer(entry, pointer, "value")
        limits.append(Limit(name=name, description=description, value=value))
    return tuple(limits)


def load_handles(schema: Mapping[str, Any], scalars: Mapping[str, Scalar]) -> Handles:
    """Return how citations are written."""
    pointer = "/x-handles"
    node = _object(schema, "", "x-handles")
    plain = ("sanitised_prefix", "label_max_chars", "fallback_label")
    _only(node, pointer, "shared", "native", *plain)
    for name in plain:
        _only(_object(node, pointer, name), child(pointer, name), "description", "value")
    forms = tuple(
        _handle(name, _object(node, pointer, name), scalars) for name in ("shared", "native")
    )
    prefix = _object(node, pointer, "sanitised_prefix")
    label = _object(node, pointer, "label_max_chars")
    fallback = _object(node, pointer, "fallback_label")
    return Handles(
        forms=forms,
        sanitised_prefix=_text(prefix, f"{pointer}/sanitised_prefix", "value"),
        label_max_chars=_integer(label, f"{pointer}/label_max_chars", "value"),
        fallback_label=_text(fallback, f"{pointer}/fallback_label", "value"),
    )


def _handle(name: str, node: Mapping[str, Any], scalars: Mapping[str, Scalar]) -> Handle:
    pointer = child("/x-handles", name)
    _only(node, pointer, "description", "label", "destination", "id", "tool_names")
    scalar = scalars.get(_text(node, pointer, "id"))
    if scalar is None or not isinstance(scalar.type, Text):
        raise ContractFileError(f"{pointer}/id", "must name a string of $defs")
    return Handle(
        name=name,
        description=_text(node, pointer, "description"),
        label=_text(node, pointer, "label"),
        destination=_text(node, pointer, "destination"),
        id=scalar.type,
        tool_names=_texts(node, pointer, "tool_names") if "tool_names" in node else (),
    )


def load_reserved(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the keys that only server-side producers may write."""
    return _texts(schema, "", "x-reserved-keys")


def _only(node: Mapping[str, Any], pointer: str, *keys: str) -> None:
    """Refuse what no emitter would read."""
    for key in node:
        if key not in keys:
            known = ", ".join(keys)
            raise UnsupportedKeyword(child(pointer, key), key, f"only {known} are read here")


def _member(node: Mapping[str, Any], pointer: str, key: str) -> Any:
    if key not in node:
        raise ContractFileError(child(pointer, key), "is missing")
    return node[key]


def _object(node: Mapping[str, Any], pointer: str, key: str) -> dict[str, Any]:
    value = _member(node, pointer, key)
    if not isinstance(value, dict):
        raise ContractFileError(child(pointer, key), "must be an object")
    return value


def _list(node: Mapping[str, Any], pointer: str, key: str) -> list[Any]:
    value = _member(node, pointer, key)
    if not isinstance(value, list):
        raise ContractFileError(child(pointer, key), "must be an array")
    return value


def _text(node: Mapping[str, Any], pointer: str, key: str) -> str:
    value = _member(node, pointer, key)
    if not isinstance(value, str) or not value:
        raise ContractFileError(child(pointer, key), "must be a string with a character")
    return value


def _texts(node: Mapping[str, Any], pointer: str, key: str) -> tuple[str, ...]:
    values = _list(node, pointer, key)
    if not values or not all(isinstance(value, str) and value for value in values):
        raise ContractFileError(child(pointer, key), "must hold strings")
    return tuple(values)


def _integer(node: Mapping[str, Any], pointer: str, key: str) -> int:
    value = _member(node, pointer, key)
    if type(value) is not int or value < 1:
        raise ContractFileError(child(pointer, key), "must be a positive integer")
    return value
