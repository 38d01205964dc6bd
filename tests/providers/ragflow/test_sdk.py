"""RAGFlow's own Python client is content with the test server, so its shapes are not invented.

0.22.1 is the newest that installs on Python 3.11; it knows neither `ids` nor summaries.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from providers.ragflow.library import chunk, dataset, document, hex_id, library, search, shape
from providers.ragflow.profiles import PROFILES
from providers.ragflow.server import KEY, Server, running

ragflow_sdk = pytest.importorskip("ragflow_sdk", reason="ragflow-sdk does not install here")

VERSIONS = pytest.mark.parametrize("version", PROFILES)
RETRIEVALS = [
    each["file"]
    for each in shape("manifest.json")
    if each["answers"] == "retrieval" and each["file"].endswith(".json")
]
# Its client stops at entries that are no objects.
UNREADABLE_THERE = "10_retrieval_malformed.json"


@pytest.fixture
def server(version: str) -> Iterator[Server]:
    """A library as one release answers for it."""
    with running(library(profile=PROFILES[version])) as started:
        yield started


def client_of(server: Server, key: str = KEY) -> Any:
    """Return RAGFlow's own client."""
    return ragflow_sdk.RAGFlow(key, server.base_url)


@VERSIONS
def test_datasets_are_listed_page_by_page(server: Server) -> None:
    client = client_of(server)

    first, second = (client.list_datasets(page=page, page_size=1) for page in (1, 2))

    assert [each.id for each in (*first, *second)] == [hex_id(1), hex_id(2)]
    assert (first[0].name, first[0].embedding_model) == ("Shelf 1", "bge-m3@Lab")


@VERSIONS
def test_dataset_is_found_by_id_and_a_missing_one_is_an_error(server: Server) -> None:
    client = client_of(server)

    assert [each.name for each in client.list_datasets(id=hex_id(2))] == ["Shelf 2"]
    for absent in (hex_id(9), "no id"):
        with pytest.raises(Exception):  # noqa: B017, PT011 - all that this client raises
            client.list_datasets(id=absent)


@VERSIONS
def test_documents_are_listed(server: Server) -> None:
    (found,) = client_of(server).list_datasets(id=hex_id(1))

    documents = found.list_documents(page_size=100)

    assert [(each.id, each.run, each.status) for each in documents] == [(hex_id(101), "DONE", "1")]
    with pytest.raises(Exception):  # noqa: B017, PT011 - all that this client raises
        found.list_documents(id=hex_id(9))


@VERSIONS
def test_both_clients_find_the_same_chunks(server: Server) -> None:
    theirs = client_of(server).retrieve(question="pump", dataset_ids=[hex_id(1), hex_id(2)])
    ours = search(server)

    assert [each.content for each in theirs] == [hit.text for hit in ours.hits]
    assert [each.id for each in theirs] == [
        hit.locators.chunk_id for hit in ours.hits if hit.locators is not None
    ]
    assert [each.positions[0][0] for each in theirs] == [hit.page for hit in ours.hits]


@VERSIONS
def test_documents_narrow_a_retrieval(server: Server) -> None:
    chosen = client_of(server).retrieve(
        question="pump", dataset_ids=[hex_id(1), hex_id(2)], document_ids=[hex_id(102)]
    )

    assert [each.document_id for each in chosen] == [hex_id(102)]


@VERSIONS
@pytest.mark.parametrize(
    "body",
    [
        {"dataset_ids": []},
        {"dataset_ids": [hex_id(9)]},
        {"dataset_ids": [hex_id(1)], "document_ids": [hex_id(9)]},
    ],
    ids=["no dataset", "foreign dataset", "foreign document"],
)
def test_retrieval_beyond_the_key_s_reach_is_an_error(server: Server, body: Any) -> None:
    with pytest.raises(Exception):  # noqa: B017, PT011 - all that this client raises
        client_of(server).retrieve(question="pump", **body)


@VERSIONS
def test_wrong_key_is_an_error(server: Server) -> None:
    with pytest.raises(Exception):  # noqa: B017, PT011 - all that this client raises
        client_of(server, "another-key").list_datasets()


def test_two_embedding_models_in_one_retrieval_are_an_error() -> None:
    server = library(datasets=[dataset(1), dataset(2, embedding_model="other")])

    with running(server), pytest.raises(Exception):  # noqa: B017, PT011 - all that it raises
        client_of(server).retrieve(question="pump", dataset_ids=[hex_id(1), hex_id(2)])


@pytest.mark.parametrize("file", RETRIEVALS)
def test_recorded_retrieval_is_readable_there_as_well(file: str) -> None:
    recorded = shape(file)
    if file == UNREADABLE_THERE:
        chunks = [each for each in recorded["data"]["chunks"] if isinstance(each, dict)]
        recorded["data"]["chunks"] = chunks
    server = library(intercept=lambda asked: recorded if asked.body else None)

    with running(server):
        found = client_of(server).retrieve(question="pump", dataset_ids=[hex_id(1)])

    assert [each.content for each in found] == [
        each["content"] for each in recorded["data"]["chunks"]
    ]


def test_rows_of_the_library_have_the_keys_of_the_recorded_ones() -> None:
    recorded = {
        "datasets": shape("01_datasets_ok.json")["data"][0],
        "documents": shape("03_documents_mixed.json")["data"]["docs"][0],
        "chunks": shape("04_retrieval_pdf.json")["data"]["chunks"][0],
    }
    made = {"datasets": dataset(1), "documents": document(101), "chunks": chunk(1)}

    assert {name: set(row) - set(recorded[name]) for name, row in made.items()} == {
        "datasets": set(),
        "documents": set(),
        "chunks": set(),
    }
