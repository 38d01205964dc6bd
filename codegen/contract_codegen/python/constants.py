"""Emit `knowledge_wire.constants`."""

from contract_codegen.constants import Constant, Value, list_constants
from contract_codegen.model import Contract
from contract_codegen.source import LINE_LENGTH, comment_block, header, quote, text_literal

_PREAMBLE = '''"""The contract's numbers, keys and handles by name, so that no module repeats one.

Lengths count Unicode code points; bounds are inclusive.
"""

from typing import Final

'''


def emit_constants(contract: Contract) -> dict[str, str]:
    """Return the module of constants."""
    body = "\n".join(_constant(each) for each in list_constants(contract))
    return {"python/knowledge_wire/constants.py": f"{header(contract)}{_PREAMBLE}{body}"}


def _constant(constant: Constant) -> str:
    line = f"{constant.name}: Final = {_value(constant.value)}\n"
    written = line if len(line) <= LINE_LENGTH else _wrapped(constant)
    return f"{comment_block(constant.description)}{written}"


def _value(value: Value) -> str:
    match value:
        case int():
            return f"{value:_}" if value > 9999 else str(value)
        case str():
            return quote(value)
        case tuple():
            return f"({', '.join(map(quote, value))}{',' * (len(value) == 1)})"


def _wrapped(constant: Constant) -> str:
    value = constant.value
    if isinstance(value, tuple):
        lines = "".join(f"    {quote(each)},\n" for each in value)
    else:
        lines = f"    {text_literal(str(value), 4)}\n"
    return f"{constant.name}: Final = (\n{lines})\n"
