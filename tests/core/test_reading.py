"""The reader accepts exactly what the contract says, and nothing that a message holds harms it."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from core.counted_searches import count_searches
from core.mutated_messages import (
    Failing,
    Record,
    build_record,
    handle_of,
    make_message,
    write_entry,
)
from core.slow_reader import read_slowly
from knowledge_contract.reading import Binding, Evidence, Reading, read_message
from knowledge_wire.parsing import Problem

BINDINGS: tuple[Binding, ...] = ("message", "entry")
NOTHING = Reading((), (), 0)
BATCH = 5_000


def tool_message(text: str, *records: Any) -> dict[str, Any]:
    artifact = {"knowledge_sources_version": 1, "knowledge_sources": list(records)}
    return {"type": "tool", "name": "search", "content": text, "artifact": artifact}


def entries_of(*records: Record) -> str:
    return "\n\n".join(write_entry(index + 1, record) for index, record in enumerate(records))


def compare(message: object) -> dict[Binding, Reading]:
    """Read with both readers; records must be the caller's own objects."""
    slow = read_slowly(message)
    readings = {binding: read_message(message, binding=binding) for binding in BINDINGS}
    for binding, reading in readings.items():
        found = [(id(each.record), each.form, each.binding) for each in reading.evidence]
        assert found == [(id(record), form, at) for record, form, at in slow[binding].evidence]
        assert [*map(tuple, reading.refused)] == [*map(tuple, slow[binding].refused)]
        assert reading.overflow == slow[binding].overflow
    return readings


@pytest.mark.parametrize("batch", range(10))
def test_mutated_messages_are_read_as_the_slow_reference_reads_them(batch: int) -> None:
    seen: Counter[str] = Counter()

    for index in range(batch * BATCH, (batch + 1) * BATCH):
        message = make_message(Random(f"reading/{index}"))  # noqa: S311 - test data, no secret
        before = repr(message) if index % 10 == 0 else ""
        for reading in compare(message).values():
            seen.update(each.binding for each in reading.evidence)
            seen.update(problem.rule for problem in reading.refused)
            seen["overflow"] += reading.overflow > 0
        assert not before or repr(message) == before

    rules = "entry message type required pattern additionalProperties unicode id handle excerpt"
    assert all(seen[rule] > 20 for rule in rules.split())
    assert all(seen[rule] for rule in ("duplicate", "overflow", "minLength", "maxLength"))


def test_record_comes_back_as_the_same_object_and_input_stays_as_it_was() -> None:
    record = build_record("Handbook", "Ask.", page=3.0)
    message = tool_message(entries_of(record), record)
    before = repr(message)

    reading = read_message(message)

    assert reading == Reading((Evidence(record, "shared", "entry"),), (), 0)
    assert reading.evidence[0].record is record
    assert repr(message) == before


LONG = 100_000


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [
        ([LONG] * 10, []),
        ([*[LONG] * 10, 1], [10]),
        ([*[LONG] * 9, LONG - 1, 2, 1, 1], [10, 12]),
        ([LONG] * 12, [10, 11]),
    ],
    ids=["exact", "one over", "a later one fits", "two over"],
)
def test_record_that_lifts_the_total_is_refused_and_smaller_ones_stay(
    lengths: list[int], expected: list[int]
) -> None:
    records = [build_record(f"Part {index}", "a" * each) for index, each in enumerate(lengths)]

    readings = compare(tool_message(entries_of(*records), *records))

    for reading in readings.values():
        assert reading.refused == tuple(
            Problem(f"/knowledge_sources/{index}", "total") for index in expected
        )


def test_record_refused_for_the_total_does_not_come_back_as_its_copy() -> None:
    records = [build_record(f"Part {index}", "a" * LONG) for index in range(11)]

    reading = read_message(tool_message(entries_of(*records), *records, records[-1], records[0]))

    assert [problem.rule for problem in reading.refused] == ["total", "total", "duplicate"]


# Rule 1 of the hot path: every occurrence of a handle is considered.


@pytest.mark.parametrize(
    "quote",
    ["See {}.\n\n", "{}\n", "{0}\n{0}\n\n{0}\nAsk\n\n", "{}\nAsk before\n\n"],
    ids=["in a sentence", "alone on a line", "many times", "with half of the excerpt"],
)
def test_handle_quoted_before_its_entry_does_not_suppress_the_entry(quote: str) -> None:
    record = build_record("Handbook", "Ask before you deploy.")
    first = build_record("Other", quote.format(handle_of(record)))
    text = entries_of(first, record)

    for message in (
        tool_message(quote.format(handle_of(record)) + entries_of(record), record),
        tool_message(text, first, record),
        tool_message(text, record, first),
    ):
        readings = compare(message)
        assert [each.binding for each in readings["entry"].evidence] in (["entry"], ["entry"] * 2)
        assert readings["entry"].refused == ()


# Rules 2 and 3: a search of the whole text costs as much as the text, so it is never repeated
# for a forged record, a copy, or a record whose handle is missing.


def searches(message: dict[str, Any], binding: Binding = "message") -> int:
    """Return how often a reading goes through the message's text."""
    return count_searches(lambda: read_message(message, binding=binding), message["content"])


SLOW_TEXT = "a" * 10_000
SLOW_EXCERPT = "a" * 500 + "b" + "a" * 500


def test_hundred_forged_records_cost_no_search_each() -> None:
    forged = [
        {**build_record(f"Part {index}", SLOW_EXCERPT), "id": "0" * 32} for index in range(100)
    ]
    text = f"](#knowledge-source-{'0' * 32}){SLOW_TEXT}"
    message = tool_message(text, *forged)

    reading = read_message(message)

    assert {problem.rule for problem in reading.refused} == {"id"}
    assert searches(message) == searches(tool_message(text))


def test_hundred_copies_of_a_record_cost_one_search() -> None:
    record = build_record("Handbook", SLOW_EXCERPT)
    text = f"{handle_of(record)}{SLOW_TEXT}"
    one, many = tool_message(text, record), tool_message(text, *[record] * 100)

    reading = read_message(many)

    assert {problem.rule for problem in reading.refused} == {"excerpt"}
    assert 0 < searches(many) == searches(one)


def test_hundred_records_without_a_handle_cost_one_search() -> None:
    records = [build_record(f"Part {index}", "Ask.") for index in range(100)]
    text = "](#knowledge-source-" * 500
    one, many = tool_message(text, records[0]), tool_message(text, *records)

    reading = read_message(many)

    assert {problem.rule for problem in reading.refused} == {"handle"}
    assert 0 < searches(many) == searches(one)


def test_search_stays_off_after_a_record_that_was_rejected() -> None:
    gone = [build_record(f"Gone {index}", SLOW_EXCERPT) for index in range(50)]
    kept = build_record("Kept", "Ask.")
    text = "".join(f"{handle_of(record)}\n" for record in gone) + SLOW_TEXT + entries_of(kept)
    one, many = tool_message(text, gone[0], kept), tool_message(text, *gone, kept)

    reading = read_message(many, binding="entry")

    assert [each.record for each in reading.evidence] == [kept]
    assert len(reading.refused) == 50
    assert 0 < searches(many, "entry") == searches(one, "entry")


@pytest.mark.parametrize(
    "message",
    [None, 0, True, "tool", b"tool", [], (), {}, Ellipsis, int, {1: 2}, {"type": "tool"}],
    ids=repr,
)
def test_value_that_is_no_message_has_no_evidence(message: object) -> None:
    assert read_message(message) == NOTHING


@pytest.mark.parametrize("name", ["type", "content", "artifact", "name"])
def test_property_that_raises_leaves_the_message_without_evidence(name: str) -> None:
    record = build_record("Handbook", "Ask.")
    message = Failing(tool_message(entries_of(record), record), name)

    assert read_message(message) == NOTHING


class Hostile:
    """A value that may not be compared, hashed by content or shown."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("not comparable")

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        raise RuntimeError("not printable")

    def __bool__(self) -> bool:
        raise RuntimeError("neither true nor false")


class HostileKey(str):
    """A key that hashes like a known one and refuses to be compared with it."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("not comparable")

    __hash__ = str.__hash__


RECORD = build_record("Handbook", "Ask.")


@pytest.mark.parametrize("key", ["type", "content", "artifact", "name"])
def test_hostile_part_of_a_message_never_raises(key: str) -> None:
    message = {**tool_message(entries_of(RECORD), RECORD), key: Hostile()}

    assert read_message(message).refused == ()


@pytest.mark.parametrize("key", ["type", "text"])
def test_hostile_part_of_a_text_block_never_raises(key: str) -> None:
    message = tool_message("", RECORD)
    message["content"] = [{"type": "text", "text": "x", key: Hostile()}, entries_of(RECORD)]

    assert [each.record for each in read_message(message).evidence] == [RECORD]


@pytest.mark.parametrize("key", ["knowledge_sources", "knowledge_sources_version", "other"])
def test_hostile_part_of_an_artifact_never_raises(key: str) -> None:
    message = tool_message(entries_of(RECORD), RECORD)
    message["artifact"][key] = Hostile()

    assert read_message(message).refused == ()


@pytest.mark.parametrize("key", [*RECORD, "page", "url", "dataset_name", "other"])
def test_hostile_part_of_a_record_refuses_that_record_alone(key: str) -> None:
    message = tool_message(entries_of(RECORD), {**RECORD, key: Hostile()}, Hostile(), RECORD)

    reading = read_message(message)

    assert [each.record for each in reading.evidence] == [RECORD]
    assert len(reading.refused) == 2


@pytest.mark.parametrize("key", ["type", "artifact"])
def test_hostile_key_of_a_message_never_raises(key: str) -> None:
    message = tool_message(entries_of(RECORD), RECORD)
    message[HostileKey(key)] = message.pop(key)

    assert read_message(message) == NOTHING


@pytest.mark.parametrize("key", ["knowledge_sources", "retrieval_sources"])
def test_hostile_key_of_an_artifact_never_raises(key: str) -> None:
    message = tool_message(entries_of(RECORD), RECORD)
    message["artifact"][HostileKey(key)] = message["artifact"].pop(key, None)

    assert read_message(message) == NOTHING


@pytest.mark.parametrize("key", ["id", "excerpt", "page"])
def test_hostile_key_of_a_record_never_raises(key: str) -> None:
    hostile = {name: RECORD[name] for name in RECORD if name != key}
    hostile[HostileKey(key)] = RECORD.get(key, 1)

    assert read_message(tool_message(entries_of(RECORD), hostile)).evidence == ()


def test_deep_values_beside_the_records_never_raise() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    message = tool_message(entries_of(RECORD), {**RECORD, "page": deep}, deep, RECORD)
    message["artifact"]["other"] = deep

    reading = read_message(message)

    assert [each.record for each in reading.evidence] == [RECORD]
    # Taken apart by hand: to free it all at once is what recursion could not survive.
    while deep:
        deep = deep.pop()
