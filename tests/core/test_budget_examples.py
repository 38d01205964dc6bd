"""What pruning does to messages of every form, one rule at a time."""

import pytest

from core.long_messages import (
    HANDLE,
    Known,
    Long,
    check_pruned,
    notice,
    put_together,
    records_of,
)
from core.mutated_messages import build_record, write_entry
from knowledge_contract.budget import RECEIPT_KEY, prune_message

SEPARATOR = "\n\n"


def three() -> Long:
    texts = ["Long. " * 40, "Short.", "Middle. " * 5]
    entries = []
    for index, excerpt in enumerate(texts):
        record = build_record("Guide", excerpt)
        entries.append(Known(write_entry(index + 1, record), record))
    return put_together([], entries, [])


def many(count: int, *, before: list[str] | None = None, behind: list[str] | None = None) -> Long:
    """Return a message of entries of about the same length."""
    records = [build_record("Guide", f"Fact {at}. {'w ' * 40}w") for at in range(count)]
    entries = [Known(write_entry(at + 1, each), each) for at, each in enumerate(records)]
    return put_together(before or [], entries, behind or [])


def test_long_entry_that_does_not_fit_leaves_room_and_positions_stay() -> None:
    long = three()

    pruned = prune_message(long.message, limit_chars=280)

    _, second, third = long.entries
    assert pruned["content"] == SEPARATOR.join([second.text, third.text, notice(1)])
    assert pruned["artifact"] == {
        "kept": {"as": "it is"},
        "knowledge_sources_version": 1,
        "knowledge_sources": [second.record, third.record],
        RECEIPT_KEY: {"shared": [(long.entries[0].record or {})["id"]]},
    }


def test_receipt_adds_up_over_prunings() -> None:
    long = three()
    ids = [(each.record or {})["id"] for each in long.entries]

    once = prune_message(long.message, limit_chars=280)
    twice = prune_message(once, limit_chars=100)

    assert twice["artifact"] == {
        "kept": {"as": "it is"},
        "knowledge_sources_version": 1,
        "knowledge_sources": [long.entries[1].record],
        RECEIPT_KEY: {"shared": [ids[0], ids[2]]},
    }


@pytest.mark.parametrize(
    "odd",
    [[], {"shared": 3, "uncited": True}, {"shared": [1]}, "x", None],
    ids=["a list", "wrong types", "wrong ids", "a text", "None"],
)
def test_odd_receipt_is_replaced(odd: object) -> None:
    long = three()
    long.message["artifact"][RECEIPT_KEY] = odd

    pruned = prune_message(long.message, limit_chars=0)

    assert pruned["artifact"] == {
        "kept": {"as": "it is"},
        RECEIPT_KEY: {"shared": [(each.record or {})["id"] for each in long.entries]},
    }


def test_receipt_is_bounded() -> None:
    long = three()
    long.message["artifact"][RECEIPT_KEY] = {"shared": [f"id {at}" for at in range(150)]}

    pruned = prune_message(long.message, limit_chars=0)

    assert pruned["artifact"][RECEIPT_KEY] == {
        "shared": [f"id {at}" for at in range(100)],
        "results": 103,
    }


def test_receipt_names_no_longer_id_than_any_record_has() -> None:
    long = three()
    long.message["artifact"][RECEIPT_KEY] = {"native": ["x" * 37], "uncited": 10**30}

    pruned = prune_message(long.message, limit_chars=0)

    receipt = pruned["artifact"][RECEIPT_KEY]
    assert set(receipt) == {"shared", "uncited"}
    assert receipt["uncited"] == 10**9


def test_notices_are_one_however_often_a_message_is_pruned() -> None:
    long = many(12)
    pruned = long.message

    for limit in (1_500, 1_200, 900, 600, 400):
        pruned = prune_message(pruned, limit_chars=limit)
        left = 12 - len(records_of(pruned["artifact"]))
        assert pruned["content"].endswith(f"\n\n{notice(left)}")
        assert pruned["content"].count("left out") == 1


def test_notice_of_relations_counts_what_was_left_out_before() -> None:
    long = many(12)
    long.message["artifact"]["knowledge_layout"] = "relations"

    once = prune_message(long.message, limit_chars=1_200)
    twice = prune_message(once, limit_chars=700)

    assert twice["content"] == prune_message(long.message, limit_chars=700)["content"]


def test_notice_of_the_tool_itself_is_added_to() -> None:
    long = many(12, behind=[notice(30)])

    pruned = prune_message(long.message, limit_chars=700)

    left = 30 + 12 - len(records_of(pruned["artifact"]))
    assert pruned["content"].endswith(f"\n\n{notice(left)}")
    assert pruned["artifact"][RECEIPT_KEY]["results"] == left


def test_notice_without_room_is_remembered_for_the_next_pruning() -> None:
    long = many(3, behind=[notice(30)])

    once = prune_message(long.message, limit_chars=len(long.message["content"]) - 1)
    twice = prune_message(once, limit_chars=len(once["content"]) - 1)

    assert once["content"] == SEPARATOR.join(each.text for each in long.entries)
    assert once["artifact"][RECEIPT_KEY] == {"results": 30}
    assert twice["content"].endswith(f"\n\n{notice(31)}")


def test_notice_survives_when_no_record_is_left() -> None:
    long = many(4, before=["Words of the tool. " * 40])

    once = prune_message(long.message, limit_chars=170)
    twice = prune_message(once, limit_chars=len(once["content"]) - 1)

    assert records_of(once["artifact"]) == []
    assert once["content"].endswith(f"\n\n{notice(4)}")
    assert twice["content"] == notice(4)
    assert twice["content"].count("left out") == 1


def test_notice_inside_an_excerpt_is_the_excerpts_own() -> None:
    record = build_record("Guide", f"Ask.\n\n{notice(500)}")
    long = many(6)
    last = Known(write_entry(7, record), record)
    long = put_together([], [*long.entries, last], [])

    pruned = prune_message(long.message, limit_chars=700)

    left = 7 - len(records_of(pruned["artifact"]))
    assert pruned["content"].endswith(f"\n\n{notice(left)}")


@pytest.mark.parametrize(
    ("room", "mark"),
    [
        pytest.param(39, "", id="no room"),
        pytest.param(3, "\u2026", id="room for an ellipsis"),
        pytest.param(2, "", id="a separator only"),
    ],
)
def test_text_that_vanishes_leaves_a_mark_and_a_count(room: int, mark: str) -> None:
    answer = "The answer is no. " * 50
    long = many(3, before=[answer.strip()])
    entries = SEPARATOR.join(each.text for each in long.entries)
    if room == 39:
        long.message["artifact"]["knowledge_layout"] = "relations"

    pruned = prune_message(long.message, limit_chars=len(entries) + room)

    assert pruned["content"] == SEPARATOR.join(filter(None, [mark, entries]))
    assert pruned["artifact"][RECEIPT_KEY] == {"outside_chars": len(answer.strip())}


def test_line_for_text_that_vanished_is_not_taken_for_text() -> None:
    long = many(3, before=["x" * 500])
    entries = SEPARATOR.join(each.text for each in long.entries)

    once = prune_message(long.message, limit_chars=len(entries) + 3)
    twice = prune_message(once, limit_chars=len(entries) + 2)

    assert once["content"] == f"\u2026{SEPARATOR}{entries}"
    assert twice["content"] == entries
    assert twice["artifact"] is once["artifact"]


def test_long_report_is_cut_to_its_share_beside_every_entry() -> None:
    report = "".join(f"Claim {at} of the report. " for at in range(500)).strip()
    long = many(3, before=[report])

    pruned = prune_message(long.message, limit_chars=8_000)

    synopsis, _, _ = pruned["content"].partition(long.entries[0].text)
    assert 900 <= len(synopsis.removesuffix(SEPARATOR)) <= 1_000
    assert records_of(pruned["artifact"]) == records_of(long.message["artifact"])


def test_record_whose_handle_another_excerpt_repeats_is_not_lost() -> None:
    """A shorter text makes readers look at fewer handles of a native record."""
    ids = ["a" * 32 + "-1", "a" * 32 + "-2"]
    teasing = "quote " + f"[citation:1](#knowledge-{ids[1]})" * 12 + " end"
    records = [
        {"id": id_, "provider": "ragflow", "document_name": "G", "text": text}
        for id_, text in zip(ids, (teasing, "B" * 1_500), strict=True)
    ]
    entries = [
        Known(f"[{at}] [citation:{at}](#knowledge-{each['id']})\n{each['text']}", each)
        for at, each in enumerate(records, start=1)
    ]
    long = put_together([], entries, ["filler " * 600])

    pruned = prune_message(long.message, limit_chars=2_800)

    assert records_of(pruned["artifact"]) == [records[0]]
    assert pruned["artifact"][RECEIPT_KEY]["native"] == [ids[1]]
    check_pruned(long.message, pruned, 2_800)


def test_forms_of_a_mixed_artifact_do_not_touch_each_other() -> None:
    native = {
        "id": f"{'a' * 32}-1",
        "provider": "ragflow",
        "document_name": "Guide.pdf",
        "text": "Native. " * 12,
    }
    shared = build_record("Guide", "Shared.")
    entries = [
        Known(f"[1] Team [citation:1](#knowledge-{native['id']})\n{native['text']}", native),
        Known(write_entry(2, shared), shared),
    ]
    long = put_together([], entries, [])

    without_native = prune_message(long.message, limit_chars=140)["artifact"]
    without_any = prune_message(long.message, limit_chars=60)["artifact"]

    assert {key: without_native[key] for key in without_native if key != "kept"} == {
        "knowledge_sources_version": 1,
        "retrieval_sources": [shared],
        RECEIPT_KEY: {"native": [native["id"]]},
    }
    assert set(without_any) == {"kept", RECEIPT_KEY}


def test_native_form_stays_when_the_shared_records_go() -> None:
    native = {
        "id": f"{'a' * 32}-1",
        "provider": "ragflow",
        "document_name": "Guide.pdf",
        "text": "Native.",
    }
    shared = build_record("Guide", "Shared. " * 40)
    entries = [
        Known(f"[citation:1](#knowledge-{native['id']}) Team / Guide.pdf\nNative.", native),
        Known(write_entry(2, shared), shared),
    ]
    long = put_together([], entries, [])

    pruned = prune_message(long.message, limit_chars=150)

    assert pruned["content"] == f"{entries[0].text}\n\n{notice(1)}"
    assert pruned["artifact"] == {
        "kept": {"as": "it is"},
        "knowledge_sources": {"version": 1, "sources": [native], "omitted_count": 2},
        RECEIPT_KEY: {"shared": [shared["id"]]},
    }


def test_entry_inside_an_excerpt_keeps_nothing() -> None:
    inner = build_record("Plan", "Inner.")
    outer = build_record("Guide", f"Outer.\n\n{write_entry(2, inner)}\n\nEnd.")
    long = put_together([], [Known(write_entry(1, outer), outer)], ["A long note. " * 3])
    long.message["artifact"]["knowledge_sources"] = [outer, inner]

    pruned = prune_message(long.message, limit_chars=len(long.message["content"]) - 1)

    assert records_of(pruned["artifact"]) == [outer]
    assert pruned["artifact"][RECEIPT_KEY] == {"shared": [inner["id"]]}


def test_record_below_its_handle_only_by_a_line_is_dropped() -> None:
    record = build_record("Guide", "Ask.")
    long = put_together(
        [], [Known(write_entry(1, record).replace("\n", "\nTeam\n"), record)], ["Note. " * 20]
    )

    pruned = prune_message(long.message, limit_chars=160)

    assert not HANDLE.search(pruned["content"])
    assert records_of(pruned["artifact"]) == []
    assert pruned["content"].endswith(notice(1))


def test_foreign_handles_in_a_kept_first_line_become_their_labels() -> None:
    record, other = build_record("Guide", "Ask."), build_record("Plan", "Wait.")
    foreign = f"[citation:P](#user-content-knowledge-source-{other['id']})"
    text = f"[1] {foreign} {write_entry(1, record).removeprefix('[1] ')}"
    long = put_together([], [Known(text, record)], ["Note. " * 40])

    pruned = prune_message(long.message, limit_chars=110)

    assert pruned["content"] == f"[1] P {write_entry(1, record).removeprefix('[1] ')}"


PATH = "/mnt/user-data/outputs/.tool-results/task-0123456789.txt"


ENDINGS = {
    "a line of its own": f"\nFull text: {PATH}",
    "a word of a long line": f" {'and so on ' * 30}{PATH}",
}


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
def test_path_at_the_end_survives_in_the_synopsis(ending: str) -> None:
    record = build_record("Guide", "Ask. " * 300)
    report = f"Report. {'All is well. ' * 200}{ending}"
    long = put_together([report], [Known(write_entry(1, record), record)], [])

    pruned = prune_message(long.message, limit_chars=400)

    assert pruned["content"].startswith("Report. All is")
    assert pruned["content"].endswith(f"{PATH}\n\n{notice(1)}")


def test_uncited_entry_stays_one_paragraph_without_its_handles() -> None:
    record = build_record("Guide", "Ask.")
    uncited = f"[2] (no source to cite)\nOne.\n](#knowledge-source-{'0' * 32})\nTwo."
    entries = [Known(write_entry(1, record), record), Known(uncited, None)]
    long = put_together([], entries, ["Note. " * 20])

    pruned = prune_message(long.message, limit_chars=150)

    assert pruned["content"] == f"{entries[0].text}\n\n[2] (no source to cite)\nOne.\nTwo."


@pytest.mark.parametrize("limit", [0, 1, 60, 159, 160, 161, 1000])
def test_synopsis_holds_no_handle_of_any_kind(limit: int) -> None:
    record = build_record("Guide", "Ask.")
    handle = f"[citation:G](#knowledge-source-{record['id']})"
    report = f"See {handle}, {handle.replace('#', '#user-content-')} and {handle[3:]} `{handle}`. "
    long = put_together([report * 20], [Known(write_entry(1, record), record)], [])

    pruned = prune_message(long.message, limit_chars=limit)

    check_pruned(long.message, pruned, limit)
    assert pruned["content"].count("knowledge-source") == len(records_of(pruned["artifact"]))


def test_last_of_a_hundred_and_one_records_goes_with_its_handle() -> None:
    records = [build_record("Guide", f"Number {index}.") for index in range(101)]
    entries = [Known(write_entry(at + 1, each), each) for at, each in enumerate(records)]
    long = put_together([], entries, [])

    pruned = prune_message(long.message, limit_chars=len(long.message["content"]) - 1)

    assert records_of(pruned["artifact"]) == records[:100]
    check_pruned(long.message, pruned, len(long.message["content"]) - 1)


def test_negative_limit_is_the_callers_bug() -> None:
    with pytest.raises(ValueError, match="limit_chars must be at least 0"):
        prune_message(three().message, limit_chars=-1)
