"""Inputs that break citations: each is pinned by tests, belongs to another floor, or both.

What is read, written, normalised, stripped, labelled and hashed is tested here. The rest has a
floor of its own: what pages show, what answers cite, what budgets cut, what providers find.
"""

from typing import NamedTuple

NUMBERS = (
    *(1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14, 16, 17, 20, 21, 23, 24, 25, 26, 27, 28, 32, 33),
    *(34, 35, 37, 38, 40, 41, 42, 44, 46, 48, 49, 50, 52, 53, 54),
)
"""Every input's number; they have gaps, and stay what they are."""

FLOORS = (
    *("audit", "budget", "delegation", "gateway", "lightrag provider", "ragflow provider"),
    *("rendering", "resolution", "streaming"),
)


class Elsewhere(NamedTuple):
    """What of an input belongs to other floors, and why."""

    floors: tuple[str, ...]
    reason: str


class Input(NamedTuple):
    """An input, the tests that pin it here, and what is not decided here."""

    number: int
    input: str
    tests: tuple[str, ...] = ()
    elsewhere: Elsewhere | None = None


_CORE = "tests/core/test_"
_READING = f"{_CORE}reading_examples.py::test_"
_FORMS = f"{_CORE}reading_forms.py::test_"
_CITATION = f"{_CORE}citation.py::test_"
_TITLES = f"{_CORE}titles.py::test_"
_NORMALIZE = f"{_CORE}normalize.py::test_"
_FORMATTING = f"{_CORE}formatting.py::test_"
_NATIVE = f"{_CORE}native_formatting.py::test_"
_DOORS = f"{_CORE}boundary_doors.py::test_"
_BODIES = f"{_CORE}boundary_bodies.py::test_"
_SQLITE = f"{_CORE}boundary_sqlite.py::test_"
_AGENTS = f"{_CORE}boundary_agents.py::test_"
_PROPERTIES = f"{_CORE}boundary_properties.py::test_"
_AGREEMENT = "tests/conformance/test_agreement.py::test_"
_PARSING = "tests/conformance/test_parsing.py::test_"

INPUTS = (
    Input(
        1,
        "A title with square brackets and parentheses",
        (
            f"{_CITATION}label_shows_what_can_be_shown",
            f"{_READING}title_is_no_part_of_the_proof",
            f"{_TITLES}title_is_stored_as_it_is_and_shown_as_a_label",
        ),
    ),
    Input(
        2,
        "A title that holds a whole link, or the end of one and the start of the next",
        (
            f"{_CITATION}handle_is_exactly_one_link_wherever_it_stands",
            f"{_READING}title_is_no_part_of_the_proof",
            f"{_TITLES}title_is_stored_as_it_is_and_shown_as_a_label",
        ),
        Elsewhere(("rendering",), "Lists and exports write titles too."),
    ),
    Input(
        3,
        "A title with line ends, tabs or NUL",
        (
            f"{_NORMALIZE}title_of_several_lines_becomes_one",
            f"{_NORMALIZE}normalised_text_is_an_excerpt_and_normalised_line_a_title_or_both_are_empty",
            f"{_TITLES}title_of_more_than_one_line_refuses_the_record",
            f"{_AGREEMENT}near_misses_break_the_labelled_rule_to_every_reader",
        ),
    ),
    Input(
        4,
        "A title with backticks, and one with a vertical bar that is cited in a table",
        (
            f"{_CITATION}handle_is_exactly_one_link_wherever_it_stands",
            f"{_CITATION}handle_keeps_a_table_in_columns",
            f"{_TITLES}title_is_stored_as_it_is_and_shown_as_a_label",
        ),
    ),
    Input(
        6,
        "A title with controls of direction, beside titles that are genuinely right to left",
        (
            f"{_CITATION}label_is_one_short_line_without_what_breaks_links",
            f"{_CITATION}label_shows_what_can_be_shown",
            f"{_TITLES}controls_of_direction_are_stored_and_never_shown",
        ),
        Elsewhere(("rendering",), "A page isolates the direction of what it shows."),
    ),
    Input(
        7,
        "A title that is empty, blank, a provider's placeholder, or a path on a server",
        (
            f"{_NORMALIZE}hit_without_a_real_title_has_none",
            f"{_TITLES}hit_without_a_real_title_is_text_without_a_citation",
            f"{_TITLES}path_as_a_title_never_becomes_a_url",
        ),
        Elsewhere(("lightrag provider",), "Only a provider knows its own placeholders."),
    ),
    Input(
        8,
        "Two documents of one title",
        (
            f"{_READING}two_documents_of_one_title_are_two_sources",
            f"{_TITLES}records_that_differ_in_one_field_are_shown_and_read_apart",
        ),
        Elsewhere(("rendering",), "A list of sources shows both and opens each."),
    ),
    Input(
        9,
        "A handle whose label names another document",
        (f"{_READING}label_of_another_title_changes_nothing",),
        Elsewhere(
            ("rendering", "audit"), "A page shows the record's title; a report notes the mismatch."
        ),
    ),
    Input(
        11,
        "A page that is zero, negative, text, a boolean, null, too large, or written as a double",
        (
            f"{_READING}page_that_is_none_refuses_the_record",
            f"{_READING}page_written_as_a_double_is_the_same_source",
            f"{_NORMALIZE}page_out_of_bounds_is_left_out_and_the_hit_stays",
            f"{_AGREEMENT}near_misses_break_the_labelled_rule_to_every_reader",
        ),
        Elsewhere(("ragflow provider",), "It takes pages from positions and never from ranks."),
    ),
    Input(
        12,
        "An excerpt at its bound in code points that is over it in UTF-16 units",
        (
            f"{_READING}bound_of_an_excerpt_counts_astral_characters_once",
            f"{_AGREEMENT}valid_documents_are_valid_to_every_reader",
        ),
    ),
    Input(
        13,
        "A lone surrogate, raw or as half of an escaped pair",
        (
            f"{_READING}lone_surrogate_refuses_the_record_before_it_is_hashed",
            f"{_PARSING}a_response_keeps_lone_surrogates_and_a_document_does_not",
            f"{_AGREEMENT}raw_text_is_parsed_or_refused_with_its_label",
            f"{_TITLES}lone_surrogate_of_a_provider_is_gone_before_a_store_can_change_it",
        ),
    ),
    Input(
        14,
        "One title in composed and in decomposed letters",
        (
            f"{_READING}composed_and_decomposed_titles_are_two_sources",
            f"{_NORMALIZE}what_the_contract_allows_stays_as_it_is",
        ),
    ),
    Input(
        16,
        "A record that was edited by one letter under its old id",
        (
            f"{_READING}title_edited_by_one_letter_under_the_old_id_is_dropped_alone",
            f"{_AGREEMENT}any_changed_field_changes_the_id",
        ),
    ),
    Input(
        17,
        "A record that a caller made up, under its right id",
        (
            f"{_DOORS}forged_form_ends_as_no_evidence",
            f"{_SQLITE}forged_envelope_is_no_evidence_in_the_store_nor_after_a_reload",
            f"{_READING}forged_record_with_a_right_id_is_no_evidence_where_the_text_does_not_show_it",
        ),
        Elsewhere(("audit",), "Offline, integrity is known and authority is not."),
    ),
    Input(
        20,
        "An unknown, mistyped or missing version, and a right one over no list",
        (
            f"{_READING}unknown_version_is_no_evidence",
            f"{_READING}list_that_is_none_is_no_evidence",
            f"{_FORMS}form_comes_from_the_artifact",
        ),
    ),
    Input(
        21,
        "Ordinary anchors that start like a handle",
        (
            f"{_READING}only_the_raw_closed_handle_counts_in_tool_text",
            f"{_CITATION}whole_handle_becomes_its_label_and_half_a_handle_vanishes",
        ),
        Elsewhere(("rendering", "audit"), "In an answer they stay links and are not reported."),
    ),
    Input(
        23,
        "A handle whose label lacks the word that citations start with",
        (f"{_READING}handle_without_the_word_citation_proves_the_same",),
        Elsewhere(("rendering",), "A page opens the same record."),
    ),
    Input(
        24,
        "A destination in angle brackets, with a link title, or by reference",
        (f"{_READING}only_the_raw_closed_handle_counts_in_tool_text",),
        Elsewhere(("resolution", "rendering"), "In an answer CommonMark decides."),
    ),
    Input(
        25,
        "A handle in full-width brackets",
        (
            f"{_READING}only_the_raw_closed_handle_counts_in_tool_text",
            f"{_CITATION}whole_handle_becomes_its_label_and_half_a_handle_vanishes",
        ),
        Elsewhere(("audit",), "A report may call it recoverable."),
    ),
    Input(
        26,
        "A handle between wide characters and punctuation, in emphasis, lists, tables, headings",
        (
            f"{_CITATION}handle_is_exactly_one_link_wherever_it_stands",
            f"{_CITATION}handle_keeps_a_table_in_columns",
        ),
        Elsewhere(("rendering",), "A page keeps the punctuation outside."),
    ),
    Input(
        27,
        "A handle in the code of an answer",
        elsewhere=Elsewhere(
            ("resolution", "rendering", "delegation"),
            "Code is a matter of answers: tool text is never read as Markdown.",
        ),
    ),
    Input(
        28,
        "Tool text that shows the only copy of an excerpt in a fence or a table",
        (f"{_READING}tool_text_is_never_read_as_markdown",),
    ),
    Input(
        32,
        "An answer that is cut at any place or pair of places while it streams",
        elsewhere=Elsewhere(("streaming",), "Only a stream shows an answer before it is whole."),
    ),
    Input(
        33,
        "A stream that ends inside a handle",
        elsewhere=Elsewhere(("streaming",), "Only a stream holds text back."),
    ),
    Input(
        34,
        "Evidence that arrives after the sentence that cites it",
        elsewhere=Elsewhere(
            ("rendering", "resolution"), "Tool messages are read whole; pages resolve later."
        ),
    ),
    Input(
        35,
        "A short excerpt whose entry is gone but whose words stand in another",
        (f"{_READING}short_excerpt_of_a_pruned_entry_is_bound_to_the_message_only",),
        Elsewhere(("budget",), "Pruning removes the record with its entry."),
    ),
    Input(
        37,
        "An excerpt that imitates headers and notices, with odd blanks",
        (
            f"{_READING}excerpt_that_imitates_an_entry_stays_inside_its_own",
            f"{_FORMATTING}text_and_artifact_agree_within_every_limit",
        ),
    ),
    Input(
        38,
        "Content cut in an excerpt, in a handle, between both, in the middle, or to a preview",
        (
            f"{_READING}content_cut_at_any_place_loses_whole_hits_only",
            f"{_READING}content_that_kept_head_and_tail_loses_the_hit_in_the_middle",
        ),
        Elsewhere(("budget",), "Whoever cuts removes the records and the orphaned handles."),
    ),
    Input(
        40,
        "Two edges that share a chunk, of which only one fits",
        (
            f"{_FORMATTING}relations_are_cut_at_their_end_only",
            f"{_FORMATTING}edge_names_the_first_position_of_a_chunk_that_came_twice",
            f"{_FORMATTING}edge_that_names_no_earlier_hit_is_the_callers_fault",
        ),
        Elsewhere(
            ("budget", "lightrag provider"),
            "Pruning keeps a prefix; the provider writes edges without ids of documents.",
        ),
    ),
    Input(
        41,
        "Line ends or escapes that were rewritten on the way",
        (
            f"{_READING}excerpt_that_was_rewritten_on_the_way_fails_closed",
            f"{_NORMALIZE}text_is_normalised_as_the_slow_reference_does",
        ),
    ),
    Input(
        42,
        "Ligatures, hyphens at line ends, soft hyphens, thin spaces and signs",
        (
            f"{_READING}excerpt_that_was_rewritten_on_the_way_fails_closed",
            f"{_NORMALIZE}what_the_contract_allows_stays_as_it_is",
        ),
        Elsewhere(("audit",), "A report grades how closely a quotation matches."),
    ),
    Input(
        44,
        "Reserved keys from a caller in every form that becomes an artifact",
        (
            f"{_DOORS}forged_form_ends_as_no_evidence",
            f"{_DOORS}no_spelling_or_nesting_of_a_body_lets_a_form_through",
            f"{_BODIES}escaped_names_are_no_way_round",
            f"{_PROPERTIES}stripped_body_is_read_as_no_evidence_and_loses_nothing_else",
            f"{_SQLITE}forged_envelope_is_no_evidence_in_the_store_nor_after_a_reload",
            f"{_AGENTS}artifact_of_a_tool_is_what_it_returned",
        ),
        Elsewhere(("gateway",), "A host puts the boundary at each of its doors."),
    ),
    Input(
        46,
        "One thread by invocation, streams of values and messages, and reload",
        (
            f"{_AGENTS}every_way_to_follow_a_run_shows_the_same_evidence",
            f"{_AGENTS}thread_ends_with_the_evidence_that_its_tool_wrote_and_no_other",
        ),
        Elsewhere(("gateway",), "An embedded client has serialisers of its own."),
    ),
    Input(
        48,
        "An answer that cites an earlier turn after no search",
        elsewhere=Elsewhere(
            ("resolution",), "One message is read at a time; turns are known above it."
        ),
    ),
    Input(
        49,
        "Chunks without a reference row, equal paths without a chunk, entities alone",
        (f"{_TITLES}hit_without_a_real_title_is_text_without_a_citation",),
        Elsewhere(("lightrag provider",), "It decides what a chunk may be attributed to."),
    ),
    Input(
        50,
        "A title in the aggregates only, empty positions, pages of an unknown base, a bad batch",
        (f"{_NATIVE}one_incomplete_hit_turns_the_whole_result_to_the_shared_form",),
        Elsewhere(("ragflow provider",), "It reads the answers and refuses a scope as a whole."),
    ),
    Input(
        52,
        "Spans of an answer in bytes, without a start, or of a marker only",
        elsewhere=Elsewhere(
            ("rendering",), "Handles stand in the text itself: no record holds offsets."
        ),
    ),
    Input(
        53,
        "Two quotations of one page, and two chunks that overlap",
        (
            f"{_READING}two_quotes_of_one_page_are_two_sources",
            f"{_READING}overlapping_chunks_are_two_sources",
            f"{_TITLES}records_that_differ_in_one_field_are_shown_and_read_apart",
        ),
        Elsewhere(("rendering",), "A page may group what it shows."),
    ),
    Input(
        54,
        "Numbered text without an envelope, and both forms in one task",
        (
            f"{_READING}legacy_number_without_an_envelope_stays_plain",
            f"{_FORMS}form_comes_from_the_artifact",
            f"{_AGENTS}thread_ends_with_the_evidence_that_its_tool_wrote_and_no_other",
        ),
        Elsewhere(("budget", "delegation"), "Pruning and forwarding keep each form."),
    ),
)
