"""Emit `knowledge_wire.models` through datamodel-code-generator.

The generator is fed a lowered schema in which everything stands that it keeps, and types of
our own where it would accept more than the contract: JSON integers, numeric constants, nulls.
"""

import json
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import Any

from contract_codegen.errors import OutputError
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
from contract_codegen.source import LINE_LENGTH, docstring, header, quote, raw_literal

_WIRE_TYPES = "knowledge_wire.model_types"
_DOCSTRING = '''"""Pydantic models of the contract, for code that wants attributes and schema tools.

An optional field that is absent is None; an explicit null is refused. Dump with
`exclude_none=True`, so that absent stays absent.
"""
'''


def emit_models(contract: Contract) -> dict[str, str]:
    """Return the module of models and the module of the types they need.

    Raises:
        OutputError: the generator failed, warned, or left out a definition.
    """
    models = _generate(contract)
    for definition in contract.definitions:
        if f"\nclass {definition.name}(" not in models:
            raise OutputError(f"models.py: the generator left out {definition.name}")
    return {
        "python/knowledge_wire/models.py": models,
        "python/knowledge_wire/model_types.py": _model_types(contract),
    }


def _generate(contract: Contract) -> str:
    # Imported here: it takes a third of a second, and most runs of the tool do not generate.
    from datamodel_code_generator import LiteralType, generate  # noqa: PLC0415 - see above
    from datamodel_code_generator.enums import (  # noqa: PLC0415 - see above
        DataModelType,
        InputFileType,
        StrictTypes,
        TargetPydanticVersion,
    )
    from datamodel_code_generator.format import (  # noqa: PLC0415 - see above
        Formatter,
        PythonVersion,
    )

    with warnings.catch_warnings():
        # A warning of the generator is a constraint that it dropped.
        warnings.simplefilter("error", UserWarning)
        text = generate(
            json.dumps(_lowered(contract)),
            input_file_type=InputFileType.JsonSchema,
            output_model_type=DataModelType.PydanticV2BaseModel,
            target_python_version=PythonVersion.PY_311,
            target_pydantic_version=TargetPydanticVersion.V2_11,
            formatters=[Formatter.BUILTIN],
            builtin_format_line_length=LINE_LENGTH,
            use_double_quotes=True,
            disable_timestamp=True,
            custom_file_header=f"{header(contract)}{_DOCSTRING}",
            base_class=f"{_WIRE_TYPES}.WireModel",
            use_annotated=True,
            field_constraints=True,
            strict_types=[StrictTypes.str, StrictTypes.int, StrictTypes.float, StrictTypes.bool],
            enable_faux_immutability=True,
            enum_field_as_literal=LiteralType.All,
            use_schema_description=True,
            use_field_description=True,
            use_attribute_docstrings=True,
            use_single_line_docstring=True,
            use_union_operator=True,
            use_standard_collections=True,
            keep_model_order=True,
            disable_future_imports=True,
            allow_remote_refs=False,
            type_overrides=_overrides(contract),
        )
    if not isinstance(text, str):
        raise OutputError("models.py: the generator returned no single module")
    return text.rstrip("\n") + "\n"


def _lowered(contract: Contract) -> dict[str, Any]:
    definitions = {each.name: _definition(each) for each in contract.definitions}
    root = definitions.pop(contract.root)
    ours = {name: {"title": name, "type": "string"} for name in _own_types(contract)}
    return {"$schema": contract.schema["$schema"], **root, "$defs": {**definitions, **ours}}


def _definition(definition: Record | Union) -> dict[str, Any]:
    head = {"title": definition.name, "description": definition.description}
    if isinstance(definition, Union):
        return {**head, "oneOf": [_reference(name) for _, name in definition.branches]}
    return {
        **head,
        "type": "object",
        "properties": {field.name: _property(definition, field) for field in definition.fields},
        "required": [field.name for field in definition.fields if field.required],
        "additionalProperties": not definition.closed,
    }


def _property(record: Record, field: Field) -> dict[str, Any]:
    if isinstance(field.type, List):
        wire = _list(field.type, _item_name(record, field))
    else:
        wire = _type(field.type)
    return {"description": field.description, **wire}


def _list(wire: List, item_name: str) -> dict[str, Any]:
    match wire.items:
        case Integer(scalar=None):
            items = _reference(item_name)
        case Constant(value=int(value)):
            items = _reference(_constant_name(value))
        case _:
            items = _type(wire.items)
    array = {"type": "array", "items": items, "maxItems": wire.max_items}
    return {**array, "minItems": wire.min_items} if wire.min_items else array


def _item_name(record: Record, field: Field) -> str:
    return f"{record.name}{''.join(map(str.capitalize, field.name.split('_')))}Item"


def _reference(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def _type(wire: Type) -> dict[str, Any]:
    match wire:
        case Text(scalar=str(name)) | Integer(scalar=str(name)):
            return _reference(name)
        case Text(min_length=least, max_length=most, pattern=pattern):
            bounds = {"type": "string", "minLength": least, "maxLength": most}
            return {**bounds, "pattern": pattern.source} if pattern is not None else bounds
        case Integer(minimum=least, maximum=most):
            return {"type": "integer", "minimum": least, "maximum": most}
        case Boolean():
            return {"type": "boolean"}
        case Constant(value=value):
            return {"const": value}
        case Choices(values=values):
            return {"enum": list(values)}
        case Named(name=name):
            return _reference(name)
    raise TypeError("the loader refuses lists of lists")


def _overrides(contract: Contract) -> dict[str, str]:
    """Return the fields whose type must be ours, by `Model.field`."""
    overrides = {name: f"{_WIRE_TYPES}.{name}" for name in _own_types(contract)}
    for record, field in _fields(contract):
        place = f"{record.name}.{field.name}"
        match field.type:
            case Integer(scalar=None):
                overrides[place] = f"{_WIRE_TYPES}.JsonInteger"
            case Constant(value=int(value)):
                overrides[place] = f"{_WIRE_TYPES}.{_constant_name(value)}"
    return overrides


def _fields(contract: Contract) -> Iterator[tuple[Record, Field]]:
    for definition in contract.definitions:
        if isinstance(definition, Record):
            for field in definition.fields:
                yield definition, field


def _integer_constants(contract: Contract) -> list[int]:
    values: set[int] = set()
    for _, field in _fields(contract):
        inner = field.type.items if isinstance(field.type, List) else field.type
        if isinstance(inner, Constant) and isinstance(inner.value, int):
            values.add(inner.value)
    return sorted(values)


def _item_scalars(contract: Contract) -> list[Scalar]:
    """Return a named type for each list of numbers: an override reaches no list's items."""
    return [
        Scalar(name=_item_name(record, field), description=field.description, type=field.type.items)
        for record, field in _fields(contract)
        if isinstance(field.type, List)
        and isinstance(field.type.items, Integer)
        and field.type.items.scalar is None
    ]


def _own_types(contract: Contract) -> list[str]:
    """Return the names of the types that the generator must take from our own module.

    Raises:
        OutputError: a definition already has one of the names.
    """
    scalars = [each.name for each in (*contract.scalars, *_item_scalars(contract))]
    names = [*map(_constant_name, _integer_constants(contract)), *scalars]
    for name, count in Counter([*names, *(each.name for each in contract.definitions)]).items():
        if count > 1:
            raise OutputError(f"model_types.py: {name!r} would name two types")
    return names


def _constant_name(value: int) -> str:
    return f"Exactly{value}" if value >= 0 else f"ExactlyMinus{-value}"


def _model_types(contract: Contract) -> str:
    rows = "".join(map(_scalar, (*contract.scalars, *_item_scalars(contract)))) + "".join(
        f"\n{_constant_name(value)}: TypeAlias = Annotated[\n"
        f"    Literal[{value}], BeforeValidator(_refuse_boolean)\n]\n"
        f'"""The number {value}; a boolean is refused, which a bare literal lets pass."""\n'
        for value in _integer_constants(contract)
    )
    names = sorted([*_own_types(contract), "JsonInteger", "WireModel"])
    exported = "".join(f"    {quote(name)},\n" for name in names)
    return f"{header(contract)}{_TYPES_HEAD}__all__ = [\n{exported}]\n{_TYPES_BODY}{rows}"


def _scalar(scalar: Scalar) -> str:
    wire = scalar.type
    if isinstance(wire, Integer):
        base, bounds = "JsonInteger", [f"ge={wire.minimum}", f"le={wire.maximum:_}"]
    else:
        base = "StrictStr"
        bounds = [f"min_length={wire.min_length}", f"max_length={wire.max_length:_}"]
        if wire.pattern is not None:
            # Rust's `$` is the very end, so that the contract's `not` twins say nothing new.
            bounds.append(
                f"pattern=(\n            {raw_literal(wire.pattern.source, 12)}\n        )"
            )
    body = "".join(f"        {bound},\n" for bound in bounds)
    return (
        f"\n{scalar.name}: TypeAlias = Annotated[\n    {base},\n    Field(\n{body}    ),\n]\n"
        f"{docstring(scalar.description)}"
    )


_TYPES_HEAD = '''"""The types that keep pydantic as strict as the contract."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, Field, StrictInt, StrictStr, field_validator

'''

_TYPES_BODY = '''

class WireModel(BaseModel):
    """Base of all models: a key that is present has a value."""

    @field_validator("*", mode="before")
    @classmethod
    def _refuse_null(cls, value: Any) -> Any:
        # Runs for members that are present only: an absent one keeps its default.
        if value is None:
            raise ValueError("null is refused; leave an absent field out")
        return value


def _integral(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _refuse_boolean(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("a boolean is not a number")  # noqa: TRY004 - pydantic wants ValueError
    return value


JsonInteger: TypeAlias = Annotated[StrictInt, BeforeValidator(_integral)]
"""An integer as JSON Schema means it: `1.0` is 1, a boolean is none."""
'''
