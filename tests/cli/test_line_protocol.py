"""What counts as an answer of a reader in another process."""

import pytest

from knowledge_contract.cli.line_protocol import Answer, Declined, Id, parse_answer
from knowledge_contract.cli.verdicts import Findings, Found, Verdict
from knowledge_wire.parsing import Problem

ANSWERS = {
    "valid": ({"valid": True, "problems": []}, Verdict(valid=True)),
    "refused": (
        {"valid": False, "problems": [{"pointer": "/a", "rule": "type"}]},
        Verdict(valid=False, problems=(Problem("/a", "type"),)),
    ),
    "refused-without-problems": ({"valid": False, "problems": []}, Verdict(valid=False)),
    "id": ({"id": "0a"}, Id("0a")),
    "declined": ({"declined": True}, Declined()),
    "nothing-found": ({"evidence": [], "refused": [], "overflow": 0}, Findings((), (), 0)),
    "findings": (
        {
            "evidence": [{"id": "0a", "form": "shared", "binding": "entry", "title": "x"}],
            "refused": [{"pointer": "/a", "rule": "id"}],
            "overflow": 3,
        },
        Findings((Found("0a", "shared", "entry"),), (Problem("/a", "id"),), 3),
    ),
    "more-keys": ({"declined": True, "why": "no time"}, Declined()),
}
NO_REFUSAL = "an item of `refused` has no string `pointer` or no string `rule`"
NO_EVIDENCE = "an item of `evidence` has no string `id`, `form` or `binding`"
NO_COUNT = "`overflow` is not a whole number, from 0"
NO_PROBLEM = "an item of `problems` has no string `pointer` or no string `rule`"
GARBAGE: dict[str, tuple[object, str]] = {
    "null": (None, "it is not an object"),
    "list": (["secret"], "it is not an object"),
    "empty": ({}, "it has no key `valid`, `id`, `evidence` or `declined`"),
    "other-key": ({"secret": 1}, "it has no key `valid`, `id`, `evidence` or `declined`"),
    "valid-with-problems": (
        {"valid": True, "problems": [{"pointer": "", "rule": "type"}]},
        "`valid` is true, and `problems` is not empty",
    ),
    "valid-as-number": ({"valid": 1, "problems": []}, "`valid` is neither true nor false"),
    "no-problems": ({"valid": True}, "`problems` is not a list"),
    "problem-without-rule": ({"valid": False, "problems": [{"pointer": ""}]}, NO_PROBLEM),
    "problem-as-text": ({"valid": False, "problems": ["secret"]}, NO_PROBLEM),
    "id-as-number": ({"id": 7}, "`id` is not a string"),
    "evidence-as-object": (
        {"evidence": {}, "refused": [], "overflow": 0},
        "`evidence` is not a list",
    ),
    "no-refused": ({"evidence": [], "overflow": 0}, "`refused` is not a list"),
    "no-overflow": ({"evidence": [], "refused": []}, NO_COUNT),
    "overflow-true": ({"evidence": [], "refused": [], "overflow": True}, NO_COUNT),
    "overflow-negative": ({"evidence": [], "refused": [], "overflow": -1}, NO_COUNT),
    "overflow-fraction": ({"evidence": [], "refused": [], "overflow": 0.5}, NO_COUNT),
    "evidence-as-text": ({"evidence": ["secret"], "refused": [], "overflow": 0}, NO_EVIDENCE),
    "evidence-without-form": (
        {"evidence": [{"id": "0a", "binding": "entry"}], "refused": [], "overflow": 0},
        NO_EVIDENCE,
    ),
    "refused-as-text": ({"evidence": [], "refused": ["secret"], "overflow": 0}, NO_REFUSAL),
    "declined-as-number": ({"declined": 1}, "`declined` is not true"),
    "not-declined": ({"declined": False}, "`declined` is not true"),
}


@pytest.mark.parametrize(("answer", "parsed"), ANSWERS.values(), ids=ANSWERS)
def test_answer_is_read(answer: object, parsed: Answer) -> None:
    assert parse_answer(answer) == parsed


@pytest.mark.parametrize(("answer", "why"), GARBAGE.values(), ids=GARBAGE)
def test_garbage_is_no_answer(answer: object, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{why}$"):
        parse_answer(answer)
