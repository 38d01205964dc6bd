"""Emit the sampler, the Hypothesis strategies and the tables that both stand on.

The code itself is plain Python beside this file, copied with its imports
renamed; only the tables and one function for each definition are written here.
"""

from collections.abc import Iterator
from keyword import iskeyword
from pathlib import Path
from random import Random
from typing import Any

from contract_codegen import model
from contract_codegen.errors import OutputError
from contract_codegen.sampling.literals import assignment, is_ranges, literal
from contract_codegen.sampling.meaning import shape_of_text
from contract_codegen.sampling.rules import Mutations, places_of
from contract_codegen.sampling.shapes import (
    Boolean,
    Choices,
    Constant,
    Field,
    Integer,
    List,
    Place,
    Ranges,
    Record,
    Shape,
    Text,
    Union,
)
from contract_codegen.sampling.text import build_text
from contract_codegen.source import docstring, header, quote, replace_once, snake, upper

_FOLDER = "python/knowledge_wire"
_FILES = {
    "shapes": "_shapes",
    "pools": "_pools",
    "text": "_text",
    "breaking": "_breaking",
    "sampler": "sampler",
    "strategies": "strategies",
}
_TABLES = """# Generation replaces what follows by the contract's own tables.

SHAPES: Mapping[str, Record | Union] = {}
MUTATIONS: Mapping[str, Mapping[Place, tuple[tuple[str, str], ...]]] = {}
"""
_ALL = '__all__ = ["JsonText", "NearMiss", "json_text", "near_misses"]\n'
_FEW_RANGES = 2
_WITH_IDS = '''    """Return valid {name} documents.

    Args:
        ids: `real` derives ids from their records; `any` makes them only well-formed.
    """
'''
_EXAMPLE = 'sample(Random(1), "EXAMPLE") == sample(Random(1), "EXAMPLE")'
_IMPORTS = "from contract_codegen.parsing import DOCUMENT_DEPTH, is_well_formed\n"
_WIRE_IMPORTS = """from knowledge_wire.constants import DOCUMENT_DEPTH
from knowledge_wire.identity import source_id
from knowledge_wire.parsing import is_well_formed
"""


def emit_sampling(contract: model.Contract) -> dict[str, str]:
    """Return the sampler, the strategies and their private modules.

    Raises:
        OutputError: no document of the contract can be made, two names collide, or the code
            beside this file no longer holds what is to be replaced.
    """
    texts = {name: _template(name) for name in _FILES}
    shapes, sampler = texts["shapes"], texts["sampler"]
    texts["shapes"] = replace_once(shapes, _TABLES, _tables(contract))
    texts["sampler"] = replace_once(sampler, _EXAMPLE, _EXAMPLE.replace("EXAMPLE", contract.root))
    texts["strategies"] = _strategies(texts["strategies"], contract)
    return {
        f"{_FOLDER}/{module}.py": header(contract) + "\n" + _renamed(texts[name])
        for name, module in _FILES.items()
    }


def _template(name: str) -> str:
    return Path(__file__).with_name(f"{name}.py").read_text(encoding="utf-8")


def _renamed(text: str) -> str:
    for name, module in _FILES.items():
        text = text.replace(f"contract_codegen.sampling.{name} ", f"knowledge_wire.{module} ")
    return text


def _tables(contract: model.Contract) -> str:
    shapes = _Shapes(contract)
    ranges = (assignment(name, value, shapes.names) for name, value in shapes.ranges.items())
    constants = [assignment(name, shape, shapes.names) for name, shape in shapes.constants.items()]
    names = [each.name for each in contract.definitions]
    rows = "".join(f"    {quote(name)}: _{upper(name)},\n" for name in names)
    return (
        "".join((*ranges, *constants))
        + f"\nSHAPES: Mapping[str, Record | Union] = {{\n{rows}}}\n"
        + '"""Every definition, by name."""\n\n'
        + _mutation_tables({name: places_of(shapes.definition(name)) for name in names})
    )


def _mutation_tables(places: dict[str, dict[Place, Mutations]]) -> str:
    constants: dict[Mutations, str] = {}
    for each in places.values():
        for mutations in each.values():
            constants.setdefault(mutations, f"_BREAKS_{len(constants) + 1}")
    lines = [assignment(name, value, {}) for value, name in constants.items()]
    lines.append("\nMUTATIONS: Mapping[str, Mapping[Place, tuple[tuple[str, str], ...]]] = {\n")
    for name, each in places.items():
        rows = "".join(f"        {literal(at, {})}: {constants[each[at]]},\n" for at in each)
        lines.append(f"    {quote(name)}: {{\n{rows}    }},\n")
    lines.append(
        '}\n"""For every definition and place: what can be done, and the rule it breaks."""\n'
    )
    return "".join(lines)


def _strategies(text: str, contract: model.Contract) -> str:
    identity = contract.identity
    exported = [_function_name(each.name) for each in contract.definitions]
    names = "".join(
        f"    {quote(name)},\n"
        for name in ("JsonText", "NearMiss", *sorted([*exported, "json_text", "near_misses"]))
    )
    text = replace_once(text, _ALL, f"__all__ = [\n{names}]\n")
    text = replace_once(text, _IMPORTS, _WIRE_IMPORTS)
    sign = f"""

def _signed(name: str, record: dict[str, Any]) -> dict[str, Any]:
    if name != {quote(identity.definition)}:
        return record
    return {{**record, {quote(identity.id_field)}: source_id(record)}}
"""
    return text + sign + "".join(_function(each, contract) for each in contract.definitions)


def _function_name(name: str) -> str:
    function = snake(name)
    if iskeyword(function) or function in ("json_text", "near_misses"):
        raise OutputError(f"definition {name!r}: {function!r} is taken in Python")
    return function


def _function(definition: model.Record | model.Union, contract: model.Contract) -> str:
    name = definition.name
    has_id = contract.identity.definition in _reached(name, contract)
    argument = '*, ids: Ids = "real"' if has_id else ""
    signer = ', _signed if ids == "real" else None' if has_id else ""
    paragraphs = docstring(f"Return valid {name} documents.", "    ")
    if has_id:
        paragraphs = _WITH_IDS.format(name=name)
    return (
        f"\n\ndef {_function_name(name)}({argument}) -> SearchStrategy[dict[str, Any]]:\n"
        f"{paragraphs}    return _values(SHAPES[{quote(name)}]{signer})\n"
    )


def _reached(name: str, contract: model.Contract) -> set[str]:
    """Return the definitions that one holds, itself among them."""
    definition = contract.definition(name)
    if isinstance(definition, model.Union):
        inner = {record for _, record in definition.branches}
    else:
        inner = {each for field in definition.fields for each in _named(field.type)}
    return {name}.union(*(_reached(each, contract) for each in inner))


def _named(wire: model.Type) -> set[str]:
    match wire:
        case model.Named(name=name):
            return {name}
        case model.List(items=items):
            return _named(items)
    return set()


class _Shapes:
    """The contract's definitions as shapes; named parts are shared and get a constant each."""

    def __init__(self, contract: model.Contract) -> None:
        self.constants: dict[str, Shape] = {}
        self.names: dict[Any, str] = {}
        self.ranges: dict[str, Ranges] = {}
        self._known: dict[str, Shape] = {}
        for scalar in contract.scalars:
            self._add(scalar.name, self._of(scalar.type, is_scalar=True))
        for definition in contract.definitions:
            self._add(definition.name, self._definition(definition))

    def definition(self, name: str) -> Record | Union:
        """Return a definition's shape."""
        shape = self._known[name]
        if not isinstance(shape, Record | Union):
            raise TypeError(name)
        return shape

    def _add(self, name: str, shape: Shape) -> None:
        constant = f"_{upper(name)}"
        if constant in self.constants:
            raise OutputError(f"two definitions would be called {constant!r} in Python")
        self.constants[constant] = self._known[name] = shape
        self.names[id(shape)] = constant
        for ranges in _long_ranges(shape):
            if ranges not in self.names:
                self.names[ranges] = f"_CHARACTERS_{len(self.ranges) + 1}"
                self.ranges[self.names[ranges]] = ranges

    def _definition(self, definition: model.Record | model.Union) -> Record | Union:
        if isinstance(definition, model.Union):
            records = [(tag, self.definition(name)) for tag, name in definition.branches]
            branches = tuple((tag, each) for tag, each in records if isinstance(each, Record))
            return Union(definition.name, definition.tag, branches)
        fields = (
            Field(each.name, self._of(each.type), each.required) for each in definition.fields
        )
        return Record(definition.name, tuple(fields), definition.closed)

    def _of(self, wire: model.Type, *, is_scalar: bool = False) -> Shape:
        match wire:
            case model.Named(name=name):
                return self._known[name]
            case model.Text() | model.Integer() if wire.scalar and not is_scalar:
                return self._known[wire.scalar]
            case model.Text():
                return _checked(shape_of_text(wire))
            case model.Integer(minimum=low, maximum=high):
                return _checked(Integer(low, high))
            case model.List(items=items, min_items=low, max_items=high):
                return _checked(List(self._of(items), low, high))
            case model.Boolean():
                return Boolean()
            case model.Constant(value=value):
                return Constant(value)
            case model.Choices(values=values):
                return Choices(values)
        raise TypeError(wire)


def _long_ranges(value: object) -> Iterator[Ranges]:
    if not isinstance(value, tuple):
        return
    if is_ranges(value):
        if len(value) > _FEW_RANGES:
            yield value
        return
    for each in value:
        yield from _long_ranges(each)


def _checked(shape: Text | Integer | List) -> Shape:
    """Return the shape, if something has it.

    Raises:
        OutputError: nothing does: the bounds exclude each other or the pattern.
    """
    low, high = shape[1:] if isinstance(shape, List) else shape[:2]
    if low > high:
        raise OutputError(f"no value lies between the bounds {low} and {high}")
    if isinstance(shape, Text):
        try:
            build_text(Random(0).randrange, shape)  # noqa: S311 - a test tool's choice
        except ValueError as error:
            raise OutputError(f"pattern {shape.expression!r}: {error}") from None
    return shape
