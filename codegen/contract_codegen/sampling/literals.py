"""Write nested named tuples as Python source, one line where it fits."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from contract_codegen.source import LINE_LENGTH, quote

Names: TypeAlias = Mapping[Any, str]
"""Names of constants, by the value for ranges, by its identity (`id`) for all else."""


def assignment(name: str, value: Any, names: Names) -> str:
    """Return `name = value`; inner values that have a constant are written as its name."""
    return f"{name} = {_wrapped(value, names, 0, len(name) + 3, is_root=True)}\n"


def literal(value: Any, names: Names) -> str:
    """Return a value on one line."""
    return _flat(value, names)


def _wrapped(value: Any, names: Names, indent: int, used: int, *, is_root: bool = False) -> str:
    flat = _flat(value, names, is_root=is_root)
    if indent + used + len(flat) + 1 <= LINE_LENGTH or not isinstance(value, tuple) or not value:
        return flat
    pad = " " * (indent + 4)
    if is_ranges(value):
        return "(\n" + _filled([_pair(each) for each in value], pad) + " " * indent + ")"
    inner = "".join(f"{pad}{_wrapped(each, names, indent + 4, 0)},\n" for each in _given(value))
    return f"{_constructor(value)}(\n{inner}{' ' * indent})"


def _filled(items: list[str], pad: str) -> str:
    lines = [pad]
    for item in items:
        if len(lines[-1]) + len(item) + 1 > LINE_LENGTH:
            lines.append(pad)
        lines[-1] += f"{item}, "
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _flat(value: Any, names: Names, *, is_root: bool = False) -> str:
    if isinstance(value, str):
        return quote(value)
    if not isinstance(value, tuple):
        return repr(value)
    key = value if is_ranges(value) else id(value)
    if not is_root and key in names:
        return names[key]
    write = _pair if is_ranges(value) else lambda each: _flat(each, names)
    inner = ", ".join(map(write, _given(value)))
    constructor = _constructor(value)
    comma = "," if len(value) == 1 and not constructor else ""
    return f"{constructor}({inner}{comma})"


def _pair(pair: tuple[int, int]) -> str:
    return f"({pair[0]:#x}, {pair[1]:#x})"


def _given(value: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a tuple's items, less those at its end that are defaults."""
    defaults: Mapping[str, Any] = getattr(value, "_field_defaults", {})
    fields: tuple[str, ...] = getattr(value, "_fields", ())
    count = len(value)
    while (
        count
        and count <= len(fields)
        and defaults.get(fields[count - 1], value) == value[count - 1]
    ):
        count -= 1
    return value[:count]


def _constructor(value: tuple[Any, ...]) -> str:
    return type(value).__name__ if hasattr(value, "_fields") else ""


def is_ranges(value: tuple[Any, ...]) -> bool:
    """Tell whether a tuple holds pairs of code points."""
    return (
        bool(value)
        and not hasattr(value, "_fields")
        and all(type(each) is tuple and [*map(type, each)] == [int, int] for each in value)
    )
