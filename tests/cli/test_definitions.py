"""Definitions are found however they are spelled."""

import pytest

from cli.program import Run
from knowledge_contract.cli.definitions import find_definition
from knowledge_contract.errors import InputError
from knowledge_wire.validators import CHECKS


@pytest.mark.parametrize(
    "name", ["KnowledgeSource", "knowledgesource", "knowledge_source", "KNOWLEDGE-SOURCE"]
)
def test_case_and_separators_do_not_count(name: str) -> None:
    assert find_definition(name) == "KnowledgeSource"


def test_every_definition_has_a_spelling_of_its_own() -> None:
    assert [find_definition(name) for name in CHECKS] == list(CHECKS)


@pytest.mark.parametrize("name", ["", "source id"])
def test_what_the_contract_does_not_define_is_refused(name: str) -> None:
    with pytest.raises(InputError):
        find_definition(name)


def test_unknown_name_gets_a_hint_and_the_list(run: Run) -> None:
    ending = run("validate", "--as", "KnowledgeSorce")

    assert (ending.code, ending.out) == (2, "")
    assert ending.err == (
        "unknown definition KnowledgeSorce; did you mean KnowledgeSource? "
        f"(known: {', '.join(sorted(CHECKS))})\n"
    )


def test_name_that_only_definitions_use_is_told_apart(run: Run) -> None:
    ending = run("validate", "--as", "source_id")

    listed = f"(known: {', '.join(sorted(CHECKS))})"
    assert ending == (2, "", f"SourceId is only used by other definitions {listed}\n")
