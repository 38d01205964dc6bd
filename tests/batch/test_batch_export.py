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
        f'<a id="knowledge-{GUIDE["id"]}"></a>'
        "**Guide \\*draft\\* \\[v2\\]\\.pdf** (Handbook, p. 3)\n\n"
        "> Ask first\\.\\\n> Then deploy\\.\n"
    )


def test_record_of_several_reports_stands_once() -> None:
    page = export_markdown("b", [row(key, handle(GUIDE), GUIDE) for key in "xy"])

    assert page.count("<a id=") == 1


def test_record_of_an_older_release_is_shown_without_what_it_lacks() -> None:
    page = export_markdown("b", [row("x", f"[a](#knowledge-{OLD['id']})", OLD)])

    assert page.endswith(f'<a id="knowledge-{OLD["id"]}"></a>**Old\\.pdf**\n\n> Old\\.\n')


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
    assert ANCHOR.findall(sources) == [f"knowledge-{record['id']}"]
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
