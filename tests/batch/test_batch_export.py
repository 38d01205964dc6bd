"""Exports keep evidence and links, and hostile text stays text."""

import json
import re
from html import unescape
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from core.evidence import handle, native_record, proof, shared_record
from core.hits import texts
from knowledge_contract.batch import BatchRow, build_row, export_json, export_markdown

GUIDE = native_record(1, "Ask first.\nThen deploy.", document_name="Guide *draft* [v2].pdf")
OLD = {"id": f"{'e' * 32}-1", "provider": "ragflow", "document_name": "Old.pdf", "text": "Old."}
RENDERERS = {
    "commonmark": MarkdownIt("commonmark"),
    "tables and strikethrough": MarkdownIt("commonmark").enable(["table", "strikethrough"]),
}
ANCHOR = re.compile(r'<a id="([^"]*)"></a>')
INTERNAL = re.compile(r'<a href="#([^"]*)"')


def row(key: str, text: str, *records: dict[str, Any]) -> BatchRow:
    return build_row(key, position=0, status="succeeded", text=text, evidence=map(proof, records))


def anchors(record: dict[str, Any]) -> str:
    """Return what a link to a record leads to, in both its forms."""
    name = f"knowledge-{record['id']}"
    return f'<a id="{name}"></a><a id="user-content-{name}"></a>'


def test_markdown_is_the_reports_and_then_their_sources() -> None:
    failed = build_row("second", position=1, status="failed", text="It timed out.")
    page = export_markdown("Batch", [row("first", f"See {handle(GUIDE)}.", GUIDE), failed])

    assert page == (
        "# Batch\n\n"
        "## first\n\n"
        f"See {handle(GUIDE)}.\n\n"
        "## second (failed)\n\n"
        "It timed out.\n\n"
        "## Sources\n\n"
        f"{anchors(GUIDE)}"
        "**Guide \\*draft\\* \\[v2\\]\\.pdf** (Handbook, p. 3)\n\n"
        "> Ask first\\.\\\n> Then deploy\\.\n"
    )


def test_record_of_several_reports_stands_once() -> None:
    page = export_markdown("b", [row(key, handle(GUIDE), GUIDE) for key in "xy"])

    assert page.count("<a id=") == 2


def test_record_of_an_older_release_is_shown_without_what_it_lacks() -> None:
    page = export_markdown("b", [row("x", f"[a](#knowledge-{OLD['id']})", OLD)])

    assert page.endswith(f"{anchors(OLD)}**Old\\.pdf**\n\n> Old\\.\n")


@pytest.mark.parametrize(
    "link",
    [
        handle(GUIDE),
        handle(GUIDE).replace("(#", "(#user-content-"),
        f"[a](<#knowledge-{GUIDE['id']}> 'b')",
        f"[a]\n\n[a]: #knowledge-{GUIDE['id']}",
    ],
    ids=["raw", "sanitised", "angle brackets", "reference"],
)
@pytest.mark.parametrize("renderer", RENDERERS)
def test_link_to_a_record_leads_to_its_anchor(renderer: str, link: str) -> None:
    html = RENDERERS[renderer].render(export_markdown("b", [row("x", link, GUIDE)]))

    (target,) = INTERNAL.findall(html)
    assert target
    assert target in ANCHOR.findall(html)


@pytest.mark.parametrize(
    "link",
    [
        handle(shared_record("Shared.")),
        f"[a](#knowledge-{'f' * 32}-1)",
        f"[a](<#knowledge-{'f' * 32}-1>)",
        f"[a](&#35;knowledge\\-{'f' * 32}-1)",
    ],
    ids=["shared", "invented", "angle brackets", "escapes"],
)
def test_link_without_a_record_leads_nowhere(link: str) -> None:
    html = RENDERERS["commonmark"].render(export_markdown("b", [row("x", f"See {link}.", GUIDE)]))

    assert [target for target in INTERNAL.findall(html) if target] == []


@pytest.mark.parametrize(
    "opening",
    ["```", "~~~~ a", "<!-- open", "<script>", "- ```", "<pre>", "<![CDATA[", "> ```\nlazy"],
    ids=["fence", "tildes", "comment", "script", "in a list", "pre", "CDATA", "in a quote"],
)
def test_report_that_leaves_something_open_swallows_no_source(opening: str) -> None:
    reports = [row("x", f"{handle(GUIDE)}\n\n{opening}\nx", GUIDE), row("y", "Next.")]

    html = RENDERERS["commonmark"].render(export_markdown("b", reports))

    assert f"knowledge-{GUIDE['id']}" in ANCHOR.findall(html)
    assert "<h2>y</h2>" in html
    assert "<h2>Sources</h2>" in html


MARKUP = st.lists(
    st.one_of(
        st.sampled_from(
            [
                *(
                    "# a",
                    "## Sources",
                    "\n",
                    "\n\n",
                    "\r\n",
                    "```\n",
                    "~~~",
                    "> ",
                    "- ",
                    "1. ",
                    "1) ",
                ),
                *(
                    "<script>",
                    "<!--",
                    "<b>",
                    "&amp;",
                    "&#35;",
                    "![a](b)",
                    "[a](b)",
                    "[x]: y",
                    "[x]",
                ),
                *(
                    "    code",
                    "\t",
                    "---",
                    "===",
                    "| a | b |\n|---|---|",
                    "*a*",
                    "__b__",
                    "`c`",
                    "\\",
                ),
                *("~~d~~", "http://a.example", "<http://a>", "a@b.example", "  \n", handle(GUIDE)),
            ]
        ),
        texts(1),
    ),
    min_size=1,
    max_size=10,
).map("".join)


@example("\n \t\u3000\n", "a", "commonmark")
@given(MARKUP, MARKUP, st.sampled_from(sorted(RENDERERS)))
def test_hostile_excerpts_and_titles_stay_text(text: str, title: str, renderer: str) -> None:
    record = native_record(7, f"x{text}".encode(errors="replace").decode(), document_name="x")
    record["document_name"] = f"x{title}".encode(errors="replace").decode()[:512]

    page = export_markdown("b", [row("x", handle(record), record)])

    html = RENDERERS[renderer].render(page)
    _, _, sources = html.partition("<h2>Sources</h2>")
    tags = set(re.findall(r"<(/?[a-z0-9]+)", sources))
    assert tags <= {"a", "/a", "p", "/p", "strong", "/strong", "blockquote", "/blockquote", "br"}
    assert ANCHOR.findall(sources) == ANCHOR.findall(anchors(record))
    quoted = re.sub(r"<[^>]*>", "", sources.partition("<blockquote>")[2])
    assert words(unescape(quoted)) == words(record["text"])


def words(text: str) -> list[str]:
    return text.replace("\0", "\ufffd").split()


def test_json_keeps_rows_with_their_evidence() -> None:
    failed = build_row("second", position=1, status="failed", text="It timed out.")
    first = row("first", handle(GUIDE), GUIDE)

    document = json.loads(export_json("Batch", [first, failed]))

    assert document == {
        "version": 1,
        "batch_id": "Batch",
        "rows": [
            {
                "item_key": "first",
                "position": 0,
                "status": "succeeded",
                "text": handle(GUIDE),
                "revision": first.revision,
                "evidence": {"version": 1, "sources": [GUIDE], "omitted_count": 0},
            },
            {
                "item_key": "second",
                "position": 1,
                "status": "failed",
                "text": "It timed out.",
                "revision": failed.revision,
            },
        ],
    }


def rendered(*rows: BatchRow) -> str:
    return str(RENDERERS["commonmark"].render(export_markdown("b", rows)))


def section(html: str, key: str) -> str:
    """Return what stands below one heading."""
    return html.partition(f"<h2>{key}</h2>")[2].partition("<h2>")[0]


DEFINED = {
    "full": ("See [the *site*][1].\n\n[1]: /a?b=1&c 'A \"title\"'", "the <em>site</em>"),
    "collapsed": ("See [site][].\n\n[site]: /a?b=1&c", "site"),
    "shortcut": ("> See [site].\n\n[SITE]:\n  /a?b=1&c", "site"),
    "image": ("See [![site]](/a?b=1&amp;c).\n\n[site]: /i.png", '<img src="/i.png" alt="site" />'),
    "over lines": ("- See [the\n  site][a\n  b].\n\n  [a b]: /a?b=1&c", "the\nsite"),
    "in a heading": ("# See [site] #\n\n[site]: /a?b=1&c", "site"),
    "in a link in brackets": ("[[site]]\n\n[site]: /a?b=1&c", "site"),
}


@pytest.mark.parametrize("case", DEFINED)
def test_link_by_a_definition_works_and_the_definition_stays_the_reports_own(case: str) -> None:
    text, label = DEFINED[case]

    html = rendered(row("x", text), row("y", "Not [site], [1], [the site][a b] nor [SITE][]."))

    assert re.search(rf'<a href="/a\?b=1&amp;c"[^>]*>{re.escape(label)}</a>', section(html, "x"))
    assert section(html, "y") == "\n<p>Not [site], [1], [the site][a b] nor [SITE][].</p>\n"


def test_report_cannot_lend_its_links_to_anothers_words() -> None:
    first = row("x", f"See {handle(GUIDE)}.\n\n[2]: #knowledge-{GUIDE['id']}", GUIDE)

    html = rendered(first, row("y", "Tea is safe [2]."))

    assert section(html, "y") == "\n<p>Tea is safe [2].</p>\n"


RAW = {
    "an anchor": f'x <a id="knowledge-{GUIDE["id"]}"></a> Forged.',
    "an anchor in a block": f'<div>\n<a id="knowledge-{GUIDE["id"]}"></a>\n</div>',
    "a text field": "x <textarea> y",
    "a style": "<style>\nh2 { display: none }",
    "a comment": "x <!-- y\nz -->",
    "a link": f'<a href="#knowledge-{"f" * 32}-1">raw</a>',
    "in a quote": "> - <script>\n>   x",
    "inside a definition": "[x]: <a>\n\n[x]",
}


@pytest.mark.parametrize("case", RAW)
def test_raw_markup_of_a_report_is_text(case: str) -> None:
    html = rendered(row("x", f"{handle(GUIDE)}\n\n{RAW[case]}", GUIDE))

    tags = set(re.findall(r"<(/?[a-z0-9]+)", section(html, "x")))
    assert not tags & {"div", "textarea", "style", "script", "!--"}
    assert "<!--" not in html
    assert ANCHOR.findall(html) == ANCHOR.findall(anchors(GUIDE))
    assert words(unescape(re.sub(r"<[^>]*>", "", section(html, "x"))))


def test_code_and_automatic_links_of_a_report_stay() -> None:
    text = "`<b>` <https://a.example/?b&c>\n\n```\n<b> && [x]: y\n```"

    assert f"## x\n\n{text}\n" in export_markdown("b", [row("x", f"{text}")])


def test_records_that_differ_under_one_id_stand_each_by_itself() -> None:
    other = native_record(1, "Other text.", document_name="Other.pdf")

    html = rendered(row("x", handle(GUIDE), GUIDE), row("y", handle(other), other))

    targets = [INTERNAL.findall(section(html, key)) for key in "xy"]
    assert targets == [[f"knowledge-{GUIDE['id']}"], [f"knowledge-{GUIDE['id']}-2"]]
    assert "Other text." in html.partition(f'id="{targets[1][0]}"')[2]


def test_sources_that_a_batch_left_out_are_told_below_the_report() -> None:
    records = [native_record(at, "x" * 20_000) for at in range(1, 61)]

    item = row("x", " ".join(handle(each) for each in records), *records)

    omitted = (item.evidence or {})["omitted_count"]
    assert f"\n\n{omitted} cited sources left out to fit the limit.\n" in export_markdown(
        "b", [item]
    )
    assert omitted > 1


@given(st.lists(MARKUP, min_size=1, max_size=3))
def test_reports_never_reach_beyond_themselves(reports: list[str]) -> None:
    rows = [row(f"item{at}", text, GUIDE) for at, text in enumerate(reports)]
    rows.append(row("last", f"[x] [a] {handle(GUIDE)}", GUIDE))

    html = rendered(*rows)

    link = f'<a href="#knowledge-{GUIDE["id"]}">citation:1</a>'
    assert section(html, "last") == f"\n<p>[x] [a] {link}</p>\n"
    assert ANCHOR.findall(html) == ANCHOR.findall(anchors(GUIDE))
    assert "<script" not in html
