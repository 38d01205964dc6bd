"""Small pieces of TypeScript text that its emitters share."""

import json
import textwrap
from collections.abc import Iterable

from contract_codegen.errors import OutputError
from contract_codegen.patterns import Pattern
from contract_codegen.source import LINE_LENGTH

_GROUPED_FROM = 10_000


def literal(value: int | str) -> str:
    """Return a number or string literal in ASCII; large numbers are grouped for the reader."""
    if isinstance(value, int):
        return f"{value:_}" if abs(value) >= _GROUPED_FROM else str(value)
    # JSON leaves DEL, an invisible character, as it is.
    return json.dumps(value).replace("\x7f", "\\u007f")


def regex(pattern: Pattern) -> str:
    """Return a regular expression literal with the `u` flag, in ASCII.

    The portable subset has no escape that `u` refuses, so the source is kept as written but for
    what a literal cannot hold.
    """
    parts: list[str] = []
    escaped = False
    for char in pattern.source:
        if not char.isascii():
            parts.append(f"\\u{{{ord(char):x}}}")
        else:
            parts.append("\\/" if char == "/" and not escaped else char)
        escaped = char == "\\" and not escaped
    return f"/{''.join(parts)}/u"


def doc(text: str, indent: str = "") -> str:
    """Return a doc comment: one line if it fits, else a wrapped block."""
    safe = text.replace("*/", "*\\/")
    line = f"{indent}/** {safe} */\n"
    if len(line) <= LINE_LENGTH:
        return line
    prefix = f"{indent} * "
    lines = textwrap.wrap(safe, LINE_LENGTH - len(prefix), break_on_hyphens=False)
    body = "".join(f"{prefix}{each}\n" for each in lines)
    return f"{indent}/**\n{body}{indent} */\n"


def camel(name: str) -> str:
    """Return a snake_case name in CamelCase; the rest of each word stays as it is."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def require_distinct(names: Iterable[str], place: str) -> None:
    """Refuse a contract whose parts would share a name in one module.

    Raises:
        OutputError: a name occurs twice.
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise OutputError(f"{place}: two parts of the contract would be named {name!r}")
        seen.add(name)
