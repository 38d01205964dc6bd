"""What counts as an answer of a reader in another process."""

import pytest

from knowledge_contract.cli.line_protocol import Answer, Declined, Id, parse_answer
from knowledge_contract.cli.verdicts import Verdict
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
    "more-keys": ({"declined": True, "why": "no time"}, Declined()),
}
GARBAGE: dict[str, object] = {
    "null": None,
    "list": [],
    "empty": {},
    "valid-with-problems": {"valid": True, "problems": [{"pointer": "", "rule": "type"}]},
    "valid-as-number": {"valid": 1, "problems": []},
    "no-problems": {"valid": True},
    "problem-without-rule": {"valid": False, "problems": [{"pointer": ""}]},
    "problem-as-text": {"valid": False, "problems": ["type"]},
    "id-as-number": {"id": 7},
    "declined-as-number": {"declined": 1},
    "not-declined": {"declined": False},
}


@pytest.mark.parametrize(("answer", "parsed"), ANSWERS.values(), ids=ANSWERS)
def test_answer_is_read(answer: object, parsed: Answer) -> None:
    assert parse_answer(answer) == parsed


@pytest.mark.parametrize("answer", GARBAGE.values(), ids=GARBAGE)
def test_garbage_is_no_answer(answer: object) -> None:
    with pytest.raises(ValueError, match="line protocol"):
        parse_answer(answer)
