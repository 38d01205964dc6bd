"""Datasets are found by id at the server, whatever they are called now."""

import logging
from typing import Any

import pytest

from knowledge_contract.errors import (
    ProviderAPIError,
    ProviderConfigurationError,
    ProviderError,
    ProviderProtocolError,
)
from providers.ragflow.library import (
    answering,
    chunk,
    dataset,
    document,
    hex_id,
    library,
    refusal,
    search,
    selecting,
    texts,
)
from providers.ragflow.profiles import PROFILES, Profile
from providers.ragflow.server import Server, running


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_missing_dataset_is_named_by_its_position(
    profile: Profile, caplog: pytest.LogCaptureFixture
) -> None:
    server = library(profile=profile)

    error = refusal(server, datasets=[hex_id(1), hex_id(77), hex_id(2)])

    assert type(error) is ProviderConfigurationError
    assert "dataset 2 of 3 " in str(error)
    assert hex_id(77) in caplog.text
    assert server.requests("/retrieval") == []


def test_dataset_whose_name_is_no_id_is_missing() -> None:
    server = library()

    error = refusal(server, datasets=["../Shelf 1"])

    assert type(error) is ProviderConfigurationError
    assert "dataset 1 of 1 " in str(error)


def test_server_that_answers_an_empty_list_has_no_such_dataset() -> None:
    empty = answering("/datasets", {"code": 0, "data": []})

    server = library(intercept=empty)

    error = refusal(server, datasets=[hex_id(1)])

    assert type(error) is ProviderConfigurationError
    assert "dataset 1 of 1 " in str(error)


def test_server_that_answers_with_other_datasets_is_not_believed() -> None:
    other = answering("/datasets", {"code": 0, "data": [dataset(2)]})

    server = library(intercept=other)

    error = refusal(server, datasets=[hex_id(1)])

    assert type(error) is ProviderProtocolError


def test_renamed_dataset_is_shown_under_its_new_name() -> None:
    with running(library()) as server:
        search(server, datasets=[hex_id(1)])
        server.datasets[0]["name"] = "New name"
        result = search(server, datasets=[hex_id(1)])

    assert {hit.dataset_name for hit in result.hits} == {"New name"}


def test_datasets_without_text_are_not_searched() -> None:
    datasets = [dataset(1, chunk_count=0, embedding_model=""), dataset(2)]

    with running(library(datasets=datasets)) as server:
        result = search(server)

    assert texts(result) == ["Step 2: prime the pump."]
    assert [each.body["dataset_ids"] for each in server.requests("/retrieval")] == [[hex_id(2)]]


def test_nothing_to_search_is_said_in_a_note() -> None:
    with running(library(datasets=[dataset(1, chunk_count=0)])) as server:
        result = search(server)

    assert (result.hits, result.notes) == ((), ("The datasets hold no text yet.",))
    assert server.requests("/retrieval") == []


def test_dataset_without_a_count_is_searched() -> None:
    rows = [dataset(1, chunk_count=None), dataset(2, chunk_count="many")]

    with running(library(datasets=rows)) as server:
        result = search(server)

    assert len(result.hits) == 3


def test_all_datasets_are_read_page_by_page() -> None:
    datasets = [dataset(number) for number in range(1, 206)]
    chunks = [chunk(1, of=205)]

    with running(library(datasets=datasets, chunks=chunks)) as server:
        result = search(server)

    assert len(result.hits) == 1
    assert [each.query["page"] for each in server.requests("/datasets")] == [["1"], ["2"], ["3"]]
    assert len(server.requests("/retrieval")[0].body["dataset_ids"]) == 205


def test_full_last_page_is_followed_by_one_more_question() -> None:
    with running(library(datasets=[dataset(number) for number in range(1, 101)])) as server:
        search(server)

    assert len(server.requests("/datasets")) == 2


@pytest.mark.parametrize("total", [None, 1, 10**9], ids=["absent", "too small", "too large"])
def test_total_is_not_relied_on(total: int | None) -> None:
    body: dict[str, Any] = {"code": 0, "data": [dataset(1)], "total_datasets": total}

    with running(library(intercept=answering("/datasets", body))) as server:
        result = search(server)

    assert len(result.hits) == 2


@pytest.mark.parametrize("code", [101, 102, 108], ids=str)
def test_refusal_to_list_all_datasets_is_no_missing_dataset(code: int) -> None:
    error = refusal(library(intercept=answering("/datasets", {"code": code})))

    assert type(error) is ProviderAPIError


def test_server_that_ignores_the_page_is_not_asked_for_ever() -> None:
    same = answering("/datasets", {"code": 0, "data": [dataset(n) for n in range(100)]})

    server = library(intercept=same)

    error = refusal(server)

    assert type(error) is ProviderProtocolError
    assert "every page" in str(error)

    assert len(server.requests("/datasets")) == 2


def test_endless_pages_end_after_the_first_one_that_is_too_many() -> None:
    def page(asked: Any) -> Any:
        first = 100 * int(asked.query["page"][0])
        return {"code": 0, "data": [dataset(first + n) for n in range(100)]}

    server = Server(intercept=page)

    error = refusal(server)

    assert type(error) is ProviderConfigurationError
    assert "more than 10000 datasets" in str(error)

    assert len(server.requests("/datasets")) == 101


def test_ten_thousand_datasets_are_not_too_many() -> None:
    rows = [dataset(number, chunk_count=0) for number in range(1, 10_000)]

    with running(library(datasets=[*rows, dataset(10_000)])) as server:
        search(server)

    assert server.requests("/retrieval")[0].body["dataset_ids"] == [hex_id(10_000)]


def test_page_of_more_rows_than_asked_for_is_refused() -> None:
    rows = [dataset(number) for number in range(101)]

    error = refusal(library(intercept=answering("/datasets", {"code": 0, "data": rows})))

    assert type(error) is ProviderProtocolError
    assert "more rows" in str(error)


def test_key_that_sees_no_dataset_is_told_from_datasets_without_text() -> None:
    with running(library(datasets=[])) as server:
        result = search(server)

    assert (result.hits, result.notes) == (
        (),
        ("There is no dataset that the operator's key can see.",),
    )


@pytest.mark.parametrize(
    "data",
    [
        None,
        "x",
        7,
        {"docs": []},
        [None],
        [[]],
        [{}],
        [{"id": 7}],
        [{"id": ""}],
        [{"id": "x" * 257}],
        [dataset(1, embedding_model="x" * 1025)],
    ],
    ids=[
        *("null", "text", "number", "object", "null row", "list row", "empty row", "number id"),
        *("empty id", "long id", "long model"),
    ],
)
def test_datasets_of_another_shape_are_a_protocol_error(data: object) -> None:
    server = library(intercept=answering("/datasets", {"code": 0, "data": data}))

    error = refusal(server)

    assert type(error) is ProviderProtocolError


def test_datasets_are_resolved_four_at_a_time_in_order() -> None:
    server = library(datasets=[dataset(number) for number in range(1, 13)])
    server.crowded = "/datasets"
    wanted = [hex_id(number) for number in (7, 3, 12, 1, 2, 4, 5, 6)]

    with running(server):
        search(server, datasets=wanted)

    assert server.most_in_flight == 4
    assert server.requests("/retrieval")[0].body["dataset_ids"] == wanted


def test_selected_dataset_that_is_gone_is_not_the_operator_s_fault() -> None:
    server = library()

    error = refusal(server, scope=selecting(hex_id(9)))

    assert type(error) is ProviderError
    assert "selected dataset 1 of 1 " in str(error)


def test_dataset_that_only_looks_empty_is_searched_for_selected_documents() -> None:
    rows = [dataset(1, chunk_count=0)]
    scope = selecting(hex_id(1), **{f"_{hex_id(1)}": [hex_id(101)]})

    with running(library(datasets=rows, documents=[document(101)])) as server:
        result = search(server, scope=scope)

    assert len(result.hits) == 2


def test_dataset_without_text_or_model_is_not_warned_about(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING)

    with running(library(datasets=[dataset(1), dataset(2, chunk_count=0)])) as server:
        search(server)

    assert caplog.text == ""
