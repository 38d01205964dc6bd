"""Emit `validator.ts`: the contract's verdicts, with the same rules and pointers as in Python."""

from collections.abc import Iterator, Mapping

from contract_codegen.constants import list_constants
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
    Text,
    Type,
    Union,
)
from contract_codegen.patterns import Pattern
from contract_codegen.source import LINE_LENGTH, header, upper
from contract_codegen.typescript.runtime import PREAMBLE, runtime_for
from contract_codegen.typescript.source import camel, doc, literal, regex, require_distinct

_ARGUMENTS = "value, at, problems"
_GUARD = """  if (!hasMembers(value)) {
    problems.push({ pointer: at, rule: "type" });
    return;
  }
"""


def emit_typescript_validator(contract: Contract) -> str:
    """Return the module of validators.

    Raises:
        OutputError: two functions would have one name.
    """
    body, imported = _Module(contract).body()
    runtime = runtime_for(body)
    require_distinct(_declared(PREAMBLE + runtime + body), "typescript/validator.ts")
    return f"{header(contract, '//')}\n{_imports(imported)}{PREAMBLE}{runtime}{body}"


def _imports(names: list[str]) -> str:
    lines = ['import type * as types from "./types.js";\n']
    if names:
        listed = "".join(f"  {name},\n" for name in names)
        lines.insert(0, f'import {{\n{listed}}} from "./limits.js";\n')
    return "".join(lines)


def _declared(text: str) -> Iterator[str]:
    for line in text.splitlines():
        words = line.removeprefix("export ").replace("(", " ").replace(":", " ").split()
        if words[:1] in (["function"], ["const"]) and not line.startswith(" "):
            yield words[1]


class _Module:
    """Builds one module; remembers which constants it uses."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._constants: Mapping[str, object] = {
            each.name: each.value for each in list_constants(contract)
        }
        self._used: set[str] = set()

    def body(self) -> tuple[str, list[str]]:
        """Return the generated functions, and the names that they import from `limits.ts`."""
        contract = self._contract
        parts = [
            *(self._walk(scalar.name, scalar.type) for scalar in contract.scalars),
            *map(self._definition, contract.definitions),
            *(_public(each.name) for each in contract.definitions),
            _table(contract),
        ]
        return "".join(parts), sorted(self._used)

    def _definition(self, definition: Record | Union) -> str:
        if isinstance(definition, Union):
            return _union(definition)
        helpers = "".join(
            self._walk(f"{definition.name}{camel(field.name)}", field.type)
            for field in definition.fields
            if _shared_walk(field.type) is None
        )
        return helpers + _record(definition)

    def _walk(self, name: str, wire: Type, constants: str | None = None) -> str:
        """Return the function that judges one type, after what it needs.

        Args:
            name: What the function is named after.
            wire: The type.
            constants: What the type's constants are named after, if not after the function.
        """
        before, callee, *arguments = self._call(name, wire, constants or upper(name))
        call = _invocation(callee, *arguments)
        return f"{before}\nconst walk{name}: Walk = ({_ARGUMENTS}) =>\n{call};\n"

    def _call(self, name: str, wire: Type, constants: str) -> tuple[str, ...]:
        """Return what must stand before, the runtime's function for `wire`, and its arguments."""
        match wire:
            case Text(pattern=Pattern() as pattern):
                before = f"\n{_constant(f'{constants}_PATTERN', regex(pattern))}"
                return before, "judgeText", *self._bounds(constants, wire), f"{constants}_PATTERN"
            case Text():
                return "", "judgeText", *self._bounds(constants, wire)
            case Integer():
                return "", "judgeInteger", *self._bounds(constants, wire)
            case Constant(value=value):
                return "", "judgeConstant", literal(value)
            case Choices(values=values):
                listed = f"[{', '.join(map(literal, values))}]"
                return "", "judgeChoice", self._named(f"{constants}_VALUES", values, listed)
            case List(items=items):
                item = _shared_walk(items) or f"walk{name}Item"
                # An enumeration is named after its list, which has no values of its own.
                prefix = constants if isinstance(items, Choices) else f"{constants}_ITEM"
                before = "" if _shared_walk(items) else self._walk(f"{name}Item", items, prefix)
                return before, "judgeList", *self._bounds(constants, wire), item
        raise AssertionError(f"{type(wire).__name__} has a shared walk")

    def _bounds(self, constants: str, wire: Text | Integer | List) -> list[str]:
        match wire:
            case Text(min_length=least, max_length=most):
                suffixes = "MIN_LENGTH", "MAX_LENGTH"
            case Integer(minimum=least, maximum=most):
                suffixes = "MINIMUM", "MAXIMUM"
            case List(min_items=least, max_items=most):
                suffixes = "MIN_ITEMS", "MAX_ITEMS"
        return [
            self._named(f"{constants}_{suffix}", value, literal(value))
            for suffix, value in zip(suffixes, (least, most), strict=True)
        ]

    def _named(self, name: str, value: object, text: str) -> str:
        """Return the constant of that name and value if `limits.ts` has it, else the literal."""
        if self._constants.get(name) != value:
            return text
        self._used.add(name)
        return name


def _invocation(callee: str, *arguments: str, indent: str = "  ") -> str:
    """Return a call that passes the walk's own arguments first, broken over lines if it is long."""
    line = f"{indent}{callee}({', '.join([_ARGUMENTS, *arguments])})"
    if len(line) < LINE_LENGTH:
        return line
    listed = "".join(f"{indent}  {each},\n" for each in (*_ARGUMENTS.split(", "), *arguments))
    return f"{indent}{callee}(\n{listed}{indent})"


def _shared_walk(wire: Type) -> str | None:
    """Return the function that already judges a type, or None if it needs its own."""
    match wire:
        case Named(name=name) | Text(scalar=str(name)) | Integer(scalar=str(name)):
            return f"walk{name}"
        case Boolean():
            return "judgeBoolean"
    return None


def _record(record: Record) -> str:
    fields = "".join(f"  {_field(record, field)};\n" for field in record.fields)
    before = last = ""
    if record.closed:
        keys = f"{upper(record.name)}_KEYS"
        names = ", ".join(literal(field.name) for field in record.fields)
        before = f"\n{_constant(keys, f'[{names}]', ': readonly string[]')}"
        last = (
            f"  if (hasOtherKey(value, {keys})) {{\n"
            '    problems.push({ pointer: at, rule: "additionalProperties" });\n  }\n'
        )
    body = f"{_GUARD}{fields}{last}"
    return f"{before}\nconst walk{record.name}: Walk = ({_ARGUMENTS}) => {{\n{body}}};\n"


def _field(record: Record, field: Field) -> str:
    walk = _shared_walk(field.type) or f"walk{record.name}{camel(field.name)}"
    verb = "judgeRequired" if field.required else "judgeOptional"
    arguments = ["value", literal(field.name), "at", "problems", walk]
    line = f"{verb}({', '.join(arguments)})"
    if len(line) < LINE_LENGTH - len("  "):
        return line
    listed = "".join(f"    {each},\n" for each in arguments)
    return f"{verb}(\n{listed}  )"


def _union(union: Union) -> str:
    tag = literal(union.tag)
    place = f"`${{at}}/{union.tag}`"
    cases = "".join(
        f"    case {literal(value)}:\n      walk{name}({_ARGUMENTS});\n      return;\n"
        for value, name in union.branches
    )
    return f"""
const walk{union.name}: Walk = ({_ARGUMENTS}) => {{
{_GUARD}  if (!Object.hasOwn(value, {tag})) {{
    problems.push({{ pointer: {place}, rule: "required" }});
    return;
  }}
  switch (value[{tag}]) {{
{cases}    default:
      problems.push({{ pointer: {place}, rule: "oneOf" }});
  }}
}};
"""


def _constant(name: str, value: str, annotation: str = "") -> str:
    line = f"const {name}{annotation} = {value};\n"
    if len(line) <= LINE_LENGTH:
        return line
    if value.startswith("["):
        listed = "".join(f"  {each},\n" for each in value[1:-1].split(", "))
        return f"const {name}{annotation} = [\n{listed}];\n"
    return f"const {name}{annotation} =\n  {value};\n"


def _public(name: str) -> str:
    signature = f"export function is{name}(value: unknown): value is types.{name}"
    if len(signature) > LINE_LENGTH - len(" {"):
        signature = f"export function is{name}(\n  value: unknown,\n): value is types.{name}"
    why = doc(f"Returns why `value` breaks {name}, in the contract's order; empty if it does not.")
    return f"""
{why}export function check{name}(value: unknown): readonly Problem[] {{
  const problems: Problem[] = [];
  walk{name}(value, "", problems);
  return problems;
}}

{doc(f"Tells whether `value` satisfies {name}.")}{signature} {{
  return check{name}(value).length === 0;
}}
"""


def _table(contract: Contract) -> str:
    names = sorted(definition.name for definition in contract.definitions)
    members = "\n".join(f"  | {literal(name)}" for name in names)
    rows = "".join(f"  {name}: check{name},\n" for name in names)
    return f"""
/** The name of a definition in the contract. */
export type DefinitionName =
{members};

/** Every `checkX` by the definition's name in the contract. */
export const CHECKS: Readonly<Record<DefinitionName, (value: unknown) => readonly Problem[]>> = {{
{rows}}};
"""
