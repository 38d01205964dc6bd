"""Small pieces of source text that several emitters share."""

import json
import re
import textwrap

from contract_codegen.errors import OutputError
from contract_codegen.model import Contract
from contract_codegen.patterns import Ranges

LINE_LENGTH = 100
_PATTERN_TOKEN = re.compile(r"\\u[0-9A-Fa-f]{4}|\\.|[^\\]")
_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def header(contract: Contract, comment: str = "#") -> str:
    """Return the first lines of a generated file: where it comes from, and what not to do."""
    return (
        f"{comment} Generated from contracts/{contract.file_name}\n"
        f"{comment} (sha256 {contract.digest}).\n"
        f"{comment} Do not edit: change the contract or codegen/,"
        " then run `knowledge-contract generate`.\n"
    )


def snake(name: str) -> str:
    """Return a CamelCase name in snake_case."""
    return _WORD_START.sub("_", name).lower()


def upper(name: str) -> str:
    """Return a CamelCase or snake_case name in UPPER_CASE."""
    return snake(name).upper()


def quote(text: str) -> str:
    """Return a Python string literal in printable ASCII and double quotes."""
    return "".join(map(_quoted, text)).join('""')


def _quoted(char: str) -> str:
    # JSON's escapes are Python's, but for DEL, which JSON leaves raw, and for astral
    # characters, which it writes as two halves.
    if char == "\x7f":
        return "\\u007f"
    return json.dumps(char)[1:-1] if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


def raw_class(ranges: Ranges) -> str:
    """Return the inside of a regular expression's character class, in ASCII."""
    return "".join(
        _class_member(low) if low == high else f"{_class_member(low)}-{_class_member(high)}"
        for low, high in ranges
    )


def _class_member(point: int) -> str:
    if point > 0xFFFF:
        return f"\\U{point:08x}"
    char = chr(point)
    return char if (char.isascii() and char.isalnum()) or char in "_ " else f"\\u{point:04x}"


def raw_literal(source: str, indent: int) -> str:
    """Return a pattern as raw string literals, one a line where it is long.

    Args:
        source: A portable pattern, which holds no double quote and ends in no backslash.
        indent: Columns in front of each further line.
    """
    width = LINE_LENGTH - indent - 4
    pieces: list[str] = []
    for token in _PATTERN_TOKEN.findall(source):
        if pieces and len(pieces[-1]) + len(token) <= width:
            pieces[-1] += token
        else:
            pieces.append(token)
    return f"\n{' ' * indent}".join(f'r"{piece}"' for piece in pieces)


def text_literal(text: str, indent: int) -> str:
    """Return string literals for `text`, one a line where it is long."""
    width = LINE_LENGTH - indent
    pieces = [""]
    for char in text:
        if len(quote(pieces[-1] + char)) > width:
            pieces.append("")
        pieces[-1] += char
    return f"\n{' ' * indent}".join(map(quote, pieces))


def docstring(text: str, indent: str = "") -> str:
    """Return a docstring block: a summary line, and the rest wrapped below it."""
    width = LINE_LENGTH - len(indent) - 7
    lines = _wrapped(text, width)
    # A summary of one line, as tools expect: the first sentence, if it fits.
    first, stop, rest = text.partition(". ")
    if len(lines) > 1 and stop and len(first) < width:
        lines = [f"{first}.", "", *_wrapped(rest, width)]
    if len(lines) == 1:
        # A quotation mark at the end would join the closing ones.
        end = "\\" if lines[0].endswith('"') else ""
        return f'{indent}"""{lines[0][:-1]}{end}{lines[0][-1]}"""\n'
    body = "".join(f"{indent}{line}".rstrip() + "\n" for line in lines[1:])
    return f'{indent}"""{lines[0]}\n{body}{indent}"""\n'


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_on_hyphens=False)


def replace_once(template: str, old: str, new: str) -> str:
    """Return a template with one piece of it replaced.

    Raises:
        OutputError: the piece does not stand there exactly once.
    """
    if template.count(old) != 1:
        raise OutputError(f"a template must hold once {old.strip()!r}")
    return template.replace(old, new)


def comment_block(text: str, prefix: str = "# ") -> str:
    """Return wrapped comment lines."""
    lines = _wrapped(text, LINE_LENGTH - len(prefix))
    return "".join(f"{prefix}{line}\n" for line in lines)
