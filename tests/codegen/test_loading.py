"""Loading: what is outside the subset stops generation, with its name and place."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from contract_codegen.errors import ContractFileError, UnsupportedKeyword
from contract_codegen.loading import load_contract, parse_contract

CONTRACT = Path(__file__).parents[2] / "contracts/knowledge_sources.v1.json"

Edit = Callable[[dict[str, Any]], object]


def contract_with(edit: Edit) -> bytes:
    schema = json.loads(CONTRACT.read_text(encoding="utf-8"))
    edit(schema)
    return json.dumps(schema).encode()


def at(schema: dict[str, Any], pointer: str) -> Any:
    node: Any = schema
    for part in pointer.split("/")[1:]:
        node = node[int(part)] if isinstance(node, list) else node[part]
    return node


def put(pointer: str, key: str, value: object) -> Edit:
    return lambda schema: at(schema, pointer).__setitem__(key, value)


def drop(pointer: str, key: str) -> Edit:
    return lambda schema: at(schema, pointer).pop(key)


SOURCE = "/$defs/KnowledgeSource"
TITLE = "/$defs/OneLine"

UNSUPPORTED: dict[str, tuple[Edit, str, str]] = {
    "format": (put(TITLE, "format", "uri"), f"{TITLE}/format", "format"),
    "if": (put(SOURCE, "if", {}), f"{SOURCE}/if", "if"),
    "allOf": (put(SOURCE, "allOf", [{}]), f"{SOURCE}/allOf", "allOf"),
    "anyOf at the root": (put("", "anyOf", [{}]), "/anyOf", "anyOf"),
    "dependentRequired": (
        put(SOURCE, "dependentRequired", {"page": ["url"]}),
        f"{SOURCE}/dependentRequired",
        "dependentRequired",
    ),
    "patternProperties": (
        put(SOURCE, "patternProperties", {}),
        f"{SOURCE}/patternProperties",
        "patternProperties",
    ),
    "propertyNames": (put(SOURCE, "propertyNames", {}), f"{SOURCE}/propertyNames", "propertyNames"),
    "unevaluatedProperties": (
        put(SOURCE, "unevaluatedProperties", False),
        f"{SOURCE}/unevaluatedProperties",
        "unevaluatedProperties",
    ),
    "uniqueItems": (
        put("/properties/knowledge_sources", "uniqueItems", True),
        "/properties/knowledge_sources/uniqueItems",
        "uniqueItems",
    ),
    "contains": (
        put("/properties/knowledge_sources", "contains", {}),
        "/properties/knowledge_sources/contains",
        "contains",
    ),
    "prefixItems": (
        put("/properties/knowledge_sources", "prefixItems", [{}]),
        "/properties/knowledge_sources/prefixItems",
        "prefixItems",
    ),
    "a list of lists": (
        put(
            "/properties/knowledge_sources",
            "items",
            {"type": "array", "items": {"$ref": "#/$defs/KnowledgeSource"}, "maxItems": 2},
        ),
        "/properties/knowledge_sources/items",
        "items",
    ),
    "multipleOf": (put("/$defs/Page", "multipleOf", 2), "/$defs/Page/multipleOf", "multipleOf"),
    "exclusiveMinimum": (
        put("/$defs/Page", "exclusiveMinimum", 0),
        "/$defs/Page/exclusiveMinimum",
        "exclusiveMinimum",
    ),
    "a type list": (put(TITLE, "type", ["string", "null"]), f"{TITLE}/type", "type"),
    "a number type": (put("/$defs/Page", "type", "number"), "/$defs/Page/type", "type"),
    "a boolean schema": (
        put(f"{SOURCE}/properties", "url", True),
        f"{SOURCE}/properties/url",
        "true",
    ),
    "a remote reference": (
        put(f"{SOURCE}/properties", "url", {"$ref": "other.json#/$defs/Url"}),
        f"{SOURCE}/properties/url/$ref",
        "$ref",
    ),
    "an unknown reference": (
        put(f"{SOURCE}/properties", "url", {"$ref": "#/$defs/Nowhere"}),
        f"{SOURCE}/properties/url/$ref",
        "$ref",
    ),
    "a keyword beside a reference": (
        put(f"{SOURCE}/properties/url", "maxLength", 5),
        f"{SOURCE}/properties/url/maxLength",
        "maxLength",
    ),
    "a recursive definition": (
        put(f"{SOURCE}/properties", "url", {"$ref": "#/$defs/KnowledgeSource"}),
        SOURCE,
        "$ref",
    ),
    "a boolean constant": (
        put("/properties/knowledge_sources_version", "const", True),
        "/properties/knowledge_sources_version/const",
        "const",
    ),
    "a default": (put(TITLE, "default", "x"), f"{TITLE}/default", "default"),
    "a not that is no guard": (put(TITLE, "not", {"pattern": "[a]"}), f"{TITLE}/not", "not"),
    "a not with another keyword": (put(TITLE, "not", {"maxLength": 3}), f"{TITLE}/not", "not"),
    "a pattern of one engine": (put(TITLE, "pattern", r"^\S+$"), f"{TITLE}/pattern", "pattern"),
    "a union of a text": (
        put("/$defs/KnowledgeScope/oneOf", 0, {"$ref": "#/$defs/Page"}),  # type: ignore[arg-type]  # an index
        "/$defs/KnowledgeScope/oneOf/0",
        "oneOf",
    ),
    "a union of open objects": (
        put("/$defs/ScopeAll", "additionalProperties", True),
        "/$defs/KnowledgeScope/oneOf/0",
        "oneOf",
    ),
    "a union of equal tags": (
        put("/$defs/ScopeAll/properties/mode", "const", "disabled"),
        "/$defs/KnowledgeScope",
        "oneOf",
    ),
    "an unknown member of a handle": (
        put("/x-handles/shared", "suffix", "x"),
        "/x-handles/shared/suffix",
        "suffix",
    ),
    "a third handle": (put("/x-handles", "third", {}), "/x-handles/third", "third"),
    "an unknown member of a limit": (
        put("/x-limits/hit_count", "per", "page"),
        "/x-limits/hit_count/per",
        "per",
    ),
    "an unknown member of the id": (
        put("/x-identity", "normalise", "NFC"),
        "/x-identity/normalise",
        "normalise",
    ),
    "an unknown annotation": (put(SOURCE, "x-other", 1), f"{SOURCE}/x-other", "x-other"),
}

BROKEN: dict[str, tuple[Edit, str]] = {
    "no maxLength": (drop(TITLE, "maxLength"), f"{TITLE}/maxLength"),
    "no maxItems": (
        drop("/properties/knowledge_sources", "maxItems"),
        "/properties/knowledge_sources/maxItems",
    ),
    "no maximum": (drop("/$defs/Page", "maximum"), "/$defs/Page/maximum"),
    "a maximum beyond JavaScript": (put("/$defs/Page", "maximum", 2**53), "/$defs/Page/maximum"),
    "openness unsaid": (
        drop(SOURCE, "additionalProperties"),
        f"{SOURCE}/additionalProperties",
    ),
    "a final dollar unguarded": (drop(TITLE, "not"), f"{TITLE}/pattern"),
    "no title": (drop(TITLE, "title"), f"{TITLE}/title"),
    "another title": (put(TITLE, "title", "Other"), f"{TITLE}/title"),
    "a name that generated code needs": (
        lambda schema: schema["$defs"].update(
            Record={**schema["$defs"]["Page"], "title": "Record"}
        ),
        "/$defs/Record/title",
    ),
    "no description": (drop(TITLE, "description"), f"{TITLE}/description"),
    "a required stranger": (put(SOURCE, "required", ["author"]), f"{SOURCE}/required"),
    "a property in capitals": (
        put(f"{SOURCE}/properties", "URL", {"type": "boolean"}),
        f"{SOURCE}/properties/URL",
    ),
    "another dialect": (put("", "$schema", "http://json-schema.org/draft-07/schema#"), "/$schema"),
    "a broken keyword": (put(TITLE, "maxLength", "512"), f"{TITLE}/maxLength"),
    "an id of another hash": (put("/x-identity", "algorithm", "md5"), "/x-identity/algorithm"),
    "an id that skips a field": (
        put("/x-identity", "fields", ["provider", "title", "excerpt"]),
        "/x-identity/fields",
    ),
    "an id whose separator a field may hold": (
        put("/x-identity", "separator", "a"),
        "/x-identity/fields",
    ),
    "an id vector that does not recompute": (
        put("/x-identity/vectors/0", "id", "0" * 32),
        "/x-identity/vectors/0/id",
    ),
    "an id without example": (put("/x-identity", "vectors", []), "/x-identity/vectors"),
    "an id vector that is no object": (put("/x-identity", "vectors", [1]), "/x-identity/vectors/0"),
    "an id of two separators": (put("/x-identity", "separator", "\0\0"), "/x-identity/separator"),
    "a property named by a keyword": (
        put(f"{SOURCE}/properties", "class", {"type": "boolean"}),
        f"{SOURCE}/properties/class",
    ),
    "an empty enumeration": (
        put("/$defs/KnowledgeCapabilities/properties/operations/items", "enum", []),
        "/$defs/KnowledgeCapabilities/properties/operations/items/enum",
    ),
    "a value twice": (
        put("/$defs/KnowledgeCapabilities/properties/operations/items", "enum", ["a", "a"]),
        "/$defs/KnowledgeCapabilities/properties/operations/items/enum",
    ),
    "a limit whose name is none": (
        put("/x-limits", "a-b", {"description": "x", "value": 1}),
        "/x-limits/a-b",
    ),
    "a description that ends a docstring": (
        put(TITLE, "description", 'It says """stop.'),
        f"{TITLE}/description",
    ),
    "a description that ends a comment": (
        put(TITLE, "description", "It says */ stop."),
        f"{TITLE}/description",
    ),
    "lengths that cross": (put(TITLE, "minLength", 600), f"{TITLE}/maxLength"),
    "numbers that cross": (put("/$defs/Page", "minimum", 2_000_000), "/$defs/Page/maximum"),
    "counts that cross": (
        put("/properties/knowledge_sources", "minItems", 101),
        "/properties/knowledge_sources/maxItems",
    ),
    "a limit without value": (
        drop("/x-limits/record_count", "value"),
        "/x-limits/record_count/value",
    ),
    "a limit of zero": (put("/x-limits/record_count", "value", 0), "/x-limits/record_count/value"),
    "a handle of no text": (put("/x-handles/shared", "id", "Page"), "/x-handles/shared/id"),
    "no reserved keys": (drop("", "x-reserved-keys"), "/x-reserved-keys"),
}


@pytest.mark.parametrize(("edit", "pointer", "keyword"), UNSUPPORTED.values(), ids=UNSUPPORTED)
def test_unsupported_keyword_is_named_with_its_place(
    edit: Edit, pointer: str, keyword: str
) -> None:
    with pytest.raises(UnsupportedKeyword) as refusal:
        parse_contract(contract_with(edit), file_name="edited.json")

    assert (refusal.value.pointer, refusal.value.keyword) == (pointer, keyword)


@pytest.mark.parametrize(("edit", "pointer"), BROKEN.values(), ids=BROKEN)
def test_broken_contract_is_refused_at_its_place(edit: Edit, pointer: str) -> None:
    with pytest.raises(ContractFileError) as refusal:
        parse_contract(contract_with(edit), file_name="edited.json")

    assert not isinstance(refusal.value, UnsupportedKeyword)
    assert refusal.value.pointer == pointer


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"{", b'{"a":1,"a":2}', b"\xff", b'{"title": NaN}'],
    ids=["empty", "a list", "cut", "a key twice", "not UTF-8", "not a number"],
)
def test_file_that_is_no_strict_json_object_is_refused(data: bytes) -> None:
    with pytest.raises(ContractFileError) as refusal:
        parse_contract(data, file_name="broken.json")

    assert refusal.value.pointer == ""


def test_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ContractFileError, match="cannot read the contract"):
        load_contract(tmp_path / "nowhere.json")


def test_integral_bounds_may_be_written_as_doubles() -> None:
    data = contract_with(put(TITLE, "minLength", 1.0))

    names = {each.name: each.type for each in parse_contract(data, file_name="edited.json").scalars}

    assert "min_length=1," in repr(names["OneLine"])


def test_definitions_come_before_what_needs_them() -> None:
    names = [each.name for each in load_contract(CONTRACT).definitions]

    assert names[-1] == "KnowledgeSourcesEnvelope"
    assert names.index("NativeSourceRead") < names.index("NativeSnapshotRead")
    assert names.index("NativeSnapshotRead") < names.index("TaskArtifact")
