"""The reader `models`: the generated pydantic models.

Only its verdict is the contract's; pointer and rule are as near as pydantic's errors come.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from knowledge_contract.cli.pointers import pointer_to
from knowledge_contract.cli.verdicts import Verdict, verdict_of
from knowledge_wire import models
from knowledge_wire.parsing import Problem

_RULES = {
    "missing": "required",
    "extra_forbidden": "additionalProperties",
    "string_too_short": "minLength",
    "string_too_long": "maxLength",
    "string_pattern_mismatch": "pattern",
    "string_unicode": "unicode",
    "too_short": "minItems",
    "too_long": "maxItems",
    "greater_than_equal": "minimum",
    "less_than_equal": "maximum",
    "literal_error": "const",
    "union_tag_invalid": "oneOf",
    "union_tag_not_found": "required",
}


def judge(definition: str, document: object) -> Verdict:
    """Return the verdict on a parsed document."""
    try:
        _adapter(definition).validate_python(document)
    except ValidationError as error:
        # Neither input nor context: both may quote the document.
        details = error.errors(include_url=False, include_context=False, include_input=False)
        problems = [_problem(document, detail["type"], detail["loc"]) for detail in details]
        return verdict_of(list(dict.fromkeys(problems)))
    return Verdict(valid=True)


@cache
def _adapter(definition: str) -> TypeAdapter[Any]:
    return TypeAdapter(getattr(models, definition))


def _problem(document: object, kind: str, location: Sequence[str | int]) -> Problem:
    if kind == "extra_forbidden":
        # The key is the caller's data: its parent is named.
        location = location[:-1]
    pointer = _pointer(document, location, is_missing=kind == "missing")
    return Problem(pointer, _RULES.get(kind, "type"))


def _pointer(document: Any, location: Sequence[str | int], *, is_missing: bool) -> str:
    """Return the pointer to a location of pydantic's, which also holds names of branches."""
    steps: list[str | int] = []
    for position, step in enumerate(location):
        is_last = position == len(location) - 1
        if _holds(document, step):
            document = document[step]
        elif not (is_missing and is_last):
            continue
        steps.append(step)
    return pointer_to(steps)


def _holds(document: Any, step: str | int) -> bool:
    if isinstance(document, list):
        return isinstance(step, int) and step < len(document)
    return isinstance(document, dict) and step in document
