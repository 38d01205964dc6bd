"""A secret that only display would put together again is redacted before it is displayed."""

import pytest

from knowledge_contract.formatting import format_result
from knowledge_contract.normalize import normalize_hit
from knowledge_contract.redaction import redact, redactor
from knowledge_contract.retrieval import RetrievalHit, RetrievalResult

SECRET = "hunter2-token"  # noqa: S105 - opens nothing
HANDLE = f"](#knowledge-source-{'0' * 32})"
SPLIT = {
    "text by a half handle": RetrievalHit(text=f"the key hunter{HANDLE}2-token ends"),
    "text by a whole handle": RetrievalHit(text=f"the key hunter[citation:2-{HANDLE}token ends"),
    "title by a bracket": RetrievalHit(text="Text.", title="hunter[2-token"),
    "title by a mark of direction": RetrievalHit(text="Text.", title="hun\u200eter2-token"),
    "title by a backtick": RetrievalHit(text="Text.", title="hunter2`-token"),
    "dataset by a bar": RetrievalHit(text="Text.", title="Guide", dataset_name="hunter2|-token"),
    "edge by a handle": RetrievalHit(text=f"hunter{HANDLE}2-token", title="Guide", evidence=()),
}


@pytest.mark.parametrize("hit", SPLIT.values(), ids=SPLIT)
def test_display_does_not_put_a_secret_together_again(hit: RetrievalHit) -> None:
    kept = normalize_hit(hit, secrets=[SECRET])

    text, artifact = format_result(
        RetrievalResult("local", (kept,)), limit_chars=1000, excerpt_chars=800
    )

    assert SECRET not in text
    assert SECRET not in repr(artifact)
    assert normalize_hit(kept, secrets=[SECRET]) == kept


def test_secret_over_a_blank_line_is_found_where_it_is_folded() -> None:
    kept = normalize_hit(RetrievalHit(text="one\n\ntwo"), secrets=["one\ntwo"])

    text, _ = format_result(RetrievalResult("local", (kept,)), limit_chars=1000, excerpt_chars=800)

    assert "one\ntwo" not in text


def test_one_text_for_many_secrets_is_the_callers_bug() -> None:
    with pytest.raises(TypeError, match="secrets is a collection of texts"):
        redactor("hunter2")


@pytest.mark.parametrize("text", ["\\a\\b", "\\\\a\\\\b", "\\u005ca%5Cb", "%5ca\\\\b"])
def test_backslashes_are_found_however_each_is_spelled(text: str) -> None:
    assert redact(f"x {text} y", ["\\a\\b"]) == "x [redacted] y"


def test_many_backslashes_take_no_exponential_time() -> None:
    assert redact("\\" * 5_000 + "y", ["\\" * 60 + "x"]) == "\\" * 5_000 + "y"
