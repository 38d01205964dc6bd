"""The two forms of every result, and small words around them."""

from collections.abc import Mapping
from enum import StrEnum

from knowledge_contract.cli.streams import write_problem


class Format(StrEnum):
    """What `--format` takes."""

    TEXT = "text"
    JSON = "json"


class BindingName(StrEnum):
    """What `--binding` takes."""

    MESSAGE = "message"
    ENTRY = "entry"


def write_left_out(left_out: Mapping[str, str]) -> None:
    """Say on standard error which readers did not take part, and why."""
    for name, reason in left_out.items():
        write_problem(f"left out: {name}: {reason}")


def left_out_json(left_out: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the same for a machine."""
    return [{"reader": name, "reason": reason} for name, reason in left_out.items()]
