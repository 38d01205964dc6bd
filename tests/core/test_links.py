"""What an answer cites is what CommonMark makes a link, and reading it is bounded."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.hits import texts
from knowledge_contract._links import (
    BRACKET_COUNT,
    REPORT_CHARS,
    Link,
    cut_off,
    link_of,
    read_links,
)
from knowledge_contract.citation import native_handle, shared_handle

ID = "0123456789abcdef" * 2
SHARED = f"#knowledge-source-{ID}"
NATIVE = f"#knowledge-{ID}-7"
SANITISED = "#user-content-"
SHARED_LINK = Link("shared", ID)
NATIVE_LINK = Link("native", f"{ID}-7")

CITED = {
    "shared handle": (shared_handle(ID, "Guide"), [SHARED_LINK]),
    "native handle": (native_handle(f"{ID}-7", 3), [NATIVE_LINK]),
    "shared, sanitised": (f"[a]({SANITISED}{SHARED[1:]})", [SHARED_LINK]),
    "native, sanitised": (f"[a]({SANITISED}{NATIVE[1:]})", [NATIVE_LINK]),
    "plain title as label": (f"[Handbook]({SHARED})", [SHARED_LINK]),
    "no label": (f"[]({SHARED})", [SHARED_LINK]),
    "brackets and emphasis in the label": (f"[a [b] **c**]({SHARED})", [SHARED_LINK]),
    "angle brackets": (f"[a](<{SHARED}>)", [SHARED_LINK]),
    "title": (f"[a]({SHARED} 'title')", [SHARED_LINK]),
    "line end before the bracket": (f"[a](\n{SHARED}\n)", [SHARED_LINK]),
    "reference definition": (f"[a][x] and [x]\n\n[x]: {SHARED}", [SHARED_LINK, SHARED_LINK]),
    "definition in a quote": (f"[x]\n\n> [x]: <{NATIVE}> 'title'", [NATIVE_LINK]),
    "entity and escape": (f"[a](&#35;knowledge\\-source-{ID})", [SHARED_LINK]),
    "entity in an id": (f"[a](#knowledge-source-&#x30;{ID[1:]})", [SHARED_LINK]),
    "image in a link": (f"[![a](b.png)]({SHARED})", [SHARED_LINK]),
    "bold between Han characters": (f"请看**[a]({SHARED})**。", [SHARED_LINK]),
    "heading": (f"# See [a]({SHARED})", [SHARED_LINK]),
    "list in a quote": (f"> - 1. [a]({SHARED})", [SHARED_LINK]),
    "cell of a table": (f"| a | b |\n|---|---|\n| [a]({SHARED}) | [b]({NATIVE}) |",
                        [SHARED_LINK, NATIVE_LINK]),
    "after inline code": (f"`a` [a]({SHARED})", [SHARED_LINK]),
    "unclosed backtick": (f"` [a]({SHARED})", [SHARED_LINK]),
    "beside lone surrogates": (f"\ud800[a](\udfff) [a]({SHARED})", [SHARED_LINK]),
    "inner link wins": (f"[a [b]({NATIVE}) c]({SHARED})", [NATIVE_LINK]),
    "in order, repeated": (
        f"[a]({NATIVE}) [b]({SHARED})\n\n[c]({NATIVE})", [NATIVE_LINK, SHARED_LINK, NATIVE_LINK]
    ),
}  # fmt: skip
NOT_CITED = {
    "image": f"![a]({SHARED})",
    "link in an image's label": f"![a [b]({SHARED})](c.png)",
    "inline code": f"`[a]({SHARED})`",
    "fence": f"```\n[a]({SHARED})\n```",
    "shorter fence inside a longer one": f"````\n```\n[a]({SHARED})\n````",
    "fence in a quote in a list": f"- > ~~~\n  > [a]({SHARED})",
    "unclosed fence": f"```\n\n[a]({SHARED})",
    "indented code": f"    [a]({SHARED})",
    "raw HTML link": f'<a href="{SHARED}">a</a>',
    "block of HTML": f"<div>\n[a]({SHARED})\n</div>",
    "HTML comment": f"a <!-- [a]({SHARED}) -->",
    "autolink": f"<{SHARED}>",
    "bare destination": SHARED,
    "escaped bracket": f"\\[a]({SHARED})",
    "definition that nothing uses": f"[x]: {SHARED}",
    "full-width brackets": f"\u3010a\u3011\uff08{SHARED}\uff09",
    "id that goes on": f"[a]({SHARED}0)",
    "id that is short": f"[a]({SHARED[:-1]})",
    "upper case": f"[a]({SHARED.upper()})",
    "ordinary anchor": "[a](#knowledge-source-selection) [b](#knowledge-source-3)",
    "native ordinal 0": f"[a](#knowledge-{ID}-0)",
    "native ordinal 1000": f"[a](#knowledge-{ID}-1000)",
    "percent-encoded": f"[a](#knowledge%2Dsource-{ID})",
    "prefixed twice": f"[a]({SANITISED}user-content-{SHARED[1:]})",
    "destination of another page": f"[a](page{SHARED})",
    "astral digit": f"[a](#knowledge-source-{ID[:-1]}\U0001d7d8)",
    "space inside": f"[a](#knowledge-source- {ID})",
    "empty": "",
}


@pytest.mark.parametrize("case", CITED)
def test_destination_of_a_link_is_cited(case: str) -> None:
    text, expected = CITED[case]

    assert list(read_links(text)) == expected


@pytest.mark.parametrize("case", NOT_CITED)
def test_what_is_no_link_to_evidence_is_not_cited(case: str) -> None:
    assert read_links(NOT_CITED[case]) == ()


def hrefs(tokens: list[Token]) -> Iterator[object]:
    """Yield the destinations of links, images left out with all they hold."""
    for token in tokens:
        if token.type == "link_open":
            yield token.attrGet("href")
        elif token.type == "inline":
            yield from hrefs(token.children or [])


PIECES = (
    *(f"[a]({SHARED})", f"[b](<{NATIVE}>)", f"[x]: {SHARED}\n", "[x]", "[x][]", f"({NATIVE})"),
    *("[", "]", "![", "(", ")", "<", ">", "`", "``", "```\n", "*", "_", "**", "\\", "&", "&#35;"),
    *("\n", "\n\n", "> ", "- ", "    ", "# ", "<b>", "<div>\n", "<!--", "-->", "text", "é", "\0"),
    *(SHARED, "#knowledge-", "\t", "\r\n", "'", '"', "---\n", "[x]: <", "&amp;", "http://a"),
)


@given(st.lists(st.one_of(st.sampled_from(PIECES), texts(1)), max_size=25).map("".join))
def test_verdict_is_that_of_the_whole_parser(text: str) -> None:
    parsed = MarkdownIt("commonmark").parse(text.encode(errors="replace").decode())
    expected = [link for href in hrefs(parsed) if (link := link_of(href)) is not None]

    assert list(read_links(text)) == expected


def test_only_the_first_million_code_points_are_read() -> None:
    link = f"[a]({SHARED})"
    filling = ("a" * 99 + "\n") * (REPORT_CHARS // 100)

    assert read_links(filling[: REPORT_CHARS - len(link)] + link) == (SHARED_LINK,)
    assert read_links(filling[: REPORT_CHARS - len(link) + 1] + link) == ()


def test_only_so_many_brackets_are_followed() -> None:
    first, last = f"[a]({SHARED})\n\n", f"[b]({NATIVE})"
    others = "[]" * (BRACKET_COUNT - 2)

    assert read_links(f"{first}{others}{last}") == (SHARED_LINK, NATIVE_LINK)
    assert read_links(f"{first}{others}[]{last}\n\n{last}") == (SHARED_LINK,)


HOSTILE = (
    *("[", "![", "[a](", "> ", "- ", "`a", "``` a\n", "<!--", "<a b='", "&", "*a_ ", "[x]: <\n"),
    *("(", "\\", "[x]: #k 'a\n", "<![CDATA[", "a\n", "\t", f"[a]({SHARED}", "[[x]", "1. ", "\0"),
)


@pytest.mark.parametrize("piece", HOSTILE, ids=[f"piece {n}" for n in range(len(HOSTILE))])
def test_hostile_nesting_neither_raises_nor_hides_what_stands_before_it(piece: str) -> None:
    text = f"[a]({SHARED})\n\n{piece * (20_000 // len(piece))}\n\n[b]({NATIVE})"

    assert read_links(text)[:1] == (SHARED_LINK,)


def test_blocks_that_nest_too_deep_cite_nothing() -> None:
    link = f"[a]({SHARED})"

    assert read_links("> " * 19 + link) == (SHARED_LINK,)
    assert read_links("> " * 50_000 + link) == ()


SPELT = {
    "plain": (f"[a]({SHARED})", "[a](#)"),
    "sanitised": (f"[a](<{SANITISED}{NATIVE[1:]}>)", "[a](<#>)"),
    "escaped": (f"[a](#knowledge\\-source\\-{ID})", "[a](#)"),
    "entities": (f"[a](&num;&#107;nowledge&#x2D;{ID}-&#55;)", "[a](#)"),
    "in code": (f"`[a]({NATIVE})`", "`[a](#)`"),
    "in a definition": (f"[a]: {SHARED} 'title'", "[a]: # 'title'"),
}
UNTOUCHED = {
    "another id": f"[a](#knowledge-source-{'f' * 32})",
    "a longer word": f"[a]({SHARED}-more)",
    "a longer word, spelt": f"[a]({SHARED}&#45;more)",
    "an entity of another character": f"[a](#knowledge&amp;-source-{ID})",
    "prose with entities and escapes": "A &amp; B, `c && d`, \\- \\# &num;",
}


@pytest.mark.parametrize("case", SPELT)
def test_stray_destination_is_cut_off_however_it_is_spelt(case: str) -> None:
    text, expected = SPELT[case]

    assert cut_off(text, {SHARED_LINK, NATIVE_LINK}.__contains__) == expected
    assert cut_off(f"A && B \\- {text} &amp;", lambda _: True) == f"A && B \\- {expected} &amp;"


@pytest.mark.parametrize("case", UNTOUCHED)
def test_everything_else_stays_as_it_was_spelt(case: str) -> None:
    text = UNTOUCHED[case]

    assert cut_off(text, {SHARED_LINK, NATIVE_LINK}.__contains__) == text
