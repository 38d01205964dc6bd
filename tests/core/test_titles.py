"""A title is stored as the provider gave it, shown as a label, and never taken for more."""

from typing import Any

import pytest
from langchain_core.messages import ToolMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from core.mutated_messages import build_record, write_entry
from knowledge_contract.citation import make_label, shared_tail
from knowledge_contract.formatting import format_result
from knowledge_contract.normalize import normalize_hit
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import RetrievalHit, RetrievalResult
from knowledge_wire.identity import source_id
from knowledge_wire.parsing import Problem

DIRECTIONS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def format_hits(*hits: RetrievalHit) -> tuple[str, list[dict[str, Any]]]:
    """Return the text of hits, and the records that it proves."""
    text, artifact = format_result(
        RetrievalResult("local", hits), limit_chars=10_000, excerpt_chars=800
    )
    message = {"type": "tool", "name": "search", "content": text, "artifact": artifact}
    reading = read_message(message, binding="entry")
    assert (reading.refused, reading.overflow) == ((), 0)
    return text, [dict(each.record) for each in reading.evidence]


@pytest.mark.parametrize(
    ("title", "label"),
    [
        ("Plan [draft] (v2).pdf", "Plan draft (v2).pdf"),
        ("a](https://evil.example) [b", "a(https://evil.example) b"),
        ("`rm -rf`", "rm -rf"),
        ("a | b", "a b"),
        ("/srv/docs/guide.md", "/srv/docs/guide.md"),
        ("\u05de\u05d3\u05e8\u05d9\u05da", "\u05de\u05d3\u05e8\u05d9\u05da"),
    ],
    ids=["brackets", "a link of its own", "code", "table", "path", "right to left"],
)
def test_title_is_stored_as_it_is_and_shown_as_a_label(title: str, label: str) -> None:
    text, records = format_hits(RetrievalHit("Ask.", title=title))

    record = {"provider": "local", "title": title, "excerpt": "Ask."}
    record_id = source_id(record)
    assert records == [{"id": record_id, **record}]
    assert text == f"[1] [citation:{label}{shared_tail(record_id)}\nAsk."


@pytest.mark.parametrize("control", DIRECTIONS, ids=ascii)
def test_controls_of_direction_are_stored_and_never_shown(control: str) -> None:
    title = f"a{control}b"

    text, records = format_hits(RetrievalHit("Ask.", title=title))

    assert [record["title"] for record in records] == [title]
    assert records[0]["id"] != source_id({**records[0], "title": "ab"})
    assert make_label(title) == "ab"
    assert control not in text


@pytest.mark.parametrize("end", ["\n", "\t", "\r\n", "\0", "\x85", "\u2028"], ids=ascii)
def test_title_of_more_than_one_line_refuses_the_record(end: str) -> None:
    record, other = build_record(f"a{end}b", "Ask."), build_record("Guide", "Ask.")
    text = f"{write_entry(1, record)}\n\n{write_entry(2, other)}"
    artifact = {"knowledge_sources_version": 1, "knowledge_sources": [record, other]}

    reading = read_message({"type": "tool", "content": text, "artifact": artifact})

    assert [each.record for each in reading.evidence] == [other]
    assert reading.refused == (Problem("/knowledge_sources/0/title", "pattern"),)


@pytest.mark.parametrize("title", [None, "", " \t\u3000", "\0"], ids=ascii)
def test_hit_without_a_real_title_is_text_without_a_citation(title: str | None) -> None:
    hit = RetrievalHit("Ask.", title=title, dataset_name="Handbook", page=3)

    assert format_hits(hit) == ("[1] Handbook, p. 3 (no source to cite)\nAsk.", [])


@pytest.mark.parametrize("path", ["/srv/docs/guide.md", "C:\\docs\\guide.md", "file:///etc/passwd"])
def test_path_as_a_title_never_becomes_a_url(path: str) -> None:
    _, records = format_hits(RetrievalHit("Ask.", title=path, url=path))

    assert [(record["title"], record.get("url")) for record in records] == [(path, None)]


TWINS: dict[str, list[RetrievalHit]] = {
    "another excerpt of one title": [
        RetrievalHit("Ask.", title="Guide"),
        RetrievalHit("Wait.", title="Guide"),
    ],
    "two quotations of one page": [
        RetrievalHit("Ask.", title="Guide", page=7),
        RetrievalHit("Wait.", title="Guide", page=7),
    ],
    "chunks that overlap": [
        RetrievalHit("one two", title="Guide"),
        RetrievalHit("two three", title="Guide"),
    ],
    "one excerpt of two pages": [
        RetrievalHit("Ask.", title="Guide", page=7),
        RetrievalHit("Ask.", title="Guide", page=8),
    ],
    "composed and decomposed": [
        RetrievalHit("Ask.", title="F\u00fchrung"),
        RetrievalHit("Ask.", title="Fu\u0308hrung"),
    ],
}


@pytest.mark.parametrize("hits", TWINS.values(), ids=TWINS)
def test_records_that_differ_in_one_field_are_shown_and_read_apart(
    hits: list[RetrievalHit],
) -> None:
    text, records = format_hits(*hits)

    assert [(each["title"], each["excerpt"], each.get("page")) for each in records] == [
        (hit.title, hit.text, hit.page) for hit in hits
    ]
    assert len({record["id"] for record in records}) == 2
    assert all(text.count(shared_tail(record["id"])) == 1 for record in records)


def test_lone_surrogate_of_a_provider_is_gone_before_a_store_can_change_it() -> None:
    hit = normalize_hit(RetrievalHit("Ask \ud800 now.", title="Guide \udfff"))
    text, artifact = format_result(
        RetrievalResult("local", (hit,)), limit_chars=1_000, excerpt_chars=800
    )
    serde = JsonPlusSerializer()
    message = ToolMessage(text, tool_call_id="c1", artifact=artifact)

    reloaded = serde.loads_typed(serde.dumps_typed(message))

    assert reloaded == message
    assert [each.record["excerpt"] for each in read_message(reloaded).evidence] == [
        "Ask \ufffd now."
    ]
