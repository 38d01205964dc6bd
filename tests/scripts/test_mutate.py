"""Changes that no test notices: each is known, has a reason, and is about a line that exists."""

import pytest

from mutate import ROOT, Change, known_survivors, report

KNOWN = Change("knowledge_contract.reading._bind", "- a\n+ b")
OTHER = Change("knowledge_contract.reading._bind", "- a\n+ c")


@pytest.mark.parametrize(
    ("survived", "known", "code"),
    [
        ([KNOWN, KNOWN], {KNOWN: "Equal."}, 0),
        ([], {}, 0),
        ([KNOWN, OTHER], {KNOWN: "Equal."}, 1),
        ([], {KNOWN: "Equal."}, 1),
        ([KNOWN], {KNOWN: " "}, 1),
    ],
    ids=["as known", "none", "unknown", "stale", "no reason"],
)
def test_survivors_must_be_as_known(
    survived: list[Change], known: dict[Change, str], code: int
) -> None:
    assert report(survived, known) == code


def test_each_known_survivor_is_about_a_line_that_exists() -> None:
    for change in known_survivors():
        package, module, _ = change.function.split(".")
        source = (ROOT / f"src/{package}/{module}.py").read_text(encoding="utf-8")
        lines = {line.strip() for line in source.splitlines()}
        removed = {line[2:] for line in change.lines.splitlines() if line.startswith("- ")}

        assert removed
        assert removed <= lines
