"""The accumulator equals a rescan of every frame, and reads every message once."""

import copy
import random
from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.messages import ToolMessage

from core.evidence import native_record, shared_record, tool_message
from knowledge_contract.delegation import EvidenceAccumulator
from knowledge_contract.reading import read_message
from knowledge_wire.constants import EXCERPT_TOTAL_CHARS, NATIVE_TEXT_MAX_LENGTH, RECORD_COUNT

STEPS = 1_000


class CountedMessage:
    """A tool message that counts how often its artifact is read."""

    type = "tool"
    name = "knowledge_search"

    def __init__(self, message: dict[str, Any]) -> None:
        self._message = message
        self.reads = 0

    @property
    def content(self) -> object:
        return self._message["content"]

    @property
    def artifact(self) -> object:
        self.reads += 1
        return self._message["artifact"]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CountedMessage) and self._message == other._message

    __hash__ = None  # type: ignore[assignment]  # as messages of LangChain


def counted(number: int) -> CountedMessage:
    return CountedMessage(tool_message(shared_record(f"Fact {number}.")))


def ids(accumulator: EvidenceAccumulator) -> list[object]:
    return [each.record["id"] for each in accumulator.evidence]


def rescan(frames: Sequence[Sequence[object] | None]) -> tuple[list[object], int]:
    """Return what reading every message of every frame in order keeps, and what it leaves out."""
    kept: dict[tuple[str, object], int] = {}
    left_out = set()
    for message in (each for frame in frames for each in frame or ()):
        for evidence in read_message(message).evidence:
            key = (evidence.form, evidence.record["id"])
            size = len(str(evidence.record["excerpt" if evidence.form == "shared" else "text"]))
            if key in kept or key in left_out:
                continue
            if len(kept) < RECORD_COUNT and sum(kept.values()) + size <= EXCERPT_TOTAL_CHARS:
                kept[key] = size
            else:
                left_out.add(key)
    return [record_id for _, record_id in kept], len(left_out)


def random_message(chance: random.Random, most: int) -> object:
    number = chance.randrange(most)
    if chance.random() < 0.3:
        return {"type": "human", "content": f"Question {number}"}
    record = shared_record(f"Fact {number}.")
    if chance.random() < 0.4:
        record = native_record(1 + number, f"Fact {number}.")
    message = tool_message(record, shared_record(f"Fact {number // 2}."))
    if chance.random() < 0.2:
        message["content"] = "compacted"
    if chance.random() < 0.3:
        return ToolMessage(
            message["content"],
            name="task",
            artifact=message["artifact"],
            tool_call_id=str(number),
        )
    return CountedMessage(message)


def next_frame(chance: random.Random, last: list[object], most: int) -> list[object] | None:
    match chance.choices(
        ("append", "compact", "edit", "insert", "copy", "cut", "null"),
        weights=(60, 4, 8, 8, 10, 8, 2),
    )[0]:
        case "append":
            return [*last, *(random_message(chance, most) for _ in range(chance.randrange(3)))]
        case "compact":
            return [{"type": "human", "content": "Summary"}, *last[-chance.randrange(1, 4) :]]
        case "edit" | "insert" as how if last:
            at = chance.randrange(len(last))
            return [*last[:at], random_message(chance, most), *last[at + (how == "edit") :]]
        case "copy":
            return copy.deepcopy(last)
        case "cut":
            return last[: chance.randrange(len(last) + 1)]
        case _:
            return None


@pytest.mark.parametrize("seed", [1, 2])
def test_accumulator_equals_a_rescan_of_every_frame_so_far(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - a seeded choice of steps
    accumulator = EvidenceAccumulator()
    frames: list[list[object] | None] = []
    last: list[object] = []
    has_room_late = False
    # A rescan of what was rescanned before changes nothing, so it is not repeated each time.
    for step in range(STEPS):
        # New ones come up until the end, so that no late step finds everything taken.
        frame = next_frame(chance, last, 10 + step // 8)
        frames.append(frame)
        new = frame or []
        before = [reads_of(each) for each in new]
        accumulator.observe(frame)
        same = common_length(last, new)
        assert [reads_of(each) for each in new[:same]] == before[:same]
        counted_now = [each for each in new[same:] if isinstance(each, CountedMessage)]
        assert sum(map(reads_of, new[same:])) - sum(before[same:]) == len(counted_now)
        last = new
        if step % 100 == 99 or step < 30:
            assert (ids(accumulator), accumulator.overflow) == rescan(frames)

        has_room_late = has_room_late or (step > STEPS // 2 and accumulator.overflow == 0)

    assert has_room_late
    assert accumulator.overflow > 0


def reads_of(message: object) -> int:
    return message.reads if isinstance(message, CountedMessage) else 0


def common_length(old: list[object], new: list[object]) -> int:
    """Return how many messages at the beginning are equal."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(old), len(new)))


def test_messages_of_an_unchanged_beginning_are_never_read_again() -> None:
    messages = [counted(number) for number in range(20)]
    accumulator = EvidenceAccumulator()

    for end in range(21):
        accumulator.observe(messages[:end])

    once = [message.reads for message in messages]
    accumulator.observe(messages)
    assert once == [once[0]] * 20
    assert [message.reads for message in messages] == once
    assert len(accumulator.evidence) == 20


def test_equal_copies_are_not_read() -> None:
    accumulator = EvidenceAccumulator()
    accumulator.observe([counted(1), counted(2)])
    copies = [counted(1), counted(2)]

    accumulator.observe(copies)
    accumulator.observe(copies)

    assert [message.reads for message in copies] == [0, 0]


class Compared:
    """A message that counts how often it is compared."""

    type = "ai"
    content = "Words."
    artifact = None

    def __init__(self, counts: list[int]) -> None:
        self._counts = counts

    __hash__ = None  # type: ignore[assignment]  # it compares by what it holds

    def __eq__(self, other: object) -> bool:
        self._counts[0] += 1
        return isinstance(other, Compared)


def test_copies_that_were_compared_once_are_known_by_identity() -> None:
    counts = [0]
    copies: list[object] = [Compared(counts) for _ in range(50)]
    accumulator = EvidenceAccumulator()
    accumulator.observe([Compared(counts) for _ in range(50)])
    accumulator.observe(copies)
    compared = counts[0]

    accumulator.observe([*copies, counted(1)])

    assert compared >= 50
    assert counts[0] == compared
    assert len(accumulator.evidence) == 1


def test_source_that_is_not_admitted_takes_no_place() -> None:
    forged = [shared_record(f"Forged {number}.") for number in range(100)]
    true = shared_record("True.")
    accumulator = EvidenceAccumulator(is_admitted=lambda each: each.record == true)

    accumulator.observe([tool_message(*forged), tool_message(true)])

    assert [each.record for each in accumulator.evidence] == [true]
    assert accumulator.overflow == 0


def test_changed_beginning_is_read_from_its_first_difference() -> None:
    first, second, third = counted(1), counted(2), counted(3)
    accumulator = EvidenceAccumulator()
    accumulator.observe([first, second, third])
    before = first.reads, third.reads

    accumulator.observe([first, counted(4), third])

    assert first.reads == before[0]
    assert third.reads > before[1]
    assert len(accumulator.evidence) == 4


def test_evidence_survives_a_compaction_that_removes_its_message() -> None:
    message = tool_message(shared_record("A fact."), native_record(1, "Another."))
    accumulator = EvidenceAccumulator()
    accumulator.observe([message])

    accumulator.observe([{"type": "human", "content": "Summary"}])

    assert [each.form for each in accumulator.evidence] == ["native", "shared"]


def test_null_frame_is_empty_and_keeps_what_was_seen() -> None:
    accumulator = EvidenceAccumulator()
    accumulator.observe(None)
    accumulator.observe([tool_message(shared_record("A fact."))])

    accumulator.observe(None)

    assert len(accumulator.evidence) == 1


def test_first_of_an_id_wins() -> None:
    first, second = native_record(1, "First."), native_record(1, "Second.")
    accumulator = EvidenceAccumulator()

    accumulator.observe([tool_message(first), tool_message(second)])

    assert [each.record for each in accumulator.evidence] == [first]
    assert accumulator.overflow == 0


def test_sources_beyond_a_hundred_are_counted_once() -> None:
    messages = [tool_message(shared_record(f"Fact {number}.")) for number in range(103)]
    accumulator = EvidenceAccumulator()

    accumulator.observe(messages)
    accumulator.observe(copy.deepcopy(messages[50:]))

    assert len(accumulator.evidence) == RECORD_COUNT
    assert accumulator.overflow == 3


def test_excerpts_stay_within_the_total_of_one_artifact() -> None:
    fitting = EXCERPT_TOTAL_CHARS // NATIVE_TEXT_MAX_LENGTH
    texts = ["a" * NATIVE_TEXT_MAX_LENGTH] * (fitting - 1) + ["b" * (NATIVE_TEXT_MAX_LENGTH - 1)]
    texts += ["cc", "d", "e"]
    accumulator = EvidenceAccumulator()

    accumulator.observe(
        [tool_message(native_record(at, text)) for at, text in enumerate(texts, start=1)]
    )

    kept = [str(each.record["text"])[0] for each in accumulator.evidence]
    assert kept == ["a"] * (fitting - 1) + ["b", "d"]
    assert accumulator.overflow == 2


def test_source_that_was_left_out_never_comes_in_under_its_id() -> None:
    full = [native_record(at, "a" * NATIVE_TEXT_MAX_LENGTH) for at in range(1, 7)]
    accumulator = EvidenceAccumulator()
    accumulator.observe([tool_message(native_record(7, "a")), *map(tool_message, full)])

    accumulator.observe([tool_message(native_record(5, "small"))])

    assert [str(each.record["id"])[-1] for each in accumulator.evidence] == list("71234")
    assert accumulator.overflow == 2


def test_binding_that_is_demanded_refuses_a_loose_excerpt() -> None:
    message = tool_message(shared_record("A fact."))
    message["content"] = message["content"].replace("\n", "\nSee: ")
    accumulator = EvidenceAccumulator(binding="entry")

    accumulator.observe([message])

    assert accumulator.evidence == ()


class Odd:
    """An object whose comparison is not one."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def __eq__(self, other: object) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    __hash__ = None  # type: ignore[assignment]  # nothing here hashes


@pytest.mark.parametrize(
    "answer",
    [True, 1, "yes", RecursionError()],
    ids=["equals anything", "a number", "a string", "an exception"],
)
def test_message_with_a_hostile_comparison_counts_as_different(answer: object) -> None:
    last = counted(1)
    accumulator = EvidenceAccumulator()
    accumulator.observe([Odd(answer), last])
    before = last.reads

    accumulator.observe([Odd(answer), last])

    assert last.reads > before


@pytest.mark.parametrize(
    "frame", [(), (1, None, "x"), iter([{}])], ids=["tuple", "odd", "iterator"]
)
def test_frame_of_anything_is_taken(frame: Any) -> None:
    accumulator = EvidenceAccumulator()

    accumulator.observe(frame)

    assert accumulator.evidence == ()
