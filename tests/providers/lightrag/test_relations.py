"""Relations: single edges behind the chunks that support them (synthetic answers)."""

import logging
from typing import Any

import pytest

from knowledge_contract.errors import ProviderError
from knowledge_contract.formatting import format_result
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import (
    RetrievalContext,
    RetrievalHit,
    RetrievalResult,
)
from providers.lightrag.synthetic import (
    ALL,
    NO_RESULTS,
    chunk,
    entity,
    finding,
    reference,
    relation,
    relations,
    search_relations,
    sent,
    success,
)

HANDLE = "[citation:Guide](#knowledge-source-0123456789abcdef0123456789abcdef)"


def text_of(result: RetrievalResult, limit_chars: int = 100_000) -> str:
    """Return what a model is shown."""
    return format_result(result, limit_chars=limit_chars, excerpt_chars=1000)[0]


def edges(result: RetrievalResult) -> list[RetrievalHit]:
    """Return the hits that are relations."""
    return [hit for hit in result.hits if hit.evidence is not None]


def test_query_is_one_request_in_the_mode_hybrid() -> None:
    with finding(chunk(1)) as server:
        relations(server, api_key="k1").search_relations_sync("pump", context=ALL)
        relations(server, api_key="k1", top_k=5).search_sync("pump", context=ALL)

    first, second = sent(server)
    assert first[0]["line"] == "POST /query/data HTTP/1.1"
    assert first[0]["x-api-key"] == "k1"
    assert first[1] == {"query": "pump", "mode": "hybrid", "top_k": 20}
    assert second[1] == {"query": "pump", "mode": "hybrid", "top_k": 5}


def test_relation_stands_behind_its_evidence_and_names_it() -> None:
    result = search_relations(
        success(chunk(1), chunk(2), relationships=[relation(2)], entities=[entity("Bridge")])
    )

    assert result.layout == "relations"
    assert result.hits == (
        RetrievalHit("Passage 2.", title="book-2.pdf"),
        RetrievalHit("Relation: Bridge -- Orla Venn\n- Orla Venn tends the bridge.", evidence=(0,)),
        RetrievalHit("Entity: Bridge (concept)\n- What Bridge is."),
    )
    assert "\n\n[2] (no source to cite; evidence: [1])\nRelation: Bridge" in text_of(result)


def test_shared_chunk_stands_once_before_the_first_relation_that_names_it() -> None:
    result = search_relations(
        success(
            *(chunk(1), chunk(2), chunk(3)),
            relationships=[relation(2), relation(2, 3), relation(1, 2, 3)],
        )
    )

    assert [hit.title for hit in result.hits] == [
        *("book-2.pdf", None, "book-3.pdf", None, "book-1.pdf", None),
    ]
    assert [hit.evidence for hit in edges(result)] == [(0,), (0, 2), (4, 0, 2)]
    text = text_of(result)
    assert "evidence: [1])" in text
    assert "evidence: [1], [3])" in text
    assert "evidence: [1], [3], [5])" in text


@pytest.mark.parametrize(
    "source_id",
    [
        "",
        "doc-9-chunk-000",
        "manual_creation",
        "UNKNOWN",
        "<SEP><SEP>",
        None,
        7,
        ["doc-1-chunk-000"],
    ],
    ids=["empty", "not returned", "manual", "unknown", "separators", "null", "number", "list"],
)
def test_relation_without_a_returned_chunk_is_marked(source_id: object) -> None:
    result = search_relations(success(chunk(1), relationships=[relation(source_id=source_id)]))

    assert [hit.evidence for hit in result.hits] == [()]
    assert "[1] (no source to cite; no document evidence)\nRelation: " in text_of(result)


def test_missing_ids_of_a_list_are_left_out_and_the_others_count() -> None:
    result = search_relations(success(chunk(1), relationships=[relation(7, 1, 8)]))

    assert [hit.evidence for hit in edges(result)] == [(0,)]


@pytest.mark.parametrize(
    "source_id",
    [
        " doc-1-chunk-000 ",
        "<SEP>doc-1-chunk-000<SEP> <SEP>",
        "doc-1-chunk-000<SEP>doc-1-chunk-000",
        "x<SEP>\tdoc-1-chunk-000",
    ],
    ids=["blanks", "empty parts", "twice", "tab"],
)
def test_list_of_ids_is_split_trimmed_and_read_once(source_id: str) -> None:
    result = search_relations(success(chunk(1), relationships=[relation(source_id=source_id)]))

    assert [hit.evidence for hit in result.hits] == [None, (0,)]


@pytest.mark.parametrize(
    ("named", "found"),
    [(" c1 ", " c1 "), ("c1", "c1"), ("c1\u00a0", "c1\u00a0"), ("\tc1", "c1"), ("c1\u2003", "c1")],
    ids=["blanks", "plain", "no-break space", "tab", "wide space"],
)
def test_exact_id_is_joined_before_a_trimmed_one(named: str, found: str) -> None:
    ids = ("c1", " c1 ", "c1\u00a0")
    chunks = [chunk(number, chunk_id=each, content=each + ".") for number, each in enumerate(ids)]

    result = search_relations(success(*chunks, relationships=[relation(source_id=named)]))

    assert [hit.text for hit in result.hits][:-1] == [f"{found}.".lstrip(" ")]
    assert result.hits[-1].evidence == (0,)


def test_id_with_blanks_is_joined_by_exactly_itself() -> None:
    chunks = (chunk(1, chunk_id=" c1 "), chunk(2, chunk_id=" "))

    rows = [relation(source_id=each) for each in (" c1 ", "c1", " ", "x<SEP> ")]
    result = search_relations(success(*chunks, relationships=rows))

    assert [hit.evidence for hit in edges(result)] == [(0,), (), (), ()]


def test_same_document_name_proves_nothing() -> None:
    rows = [relation(9, file_path="book-1.pdf")]

    result = search_relations(success(chunk(1, file_path="book-1.pdf"), relationships=rows))

    assert [hit.evidence for hit in result.hits] == [()]


def test_empty_chunk_id_joins_nothing_and_contradicts_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    chunks = (chunk(1, chunk_id=""), chunk(2, chunk_id=None), chunk(3, chunk_id=""))
    with caplog.at_level(logging.WARNING):
        result = search_relations(success(*chunks, relationships=[relation(source_id="")]))

    assert [hit.evidence for hit in result.hits] == [()]
    assert caplog.text == ""


def test_first_chunk_of_an_id_counts_and_the_contradiction_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    rows = (chunk(1), chunk(1), chunk(1, content="Other words."))
    with caplog.at_level(logging.WARNING):
        result = search_relations(success(*rows, relationships=[relation(1)]))

    assert [hit.text for hit in result.hits][:1] == ["Passage 1."]
    assert len(result.hits) == 2
    assert "1 chunks bear another one's chunk_id" in caplog.text
    assert "Other words" not in caplog.text


def test_evidence_without_a_document_is_named_and_not_cited() -> None:
    result = search_relations(
        success(chunk(1, file_path="unknown_source"), relationships=[relation(1)])
    )

    assert [(hit.title, hit.evidence) for hit in result.hits] == [(None, None), (None, (0,))]
    text, artifact = format_result(result, limit_chars=9000, excerpt_chars=900)
    assert "[2] (no source to cite; evidence: [1])" in text
    assert artifact == {"knowledge_layout": "relations"}


def test_evidence_takes_the_name_of_its_reference() -> None:
    result = search_relations(
        success(
            chunk(1, file_path=""),
            relationships=[relation(1)],
            references=[reference(1, "docs/guide.md")],
        )
    )

    assert result.hits[0].title == "docs/guide.md"


def test_two_ids_of_one_text_are_one_position() -> None:
    same = {"content": "The same.", "file_path": "a.pdf"}

    text = text_of(
        search_relations(
            success(chunk(1, **same), chunk(2, **same), relationships=[relation(1), relation(1, 2)])
        )
    )

    assert text.count("#knowledge-source-") == 1
    assert text.count("evidence: [1])") == 2


def test_paths_are_not_put_together_and_no_relation_is_inferred() -> None:
    rows = [relation(1, src_id="A", tgt_id="B"), relation(1, src_id="B", tgt_id="C")]

    result = search_relations(success(chunk(1), relationships=rows))

    heads = [hit.text.split("\n")[0] for hit in edges(result)]
    assert heads == ["Relation: A -- B", "Relation: B -- C"]


@pytest.mark.parametrize(
    "row",
    [
        *(None, 7, "text", [], {}),
        relation(1, src_id=""),
        relation(1, tgt_id=" \n"),
        relation(1, src_id=None),
        relation(1, tgt_id=["B"]),
    ],
    ids=[
        *("null", "number", "text", "list", "empty"),
        *("no start", "blank end", "null start", "list of ends"),
    ],
)
def test_relation_without_both_ends_is_left_out_with_its_evidence(row: object) -> None:
    result = search_relations(success(chunk(1), relationships=[row], entities=[row, entity("A")]))

    assert [hit.text for hit in result.hits] == ["Entity: A (concept)\n- What A is."]


@pytest.mark.parametrize("missing", [None, "", 7], ids=["null", "empty", "number"])
def test_relation_and_entity_without_further_words_are_still_facts(missing: object) -> None:
    result = search_relations(
        success(
            relationships=[relation(description=missing)],
            entities=[entity("A", description=missing, entity_type=missing)],
        )
    )

    assert [hit.text for hit in result.hits] == ["Relation: Bridge -- Orla Venn", "Entity: A"]


def test_graph_text_carries_no_handle() -> None:
    graph = {"src_id": HANDLE, "description": f"See {HANDLE}<SEP>]{HANDLE[8:]}"}
    result = search_relations(
        success(
            chunk(1),
            relationships=[relation(1, **graph)],
            entities=[entity(HANDLE, entity_type=HANDLE, description=HANDLE)],
        )
    )

    text, artifact = format_result(result, limit_chars=9000, excerpt_chars=900)

    assert text.count("#knowledge-source-") == 1
    assert artifact is not None
    reading = read_message({"type": "tool", "content": text, "artifact": artifact}, binding="entry")
    assert [each.record["title"] for each in reading.evidence] == ["book-1.pdf"]
    assert reading.refused == ()


def test_graph_text_never_becomes_a_source() -> None:
    described = "The bridge is blue."
    result = search_relations(success(chunk(1), relationships=[relation(1, description=described)]))

    _, artifact = format_result(result, limit_chars=9000, excerpt_chars=900)

    assert artifact is not None
    assert [each["excerpt"] for each in artifact["knowledge_sources"]] == ["Passage 1."]


def test_partial_view_is_said() -> None:
    assert "partial view of the graph" in text_of(search_relations(success(entities=[entity("A")])))


def test_nothing_found_is_an_empty_result_of_relations() -> None:
    result = search_relations(NO_RESULTS)

    assert result == RetrievalResult("lightrag-relations", (), layout="relations")
    text, artifact = format_result(result, limit_chars=800, excerpt_chars=80)
    assert (text, artifact) == (
        "No relevant content was found.",
        {"knowledge_layout": "relations"},
    )


@pytest.mark.parametrize("mode", ["disabled", "selected"])
@pytest.mark.parametrize("method", ["search_sync", "search_relations_sync"])
def test_scope_but_all_is_refused_before_any_request(method: str, mode: str) -> None:
    scope: dict[str, Any] = {"version": 1, "mode": mode}
    if mode == "selected":
        scope["dataset_ids"] = ["a"]
    with finding(chunk(1)) as server:
        provider = relations(server)
        with pytest.raises(ProviderError, match=r"\Alightrag-relations: only the scope `all`"):
            getattr(provider, method)("pump", context=RetrievalContext(scope=scope))

    assert server.requests == []
