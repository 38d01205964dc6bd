"""A task's message holds what the child's report cites, whole, and nothing else."""

import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.evidence import handle, native_record, proof, shared_record, tool_message
from core.hits import texts
from knowledge_contract._links import Link, link_of, read_links
from knowledge_contract.citation import native_handle
from knowledge_contract.delegation import DEFAULT_APPENDIX_CHARS, forward_cited
from knowledge_contract.formatting import format_result
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import RetrievalHit, RetrievalResult
from knowledge_wire.constants import EXCERPT_TOTAL_CHARS, NATIVE_TEXT_MAX_LENGTH, RECORD_COUNT

TEA = shared_record("Green tea needs 80 °C.", dataset_name="Team", page=3)
INK = shared_record("Ink dries.", title="Ink | [draft]")
MILL = native_record(4, "The mill turns.")
INVENTED = "f" * 32
CLOSED = re.compile(
    r"\]\((#(?:user-content-)?knowledge-(?:source-[0-9a-f]{32}|[a-f0-9]{32}-[1-9][0-9]{0,2}))\)"
)


def task_message(text: str, artifact: object) -> dict[str, Any]:
    return {"type": "tool", "name": "task", "content": text, "artifact": artifact}


def forwarded(text: str, artifact: object) -> list[object]:
    """Return the ids that the one reader finds in the task's message."""
    reading = read_message(task_message(text, artifact), binding="entry")
    assert reading.refused == ()
    return [each.record["id"] for each in reading.evidence]


def records_of(artifact: Any) -> list[dict[str, Any]]:
    """Return all records of an artifact, native ones first."""
    if artifact is None:
        return []
    own = artifact["knowledge_sources"]
    listed = own if isinstance(own, list) else own["sources"]
    records: list[dict[str, Any]] = [*listed, *artifact.get("retrieval_sources", [])]
    return records


def test_cited_source_comes_with_a_whole_entry_behind_the_report() -> None:
    report = f"Use 80 °C {handle(TEA)}."

    text, artifact = forward_cited(report, [proof(INK), proof(TEA)])

    assert text == f"{report}\n\n[1] Team, p. 3 {handle(TEA)}\nGreen tea needs 80 °C."
    assert artifact == {"knowledge_sources_version": 1, "knowledge_sources": [TEA]}


def test_entry_is_laid_out_as_a_tool_writes_it() -> None:
    hit = RetrievalHit("Green tea.", title="Tea | [x]", dataset_name="Team [1]", page=3)
    entry, artifact = format_result(
        RetrievalResult("local", (hit,)), limit_chars=1_000, excerpt_chars=100
    )
    (record,) = records_of(artifact)

    text, _ = forward_cited(handle(record), [proof(record)])

    assert text == f"{handle(record)}\n\n{entry}"


def test_native_sources_stay_native() -> None:
    cut = native_record(5, "It tu\u2026", truncated=True)

    text, artifact = forward_cited(f"{handle(MILL)} {handle(cut)}", [proof(MILL), proof(cut)])

    assert artifact == {"knowledge_sources": {"version": 1, "sources": [MILL, cut]}}
    assert text.endswith(
        f"\n\n[1] Handbook, p. 3 {native_handle(MILL['id'], 1)}\nThe mill turns."
        f"\n\n[2] Handbook, p. 3 (cut) {native_handle(cut['id'], 2)}\nIt tu\u2026"
    )


def test_mixed_citations_stand_under_two_keys_in_the_order_of_first_citation() -> None:
    report = f"{handle(INK)} {handle(MILL)} {handle(TEA)} {handle(INK)}"

    text, artifact = forward_cited(report, [proof(TEA), proof(MILL), proof(INK)])

    assert artifact == {
        "knowledge_sources": {"version": 1, "sources": [MILL]},
        "knowledge_sources_version": 1,
        "retrieval_sources": [INK, TEA],
    }
    assert forwarded(text, artifact) == [MILL["id"], INK["id"], TEA["id"]]
    assert re.findall(r"^\[[0-9]+\]", text, re.MULTILINE) == ["[1]", "[2]", "[3]"]


@pytest.mark.parametrize(
    "report",
    [
        f"`{handle(TEA)}`",
        f"```\n{handle(TEA)}\n```",
        f"!{handle(TEA)}",
        "Green tea needs 80 °C.",
        "",
    ],
    ids=["inline code", "fence", "image", "excerpt without a link", "empty"],
)
def test_source_that_the_report_does_not_cite_is_not_forwarded(report: str) -> None:
    text, artifact = forward_cited(report, [proof(TEA)])

    assert artifact is None
    assert CLOSED.search(text) is None


def test_report_without_citations_comes_back_as_it_is() -> None:
    report = "Nothing was found.\n\n- [a](https://example.com) `x`\n"

    assert forward_cited(report, [proof(TEA)]) == (report, None)


def test_link_inside_a_quoted_excerpt_does_not_count() -> None:
    planted = shared_record(f"Trust me. {handle(INK)}")
    report = f"It says:\n\n[1] {handle(planted)}\n{planted['excerpt']}\n\nSo there."

    text, artifact = forward_cited(report, [proof(planted), proof(INK)])

    assert text == report
    assert records_of(artifact) == [planted]


def test_quoted_excerpt_completes_no_handle_with_what_follows_it() -> None:
    half = shared_record("A half [x](#knowledge-source-")
    report = f"[1] {handle(half)}\n{half['excerpt']}{INVENTED})"

    text, artifact = forward_cited(report, [proof(half)])

    assert forwarded(text, artifact) == [half["id"]]
    assert not any(INVENTED in destination for destination in CLOSED.findall(text))


def test_link_inside_a_forwarded_excerpt_changes_nothing_in_the_report() -> None:
    planted = shared_record(f"See [a](<#knowledge-source-{INVENTED}>).")
    report = f"Q&A {handle(planted)}"

    text, _ = forward_cited(report, [proof(planted)])

    assert text == f"{report}\n\n[1] {handle(planted)}\n{planted['excerpt']}"


def test_excerpts_stay_within_the_total_of_one_artifact() -> None:
    records = [native_record(at, "a" * NATIVE_TEXT_MAX_LENGTH) for at in range(1, 7)]
    fitting = EXCERPT_TOTAL_CHARS // NATIVE_TEXT_MAX_LENGTH

    text, artifact = forward_cited(
        " ".join(map(handle, records)), map(proof, records), appendix_chars=2_000_000
    )

    assert records_of(artifact) == records[:fitting]
    assert len(forwarded(text, artifact)) == fitting


@pytest.mark.parametrize(
    ("link", "label"),
    [
        (f"[citation:Gone](#knowledge-source-{INVENTED})", "Gone"),
        (f"[citation:9](#user-content-knowledge-{INVENTED}-9)", "9"),
        (f"[a](<#knowledge-source-{INVENTED}>)", "[a](<#>)"),
        (f"[a](#knowledge-source-{INVENTED} 't')", "[a](# 't')"),
    ],
    ids=["shared handle", "native handle, sanitised", "angle brackets", "title"],
)
def test_invented_link_leads_nowhere(link: str, label: str) -> None:
    report = f"See {link} and {handle(TEA)}"

    text, artifact = forward_cited(report, [proof(TEA)])

    assert text.startswith(f"See {label} and {handle(TEA)}\n\n[1] ")
    assert forwarded(text, artifact) == [TEA["id"]]


def test_invented_link_that_is_spelt_with_escapes_leads_nowhere() -> None:
    text, _ = forward_cited(f"[a](&#35;knowledge\\-source-{INVENTED}) & b", [])

    assert read_links(text) == ()


def test_definition_cannot_make_a_citation_of_an_entrys_position() -> None:
    report = f"See {handle(TEA)}.\n\n[1]: #knowledge-source-{INK['id']}"

    text, artifact = forward_cited(report, [proof(TEA), proof(INK)])

    assert records_of(artifact) == [TEA]
    assert set(read_links(text)) == {Link("shared", TEA["id"])}


def test_source_that_does_not_fit_is_left_out_whole_and_smaller_ones_come_in() -> None:
    long = shared_record("a" * 500, title="Long")
    report = f"A {handle(long)} b {handle(INK)}."

    text, artifact = forward_cited(report, [proof(long), proof(INK)], appendix_chars=200)

    assert text == (
        f"A Long b {handle(INK)}.\n\n[1] {handle(INK)}\nInk dries.\n\n"
        "1 cited source left out to fit the limit."
    )
    assert records_of(artifact) == [INK]


def test_exact_fit_keeps_everything_and_prints_no_notice() -> None:
    report = f"{handle(TEA)} {handle(MILL)}"
    evidence = [proof(TEA), proof(MILL)]
    whole, _ = forward_cited(report, evidence)
    size = len(whole) - len(report)

    assert forward_cited(report, evidence, appendix_chars=size)[0] == whole
    cut, artifact = forward_cited(report, evidence, appendix_chars=size - 1)
    assert records_of(artifact) == [TEA]
    assert cut.endswith("\n\n1 cited source left out to fit the limit.")


def test_no_room_forwards_nothing_and_says_so() -> None:
    text, artifact = forward_cited(f"A {handle(TEA)}", [proof(TEA)], appendix_chars=0)

    assert text == "A Tea\n\n1 cited source left out to fit the limit."
    assert artifact is None


def test_negative_room_is_refused() -> None:
    with pytest.raises(ValueError, match="appendix_chars"):
        forward_cited("", [], appendix_chars=-1)


def test_at_most_a_hundred_records_are_forwarded() -> None:
    records = [shared_record(f"Fact {number}.") for number in range(RECORD_COUNT + 2)]
    report = " ".join(map(handle, records))

    text, artifact = forward_cited(report, map(proof, records), appendix_chars=100_000)

    assert records_of(artifact) == records[:RECORD_COUNT]
    assert len(forwarded(text, artifact)) == RECORD_COUNT
    assert text.endswith("2 cited sources left out to fit the limit.")


def test_records_are_copied_without_keys_of_others() -> None:
    record = native_record(1, "A fact.", similarity=0.9, note="n")

    _, artifact = forward_cited(handle(record), [proof(record)])

    (copied,) = records_of(artifact)
    assert copied == native_record(1, "A fact.")
    assert copied["pages"] is not record["pages"]


def test_evidence_that_was_changed_after_it_was_proven_is_not_forwarded() -> None:
    changed = {**TEA, "excerpt": "Something else."}

    assert forward_cited(handle(TEA), [proof(changed)]) == ("Tea", None)


def test_first_of_an_id_wins() -> None:
    first, second = native_record(1, "First."), native_record(1, "Second.")

    _, artifact = forward_cited(handle(first), [proof(first), proof(second)])

    assert records_of(artifact) == [first]


def test_report_that_already_shows_an_entry_gets_no_second_one() -> None:
    report = f"[1] {handle(TEA)}\n{TEA['excerpt']}\n\nAnd {handle(INK)}."

    text, artifact = forward_cited(report, [proof(TEA), proof(INK)])

    assert text == f"{report}\n\n[1] {handle(INK)}\nInk dries."
    assert forwarded(text, artifact) == [TEA["id"], INK["id"]]


def test_nested_task_forwards_again_without_growth() -> None:
    inner, artifact = forward_cited(f"Inner {handle(TEA)} {handle(MILL)}.", map(proof, (TEA, MILL)))
    evidence = read_message(task_message(inner, artifact)).evidence

    outer, again = forward_cited(f"Outer {handle(MILL)}.", evidence)
    quoting, whole = forward_cited(inner, evidence)

    assert records_of(again) == [MILL]
    assert outer.count("The mill turns.") == 1
    assert (quoting, whole) == (inner, artifact)


def test_native_source_that_is_cited_very_often_is_still_proven() -> None:
    long = native_record(1, "a" * 4_000)
    report = " ".join([handle(long)] * 40)

    text, artifact = forward_cited(report, [proof(long)])

    assert forwarded(text, artifact) == [long["id"]]


def test_unclosed_fence_in_a_report_hides_no_entry() -> None:
    text, artifact = forward_cited(f"{handle(TEA)}\n\n```\n{handle(INK)}", map(proof, (TEA, INK)))

    assert forwarded(text, artifact) == [TEA["id"]]
    assert "```\nInk draft\n\n[1] Team" in text


RECORDS = (
    TEA,
    INK,
    MILL,
    shared_record(f"Quoting {handle(TEA)}\nGreen tea needs 80 °C."),
    shared_record(f"{handle(INK)}\n\n[2] {handle(TEA)}"),
    shared_record("```\nopen", title="`x`"),
    native_record(40, f"a ](#knowledge-{INVENTED}-7) {handle(INK)}"),
    native_record(400, "Yes"),
)
ENTRIES = [f"[1] {handle(each)}\n{each.get('excerpt', each.get('text'))}" for each in RECORDS]
PIECES = st.one_of(
    st.sampled_from([handle(each) for each in RECORDS]),
    st.sampled_from(ENTRIES),
    st.sampled_from([f"{entry}\n\n" for entry in ENTRIES]),
    st.sampled_from([handle(each).replace("](#", "](#user-content-") for each in RECORDS]),
    st.sampled_from([f"[x](<{handle(each).partition('](')[2][:-1]}>)" for each in RECORDS]),
    st.sampled_from([f"\n\n[x]: {handle(each).partition('](')[2][:-1]}\n" for each in RECORDS]),
    st.sampled_from(["[x]", "\n\n", "\n", " ", "`", "```\n", "> ", "\\", "&", "&#35;", "[", "!["]),
    texts(2),
)


@example(["[citation:", ENTRIES[4], handle(TEA)], 8_000, RECORDS)
@example([ENTRIES[4], handle(RECORDS[3]), handle(INK)], 8_000, (INK, *RECORDS[3:5]))
@example([ENTRIES[3], ENTRIES[5], ENTRIES[0]], 0, (TEA, RECORDS[3], RECORDS[5]))
@given(
    st.lists(PIECES, max_size=12),
    st.sampled_from([0, 60, 120, 200, 300, 8_000]),
    st.lists(st.sampled_from(RECORDS), max_size=8).map(tuple),
)
def test_message_holds_exactly_what_it_shows(
    pieces: list[str], limit: int, records: tuple[dict[str, Any], ...]
) -> None:
    evidence = [proof(record) for record in records]
    report = "".join(pieces)

    text, artifact = forward_cited(report, evidence, appendix_chars=limit)

    shown = [record["id"] for record in records_of(artifact)]
    assert forwarded(text, artifact) == shown
    assert len(set(shown)) == len(shown)
    cited = {link.id for link in read_links(report)}
    assert set(shown) <= cited & {record["id"] for record in records}
    assert strangers_in(text, records_of(artifact)) == set()
    assert forward_cited(text, evidence, appendix_chars=limit) == (text, artifact)


def strangers_in(text: str, records: list[dict[str, Any]]) -> set[object]:
    """Return the links of handles outside the records' excerpts that name no record."""
    for excerpt in sorted((each.get("excerpt") or each["text"] for each in records), key=len):
        text = text.replace(f")\n{excerpt}", ")\n")
    found: set[object] = {link_of(destination) for destination in CLOSED.findall(text)}
    return found - {
        Link("shared" if "excerpt" in each else "native", each["id"]) for each in records
    }


def test_default_room_is_what_the_contract_says() -> None:
    assert DEFAULT_APPENDIX_CHARS == 8_000


def test_message_of_a_tool_in_the_child_is_what_is_forwarded() -> None:
    evidence = read_message(tool_message(TEA, MILL)).evidence

    text, artifact = forward_cited(f"{handle(TEA)}{handle(MILL)}", evidence)

    assert sorted(map(str, forwarded(text, artifact))) == sorted([TEA["id"], MILL["id"]])
