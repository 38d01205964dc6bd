"""Selections of up to a thousand documents: all are checked, four requests at a time."""

import itertools
from typing import Any

import pytest

from knowledge_contract.errors import ProviderError, ProviderProtocolError
from knowledge_wire.constants import SCOPE_DOCUMENT_COUNT
from providers.ragflow.library import (
    chunk,
    dataset,
    document,
    hex_id,
    library,
    refusal,
    search,
    selecting,
)
from providers.ragflow.profiles import PROFILES
from providers.ragflow.server import Row, Server, running

FIRST_DOCUMENT = 10_000


def selection(sizes: list[int]) -> tuple[Server, Row]:
    """Return a server with datasets of so many documents, and the scope that selects them all.

    The documents of a dataset are selected in another order than the server lists them.
    """
    numbers = itertools.count(FIRST_DOCUMENT)
    rows, chosen = [], {}
    for dataset_number, size in enumerate(sizes, 1):
        own = [document(next(numbers), of=dataset_number) for _ in range(size)]
        rows += own
        chosen[f"_{hex_id(dataset_number)}"] = [each["id"] for each in reversed(own)]
    datasets = [dataset(number) for number in range(1, len(sizes) + 1)]
    server = library(datasets=datasets, documents=rows, chunks=[chunk(1, document=FIRST_DOCUMENT)])
    return server, selecting(*(each["id"] for each in datasets), **chosen)


def selected(scope: Row) -> list[str]:
    """Return the documents of a scope in its order."""
    return [each for narrowed in scope["document_filters"] for each in narrowed["document_ids"]]


SIZES = {
    "1 in 1": ([1], 1),
    "100 in 1": ([100], 1),
    "101 in 1": ([101], 2),
    "1,000 in 1": ([1000], 10),
    "101 in 2": ([100, 1], 2),
    "202 in 2": ([101, 101], 4),
    "1,000 in 10": ([100] * 10, 10),
    "1,000 in 10 unevenly": ([1, 101, 99, 100, 250, 49, 200, 50, 149, 1], 15),
}


@pytest.mark.parametrize(("sizes", "batches"), SIZES.values(), ids=SIZES)
def test_large_document_scope_is_checked_in_batches_and_searched_in_order(
    sizes: list[int], batches: int
) -> None:
    server, scope = selection(sizes)

    with running(server):
        result = search(server, scope=scope)

    asked = server.requests("/documents")
    (retrieval,) = server.requests("/retrieval")
    assert len(result.hits) == 1
    assert len(asked) == batches
    assert max(len(each.query["ids"]) for each in asked) <= 100
    assert sorted(id_ for each in asked for id_ in each.query["ids"]) == sorted(selected(scope))
    assert retrieval.body["document_ids"] == selected(scope)
    assert len(server.asked) == len(sizes) + batches + 1


@pytest.mark.parametrize("sizes", [[1000], [100] * 10], ids=["one dataset", "ten datasets"])
def test_large_document_scope_never_has_more_than_four_requests_under_way(
    sizes: list[int],
) -> None:
    server, scope = selection(sizes)
    server.crowded = "/documents"

    with running(server):
        search(server, scope=scope)

    assert server.most_in_flight == 4


def test_large_document_scope_beyond_the_limit_is_refused_before_any_request() -> None:
    server, scope = selection([100] * 10 + [1])

    error = refusal(server, scope=scope)

    assert len(selected(scope)) == SCOPE_DOCUMENT_COUNT + 1
    assert f"more than {SCOPE_DOCUMENT_COUNT} documents" in str(error)
    assert server.asked == []


def test_large_document_scope_counts_a_repeated_document_once() -> None:
    server, scope = selection([100] * 10)
    scope["document_filters"][0]["document_ids"] *= 2

    with running(server):
        search(server, scope=scope)

    assert len(server.requests("/documents")) == 10


FAILURES: dict[str, Any] = {
    "an error": {"code": 100, "message": "sk-no"},
    "a missing dataset": {"code": 102},
    "a broken server": ({"code": 500}, 500),
    "another shape": {"code": 0, "data": []},
    "HTML": b"<!doctype html>",
    "no documents": {"code": 0, "data": {"docs": [], "total": 0}},
}


@pytest.mark.parametrize("answer", FAILURES.values(), ids=FAILURES)
@pytest.mark.parametrize("batch", [0, -1], ids=["first", "last"])
def test_large_document_scope_is_rejected_by_any_batch(batch: int, answer: Any) -> None:
    server, scope = selection([250, 250])
    marked = scope["document_filters"][batch]["document_ids"][batch]
    server.intercept = lambda asked: answer if marked in asked.query.get("ids", []) else None

    error = refusal(server, scope=scope)

    assert isinstance(error, ProviderError)
    assert server.requests("/retrieval") == []


@pytest.mark.parametrize("position", [0, 100, 249], ids=["first", "second batch", "last"])
def test_large_document_scope_is_rejected_by_any_document(position: int) -> None:
    server, scope = selection([250])
    chosen = scope["document_filters"][0]["document_ids"][position]
    next(each for each in server.documents if each["id"] == chosen)["status"] = "0"

    error = refusal(server, scope=scope)

    assert "select again" in str(error)
    assert server.requests("/retrieval") == []


def test_large_document_scope_fails_closed_where_ids_are_ignored() -> None:
    server, scope = selection([150, 150])
    server.profile = PROFILES["0.24.0"]
    scope["document_filters"][0]["document_ids"] = selected(scope)[:120]

    error = refusal(server, scope=scope)

    assert type(error) is ProviderProtocolError
    assert "0.25.1" in str(error)
    assert server.requests("/retrieval") == []
