"""Read a contract file and say what it means, or refuse it with the place and the reason.

The supported subset is small on purpose: a keyword is in it only if every output keeps it.
"""

import hashlib
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from contract_codegen.annotations import load_handles, load_identity, load_limits, load_reserved
from contract_codegen.errors import ContractFileError, UnsupportedKeyword
from contract_codegen.model import (
    Boolean,
    Constant,
    Contract,
    Field,
    Integer,
    List,
    Named,
    Record,
    Scalar,
    Text,
    Type,
    Union,
)
from contract_codegen.naming import check_field_name, description_of, title_of
from contract_codegen.parsing import ParseError, parse_document
from contract_codegen.pointers import child, describe_keys
from contract_codegen.scalars import (
    NOTES,
    allow,
    bound,
    load_choices,
    load_constant,
    load_integer,
    load_text,
    upper_bound,
)

_DOCUMENT_KEYS = frozenset(
    {"$schema", "$id", "$defs", "x-identity", "x-limits", "x-handles", "x-reserved-keys"}
)


def load_contract(path: Path) -> Contract:
    """Read a contract file.

    Raises:
        ContractFileError: the file is missing or unreadable, is not strict JSON, is not a
            JSON Schema 2020-12 document, or leaves the supported subset.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ContractFileError("", f"cannot read the contract: {error.strerror}") from None
    return parse_contract(data, file_name=path.name)


def parse_contract(data: bytes, *, file_name: str) -> Contract:
    """Read a contract from its bytes; `file_name` only appears in generated headers.

    Raises:
        ContractFileError: as `load_contract`.
    """
    try:
        schema = parse_document(data)
    except ParseError as error:
        raise ContractFileError("", f"not strict JSON: {error.reason}") from None
    if not isinstance(schema, dict):
        raise ContractFileError("", "a contract is a JSON object")
    _check_meta_schema(schema)
    return _Loader(schema).contract(file_name, hashlib.sha256(data).hexdigest())


def _check_meta_schema(schema: dict[str, Any]) -> None:
    dialect = "https://json-schema.org/draft/2020-12/schema"
    if schema.get("$schema") != dialect:
        raise ContractFileError("/$schema", f"must be {dialect!r}")
    for error in Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(schema):
        pointer = "".join(child("", str(part)) for part in error.absolute_path)
        raise ContractFileError(pointer, f"breaks the meta-schema ({error.validator})")


class _Loader:
    """Walks one schema; keeps what it has loaded by name, in dependency order."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self._schema = schema
        self._defs: dict[str, Any] = schema.get("$defs", {})
        self._scalars: dict[str, Scalar] = {}
        self._definitions: dict[str, Record | Union] = {}
        self._open: list[str] = []

    def contract(self, file_name: str, digest: str) -> Contract:
        schema = self._schema
        title, description = title_of(schema, ""), description_of(schema, "")
        for name in self._defs:
            self._load(name)
        body = {key: value for key, value in schema.items() if key not in _DOCUMENT_KEYS}
        self._definitions[title] = self._record(title, body, "")
        return Contract(
            file_name=file_name,
            digest=digest,
            schema=schema,
            title=title,
            description=description,
            root=title,
            definitions=tuple(self._definitions.values()),
            scalars=tuple(self._scalars.values()),
            identity=load_identity(schema, self._definitions),
            limits=load_limits(schema),
            handles=load_handles(schema, self._scalars),
            reserved_keys=load_reserved(schema),
        )

    def _load(self, name: str) -> None:
        if name in self._scalars or name in self._definitions:
            return
        pointer = child("/$defs", name)
        if name in self._open:
            raise UnsupportedKeyword(pointer, "$ref", "definitions must not refer to themselves")
        self._open.append(name)
        schema = self._defs[name]
        if not isinstance(schema, dict):
            raise ContractFileError(pointer, "a definition is an object")
        if title_of(schema, pointer) != name:
            raise ContractFileError(f"{pointer}/title", f"must repeat the name {name!r}")
        description_of(schema, pointer)
        if "oneOf" in schema:
            self._definitions[name] = self._union(name, schema, pointer)
        elif schema.get("type") == "object":
            self._definitions[name] = self._record(name, schema, pointer)
        else:
            self._scalars[name] = self._scalar(name, schema, pointer)
        self._open.pop()

    def _scalar(self, name: str, schema: dict[str, Any], pointer: str) -> Scalar:
        loaded = self._type(schema, pointer, scalar=name)
        if not isinstance(loaded, Text | Integer):
            raise ContractFileError(pointer, "name only objects, unions, strings and integers")
        return Scalar(name=name, description=schema["description"], type=loaded)

    def _record(self, name: str, schema: dict[str, Any], pointer: str) -> Record:
        allow(schema, pointer, "type", "properties", "required", "additionalProperties")
        if schema.get("type") != "object":
            raise ContractFileError(f"{pointer}/type", "must be 'object'")
        closed = schema.get("additionalProperties")
        if not isinstance(closed, bool):
            reason = "say true (open) or false (closed); a schema here is not supported"
            raise ContractFileError(f"{pointer}/additionalProperties", reason)
        properties: dict[str, Any] = schema.get("properties", {})
        required = schema.get("required", [])
        for key in required:
            if key not in properties:
                reason = f"{describe_keys([key])} is not among the properties"
                raise ContractFileError(f"{pointer}/required", reason)
        fields = tuple(
            self._field(key, inner, child(f"{pointer}/properties", key), key in required)
            for key, inner in properties.items()
        )
        return Record(
            name=name, description=schema["description"], fields=fields, closed=not closed
        )

    def _field(self, name: str, schema: Any, pointer: str, required: bool) -> Field:  # noqa: FBT001 - private, always named by position here
        check_field_name(name, pointer)
        loaded = self._type(schema, pointer)
        described = schema if "description" in schema else self._referenced(schema)
        description = description_of(described, pointer)
        return Field(name=name, type=loaded, required=required, description=description)

    def _referenced(self, schema: dict[str, Any]) -> dict[str, Any]:
        target: dict[str, Any] = self._defs.get(schema.get("$ref", "").rpartition("/")[2], {})
        return target

    def _union(self, name: str, schema: dict[str, Any], pointer: str) -> Union:
        allow(schema, pointer, "oneOf")
        branches: list[tuple[str, str]] = []
        tags: set[str] = set()
        for index, each in enumerate(schema["oneOf"]):
            place = f"{pointer}/oneOf/{index}"
            named = self._type(each, place)
            record = self._definitions.get(named.name) if isinstance(named, Named) else None
            if not isinstance(record, Record) or not record.closed:
                raise UnsupportedKeyword(place, "oneOf", "branches must refer to closed objects")
            tag, value = _tag_of(record, place)
            tags.add(tag)
            branches.append((value, record.name))
        if len(tags) != 1 or len({value for value, _ in branches}) != len(branches):
            reason = "branches need one common required property with different constant strings"
            raise UnsupportedKeyword(pointer, "oneOf", reason)
        return Union(
            name=name,
            description=schema["description"],
            tag=tags.pop(),
            branches=tuple(branches),
        )

    def _type(self, schema: Any, pointer: str, *, scalar: str | None = None) -> Type:
        if not isinstance(schema, dict):
            raise UnsupportedKeyword(pointer, str(schema).lower(), "a schema must be an object")
        if "$ref" in schema:
            return self._reference(schema, pointer)
        if "const" in schema:
            return load_constant(schema, pointer)
        if "enum" in schema:
            return load_choices(schema, pointer)
        match schema.get("type"):
            case "string":
                return load_text(schema, pointer, scalar)
            case "integer":
                return load_integer(schema, pointer, scalar)
            case "boolean":
                allow(schema, pointer, "type")
                return Boolean()
            case "array":
                return self._list(schema, pointer)
        # Without a type, the first keyword is what somebody hoped for.
        unknown = (
            "type"
            if "type" in schema
            else next((key for key in schema if key not in NOTES), "type")
        )
        reason = "say string, integer, boolean or array, or refer to an object in $defs"
        raise UnsupportedKeyword(child(pointer, unknown), unknown, reason)

    def _reference(self, schema: dict[str, Any], pointer: str) -> Type:
        allow(schema, pointer, "$ref")
        prefix, _, name = schema["$ref"].rpartition("/")
        if prefix != "#/$defs" or name not in self._defs:
            raise UnsupportedKeyword(f"{pointer}/$ref", "$ref", "must name an entry of #/$defs")
        self._load(name)
        return self._scalars[name].type if name in self._scalars else Named(name=name)

    def _list(self, schema: dict[str, Any], pointer: str) -> List:
        allow(schema, pointer, "type", "items", "minItems", "maxItems")
        if "items" not in schema:
            raise ContractFileError(f"{pointer}/items", "is missing")
        items = self._type(schema["items"], f"{pointer}/items")
        if isinstance(items, List):
            reason = "a list of lists is not supported; wrap the inner one in an object"
            raise UnsupportedKeyword(f"{pointer}/items", "items", reason)
        low = bound({"minItems": 0, **schema}, pointer, "minItems")
        return List(
            items=items,
            min_items=low,
            max_items=upper_bound(schema, pointer, "maxItems", low),
        )


def _tag_of(record: Record, pointer: str) -> tuple[str, str]:
    for field in record.fields:
        if (
            field.required
            and isinstance(field.type, Constant)
            and isinstance(field.type.value, str)
        ):
            return field.name, field.type.value
    raise UnsupportedKeyword(pointer, "oneOf", "a branch needs a required constant string")
