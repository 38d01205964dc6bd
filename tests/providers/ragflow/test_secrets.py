"""A server that echoes the key everywhere: nobody ever sees it."""

import json
import logging
import traceback
from typing import Any

import pytest

from knowledge_contract.errors import ProviderError
from knowledge_contract.formatting import format_result
from knowledge_contract.providers._http import Retrying
from knowledge_contract.providers.ragflow import RagflowProvider, RagflowSettings
from knowledge_contract.retrieval import RetrievalContext, RetrievalResult
from providers.ragflow.library import chunk, dataset, no_pause, retrieval
from providers.raw_server import Play, RawServer, reply, serving
from providers.spellings import spellings

KEY = "ragflow-k/y+\"'0123456789"
SPELLINGS = spellings(KEY)
EVERYWHERE = " ".join(SPELLINGS)


def echo(body: Any, status: str = "200 OK") -> Play:
    """Return a play whose head quotes the key as well."""
    return reply(json.dumps(body).encode(), f"{status} {KEY}", X_Echo=f"Bearer {KEY}")


def provider_for(server: RawServer) -> RagflowProvider:
    """Return a provider with the key."""
    settings = RagflowSettings(base_url=server.base_url, api_key=KEY)
    return RagflowProvider(settings, retrying=Retrying(sleep=no_pause))


def found(*chunks: Any, doc_aggs: object = ()) -> RetrievalResult:
    """Return what a search finds in an echoing server."""
    answer = retrieval(*chunks)
    answer["data"]["doc_aggs"] = doc_aggs
    rows = [dataset(1, name=f"Shelf {EVERYWHERE}", embedding_model=KEY)]
    with serving(echo({"code": 0, "data": rows}), echo(answer)) as server:
        return provider_for(server).search_sync(f"pump {KEY}", context=RetrievalContext())


def leaks(text: str) -> list[str]:
    """Return the spellings of the key that a text holds."""
    return [each for each in SPELLINGS if each in text]


@pytest.fixture(autouse=True)
def silent_logs(caplog: pytest.LogCaptureFixture) -> Any:
    """Log everything, and fail if any record of the test holds the key."""
    caplog.set_level(logging.DEBUG)
    yield
    records = caplog.get_records("call")
    assert records
    written = [f"{each.getMessage()} {each.msg} {each.args} {each.exc_text}" for each in records]
    assert [line for line in written if leaks(line)] == []


def test_hits_hold_no_key() -> None:
    result = found(
        chunk(1, content=f"Use {EVERYWHERE}.", document_keyword=f"{KEY}.pdf"),
        chunk(2, document_keyword=None),
        doc_aggs=[{"doc_id": chunk(2)["document_id"], "doc_name": f"Book {KEY}"}],
    )

    first, second = result.hits
    assert first.text == "Use [redacted] [redacted] [redacted] [redacted]."
    assert (first.title, second.title) == ("[redacted].pdf", "Book [redacted]")
    assert leaks(repr(result)) == []


@pytest.mark.parametrize("name", ["id", "document_id"])
def test_identifier_that_holds_the_key_is_no_locator(name: str) -> None:
    (hit,) = found(chunk(1) | {name: f"x{KEY}"}).hits

    assert hit.locators is None
    assert hit.title == "Book 101.pdf"


def test_key_that_a_control_character_splits_is_redacted() -> None:
    (hit,) = found(chunk(1, content=f"{KEY[:4]}\0{KEY[4:]}")).hits

    assert hit.text == "[redacted]"


def test_written_evidence_holds_no_key() -> None:
    result = found(chunk(1, content=EVERYWHERE), chunk(2, id=KEY))

    for options in ({}, {"tool_name": "knowledge_search", "retrieval_id": "0" * 32}):
        written = format_result(result, limit_chars=9000, excerpt_chars=900, **options)
        assert leaks(json.dumps(written)) == []


def test_variables_of_a_failing_search_do_not_show_the_key() -> None:
    with (
        serving(reply(b'{"code": 100}')) as server,
        pytest.raises(ProviderError) as caught,
    ):
        provider_for(server).search_sync("pump", context=RetrievalContext())

    report = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    shown = [
        f"{name} = {text}" for each in report.stack for name, text in (each.locals or {}).items()
    ]
    assert len(report.stack) > 5
    assert [line for line in shown if leaks(line)] == []


ANSWERS = {
    "code": echo({"code": 100, "message": f"no model for {EVERYWHERE}"}),
    "credentials": echo({"code": 109, "data": False, "message": EVERYWHERE}),
    "status": echo({"message": EVERYWHERE}, "500 Internal Server Error"),
    "shape": echo({"code": 0, "data": EVERYWHERE}),
    "HTML": reply(f"<h1>{EVERYWHERE}</h1>".encode()),
    "redirect": reply(b"", "302 Found", Location=f"/login?next={KEY}"),
    "encoding": reply(b"", Content_Encoding=KEY),
}


@pytest.mark.parametrize("play", ANSWERS.values(), ids=ANSWERS)
def test_errors_hold_no_key(play: Play) -> None:
    with serving(play) as server, pytest.raises(ProviderError) as caught:
        provider_for(server).search_sync("pump", context=RetrievalContext())

    error = caught.value
    assert leaks(f"{error!s} {error!r} {''.join(traceback.format_exception(error))}") == []


def test_server_s_own_words_are_logged_without_line_ends(
    caplog: pytest.LogCaptureFixture,
) -> None:
    words = f"first\nsecond \x1b[31m{KEY} {'x' * 9000}"

    with (
        serving(echo({"code": 100, "message": words})) as server,
        pytest.raises(ProviderError),
    ):
        provider_for(server).search_sync("pump", context=RetrievalContext())

    (line,) = [each.getMessage() for each in caplog.records if "first" in each.getMessage()]
    assert "first second [31m[redacted]" in line
    assert len(line) < 700
    assert line.isprintable()
