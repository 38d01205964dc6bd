"""A server that echoes the key everywhere: nobody ever sees it (synthetic answers)."""

import json
import logging
import traceback
from typing import Any

import pytest

from knowledge_contract.errors import ProviderError
from knowledge_contract.formatting import format_result
from knowledge_contract.retrieval import RetrievalResult
from providers.lightrag.synthetic import (
    ALL,
    chunk,
    documents,
    entity,
    finding,
    reference,
    relation,
    relations,
    success,
)
from providers.raw_server import Play, reply, serving
from providers.spellings import spellings

KEY = "lightrag-k/y+\"'0123456789"
SPELLINGS = spellings(KEY)
EVERYWHERE = " ".join(SPELLINGS)


def echo(body: Any, status: str = "200 OK") -> Play:
    """Return a play whose head quotes the key as well."""
    return reply(json.dumps(body).encode(), f"{status} {KEY}", X_Echo=f"X-API-Key: {KEY}")


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


def both(answer: object) -> list[RetrievalResult]:
    """Return what a search for documents and one for relations find."""
    with serving(echo(answer)) as server:
        return [
            documents(server, api_key=KEY).search_sync(f"pump {KEY}", context=ALL),
            relations(server, api_key=KEY).search_relations_sync(f"pump {KEY}", context=ALL),
        ]


def test_hits_and_written_evidence_hold_no_key() -> None:
    split = f"{KEY[:4]}\0{KEY[4:]}"
    results = both(
        success(
            chunk(1, content=f"Use {EVERYWHERE}.", file_path=f"{KEY}.pdf"),
            chunk(2, content=split, file_path=""),
            references=[reference(2, f"Book {KEY}")],
            relationships=[relation(1, 2, src_id=KEY, description=f"{EVERYWHERE}<SEP>{split}")],
            entities=[entity(KEY, entity_type=KEY, description=EVERYWHERE)],
        )
    )

    written = [format_result(each, limit_chars=9000, excerpt_chars=900) for each in results]
    assert leaks(f"{results!r} {json.dumps(written)}") == []
    assert [hit.title for hit in results[0].hits] == ["[redacted].pdf", "Book [redacted]"]
    assert [hit.text for hit in results[1].hits][2].startswith("Relation: [redacted] -- Orla Venn")


def test_key_that_holds_the_separator_of_statements_is_found_whole() -> None:
    key = "lightrag-k<SEP>0123456789"
    described = f"Before {key}<SEP>behind {key}."
    rows = [relation(src_id=key, description=described)]
    with finding(relationships=rows, entities=[entity("A", description=key)]) as server:
        hits = relations(server, api_key=key).search_relations_sync("pump", context=ALL).hits

    assert [hit.text.split("\n") for hit in hits] == [
        ["Relation: [redacted] -- Orla Venn", "- Before [redacted]", "- behind [redacted]."],
        ["Entity: A (concept)", "- [redacted]"],
    ]


def test_key_is_found_before_a_long_name_is_cut() -> None:
    rows = [relation(src_id="x" * 91 + KEY)]
    with serving(echo(success(relationships=rows))) as server:
        provider = relations(server, api_key=KEY)
        (hit,) = provider.search_relations_sync("pump", context=ALL).hits

    assert hit.text.startswith(f"Relation: {'x' * 91}[redacte\u2026 -- Orla Venn\n")


ANSWERS = {
    "refused": echo({"detail": EVERYWHERE}, "403 Forbidden"),
    "validation": echo({"detail": [{"msg": EVERYWHERE}]}, "422 Unprocessable"),
    "status": echo({"message": EVERYWHERE}, "500 Internal Server Error"),
    "failure": echo({"status": "failure", "message": EVERYWHERE, "data": {}, "metadata": {}}),
    "shape": echo({"status": "success", "data": EVERYWHERE}),
    "HTML": reply(f"<h1>{EVERYWHERE}</h1>".encode()),
    "redirect": reply(b"", "307 Temporary Redirect", Location=f"/login?next={KEY}"),
    "encoding": reply(b"", Content_Encoding=KEY),
}


@pytest.mark.parametrize("play", ANSWERS.values(), ids=ANSWERS)
def test_errors_hold_no_key(play: Play) -> None:
    with serving(play) as server, pytest.raises(ProviderError) as caught:
        documents(server, api_key=KEY).search_sync("pump", context=ALL)

    error = caught.value
    assert leaks(f"{error!s} {error!r} {''.join(traceback.format_exception(error))}") == []


def test_server_s_own_words_are_logged_without_line_ends(caplog: pytest.LogCaptureFixture) -> None:
    words = f"first\nsecond \x1b[31m{KEY} {'x' * 9000}"
    with serving(echo({"detail": words}, "500 Oops")) as server, pytest.raises(ProviderError):
        documents(server, api_key=KEY).search_sync("pump", context=ALL)

    (line,) = [each.getMessage() for each in caplog.records if "first" in each.getMessage()]
    assert "first second [31m[redacted]" in line
    assert len(line) < 700
    assert line.isprintable()
