"""Normalising makes any text fit the contract, changes nothing else, and twice changes nothing."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.hits import PAGES, TRAPS, URLS, texts
from knowledge_contract._text import (
    cut_text,
    fold_blank_lines,
    normalize_line,
    normalize_text,
)
from knowledge_contract.normalize import normalize_hit
from knowledge_contract.retrieval import NativeLocators, RetrievalHit
from knowledge_wire.constants import EXCERPT_BLANKS, ONE_LINE_BLANKS, ONE_LINE_MAX_LENGTH
from knowledge_wire.validators import is_excerpt, is_one_line, is_page, is_web_url

ANY_TEXT = st.one_of(
    texts(), st.text(TRAPS), st.text(st.characters(), max_size=40), st.text("a\r\n\t \x0b\x0c")
)


def normalize_slowly(text: str) -> str:
    """Return the text as the contract's page on producing says, character by character."""
    kept = []
    for index, char in enumerate(text):
        if char == "\n" and index and text[index - 1] == "\r":
            continue
        if char in "\r\f\v":
            kept.append("\n")
        elif 0xD800 <= ord(char) <= 0xDFFF:
            kept.append("\ufffd")
        elif ord(char) >= 0x20 or char in "\t\n":
            kept.append(char)
    while kept and kept[0] in EXCERPT_BLANKS:
        kept.pop(0)
    while kept and kept[-1] in EXCERPT_BLANKS:
        kept.pop()
    return "".join(kept)


def normalize_line_slowly(text: str) -> str:
    spaced = [
        " " if char in "\t\n\u2028\u2029" or 0x7F <= ord(char) <= 0x9F else char
        for char in normalize_slowly(text)
    ]
    return "".join(spaced).strip(ONE_LINE_BLANKS)


@given(ANY_TEXT)
def test_text_is_normalised_as_the_slow_reference_does(text: str) -> None:
    assert normalize_text(text) == normalize_slowly(text)
    assert normalize_line(text) == normalize_line_slowly(text)


@given(ANY_TEXT)
def test_normalised_text_is_an_excerpt_and_normalised_line_a_title_or_both_are_empty(
    text: str,
) -> None:
    excerpt, title = normalize_text(text), normalize_line(text)

    assert excerpt == "" or is_excerpt(excerpt)
    assert title == "" or is_one_line(title[:ONE_LINE_MAX_LENGTH])


@given(ANY_TEXT)
def test_second_pass_changes_nothing(text: str) -> None:
    for normalize in (normalize_text, normalize_line, fold_blank_lines):
        once = normalize(text)
        assert normalize(once) == once


@pytest.mark.parametrize(
    "text",
    [
        "Fu\u0308hrung",
        "\ufb01",
        "<b>bold</b>",
        "a\u200bb",
        "\u202eabc",
        "a  b",
        "\u00ad",
        "a\u3000b",
    ],
    ids=["NFD", "ligature", "tags", "joiner", "bidi", "blanks", "soft hyphen", "wide blank"],
)
def test_what_the_contract_allows_stays_as_it_is(text: str) -> None:
    assert normalize_text(text) == text
    assert normalize_line(text) == text


@given(ANY_TEXT, st.integers(0, 60))
def test_cut_text_is_a_prefix_that_does_not_end_in_blanks(text: str, limit: int) -> None:
    excerpt, title = normalize_text(text), normalize_line(text)

    for whole, cut in ((excerpt, cut_text(excerpt, limit)), (title, cut_text(title, limit))):
        assert whole.startswith(cut)
        assert len(cut) <= limit
        assert cut == normalize_text(cut)
        # What is left out within the limit is blank, or the start of one word.
        left_out = whole[len(cut) : limit].strip(EXCERPT_BLANKS)
        assert len(left_out) <= limit // 5 + 1
        assert not set(left_out) & set(" \n")


@given(ANY_TEXT)
def test_folded_text_has_no_blank_line_between_two_others(text: str) -> None:
    lines = normalize_text(text).split("\n")

    folded = fold_blank_lines(normalize_text(text)).split("\n")

    assert folded == [line for line in lines if line.strip(EXCERPT_BLANKS)] or folded == [""]


@st.composite
def hits(draw: st.DrawFn) -> RetrievalHit:
    names = st.one_of(st.none(), ANY_TEXT, st.just("a" * 511 + " b"))
    return RetrievalHit(
        draw(ANY_TEXT),
        title=draw(names),
        dataset_name=draw(names),
        url=draw(st.one_of(st.none(), st.sampled_from(URLS), ANY_TEXT)),
        page=draw(st.one_of(st.none(), st.sampled_from(PAGES), st.integers())),
        locators=NativeLocators("d", "e", "f"),
        evidence=draw(st.sampled_from((None, (), (0, 0)))),
    )


@given(hits(), st.lists(st.text("ab[]% ", max_size=4), max_size=2))
def test_normalised_hit_fits_the_contract_and_stays_itself(
    hit: RetrievalHit, secrets: list[str]
) -> None:
    once = normalize_hit(hit, secrets=secrets)

    assert normalize_hit(once, secrets=secrets) == once
    assert once.text == "" or is_excerpt(once.text)
    assert once.title is None or is_one_line(once.title)
    assert once.dataset_name is None or is_one_line(once.dataset_name)
    assert once.url is None or (is_web_url(once.url) and once.url == hit.url)
    assert once.page is None or (is_page(once.page) and once.page == hit.page)
    assert (once.locators, once.evidence) == (hit.locators, hit.evidence)


@pytest.mark.parametrize("title", [None, "", " \t\u3000", "\x00\x1f", "\ufeff"], ids=ascii)
def test_hit_without_a_real_title_has_none(title: str | None) -> None:
    assert normalize_hit(RetrievalHit("Ask.", title=title)).title is None


@pytest.mark.parametrize(
    ("page", "kept"),
    [
        *((1, 1), (1_000_000, 1_000_000), (0, None), (-1, None), (1_000_001, None)),
        *((True, None), (2.0, 2), (2.5, None), ("1", None), (float("nan"), None)),
    ],
    ids=repr,
)
def test_page_out_of_bounds_is_left_out_and_the_hit_stays(page: Any, kept: int | None) -> None:
    hit = normalize_hit(RetrievalHit("Ask.", title="Guide", page=page))

    assert hit == RetrievalHit("Ask.", title="Guide", page=kept)
    assert type(hit.page) is type(kept)


@pytest.mark.parametrize(
    ("url", "is_kept"),
    [
        ("https://example.com/a_(b)?q=1#x", True),
        ("http://[::1]:80/", True),
        ("https://user:word@example.com/", False),
        ("https://例え.jp/", False),
        ("HTTPS://example.com/", False),
        ("javascript:alert(1)", False),
        ("/srv/docs/guide.md", False),
        ("https://example.com/ b", False),
        ("https://example.com/\n", False),
        ("", False),
    ],
)
def test_url_that_does_not_fit_is_left_out_and_the_hit_stays(url: str, is_kept: bool) -> None:  # noqa: FBT001 - expected value
    hit = normalize_hit(RetrievalHit("Ask.", title="Guide", url=url))

    assert hit == RetrievalHit("Ask.", title="Guide", url=url if is_kept else None)


def test_title_longer_than_its_bound_is_cut_and_trimmed_again() -> None:
    title = "a" * (ONE_LINE_MAX_LENGTH - 1) + " b"

    assert normalize_hit(RetrievalHit("Ask.", title=title)).title == "a" * 511


def test_title_of_several_lines_becomes_one() -> None:
    hit = normalize_hit(RetrievalHit("Ask.", title=" Guide\r\n\tto\u2028\x7fall "))

    assert hit.title == "Guide  to  all"
