"""Documents: chunks become hits with real titles only (synthetic answers)."""

import asyncio
from typing import Any

import httpx
import pytest

from knowledge_contract.errors import ProviderError
from knowledge_contract.formatting import format_result
from knowledge_contract.providers.lightrag import LightragSettings, knowledge_search
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import RetrievalContext, RetrievalHit, RetrievalResult
from providers.lightrag.synthetic import (
    ALL,
    NO_RESULTS,
    chunk,
    documents,
    entity,
    finding,
    reference,
    relation,
    relations,
    search,
    sent,
    success,
)

KEY = "lr-secret-0123456789"


def test_query_is_one_request_with_the_key_in_its_own_header() -> None:
    with finding(chunk(1)) as server:
        provider = documents(server, api_key=KEY, top_k=7, chunk_top_k=3, mode="local")
        provider.search_sync(" pump\r\n", context=ALL)

    ((fields, body),) = sent(server)
    assert fields["line"] == "POST /query/data HTTP/1.1"
    assert body == {"query": "pump", "mode": "local", "top_k": 7, "chunk_top_k": 3}
    assert fields["x-api-key"] == KEY
    assert "authorization" not in fields


@pytest.mark.parametrize("key", [KEY, None], ids=["key", "no key"])
@pytest.mark.parametrize("method", ["search_sync", "search_relations_sync"])
def test_head_of_a_request_holds_these_fields_and_nothing_of_who_asks(
    method: str, key: str | None
) -> None:
    context = RetrievalContext("user-71", "agent-72", "thread-73", {"version": 1, "mode": "all"})
    with finding(chunk(1)) as server:
        address = server.base_url
        getattr(relations(server, api_key=key), method)("pump", context=context)

    (whole,) = server.requests
    ((fields, body),) = sent(server)
    expected = {
        "line": "POST /query/data HTTP/1.1",
        "host": address.removeprefix("http://"),
        "user-agent": f"python-httpx/{httpx.__version__}",
        "accept": "application/json",
        "accept-encoding": "gzip",
        "connection": "keep-alive",
        "content-type": "application/json",
        "content-length": str(len(whole.partition(b"\r\n\r\n")[2])),
    }
    del fields["post /query/data http/1.1"]
    assert fields == expected | ({} if key is None else {"x-api-key": key})
    assert body == {"query": "pump", "mode": "hybrid", "top_k": 20}
    assert [each for each in (b"user-71", b"agent-72", b"thread-73") if each in whole] == []


def test_nothing_that_is_not_set_is_sent() -> None:
    with finding() as server:
        documents(server).search_sync("pump", context=ALL)

    ((fields, body),) = sent(server)
    assert body == {"query": "pump", "mode": "mix", "top_k": 60}
    assert "x-api-key" not in fields


def test_server_on_this_machine_is_asked_past_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with finding(chunk(1)) as server:
        result = documents(server, api_key=KEY).search_sync("pump", context=ALL)

    assert len(result.hits) == 1


def test_chunks_become_hits_in_the_server_s_order() -> None:
    result = search(success(chunk(2), chunk(1)))

    assert result == RetrievalResult(
        "lightrag",
        (
            RetrievalHit("Passage 2.", title="book-2.pdf"),
            RetrievalHit("Passage 1.", title="book-1.pdf"),
        ),
    )


def test_entities_and_relations_alone_give_nothing_to_cite() -> None:
    assert search(success(entities=[entity("Bridge")], relationships=[relation(1)])).hits == ()


@pytest.mark.parametrize(
    "own",
    [{"file_path": None}, {"file_path": ""}, {"file_path": " "}, {"file_path": 7}],
    ids=["null", "empty", "blank", "number"],
)
def test_missing_name_is_that_of_the_reference(own: dict[str, Any]) -> None:
    references = [reference(2, "other.pdf"), reference(1, "docs/guide.md")]

    (hit,) = search(success(chunk(1, **own), references=references)).hits

    assert hit.title == "docs/guide.md"


PLACEHOLDERS = (
    *("unknown_source", "no-file-path", "custom_kg", "manual_creation", " unknown_source\n"),
    *("...truncated...(KEEP Old)", "...truncated...(FIFO)", "...truncated...(KEEP 75/90)"),
)


@pytest.mark.parametrize("name", PLACEHOLDERS)
def test_placeholder_is_no_document(name: str) -> None:
    own = search(success(chunk(1, file_path=name), references=[reference(1, "real.pdf")]))
    joined = search(success(chunk(1, file_path=""), references=[reference(1, name)]))

    assert [each.title for each in (*own.hits, *joined.hits)] == [None, None]
    assert own.hits[0].text == "Passage 1."


def test_name_with_a_separator_is_one_name() -> None:
    (hit,) = search(success(chunk(1, file_path="nets<SEP>ockley.txt"))).hits

    assert hit.title == "nets<SEP>ockley.txt"


def test_reference_that_stands_for_two_documents_stands_for_none() -> None:
    references = [reference(1, "a.pdf"), reference(1, "b.pdf"), reference(1, "a.pdf")]

    (hit,) = search(success(chunk(1, file_path=""), references=references)).hits

    assert hit.title is None


@pytest.mark.parametrize("reference_id", ["", None, 1], ids=["empty", "null", "number"])
def test_reference_is_joined_by_its_exact_text(reference_id: object) -> None:
    row = chunk(1, file_path="", reference_id=reference_id)
    references = [{"reference_id": reference_id, "file_path": "a.pdf"}, reference(1, "b.pdf")]

    (hit,) = search(success(row, references=references)).hits

    assert hit.title is None


def test_no_page_and_no_address_is_made_of_a_name() -> None:
    (hit,) = search(success(chunk(1, file_path="tolls?page=2", url="https://x.example"))).hits

    assert (hit.page, hit.url, hit.locators, hit.dataset_name) == (None, None, None, None)


@pytest.mark.parametrize(
    "row",
    [None, 7, "text", [], {}, chunk(1, content=None), chunk(1, content=" \n"), chunk(1, content=7)],
    ids=["null", "number", "text", "list", "empty", "no text", "blank", "text of another type"],
)
def test_row_without_text_is_left_out(row: object) -> None:
    hits = search(success(row, chunk(2))).hits

    assert [hit.title for hit in hits] == ["book-2.pdf"]


def test_unknown_fields_are_left_out_of_account() -> None:
    answer = success(chunk(1, vector_score=0.5), references=None, entities=None, more=[])

    assert len(search({**answer, "extra": {}}).hits) == 1


def test_nothing_found_is_an_empty_result() -> None:
    result = search(NO_RESULTS)

    assert result == RetrievalResult("lightrag", ())
    text, artifact = format_result(result, limit_chars=800, excerpt_chars=80)
    assert (text, artifact) == ("No relevant content was found.", None)


@pytest.mark.parametrize(
    "scope",
    [
        {"version": 1, "mode": "disabled"},
        {"version": 1, "mode": "selected", "dataset_ids": ["a"]},
        {"version": 1, "mode": "everything"},
        "all",
    ],
    ids=["disabled", "selected", "unknown mode", "no scope"],
)
def test_scope_but_all_is_refused_before_any_request(scope: object) -> None:
    with finding(chunk(1)) as server:
        provider = documents(server)
        with pytest.raises(ProviderError, match=r"\Alightrag: "):
            provider.search_sync("pump", context=RetrievalContext(scope=scope))
        provider.search_sync("pump", context=RetrievalContext(scope={"version": 1, "mode": "all"}))

    assert len(server.requests) == 1


@pytest.mark.parametrize("query", ["", " \n\0", "x" * 65_537], ids=["empty", "blank", "too long"])
def test_question_that_no_server_takes_is_refused_before_any_request(query: str) -> None:
    with finding(chunk(1)) as server, pytest.raises(ProviderError, match=r"\Alightrag: [^\n]+\Z"):
        documents(server).search_sync(query, context=ALL)

    assert server.requests == []


@pytest.mark.parametrize("query", ["橋", "x" * 65_536], ids=["one sign", "longest"])
def test_whether_a_question_is_too_short_is_the_server_s_to_say(query: str) -> None:
    with finding(chunk(1)) as server:
        documents(server).search_sync(query, context=ALL)

    assert len(server.requests) == 1


def test_provider_searches_from_a_running_loop_in_both_ways() -> None:
    async def both() -> list[RetrievalResult]:
        provider = documents(server)
        return [
            await provider.search("pump", context=ALL),
            provider.search_sync("pump", context=ALL),
        ]

    with finding(chunk(1)) as server:
        first, second = asyncio.run(both())

    assert first == second


def test_direct_text_is_cited_and_within_its_limit() -> None:
    with finding(chunk(1), chunk(2, content="x" * 500), chunk(3)) as server:
        settings = LightragSettings(base_url=server.base_url, limit_chars=250, excerpt_chars=400)
        text = knowledge_search("pump", settings=settings)

    assert text.count("](#knowledge-source-") == 2
    assert "Passage 1." in text
    assert "1 more result left out" in text
    assert len(text) <= 250


def test_hits_are_evidence_again_when_they_are_read() -> None:
    result = search(success(chunk(1), chunk(2, file_path="unknown_source")))
    text, artifact = format_result(result, limit_chars=800, excerpt_chars=80)

    reading = read_message({"type": "tool", "content": text, "artifact": artifact}, binding="entry")

    assert [each.record["title"] for each in reading.evidence] == ["book-1.pdf"]
    assert "Passage 2." in text
