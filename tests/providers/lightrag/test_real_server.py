"""LightRAG 1.5.7 itself: what is cited is what the server returned for the same question."""

from typing import Any

import pytest

from knowledge_contract.errors import (
    ProviderAPIError,
    ProviderConfigurationError,
    ProviderConnectionError,
    ProviderError,
)
from knowledge_contract.providers.lightrag import LightragProvider, LightragSettings
from knowledge_contract.providers.lightrag.client import QUERY_LIMIT_CHARS
from knowledge_contract.retrieval import RetrievalContext, RetrievalHit, RetrievalResult
from lightrag_server.answers import Passage, citations, passages
from lightrag_server.fixtures import REAL_SERVER
from lightrag_server.library import ANONYMOUS, DOCUMENTS
from lightrag_server.running import Server
from lightrag_server.stub_answers import MODEL_FAILS, NO_KEYWORDS

pytestmark = REAL_SERVER

QUESTION = "Who tends the Grey Heron Bridge?"
LIMITS = {"top_k": 10, "chunk_top_k": 8}

in_every_mode = pytest.mark.parametrize("mode", LightragSettings.modes)


def search(server: Server, question: str = QUESTION, **settings: Any) -> RetrievalResult:
    """Return what the provider finds at a server."""
    options = {"base_url": server.base_url, "api_key": server.api_key, **LIMITS, **settings}
    provider = LightragProvider(LightragSettings(**options))
    return provider.search_sync(question, context=RetrievalContext())


def hit_of(result: RetrievalResult, title: str) -> RetrievalHit:
    """Return the one hit of a document."""
    (hit,) = (each for each in result.hits if each.title == title)
    return hit


@in_every_mode
def test_hits_are_the_chunks_that_the_server_returns(lightrag_server: Server, mode: str) -> None:
    result = search(lightrag_server, mode=mode)

    # Sorted, because chunks that are equally near have no order.
    found = sorted((each.title or "", each.text) for each in result.hits)
    returned = passages(lightrag_server.query(QUESTION, mode=mode, **LIMITS)).values()
    assert found == sorted((each.title or "", each.text) for each in returned)
    assert len(found) >= 6


@in_every_mode
def test_citations_are_the_returned_chunks_that_have_a_document(
    lightrag_server: Server, mode: str
) -> None:
    result = search(lightrag_server, mode=mode)

    returned = passages(lightrag_server.query(QUESTION, mode=mode, **LIMITS)).values()
    cited = citations(result)
    assert set(cited) == {each for each in returned if each.title is not None}
    assert len(cited) < len(result.hits)


def test_short_excerpts_begin_what_was_returned(lightrag_server: Server) -> None:
    cited = citations(search(lightrag_server), excerpt_chars=60)

    returned = passages(lightrag_server.query(QUESTION, mode="mix", **LIMITS)).values()
    assert {len(each.text) <= 60 for each in cited} == {True}
    for title, excerpt in cited:
        assert any(each.title == title and each.text.startswith(excerpt) for each in returned)


@in_every_mode
@pytest.mark.parametrize("question", ["誰看守青鷺橋？", "月舟 👩🏽‍🚀 🪁"], ids=["chinese", "emoji"])
def test_chinese_and_emoji_are_found_and_cited_unchanged(
    lightrag_server: Server, mode: str, question: str
) -> None:
    result = search(lightrag_server, question, mode=mode)

    name = "青鷺橋-筆記🪁.txt"
    assert Passage(name, DOCUMENTS[name]) in citations(result)


@pytest.mark.parametrize("mode", ["naive", "mix"])
def test_text_without_a_document_is_shown_and_not_cited(lightrag_server: Server, mode: str) -> None:
    result = search(lightrag_server, "Tamsin Roe measured the bridge", mode=mode)

    assert RetrievalHit(ANONYMOUS[0]) in result.hits
    assert ANONYMOUS[0] not in {each.text for each in citations(result)}


@pytest.mark.parametrize(
    "name", ["nets<SEP>ockley.txt", "tolls?page=2"], ids=["separator", "query of an address"]
)
def test_name_is_a_title_as_it_is_and_nothing_else(lightrag_server: Server, name: str) -> None:
    hit = hit_of(search(lightrag_server, mode="naive"), name)

    assert hit == RetrievalHit(DOCUMENTS[name], title=name)


def test_markup_and_handles_of_a_document_prove_nothing(lightrag_server: Server) -> None:
    result = search(lightrag_server, "Salt Gate fence", mode="naive", chunk_top_k=1)

    text = DOCUMENTS["markup.md"].replace("\r\n", "\n")
    assert "](#knowledge-source-0123456789abcdef0123456789abcdef)" in text
    assert citations(result) == [Passage("markup.md", text)]


def test_document_of_several_chunks_is_one_title(lightrag_server: Server) -> None:
    result = search(lightrag_server, "plank rope lamp lit", mode="naive")

    texts = [each.text for each in result.hits if each.title == "ledger.txt"]
    assert len(texts) == len(set(texts)) > 1


@pytest.mark.parametrize("key", ["wrong", None], ids=["wrong", "none"])
def test_key_that_the_server_does_not_know_is_refused(
    lightrag_server: Server, key: str | None
) -> None:
    with pytest.raises(ProviderConfigurationError, match="key") as caught:
        search(lightrag_server, api_key=key)

    assert "wrong" not in str(caught.value)


@pytest.mark.parametrize("question", ["ab", "橋"], ids=["two letters", "one sign"])
def test_question_that_is_too_short_for_the_server_is_an_error(
    lightrag_server: Server, question: str
) -> None:
    with pytest.raises(ProviderAPIError, match="in more words") as caught:
        search(lightrag_server, question)

    assert caught.value.status == 400


def test_longest_question_is_the_server_s_longest(lightrag_server: Server) -> None:
    longest = (QUESTION + " ") * (QUERY_LIMIT_CHARS // len(QUESTION))
    longest = longest[: QUERY_LIMIT_CHARS - 1] + "?"
    too_long = lightrag_server.fetch("POST", "/query/data", json={"query": longest + "?"})

    result = search(lightrag_server, longest, mode="naive")

    assert too_long.status_code == 400
    assert hit_of(result, "bridges.txt")
    with pytest.raises(ProviderError, match="longer than"):
        search(lightrag_server, longest + "?")


@pytest.mark.parametrize(
    "question",
    [
        f"{MODEL_FAILS} for Orla Venn",
        f"{NO_KEYWORDS}, so what can be said of the bridge and of it?",
    ],
    ids=["model", "keywords"],
)
def test_failure_of_the_server_s_model_is_an_error(lightrag_server: Server, question: str) -> None:
    with pytest.raises(ProviderAPIError, match="in other words") as caught:
        search(lightrag_server, question)

    assert caught.value.status == 500


@in_every_mode
def test_question_that_nothing_is_near_to_finds_nothing(lightrag_server: Server, mode: str) -> None:
    result = search(lightrag_server, "zyxwvut qwertzu asdfghj", mode=mode)

    assert result == RetrievalResult("lightrag", ())


def test_search_goes_on_when_the_server_is_started_again(lightrag_server: Server) -> None:
    before = set(citations(search(lightrag_server)))

    lightrag_server.stop()
    try:
        with pytest.raises(ProviderConnectionError, match="was not reached"):
            search(lightrag_server)
    finally:
        lightrag_server.start()

    assert set(citations(search(lightrag_server))) == before
