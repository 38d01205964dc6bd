"""What others met in RAGFlow's API, and the tests that keep this client out of it."""

from typing import NamedTuple


class Trap(NamedTuple):
    """One report.

    Attributes:
        source: Where it was reported first.
        trap: What happened there.
        tests: Those that would fail if it happened here, as `file::test` below this folder.
        reason: Why a client cannot meet it, or not all of it; empty if it can.
    """

    source: str
    trap: str
    tests: tuple[str, ...]
    reason: str = ""


_ANSWERS = "test_answers.py::"
_CHUNKS = "test_chunks.py::"
_DATASETS = "test_datasets.py::"
_LARGE = "test_large_document_scope.py::"
_SCOPE = "test_scope.py::"
_SDK = "test_sdk.py::"
_SEARCH = "test_search.py::"
_SETTINGS = "test_settings.py::"
_SHAPES = "test_shapes.py::"

TRAPS = {
    1: Trap(
        "infiniflow/ragflow#8819",
        "A file of one page is cited as page 2: what looks like a page is the chunk's number.",
        (f"{_CHUNKS}test_pages_are_those_of_real_places", f"{_CHUNKS}test_only_pdf_has_pages"),
    ),
    2: Trap(
        "infiniflow/ragflow#8056",
        "Nobody says what the five numbers of a position mean.",
        (f"{_CHUNKS}test_pages_are_those_of_real_places", f"{_CHUNKS}test_only_pdf_has_pages"),
    ),
    3: Trap(
        "crownshy/comhairle#442",
        "A product downstream asks the same question years later.",
        (f"{_CHUNKS}test_pages_are_those_of_real_places",),
    ),
    4: Trap(
        "infiniflow/ragflow#7172",
        "The box of a position lies in an unclear coordinate system.",
        (f"{_CHUNKS}test_pages_are_those_of_real_places",),
    ),
    5: Trap(
        "infiniflow/ragflow#4141",
        "One search engine gives positions that are no rows of five numbers.",
        (f"{_CHUNKS}test_pages_are_those_of_real_places", f"{_SHAPES}test_retrieval_becomes_hits"),
    ),
    6: Trap(
        "infiniflow/ragflow#10944",
        "Whoever may edit a chunk may write any position.",
        (),
        "A written position looks like a parsed one; a page is the provider's claim, and "
        "the code says so.",
    ),
    7: Trap(
        "infiniflow/ragflow#11712",
        "Pages of large files were counted from the start of a parsing segment.",
        (),
        "The wrong page is well formed; only the server can count again.",
    ),
    8: Trap(
        "infiniflow/ragflow#12938",
        "How pages are counted changed between releases, and was argued over.",
        (),
        "The wrong page is well formed; only the server can count again.",
    ),
    9: Trap(
        "infiniflow/ragflow#17307",
        "One parser is a page low, so that the first page becomes 0.",
        (f"{_CHUNKS}test_pages_are_those_of_real_places",),
        "Page 0 is refused; other pages that are one too low are well formed.",
    ),
    10: Trap(
        "infiniflow/ragflow#3587",
        "Old hits say kb_id and img_id, with fractions for positions.",
        (f"{_CHUNKS}test_older_names_are_read", f"{_SHAPES}test_retrieval_becomes_hits"),
    ),
    11: Trap(
        "infiniflow/ragflow#12056",
        "The title stands in document_keyword, document_name may be empty.",
        (f"{_CHUNKS}test_title_comes_from_the_document_s_name",),
    ),
    12: Trap(
        "infiniflow/ragflow#10692",
        "Asked for one row, some releases give none.",
        (f"{_SEARCH}test_one_hit_is_asked_for_as_two",),
    ),
    13: Trap(
        "infiniflow/ragflow#6646",
        "The second page is empty although the total says more.",
        (f"{_SEARCH}test_retrieval_asks_for_what_the_settings_say_and_nothing_else",),
    ),
    14: Trap(
        "infiniflow/ragflow#6525",
        "Four pages of 30 rows are not one page of 120.",
        (f"{_SEARCH}test_retrieval_asks_for_what_the_settings_say_and_nothing_else",),
    ),
    15: Trap(
        "infiniflow/ragflow#6741",
        "The total is larger than what can be fetched.",
        (f"{_SHAPES}test_retrieval_becomes_hits", f"{_DATASETS}test_total_is_not_relied_on"),
    ),
    16: Trap(
        "infiniflow/ragflow#15433",
        "With a reranker, deep pages lose rows.",
        (f"{_SEARCH}test_retrieval_asks_for_what_the_settings_say_and_nothing_else",),
    ),
    17: Trap(
        "infiniflow/ragflow#19017",
        "More rows than reranking candidates are refused.",
        (
            f"{_SEARCH}test_retrieval_asks_for_what_the_settings_say_and_nothing_else",
            f"{_SEARCH}test_every_release_is_searched",
        ),
    ),
    18: Trap(
        "infiniflow/ragflow#4400",
        "top_k does not bound the hits, and finding keywords can fail.",
        (
            f"{_SEARCH}test_more_hits_than_asked_for_are_not_shown",
            f"{_SEARCH}test_settings_of_the_operator_s_own_are_sent_only_when_set",
        ),
    ),
    19: Trap(
        "infiniflow/ragflow#8228",
        "Selecting documents switched the threshold and the number of rows off in some releases.",
        (
            f"{_SCOPE}test_server_that_ignores_document_ids_fails_closed",
            f"{_SEARCH}test_more_hits_than_asked_for_are_not_shown",
        ),
    ),
    20: Trap(
        "infiniflow/ragflow#12646",
        "How many ids a list may hold is not documented.",
        (f"{_LARGE}test_large_document_scope_is_checked_in_batches_and_searched_in_order",),
    ),
    21: Trap(
        "bytedance/deer-flow#5571",
        "More than a hundred selected documents were always rejected.",
        (
            f"{_LARGE}test_large_document_scope_is_checked_in_batches_and_searched_in_order",
            f"{_LARGE}test_large_document_scope_is_rejected_by_any_batch",
        ),
    ),
    22: Trap(
        "infiniflow/ragflow#9643",
        "A sibling endpoint gives nothing for more than 128 rows.",
        (
            f"{_SETTINGS}test_whole_number_has_its_range",
            f"{_SEARCH}test_retrieval_asks_for_what_the_settings_say_and_nothing_else",
        ),
    ),
    23: Trap(
        "infiniflow/ragflow#5166",
        "One embedding model under two spellings counts as two.",
        (f"{_SHAPES}test_datasets_are_searched_in_groups_of_one_model",),
    ),
    24: Trap(
        "xinnan-tech/xiaozhi-esp32-server#2775",
        "Datasets of different models fail together, and readers get the server's words.",
        (
            f"{_SEARCH}test_groups_are_interleaved_by_rank",
            f"{_SEARCH}test_all_groups_failing_is_an_error",
        ),
    ),
    25: Trap(
        "bytedance/deer-flow#4955",
        "An unknown id is an error and no empty list, dataset_ids is always needed, and "
        "one dataset without a model breaks a search of all.",
        (
            f"{_DATASETS}test_missing_dataset_is_named_by_its_position",
            f"{_SEARCH}test_retrieval_asks_for_what_the_settings_say_and_nothing_else",
            f"{_SEARCH}test_group_that_fails_is_left_out_with_a_note",
        ),
    ),
    26: Trap(
        "infiniflow/ragflow#12586",
        "A list that is not sent as one is refused as missing data.",
        (
            f"{_SEARCH}test_retrieval_asks_for_what_the_settings_say_and_nothing_else",
            f"{_SDK}test_both_clients_find_the_same_chunks",
        ),
    ),
    27: Trap(
        "infiniflow/ragflow#6752",
        "A filter under a wrong name is ignored in silence.",
        (
            f"{_SCOPE}test_selected_document_is_the_only_one_that_is_searched",
            f"{_SCOPE}test_chunk_outside_of_the_selected_documents_is_dropped",
        ),
    ),
    28: Trap(
        "infiniflow/ragflow#6462",
        "Deleted or disabled documents are still found.",
        (f"{_SCOPE}test_document_that_cannot_be_searched_rejects_the_selection",),
        "In whole datasets a chunk does not say that its document is disabled.",
    ),
    29: Trap(
        "infiniflow/ragflow#6820",
        "A deleted chunk was only disabled.",
        (),
        "A chunk does not say that it was deleted.",
    ),
    30: Trap(
        "infiniflow/ragflow#19845",
        "Summaries made of a disabled document stayed visible.",
        (),
        "A summary looks like any other chunk.",
    ),
    31: Trap(
        "infiniflow/ragflow#15531",
        "An empty list of documents came to mean none.",
        (
            f"{_SCOPE}test_empty_list_of_filters_narrows_nothing",
            f"{_SEARCH}test_retrieval_asks_for_what_the_settings_say_and_nothing_else",
        ),
    ),
    32: Trap(
        "infiniflow/ragflow#10926",
        "A condition that fits nothing let everything be searched.",
        (),
        "The answer does not say whether a condition was honoured; the setting names the "
        "release that it needs.",
    ),
    33: Trap(
        "infiniflow/ragflow#15360",
        "Joined conditions leaked, and an empty list of them finds nothing.",
        (
            f"{_SETTINGS}test_further_settings_are_checked_as_well",
            f"{_SCOPE}test_documents_cannot_be_selected_around_a_metadata_condition",
        ),
        "How a server joins conditions cannot be seen in its answer.",
    ),
    34: Trap(
        "infiniflow/ragflow#11578",
        "The summary of documents is empty or of another type.",
        (
            f"{_CHUNKS}test_title_comes_from_the_document_s_name",
            f"{_SHAPES}test_retrieval_becomes_hits",
        ),
    ),
    35: Trap(
        "infiniflow/ragflow#6648",
        "Markup comes although it was switched off, once instead of the text.",
        (
            f"{_CHUNKS}test_text_is_the_content_and_never_the_highlight_or_the_tokens",
            f"{_SEARCH}test_retrieval_asks_for_what_the_settings_say_and_nothing_else",
        ),
    ),
    36: Trap(
        "infiniflow/ragflow#6512",
        "A chunk is found by its file's name and has no text.",
        (f"{_CHUNKS}test_chunk_without_text_is_left_out",),
    ),
    37: Trap(
        "infiniflow/ragflow#1243",
        "Scores above 1, even above 10.",
        (f"{_CHUNKS}test_score_decides_nothing",),
    ),
    38: Trap(
        "infiniflow/ragflow#7667",
        "Enabled and parsed are two fields that are taken for one.",
        (
            f"{_SCOPE}test_document_that_cannot_be_searched_rejects_the_selection",
            f"{_SHAPES}test_documents_are_searchable_or_rejected",
        ),
    ),
    39: Trap(
        "infiniflow/ragflow#11533",
        "Only the first page of a list was read, so that titles were missing.",
        (
            f"{_DATASETS}test_all_datasets_are_read_page_by_page",
            f"{_LARGE}test_large_document_scope_is_checked_in_batches_and_searched_in_order",
        ),
    ),
    40: Trap(
        "infiniflow/ragflow#6895",
        "Retrieval can be very slow, and a long question fails in the engine.",
        (
            f"{_ANSWERS}test_fault_of_the_retrieval_is_one_clear_error",
            f"{_ANSWERS}test_code_100_is_not_asked_again",
        ),
    ),
    41: Trap(
        "infiniflow/ragflow#10568",
        "A model vendor's failure comes as code 100 with a program's words.",
        (
            f"{_SEARCH}test_all_groups_failing_is_an_error",
            f"{_ANSWERS}test_refusal_is_told_by_status_code_and_shape",
        ),
    ),
    42: Trap(
        "infiniflow/ragflow#6256",
        "Refused credentials come over HTTP 200, in several shapes.",
        (
            f"{_SEARCH}test_refused_key_is_a_configuration_error_in_every_release",
            f"{_ANSWERS}test_refusal_is_told_by_status_code_and_shape",
        ),
    ),
    43: Trap(
        "ModelEngine-Group/nexent#3369",
        "The provider's 401, passed on, logged the product's own users out.",
        (f"{_ANSWERS}test_refusal_is_told_by_status_code_and_shape",),
    ),
    44: Trap(
        "infiniflow/ragflow#16208",
        "A business code was sent as an HTTP status, and the connection dropped.",
        (f"{_ANSWERS}test_fault_of_the_retrieval_is_one_clear_error",),
    ),
    45: Trap(
        "infiniflow/ragflow#2989",
        "A wrong address answers HTML over HTTP 200.",
        (f"{_ANSWERS}test_fault_of_the_first_answer_is_one_clear_error",),
    ),
    46: Trap(
        "infiniflow/ragflow#14771",
        "Hits carry no address of their document.",
        (f"{_CHUNKS}test_link_is_never_made_of_what_the_server_says",),
    ),
    47: Trap(
        "infiniflow/ragflow#7854",
        "Equal texts of one document share one chunk id.",
        (f"{_CHUNKS}test_repeated_chunk_is_shown_once",),
    ),
}
