"""What a search may see: never more than was admitted, and checked again on every hit."""

import asyncio
import logging
from typing import Any

import pytest

from knowledge_contract.errors import (
    ProviderConfigurationError,
    ProviderError,
    ProviderProtocolError,
)
from knowledge_contract.retrieval import RetrievalContext
from providers.ragflow.library import (
    answering,
    chunk,
    document,
    hex_id,
    library,
    provider_for,
    refusal,
    retrieval,
    search,
    selecting,
    texts,
)
from providers.ragflow.profiles import NOT_SELECTING, PROFILES, SELECTING
from providers.ragflow.server import Server, running

ONE, TWO = hex_id(1), hex_id(2)
BOOK, OTHER_BOOK = hex_id(101), hex_id(102)
CONDITION = {"conditions": [{"name": "year", "comparison_operator": "=", "value": "2026"}]}


def test_scope_all_is_the_operator_s_datasets() -> None:
    with running(library()) as server:
        result = search(server, scope={"version": 1, "mode": "all"}, datasets=[TWO])

    assert texts(result) == ["Step 2: prime the pump."]


def test_selected_dataset_is_the_only_one_that_is_searched() -> None:
    with running(library()) as server:
        result = search(server, scope=selecting(TWO), datasets=[ONE, TWO])

    assert texts(result) == ["Step 2: prime the pump."]
    assert [each.query["id"] for each in server.requests("/datasets")] == [[TWO]]


@pytest.mark.parametrize("version", SELECTING)
def test_selected_document_is_the_only_one_that_is_searched(version: str) -> None:
    server = library(
        documents=[document(101), document(103)],
        chunks=[chunk(1), chunk(2, document=103)],
        profile=PROFILES[version],
    )

    with running(server):
        result = search(server, scope=selecting(ONE, **{f"_{ONE}": [hex_id(103)]}))

    assert texts(result) == ["Step 2: prime the pump."]
    assert server.requests("/retrieval")[0].body["document_ids"] == [hex_id(103)]


def test_whole_dataset_and_single_documents_are_searched_apart() -> None:
    scope = selecting(ONE, TWO, **{f"_{TWO}": [OTHER_BOOK]})

    with running(library()) as server:
        result = search(server, scope=scope)

    asked = [each.body for each in server.requests("/retrieval")]
    assert sorted((body["dataset_ids"], body.get("document_ids")) for body in asked) == [
        ([ONE], None),
        ([TWO], [OTHER_BOOK]),
    ]
    assert sorted(texts(result)) == [f"Step {number}: prime the pump." for number in (1, 2, 3)]


@pytest.mark.parametrize("version", NOT_SELECTING)
def test_server_that_ignores_document_ids_fails_closed(version: str) -> None:
    server = library(documents=[document(101), document(103)], profile=PROFILES[version])

    error = refusal(server, scope=selecting(ONE, **{f"_{ONE}": [BOOK]}))

    assert type(error) is ProviderProtocolError
    assert "needs RAGFlow 0.25.1 or later" in str(error)
    assert server.requests("/retrieval") == []


@pytest.mark.parametrize(
    "changes",
    [
        {"run": "RUNNING"},
        {"run": None},
        {"run": "3"},
        {"status": "0"},
        {"status": 1},
        {"status": None},
        {"chunk_count": 0},
        {"chunk_count": None},
        {"chunk_count": True},
        {"chunk_count": "3"},
        {"dataset_id": TWO},
        {"id": hex_id(999)},
    ],
    ids=[
        *("running", "no state", "digit", "disabled", "number status", "no status", "no text"),
        *("no count", "boolean", "text count", "of another dataset", "missing"),
    ],
)
def test_document_that_cannot_be_searched_rejects_the_selection(changes: dict[str, Any]) -> None:
    server = library(documents=[document(103), document(101, **changes)])

    error = refusal(server, scope=selecting(ONE, **{f"_{ONE}": [hex_id(103), BOOK]}))

    assert type(error) is ProviderError
    assert "select again" in str(error)
    assert server.requests("/retrieval") == []


def test_document_of_another_dataset_in_the_answer_is_rejected() -> None:
    rows = answering("/documents", {"code": 0, "data": {"docs": [document(101, of=2)], "total": 1}})

    error = refusal(library(intercept=rows), scope=selecting(ONE, **{f"_{ONE}": [BOOK]}))

    assert "select again" in str(error)


@pytest.mark.parametrize(
    "scope",
    [
        {"version": 1, "mode": "disabled"},
        {"version": 2, "mode": "all"},
        {"version": True, "mode": "all"},
        {"version": 1, "mode": "selected", "dataset_ids": []},
        {"version": 1, "mode": "all", "dataset_ids": [ONE]},
        selecting(ONE, **{f"_{TWO}": [OTHER_BOOK]}),
        selecting(ONE, _=[BOOK]) | {"document_filters": [{"dataset_id": ONE, "document_ids": []}]},
        selecting(ONE)
        | {"document_filters": [{"dataset_id": ONE, "document_ids": [each]} for each in "ab"]},
        "all",
        [],
    ],
    ids=[
        *("disabled", "version 2", "true", "nothing selected", "all and more", "not selected"),
        *("no documents", "two filters", "text", "list"),
    ],
)
def test_scope_that_cannot_be_honoured_is_refused_before_any_request(scope: object) -> None:
    server = library()

    error = refusal(server, scope=scope)

    assert type(error) is ProviderError
    assert server.asked == []


def test_selection_beyond_the_operator_s_datasets_is_refused_before_any_request() -> None:
    server = library()

    error = refusal(server, scope=selecting(ONE, TWO), datasets=[ONE])

    assert "does not allow" in str(error)
    assert server.asked == []


def test_context_of_another_type_is_refused_before_any_request() -> None:
    context: Any = {"scope": None}

    with running(library()) as server, pytest.raises(ProviderError):
        asyncio.run(provider_for(server).search("pump", context=context))

    assert server.asked == []


def test_documents_cannot_be_selected_around_a_metadata_condition() -> None:
    server = library()
    scope = selecting(ONE, **{f"_{ONE}": [BOOK]})

    error = refusal(server, scope=scope, metadata_condition=CONDITION)

    assert type(error) is ProviderConfigurationError
    assert server.asked == []


def test_dataset_whose_id_is_a_path_is_refused() -> None:
    scope = selecting("..", **{"_..": [BOOK]})
    server = library(intercept=answering("/datasets", {"code": 0, "data": [{"id": ".."}]}))

    refusal(server, scope=scope)

    assert server.requests("/documents") == []


def test_ids_are_percent_encoded_in_the_question() -> None:
    odd = "a&ids=b c/ü"

    server = library()
    refusal(server, scope=selecting(ONE, **{f"_{ONE}": [odd]}))

    assert server.requests("/documents")[0].query["ids"] == [odd]


OUTSIDE = {
    "another dataset": chunk(2, of=9),
    "another dataset under its old name": chunk(2, dataset_id=None, kb_id=hex_id(9)),
    "another dataset behind an empty one": chunk(2, dataset_id="", kb_id=hex_id(9)),
    "one dataset too many": chunk(2, dataset_id=[ONE, hex_id(9)]),
    "another dataset beside a number": chunk(2, dataset_id=[7, hex_id(9)]),
}
ODD: dict[str, Any] = {
    "dataset that is no text": chunk(2, dataset_id=7),
    "dataset in an object": chunk(2, dataset_id={"id": ONE}),
    "list of numbers": chunk(2, dataset_id=[7]),
    "dataset beside a number": chunk(2, dataset_id=[ONE, 7]),
    "document that is no text": chunk(2, document_id=7),
    "list of documents": chunk(2, document_id=[BOOK]),
}
NOWHERE = {
    "no dataset": chunk(2, dataset_id=None),
    "empty list of datasets": chunk(2, dataset_id=[]),
}


@pytest.mark.parametrize("outside", OUTSIDE.values(), ids=OUTSIDE)
def test_chunk_outside_of_the_scope_is_dropped(outside: Any) -> None:
    found = retrieval(outside, chunk(1))

    with running(library(intercept=answering("/retrieval", found))) as server:
        result = search(server, datasets=[ONE])

    assert texts(result) == ["Step 1: prime the pump."]


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_chunk_with_an_odd_identifier_stays_text_that_is_not_cited(odd: Any) -> None:
    with running(library(intercept=answering("/retrieval", retrieval(odd)))) as server:
        (hit,) = search(server).hits

    assert hit.text == "Step 2: prime the pump."
    assert (hit.title, hit.page, hit.locators) == (None, None, None)


@pytest.mark.parametrize("outside", [*ODD.values(), *NOWHERE.values()], ids=[*ODD, *NOWHERE])
def test_chunk_that_does_not_say_where_it_stands_is_outside_of_a_selection(outside: Any) -> None:
    found = retrieval(outside, chunk(1))

    with running(library(intercept=answering("/retrieval", found))) as server:
        result = search(server, scope=selecting(ONE))

    assert texts(result) == ["Step 1: prime the pump."]


def test_selected_document_stands_for_its_dataset() -> None:
    found = retrieval(chunk(1, dataset_id=None))
    scope = selecting(ONE, **{f"_{ONE}": [BOOK]})

    with running(library(intercept=answering("/retrieval", found))) as server:
        result = search(server, scope=scope)

    assert texts(result) == ["Step 1: prime the pump."]


@pytest.mark.parametrize("is_first", [False, True], ids=["last", "first"])
def test_repeated_row_that_cannot_be_searched_rejects_the_selection(is_first: bool) -> None:  # noqa: FBT001 - a parameter
    rows = [document(101, status="0"), document(101)]
    answer = {"code": 0, "data": {"docs": rows if is_first else rows[::-1], "total": 2}}
    server = library(intercept=answering("/documents", answer))

    error = refusal(server, scope=selecting(ONE, **{f"_{ONE}": [BOOK]}))

    assert "select again" in str(error)
    assert server.requests("/retrieval") == []


@pytest.mark.parametrize(
    "outside",
    [
        chunk(2, document=103),
        chunk(2, document_id=""),
        chunk(2, document_id=None, doc_id=hex_id(103)),
        chunk(2, dataset_id=TWO),
        chunk(2, dataset_id=[ONE, TWO]),
    ],
    ids=["another document", "no document", "null document", "another dataset", "two datasets"],
)
def test_chunk_outside_of_the_selected_documents_is_dropped(
    outside: Any, caplog: pytest.LogCaptureFixture
) -> None:
    found = retrieval(outside, chunk(1))
    scope = selecting(ONE, TWO, **{f"_{ONE}": [BOOK], f"_{TWO}": [OTHER_BOOK]})
    caplog.set_level(logging.WARNING)

    with running(library(intercept=answering("/retrieval", found))) as server:
        result = search(server, scope=scope)

    assert texts(result) == ["Step 1: prime the pump."]
    assert "chunks dropped: 1 outside of the scope" in caplog.text


def test_failing_group_rejects_a_selection() -> None:
    server = library()
    server.datasets[1]["embedding_model"] = "other"

    def fail(asked: Any) -> Any:
        return {"code": 100} if asked.body and asked.body["dataset_ids"] == [TWO] else None

    server.intercept = fail
    error = refusal(server, scope=selecting(ONE, TWO))

    assert "code 100" in str(error)


def test_name_of_a_selected_document_serves_where_the_chunk_has_none() -> None:
    found = retrieval(chunk(1, document_keyword=None))
    scope = selecting(ONE, **{f"_{ONE}": [BOOK]})

    with running(library(intercept=answering("/retrieval", found))) as server:
        result = search(server, scope=scope)

    assert [hit.title for hit in result.hits] == ["Book 101.pdf"]


def test_nothing_is_remembered_between_searches() -> None:
    scope = selecting(ONE, **{f"_{ONE}": [BOOK]})

    with running(library()) as server:
        provider = provider_for(server)
        provider.search_sync("pump", context=RetrievalContext(scope=scope))
        server.documents[0]["status"] = "0"
        with pytest.raises(ProviderError, match="select again"):
            provider.search_sync("pump", context=RetrievalContext(scope=scope))


def test_empty_list_of_filters_narrows_nothing() -> None:
    scope = selecting(ONE) | {"document_filters": []}

    with running(library()) as server:
        search(server, scope=scope)

    assert "document_ids" not in server.requests("/retrieval")[0].body
    assert isinstance(server, Server)
