# Generated from contracts/knowledge_sources.v1.json
# (sha256 47dd16b0af101452ab3a2e7479cab06133a7c6f135de06ea7c039bb4855513f4).
# Do not edit: change the contract or codegen/, then run `knowledge-contract generate`.

"""The contract as plain data for test tools: what each definition looks like, what breaks it.

Bounds are inclusive and lengths count code points. Nothing here judges a document: that is what
`knowledge_wire.validators` is for.
"""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

__all__ = [
    "MUTATIONS",
    "SHAPES",
    "Boolean",
    "Characters",
    "Choices",
    "Constant",
    "Either",
    "Field",
    "Integer",
    "List",
    "Node",
    "Place",
    "Ranges",
    "Record",
    "Repeat",
    "Shape",
    "Text",
    "Then",
    "Union",
]

Ranges: TypeAlias = tuple[tuple[int, int], ...]
"""Inclusive ranges of code points."""

Place: TypeAlias = tuple[str, ...]
"""Steps from a definition to a value in it.

A field's name, `*` for an item of a list, `tag=value` for a branch of a union.
"""


class Characters(NamedTuple):
    """One character."""

    ranges: Ranges


class Repeat(NamedTuple):
    """A node, at least `least` and at most `most` times; None means without bound."""

    node: "Node"
    least: int
    most: int | None


class Then(NamedTuple):
    """Nodes, one after the other."""

    nodes: tuple["Node", ...]


class Either(NamedTuple):
    """One of some nodes."""

    branches: tuple["Node", ...]


Node: TypeAlias = Characters | Repeat | Then | Either


class Text(NamedTuple):
    """A string.

    Attributes:
        min_length: Least length.
        max_length: Greatest length.
        node: What the pattern spells out; None without a pattern.
        expression: The pattern for `re.search`; None without a pattern.
        foreign: Characters that make any text break the pattern.
        alone: Characters of which alone no accepted text can be made.
        refused: Single characters that break the pattern when repeated to a legal length.
    """

    min_length: int
    max_length: int
    node: Node | None = None
    expression: str | None = None
    foreign: Ranges = ()
    alone: Ranges = ()
    refused: str = ""


class Integer(NamedTuple):
    """An integral number."""

    minimum: int
    maximum: int


class Boolean(NamedTuple):
    """`true` or `false`."""


class Constant(NamedTuple):
    """Exactly one value."""

    value: int | str


class Choices(NamedTuple):
    """One of some strings."""

    values: tuple[str, ...]


class List(NamedTuple):
    """An array."""

    items: "Shape"
    min_items: int
    max_items: int


class Field(NamedTuple):
    """A property of a record."""

    name: str
    shape: "Shape"
    required: bool


class Record(NamedTuple):
    """An object; a closed one refuses unknown keys."""

    name: str
    fields: tuple[Field, ...]
    closed: bool


class Union(NamedTuple):
    """One of several records, told apart by the constant under `tag`."""

    name: str
    tag: str
    branches: tuple[tuple[str, Record], ...]


Shape: TypeAlias = Text | Integer | Boolean | Constant | Choices | List | Record | Union

_CHARACTERS_1 = ((0x0, 0x2f), (0x3a, 0x60), (0x67, 0xd7ff), (0xe000, 0x10ffff))
_CHARACTERS_2 = ((0x2d, 0x2d), (0x30, 0x39), (0x5f, 0x5f), (0x61, 0x7a))
_CHARACTERS_3 = (
    (0x0, 0x2c), (0x2e, 0x2f), (0x3a, 0x5e), (0x60, 0x60), (0x7b, 0xd7ff), (0xe000, 0x10ffff),
)
_CHARACTERS_4 = ((0x0, 0x2f), (0x3a, 0x60), (0x7b, 0xd7ff), (0xe000, 0x10ffff))
_CHARACTERS_5 = (
    (0x20, 0x20), (0xa0, 0xa0), (0x1680, 0x1680), (0x2000, 0x200a), (0x202f, 0x202f),
    (0x205f, 0x205f), (0x3000, 0x3000), (0xfeff, 0xfeff),
)
_CHARACTERS_6 = (
    (0x21, 0x7e), (0xa1, 0x167f), (0x1681, 0x1fff), (0x200b, 0x2027), (0x202a, 0x202e),
    (0x2030, 0x205e), (0x2060, 0x2fff), (0x3001, 0xd7ff), (0xe000, 0xfefe), (0xff00, 0x10ffff),
)
_CHARACTERS_7 = ((0x20, 0x7e), (0xa0, 0x2027), (0x202a, 0xd7ff), (0xe000, 0x10ffff))
_CHARACTERS_8 = ((0x0, 0x1f), (0x7f, 0x9f), (0x2028, 0x2029))
_CHARACTERS_9 = (
    (0x0, 0x20), (0x7f, 0xa0), (0x1680, 0x1680), (0x2000, 0x200a), (0x2028, 0x2029),
    (0x202f, 0x202f), (0x205f, 0x205f), (0x3000, 0x3000), (0xfeff, 0xfeff),
)
_CHARACTERS_10 = (
    (0x9, 0xd), (0x20, 0x20), (0x85, 0x85), (0xa0, 0xa0), (0x1680, 0x1680), (0x2000, 0x200a),
    (0x2028, 0x2029), (0x202f, 0x202f), (0x205f, 0x205f), (0x3000, 0x3000), (0xfeff, 0xfeff),
)
_CHARACTERS_11 = (
    (0x1, 0x8), (0xe, 0x1f), (0x21, 0x84), (0x86, 0x9f), (0xa1, 0x167f), (0x1681, 0x1fff),
    (0x200b, 0x2027), (0x202a, 0x202e), (0x2030, 0x205e), (0x2060, 0x2fff), (0x3001, 0xd7ff),
    (0xe000, 0xfefe), (0xff00, 0x10ffff),
)
_CHARACTERS_12 = (
    (0x0, 0x0), (0x9, 0xd), (0x20, 0x20), (0x85, 0x85), (0xa0, 0xa0), (0x1680, 0x1680),
    (0x2000, 0x200a), (0x2028, 0x2029), (0x202f, 0x202f), (0x205f, 0x205f), (0x3000, 0x3000),
    (0xfeff, 0xfeff),
)
_CHARACTERS_13 = ((0x30, 0x39), (0x41, 0x5a), (0x61, 0x7a))
_CHARACTERS_14 = (
    (0x25, 0x25), (0x2d, 0x2e), (0x30, 0x39), (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a),
    (0x7e, 0x7e),
)
_CHARACTERS_15 = ((0x2e, 0x2e), (0x30, 0x3a), (0x41, 0x46), (0x61, 0x66))
_CHARACTERS_16 = ((0x23, 0x23), (0x2f, 0x2f), (0x3f, 0x3f))
_CHARACTERS_17 = (
    (0x21, 0x21), (0x23, 0x3b), (0x3d, 0x3d), (0x3f, 0x5a), (0x5f, 0x5f), (0x61, 0x7a),
    (0x7e, 0x7e),
)
_CHARACTERS_18 = (
    (0x0, 0x20), (0x22, 0x22), (0x3c, 0x3c), (0x3e, 0x3e), (0x5c, 0x5c), (0x5e, 0x5e), (0x60, 0x60),
    (0x7b, 0x7d), (0x7f, 0xd7ff), (0xe000, 0x10ffff),
)
_CHARACTERS_19 = ((0x0, 0x2c), (0x2e, 0x2f), (0x3a, 0x60), (0x67, 0xd7ff), (0xe000, 0x10ffff))
_CHARACTERS_20 = (
    (0x0, 0x8), (0xe, 0x1f), (0x21, 0x84), (0x86, 0x9f), (0xa1, 0x167f), (0x1681, 0x1fff),
    (0x200b, 0x2027), (0x202a, 0x202e), (0x2030, 0x205e), (0x2060, 0x2fff), (0x3001, 0xd7ff),
    (0xe000, 0xfefe), (0xff00, 0x10ffff),
)
_SOURCE_ID = Text(
    32,
    32,
    Repeat(Characters(((0x30, 0x39), (0x61, 0x66))), 32, 32),
    "^[0-9a-f]{32}\\Z",
    _CHARACTERS_1,
    _CHARACTERS_1,
    " !\"#$%&'",
)
_PROVIDER_NAME = Text(
    1,
    64,
    Then((Characters(((0x30, 0x39), (0x61, 0x7a))), Repeat(Characters(_CHARACTERS_2), 0, None))),
    "^[a-z0-9][a-z0-9_\\-]*\\Z",
    _CHARACTERS_3,
    _CHARACTERS_4,
    " !\"#$%&'",
)
_ONE_LINE = Text(
    1,
    512,
    Then(
        (
            Repeat(Characters(_CHARACTERS_5), 0, None),
            Characters(_CHARACTERS_6),
            Repeat(Characters(_CHARACTERS_7), 0, None),
        ),
    ),
    "^[\\u0020\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\ufeff]*[^\\u0020\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\ufeff\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029][^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*\\Z",
    _CHARACTERS_8,
    _CHARACTERS_9,
)
_EXCERPT = Text(
    1,
    100000,
    Then(
        (
            Repeat(Characters(_CHARACTERS_10), 0, None),
            Characters(_CHARACTERS_11),
            Repeat(Characters(((0x1, 0xd7ff), (0xe000, 0x10ffff))), 0, None),
        ),
    ),
    "^[\\u0020\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\ufeff\\u0009-\\u000d\\u0085\\u2028\\u2029]*[^\\u0020\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\ufeff\\u0009-\\u000d\\u0085\\u2028\\u2029\\u0000][^\\u0000]*\\Z",
    ((0x0, 0x0),),
    _CHARACTERS_12,
)
_WEB_URL = Text(
    9,
    2048,
    Then(
        (
            Characters(((0x68, 0x68),)),
            Characters(((0x74, 0x74),)),
            Characters(((0x74, 0x74),)),
            Characters(((0x70, 0x70),)),
            Repeat(Characters(((0x73, 0x73),)), 0, 1),
            Characters(((0x3a, 0x3a),)),
            Characters(((0x2f, 0x2f),)),
            Characters(((0x2f, 0x2f),)),
            Either(
                (
                    Then((Characters(_CHARACTERS_13), Repeat(Characters(_CHARACTERS_14), 0, None))),
                    Then(
                        (
                            Characters(((0x5b, 0x5b),)),
                            Repeat(Characters(_CHARACTERS_15), 1, None),
                            Characters(((0x5d, 0x5d),)),
                        ),
                    ),
                ),
            ),
            Repeat(
                Then((Characters(((0x3a, 0x3a),)), Repeat(Characters(((0x30, 0x39),)), 1, 5))),
                0,
                1,
            ),
            Repeat(
                Then((Characters(_CHARACTERS_16), Repeat(Characters(_CHARACTERS_17), 0, None))),
                0,
                1,
            ),
        ),
    ),
    "^https?://([A-Za-z0-9][A-Za-z0-9\\-._~%]*|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?([/?#][A-Za-z0-9\\-._~:/?#@!\\$&'()*+,;=%]*)?\\Z",
    _CHARACTERS_18,
    _CHARACTERS_18,
    " !\"#$%&'",
)
_PAGE = Integer(1, 1000000)
_NATIVE_ID = Text(
    34,
    36,
    Then(
        (
            Repeat(Characters(((0x30, 0x39), (0x61, 0x66))), 32, 32),
            Characters(((0x2d, 0x2d),)),
            Characters(((0x31, 0x39),)),
            Repeat(Characters(((0x30, 0x39),)), 0, 2),
        ),
    ),
    "^[a-f0-9]{32}-[1-9][0-9]{0,2}\\Z",
    _CHARACTERS_19,
    _CHARACTERS_19,
    " !\"#$%&'",
)
_NATIVE_LOCATOR = Text(1, 256)
_NATIVE_NAME = Text(
    1,
    512,
    Then(
        (
            Repeat(Characters(((0x0, 0xd7ff), (0xe000, 0x10ffff))), 0, None),
            Characters(_CHARACTERS_20),
            Repeat(Characters(((0x0, 0xd7ff), (0xe000, 0x10ffff))), 0, None),
        ),
    ),
    "[^\\u0020\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\ufeff\\u0009-\\u000d\\u0085\\u2028\\u2029]",
    (),
    _CHARACTERS_10,
)
_NATIVE_NAME_READ = Text(
    1,
    1024,
    Then(
        (
            Repeat(Characters(((0x0, 0xd7ff), (0xe000, 0x10ffff))), 0, None),
            Characters(_CHARACTERS_20),
            Repeat(Characters(((0x0, 0xd7ff), (0xe000, 0x10ffff))), 0, None),
        ),
    ),
    "[^\\u0020\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\ufeff\\u0009-\\u000d\\u0085\\u2028\\u2029]",
    (),
    _CHARACTERS_10,
)
_NATIVE_TEXT = Text(
    1,
    200000,
    Then(
        (
            Repeat(Characters(((0x0, 0xd7ff), (0xe000, 0x10ffff))), 0, None),
            Characters(_CHARACTERS_20),
            Repeat(Characters(((0x0, 0xd7ff), (0xe000, 0x10ffff))), 0, None),
        ),
    ),
    "[^\\u0020\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\ufeff\\u0009-\\u000d\\u0085\\u2028\\u2029]",
    (),
    _CHARACTERS_10,
)
_SCOPE_ID = Text(
    1,
    256,
    Then(
        (
            Repeat(Characters(((0x0, 0xd7ff), (0xe000, 0x10ffff))), 0, None),
            Characters(_CHARACTERS_20),
            Repeat(Characters(((0x0, 0xd7ff), (0xe000, 0x10ffff))), 0, None),
        ),
    ),
    "[^\\u0020\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\ufeff\\u0009-\\u000d\\u0085\\u2028\\u2029]",
    (),
    _CHARACTERS_10,
)
_SCOPE_LABEL = Text(
    1,
    256,
    Then(
        (
            Repeat(Characters(((0x0, 0xd7ff), (0xe000, 0x10ffff))), 0, None),
            Characters(_CHARACTERS_20),
            Repeat(Characters(((0x0, 0xd7ff), (0xe000, 0x10ffff))), 0, None),
        ),
    ),
    "[^\\u0020\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\ufeff\\u0009-\\u000d\\u0085\\u2028\\u2029]",
    (),
    _CHARACTERS_10,
)
_KNOWLEDGE_SOURCE = Record(
    "KnowledgeSource",
    (
        Field("id", _SOURCE_ID, True),
        Field("provider", _PROVIDER_NAME, True),
        Field("title", _ONE_LINE, True),
        Field("excerpt", _EXCERPT, True),
        Field("dataset_name", _ONE_LINE, False),
        Field("url", _WEB_URL, False),
        Field("page", _PAGE, False),
    ),
    True,
)
_NATIVE_SOURCE = Record(
    "NativeSource",
    (
        Field("id", _NATIVE_ID, True),
        Field("provider", Constant("ragflow"), True),
        Field("dataset_id", _NATIVE_LOCATOR, True),
        Field("document_id", _NATIVE_LOCATOR, True),
        Field("chunk_id", _NATIVE_LOCATOR, True),
        Field("dataset_name", _NATIVE_NAME, True),
        Field("document_name", _NATIVE_NAME, True),
        Field("text", _NATIVE_TEXT, True),
        Field("truncated", Boolean(), True),
        Field("pages", List(_PAGE, 0, 100), True),
    ),
    True,
)
_NATIVE_SOURCE_READ = Record(
    "NativeSourceRead",
    (
        Field("id", _NATIVE_ID, True),
        Field("provider", Constant("ragflow"), True),
        Field("dataset_id", _NATIVE_LOCATOR, False),
        Field("document_id", _NATIVE_LOCATOR, False),
        Field("chunk_id", _NATIVE_LOCATOR, False),
        Field("dataset_name", _NATIVE_NAME_READ, False),
        Field("document_name", _NATIVE_NAME_READ, True),
        Field("text", _NATIVE_TEXT, True),
        Field("truncated", Boolean(), False),
        Field("pages", List(_PAGE, 0, 100), False),
    ),
    False,
)
_NATIVE_SNAPSHOT = Record(
    "NativeSnapshot",
    (
        Field("version", Constant(1), True),
        Field("sources", List(_NATIVE_SOURCE, 0, 100), True),
        Field("omitted_count", Integer(0, 1000000), False),
    ),
    True,
)
_NATIVE_SNAPSHOT_READ = Record(
    "NativeSnapshotRead",
    (
        Field("version", Constant(1), True),
        Field("sources", List(_NATIVE_SOURCE_READ, 0, 100), True),
        Field("omitted_count", Integer(0, 1000000), False),
    ),
    False,
)
_TASK_ARTIFACT = Record(
    "TaskArtifact",
    (
        Field("knowledge_sources_version", Constant(1), True),
        Field("retrieval_sources", List(_KNOWLEDGE_SOURCE, 0, 100), True),
        Field("knowledge_sources", _NATIVE_SNAPSHOT_READ, False),
    ),
    False,
)
_KNOWLEDGE_CAPABILITIES = Record(
    "KnowledgeCapabilities",
    (
        Field(
            "operations",
            List(
                Choices(
                    (
                        "search",
                        "sources",
                        "catalog",
                        "documents",
                        "dataset_filter",
                        "document_filter",
                        "relations_search",
                    ),
                ),
                0,
                7,
            ),
            True,
        ),
    ),
    True,
)
_DOCUMENT_FILTER = Record(
    "DocumentFilter",
    (Field("dataset_id", _SCOPE_ID, True), Field("document_ids", List(_SCOPE_ID, 1, 1000), True)),
    True,
)
_DATASET_LABEL = Record(
    "DatasetLabel",
    (Field("dataset_id", _SCOPE_ID, True), Field("name", _SCOPE_LABEL, True)),
    True,
)
_DOCUMENT_LABEL = Record(
    "DocumentLabel",
    (
        Field("dataset_id", _SCOPE_ID, True),
        Field("document_id", _SCOPE_ID, True),
        Field("name", _SCOPE_LABEL, True),
    ),
    True,
)
_SCOPE_DISPLAY = Record(
    "ScopeDisplay",
    (
        Field("datasets", List(_DATASET_LABEL, 0, 20), False),
        Field("documents", List(_DOCUMENT_LABEL, 0, 50), False),
    ),
    True,
)
_SCOPE_ALL = Record(
    "ScopeAll",
    (Field("version", Constant(1), True), Field("mode", Constant("all"), True)),
    True,
)
_SCOPE_DISABLED = Record(
    "ScopeDisabled",
    (Field("version", Constant(1), True), Field("mode", Constant("disabled"), True)),
    True,
)
_SCOPE_SELECTED = Record(
    "ScopeSelected",
    (
        Field("version", Constant(1), True),
        Field("mode", Constant("selected"), True),
        Field("dataset_ids", List(_SCOPE_ID, 1, 100), True),
        Field("document_filters", List(_DOCUMENT_FILTER, 0, 100), False),
        Field("display", _SCOPE_DISPLAY, False),
    ),
    True,
)
_KNOWLEDGE_SCOPE = Union(
    "KnowledgeScope",
    "mode",
    (("all", _SCOPE_ALL), ("selected", _SCOPE_SELECTED), ("disabled", _SCOPE_DISABLED)),
)
_KNOWLEDGE_SOURCES_ENVELOPE = Record(
    "KnowledgeSourcesEnvelope",
    (
        Field("knowledge_sources_version", Constant(1), True),
        Field("knowledge_sources", List(_KNOWLEDGE_SOURCE, 0, 100), True),
    ),
    False,
)

SHAPES: Mapping[str, Record | Union] = {
    "KnowledgeSource": _KNOWLEDGE_SOURCE,
    "NativeSource": _NATIVE_SOURCE,
    "NativeSourceRead": _NATIVE_SOURCE_READ,
    "NativeSnapshot": _NATIVE_SNAPSHOT,
    "NativeSnapshotRead": _NATIVE_SNAPSHOT_READ,
    "TaskArtifact": _TASK_ARTIFACT,
    "KnowledgeCapabilities": _KNOWLEDGE_CAPABILITIES,
    "DocumentFilter": _DOCUMENT_FILTER,
    "DatasetLabel": _DATASET_LABEL,
    "DocumentLabel": _DOCUMENT_LABEL,
    "ScopeDisplay": _SCOPE_DISPLAY,
    "ScopeAll": _SCOPE_ALL,
    "ScopeDisabled": _SCOPE_DISABLED,
    "ScopeSelected": _SCOPE_SELECTED,
    "KnowledgeScope": _KNOWLEDGE_SCOPE,
    "KnowledgeSourcesEnvelope": _KNOWLEDGE_SOURCES_ENVELOPE,
}
"""Every definition, by name."""

_BREAKS_1 = (
    ("null", "type"),
    ("true", "type"),
    ("number", "type"),
    ("string", "type"),
    ("list", "type"),
    ("unknown key", "additionalProperties"),
)
_BREAKS_2 = (
    ("absent", "required"),
    ("null", "type"),
    ("true", "type"),
    ("number", "type"),
    ("list", "type"),
    ("object", "type"),
    ("lone surrogate", "unicode"),
    ("empty", "minLength"),
    ("too short", "minLength"),
    ("too long", "maxLength"),
    ("none accepted", "pattern"),
    ("foreign character", "pattern"),
    ("final newline", "pattern"),
    ("mangled", "pattern"),
)
_BREAKS_3 = (
    ("absent", "required"),
    ("null", "type"),
    ("true", "type"),
    ("number", "type"),
    ("list", "type"),
    ("object", "type"),
    ("lone surrogate", "unicode"),
    ("empty", "minLength"),
    ("too long", "maxLength"),
    ("none accepted", "pattern"),
    ("foreign character", "pattern"),
    ("final newline", "pattern"),
    ("mangled", "pattern"),
)
_BREAKS_4 = (
    ("absent", "required"),
    ("null", "type"),
    ("true", "type"),
    ("number", "type"),
    ("list", "type"),
    ("object", "type"),
    ("lone surrogate", "unicode"),
    ("empty", "minLength"),
    ("too long", "maxLength"),
    ("none accepted", "pattern"),
    ("foreign character", "pattern"),
    ("final newline", "pattern"),
)
_BREAKS_5 = (
    ("absent", "required"),
    ("null", "type"),
    ("true", "type"),
    ("number", "type"),
    ("list", "type"),
    ("object", "type"),
    ("lone surrogate", "unicode"),
    ("empty", "minLength"),
    ("too long", "maxLength"),
    ("none accepted", "pattern"),
    ("foreign character", "pattern"),
)
_BREAKS_6 = (
    ("null", "type"),
    ("true", "type"),
    ("number", "type"),
    ("list", "type"),
    ("object", "type"),
    ("lone surrogate", "unicode"),
    ("empty", "minLength"),
    ("too long", "maxLength"),
    ("none accepted", "pattern"),
    ("foreign character", "pattern"),
    ("final newline", "pattern"),
)
_BREAKS_7 = (
    ("null", "type"),
    ("true", "type"),
    ("number", "type"),
    ("list", "type"),
    ("object", "type"),
    ("lone surrogate", "unicode"),
    ("empty", "minLength"),
    ("too short", "minLength"),
    ("too long", "maxLength"),
    ("none accepted", "pattern"),
    ("foreign character", "pattern"),
    ("final newline", "pattern"),
    ("mangled", "pattern"),
)
_BREAKS_8 = (
    ("null", "type"),
    ("true", "type"),
    ("false", "type"),
    ("fraction", "type"),
    ("string", "type"),
    ("list", "type"),
    ("object", "type"),
    ("below", "minimum"),
    ("far below", "minimum"),
    ("above", "maximum"),
    ("far above", "maximum"),
)
_BREAKS_9 = (
    ("absent", "required"),
    ("null", "const"),
    ("true", "const"),
    ("false", "const"),
    ("number", "const"),
    ("string", "const"),
    ("list", "const"),
    ("object", "const"),
)
_BREAKS_10 = (
    ("absent", "required"),
    ("null", "type"),
    ("true", "type"),
    ("number", "type"),
    ("list", "type"),
    ("object", "type"),
    ("lone surrogate", "unicode"),
    ("empty", "minLength"),
    ("too long", "maxLength"),
)
_BREAKS_11 = (
    ("absent", "required"),
    ("null", "type"),
    ("true", "type"),
    ("number", "type"),
    ("list", "type"),
    ("object", "type"),
    ("lone surrogate", "unicode"),
    ("empty", "minLength"),
    ("too long", "maxLength"),
    ("none accepted", "pattern"),
)
_BREAKS_12 = (
    ("absent", "required"),
    ("null", "type"),
    ("number", "type"),
    ("string", "type"),
    ("list", "type"),
    ("object", "type"),
)
_BREAKS_13 = (
    ("absent", "required"),
    ("null", "type"),
    ("true", "type"),
    ("number", "type"),
    ("string", "type"),
    ("object", "type"),
    ("too many", "maxItems"),
)
_BREAKS_14 = (
    ("null", "type"),
    ("true", "type"),
    ("number", "type"),
    ("string", "type"),
    ("list", "type"),
)
_BREAKS_15 = (
    ("null", "type"),
    ("true", "type"),
    ("number", "type"),
    ("list", "type"),
    ("object", "type"),
    ("lone surrogate", "unicode"),
    ("empty", "minLength"),
    ("too long", "maxLength"),
)
_BREAKS_16 = (
    ("null", "type"),
    ("true", "type"),
    ("number", "type"),
    ("list", "type"),
    ("object", "type"),
    ("lone surrogate", "unicode"),
    ("empty", "minLength"),
    ("too long", "maxLength"),
    ("none accepted", "pattern"),
)
_BREAKS_17 = (
    ("null", "type"),
    ("number", "type"),
    ("string", "type"),
    ("list", "type"),
    ("object", "type"),
)
_BREAKS_18 = (
    ("null", "type"),
    ("true", "type"),
    ("number", "type"),
    ("string", "type"),
    ("object", "type"),
    ("too many", "maxItems"),
)
_BREAKS_19 = (
    ("null", "enum"),
    ("true", "enum"),
    ("false", "enum"),
    ("number", "enum"),
    ("string", "enum"),
    ("list", "enum"),
    ("object", "enum"),
)
_BREAKS_20 = (
    ("absent", "required"),
    ("null", "type"),
    ("true", "type"),
    ("number", "type"),
    ("string", "type"),
    ("object", "type"),
    ("too few", "minItems"),
    ("too many", "maxItems"),
)
_BREAKS_21 = (
    ("absent", "required"),
    ("null", "oneOf"),
    ("true", "oneOf"),
    ("false", "oneOf"),
    ("number", "oneOf"),
    ("string", "oneOf"),
    ("list", "oneOf"),
    ("object", "oneOf"),
)
_BREAKS_22 = (("unknown key", "additionalProperties"),)

MUTATIONS: Mapping[str, Mapping[Place, tuple[tuple[str, str], ...]]] = {
    "KnowledgeSource": {
        (): _BREAKS_1,
        ("id",): _BREAKS_2,
        ("provider",): _BREAKS_3,
        ("title",): _BREAKS_4,
        ("excerpt",): _BREAKS_5,
        ("dataset_name",): _BREAKS_6,
        ("url",): _BREAKS_7,
        ("page",): _BREAKS_8,
    },
    "NativeSource": {
        (): _BREAKS_1,
        ("id",): _BREAKS_2,
        ("provider",): _BREAKS_9,
        ("dataset_id",): _BREAKS_10,
        ("document_id",): _BREAKS_10,
        ("chunk_id",): _BREAKS_10,
        ("dataset_name",): _BREAKS_11,
        ("document_name",): _BREAKS_11,
        ("text",): _BREAKS_11,
        ("truncated",): _BREAKS_12,
        ("pages",): _BREAKS_13,
        ("pages", "*"): _BREAKS_8,
    },
    "NativeSourceRead": {
        (): _BREAKS_14,
        ("id",): _BREAKS_2,
        ("provider",): _BREAKS_9,
        ("dataset_id",): _BREAKS_15,
        ("document_id",): _BREAKS_15,
        ("chunk_id",): _BREAKS_15,
        ("dataset_name",): _BREAKS_16,
        ("document_name",): _BREAKS_11,
        ("text",): _BREAKS_11,
        ("truncated",): _BREAKS_17,
        ("pages",): _BREAKS_18,
        ("pages", "*"): _BREAKS_8,
    },
    "NativeSnapshot": {
        (): _BREAKS_1,
        ("version",): _BREAKS_9,
        ("sources",): _BREAKS_13,
        ("sources", "*"): _BREAKS_1,
        ("sources", "*", "id"): _BREAKS_2,
        ("sources", "*", "provider"): _BREAKS_9,
        ("sources", "*", "dataset_id"): _BREAKS_10,
        ("sources", "*", "document_id"): _BREAKS_10,
        ("sources", "*", "chunk_id"): _BREAKS_10,
        ("sources", "*", "dataset_name"): _BREAKS_11,
        ("sources", "*", "document_name"): _BREAKS_11,
        ("sources", "*", "text"): _BREAKS_11,
        ("sources", "*", "truncated"): _BREAKS_12,
        ("sources", "*", "pages"): _BREAKS_13,
        ("sources", "*", "pages", "*"): _BREAKS_8,
        ("omitted_count",): _BREAKS_8,
    },
    "NativeSnapshotRead": {
        (): _BREAKS_14,
        ("version",): _BREAKS_9,
        ("sources",): _BREAKS_13,
        ("sources", "*"): _BREAKS_14,
        ("sources", "*", "id"): _BREAKS_2,
        ("sources", "*", "provider"): _BREAKS_9,
        ("sources", "*", "dataset_id"): _BREAKS_15,
        ("sources", "*", "document_id"): _BREAKS_15,
        ("sources", "*", "chunk_id"): _BREAKS_15,
        ("sources", "*", "dataset_name"): _BREAKS_16,
        ("sources", "*", "document_name"): _BREAKS_11,
        ("sources", "*", "text"): _BREAKS_11,
        ("sources", "*", "truncated"): _BREAKS_17,
        ("sources", "*", "pages"): _BREAKS_18,
        ("sources", "*", "pages", "*"): _BREAKS_8,
        ("omitted_count",): _BREAKS_8,
    },
    "TaskArtifact": {
        (): _BREAKS_14,
        ("knowledge_sources_version",): _BREAKS_9,
        ("retrieval_sources",): _BREAKS_13,
        ("retrieval_sources", "*"): _BREAKS_1,
        ("retrieval_sources", "*", "id"): _BREAKS_2,
        ("retrieval_sources", "*", "provider"): _BREAKS_3,
        ("retrieval_sources", "*", "title"): _BREAKS_4,
        ("retrieval_sources", "*", "excerpt"): _BREAKS_5,
        ("retrieval_sources", "*", "dataset_name"): _BREAKS_6,
        ("retrieval_sources", "*", "url"): _BREAKS_7,
        ("retrieval_sources", "*", "page"): _BREAKS_8,
        ("knowledge_sources",): _BREAKS_14,
        ("knowledge_sources", "version"): _BREAKS_9,
        ("knowledge_sources", "sources"): _BREAKS_13,
        ("knowledge_sources", "sources", "*"): _BREAKS_14,
        ("knowledge_sources", "sources", "*", "id"): _BREAKS_2,
        ("knowledge_sources", "sources", "*", "provider"): _BREAKS_9,
        ("knowledge_sources", "sources", "*", "dataset_id"): _BREAKS_15,
        ("knowledge_sources", "sources", "*", "document_id"): _BREAKS_15,
        ("knowledge_sources", "sources", "*", "chunk_id"): _BREAKS_15,
        ("knowledge_sources", "sources", "*", "dataset_name"): _BREAKS_16,
        ("knowledge_sources", "sources", "*", "document_name"): _BREAKS_11,
        ("knowledge_sources", "sources", "*", "text"): _BREAKS_11,
        ("knowledge_sources", "sources", "*", "truncated"): _BREAKS_17,
        ("knowledge_sources", "sources", "*", "pages"): _BREAKS_18,
        ("knowledge_sources", "sources", "*", "pages", "*"): _BREAKS_8,
        ("knowledge_sources", "omitted_count"): _BREAKS_8,
    },
    "KnowledgeCapabilities": {
        (): _BREAKS_1,
        ("operations",): _BREAKS_13,
        ("operations", "*"): _BREAKS_19,
    },
    "DocumentFilter": {
        (): _BREAKS_1,
        ("dataset_id",): _BREAKS_11,
        ("document_ids",): _BREAKS_20,
        ("document_ids", "*"): _BREAKS_16,
    },
    "DatasetLabel": {
        (): _BREAKS_1,
        ("dataset_id",): _BREAKS_11,
        ("name",): _BREAKS_11,
    },
    "DocumentLabel": {
        (): _BREAKS_1,
        ("dataset_id",): _BREAKS_11,
        ("document_id",): _BREAKS_11,
        ("name",): _BREAKS_11,
    },
    "ScopeDisplay": {
        (): _BREAKS_1,
        ("datasets",): _BREAKS_18,
        ("datasets", "*"): _BREAKS_1,
        ("datasets", "*", "dataset_id"): _BREAKS_11,
        ("datasets", "*", "name"): _BREAKS_11,
        ("documents",): _BREAKS_18,
        ("documents", "*"): _BREAKS_1,
        ("documents", "*", "dataset_id"): _BREAKS_11,
        ("documents", "*", "document_id"): _BREAKS_11,
        ("documents", "*", "name"): _BREAKS_11,
    },
    "ScopeAll": {
        (): _BREAKS_1,
        ("version",): _BREAKS_9,
        ("mode",): _BREAKS_9,
    },
    "ScopeDisabled": {
        (): _BREAKS_1,
        ("version",): _BREAKS_9,
        ("mode",): _BREAKS_9,
    },
    "ScopeSelected": {
        (): _BREAKS_1,
        ("version",): _BREAKS_9,
        ("mode",): _BREAKS_9,
        ("dataset_ids",): _BREAKS_20,
        ("dataset_ids", "*"): _BREAKS_16,
        ("document_filters",): _BREAKS_18,
        ("document_filters", "*"): _BREAKS_1,
        ("document_filters", "*", "dataset_id"): _BREAKS_11,
        ("document_filters", "*", "document_ids"): _BREAKS_20,
        ("document_filters", "*", "document_ids", "*"): _BREAKS_16,
        ("display",): _BREAKS_1,
        ("display", "datasets"): _BREAKS_18,
        ("display", "datasets", "*"): _BREAKS_1,
        ("display", "datasets", "*", "dataset_id"): _BREAKS_11,
        ("display", "datasets", "*", "name"): _BREAKS_11,
        ("display", "documents"): _BREAKS_18,
        ("display", "documents", "*"): _BREAKS_1,
        ("display", "documents", "*", "dataset_id"): _BREAKS_11,
        ("display", "documents", "*", "document_id"): _BREAKS_11,
        ("display", "documents", "*", "name"): _BREAKS_11,
    },
    "KnowledgeScope": {
        (): _BREAKS_14,
        ("mode",): _BREAKS_21,
        ("mode=all",): _BREAKS_22,
        ("mode=all", "version"): _BREAKS_9,
        ("mode=selected",): _BREAKS_22,
        ("mode=selected", "version"): _BREAKS_9,
        ("mode=selected", "dataset_ids"): _BREAKS_20,
        ("mode=selected", "dataset_ids", "*"): _BREAKS_16,
        ("mode=selected", "document_filters"): _BREAKS_18,
        ("mode=selected", "document_filters", "*"): _BREAKS_1,
        ("mode=selected", "document_filters", "*", "dataset_id"): _BREAKS_11,
        ("mode=selected", "document_filters", "*", "document_ids"): _BREAKS_20,
        ("mode=selected", "document_filters", "*", "document_ids", "*"): _BREAKS_16,
        ("mode=selected", "display"): _BREAKS_1,
        ("mode=selected", "display", "datasets"): _BREAKS_18,
        ("mode=selected", "display", "datasets", "*"): _BREAKS_1,
        ("mode=selected", "display", "datasets", "*", "dataset_id"): _BREAKS_11,
        ("mode=selected", "display", "datasets", "*", "name"): _BREAKS_11,
        ("mode=selected", "display", "documents"): _BREAKS_18,
        ("mode=selected", "display", "documents", "*"): _BREAKS_1,
        ("mode=selected", "display", "documents", "*", "dataset_id"): _BREAKS_11,
        ("mode=selected", "display", "documents", "*", "document_id"): _BREAKS_11,
        ("mode=selected", "display", "documents", "*", "name"): _BREAKS_11,
        ("mode=disabled",): _BREAKS_22,
        ("mode=disabled", "version"): _BREAKS_9,
    },
    "KnowledgeSourcesEnvelope": {
        (): _BREAKS_14,
        ("knowledge_sources_version",): _BREAKS_9,
        ("knowledge_sources",): _BREAKS_13,
        ("knowledge_sources", "*"): _BREAKS_1,
        ("knowledge_sources", "*", "id"): _BREAKS_2,
        ("knowledge_sources", "*", "provider"): _BREAKS_3,
        ("knowledge_sources", "*", "title"): _BREAKS_4,
        ("knowledge_sources", "*", "excerpt"): _BREAKS_5,
        ("knowledge_sources", "*", "dataset_name"): _BREAKS_6,
        ("knowledge_sources", "*", "url"): _BREAKS_7,
        ("knowledge_sources", "*", "page"): _BREAKS_8,
    },
}
"""For every definition and place: what can be done, and the rule it breaks."""
