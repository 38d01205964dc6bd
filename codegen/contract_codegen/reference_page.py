"""Emit the reference page: the contract as a person reads it."""

import json
from pathlib import PurePosixPath

from contract_codegen.annotations import compute_preimage
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

_READING = (
    "Lengths count Unicode code points and bounds are inclusive. "
    "An optional field is absent, never null.\n"
    "How a reader proceeds stands in `contracts/README.md`.\n\n"
)


def emit_reference_page(contract: Contract) -> dict[str, str]:
    """Return the page, in CommonMark with tables."""
    name = PurePosixPath(contract.file_name).stem
    parts = [
        _head(contract),
        f"# {name}\n\n{contract.description}\n\n",
        _READING,
        "## Definitions\n\n",
        *map(_definition, (contract.definitions[-1], *contract.definitions[:-1])),
        "## Texts and numbers\n\n",
        *map(_scalar, contract.scalars),
        _identity(contract),
        _limits(contract),
        _handles(contract),
        _reserved(contract),
    ]
    return {f"docs/{name}.md": "".join(parts).rstrip("\n") + "\n"}


def _head(contract: Contract) -> str:
    return (
        f"<!-- Generated from contracts/{contract.file_name} (sha256 {contract.digest}).\n"
        "     Do not edit: change the contract or codegen/, "
        "then run `knowledge-contract generate`. -->\n\n"
    )


def _definition(definition: Record | Union) -> str:
    head = f"### {definition.name}\n\n{definition.description}\n\n"
    if isinstance(definition, Union):
        rows = "".join(
            f"| `{value}` | {_link(record)} |\n" for value, record in definition.branches
        )
        return f"{head}| `{definition.tag}` | definition |\n|---|---|\n{rows}\n"
    rows = "".join(map(_field, definition.fields))
    rest = "Unknown keys are refused." if definition.closed else "Unknown keys are ignored."
    return f"{head}| field | value | meaning |\n|---|---|---|\n{rows}\n{rest}\n\n"


def _field(field: Field) -> str:
    optional = "" if field.required else " (optional)"
    return f"| `{field.name}`{optional} | {_value(field.type)} | {_cell(field.description)} |\n"


def _value(wire: Type) -> str:
    match wire:
        case Text(scalar=str(name)) | Integer(scalar=str(name)) | Named(name=name):
            return _link(name)
        case Text(min_length=least, max_length=most):
            return f"string of {least:,} to {most:,}"
        case Integer(minimum=least, maximum=most):
            return f"integer {least:,} to {most:,}"
        case Boolean():
            return "boolean"
        case Constant(value=value):
            return f"always `{json.dumps(value)}`"
        case Choices(values=values):
            return "one of " + ", ".join(f"`{value}`" for value in values)
        case List(items=items, min_items=least, max_items=most):
            return f"{least:,} to {most:,} times {_value(items)}"


def _link(name: str) -> str:
    return f"[{name}](#{name.lower()})"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _scalar(scalar: Scalar) -> str:
    wire = scalar.type
    head = f"### {scalar.name}\n\n{scalar.description}\n\n"
    if isinstance(wire, Integer):
        return f"{head}An integer from {wire.minimum:,} to {wire.maximum:,}.\n\n"
    text = f"{head}A string of {wire.min_length:,} to {wire.max_length:,} code points"
    if wire.pattern is None:
        return f"{text}.\n\n"
    return f"{text} that matches\n\n```text\n{wire.pattern.source}\n```\n\n"


def _identity(contract: Contract) -> str:
    identity = contract.identity
    names = ", ".join(f"`{field.name}`" for field in identity.fields)
    parts = [
        f"## The id\n\n{identity.description}\n\n",
        (
            f"Domain `{identity.domain}`, then {names}; "
            f"separator U+{ord(identity.separator):04X}; SHA-256; {identity.digits} digits.\n\n"
        ),
    ]
    for source, expected in identity.vectors:
        preimage = compute_preimage(identity, source)
        parts.append(
            f"```json\n{json.dumps(source, ensure_ascii=False, indent=2)}\n```\n\n"
            f"Preimage in hexadecimal:\n\n```text\n{preimage.hex()}\n```\n\n"
            f"Id: `{expected}`\n\n"
        )
    return "".join(parts)


def _limits(contract: Contract) -> str:
    rows = "".join(
        f"| `{limit.name}` | {limit.value:,} | {_cell(limit.description)} |\n"
        for limit in contract.limits
    )
    return f"## Limits\n\n| name | value | meaning |\n|---|---|---|\n{rows}\n"


def _handles(contract: Contract) -> str:
    handles = contract.handles
    rows = "".join(
        f"| {form.name} | `[{form.label}Label]({form.destination}<id>)` "
        f"| {_link(form.id.scalar or '')} | {_cell(form.description)} |\n"
        for form in handles.forms
    )
    tools = "".join(
        f"Tools whose {form.name} records are read: "
        + ", ".join(f"`{name}`" for name in form.tool_names)
        + ".\n"
        for form in handles.forms
        if form.tool_names
    )
    return (
        f"## Handles\n\n| form | written | id | remark |\n|---|---|---|---|\n{rows}\n"
        f"Labels have at most {handles.label_max_chars} code points; "
        f"a title that leaves nothing to show is labelled `{handles.fallback_label}`.\n"
        f"In answers and reports `#` may be followed by `{handles.sanitised_prefix}`.\n{tools}\n"
    )


def _reserved(contract: Contract) -> str:
    keys = ", ".join(f"`{key}`" for key in contract.reserved_keys)
    return f"## Reserved keys\n\nOnly server-side producers may write {keys} on an artifact.\n"
