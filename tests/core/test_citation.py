"""Labels never break a link, and no handle outlives its unlinking."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from core.counted_searches import count_characters
from core.hits import TRAPS, texts
from knowledge_contract.citation import (
    find_shared_handles,
    make_label,
    native_handle,
    shared_handle,
    shared_tail,
    unlink_handles,
)
from knowledge_wire.constants import EXCERPT_BLANKS, LABEL_MAX_CHARS

ID = "0123456789abcdef" * 2
HANDLE = re.compile(
    r"\]\(#(?:user-content-)?"
    r"(?:knowledge-source-[0-9a-f]{32}|knowledge-[a-f0-9]{32}-[1-9][0-9]{0,2})\)"
)
MARKDOWN = [
    MarkdownIt("commonmark"),
    MarkdownIt("commonmark").enable(["table", "strikethrough"]),
    MarkdownIt("js-default", {"linkify": False}),
]
TITLES = st.one_of(
    st.text(),
    st.text(TRAPS),
    st.text("[]()|\\`<>*_~!&;#\"'=+-:/.@ a\n\t"),
    texts(4),
    st.text("a ").map(lambda text: text * 60),
)


@given(TITLES)
def test_label_is_one_short_line_without_what_breaks_links(title: str) -> None:
    label = make_label(title)

    assert 0 < len(label) <= LABEL_MAX_CHARS
    assert not set(label) & set("[]|\\`<>")
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", label)
    assert label.strip(EXCERPT_BLANKS)
    assert "  " not in label
    assert label == label.strip(EXCERPT_BLANKS)
    assert make_label(label) == label


@settings(max_examples=200)
@example("a](https://evil.example) [b")
@example("`rm -rf`")
@example("a | b")
@example("&#93;(x) &lbrack; &amp;")
@example("**bold _em")
@example("![image](x)")
@example("https://evil.example www.evil.example a@b.example")
@given(TITLES)
def test_handle_is_exactly_one_link_wherever_it_stands(title: str) -> None:
    handle = shared_handle(ID, title)

    for markdown in MARKDOWN:
        for frame in ("{}", "**{}** and", "- {}。", "> {}", "# {}", "「{}」", "_{}_"):
            assert_one_link(markdown, frame.format(handle))


def assert_one_link(markdown: MarkdownIt, text: str) -> None:
    children = [child for token in markdown.parse(text) for child in token.children or ()]
    links = [child for child in children if child.type == "link_open"]
    assert [link.attrs for link in links] == [{"href": f"#knowledge-source-{ID}"}]
    kinds = {child.type for child in children}
    assert not kinds & {"image", "code_inline", "html_inline", "hardbreak", "softbreak"}
    opened = next(at for at, child in enumerate(children) if child.type == "link_open")
    closed = next(at for at, child in enumerate(children) if child.type == "link_close")
    inner = "".join(child.content for child in children[opened:closed])
    assert inner.startswith("citation:")


@given(TITLES)
def test_handle_keeps_a_table_in_columns(title: str) -> None:
    text = f"| a | b |\n|---|---|\n| {shared_handle(ID, title)} | x |"

    tokens = MARKDOWN[1].parse(text)

    assert sum(token.type == "td_open" for token in tokens) == 2
    assert_one_link(MARKDOWN[1], text)


@pytest.mark.parametrize(
    ("title", "label"),
    [
        ("Plan [draft] (v2).pdf", "Plan draft (v2).pdf"),
        ("a](https://evil.example) [b", "a(https://evil.example) b"),
        ("`rm -rf`", "rm -rf"),
        ("a | b", "a b"),
        ("\u202egnp.exe\u2069", "gnp.exe"),
        ("\u05d0\u05d1", "\u05d0\u05d1"),
        ("one\n\ttwo\u3000three", "one two three"),
        ("[]", "source"),
        ("", "source"),
        ("\ufeff\u0085", "source"),
        ("a" * 119 + " b", "a" * 119),
        ("\U0001f600" * 121, "\U0001f600" * 120),
    ],
    ids=ascii,
)
def test_label_shows_what_can_be_shown(title: str, label: str) -> None:
    assert make_label(title) == label


def test_handles_are_spelled_as_the_contract_says() -> None:
    assert shared_handle(ID, "Guide") == f"[citation:Guide](#knowledge-source-{ID})"
    assert shared_tail(ID) == f"](#knowledge-source-{ID})"
    assert native_handle(f"{ID}-7", 7) == f"[citation:7](#knowledge-{ID}-7)"


def test_every_occurrence_of_a_wanted_handle_is_found() -> None:
    other = "f" * 32
    text = f"{shared_tail(ID)}{shared_tail(other)}x{shared_tail(ID)}{shared_tail(ID)[:-1]}"
    length = len(shared_tail(ID))

    ends = find_shared_handles(text, frozenset({ID, "0" * 32}))

    assert ends == {ID: [length, 3 * length + 1]}


@given(texts())
def test_handles_are_found_as_plain_search_finds_them(text: str) -> None:
    wanted = {"0" * 32, "a" * 32}

    ends = find_shared_handles(text, frozenset(wanted))

    assert ends == {
        each: found
        for each in wanted
        if (found := [match.end() for match in re.finditer(re.escape(shared_tail(each)), text)])
    }


PARTS = (
    *(
        "[",
        "]",
        "](",
        "](#",
        "](#user-content-",
        "](#knowledge-",
        "](#knowledge-source-",
        ")",
        "-7)",
    ),
    *(ID, f"{ID})", f"{ID}-7)", ID[:16], ID[16:], "[citation:", "citation:", "Guide", "\n", " "),
    *("knowledge-source-", "source-", "user-content-", "#", "(", "-", "0", "1"),
    f"](#knowledge-source-{ID})",
    f"[citation:Guide](#knowledge-source-{ID})",
    f"](#knowledge-{ID}-999)",
    f"](#user-content-knowledge-source-{ID})",
)


@settings(max_examples=500)
@example(["[", "](#knowledge-source-", f"](#knowledge-source-{ID})", f"{ID})"])
@example(["](#knowledge-source-", ID[:16], f"](#knowledge-source-{ID})", ID[16:], ")"])
@example(["](#knowledge-source-", "[", f"{ID})", f"](#knowledge-source-{ID})"])
@example(["]", "[citation:(#knowledge-source-", ID, ")", f"](#knowledge-source-{ID})"])
@example(["]", f"[](#knowledge-{ID}-1)", f"[](#knowledge-{ID}-1)", f"(#knowledge-source-{ID})"])
@given(st.lists(st.sampled_from(PARTS), max_size=14))
def test_unlinked_text_has_no_handle_and_stays_as_it_is(parts: list[str]) -> None:
    text = "".join(parts)

    once = unlink_handles(text)

    assert not HANDLE.search(once)
    assert unlink_handles(once) == once
    assert len(once) <= len(text)
    if not HANDLE.search(text):
        assert once == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"See [citation:Guide](#knowledge-source-{ID}).", "See Guide."),
        (f"See [Guide](#knowledge-source-{ID}).", "See Guide."),
        (f"See [citation:7](#knowledge-{ID}-7).", "See 7."),
        (f"See [citation:Guide](#user-content-knowledge-source-{ID}).", "See Guide."),
        (f"See ](#knowledge-source-{ID}).", "See ."),
        (f"[a [b](#knowledge-source-{ID})", "[a b"),
        (f"[a]\n(#knowledge-source-{ID})", f"[a]\n(#knowledge-source-{ID})"),
        (f"[a\nb](#knowledge-source-{ID})", "[a\nb"),
        ("[a](#knowledge-source-3) [b](#knowledge-source-selection)",) * 2,
        (f"[a](#knowledge-source-{ID[:-1]}) [b](#knowledge-source-{ID}0)",) * 2,
        (f"[a](<#knowledge-source-{ID}>) ![b](x)",) * 2,
        (f"【citation:标题】（#knowledge-source-{ID}）",) * 2,
        ("",) * 2,
    ],
)
def test_whole_handle_becomes_its_label_and_half_a_handle_vanishes(
    text: str, expected: str
) -> None:
    assert unlink_handles(text) == expected


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "]",
        "](#knowledge-source-",
        f"](#knowledge-source-{ID})",
        f"[](#knowledge-source-{ID})",
        f"[citation:Guide](#knowledge-source-{ID})",
        f"[a](#knowledge-{ID}-1)]",
        f"](#knowledge-source-](#knowledge-source-{ID})",
        f"[[[[a](#knowledge-source-{ID})",
        f"\n](#knowledge-{ID}-1) ",
    ],
)
def test_unlinking_grows_with_the_text_and_no_faster(piece: str) -> None:
    small, large = (piece * (size // len(piece)) + "#knowledge-" for size in (2_000, 32_000))

    # 16 times the text; quadratic work would take 256 times as much.
    work = count_characters(unlink_handles, large)
    assert len(large) < work < 40 * count_characters(unlink_handles, small)
