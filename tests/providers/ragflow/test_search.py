"""A search over a real socket: what is asked, and what comes back."""

import asyncio
import subprocess
import sys
import threading
from typing import Any

import pytest

from knowledge_contract import RagflowProvider as ExportedProvider
from knowledge_contract.errors import (
    ProviderAPIError,
    ProviderConfigurationError,
    ProviderConnectionError,
    ProviderError,
)
from knowledge_contract.providers.ragflow import RagflowProvider, knowledge_search
from knowledge_contract.retrieval import NativeLocators, RetrievalContext, RetrievalProvider
from knowledge_wire.validators import check_knowledge_capabilities
from providers.ragflow.library import (
    answering,
    chunk,
    dataset,
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
from providers.ragflow.profiles import PROFILES, Profile
from providers.ragflow.server import KEY, Row, Server, failure, running

EVERY_PROFILE = pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
CONDITION = {"logic": "and", "conditions": [{"name": "year", "comparison_operator": "is"}]}


def test_ragflow_provider_is_a_retrieval_provider() -> None:
    provider: RetrievalProvider = provider_for(Server(), base_url="http://localhost")

    assert provider.name == "ragflow"
    assert provider.capabilities == {
        "operations": ["search", "sources", "dataset_filter", "document_filter"]
    }
    assert check_knowledge_capabilities(provider.capabilities) == ()
    assert ExportedProvider is RagflowProvider


@EVERY_PROFILE
def test_every_release_is_searched(profile: Profile) -> None:
    with running(library(profile=profile)) as server:
        result = search(server, page_size=100)

    first = result.hits[0]
    assert texts(result) == [f"Step {number}: prime the pump." for number in (1, 2, 3)]
    assert (first.title, first.dataset_name, first.page) == ("Book 101.pdf", "Shelf 1", 1)
    assert first.locators == NativeLocators(hex_id(1), hex_id(101), f"{1:016x}", (1,))
    assert result.notes == ()


@EVERY_PROFILE
def test_refused_key_is_a_configuration_error_in_every_release(profile: Profile) -> None:
    server = library(profile=profile)

    error = refusal(server, api_key="another-key")

    assert type(error) is ProviderConfigurationError
    assert "api_key" in str(error)


def test_named_datasets_are_the_only_ones_that_are_searched() -> None:
    with running(library()) as server:
        result = search(server, datasets=[hex_id(2)])

    assert texts(result) == ["Step 2: prime the pump."]
    assert [each.query for each in server.requests("/datasets")] == [{"id": [hex_id(2)]}]
    (asked,) = server.requests("/retrieval")
    assert asked.body["dataset_ids"] == [hex_id(2)]


def test_retrieval_asks_for_what_the_settings_say_and_nothing_else() -> None:
    with running(library()) as server:
        search(server, page_size=100, top_k=7, similarity_threshold=0, vector_similarity_weight=1)

    (asked,) = server.requests("/retrieval")
    assert asked.body == {
        "question": "How is it primed?",
        "dataset_ids": [hex_id(1), hex_id(2)],
        "page": 1,
        "page_size": 100,
        "similarity_threshold": 0,
        "vector_similarity_weight": 1,
        "top_k": 7,
        "highlight": False,
        "rerank_candidates_count": 100,
    }


def test_settings_of_the_operator_s_own_are_sent_only_when_set() -> None:
    with running(library()) as server:
        search(server, rerank_id="rerank@Lab", keyword=True, metadata_condition=CONDITION)

    body = server.requests("/retrieval")[0].body
    assert (body["rerank_id"], body["keyword"]) == ("rerank@Lab", True)
    assert body["metadata_condition"] == CONDITION
    assert body["rerank_candidates_count"] == 64


def test_one_hit_is_asked_for_as_two() -> None:
    with running(library()) as server:
        result = search(server, page_size=1)

    assert texts(result) == ["Step 1: prime the pump."]
    assert server.requests("/retrieval")[0].body["page_size"] == 2


def test_only_reading_requests_are_sent() -> None:
    with running(library()) as server:
        search(server)

    assert {(each.method, each.path) for each in server.asked} == {
        ("GET", "/api/v1/datasets"),
        ("POST", "/api/v1/retrieval"),
    }


def test_question_is_normalised_before_it_is_sent() -> None:
    with running(library()) as server:
        provider_for(server).search_sync(" pri\0me \ud800\r\n", context=RetrievalContext())

    assert server.requests("/retrieval")[0].body["question"] == "prime \ufffd"


@pytest.mark.parametrize("question", ["", " \n", "\0\x01"], ids=["empty", "blank", "controls"])
def test_blank_question_is_refused_before_any_request(question: str) -> None:
    with running(library()) as server:
        with pytest.raises(ProviderError, match="the question is blank"):
            provider_for(server).search_sync(question, context=RetrievalContext())

        assert server.asked == []


def test_groups_are_interleaved_by_rank() -> None:
    datasets = [dataset(1), dataset(2, embedding_model="other"), dataset(3)]
    chunks = [
        *(chunk(number) for number in (1, 2, 3)),
        *(chunk(number, of=2, document=102) for number in (801, 802)),
    ]
    documents = [document(101), document(102, of=2)]

    with running(library(datasets=datasets, documents=documents, chunks=chunks)) as server:
        result = search(server, page_size=4, similarity_threshold=0)

    assert [int(text.split()[1][:-1]) for text in texts(result)] == [1, 801, 2, 802]
    asked = [each.body["dataset_ids"] for each in server.requests("/retrieval")]
    assert sorted(asked) == [[hex_id(1), hex_id(3)], [hex_id(2)]]


def test_group_that_fails_is_left_out_with_a_note() -> None:
    datasets = [dataset(1), dataset(2, embedding_model=""), dataset(3, embedding_model=None)]

    def fail(asked: Any) -> Any:
        if asked.body and hex_id(2) in asked.body["dataset_ids"]:
            raise failure(100)

    with running(library(datasets=datasets, intercept=fail)) as server:
        result = search(server)

    assert texts(result) == ["Step 1: prime the pump.", "Step 3: prime the pump."]
    assert result.notes == (
        "2 of 3 datasets could not be searched: what they hold is missing here.",
    )


def models(count: int) -> list[Row]:
    """Return datasets that use a model each."""
    return [dataset(number, embedding_model=f"m{number}") for number in range(1, count + 1)]


def test_up_to_sixteen_models_are_searched() -> None:
    with running(library(datasets=models(16))) as server:
        search(server)

    assert len(server.requests("/retrieval")) == 16


def test_more_models_are_too_many_for_one_search() -> None:
    server = library(datasets=models(17))

    error = refusal(server)
    of_selection = refusal(server, scope=selecting(*(hex_id(each) for each in range(1, 18))))

    assert type(error) is ProviderConfigurationError
    assert "the setting datasets" in str(error)
    assert type(of_selection) is ProviderError
    assert "select fewer" in str(of_selection)
    assert server.requests("/retrieval") == []


def test_search_ends_within_its_own_time_out() -> None:
    released = threading.Event()

    def hang(asked: Any) -> Any:
        if asked.body:
            released.wait(60)

    error = refusal(library(intercept=hang), search_timeout_s=0.3)
    released.set()

    assert type(error) is ProviderConnectionError
    assert "within 0.3 seconds" in str(error)
    assert "search_timeout_s" in str(error)


def test_question_that_is_no_text_is_the_caller_s_bug() -> None:
    question: Any = None

    with pytest.raises(TypeError, match="the question must be a text"):
        provider_for(library(), base_url="http://localhost").search_sync(
            question, context=RetrievalContext()
        )


def test_names_of_datasets_are_cut_when_they_are_read() -> None:
    rows = [dataset(1, name=f"Shelf {'n' * 600}"), dataset(2, name=["no", "name"])]

    with running(library(datasets=rows)) as server:
        result = search(server)

    assert {hit.dataset_name for hit in result.hits} == {f"Shelf {'n' * 506}", None}


def test_all_groups_failing_is_an_error() -> None:
    datasets = [dataset(1), dataset(2, embedding_model="other")]
    fail = answering("/retrieval", {"code": 100, "message": "ValueError(tenant 7)"})

    server = library(datasets=datasets, intercept=fail)

    error = refusal(server)

    assert isinstance(error, ProviderAPIError)
    assert (error.code, error.status) == (100, 200)


def test_more_hits_than_asked_for_are_not_shown() -> None:
    extra = retrieval(*(chunk(number) for number in range(1, 60)))

    with running(library(intercept=answering("/retrieval", extra))) as server:
        result = search(server, page_size=5)

    assert len(result.hits) == 5


def test_search_works_in_one_event_loop_after_another_and_at_the_same_time() -> None:
    async def twice(provider: RagflowProvider) -> list[int]:
        searches = (provider.search("pump", context=RetrievalContext()) for _ in range(2))
        return [len(result.hits) for result in await asyncio.gather(*searches)]

    with running(library()) as server:
        provider = provider_for(server)

        assert asyncio.run(twice(provider)) == [3, 3]
        assert asyncio.run(twice(provider)) == [3, 3]


def test_provider_is_made_without_the_http_library() -> None:
    program = (
        "import sys; sys.modules['httpx'] = None\n"
        "from knowledge_contract import RagflowProvider, RagflowSettings, RetrievalContext\n"
        "from knowledge_contract import UnavailableError\n"
        "provider = RagflowProvider(RagflowSettings(api_key='x'))\n"
        "try: provider.search_sync('pump', context=RetrievalContext())\n"
        "except UnavailableError as error: print(error)"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)

    assert b"install knowledge-contract[providers]" in done.stdout


def test_direct_search_is_cited_text() -> None:
    with running(library()) as server:
        text = knowledge_search(
            "pump", settings=provider_for(server, datasets=[hex_id(2)]).settings
        )

    head, _, excerpt = text.partition("\n")
    assert head.startswith("[1] Shelf 2, p. 2 [citation:Book 102.pdf](#knowledge-source-")
    assert excerpt == "Step 2: prime the pump."
    assert KEY not in text


def test_direct_search_keeps_its_limits() -> None:
    chunks = [chunk(number, content="pump " * 100) for number in range(1, 9)]

    with running(library(chunks=chunks)) as server:
        bounds = provider_for(server, limit_chars=500, excerpt_chars=50).settings
        text = knowledge_search("pump", settings=bounds)

    assert 300 < len(text) <= 500
