"""What hand-written code would otherwise repeat: every bound, limit, key and handle by name.

Both languages get the same names and values, from this one list.
"""

from dataclasses import dataclass
from typing import TypeAlias

from contract_codegen import model
from contract_codegen.model import Choices, Contract, Integer, List, Record, Text, Type
from contract_codegen.patterns import NotBlank, characters
from contract_codegen.source import upper

Value: TypeAlias = int | str | tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Constant:
    """A named value and what it means."""

    name: str
    value: Value
    description: str


def list_constants(contract: Contract) -> tuple[Constant, ...]:
    """Return all constants in the contract's order."""
    return (
        *_limits(contract),
        *_handles(contract),
        *_scalars(contract),
        *_bounds(contract),
    )


def _limits(contract: Contract) -> list[Constant]:
    return [
        Constant(
            name="CONTRACT_FILE",
            value=contract.file_name,
            description="The contract that this code was generated from.",
        ),
        Constant(
            name="CONTRACT_SHA256",
            value=contract.digest,
            description="The SHA-256 of the contract's bytes.",
        ),
        Constant(
            name="RESERVED_KEYS",
            value=contract.reserved_keys,
            description="Artifact keys that only server-side producers may write.",
        ),
        *(
            Constant(name=upper(limit.name), value=limit.value, description=limit.description)
            for limit in contract.limits
        ),
        Constant(
            name="ID_DOMAIN",
            value=contract.identity.domain,
            description="The first field of an id's preimage.",
        ),
        Constant(
            name="ID_DIGITS",
            value=contract.identity.digits,
            description="Hexadecimal digits of an id.",
        ),
    ]


def _handles(contract: Contract) -> list[Constant]:
    handles = contract.handles
    found = [
        Constant(
            name="SANITISED_PREFIX",
            value=handles.sanitised_prefix,
            description="What HTML sanitisers put before an anchor.",
        ),
        Constant(
            name="LABEL_MAX_CHARS",
            value=handles.label_max_chars,
            description="Code points of a label made from a title.",
        ),
        Constant(
            name="FALLBACK_LABEL",
            value=handles.fallback_label,
            description="The label of a title that leaves nothing to show.",
        ),
    ]
    for form in handles.forms:
        name = upper(form.name)
        pattern = form.id.pattern
        found += [
            Constant(
                name=f"{name}_LABEL",
                value=form.label,
                description=f"What a {form.name} handle's label starts with.",
            ),
            Constant(
                name=f"{name}_DESTINATION",
                value=form.destination,
                description=f"What a {form.name} handle's destination starts with.",
            ),
            Constant(
                name=f"{name}_ID_PATTERN",
                value=pattern.source.removeprefix("^").removesuffix("$") if pattern else "",
                description=f"A regular expression for the id in a {form.name} handle, unanchored.",
            ),
        ]
        if form.tool_names:
            found.append(
                Constant(
                    name=f"{name}_TOOL_NAMES",
                    value=form.tool_names,
                    description=f"The only tools whose {form.name} records are read.",
                )
            )
    return found


def _scalars(contract: Contract) -> list[Constant]:
    found: list[Constant] = []
    for scalar in contract.scalars:
        name = upper(scalar.name)
        found += _of_type(name, scalar.type)
        meaning = scalar.type.meaning if isinstance(scalar.type, Text) else None
        if isinstance(meaning, NotBlank):
            found.append(
                Constant(
                    name=f"{name}_BLANKS",
                    value=characters(meaning.blanks),
                    description=f"The blank characters of {scalar.name}, each once.",
                )
            )
            if meaning.excluded:
                found.append(
                    Constant(
                        name=f"{name}_EXCLUDED",
                        value=characters(meaning.excluded),
                        description=f"The characters that {scalar.name} never holds, each once.",
                    )
                )
    return found


def _bounds(contract: Contract) -> list[Constant]:
    found: list[Constant] = []
    for definition in contract.definitions:
        if isinstance(definition, Record):
            for field in definition.fields:
                if getattr(field.type, "scalar", None) is None:
                    found += _of_type(f"{upper(definition.name)}_{upper(field.name)}", field.type)
    return found


def _of_type(name: str, wire: Type) -> list[Constant]:
    match wire:
        case Text(min_length=least, max_length=most):
            return [
                Constant(name=f"{name}_MIN_LENGTH", value=least, description="Code points."),
                Constant(name=f"{name}_MAX_LENGTH", value=most, description="Code points."),
            ]
        case Integer(minimum=least, maximum=most):
            return [
                Constant(name=f"{name}_MINIMUM", value=least, description="Inclusive."),
                Constant(name=f"{name}_MAXIMUM", value=most, description="Inclusive."),
            ]
        case List(items=items, min_items=least, max_items=most):
            found = [Constant(name=f"{name}_MAX_ITEMS", value=most, description="Entries.")]
            if least:
                found.insert(
                    0, Constant(name=f"{name}_MIN_ITEMS", value=least, description="Entries.")
                )
            return found + (_of_type(name, items) if isinstance(items, Choices) else [])
        case model.Constant(value=value):
            return [Constant(name=name, value=value, description="The only value.")]
        case Choices(values=values):
            return [Constant(name=f"{name}_VALUES", value=values, description="In order.")]
    return []
