"""Every recorded answer becomes what its manifest says."""

from typing import Any

import pytest

from knowledge_contract import errors
from knowledge_contract.errors import ProviderError
from knowledge_contract.providers.ragflow import RagflowProvider
from knowledge_contract.retrieval import RetrievalContext, RetrievalResult
from providers.ragflow.library import (
    SHAPES,
    answering,
    dataset,
    library,
    provider_for,
    retrieval,
    search,
    selecting,
    shape,
)
from providers.ragflow.server import Server, running

MANIFEST: list[dict[str, Any]] = shape("manifest.json")
DATASETS = [
    dataset(0, id="a1" * 16, name="Pump manuals"),
    dataset(0, id="b2" * 16, name="Safety notes"),
]


def cases(answers: str, expectation: str) -> pytest.MarkDecorator:
    """Return the shapes that answer one question and expect one kind of thing."""
    chosen = [
        each for each in MANIFEST if each["answers"] == answers and expectation in each["expect"]
    ]
    assert chosen
    return pytest.mark.parametrize("case", chosen, ids=[each["file"] for each in chosen])


def body_of(case: dict[str, Any]) -> Any:
    """Return a shape as a server sends it."""
    data = SHAPES.joinpath(case["file"]).read_bytes()
    return data if case["file"].endswith(".body") else shape(case["file"])


def searched(case: dict[str, Any], server: Server, **changes: Any) -> RetrievalResult:
    """Return what a search finds when one kind of question gets the shape for an answer."""
    server.intercept = answering(f"/{case['answers']}", body_of(case))
    with running(server):
        return search(server, page_size=100, **changes)


def test_manifest_knows_every_shape() -> None:
    files = {path.name for path in SHAPES.iterdir()} - {"manifest.json"}

    assert {each["file"] for each in MANIFEST} == files


@cases("retrieval", "hits")
def test_retrieval_becomes_hits(case: dict[str, Any]) -> None:
    result = searched(case, Server(datasets=DATASETS))

    assert [
        {key: getattr(hit, key) for key in ("text", "title", "dataset_name", "page")}
        for hit in result.hits
    ] == case["expect"]["hits"]


@pytest.mark.parametrize(
    "case", [each for each in MANIFEST if "error" in each["expect"]], ids=lambda each: each["file"]
)
def test_refusal_becomes_an_error(case: dict[str, Any]) -> None:
    with pytest.raises(ProviderError) as caught:
        searched(case, Server(datasets=DATASETS), datasets=["a1" * 16])

    assert type(caught.value) is getattr(errors, case["expect"]["error"])


@cases("datasets", "groups")
def test_datasets_are_searched_in_groups_of_one_model(case: dict[str, Any]) -> None:
    server = Server(intercept=lambda asked: retrieval() if asked.body else body_of(case))

    with running(server):
        search(server)

    groups = [each.body["dataset_ids"] for each in server.requests("/retrieval")]
    assert sorted(groups) == case["expect"]["groups"]


@cases("documents", "searchable")
def test_documents_are_searchable_or_rejected(case: dict[str, Any]) -> None:
    documents = shape(case["file"])["data"]["docs"]
    searchable = []

    with running(library(datasets=DATASETS, documents=documents)) as server:
        provider = provider_for(server)
        for each in documents:
            scope = selecting(each["dataset_id"], **{f"_{each['dataset_id']}": [each["id"]]})
            if selected(provider, scope):
                searchable.append(each["id"])

    assert searchable == case["expect"]["searchable"]


def selected(provider: RagflowProvider, scope: object) -> bool:
    """Tell whether a scope can be searched."""
    try:
        provider.search_sync("pump", context=RetrievalContext(scope=scope))
    except ProviderError as error:
        assert "selected document" in str(error)  # noqa: PT017 - both outcomes are wanted
        return False
    return True
