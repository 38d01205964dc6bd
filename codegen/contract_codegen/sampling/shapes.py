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

# Generation replaces what follows by the contract's own tables.

SHAPES: Mapping[str, Record | Union] = {}
MUTATIONS: Mapping[str, Mapping[Place, tuple[tuple[str, str], ...]]] = {}
