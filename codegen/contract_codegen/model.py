"""The intermediate form: what a contract says, without JSON Schema's many spellings.

Every emitter is a pure function of `Contract`. Lengths count Unicode code points,
bounds are inclusive, and tuples keep the order of the contract file.
"""

from dataclasses import dataclass
from typing import TypeAlias

from contract_codegen.patterns import Meaning, Pattern


@dataclass(frozen=True, kw_only=True, slots=True)
class Text:
    """A string; `scalar` is the `$defs` name it came from, if it has one."""

    min_length: int
    max_length: int
    pattern: Pattern | None
    meaning: Meaning | None
    scalar: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Integer:
    """An integral number that is never a boolean; `1.0` counts."""

    minimum: int
    maximum: int
    scalar: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Boolean:
    """`true` or `false`, nothing that merely equals them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Constant:
    """Exactly one value; a boolean never equals a number."""

    value: int | str


@dataclass(frozen=True, kw_only=True, slots=True)
class Choices:
    """One of some strings."""

    values: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class List:
    """An array of one type."""

    items: "Type"
    min_items: int
    max_items: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Named:
    """A record or union, by its `$defs` name."""

    name: str


Type: TypeAlias = Text | Integer | Boolean | Constant | Choices | List | Named


@dataclass(frozen=True, kw_only=True, slots=True)
class Field:
    """A property of a record. Optional means absent: null is never allowed."""

    name: str
    type: Type
    required: bool
    description: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """An object. A closed one refuses unknown keys, an open one ignores them."""

    name: str
    description: str
    fields: tuple[Field, ...]
    closed: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Union:
    """One of several closed records, told apart by the constant string under `tag`."""

    name: str
    description: str
    tag: str
    branches: tuple[tuple[str, str], ...]
    """Pairs of the tag's value and the record's name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Scalar:
    """A named string or integer that records share."""

    name: str
    description: str
    type: Text | Integer


@dataclass(frozen=True, kw_only=True, slots=True)
class Identity:
    """The recipe of an id (`x-identity`)."""

    description: str
    definition: str
    id_field: str
    digits: int
    separator: str
    domain: str
    fields: tuple[Field, ...]
    vectors: tuple[tuple[dict[str, object], str], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Limit:
    """A named number beside the schema (`x-limits`)."""

    name: str
    description: str
    value: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Handle:
    """How one form of citation is written (`x-handles`)."""

    name: str
    description: str
    label: str
    destination: str
    id: Text
    tool_names: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Handles:
    """All handles and what their labels are made of."""

    forms: tuple[Handle, ...]
    sanitised_prefix: str
    label_max_chars: int
    fallback_label: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Contract:
    """A loaded contract. `definitions` lists what others need first; the root comes last."""

    file_name: str
    digest: str
    schema: dict[str, object]
    title: str
    description: str
    root: str
    definitions: tuple[Record | Union, ...]
    scalars: tuple[Scalar, ...]
    identity: Identity
    limits: tuple[Limit, ...]
    handles: Handles
    reserved_keys: tuple[str, ...]

    def definition(self, name: str) -> Record | Union:
        """Return the record or union of that name; the name must exist."""
        return next(each for each in self.definitions if each.name == name)
