"""Specialised checks: on every code point the same verdict as the contract's own pattern."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from contract_codegen.loading import load_contract
from contract_codegen.model import Text
from contract_codegen.patterns import NotBlank
from contract_codegen.source import snake
from knowledge_wire import validators

CONTRACT = load_contract(Path(__file__).parents[2] / "contracts/knowledge_sources.v1.json")
TEXTS = {scalar.name: scalar.type for scalar in CONTRACT.scalars if isinstance(scalar.type, Text)}
DISTINCT = {
    (text.pattern.source if text.pattern else "", text.min_length): name
    for name, text in TEXTS.items()
}
BEYOND_ASCII = {name for name in DISTINCT.values() if isinstance(TEXTS[name].meaning, NotBlank)}
SURROGATES = [chr(point) for point in range(0xD800, 0xE000)]
FIRST_PLANE = [chr(point) for point in (*range(0xD800), *range(0xE000, 0x10000))]
FURTHER_PLANES = "".join(map(chr, range(0x10000, sys.maxunicode + 1)))
BLOCKS = ["".join(block) for block in zip(*[iter(FURTHER_PLANES)] * 64, strict=True)]
"""Enough between blanks, where a block shows that none of it is refused; alone, each is tried."""


def exact_pattern(text: Text) -> re.Pattern[str]:
    """Return the contract's pattern with `$` as the very end."""
    source = text.pattern.source if text.pattern else ""
    return re.compile(source.removesuffix("$") + r"\Z" if source.endswith("$") else source)


@pytest.mark.parametrize("name", sorted(DISTINCT.values()))
@pytest.mark.parametrize(
    ("start", "end", "further"),
    [
        pytest.param("", "", FURTHER_PLANES, id="alone"),
        pytest.param("\u3000", "\ufeff", BLOCKS, id="between blanks"),
    ],
)
def test_every_code_point_is_judged_as_the_pattern_judges_it(
    name: str, start: str, end: str, further: Sequence[str]
) -> None:
    text = TEXTS[name]
    is_valid = getattr(validators, f"is_{snake(name)}")
    matches = exact_pattern(text).search
    # A text of fixed length is padded with its own first character, so that only one varies.
    start = "0" * max(0, text.min_length - len(start + end) - 1) + start
    fits = text.min_length <= len(start + end) + 1 <= text.max_length
    middles = [*FIRST_PLANE, *(further if name in BEYOND_ASCII else [])]
    values = [start + middle + end for middle in middles]

    verdicts = zip(values, map(is_valid, values), map(matches, values), strict=True)
    differing = [value for value, ours, exact in verdicts if ours is not (fits and bool(exact))]

    assert differing == []
    assert not any(is_valid(start + point + end) for point in SURROGATES)


def text_of_length(name: str, length: int) -> str:
    """Return a text that satisfies the pattern of `name`, in astral characters if it may."""
    match name:
        case "SourceId":
            return "0" * length
        case "ProviderName":
            return "a" * length
        case "WebUrl":
            return "http://a/".ljust(length, "a")[:length]
        case "NativeId":
            return ("0" * 32 + "-" + "1" * 10)[:length]
    return "\U0001f600" * length


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_length_is_counted_in_code_points_at_both_bounds(name: str) -> None:
    text = TEXTS[name]
    is_valid = getattr(validators, f"is_{snake(name)}")
    lengths = (text.min_length - 1, text.min_length, text.max_length, text.max_length + 1)

    verdicts = [is_valid(text_of_length(name, length)) for length in lengths]

    assert verdicts == [False, True, True, False]
