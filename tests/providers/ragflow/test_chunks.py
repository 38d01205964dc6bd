"""From chunks to hits: titles, identifiers, pages and text, each only from where it may come."""

import logging
from typing import Any

import pytest

from knowledge_contract.providers.ragflow.pages import read_pages
from knowledge_contract.retrieval import NativeLocators, RetrievalHit
from providers.ragflow.library import (
    answering,
    chunk,
    hex_id,
    library,
    retrieval,
    search,
    texts,
)
from providers.ragflow.server import running

BOOK = hex_id(101)
PLACE = [3, 10, 90, 10, 90]


def hits_of(*chunks: object, doc_aggs: object = (), **changes: Any) -> tuple[RetrievalHit, ...]:
    """Return the hits of a retrieval that answers with these chunks."""
    found = retrieval(*chunks)
    found["data"]["doc_aggs"] = doc_aggs
    with running(library(intercept=answering("/retrieval", found))) as server:
        return search(server, **changes).hits


def hit_of(doc_aggs: object = (), **changes: Any) -> RetrievalHit:
    """Return the hit of one chunk."""
    (hit,) = hits_of(chunk(1, **changes), doc_aggs=doc_aggs)
    return hit


def test_older_names_are_read() -> None:
    (hit,) = hits_of(
        {
            "chunk_id": "c1",
            "content_with_weight": "Old text.",
            "doc_id": BOOK,
            "docnm_kwd": "old.pdf",
            "kb_id": hex_id(1),
            "positions": [[68.0, 90.0, 534.0, 613.0, 624.0]],
        }
    )

    assert hit == RetrievalHit(
        "Old text.",
        title="old.pdf",
        dataset_name="Shelf 1",
        page=68,
        locators=NativeLocators(hex_id(1), BOOK, "c1", (68,)),
    )


SUMMARY_ROW = {"doc_name": "Summary.pdf", "doc_id": BOOK, "count": 1}
TITLES: dict[str, tuple[dict[str, Any], object, str | None]] = {
    "keyword first": ({"document_name": "b.pdf"}, [SUMMARY_ROW], "Book 101.pdf"),
    "then the name": (
        {"document_keyword": " ", "document_name": "b.pdf"},
        [SUMMARY_ROW],
        "b.pdf",
    ),
    "then a list": ({"document_keyword": None}, [None, 7, SUMMARY_ROW], "Summary.pdf"),
    "then an object": (
        {"document_keyword": ""},
        {"Summary.pdf": {"doc_id": BOOK, "count": 1}, "x": None},
        "Summary.pdf",
    ),
    "of the same id only": (
        {"document_keyword": ""},
        [{**SUMMARY_ROW, "doc_id": hex_id(9)}, {"doc_name": "x.pdf"}, {"doc_id": BOOK}],
        None,
    ),
    "the first of an id": (
        {"document_keyword": ""},
        [SUMMARY_ROW, {**SUMMARY_ROW, "doc_name": "x.pdf"}],
        "Summary.pdf",
    ),
    "no summary": ({"document_keyword": ""}, None, None),
    "a summary in words": ({"document_keyword": ""}, "Summary.pdf", None),
    "not one of blanks": ({"document_keyword": "\ufeff"}, [SUMMARY_ROW], "Summary.pdf"),
    "not one of controls": (
        {"document_keyword": "\x01", "document_name": "b.pdf"},
        [SUMMARY_ROW],
        "b.pdf",
    ),
    "not blanks of the summary": (
        {"document_keyword": ""},
        [{**SUMMARY_ROW, "doc_name": "\ufeff "}, SUMMARY_ROW],
        "Summary.pdf",
    ),
    "a title that is no text": ({"document_keyword": ["x.pdf"]}, [], None),
    "none without a document": ({"document_id": ""}, [{**SUMMARY_ROW, "doc_id": ""}], None),
}


@pytest.mark.parametrize(("changes", "summary", "title"), TITLES.values(), ids=TITLES)
def test_title_comes_from_the_document_s_name(
    changes: dict[str, Any], summary: object, title: str | None
) -> None:
    assert hit_of(summary, **changes).title == title


@pytest.mark.parametrize(
    "changes",
    [
        {"dataset_id": None},
        {"dataset_id": ""},
        {"dataset_id": [hex_id(1), hex_id(2)]},
        {"document_id": ""},
        {"id": None},
        {"id": ""},
        {"id": "x" * 257},
        {"id": "x\ud800"},
    ],
    ids=[
        *("no dataset", "empty dataset", "two datasets", "no document", "no id", "empty id"),
        *("long id", "surrogate"),
    ],
)
def test_chunk_without_all_identifiers_has_none_and_keeps_its_text(changes: Any) -> None:
    hit = hit_of(**changes)

    assert hit.text == "Step 1: prime the pump."
    assert hit.locators is None


def test_dataset_in_a_list_of_one_is_that_dataset() -> None:
    hit = hit_of(dataset_id=[hex_id(2)])

    assert hit.dataset_name == "Shelf 2"
    assert hit.locators is not None
    assert hit.locators.dataset_id == hex_id(2)


def test_text_is_the_content_and_never_the_highlight_or_the_tokens() -> None:
    hit = hit_of(content="<b>Pump</b> & valve", highlight="<em>Pump</em>", content_ltks="pump valv")

    assert hit.text == "<b>Pump</b> & valve"


@pytest.mark.parametrize(
    "content", ["", " \n\t", "\0", None, 7, ["x"]], ids=["", "blank", "NUL", "null", "7", "list"]
)
def test_chunk_without_text_is_left_out(content: object) -> None:
    assert [hit.text for hit in hits_of(chunk(1, content=content), chunk(2))] == [
        "Step 2: prime the pump."
    ]


def test_entries_that_are_no_chunks_are_left_out() -> None:
    assert len(hits_of(None, "x", 7, [], chunk(1))) == 1


def test_repeated_chunk_is_shown_once() -> None:
    hits = hits_of(chunk(1), chunk(1, content="Changed."), chunk(1, document=103), chunk(2))

    assert [(hit.text, hit.title) for hit in hits] == [
        ("Step 1: prime the pump.", "Book 101.pdf"),
        ("Step 1: prime the pump.", "Book 103.pdf"),
        ("Step 2: prime the pump.", "Book 101.pdf"),
    ]


def test_chunks_without_identifiers_are_not_taken_for_one() -> None:
    hits = hits_of(*(chunk(number, id=None) for number in (1, 2)))

    assert len(hits) == 2


def test_left_out_chunks_do_not_count_as_hits() -> None:
    hits = hits_of(
        *(chunk(n, content=" ") for n in range(1, 50)), chunk(50), chunk(51), page_size=2
    )

    assert len(hits) == 2


def test_rows_beyond_the_most_that_can_be_asked_for_are_not_looked_at(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    rows = [chunk(n, content=" ") for n in range(1, 101)]

    assert hits_of(*rows, chunk(101)) == ()
    assert [hit.text for hit in hits_of(*rows[:-1], chunk(100))] == ["Step 100: prime the pump."]
    assert "chunks dropped: 100 without text" in caplog.text


def test_link_is_never_made_of_what_the_server_says() -> None:
    hit = hit_of(url="https://example.org/", document_metadata={"url": "https://example.org/"})

    assert hit.url is None


@pytest.mark.parametrize("score", [12.5, -3, 0, None, "x"], ids=["high", "low", "0", "null", "x"])
def test_score_decides_nothing(score: object) -> None:
    hits = hits_of(chunk(1, similarity=score), chunk(2))

    assert [hit.text.split(":")[0] for hit in hits] == ["Step 1", "Step 2"]


PAGES: dict[str, tuple[object, tuple[int, ...]]] = {
    "one row": ([PLACE], (3,)),
    "several pages, out of order": ([[9, *PLACE[1:]], PLACE, PLACE], (3, 9)),
    "whole fractions": ([[68.0, 1.5, 2.5, 1.5, 2.5]], (68,)),
    "fraction": ([[2.5, *PLACE[1:]]], ()),
    "boolean": ([[True, *PLACE[1:]]], ()),
    "boolean in the box": ([[3, False, 90, 10, 90]], ()),
    "text": ([["3", *PLACE[1:]]], ()),
    "zero": ([[0, *PLACE[1:]]], ()),
    "negative": ([[-2, *PLACE[1:]]], ()),
    "largest page": ([[1_000_000, *PLACE[1:]]], (1_000_000,)),
    "beyond the largest": ([[1_000_001, *PLACE[1:]]], ()),
    "ordinal": ([[4, 3, 3, 3, 3]], ()),
    "no width": ([[3, 10, 10, 10, 90]], ()),
    "no height": ([[1, 0, 0, 6, 6]], ()),
    "box turned round": ([[3, 90, 10, 10, 90]], ()),
    "short row": ([PLACE[:4]], ()),
    "long row": ([[*PLACE, 1]], ()),
    "empty text": ([""], ()),
    "one good among bad": ([None, PLACE, "x", {}], (3,)),
    "no list": ({"0": PLACE}, ()),
    "null": (None, ()),
}


@pytest.mark.parametrize(("positions", "pages"), PAGES.values(), ids=PAGES)
def test_pages_are_those_of_real_places(positions: object, pages: tuple[int, ...]) -> None:
    assert read_pages(positions, "pump.PDF") == pages


@pytest.mark.parametrize("name", ["notes.docx", "talk.pptx", "pdf", "x.pdf.txt", "", None], ids=str)
def test_only_pdf_has_pages(name: str | None) -> None:
    assert read_pages([PLACE], name) == ()


def test_at_most_a_hundred_pages_are_kept() -> None:
    rows = [[number, *PLACE[1:]] for number in range(300, 0, -1)]

    assert read_pages(rows, "a.pdf") == tuple(range(1, 101))


def test_shared_page_is_the_smallest_one() -> None:
    hit = hit_of(positions=[[9, *PLACE[1:]], PLACE])

    assert hit.page == 3
    assert hit.locators is not None
    assert hit.locators.pages == (3, 9)


def test_texts_come_in_the_server_s_order() -> None:
    with running(library()) as server:
        assert texts(search(server))[0] == "Step 1: prime the pump."
