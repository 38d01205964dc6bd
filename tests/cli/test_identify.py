"""Ids from sources."""

import json

import pytest

from cli.program import Run

SOURCE = {"provider": "local", "title": "Handbook", "excerpt": "Ask before you deploy."}
SOURCE_ID = "084ed617406f2c6e73dae2dcfc1d69d2"
WRONG_ID = "f" * 32


@pytest.mark.parametrize(
    "source",
    [SOURCE, {"id": SOURCE_ID, **SOURCE}, dict(reversed(SOURCE.items()))],
    ids=["without-id", "with-id", "other-order"],
)
def test_id_is_printed(run: Run, source: dict[str, str]) -> None:
    assert run("id", stdin=json.dumps(source)) == (0, f"{SOURCE_ID}\n", "")


def test_id_that_does_not_recompute_is_a_problem(run: Run) -> None:
    ending = run("id", stdin=json.dumps({"id": WRONG_ID, **SOURCE}))

    assert ending == (
        1,
        f"{SOURCE_ID}\n",
        "refused: /id id: does not recompute: something that it covers was changed\n",
    )


def test_source_is_checked_first(run: Run) -> None:
    ending = run("id", stdin=json.dumps({**SOURCE, "id": "short", "page": True}))

    assert ending == (
        1,
        "",
        (
            "refused: /id minLength: shorter than the contract allows\n"
            "refused: /page type: not of the type that the contract names\n"
        ),
    )


def test_a_whole_number_is_an_integer_however_it_is_written(run: Run) -> None:
    endings = [run("id", stdin=json.dumps({**SOURCE, "page": page})) for page in (3, 3.0)]

    assert endings[0] == endings[1]
    assert endings[0].code == 0


def test_lines_are_answered_one_by_one(run: Run) -> None:
    lines = [SOURCE, {"id": WRONG_ID, **SOURCE}, {**SOURCE, "title": ""}]
    stdin = "".join(json.dumps(line) + "\n" for line in lines) + "\n"

    ending = run("id", "--jsonl", stdin=stdin)

    assert (ending.code, ending.err) == (1, "")
    assert [json.loads(line) for line in ending.out.splitlines()] == [
        {"id": SOURCE_ID},
        {"id": SOURCE_ID, "problems": [{"pointer": "/id", "rule": "id"}]},
        {"problems": [{"pointer": "/title", "rule": "minLength"}]},
        {"problems": [{"pointer": "", "rule": "json"}]},
    ]


def test_lines_of_text_stay_side_by_side(run: Run) -> None:
    wrong = {"id": WRONG_ID, **SOURCE}
    stdin = f"{{}}\n{json.dumps(SOURCE)}\n[]\n{json.dumps(wrong)}\n"

    ending = run("id", "--jsonl", "--format", "text", stdin=stdin)

    missing = "required: missing, and the contract requires it"
    assert ending == (
        1,
        f"\n{SOURCE_ID}\n\n{SOURCE_ID}\n",
        (
            f"line 1: refused: /provider {missing}; /title {missing}; /excerpt {missing}\n"
            "line 3: refused: (document) type: not of the type that the contract names\n"
            "line 4: refused: /id id: does not recompute: something that it covers was changed\n"
        ),
    )
