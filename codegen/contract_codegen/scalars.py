"""Load the leaves of a contract: strings, integers, constants and enumerations."""

from typing import Any

from contract_codegen.errors import ContractFileError, UnsupportedKeyword
from contract_codegen.model import Choices, Constant, Integer, Text
from contract_codegen.patterns import (
    CharacterClass,
    General,
    Meaning,
    NotBlank,
    Pattern,
    alphabet,
    disjoint,
    exact_length,
    meaning_of,
    parse_pattern,
)
from contract_codegen.pointers import child

_NEWLINE = ((10, 10),)
LARGEST_SAFE_INTEGER = 2**53 - 1
"""Beyond it JavaScript rounds, so readers would differ."""
NOTES = frozenset({"title", "description"})
"""Keywords that stand anywhere and only describe."""


def allow(schema: dict[str, Any], pointer: str, *keywords: str) -> None:
    """Refuse every keyword but `keywords` and those that only describe."""
    for keyword in schema:
        if keyword not in NOTES and keyword not in keywords:
            raise UnsupportedKeyword(
                child(pointer, keyword), keyword, f"not supported beside {', '.join(keywords)}"
            )


def bound(schema: dict[str, Any], pointer: str, keyword: str) -> int:
    """Return a bound, which must be stated and fit every reader's integers."""
    value = schema.get(keyword)
    if value is None:
        raise ContractFileError(f"{pointer}/{keyword}", "is missing: state a bound")
    if int(value) != value or abs(value) > LARGEST_SAFE_INTEGER:
        raise ContractFileError(f"{pointer}/{keyword}", "is no integer that every reader holds")
    return int(value)


def upper_bound(schema: dict[str, Any], pointer: str, keyword: str, low: int) -> int:
    """Return an upper bound, which must not lie below the lower one."""
    high = bound(schema, pointer, keyword)
    if high < low:
        raise ContractFileError(f"{pointer}/{keyword}", "lies below its lower bound")
    return high


def load_constant(schema: dict[str, Any], pointer: str) -> Constant:
    """Return a `const`: an integer or an ASCII string."""
    allow(schema, pointer, "const")
    value = schema["const"]
    if type(value) is int and abs(value) <= LARGEST_SAFE_INTEGER:
        return Constant(value=value)
    if isinstance(value, str) and value.isascii():
        return Constant(value=value)
    raise UnsupportedKeyword(f"{pointer}/const", "const", "must be an integer or an ASCII string")


def load_choices(schema: dict[str, Any], pointer: str) -> Choices:
    """Return an `enum` of ASCII strings."""
    allow(schema, pointer, "enum")
    values = schema["enum"]
    if not values or len(set(map(str, values))) != len(values):
        raise ContractFileError(f"{pointer}/enum", "must hold at least one value, each once")
    if not all(isinstance(value, str) and value.isascii() for value in values):
        raise UnsupportedKeyword(f"{pointer}/enum", "enum", "must hold ASCII strings")
    return Choices(values=tuple(values))


def load_integer(schema: dict[str, Any], pointer: str, scalar: str | None) -> Integer:
    """Return an integer with both bounds; `scalar` is its `$defs` name, if it has one."""
    allow(schema, pointer, "type", "minimum", "maximum")
    low = bound(schema, pointer, "minimum")
    high = upper_bound(schema, pointer, "maximum", low)
    return Integer(minimum=low, maximum=high, scalar=scalar)


def load_text(schema: dict[str, Any], pointer: str, scalar: str | None) -> Text:
    """Return a string; `scalar` is its `$defs` name, if it has one."""
    allow(schema, pointer, "type", "minLength", "maxLength", "pattern", "not")
    low = bound({"minLength": 0, **schema}, pointer, "minLength")
    high = upper_bound(schema, pointer, "maxLength", low)
    pattern = None
    if "pattern" in schema:
        pattern = parse_pattern(schema["pattern"], f"{pointer}/pattern")
    _check_guard(schema, pointer, pattern, (low, high))
    return Text(
        min_length=low,
        max_length=high,
        pattern=pattern,
        meaning=_exact_meaning(pattern, (low, high)),
        scalar=scalar,
    )


def _exact_meaning(pattern: Pattern | None, bounds: tuple[int, int]) -> Meaning | None:
    """Return the pattern's meaning; a pattern that bounds the length more tightly is general."""
    if pattern is None:
        return None
    least, most = exact_length(pattern)
    if not pattern.anchored_end:
        return meaning_of(pattern)
    fits = least <= max(bounds[0], 1) and (most is None or most >= bounds[1])
    return meaning_of(pattern) if fits else General()


def _check_guard(
    schema: dict[str, Any], pointer: str, pattern: Pattern | None, bounds: tuple[int, int]
) -> None:
    """Refuse a final `$` that Python would let a newline pass, and a `not` that is no guard.

    A guard forbids characters that an anchored pattern cannot consume anyway: readers whose
    `$` means the very end may leave it out, the others need it.
    """
    guard = _guard_class(schema, pointer)
    if guard is None:
        if pattern is not None and pattern.anchored_end and bounds[0] != bounds[1]:
            reason = (
                "ends in `$` without a `not` twin or equal lengths "
                "(Python's `$` also matches before a final newline)"
            )
            raise ContractFileError(f"{pointer}/pattern", reason)
        return
    anchored = pattern is not None and pattern.anchored_start and pattern.anchored_end
    if pattern is None or not anchored or not disjoint(alphabet(pattern.body), guard.ranges):
        reason = "only as the twin of an anchored pattern that cannot consume its characters"
        raise UnsupportedKeyword(f"{pointer}/not", "not", reason)
    if disjoint(guard.ranges, _NEWLINE) and not _may_end_in_newline(pattern):
        raise ContractFileError(f"{pointer}/not", "does not forbid a newline, so it guards nothing")


def _may_end_in_newline(pattern: Pattern) -> bool:
    """Tell whether every accepted text stays accepted with a newline behind it."""
    meaning = meaning_of(pattern)
    return isinstance(meaning, NotBlank) and disjoint(meaning.excluded, _NEWLINE)


def _guard_class(schema: dict[str, Any], pointer: str) -> CharacterClass | None:
    if "not" not in schema:
        return None
    inner = schema["not"]
    place = f"{pointer}/not"
    if not isinstance(inner, dict) or set(inner) != {"pattern"}:
        raise UnsupportedKeyword(place, "not", "may only hold a pattern")
    parsed = parse_pattern(inner["pattern"], f"{place}/pattern")
    match parsed.body.nodes:
        case (CharacterClass() as only,) if not parsed.anchored_start and not parsed.anchored_end:
            return only
    raise UnsupportedKeyword(place, "not", "its pattern must be one unanchored character class")
