"""Patterns: what is portable, what it means, and what is refused."""

import re

import pytest

from contract_codegen.errors import UnsupportedKeyword
from contract_codegen.patterns import (
    Charset,
    General,
    NotBlank,
    alphabet,
    characters,
    complement,
    disjoint,
    exact_length,
    meaning_of,
    merge,
    parse_pattern,
)

PORTABLE = {
    "counted class": r"^[0-9a-f]{32}$",
    "optional group": r"^https?://([a-z]+|\[[0-9A-F:.]+\])(:[0-9]{1,5})?$",
    "escaped punctuation": r"^\^\$\.\*\+\?\(\)\[\]\{\}\|\/\\$",
    "unicode escapes": r"[^\u0020\u00a0\u2000-\u200a]",
    "escaped hyphen": r"^[a-z\-_]*$",
    "open count": r"^a{2,}$",
    "nothing": r"^$",
}

NOT_PORTABLE = {
    "digit class": r"\d",
    "space class": r"\s",
    "word class": r"\w",
    "word boundary": r"\bword",
    "property": r"\p{L}",
    "dot": r"^a.b$",
    "look-ahead": r"^(?=a)b$",
    "flag": r"(?i)a",
    "named group": r"(?P<a>b)",
    "back reference": r"(a)\1",
    "lazy quantifier": r"a*?",
    "possessive quantifier": r"a*+",
    "doubled quantifier": r"a{2}{3}",
    "top-level alternation": r"^a|b$",
    "anchor inside": r"a$b",
    "anchor in group": r"(^a)",
    "unescaped dollar in class": r"[a$]",
    "unescaped bracket in class": r"[[a]",
    "unescaped hyphen in class": r"[a-z-]",
    "set intersection": r"[a-z&&b]",
    "set difference": r"[a--b]",
    "empty class": r"[]",
    "negated empty class": r"[^]",
    "reversed range": r"[z-a]",
    "short unicode escape": r"\u20",
    "surrogate escape": r"[\ud800-\udfff]",
    "hexadecimal escape": r"\x20",
    "control escape": r"\n",
    "identity escape of a letter": r"\q",
    "hyphen escaped outside a class": r"a\-b",
    "unclosed class": r"[a",
    "unclosed group": r"(a",
    "unopened group": r"a)",
    "bare quantifier": r"*a",
    "bare brace": r"a{",
    "named count": r"a{b}",
    "raw newline": "a\nb",
    "trailing backslash": "a\\",
}


@pytest.mark.parametrize("source", PORTABLE.values(), ids=PORTABLE)
def test_portable_pattern_is_read(source: str) -> None:
    pattern = parse_pattern(source, "/pattern")

    assert pattern.source == source
    assert re.compile(source).pattern == source


@pytest.mark.parametrize("source", NOT_PORTABLE.values(), ids=NOT_PORTABLE)
def test_construct_that_engines_read_differently_is_refused(source: str) -> None:
    with pytest.raises(UnsupportedKeyword) as refusal:
        parse_pattern(source, "/properties/x/pattern")

    assert (refusal.value.pointer, refusal.value.keyword) == ("/properties/x/pattern", "pattern")


@pytest.mark.parametrize(
    ("source", "meaning"),
    [
        (r"^[a-c]*$", Charset(first=((97, 99),), rest=((97, 99),))),
        (r"^[a][a-c]*$", Charset(first=((97, 97),), rest=((97, 99),))),
        (r"[^ ]", NotBlank(blanks=((32, 32),), excluded=())),
        (r"^[ ]*[^ \u0000][^\u0000]*$", NotBlank(blanks=((32, 32),), excluded=((0, 0),))),
        (r"^[ ]*[^ \u0000][^\u0001]*$", General()),
        (r"^[ \u0000]*[^ \u0000][^\u0000]*$", General()),
        (r"^(ab)*$", General()),
        (r"^[a]*", General()),
    ],
    ids=[
        "one class",
        "two classes",
        "visible somewhere",
        "visible and clean",
        "classes that do not fit",
        "blanks that are excluded",
        "a group",
        "an open end",
    ],
)
def test_meaning_is_the_simplest_exact_one(source: str, meaning: object) -> None:
    assert meaning_of(parse_pattern(source, "")) == meaning


@pytest.mark.parametrize(
    ("source", "bounds"),
    [
        (r"^[0-9a-f]{32}$", (32, 32)),
        (r"^a(b|cd)?e*$", (1, None)),
        (r"^a{2,5}$", (2, 5)),
        (r"^(a|bcd){2}$", (2, 6)),
        (r"^$", (0, 0)),
    ],
)
def test_length_of_a_pattern_is_exact(source: str, bounds: tuple[int, int | None]) -> None:
    assert exact_length(parse_pattern(source, "")) == bounds


def test_alphabet_holds_every_character_a_pattern_can_consume() -> None:
    pattern = parse_pattern(r"^(ab|[x-z]{2})?\.$", "")

    assert characters(alphabet(pattern.body)) == ".abxyz"


def test_sets_of_code_points_behave_as_sets() -> None:
    letters = merge([(97, 99), (100, 102), (98, 98)])

    assert letters == ((97, 102),)
    assert complement(complement(letters)) == letters
    assert disjoint(letters, complement(letters))
    assert not disjoint(letters, ((102, 200),))
