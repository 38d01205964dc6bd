"""Formatting complete RAGFlow results in the native form, and falling back as a whole."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge_contract.formatting import format_result
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import NativeLocators, RetrievalHit, RetrievalResult
from knowledge_wire.constants import HIT_COUNT
from knowledge_wire.validators import check_native_snapshot

RETRIEVAL = "0123456789abcdef0123456789abcdef"


def hit(number: int, **changes: Any) -> RetrievalHit:
    whole = RetrievalHit(
        text=f"Step {number}: ask before you deploy.",
        title="Guide.pdf",
        dataset_name="Handbook",
        locators=NativeLocators("d1", "doc1", f"c{number}", (3,)),
    )
    return whole._replace(**changes)


def written(
    *hits: RetrievalHit, limit_chars: int = 10_000, excerpt_chars: int = 800, **changes: Any
) -> tuple[str, dict[str, Any] | None]:
    options = {"tool_name": "knowledge_search", "retrieval_id": RETRIEVAL, **changes}
    result = RetrievalResult(
        options.pop("provider", "ragflow"), hits, options.pop("layout", "search")
    )
    return format_result(result, limit_chars=limit_chars, excerpt_chars=excerpt_chars, **options)


def test_complete_result_is_written_natively() -> None:
    text, artifact = written(hit(1), hit(2, page=7))

    assert text == (
        f"[1] Handbook [citation:1](#knowledge-{RETRIEVAL}-1)\nStep 1: ask before you deploy.\n\n"
        f"[2] Handbook, p. 7 [citation:2](#knowledge-{RETRIEVAL}-2)\n"
        "Step 2: ask before you deploy."
    )
    assert artifact is not None
    assert list(artifact) == ["knowledge_sources"]
    assert check_native_snapshot(artifact["knowledge_sources"]) == ()
    assert artifact["knowledge_sources"]["sources"][1] == {
        "id": f"{RETRIEVAL}-2",
        "provider": "ragflow",
        "dataset_id": "d1",
        "document_id": "doc1",
        "chunk_id": "c2",
        "dataset_name": "Handbook",
        "document_name": "Guide.pdf",
        "text": "Step 2: ask before you deploy.",
        "truncated": False,
        "pages": [3],
    }


def test_cut_text_ends_in_an_ellipsis_and_says_so() -> None:
    text, artifact = written(hit(1), excerpt_chars=8)

    assert artifact is not None
    record = artifact["knowledge_sources"]["sources"][0]
    assert (record["text"], record["truncated"]) == ("Step 1:\u2026", True)
    assert text.endswith(f"(cut) [citation:1](#knowledge-{RETRIEVAL}-1)\nStep 1:\u2026")


FALLBACKS: dict[str, dict[str, Any]] = {
    "another tool": {"tool_name": "search"},
    "no tool": {"tool_name": None},
    "no retrieval id": {"retrieval_id": None},
    "another provider": {"provider": "local"},
    "relations": {"layout": "relations"},
}


@pytest.mark.parametrize("changes", FALLBACKS.values(), ids=FALLBACKS)
def test_without_what_native_readers_need_the_result_is_shared(changes: dict[str, Any]) -> None:
    _, artifact = written(hit(1), **changes)

    assert artifact is not None
    assert artifact["knowledge_sources_version"] == 1
    assert len(artifact["knowledge_sources"]) == 1


INCOMPLETE: dict[str, dict[str, Any]] = {
    "no locators": {"locators": None},
    "an empty locator": {"locators": NativeLocators("d1", "doc1", "")},
    "a locator too long": {"locators": NativeLocators("d1", "x" * 257, "c1")},
    "no title": {"title": None},
    "no dataset": {"dataset_name": None},
    "a page of zero": {"locators": NativeLocators("d1", "doc1", "c1", (0,))},
}


@pytest.mark.parametrize("changes", INCOMPLETE.values(), ids=INCOMPLETE)
def test_one_incomplete_hit_turns_the_whole_result_to_the_shared_form(
    changes: dict[str, Any],
) -> None:
    text, artifact = written(hit(1), hit(2, **changes))

    assert artifact is not None
    assert type(artifact["knowledge_sources"]) is list
    assert "Step 1" in text
    assert "Step 2" in text


def test_only_the_first_hundred_hits_decide() -> None:
    hits = [hit(number) for number in range(1, HIT_COUNT + 1)]

    _, artifact = written(*hits, hit(0, locators=None), limit_chars=1_000_000)

    assert artifact is not None
    assert len(artifact["knowledge_sources"]["sources"]) == HIT_COUNT


def test_blank_hits_decide_nothing() -> None:
    _, artifact = written(hit(1), RetrievalHit(text=" "))

    assert artifact is not None
    assert type(artifact["knowledge_sources"]) is dict


@pytest.mark.parametrize("bad", ["", "0" * 31, "0" * 33, "G" * 32, "A" * 32, f"{RETRIEVAL}\n"])
def test_retrieval_id_that_no_reader_accepts_is_the_callers_bug(bad: str) -> None:
    with pytest.raises(ValueError, match="retrieval_id must be 32 hexadecimal digits"):
        written(hit(1), retrieval_id=bad)


texts = st.text(st.characters(), min_size=1, max_size=30) | st.sampled_from(
    [f"x [citation:1](#knowledge-{RETRIEVAL}-1) y", "[2] (no source to cite)\n", "a\n\nb"]
)


@given(
    bodies=st.lists(texts, max_size=5),
    limit_chars=st.integers(0, 700),
    excerpt_chars=st.integers(1, 40),
)
def test_what_is_shown_is_what_reads_back(
    bodies: list[str], limit_chars: int, excerpt_chars: int
) -> None:
    hits = [hit(number, text=body) for number, body in enumerate(bodies)]

    text, artifact = written(*hits, limit_chars=limit_chars, excerpt_chars=excerpt_chars)

    message = {"type": "tool", "name": "knowledge_search", "content": text, "artifact": artifact}
    reading = read_message(message, binding="entry")
    recorded = artifact["knowledge_sources"]["sources"] if artifact else []
    assert len(text) <= limit_chars
    assert [each.record for each in reading.evidence] == recorded
    assert reading.refused == ()
    assert [each["id"] for each in recorded] == [
        f"{RETRIEVAL}-{position}" for position in range(1, len(recorded) + 1)
    ]
