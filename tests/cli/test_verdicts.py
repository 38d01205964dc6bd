"""Verdicts in words."""

import pytest

from knowledge_contract.cli.vectors import load_vectors
from knowledge_contract.cli.verdicts import Verdict, explain, summarize, verdict_lines
from knowledge_wire.parsing import Problem


def test_every_rule_of_the_vectors_is_explained() -> None:
    vectors = load_vectors()
    rules = {vector.problem.rule for vector in vectors if vector.problem}
    rules |= {
        each.rule for vector in vectors if vector.findings for each in vector.findings.refused
    }

    assert [rule for rule in sorted(rules) if "own rule" in explain(Problem("", rule))] == []


def test_unknown_rule_is_printed_with_a_general_explanation() -> None:
    assert explain(Problem("/a", "odd")) == "/a odd: refused by this reader's own rule"


@pytest.mark.parametrize(
    ("verdict", "lines", "summary"),
    [
        (Verdict(valid=True), ["valid"], "valid"),
        (Verdict(valid=False), ["refused"], "refused"),
        (
            Verdict(valid=False, problems=(Problem("", "json"),), reason="not JSON"),
            ["refused: (document) json: not JSON"],
            "refused at (document) by json",
        ),
        (
            Verdict(valid=False, problems=(Problem("/a", "type"), Problem("/b", "enum"))),
            [
                "refused: /a type: not of the type that the contract names",
                "refused: /b enum: not one of the values that the contract lists",
            ],
            "refused at /a by type",
        ),
    ],
    ids=["valid", "no-problems", "not-json", "two-problems"],
)
def test_verdict_has_a_line_for_each_problem(
    verdict: Verdict, lines: list[str], summary: str
) -> None:
    assert verdict_lines(verdict) == lines
    assert summarize(verdict) == summary
