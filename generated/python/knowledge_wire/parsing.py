# Generated from contracts/knowledge_sources.v1.json
# (sha256 47dd16b0af101452ab3a2e7479cab06133a7c6f135de06ea7c039bb4855513f4).
# Do not edit: change the contract or codegen/, then run `knowledge-contract generate`.
"""Strict JSON: the one door through which bytes become values.

Every reader gets what this module parsed, so that no verdict depends on a parser's habits:
UTF-8 without byte order mark, no duplicate keys, every number finite as an IEEE double,
bounded nesting, well-formed Unicode.

Source:
    contracts/README.md, "Parsing".
"""

import json
import re
from typing import Any, NamedTuple, NoReturn

from knowledge_wire.constants import DOCUMENT_DEPTH, RESPONSE_DEPTH

__all__ = [
    "ParseError",
    "Problem",
    "is_deeper_than",
    "is_well_formed",
    "parse_document",
    "parse_response",
]

# A longer integer literal is never finite as a double, and `int` refuses very long ones.
_LONGEST_FINITE_INTEGER = 309
_CONTAINERS = frozenset({dict, list})
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"')
_BRACKET = re.compile(r"[\[\]{}]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class Problem(NamedTuple):
    """Why a document, record or message is refused, without a value of the caller's.

    Attributes:
        pointer: JSON Pointer (RFC 6901) to the place; an unknown key is never named, its
            parent is; a missing member is named.
        rule: A JSON Schema keyword, or one of `json unicode version form id handle excerpt
            duplicate total overflow capability`.
    """

    pointer: str
    rule: str


class ParseError(ValueError):
    """Bytes that are not strict JSON.

    Attributes:
        problem: `("", "json")`, or `("", "unicode")` where the text is not well-formed Unicode.
        reason: What is wrong and where, in words that quote nothing of the input.
    """

    def __init__(self, rule: str, reason: str) -> None:
        self.problem = Problem("", rule)
        self.reason = reason
        super().__init__(reason)

    def __reduce__(self) -> tuple[type["ParseError"], tuple[str, str]]:
        return type(self), (self.problem.rule, self.reason)


def parse_document(
    data: bytes | bytearray | memoryview | str, *, depth_limit: int = DOCUMENT_DEPTH
) -> Any:
    """Return the value of a strict JSON document.

    Args:
        data: UTF-8 bytes, or text that was already decoded.
        depth_limit: Greatest nesting, the root container counted as 1.

    Raises:
        ParseError: `data` is not strict JSON. No content raises anything else; only a call with
            next to no stack left ends in RecursionError, which says nothing of the content.
    """
    text = _decode(data)
    value = _parse(text, depth_limit)
    if _may_hold_surrogate(text) and not _holds_no_surrogate(value):
        raise ParseError("unicode", "a string holds a lone surrogate")
    return value


def parse_response(
    data: bytes | bytearray | memoryview | str, *, depth_limit: int = RESPONSE_DEPTH
) -> Any:
    """Return the value of a provider's response: strict, but lone surrogates pass.

    Producers replace them when they normalise text (contracts/README.md, "Producing").

    Raises:
        ParseError: `data` is not strict JSON.
    """
    return _parse(_decode(data), depth_limit)


def _decode(data: bytes | bytearray | memoryview | str) -> str:
    if isinstance(data, str):
        # A subclass may answer for itself; what is parsed is the text that it holds.
        text = data if type(data) is str else str.__str__(data)
    else:
        try:
            text = bytes(data).decode("utf-8")
        except UnicodeDecodeError as error:
            reason = f"byte {error.start} does not continue valid UTF-8"
            raise ParseError("unicode", reason) from None
    if text.startswith("\ufeff"):
        raise ParseError("json", "the text starts with a byte order mark")
    return text


def _parse(text: str, depth_limit: int) -> Any:
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        reason = f"not JSON at line {error.lineno}, column {error.colno}"
        raise ParseError("json", reason) from None
    except RecursionError:
        # Either the text is deep, or the caller's stack is nearly full, which is no verdict.
        if _bracket_depth(text) <= depth_limit:
            raise
        raise _too_deep(depth_limit) from None
    if is_deeper_than(value, depth_limit):
        raise _too_deep(depth_limit)
    return value


def _too_deep(depth_limit: int) -> ParseError:
    return ParseError("json", f"nested deeper than {depth_limit} levels")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ParseError("json", "an object holds a key twice")
    return members


def _finite(digits: str) -> float:
    number = float(digits)
    if number - number != 0.0:
        raise ParseError("json", "a number is not finite as an IEEE double")
    return number


def _integer(digits: str) -> int:
    if len(digits) >= _LONGEST_FINITE_INTEGER:
        _finite(digits)
    return int(digits)


def _not_a_number(_: str) -> NoReturn:
    raise ParseError("json", "NaN and Infinity are not JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique,
    parse_float=_finite,
    parse_int=_integer,
    parse_constant=_not_a_number,
)


def is_deeper_than(value: Any, limit: int) -> bool:
    """Tell whether a parsed value is nested deeper than `limit`, its root counted as 1."""
    level = [value] if type(value) in _CONTAINERS else []
    depth = 0
    while level:
        depth += 1
        if depth > limit:
            return True
        level = [
            inner
            for container in level
            for inner in (container.values() if type(container) is dict else container)
            if type(inner) in _CONTAINERS
        ]
    return False


def _bracket_depth(text: str) -> int:
    depth = deepest = 0
    for bracket in _BRACKET.findall(_STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _may_hold_surrogate(text: str) -> bool:
    # Decoded UTF-8 holds none; they come from escapes, or from text that a caller decoded.
    return _ESCAPED_SURROGATE.search(text) is not None or not is_well_formed(text)


def is_well_formed(text: str) -> bool:
    """Tell whether a text holds no lone surrogate, so that it can be encoded."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _holds_no_surrogate(value: object) -> bool:
    pending = [value]
    while pending:
        current = pending.pop()
        if isinstance(current, str):
            if not is_well_formed(current):
                return False
        elif isinstance(current, dict):
            pending.extend(current)
            pending.extend(current.values())
        elif isinstance(current, list):
            pending.extend(current)
    return True
