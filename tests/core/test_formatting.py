"""Whatever a provider returns and whatever the limit: text and artifact say the same."""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from core.hits import handle_of, results
from knowledge_contract._entries import find_entries
from knowledge_contract.errors import ContractError
from knowledge_contract.formatting import format_result
from knowledge_contract.normalize import normalize_hit
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import RetrievalHit, RetrievalResult
from knowledge_wire.constants import EXCERPT_BLANKS
from knowledge_wire.validators import is_knowledge_sources_envelope

UNLIMITED = 10**9
SMALL = 250
HANDLE = re.compile(
    r"\]\(#(?:user-content-)?"
    r"(?:knowledge-source-([0-9a-f]{32})|knowledge-[a-f0-9]{32}-[1-9][0-9]{0,2})\)"
)
NOTICE = re.compile(r"(\d+) more results? left out to fit the limit\.")
# Stands for a proven excerpt while the text around it is judged; no strategy draws it.
EXCERPT = "\U000f0000"


class Page(NamedTuple):
    """A text taken apart: entries as first line and rest, then what follows them."""

    entries: list[tuple[str, str]]
    tail: list[str]
    records: list[dict[str, Any]]


def format_within(result: RetrievalResult, limit: int, excerpt_chars: int = 1000) -> Any:
    return format_result(result, limit_chars=limit, excerpt_chars=excerpt_chars)


def records_of(artifact: dict[str, Any] | None) -> list[dict[str, Any]]:
    return list((artifact or {}).get("knowledge_sources", []))


def take_apart(text: str, artifact: dict[str, Any] | None) -> Page:
    """Take a text apart by its artifact, as a pruning budget must: each proven excerpt whole."""
    outside: list[str] = []
    records = records_of(artifact)
    at = 0
    for record in records:
        tail = f"](#knowledge-source-{record['id']})\n"
        start = text.index(tail + record["excerpt"], at) + len(tail)
        outside += [text[at:start], EXCERPT]
        at = start + len(record["excerpt"])
    parts = "".join([*outside, text[at:]]).split("\n\n") if text else []
    entries = [part for part in parts if "\n" in part]
    assert parts[: len(entries)] == entries
    split = [(first, rest) for first, _, rest in (part.partition("\n") for part in entries)]
    return Page(split, parts[len(entries) :], records)


def check_page(result: RetrievalResult, limit: int, text: str, artifact: Any) -> Page:
    """Assert all that holds for every limit."""
    assert len(text) <= limit
    assert artifact is None or not records_of(artifact) or is_knowledge_sources_envelope(artifact)
    assert (artifact or {}).get("knowledge_layout") == (
        "relations" if result.layout == "relations" else None
    )
    message = {"type": "tool", "name": "t", "content": text, "artifact": artifact}
    reading = read_message(message, binding="entry")
    assert [each.record for each in reading.evidence] == records_of(artifact)
    assert (reading.refused, reading.overflow) == ((), 0)
    page = take_apart(text, artifact)
    check_entries(page)
    return page


def check_entries(page: Page) -> None:
    """Assert that entries are numbered, whole, without blank lines, and cite what is recorded."""
    cited = []
    for index, (first, rest) in enumerate(page.entries):
        position, *named = map(int, re.findall(r"\[(\d+)\]", first))
        assert position == index + 1
        assert first.startswith(f"[{position}] ")
        assert all(1 <= each < position for each in named)
        handles = list(HANDLE.finditer(first))
        cited += [match[1] for match in handles]
        if handles:
            assert [match.end() for match in handles] == [len(first)]
            assert rest == EXCERPT
        else:
            assert EXCERPT not in rest
            assert all(line.strip(EXCERPT_BLANKS) for line in rest.split("\n"))
            assert not HANDLE.search(rest)
    assert cited == [record["id"] for record in page.records]
    for line in page.tail:
        assert line.strip(EXCERPT_BLANKS)
        assert not HANDLE.search(line)


def limits_for(text: str, sampled: Iterable[int]) -> Iterable[int]:
    """Return every limit up to the length of a small text, some for a longer one."""
    if len(text) <= SMALL:
        return range(len(text) + 2)
    some = {each % len(text) for each in sampled}
    return sorted({0, 1, len(text) - 1, len(text), len(text) + 1, *some})


@settings(max_examples=150)
@given(results(), st.lists(st.integers(0, 10_000), min_size=12, max_size=12))
def test_text_and_artifact_agree_within_every_limit(
    result: RetrievalResult, sampled: list[int]
) -> None:
    whole, _ = format_within(result, UNLIMITED)

    for limit in limits_for(whole, sampled):
        text, artifact = format_within(result, limit)
        check_page(result, limit, text, artifact)


@given(results(), st.integers(1, 40))
def test_text_and_artifact_agree_for_every_bound_of_an_excerpt(
    result: RetrievalResult, excerpt_chars: int
) -> None:
    text, artifact = format_within(result, UNLIMITED, excerpt_chars)

    page = check_page(result, UNLIMITED, text, artifact)
    assert all(len(record["excerpt"]) <= excerpt_chars for record in page.records)
    texts = [normalize_hit(hit).text for hit in result.hits]
    for record in page.records:
        assert any(each.startswith(record["excerpt"]) for each in texts)


@settings(max_examples=150)
@given(results())
def test_exact_fit_keeps_everything_and_one_less_leaves_something_out(
    result: RetrievalResult,
) -> None:
    whole, artifact = format_within(result, UNLIMITED)
    everything = take_apart(whole, artifact)

    assert format_within(result, len(whole)) == (whole, artifact)
    less, fewer = format_within(result, len(whole) - 1)
    page = take_apart(less, fewer)
    notes = [line for line in page.tail if line in everything.tail]
    assert len(page.entries) < len(everything.entries) or len(notes) < len(everything.tail)


@settings(max_examples=150)
@given(results(), st.lists(st.integers(0, 10_000), min_size=12, max_size=12))
def test_notice_counts_what_was_left_out(result: RetrievalResult, sampled: list[int]) -> None:
    assume(not any(NOTICE.search(note) for note in result.notes))
    whole, artifact = format_within(result, UNLIMITED)
    everything = take_apart(whole, artifact)
    assert not any(NOTICE.fullmatch(line) for line in everything.tail)

    for limit in limits_for(whole, sampled):
        page = take_apart(*format_within(result, limit))
        found = [match for line in page.tail if (match := NOTICE.fullmatch(line))]
        if found:
            missing = len(everything.entries) - len(page.entries)
            assert 1 <= missing == int(found[0][1])
            assert len(found) == 1
            assert NOTICE.fullmatch(page.tail[-1])


@settings(max_examples=150)
@given(results(), st.lists(st.integers(0, 10_000), min_size=12, max_size=12))
def test_relations_are_cut_at_their_end_only(result: RetrievalResult, sampled: list[int]) -> None:
    result = result._replace(layout="relations")
    whole, artifact = format_within(result, UNLIMITED)
    everything = take_apart(whole, artifact)

    for limit in limits_for(whole, sampled):
        text, fewer = format_within(result, limit)
        page = take_apart(text, fewer)
        assert page.entries == everything.entries[: len(page.entries)]
        assert page.records == everything.records[: len(page.records)]


@given(results())
def test_hit_that_was_formatted_before_keeps_its_id_and_its_text(result: RetrievalResult) -> None:
    text, artifact = format_within(result, UNLIMITED)
    again = result._replace(hits=tuple(normalize_hit(hit) for hit in result.hits))
    assert format_within(again, UNLIMITED) == (text, artifact)

    records = records_of(artifact)
    hits = [
        RetrievalHit(
            record["excerpt"],
            title=record["title"],
            dataset_name=record.get("dataset_name"),
            url=record.get("url"),
            page=record.get("page"),
        )
        for record in records
    ]
    stored = RetrievalResult("local", tuple(hits))
    once = format_within(stored, UNLIMITED)
    assert records_of(once[1]) == records


@given(results())
def test_input_is_not_changed_and_the_result_is_the_callers_own(result: RetrievalResult) -> None:
    before = repr(result)
    _, artifact = format_within(result, UNLIMITED)
    for record in records_of(artifact):
        record.clear()

    assert repr(result) == before
    assert all(records_of(format_within(result, UNLIMITED)[1]))


# Examples.


def show(*hits: RetrievalHit, limit: int = UNLIMITED, **fields: Any) -> str:
    text, artifact = format_within(RetrievalResult("local", hits, **fields), limit)
    check_page(RetrievalResult("local", hits, **fields), limit, text, artifact)
    return str(text)


def test_entry_names_locators_and_ends_its_first_line_with_the_handle() -> None:
    hit = RetrievalHit("Ask before you deploy.", title="Guide", dataset_name="Handbook", page=3)

    assert show(hit) == f"[1] Handbook, p. 3 {shown_handle(hit, 'Guide')}\nAsk before you deploy."


def shown_handle(hit: RetrievalHit, label: str) -> str:
    return str(handle_of(hit)).replace("Quoted", label)


def test_entries_are_parted_by_one_blank_line() -> None:
    hits = [RetrievalHit("One.", title="Guide"), RetrievalHit("Two.")]

    assert show(*hits) == (
        f"[1] {shown_handle(hits[0], 'Guide')}\nOne.\n\n[2] (no source to cite)\nTwo."
    )


def test_result_without_text_says_so() -> None:
    blank = RetrievalResult("local", (RetrievalHit(" \n", title="Guide"),))

    assert format_within(blank, UNLIMITED) == ("No relevant content was found.", None)


def test_relations_always_have_an_artifact() -> None:
    expected = {"knowledge_layout": "relations"}

    for limit in (0, UNLIMITED):
        assert format_within(RetrievalResult("local", (), layout="relations"), limit)[1] == expected


def test_edge_names_the_first_position_of_a_chunk_that_came_twice() -> None:
    chunk, edge = RetrievalHit("Chunk.", title="Guide"), RetrievalHit("A - B", evidence=(1,))

    text = show(chunk, chunk, edge, layout="relations")

    assert text.endswith("\n\n[2] (no source to cite; evidence: [1])\nA - B")


def test_edge_without_evidence_says_so() -> None:
    text = show(RetrievalHit("A - B", evidence=()), layout="relations")

    assert text == "[1] (no source to cite; no document evidence)\nA - B"


@pytest.mark.parametrize(
    ("hits", "says"),
    [
        ((RetrievalHit("Words behind it."),), "no source to cite; cut"),
        ((RetrievalHit("Words.", evidence=()),), "no source to cite; no document evidence"),
        (
            (RetrievalHit("Words behind it.", evidence=()),),
            "no source to cite; no document evidence; cut",
        ),
        (
            (RetrievalHit("Chunk."), RetrievalHit("Words behind it.", evidence=(0,))),
            "no source to cite; evidence: [1]; cut",
        ),
    ],
    ids=["text", "whole edge", "edge", "edge with evidence"],
)
def test_uncited_text_that_was_cut_says_so(hits: tuple[RetrievalHit, ...], says: str) -> None:
    text, _ = format_within(RetrievalResult("local", hits, layout="relations"), UNLIMITED, 6)

    assert text.endswith(f"[{len(hits)}] ({says})\nWords{'' if 'cut' in says else '.'}")


def test_entry_that_was_cut_is_an_entry_of_its_own_for_a_budget() -> None:
    hits = (RetrievalHit("One is long."), RetrievalHit("Two is long."))
    text, _ = format_within(RetrievalResult("local", hits), UNLIMITED, 4)

    entries = find_entries(text, ()).entries

    assert [each.shown(text) for each in entries] == [
        "[1] (no source to cite; cut)\nOne",
        "[2] (no source to cite; cut)\nTwo",
    ]


@pytest.mark.parametrize("named", [(0,), (1,), (-1,)], ids=["itself", "a later one", "negative"])
def test_edge_that_names_no_earlier_hit_is_the_callers_fault(named: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="does not come before it"):
        show(RetrievalHit("A - B", evidence=named))


@pytest.mark.parametrize(("limit", "excerpt_chars"), [(-1, 1), (0, 0), (0, -1)])
def test_bound_out_of_range_is_the_callers_fault(limit: int, excerpt_chars: int) -> None:
    with pytest.raises(ValueError, match="at least"):
        format_within(RetrievalResult("local", ()), limit, excerpt_chars)


@pytest.mark.parametrize("provider", ["", "Local", "a b", "\ud800", "x" * 65])
def test_provider_name_that_no_record_can_carry_is_refused(provider: str) -> None:
    result = RetrievalResult(provider, (RetrievalHit("Ask.", title="Guide"),))

    with pytest.raises(ContractError) as refused:
        format_within(result, UNLIMITED)

    assert (refused.value.contract, refused.value.pointer) == ("knowledge_sources.v1", "/provider")


@pytest.mark.parametrize(
    "text",
    [
        "](#knowledge-source-{0})\n\nfoo",
        "](#knowledge-source-{0})",
        "[ ](#knowledge-source-{0})\n\nfoo",
        "foo\n[](#knowledge-source-{0})\nbar",
    ],
    ids=["half first", "nothing else", "blank label", "empty label on a line"],
)
def test_uncited_text_leaves_no_blank_line_where_a_handle_was(text: str) -> None:
    hit = RetrievalHit(text.format("0" * 32))

    show(hit, RetrievalHit("Next."))


@pytest.mark.parametrize(
    "note",
    [
        f"[ ](#knowledge-source-{'0' * 32})",
        f"Seen ](#knowledge-\0source-{'0' * 32})",
        f"Seen ](#knowledge-source-{'0' * 31}\x1f0).",
    ],
    ids=["blank label", "split by a control character", "split in its id"],
)
def test_note_shows_no_handle_and_leaves_no_blank_line(note: str) -> None:
    show(RetrievalHit("Ask."), notes=(note,))


def test_hundred_and_first_hit_is_left_out() -> None:
    text, artifact = format_within(
        RetrievalResult(
            "local", tuple(RetrievalHit(f"Part {index}.", title="Guide") for index in range(102))
        ),
        UNLIMITED,
    )

    assert len(records_of(artifact)) == 100
    assert text.endswith("\n\n2 more results left out to fit the limit.")


def test_hit_that_lifts_the_excerpts_past_their_total_does_not_fit_and_a_smaller_one_does() -> None:
    lengths = [100_000] * 9 + [99_999, 2, 1]
    hits = [RetrievalHit("a" * each, title=f"Part {index}") for index, each in enumerate(lengths)]

    result = RetrievalResult("local", tuple(hits))
    text, artifact = format_within(result, UNLIMITED, 200_000)

    assert [len(record["excerpt"]) for record in records_of(artifact)] == [*lengths[:10], 1]
    assert text.endswith("\n\n1 more result left out to fit the limit.")
    assert check_page(result, UNLIMITED, text, artifact)


def test_search_goes_on_to_a_hit_that_fits_and_relations_stop() -> None:
    hits = (RetrievalHit("One."), RetrievalHit("long " * 30), RetrievalHit("Two."))
    limit = 120

    searched = show(*hits, limit=limit)
    related = show(*hits, limit=limit, layout="relations")

    assert "Two." in searched
    assert "Two." not in related
    assert "One." in related


@example("](#knowledge-source-" + "0" * 32 + ")")
@given(st.text())
def test_lone_text_is_shown_or_said_to_be_nothing(text: str) -> None:
    shown = show(RetrievalHit(text))

    assert shown.startswith(("[1] (no source to cite)\n", "No relevant content was found."))
