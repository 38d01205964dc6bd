"""Reading native and mixed artifacts: which form it is, what counts, and what is refused."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge_contract.reading import Binding, Reading, read_message
from knowledge_wire.constants import (
    EXCERPT_TOTAL_CHARS,
    NATIVE_ENTRY_GAP_CHARS,
    NATIVE_TEXT_MAX_LENGTH,
    NATIVE_TOOL_NAMES,
    RECORD_COUNT,
)
from knowledge_wire.identity import source_id

RETRIEVAL = "0123456789abcdef0123456789abcdef"
NOTHING = Reading((), (), 0)


def native(position: int, text: str = "Ask before you deploy.", **changes: Any) -> dict[str, Any]:
    record = {
        "id": f"{RETRIEVAL}-{position}",
        "provider": "ragflow",
        "dataset_id": "d1",
        "document_id": "doc1",
        "chunk_id": f"c{position}",
        "dataset_name": "Handbook",
        "document_name": "Guide.pdf",
        "text": text,
        "truncated": False,
        "pages": [3],
    }
    return {**record, **changes}


def shared(text: str = "Green tea needs 80 °C.") -> dict[str, Any]:
    source: dict[str, Any] = {"provider": "local", "title": "Tea", "excerpt": text}
    return {"id": source_id(source), **source}


def native_entry(record: dict[str, Any]) -> str:
    """Return an entry as older releases wrote it: names stand behind the handle."""
    position = record["id"].rpartition("-")[2]
    return f"[citation:{position}](#knowledge-{record['id']}) Handbook / Guide\n{record['text']}"


def shared_entry(record: dict[str, Any]) -> str:
    return f"[1] [citation:Tea](#knowledge-source-{record['id']})\n{record['excerpt']}"


def message(text: str, artifact: object, name: str | None = "knowledge_search") -> dict[str, Any]:
    return {"type": "tool", "name": name, "content": text, "artifact": artifact}


def snapshot(*records: object, version: object = 1) -> dict[str, Any]:
    return {"version": version, "sources": list(records)}


def summary(reading: Reading) -> tuple[list[Any], list[Any], int]:
    evidence = [(dict(each.record)["id"], each.form, each.binding) for each in reading.evidence]
    return evidence, [tuple(problem) for problem in reading.refused], reading.overflow


@pytest.mark.parametrize("name", NATIVE_TOOL_NAMES)
def test_native_snapshot_is_read_from_the_tools_that_write_it(name: str) -> None:
    record = native(1)
    given_message = message(native_entry(record), {"knowledge_sources": snapshot(record)}, name)

    reading = read_message(given_message, binding="entry")

    assert summary(reading) == ([(record["id"], "native", "entry")], [], 0)
    assert reading.evidence[0].record is record


def test_version_key_beside_a_native_snapshot_is_ignored() -> None:
    record = native(1)
    artifact = {"knowledge_sources": snapshot(record), "knowledge_sources_version": 7}

    assert len(read_message(message(native_entry(record), artifact)).evidence) == 1


def test_record_of_an_older_release_stays_readable() -> None:
    record = native(1)
    old = {key: record[key] for key in ("id", "provider", "document_name", "text")}
    artifact = {"knowledge_sources": snapshot({**old, "score": 0.5})}

    assert len(read_message(message(native_entry(record), artifact)).evidence) == 1


RECORD, SHARED = native(1), shared()
TEXT = f"{native_entry(RECORD)}\n\n{shared_entry(SHARED)}"
MIXED = {
    "knowledge_sources": snapshot(RECORD),
    "knowledge_sources_version": 1,
    "retrieval_sources": [SHARED],
}
NATIVE_FOUND = (RECORD["id"], "native", "entry")
SHARED_FOUND = (SHARED["id"], "shared", "entry")

FORMS: dict[str, tuple[dict[str, Any], str | None, list[Any]]] = {
    "mixed, native first": (MIXED, "task", [NATIVE_FOUND, SHARED_FOUND]),
    "mixed without native": (
        {"knowledge_sources_version": 1, "retrieval_sources": [SHARED]},
        "task",
        [SHARED_FOUND],
    ),
    "mixed from another tool": (MIXED, "other", [SHARED_FOUND]),
    "mixed from no tool": (MIXED, None, [SHARED_FOUND]),
    "mixed with a native version of its own": (
        {**MIXED, "knowledge_sources": snapshot(RECORD, version=2)},
        "task",
        [SHARED_FOUND],
    ),
    "mixed of another version": ({**MIXED, "knowledge_sources_version": 2}, "task", []),
    "mixed without version": (
        {key: MIXED[key] for key in ("knowledge_sources", "retrieval_sources")},
        "task",
        [],
    ),
    "mixed with a list for native": ({**MIXED, "knowledge_sources": [SHARED]}, "task", []),
    "mixed with null for native": ({**MIXED, "knowledge_sources": None}, "task", []),
    "mixed with an object for shared": ({**MIXED, "retrieval_sources": {}}, "task", []),
    "native of version 1.0": (
        {"knowledge_sources": snapshot(RECORD, version=1.0)},
        "task",
        [NATIVE_FOUND],
    ),
    "native of version true": ({"knowledge_sources": snapshot(RECORD, version=True)}, "task", []),
    "native of version 2": ({"knowledge_sources": snapshot(RECORD, version=2)}, "task", []),
    "native without a list": ({"knowledge_sources": {"version": 1, "sources": {}}}, "task", []),
    "native from another tool": ({"knowledge_sources": snapshot(RECORD)}, "search", []),
}


@pytest.mark.parametrize(("artifact", "name", "evidence"), FORMS.values(), ids=FORMS)
def test_form_comes_from_the_artifact(
    artifact: dict[str, Any], name: str | None, evidence: list[Any]
) -> None:
    assert summary(read_message(message(TEXT, artifact, name))) == (evidence, [], 0)


def test_native_handle_is_no_prefix_of_another() -> None:
    tenth, first = native(10), native(1)
    artifact = {"knowledge_sources": snapshot(first, tenth)}

    reading = read_message(message(native_entry(tenth), artifact))

    assert summary(reading) == (
        [(tenth["id"], "native", "entry")],
        [("/knowledge_sources/sources/0", "handle")],
        0,
    )


@pytest.mark.parametrize(
    ("between", "binding"),
    [
        ("\n", "entry"),
        (f"{'x' * NATIVE_ENTRY_GAP_CHARS}\n", "entry"),
        (f"{'x' * (NATIVE_ENTRY_GAP_CHARS + 1)}\n", "message"),
        ("", "message"),
        ("\n\n", "message"),
    ],
    ids=["at once", "at the limit", "past the limit", "on the line", "a line below"],
)
def test_native_text_is_bound_by_the_line_below_its_handle(between: str, binding: str) -> None:
    record = native(1)
    text = f"[citation:1](#knowledge-{record['id']}){between}{record['text']}"
    artifact = {"knowledge_sources": snapshot(record)}

    reading = read_message(message(text, artifact))
    demanded = read_message(message(text, artifact), binding="entry")

    assert [each.binding for each in reading.evidence] == [binding]
    assert [each.binding for each in demanded.evidence] == [binding][: binding == "entry"]
    assert [problem.rule for problem in demanded.refused] == ["excerpt"][: binding != "entry"]


def test_bad_native_record_refuses_itself_alone() -> None:
    good, again, blank = native(1), native(1), native(2, text=" ")
    artifact = {"knowledge_sources": snapshot(blank, None, good, again)}
    text = f"{native_entry(blank)}\n\n{native_entry(good)}"

    assert summary(read_message(message(text, artifact))) == (
        [(good["id"], "native", "entry")],
        [
            ("/knowledge_sources/sources/0/text", "pattern"),
            ("/knowledge_sources/sources/1", "type"),
            ("/knowledge_sources/sources/3", "duplicate"),
        ],
        0,
    )


def test_total_and_overflow_run_over_both_lists() -> None:
    long = [native(n, text="x" * NATIVE_TEXT_MAX_LENGTH) for n in range(1, 6)]
    full = EXCERPT_TOTAL_CHARS // NATIVE_TEXT_MAX_LENGTH
    artifact = {
        "knowledge_sources": snapshot(*long[:full], *[native(9)] * RECORD_COUNT),
        "knowledge_sources_version": 1,
        "retrieval_sources": [SHARED],
    }
    text = "\n\n".join([*map(native_entry, long[:full]), shared_entry(SHARED)])

    reading = read_message(message(text, artifact, "task"))

    assert len(reading.evidence) == full
    assert reading.refused[-1] == ("/retrieval_sources/0", "total")
    assert reading.overflow == full


def test_text_that_repeats_its_own_handle_costs_no_more_than_a_few_comparisons() -> None:
    handle = f"](#knowledge-{RETRIEVAL}-1)\n"
    record = native(1, text=handle * 3000 + "x")
    artifact = {"knowledge_sources": snapshot(record)}

    reading = read_message(message(handle * 20_000, artifact))

    assert [each.binding for each in reading.evidence] == ["message"]


@pytest.mark.parametrize("demand", ["message", "entry"])
@given(
    parts=st.lists(st.integers(0, 5), max_size=8),
    artifact_records=st.lists(st.integers(0, 5), max_size=8),
    gap=st.sampled_from(["\n", " Handbook / Guide\n", " "]),
)
def test_native_reading_is_what_the_rules_say(
    demand: Binding, parts: list[int], artifact_records: list[int], gap: str
) -> None:
    records = [native(n + 1, text=f"Text {n}.") for n in range(6)]
    text = "\n\n".join(
        f"[citation:{n}](#knowledge-{records[n]['id']}){gap}{records[n]['text']}" for n in parts
    )
    listed = [records[n] for n in artifact_records]

    reading = read_message(message(text, {"knowledge_sources": snapshot(*listed)}), binding=demand)

    shown = [n for n in dict.fromkeys(artifact_records) if n in parts]
    expected = shown if gap.endswith("\n") or demand == "message" else []
    assert [dict(each.record)["id"] for each in reading.evidence] == [
        records[n]["id"] for n in expected
    ]
    assert len(reading.refused) == len(listed) - len(expected)
