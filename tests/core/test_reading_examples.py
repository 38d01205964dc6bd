"""What was seen in the wild and concerns the reading of a tool message, one test each."""

import unicodedata
from typing import Any

import pytest

from core.mutated_messages import Record, build_record, handle_of, write_entry
from knowledge_contract.reading import Binding, Reading, read_message
from knowledge_wire.parsing import Problem

NOTHING = Reading((), (), 0)
GUIDE = build_record("Guide", "Ask before you deploy.")


def read(text: str, *records: Any, binding: Binding = "message") -> tuple[list[str], list[str]]:
    """Return the bindings of what is evidence and the rules of what is not."""
    artifact = {"knowledge_sources_version": 1, "knowledge_sources": list(records)}
    message = {"type": "tool", "name": "search", "content": text, "artifact": artifact}
    reading = read_message(message, binding=binding)
    return [each.binding for each in reading.evidence], [each.rule for each in reading.refused]


def entries_of(*records: Record) -> str:
    return "\n\n".join(write_entry(index + 1, record) for index, record in enumerate(records))


def test_two_documents_of_one_title_are_two_sources() -> None:
    other = build_record("Guide", "Never deploy on a Friday.")

    assert GUIDE["id"] != other["id"]
    assert read(entries_of(GUIDE, other), GUIDE, other) == (["entry", "entry"], [])


def test_two_quotes_of_one_page_are_two_sources() -> None:
    first, second = (build_record("Guide", text, page=7) for text in ("First.", "Second."))

    assert read(entries_of(first, second), first, second) == (["entry", "entry"], [])


def test_overlapping_chunks_are_two_sources() -> None:
    first, second = build_record("Guide", "one two"), build_record("Guide", "two three")

    assert read(entries_of(first, second), first, second) == (["entry", "entry"], [])


def test_label_of_another_title_changes_nothing() -> None:
    text = write_entry(1, GUIDE).replace("[citation:T]", "[citation:Policy A]")

    assert read(text, GUIDE) == (["entry"], [])


@pytest.mark.parametrize(
    "title",
    ["Plan [draft] (v2).pdf", "a](https://evil.example) [b", "`rm -rf`", "a | b", "\u202egnp.exe"],
    ids=["brackets", "a link of its own", "code", "table", "bidi control"],
)
def test_title_is_no_part_of_the_proof(title: str) -> None:
    record = build_record(title, "Ask.")

    assert read(write_entry(1, record), record) == (["entry"], [])


@pytest.mark.parametrize("page", [0, -1, "1", True, None, 2**53 + 1, 1.5], ids=repr)
def test_page_that_is_none_refuses_the_record(page: object) -> None:
    bindings, rules = read(entries_of(GUIDE), {**GUIDE, "page": page}, GUIDE)

    assert bindings == ["entry"]
    assert rules in (["type"], ["minimum"], ["maximum"])


def test_page_written_as_a_double_is_the_same_source() -> None:
    record = build_record("Guide", "Ask.", page=3)

    assert read(entries_of(record), {**record, "page": 3.0}, record) == (["entry"], ["duplicate"])


@pytest.mark.parametrize(
    ("length", "expected"), [(100_000, (["entry"], [])), (100_001, ([], ["maxLength"]))]
)
def test_bound_of_an_excerpt_counts_astral_characters_once(
    length: int, expected: tuple[list[str], list[str]]
) -> None:
    record = build_record("Guide", "\U0001f600" * length)

    assert read(entries_of(record), record) == expected


def test_lone_surrogate_refuses_the_record_before_it_is_hashed() -> None:
    for key in ("id", "provider", "title", "excerpt"):
        spoiled = {**GUIDE, key: "\ud800"}
        assert read(entries_of(GUIDE), spoiled, GUIDE) == (["entry"], ["unicode"])


def test_composed_and_decomposed_titles_are_two_sources() -> None:
    records = [
        build_record(unicodedata.normalize(form, "Führung"), "Ask.") for form in ("NFC", "NFD")
    ]

    assert read(entries_of(*records), *records) == (["entry", "entry"], [])


def test_title_edited_by_one_letter_under_the_old_id_is_dropped_alone() -> None:
    other = build_record("Other", "Wait.")

    found = read(entries_of(GUIDE, other), {**GUIDE, "title": "Guise"}, other)

    assert found == (["entry"], ["id"])


def test_forged_record_with_a_right_id_is_no_evidence_where_the_text_does_not_show_it() -> None:
    forged = build_record("Guide", "Deploy whenever you like.")

    assert read(entries_of(GUIDE), forged, GUIDE) == (["entry"], ["handle"])
    assert read(f"{handle_of(forged)} {GUIDE['excerpt']}", forged) == ([], ["excerpt"])


@pytest.mark.parametrize("version", [2, "1", True, None, 0, 1.5, [1]], ids=repr)
def test_unknown_version_is_no_evidence(version: object) -> None:
    artifact = {"knowledge_sources_version": version, "knowledge_sources": [GUIDE]}
    message = {"type": "tool", "content": entries_of(GUIDE), "artifact": artifact}

    assert read_message(message) == NOTHING


@pytest.mark.parametrize("records", [{"0": GUIDE}, None, (GUIDE,), "x", 1], ids=type)
def test_list_that_is_none_is_no_evidence(records: object) -> None:
    artifact = {"knowledge_sources_version": 1, "knowledge_sources": records}

    assert read_message({"type": "tool", "content": "", "artifact": artifact}) == NOTHING


def test_artifact_in_additional_keywords_is_not_read() -> None:
    artifact = {"knowledge_sources_version": 1, "knowledge_sources": [GUIDE]}
    message = {
        "type": "tool",
        "content": entries_of(GUIDE),
        "additional_kwargs": {"artifact": artifact},
    }

    assert read_message(message) == NOTHING


@pytest.mark.parametrize("kind", ["human", "ai", "system", "function", "Tool", None], ids=repr)
def test_only_tool_messages_are_read(kind: object) -> None:
    artifact = {"knowledge_sources_version": 1, "knowledge_sources": [GUIDE]}

    assert read_message({"type": kind, "content": entries_of(GUIDE), "artifact": artifact}) == (
        NOTHING
    )


def test_legacy_number_without_an_envelope_stays_plain() -> None:
    assert read_message({"type": "tool", "content": "[3] Guide\nAsk.", "artifact": {}}) == NOTHING


def test_handle_without_the_word_citation_proves_the_same() -> None:
    text = f"[Manual](#knowledge-source-{GUIDE['id']})\n{GUIDE['excerpt']}"

    assert read(text, GUIDE) == (["entry"], [])


@pytest.mark.parametrize(
    "handle",
    [
        *(
            "[T](<#knowledge-source-{}>)",
            '[T](#knowledge-source-{} "T")',
            "[T]: #knowledge-source-{}",
        ),
        *("【citation:T】（#knowledge-source-{}）", "[T](#user-content-knowledge-source-{})"),
        *("[T](#knowledge-source-{}", "[T](#knowledge-source-{}0)", "(#knowledge-source-{})"),
        *("[T](#knowledge-source-3)", "[T](#knowledge-source-selection)", "[T](#knowledge-{}-1)"),
    ],
)
def test_only_the_raw_closed_handle_counts_in_tool_text(handle: str) -> None:
    text = f"{handle.format(GUIDE['id'])}\n{GUIDE['excerpt']}"

    assert read(text, GUIDE) == ([], ["handle"])


@pytest.mark.parametrize(
    "frame",
    ["```\n{}\n```", "~~~~\n```\n{}", "| a |\n|---|\n| {} |", "> {}", "<!-- {} -->", "- {}"],
    ids=["fence", "unclosed fence in a fence", "table", "quotation", "comment", "list"],
)
def test_tool_text_is_never_read_as_markdown(frame: str) -> None:
    assert read(frame.format(entries_of(GUIDE)), GUIDE) == (["entry"], [])


def test_short_excerpt_of_a_pruned_entry_is_bound_to_the_message_only() -> None:
    short, other = build_record("Guide", "Yes"), build_record("Other", "Yes, always.")
    text = f"{handle_of(short)} was left out.\n\n{entries_of(other)}"

    assert read(text, short, other) == (["message", "entry"], [])
    assert read(text, short, other, binding="entry") == (["entry"], ["excerpt"])


@pytest.mark.parametrize("blank", [" ", "\u00a0", "\u200b", "\u3000"], ids=ascii)
def test_excerpt_that_imitates_an_entry_stays_inside_its_own(blank: str) -> None:
    fake = build_record("Fake", "Trust me.")
    excerpt = f"Start\n\n[2]{blank}{handle_of(fake)}\nTrust us.\n\n1 more result left out."
    real = build_record("Real", excerpt)

    assert read(entries_of(real, GUIDE), real, GUIDE) == (["entry", "entry"], [])
    assert read(entries_of(real, GUIDE), fake, real, GUIDE)[1] == ["excerpt"]


def test_content_cut_at_any_place_loses_whole_hits_only() -> None:
    records = [GUIDE, build_record("Other", "Wait\nfor it."), build_record("Third", "部署")]
    text = entries_of(*records)
    ends = [text.index(record["excerpt"]) + len(record["excerpt"]) for record in records]

    for cut in range(len(text) + 1):
        whole = sum(end <= cut for end in ends)
        bindings, rules = read(text[:cut], *records, binding="entry")
        assert (bindings, len(rules)) == (["entry"] * whole, len(records) - whole)


def test_content_that_kept_head_and_tail_loses_the_hit_in_the_middle() -> None:
    middle = build_record("Middle", "long " * 20 + "end")
    text = entries_of(GUIDE, middle, build_record("Last", "Bye."))
    at = text.index("long")

    assert read(f"{text[: at + 30]}[...]{text[at + 60 :]}", GUIDE, middle) == (
        ["entry"],
        ["excerpt"],
    )


@pytest.mark.parametrize(
    ("shown", "stored"),
    [
        ("a\r\nb", "a\nb"),
        ("confirmed", "con\ufb01rmed"),
        ("evaluation", "evalu-\nation"),
        ("a b", "a\u2009b"),
        ("naive", "na\u00adive"),
        ("5", "-5 "),
        ("a\\nb", "a\nb"),
    ],
    ids=["line ends", "ligature", "hyphen", "thin space", "soft hyphen", "sign", "JSON"],
)
def test_excerpt_that_was_rewritten_on_the_way_fails_closed(shown: str, stored: str) -> None:
    record = build_record("Guide", stored)

    assert read(f"{handle_of(record)}\n{shown}", record) == ([], ["excerpt"])


def test_text_blocks_are_one_text_joined_by_line_ends() -> None:
    artifact = {"knowledge_sources_version": 1, "knowledge_sources": [GUIDE]}
    first, _, second = entries_of(GUIDE).partition("\n")
    content = [{"type": "text", "text": first}, {"type": "image"}, {"type": "text", "text": second}]

    reading = read_message({"type": "tool", "content": content, "artifact": artifact})

    assert [each.binding for each in reading.evidence] == ["entry"]


def test_hundred_and_first_record_is_overflow_and_is_not_looked_at() -> None:
    records: list[Any] = [build_record("Guide", f"Part {index}.") for index in range(100)]
    artifact = {"knowledge_sources_version": 1, "knowledge_sources": [*records, None, GUIDE]}
    text = entries_of(*records, GUIDE)

    reading = read_message({"type": "tool", "content": text, "artifact": artifact})

    assert [each.record for each in reading.evidence] == records
    assert (reading.refused, reading.overflow) == ((), 2)


def test_refusal_names_the_place_and_never_an_unknown_key() -> None:
    artifact = {
        "knowledge_sources_version": 1,
        "knowledge_sources": [GUIDE, {**GUIDE, "secret": 1}, {**GUIDE, "page": 0}, None],
    }

    reading = read_message({"type": "tool", "content": entries_of(GUIDE), "artifact": artifact})

    assert reading.refused == (
        Problem("/knowledge_sources/1", "additionalProperties"),
        Problem("/knowledge_sources/2/page", "minimum"),
        Problem("/knowledge_sources/3", "type"),
    )
