"""LightRAG 1.5.7 itself: a relation names exactly the returned chunks that its ids name."""

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pytest

from knowledge_contract.errors import ProviderAPIError, ProviderConnectionError, ProviderError
from knowledge_contract.formatting import format_result
from knowledge_contract.providers.lightrag import (
    LightragRelationsProvider,
    LightragRelationsSettings,
)
from knowledge_contract.providers.lightrag.client import QUERY_LIMIT_CHARS
from knowledge_contract.retrieval import RetrievalContext, RetrievalResult
from lightrag_server.answers import (
    Passage,
    citations,
    heading,
    passages,
    relations,
    shown_relations,
)
from lightrag_server.fixtures import REAL_SERVER
from lightrag_server.library import ANONYMOUS, DOCUMENTS
from lightrag_server.running import Server
from lightrag_server.stub_answers import HOLD

pytestmark = REAL_SERVER

QUESTIONS = {
    "bridge": "Who tends the Grey Heron Bridge?",
    "port": "What does Port Kesel levy?",
    "chinese": "誰看守「青鷺橋」？",
    "emoji": "🧂 Élodie Marchet",
}
LIMITS = {"top_k": 10, "chunk_top_k": 4}

for_every_question = pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)


class Entry(NamedTuple):
    """One entry of a tool's text: its first line without the position, and the rest."""

    head: str
    body: str


def search(server: Server, question: str, **settings: Any) -> RetrievalResult:
    """Return the relations that the provider finds at a server."""
    options = {"base_url": server.base_url, "api_key": server.api_key, **LIMITS, **settings}
    provider = LightragRelationsProvider(LightragRelationsSettings(**options))
    return provider.search_relations_sync(question, context=RetrievalContext())


def entries_of(text: str) -> dict[int, Entry]:
    """Return the entries of a text by position; no document of the library looks like one."""
    found = {}
    for block in re.split(r"\n\n(?=\[\d+\] )", text):
        first, _, body = block.partition("\n")
        match = re.fullmatch(r"\[(\d+)\] (.*)", first)
        if match is not None:
            found[int(match[1])] = Entry(match[2], body)
    return found


@for_every_question
def test_relations_name_the_returned_chunks_of_their_ids(
    lightrag_server: Server, question: str
) -> None:
    result = search(lightrag_server, question)

    returned = relations(lightrag_server.query(question, mode="hybrid", **LIMITS))
    assert shown_relations(result) == returned
    assert any(returned.values())


@for_every_question
def test_hits_are_relations_entities_and_the_chunks_behind(
    lightrag_server: Server, question: str
) -> None:
    result = search(lightrag_server, question)

    data = lightrag_server.query(question, mode="hybrid", **LIMITS)
    behind = {passage for each in relations(data).values() for passage in each}
    plain = [each for each in result.hits if each.evidence is None]
    entities = [each for each in plain if each.text.startswith("Entity: ")]
    chunks = [Passage(each.title, each.text) for each in plain if each not in entities]
    assert sorted(chunks, key=str) == sorted(behind, key=str)
    assert {each.text.partition("\n")[0] for each in entities} == {
        f"Entity: {each['entity_name']} ({each['entity_type']})" for each in data["entities"]
    }
    assert {each.title for each in entities} == {None}


@for_every_question
def test_written_positions_lead_to_the_chunks(lightrag_server: Server, question: str) -> None:
    text, _ = format_result(
        search(lightrag_server, question), limit_chars=100_000, excerpt_chars=10_000
    )

    entries = entries_of(text)
    written = {
        each.body.partition("\n")[0]: {
            entries[int(position)].body for position in re.findall(r"\[(\d+)\]", each.head)
        }
        for each in entries.values()
        if each.body.startswith("Relation: ")
    }
    returned = relations(lightrag_server.query(question, mode="hybrid", **LIMITS))
    assert written == {line: {each.text for each in behind} for line, behind in returned.items()}


@for_every_question
def test_citations_are_the_chunks_behind_that_have_a_document(
    lightrag_server: Server, question: str
) -> None:
    result = search(lightrag_server, question)

    returned = relations(lightrag_server.query(question, mode="hybrid", **LIMITS))
    behind = {passage for each in returned.values() for passage in each}
    assert set(citations(result)) == {each for each in behind if each.title is not None}


def test_one_returned_chunk_leaves_most_relations_without_evidence(
    lightrag_server: Server,
) -> None:
    result = search(lightrag_server, QUESTIONS["bridge"], chunk_top_k=1)

    data = lightrag_server.query(QUESTIONS["bridge"], mode="hybrid", top_k=10, chunk_top_k=1)
    shown = shown_relations(result)
    assert len(passages(data)) == 1
    assert shown == relations(data)
    assert 0 < sum(map(bool, shown.values())) < len(shown) / 2


def test_text_without_a_document_supports_a_relation_and_is_not_cited(
    lightrag_server: Server,
) -> None:
    result = search(lightrag_server, "Tamsin Roe measured", chunk_top_k=20)

    shown = shown_relations(result)
    assert shown[heading("Grey Heron Bridge", "Tamsin Roe")] == {Passage(None, ANONYMOUS[0])}


def test_ends_and_evidence_in_chinese_are_unchanged(lightrag_server: Server) -> None:
    name = "青鷺橋-筆記🪁.txt"

    shown = shown_relations(search(lightrag_server, QUESTIONS["chinese"]))

    assert shown[heading("程奧拉", "青鷺橋")] == {Passage(name, DOCUMENTS[name])}


@pytest.mark.parametrize("question", ["ab", "橋"], ids=["two letters", "one sign"])
def test_question_that_is_too_short_for_the_server_is_an_error(
    lightrag_server: Server, question: str
) -> None:
    with pytest.raises(ProviderAPIError, match="in more words") as caught:
        search(lightrag_server, question)

    assert caught.value.status == 400


def test_question_that_is_too_long_is_refused_before_the_server_is_asked(
    lightrag_server: Server,
) -> None:
    with pytest.raises(ProviderError, match="longer than"):
        search(lightrag_server, "x" * (QUERY_LIMIT_CHARS + 1))


def test_relations_are_the_same_when_the_server_is_started_again(lightrag_server: Server) -> None:
    before = shown_relations(search(lightrag_server, QUESTIONS["bridge"]))

    lightrag_server.stop()
    try:
        with pytest.raises(ProviderConnectionError, match="was not reached"):
            search(lightrag_server, QUESTIONS["bridge"])
    finally:
        lightrag_server.start()

    assert shown_relations(search(lightrag_server, QUESTIONS["bridge"])) == before


def test_server_killed_while_it_searches_is_one_error_and_loses_nothing(
    lightrag_server: Server,
) -> None:
    before = shown_relations(search(lightrag_server, QUESTIONS["bridge"]))
    models = lightrag_server.models

    with ThreadPoolExecutor(1) as threads:
        asked = threads.submit(search, lightrag_server, f"{HOLD} {QUESTIONS['bridge']}")
        try:
            assert models.holding.wait(60)
            lightrag_server.kill()
            with pytest.raises(ProviderConnectionError, match="broke off its answer"):
                asked.result(60)
        finally:
            models.released.set()
            lightrag_server.start()

    assert shown_relations(search(lightrag_server, QUESTIONS["bridge"])) == before
