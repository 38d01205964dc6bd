"""Specialised checks: on every code point the same verdict as the contract's own pattern."""

import re
import sys
from pathlib import Path

import pytest

from contract_codegen.loading import load_contract
from contract_codegen.model import Text
from contract_codegen.patterns import NotBlank
from contract_codegen.source import snake
from knowledge_wire import validators

CONTRACT = load_contract(Path("contracts/knowledge_sources.v1.json"))
TEXTS = {scalar.name: scalar.type for scalar in CONTRACT.scalars if isinstance(scalar.type, Text)}
DISTINCT = {
    (text.pattern.source if text.pattern else "", text.min_length): name
    for name, text in TEXTS.items()
}
BEYOND_ASCII = {name for name in DISTINCT.values() if isinstance(TEXTS[name].meaning, NotBlank)}
SURROGATES = range(0xD800, 0xE000)


def exact_pattern(text: Text) -> re.Pattern[str]:
    """Return the contract's pattern with `$` as the very end."""
    source = text.pattern.source if text.pattern else ""
    return re.compile(source.removesuffix("$") + r"\Z" if source.endswith("$") else source)


@pytest.mark.parametrize("name", sorted(DISTINCT.values()))
@pytest.mark.parametrize("frame", ["{}", "\u3000{}\ufeff"], ids=["alone", "between blanks"])
def test_every_code_point_is_judged_as_the_pattern_judges_it(name: str, frame: str) -> None:
    text = TEXTS[name]
    is_valid = getattr(validators, f"is_{snake(name)}")
    matches = exact_pattern(text).search
    # A text of fixed length is padded with its own first character, so that only one varies.
    last = sys.maxunicode if name in BEYOND_ASCII else ord("\uffff")
    padding = "0" * max(0, text.min_length - len(frame.format("x")))

    differing = [
        point
        for point in range(last + 1)
        if is_valid(value := padding + frame.format(chr(point)))
        != (
            point not in SURROGATES
            and text.min_length <= len(value) <= text.max_length
            and matches(value) is not None
        )
    ]

    assert differing == []


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
