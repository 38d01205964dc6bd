"""What notes and the notice may take from entries where not everything fits."""

from knowledge_contract.formatting import format_result
from knowledge_contract.retrieval import RetrievalHit, RetrievalResult

HEAD = "[1] (no source to cite)\n"
NOTICE = "1 more result left out to fit the limit."


def shown(entries: list[int], notes: list[int], limit_chars: int) -> list[str]:
    """Return the parts of the text for entries and notes of these lengths."""
    hits = tuple(
        RetrievalHit(chr(ord("a") + index) * (length - len(HEAD)))
        for index, length in enumerate(entries)
    )
    lines = tuple("n" * length for length in notes)
    result = RetrievalResult("local", hits, notes=lines)
    text, _ = format_result(result, limit_chars=limit_chars, excerpt_chars=1000)
    return text.split("\n\n")


def test_long_note_does_not_displace_an_entry() -> None:
    parts = shown([120, 120], [90], limit_chars=300)

    assert [len(part) for part in parts] == [120, 120]


def test_short_note_is_kept_before_a_further_entry() -> None:
    parts = shown([120, 120, 120], [20], limit_chars=300)

    assert [len(part) for part in parts] == [120, 20, 41]
    assert parts[2] == "2 more results left out to fit the limit."


def test_notice_is_worth_less_than_the_only_entry_that_fits() -> None:
    parts = shown([120, 120], [], limit_chars=125)

    assert [len(part) for part in parts] == [120]


def test_notice_is_shown_where_it_fits_after_all() -> None:
    parts = shown([120, 120], [], limit_chars=120 + 2 + len(NOTICE))

    assert [len(part) for part in parts] == [120, len(NOTICE)]
    assert parts[1] == NOTICE


def test_long_note_is_shown_where_room_is_left_in_the_end() -> None:
    parts = shown([40, 300], [60], limit_chars=200)

    assert [len(part) for part in parts] == [40, 60, len(NOTICE)]


def test_empty_result_says_so_beside_its_notes() -> None:
    assert shown([], [10], limit_chars=100) == ["No relevant content was found.", "n" * 10]
