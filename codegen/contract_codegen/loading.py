"""Read a contract file and say what it means, or refuse it with the place and the reason.

The supported subset is small on purpose: a keyword is in it only if every output keeps it.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from contract_codegen.annotations import load_handles, load_identity, load_limits, load_reserved
from contract_codegen.errors import ContractFileError, UnsupportedKeyword
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
    Scalar,
    Text,
    Type,
    Union,
)
from contract_codegen.parsing import ParseError, parse_document
from contract_codegen.patterns import (
    CharacterClass,
    General,
    Meaning,
    NotBlank,
    Pattern,
    alphabet,
    disjoint,
    exact_length,
    meaning_of,
    parse_pattern,
)
from contract_codegen.pointers import child, describe_keys

_NEWLINE = ((10, 10),)
LARGEST_SAFE_INTEGER = 2**53 - 1
"""Beyond it JavaScript rounds, so readers would differ."""

_NOTES = frozenset({"title", "description"})
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
        title, description = self._title(schema, ""), self._description(schema, "")
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
        if self._title(schema, pointer) != name:
            raise ContractFileError(f"{pointer}/title", f"must repeat the name {name!r}")
        self._description(schema, pointer)
        if "oneOf" in schema:
            self._definitions[name] = self._union(name, schema, pointer)
        elif schema.get("type") == "object":
            self._definitions[name] = self._record(name, schema, pointer)
        else:
            self._scalars[name] = self._scalar(name, schema, pointer)
        self._open.pop()

    def _title(self, schema: Mapping[str, Any], pointer: str) -> str:
        title = schema.get("title", "")
        if not (title.isascii() and title.isidentifier() and title[:1].isupper()):
            raise ContractFileError(f"{pointer}/title", "is missing, or not a CamelCase name")
        return str(title)

    def _description(self, schema: Mapping[str, Any], pointer: str) -> str:
        description = str(schema.get("description", ""))
        if not description.isprintable() or not description:
            raise ContractFileError(f"{pointer}/description", "is missing, or not one line")
        return description

    def _scalar(self, name: str, schema: dict[str, Any], pointer: str) -> Scalar:
        loaded = self._type(schema, pointer, scalar=name)
        if not isinstance(loaded, Text | Integer):
            raise ContractFileError(pointer, "name only objects, unions, strings and integers")
        return Scalar(name=name, description=schema["description"], type=loaded)

    def _record(self, name: str, schema: dict[str, Any], pointer: str) -> Record:
        _allow(schema, pointer, "type", "properties", "required", "additionalProperties")
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
        if not (name.isascii() and name.isidentifier() and name.islower()):
            raise ContractFileError(pointer, "property names are lower-case identifiers")
        loaded = self._type(schema, pointer)
        description = schema.get("description") or self._referenced(schema)["description"]
        return Field(name=name, type=loaded, required=required, description=description)

    def _referenced(self, schema: dict[str, Any]) -> dict[str, Any]:
        target: dict[str, Any] = self._defs[schema.get("$ref", "").rpartition("/")[2]]
        return target

    def _union(self, name: str, schema: dict[str, Any], pointer: str) -> Union:
        _allow(schema, pointer, "oneOf")
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
            return _constant(schema, pointer)
        if "enum" in schema:
            return _choices(schema, pointer)
        match schema.get("type"):
            case "string":
                return _text(schema, pointer, scalar)
            case "integer":
                return _integer(schema, pointer, scalar)
            case "boolean":
                _allow(schema, pointer, "type")
                return Boolean()
            case "array":
                return self._list(schema, pointer)
        # Without a type, the first keyword is what somebody hoped for.
        unknown = (
            "type"
            if "type" in schema
            else next((key for key in schema if key not in _NOTES), "type")
        )
        reason = "say string, integer, boolean or array, or refer to an object in $defs"
        raise UnsupportedKeyword(child(pointer, unknown), unknown, reason)

    def _reference(self, schema: dict[str, Any], pointer: str) -> Type:
        _allow(schema, pointer, "$ref")
        prefix, _, name = schema["$ref"].rpartition("/")
        if prefix != "#/$defs" or name not in self._defs:
            raise UnsupportedKeyword(f"{pointer}/$ref", "$ref", "must name an entry of #/$defs")
        self._load(name)
        return self._scalars[name].type if name in self._scalars else Named(name=name)

    def _list(self, schema: dict[str, Any], pointer: str) -> List:
        _allow(schema, pointer, "type", "items", "minItems", "maxItems")
        if "items" not in schema:
            raise ContractFileError(f"{pointer}/items", "is missing")
        return List(
            items=self._type(schema["items"], f"{pointer}/items"),
            min_items=schema.get("minItems", 0),
            max_items=_bound(schema, pointer, "maxItems"),
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


def _allow(schema: dict[str, Any], pointer: str, *keywords: str) -> None:
    for keyword in schema:
        if keyword not in _NOTES and keyword not in keywords:
            raise UnsupportedKeyword(
                child(pointer, keyword), keyword, f"not supported beside {', '.join(keywords)}"
            )


def _bound(schema: dict[str, Any], pointer: str, keyword: str) -> int:
    value = schema.get(keyword)
    if value is None:
        raise ContractFileError(f"{pointer}/{keyword}", "is missing: state a bound")
    if int(value) != value or abs(value) > LARGEST_SAFE_INTEGER:
        raise ContractFileError(f"{pointer}/{keyword}", "is no integer that every reader holds")
    return int(value)


def _constant(schema: dict[str, Any], pointer: str) -> Constant:
    _allow(schema, pointer, "const")
    value = schema["const"]
    if type(value) is int and abs(value) <= LARGEST_SAFE_INTEGER:
        return Constant(value=value)
    if isinstance(value, str) and value.isascii():
        return Constant(value=value)
    raise UnsupportedKeyword(f"{pointer}/const", "const", "must be an integer or an ASCII string")


def _choices(schema: dict[str, Any], pointer: str) -> Choices:
    _allow(schema, pointer, "enum")
    values = schema["enum"]
    if not all(isinstance(value, str) and value.isascii() for value in values):
        raise UnsupportedKeyword(f"{pointer}/enum", "enum", "must hold ASCII strings")
    return Choices(values=tuple(values))


def _integer(schema: dict[str, Any], pointer: str, scalar: str | None) -> Integer:
    _allow(schema, pointer, "type", "minimum", "maximum")
    return Integer(
        minimum=_bound(schema, pointer, "minimum"),
        maximum=_bound(schema, pointer, "maximum"),
        scalar=scalar,
    )


def _text(schema: dict[str, Any], pointer: str, scalar: str | None) -> Text:
    _allow(schema, pointer, "type", "minLength", "maxLength", "pattern", "not")
    low, high = schema.get("minLength", 0), _bound(schema, pointer, "maxLength")
    pattern = None
    if "pattern" in schema:
        pattern = parse_pattern(schema["pattern"], f"{pointer}/pattern")
    _check_guard(schema, pointer, pattern, (low, high))
    return Text(
        min_length=low,
        max_length=high,
        pattern=pattern,
        meaning=_exact_meaning(pattern, (low, high)),
        scalar=scalar,
    )


def _exact_meaning(pattern: Pattern | None, bounds: tuple[int, int]) -> Meaning | None:
    """Return the pattern's meaning; a pattern that bounds the length more tightly is general."""
    if pattern is None:
        return None
    least, most = exact_length(pattern)
    if not pattern.anchored_end:
        return meaning_of(pattern)
    fits = least <= max(bounds[0], 1) and (most is None or most >= bounds[1])
    return meaning_of(pattern) if fits else General()


def _check_guard(
    schema: dict[str, Any], pointer: str, pattern: Pattern | None, bounds: tuple[int, int]
) -> None:
    """Refuse a final `$` that Python would let a newline pass, and a `not` that is no guard.

    A guard forbids characters that an anchored pattern cannot consume anyway: readers whose
    `$` means the very end may leave it out, the others need it.
    """
    guard = _guard_class(schema, pointer)
    if guard is None:
        if pattern is not None and pattern.anchored_end and bounds[0] != bounds[1]:
            reason = (
                "ends in `$` without a `not` twin or equal lengths "
                "(Python's `$` also matches before a final newline)"
            )
            raise ContractFileError(f"{pointer}/pattern", reason)
        return
    anchored = pattern is not None and pattern.anchored_start and pattern.anchored_end
    if pattern is None or not anchored or not disjoint(alphabet(pattern.body), guard.ranges):
        reason = "only as the twin of an anchored pattern that cannot consume its characters"
        raise UnsupportedKeyword(f"{pointer}/not", "not", reason)
    if disjoint(guard.ranges, _NEWLINE) and not _may_end_in_newline(pattern):
        raise ContractFileError(f"{pointer}/not", "does not forbid a newline, so it guards nothing")


def _may_end_in_newline(pattern: Pattern) -> bool:
    """Tell whether every accepted text stays accepted with a newline behind it."""
    meaning = meaning_of(pattern)
    return isinstance(meaning, NotBlank) and disjoint(meaning.excluded, _NEWLINE)


def _guard_class(schema: dict[str, Any], pointer: str) -> CharacterClass | None:
    if "not" not in schema:
        return None
    inner = schema["not"]
    place = f"{pointer}/not"
    if not isinstance(inner, dict) or set(inner) != {"pattern"}:
        raise UnsupportedKeyword(place, "not", "may only hold a pattern")
    parsed = parse_pattern(inner["pattern"], f"{place}/pattern")
    match parsed.body.nodes:
        case (CharacterClass() as only,) if not parsed.anchored_start and not parsed.anchored_end:
            return only
    raise UnsupportedKeyword(place, "not", "its pattern must be one unanchored character class")
