"""Small rules of the reader, each on the least message that shows it."""

from typing import Any

import pytest

from core.test_reading import HostileKey
from core.test_reading_forms import (
    message,
    native,
    native_entry,
    shared,
    shared_entry,
    snapshot,
    summary,
)
from knowledge_contract.reading import read_message
from knowledge_wire.constants import EXCERPT_TOTAL_CHARS, NATIVE_TEXT_MAX_LENGTH, RECORD_COUNT


def test_overflow_of_both_lists_of_a_mixed_artifact_is_counted() -> None:
    artifact = {
        "knowledge_sources_version": 1,
        "knowledge_sources": snapshot(*[{}] * (RECORD_COUNT + 2)),
        "retrieval_sources": [{}] * (RECORD_COUNT + 3),
    }

    assert read_message(message("", artifact)).overflow == 5


def test_native_record_with_a_failing_key_refuses_itself_alone() -> None:
    good, hostile = native(1), native(2)
    del hostile["text"]
    hostile[HostileKey("text")] = "x"
    artifact = {"knowledge_sources": snapshot(hostile, good)}

    reading = read_message(message(native_entry(good), artifact))

    refused = [("/knowledge_sources/sources/0", "type")]
    assert summary(reading) == ([(good["id"], "native", "entry")], refused, 0)


@pytest.mark.parametrize(("repeats", "binding"), [(4, "entry"), (5, "message")], ids=str)
def test_repeated_native_handle_is_followed_a_bounded_number_of_times(
    repeats: int, binding: str
) -> None:
    record = native(1, "a" * 10_000)
    handle = f"[citation:1](#knowledge-{record['id']})"
    text = f"{handle} \n" * repeats + native_entry(record)

    reading = read_message(message(text, {"knowledge_sources": snapshot(record)}))

    assert summary(reading)[0] == [(record["id"], "native", binding)]


def test_shared_handle_may_open_the_text() -> None:
    record: dict[str, Any] = shared()
    text = shared_entry(record).partition("](#")[2]
    artifact = {"knowledge_sources_version": 1, "knowledge_sources": [record]}

    reading = read_message(message(f"](#{text}", artifact))

    assert summary(reading) == ([(record["id"], "shared", "entry")], [], 0)


def test_native_record_past_the_total_is_refused() -> None:
    fitting = EXCERPT_TOTAL_CHARS // NATIVE_TEXT_MAX_LENGTH
    texts = ["x" * NATIVE_TEXT_MAX_LENGTH] * fitting + ["y"]
    records = [native(position, text) for position, text in enumerate(texts, start=1)]
    text = "\n".join(f"[citation:1](#knowledge-{record['id']})" for record in records)

    reading = read_message(message(text, {"knowledge_sources": snapshot(*records)}))

    assert len(reading.evidence) == fitting
    assert summary(reading)[1:] == ([(f"/knowledge_sources/sources/{fitting}", "total")], 0)


def test_native_text_above_its_handle_is_no_entry() -> None:
    record = native(1)
    text = f"{record['text']}\n[citation:1](#knowledge-{record['id']})"

    reading = read_message(message(text, {"knowledge_sources": snapshot(record)}))

    assert summary(reading) == ([(record["id"], "native", "message")], [], 0)
