"""Settings: their ranges, and refusals that name a setting and never quote it."""

from typing import Any

import pytest

from knowledge_contract.errors import ProviderConfigurationError
from knowledge_contract.providers.ragflow import RagflowProvider, RagflowSettings

KEY = "sk-secret-0123456789"


def settings(**changes: Any) -> RagflowSettings:
    return RagflowSettings(**{"api_key": KEY, **changes})


def test_defaults_are_those_of_a_server_on_this_machine() -> None:
    made = settings()

    assert (made.base_url, made.datasets, made.timeout_s) == ("http://localhost:9380", None, 30.0)
    assert made.search_timeout_s == 120.0
    assert (made.page_size, made.top_k, made.excerpt_chars, made.limit_chars) == (
        *(8, 256, 800),
        8000,
    )
    assert (made.rerank_id, made.keyword, made.metadata_condition) == (None, False, None)


BOUNDS = {
    "page_size": (1, 100),
    "top_k": (1, 1024),
    "excerpt_chars": (1, 100_000),
    "limit_chars": (1, 1_000_000),
}


@pytest.mark.parametrize(
    ("name", "least", "most"), [(n, *b) for n, b in BOUNDS.items()], ids=BOUNDS
)
def test_whole_number_has_its_range(name: str, least: int, most: int) -> None:
    for good in (least, most):
        assert getattr(settings(**{name: good}), name) == good
    for bad in (least - 1, most + 1, True, 1.5, "8", None):
        with pytest.raises(ProviderConfigurationError, match=rf"\Aragflow: {name} [^\n]+\Z"):
            settings(**{name: bad})


@pytest.mark.parametrize("name", ["similarity_threshold", "vector_similarity_weight"])
def test_share_has_its_range(name: str) -> None:
    for good in (0, 0.5, 1):
        assert getattr(settings(**{name: good}), name) == good
    for bad in (-0.001, 1.001, float("nan"), True, "0.5"):
        with pytest.raises(ProviderConfigurationError, match=rf"\Aragflow: {name} "):
            settings(**{name: bad})


@pytest.mark.parametrize(("name", "most"), [("timeout_s", 600), ("search_timeout_s", 3600)])
def test_time_out_has_its_range(name: str, most: int) -> None:
    for good in (0.001, most):
        assert getattr(settings(**{name: good}), name) == good
    for bad in (0, -1, most + 0.001, float("nan"), float("inf"), True, "30"):
        with pytest.raises(ProviderConfigurationError, match=rf"\Aragflow: {name} "):
            settings(**{name: bad})


def test_datasets_are_trimmed_and_kept_once_in_their_order() -> None:
    assert settings(datasets=[" b ", "a", "b", "a\n"]).datasets == ("b", "a")


def test_up_to_a_hundred_datasets_can_be_named() -> None:
    ids = [f"d{number}" for number in range(100)]

    assert settings(datasets=[*ids, "d0"]).datasets == tuple(ids)
    with pytest.raises(ProviderConfigurationError, match="at most 100"):
        settings(datasets=[*ids, "one more"])


@pytest.mark.parametrize(
    "datasets",
    [[], "secret", ["a", " "], ["a", "secret" * 50], ["a", 7], ["a", "secret\ud800"], {"a": "b"}],
    ids=["empty", "one text", "blank", "too long", "no text", "surrogate", "mapping"],
)
def test_datasets_that_cannot_be_used_are_refused(datasets: Any) -> None:
    with pytest.raises(ProviderConfigurationError, match=r"\Aragflow: [^\n]*dataset") as caught:
        settings(datasets=datasets)

    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "key",
    ["", "  ", None, 7, "sk secret", "sk-secret\nX: 1", "sk-sécret", "sk-secret" * 500],
    ids=["empty", "blank", "none", "number", "blank inside", "line end", "not ASCII", "too long"],
)
def test_key_that_no_header_can_carry_is_refused(key: Any) -> None:
    with pytest.raises(ProviderConfigurationError, match=r"\Aragflow: api_key [^\n]+\Z") as caught:
        settings(api_key=key)

    assert "secret" not in str(caught.value)


def test_key_is_trimmed_and_never_shown() -> None:
    made = settings(api_key=f" {KEY}\n")

    assert made.api_key == KEY
    assert KEY not in f"{made!r} {RagflowProvider(made)!r} {RagflowProvider(made).settings}"


def test_address_with_credentials_is_refused() -> None:
    with pytest.raises(ProviderConfigurationError, match=r"\Aragflow: base_url ") as caught:
        settings(base_url="http://user:secret@host")

    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "changes",
    [
        {"keyword": 1},
        {"rerank_id": ""},
        {"rerank_id": 7},
        {"rerank_id": "x" * 257},
        {"metadata_condition": {}},
        {"metadata_condition": {"conditions": []}},
        {"metadata_condition": [{"name": "year"}]},
        {"metadata_condition": {"conditions": [{"value": float("nan")}]}},
        {"metadata_condition": {"conditions": [object()]}},
    ],
    ids=[
        *("keyword", "blank model", "model", "long model", "no condition", "empty condition"),
        *("list", "not a number", "not JSON"),
    ],
)
def test_further_settings_are_checked_as_well(changes: dict[str, Any]) -> None:
    with pytest.raises(ProviderConfigurationError):
        settings(**changes)


def test_condition_is_a_copy() -> None:
    condition = {"logic": "and", "conditions": [{"name": "year", "value": "2026"}]}
    made = settings(metadata_condition=condition)

    condition["conditions"] = []

    assert made.metadata_condition is not None
    assert len(made.metadata_condition["conditions"]) == 1
