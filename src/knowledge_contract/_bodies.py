"""Parse and write a JSON body: strictly, and at the speed of `orjson` where that is installed.

LangGraph brings `orjson`, which is several times faster than the standard library, but takes the
last of two equal keys and rounds long integers. So what it read counts only if writing that gives
the body again, byte for byte; clients that send compact UTF-8 pass, browsers among them. All else
the strict parser judges: with `orjson` or without, a body has one verdict and one value.

Source:
    contracts/README.md, "Parsing".
"""

import json
from functools import cache
from types import ModuleType
from typing import Any

from knowledge_wire.constants import DOCUMENT_DEPTH
from knowledge_wire.parsing import is_deeper_than, parse_document

__all__ = ["parse_body", "render_body"]


def parse_body(data: bytes) -> Any:
    """Return the value of a strict JSON body, as `parse_document` does.

    Raises:
        ParseError: The body is not strict JSON, or is too deep.
    """
    orjson = _orjson()
    if orjson is None:
        return parse_document(data)
    try:
        value = orjson.loads(data)
        is_exact = orjson.dumps(value) == data
    except (TypeError, ValueError):
        return parse_document(data)
    if not is_exact or is_deeper_than(value, DOCUMENT_DEPTH):
        return parse_document(data)
    return value


def render_body(value: Any) -> bytes:
    """Return a parsed body, or what is left of it, as compact UTF-8."""
    orjson = _orjson()
    if orjson is not None:
        try:
            rendered: bytes = orjson.dumps(value)
        except TypeError:
            # An integer beyond 64 bits.
            pass
        else:
            return rendered
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


@cache
def _orjson() -> ModuleType | None:
    try:
        import orjson  # noqa: PLC0415 - optional, and loading it costs more than most bodies
    except ImportError:
        return None
    return orjson
