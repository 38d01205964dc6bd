"""What the plugin's page promises, sentence by sentence in our own words, and what proves it."""

from typing import NamedTuple

__all__ = ["PROMISES", "Promise"]

_AGENTS = "tests/extension/test_agents.py::"
_HOST = "tests/extension/test_host.py::"
_REAL = "tests/extension/test_real_agents.py::"
_DELEGATED = "tests/extension/test_delegated.py::"
_THREE_TOOLS = "tests/extension/test_real_delegated.py::"
_REAL_RELATIONS = "tests/providers/lightrag/test_real_relations.py::"
_WHEEL = "tests/extension/test_distribution.py::"
_PLUGIN = "examples/deerflow-extension-lightrag/tests/test_plugin.py::"
_RELATIONS = "tests/providers/lightrag/test_relations.py::"
_GRAPH_TEXT = "tests/providers/lightrag/test_graph_text.py::"
_DENSE = "tests/providers/lightrag/test_dense_graphs.py::"
_PROPERTIES = "tests/providers/lightrag/test_relation_properties.py::"
_DOCUMENTS = "tests/providers/lightrag/test_documents.py::"
_ANSWERS = "tests/providers/lightrag/test_answers.py::"
_SECRETS = "tests/providers/lightrag/test_secrets.py::"
_EXTENSIONS = "tests/scripts/test_install_extension.py::"


class Promise(NamedTuple):
    """One sentence.

    Attributes:
        number: Its place on the page, from 1.
        says: What it says, shortened.
        tests: `file::function` of the tests that would fail without it.
        why_untested: Why no test can; empty where tests can.
    """

    number: int
    says: str
    tests: tuple[str, ...] = ()
    why_untested: str = ""


PROMISES = (
    Promise(
        1,
        "An optional plugin that only reads.",
        (
            f"{_HOST}test_documents_need_no_plugin",
            f"{_AGENTS}test_both_tools_send_the_credential_and_the_mode_hybrid",
        ),
    ),
    Promise(
        2,
        "Documents and relations through the existing tools, scopes, formatter and readers.",
        (
            f"{_AGENTS}test_bound_agent_gets_relations_and_documents",
            f"{_HOST}test_block_of_the_plugin_s_page_loads_unchanged",
        ),
    ),
    Promise(
        3,
        "Needs no management and no plugin of a page.",
        (f"{_WHEEL}test_installed_plugin_is_loaded_in_a_new_process",),
    ),
    Promise(
        4,
        "Needs a host that knows `relations_search`.",
        (
            f"{_HOST}test_host_without_relations_refuses_the_plugin",
            f"{_PLUGIN}test_plugin_says_which_host_it_needs",
        ),
    ),
    Promise(
        5,
        "The mapping follows LightRAG 1.5.7; `POST /query/data` in the mode `hybrid`.",
        (
            f"{_RELATIONS}test_query_is_one_request_in_the_mode_hybrid",
            f"{_AGENTS}test_both_tools_send_the_credential_and_the_mode_hybrid",
        ),
    ),
    Promise(
        6,
        "Is installed from its folder.",
        (
            f"{_WHEEL}test_folder_can_be_installed_as_a_plugin",
            f"{_EXTENSIONS}test_good_folder_is_installed_and_its_block_printed",
        ),
    ),
    Promise(
        7,
        "The printed block goes into the configuration; a restart reads it.",
        (
            f"{_HOST}test_block_of_the_plugin_s_page_loads_unchanged",
            f"{_AGENTS}test_new_host_reads_the_file_again",
        ),
    ),
    Promise(
        8,
        "The key stands in the environment.",
        (
            f"{_PLUGIN}test_defaults_are_those_of_relations",
            f"{_PLUGIN}test_config_that_cannot_be_used_is_refused",
            f"{_HOST}test_required_plugin_without_its_key_ends_the_start",
        ),
    ),
    Promise(
        9,
        "Needs a credential and exact users; no anonymous or wider connection to fall back to.",
        (
            f"{_AGENTS}test_refused_call_sends_no_request",
            f"{_AGENTS}test_identity_that_a_caller_or_the_model_sends_counts_for_nothing",
            f"{_PLUGIN}test_missing_key_of_the_config_is_refused",
            f"{_PLUGIN}test_names_are_compared_as_they_stand",
            f"{_HOST}test_optional_plugin_without_its_key_is_skipped_with_its_tools",
        ),
    ),
    Promise(
        10,
        "Bound users share what the credential sees; nobody is impersonated.",
        (
            f"{_AGENTS}test_both_tools_send_the_credential_and_the_mode_hybrid",
            f"{_DOCUMENTS}test_head_of_a_request_holds_these_fields_and_nothing_of_who_asks",
        ),
    ),
    Promise(
        11,
        "The server's own rights are the last word.",
        (
            f"{_ANSWERS}test_refusal_says_what_to_do_and_not_what_the_server_said",
            f"{_REAL}test_key_that_the_server_does_not_know_is_refused_there",
        ),
    ),
    Promise(
        12,
        "Removing a tool's entry disables that tool.",
        (f"{_AGENTS}test_removing_a_tool_entry_removes_only_that_tool",),
    ),
    Promise(
        13,
        "The document tool that is built in works without the plugin.",
        (f"{_HOST}test_documents_need_no_plugin",),
    ),
    Promise(
        14,
        "Returns entities and paths of one edge, with ends and description.",
        (
            f"{_RELATIONS}test_relation_stands_behind_its_evidence_and_names_it",
            f"{_GRAPH_TEXT}test_description_of_several_statements_is_shown_as_lines",
        ),
    ),
    Promise(
        15,
        "No longer paths, nothing inferred, no claim of completeness.",
        (
            f"{_RELATIONS}test_paths_are_not_put_together_and_no_relation_is_inferred",
            f"{_GRAPH_TEXT}test_one_relation_never_looks_like_a_path",
            f"{_GRAPH_TEXT}test_description_never_looks_like_an_entry",
            f"{_PROPERTIES}test_no_line_of_the_graph_looks_like_the_first_of_an_entry",
            f"{_RELATIONS}test_partial_view_is_said",
        ),
    ),
    Promise(
        16,
        "`source_id` is split at `<SEP>` and joined to returned `chunk_id`s.",
        (
            f"{_RELATIONS}test_list_of_ids_is_split_trimmed_and_read_once",
            f"{_RELATIONS}test_exact_id_is_joined_before_a_trimmed_one",
            f"{_RELATIONS}test_id_with_blanks_is_joined_by_exactly_itself",
            f"{_RELATIONS}test_missing_ids_of_a_list_are_left_out_and_the_others_count",
            f"{_RELATIONS}test_empty_chunk_id_joins_nothing_and_contradicts_nothing",
            f"{_RELATIONS}test_first_chunk_of_an_id_counts_and_the_contradiction_is_logged",
            f"{_PROPERTIES}test_each_relation_names_exactly_the_returned_chunks_of_its_ids",
        ),
    ),
    Promise(
        17,
        "Only those chunks are cited, by their file's name or that of their reference.",
        (
            f"{_RELATIONS}test_graph_text_never_becomes_a_source",
            f"{_RELATIONS}test_evidence_takes_the_name_of_its_reference",
            f"{_RELATIONS}test_evidence_without_a_document_is_named_and_not_cited",
            f"{_DOCUMENTS}test_missing_name_is_that_of_the_reference",
        ),
    ),
    Promise(
        18,
        "What the graph says of edges and entities stays without a source.",
        (
            f"{_RELATIONS}test_graph_text_never_becomes_a_source",
            f"{_RELATIONS}test_graph_text_carries_no_handle",
            f"{_DOCUMENTS}test_entities_and_relations_alone_give_nothing_to_cite",
        ),
    ),
    Promise(
        19,
        "An edge without a returned chunk says that it lacks document evidence.",
        (f"{_RELATIONS}test_relation_without_a_returned_chunk_is_marked",),
    ),
    Promise(
        20,
        "The same file name proves nothing.",
        (f"{_RELATIONS}test_same_document_name_proves_nothing",),
    ),
    Promise(
        21,
        "The envelope stays as it is.",
        (
            f"{_PROPERTIES}test_every_budget_keeps_positions_true",
            f"{_AGENTS}test_evidence_is_proven_again_after_a_reload",
        ),
    ),
    Promise(
        22,
        "Graph text and excerpts are separate hits, so that no summary becomes a quotation.",
        (
            f"{_RELATIONS}test_relation_stands_behind_its_evidence_and_names_it",
            f"{_RELATIONS}test_graph_text_never_becomes_a_source",
        ),
    ),
    Promise(
        23,
        "The scope is `all` or `disabled`.",
        (
            f"{_AGENTS}test_scope_all_is_searched",
            f"{_AGENTS}test_disabled_scope_takes_both_tools_away",
            f"{_HOST}test_provider_that_cannot_narrow_leaves_all_and_disabled",
        ),
    ),
    Promise(
        24,
        "Selections are refused before any request and never searched wider.",
        (
            f"{_AGENTS}test_refused_call_sends_no_request",
            f"{_RELATIONS}test_scope_but_all_is_refused_before_any_request",
            f"{_DOCUMENTS}test_scope_but_all_is_refused_before_any_request",
        ),
    ),
    Promise(
        25,
        "Two different providers switch the selector off.",
        (f"{_HOST}test_two_providers_switch_the_selector_off",),
    ),
    Promise(
        26,
        "No redirects, a time-out, and at most 4 MiB.",
        (
            f"{_ANSWERS}test_fault_is_one_clear_error",
            f"{_ANSWERS}test_answer_of_four_mebibytes_is_read_and_no_more",
            f"{_AGENTS}test_no_secret_leaves_a_run",
        ),
    ),
    Promise(
        27,
        "What is displayed and cited is bounded; a graph is a partial view.",
        (
            f"{_AGENTS}test_limit_of_a_tool_cuts_the_graph_at_its_end",
            f"{_DENSE}test_dense_graph_shows_relations_within_the_default_limits",
            f"{_DENSE}test_no_more_relations_and_entities_are_looked_at_than_a_text_shows",
            f"{_RELATIONS}test_partial_view_is_said",
        ),
    ),
    Promise(
        28,
        "Offline tests: requests, permissions, joins, bad answers, redaction, combinations,"
        " delegation, replay, budgets.",
        (
            f"{_DOCUMENTS}test_head_of_a_request_holds_these_fields_and_nothing_of_who_asks",
            f"{_AGENTS}test_refused_call_sends_no_request",
            f"{_RELATIONS}test_relation_without_both_ends_is_left_out_with_its_evidence",
            f"{_PROPERTIES}test_each_relation_names_exactly_the_returned_chunks_of_its_ids",
            f"{_ANSWERS}test_success_of_another_shape_is_a_protocol_error",
            f"{_SECRETS}test_hits_and_written_evidence_hold_no_key",
            f"{_SECRETS}test_key_that_holds_the_separator_of_statements_is_found_whole",
            f"{_AGENTS}test_key_that_the_server_echoes_is_redacted",
            f"{_HOST}test_two_providers_switch_the_selector_off",
            f"{_AGENTS}test_removing_a_tool_entry_removes_only_that_tool",
            f"{_DELEGATED}test_bound_sub_agent_brings_home_the_passage_that_it_cites",
            f"{_DELEGATED}test_sub_agent_that_is_not_bound_sends_no_request",
            f"{_AGENTS}test_evidence_is_proven_again_after_a_reload",
            f"{_PROPERTIES}test_every_budget_keeps_positions_true",
        ),
    ),
    Promise(
        29,
        "A real server passed, for the provider and for agents with three tools; its models here"
        " are stubs.",
        (
            f"{_REAL}test_agent_gets_passages_that_stand_in_the_documents",
            f"{_REAL}test_agent_sees_relations_of_the_graph_with_the_passages_behind_them",
            f"{_REAL}test_nobody_else_gets_anything",
            f"{_THREE_TOOLS}test_three_tools_give_passages_that_stand_in_the_documents",
            f"{_THREE_TOOLS}test_user_and_sub_agent_that_are_not_named_get_nothing",
            f"{_REAL_RELATIONS}test_relations_name_the_returned_chunks_of_their_ids",
            f"{_REAL_RELATIONS}test_server_killed_while_it_searches_is_one_error_and_loses_nothing",
        ),
    ),
    Promise(
        30,
        "Passing offline is no acceptance; look at relations and at their evidence.",
        why_untested="Advice to operators; it stands in VALIDATION.md.",
    ),
    Promise(
        31,
        "A shared chunk stands once, before the first edge that names it.",
        (
            f"{_RELATIONS}test_shared_chunk_stands_once_before_the_first_relation_that_names_it",
            f"{_RELATIONS}test_two_ids_of_one_text_are_one_position",
        ),
    ),
    Promise(
        32,
        "Every edge names positions, which no cut at the end can make wrong.",
        (
            f"{_PROPERTIES}test_every_budget_keeps_positions_true",
            f"{_PROPERTIES}test_each_relation_names_exactly_the_returned_chunks_of_its_ids",
        ),
    ),
)
