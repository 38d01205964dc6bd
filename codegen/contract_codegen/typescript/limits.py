"""Emit `limits.ts`: the contract's numbers, keys and handles by name."""

from contract_codegen.constants import Constant, Value, list_constants
from contract_codegen.model import Contract
from contract_codegen.source import LINE_LENGTH, header
from contract_codegen.typescript.source import doc, literal, require_distinct

_PREAMBLE = """
// The contract's numbers, keys and handles by name, so that no other module repeats one.
// Lengths count Unicode code points; bounds are inclusive.
"""


def emit_typescript_limits(contract: Contract) -> str:
    """Return the module of constants: the same names and values as in Python.

    Raises:
        OutputError: two constants have one name.
    """
    constants = list_constants(contract)
    require_distinct((each.name for each in constants), "typescript/limits.ts")
    return f"{header(contract, '//')}{_PREAMBLE}" + "".join(map(_constant, constants))


def _constant(constant: Constant) -> str:
    annotation = ": readonly string[]" if isinstance(constant.value, tuple) else ""
    start = f"export const {constant.name}{annotation} ="
    line = f"{start} {_value(constant.value)};\n"
    if len(line) > LINE_LENGTH:
        line = f"{start}{_wrapped(constant.value)};\n"
    return f"\n{doc(constant.description)}{line}"


def _value(value: Value) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(literal, value))}]"
    return literal(value)


def _wrapped(value: Value) -> str:
    if isinstance(value, tuple):
        return " [\n" + "".join(f"  {literal(each)},\n" for each in value) + "]"
    return "\n  " + " +\n  ".join(_chunks(str(value)))


def _chunks(text: str) -> list[str]:
    """Return literals, each short enough for a line, that together are `text`."""
    parts: list[str] = []
    current = ""
    for char in text:
        if len(literal(current + char)) > LINE_LENGTH - len("   +"):
            parts.append(literal(current))
            current = ""
        current += char
    return [*parts, literal(current)]
