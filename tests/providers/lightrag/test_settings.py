"""Settings: their ranges, and refusals that name a setting and never quote it."""

from typing import Any

import pytest

from knowledge_contract.errors import ProviderConfigurationError
from knowledge_contract.providers.lightrag import (
    LightragProvider,
    LightragRelationsProvider,
    LightragRelationsSettings,
    LightragSettings,
)

KEY = "lr-secret-0123456789"


def test_defaults_are_those_of_a_server_on_this_machine() -> None:
    made = LightragSettings()

    assert (made.base_url, made.api_key, made.mode) == ("http://localhost:9621", None, "mix")
    assert (made.timeout_s, made.top_k, made.chunk_top_k) == (30.0, 60, None)
    assert (made.excerpt_chars, made.limit_chars) == (800, 8000)


def test_relations_are_searched_in_one_mode_and_fewer_of_them() -> None:
    made = LightragRelationsSettings()

    assert (made.mode, made.top_k, made.base_url) == ("hybrid", 20, "http://localhost:9621")
    with pytest.raises(ProviderConfigurationError, match=r"\Alightrag: mode "):
        LightragRelationsSettings(mode="mix")  # type: ignore[arg-type]  # refused at run time too


@pytest.mark.parametrize("mode", ["naive", "local", "global", "hybrid", "mix"])
def test_mode_that_retrieves_is_accepted(mode: Any) -> None:
    assert LightragSettings(mode=mode).mode == mode


@pytest.mark.parametrize(
    "mode", ["bypass", "Mix", "", None, 7], ids=["bypass", "case", "empty", "none", "number"]
)
def test_any_other_mode_is_refused(mode: Any) -> None:
    with pytest.raises(ProviderConfigurationError, match=r"\Alightrag: mode [^\n]+\Z"):
        LightragSettings(mode=mode)


BOUNDS = {
    "top_k": 1000,
    "chunk_top_k": 1000,
    "excerpt_chars": 100_000,
    "limit_chars": 1_000_000,
}


@pytest.mark.parametrize(("name", "most"), BOUNDS.items(), ids=BOUNDS)
def test_whole_number_has_its_range(name: str, most: int) -> None:
    for good in (1, most):
        given: dict[str, Any] = {name: good}
        assert getattr(LightragSettings(**given), name) == good
    for bad in (0, -1, most + 1, True, 1.5, "8"):
        given = {name: bad}
        with pytest.raises(ProviderConfigurationError, match=rf"\Alightrag: {name} [^\n]+\Z"):
            LightragSettings(**given)


def test_time_out_has_its_range() -> None:
    for good in (0.001, 600):
        assert LightragSettings(timeout_s=good).timeout_s == good
    bads: list[Any] = [0, -1, 600.001, float("nan"), float("inf"), True, "30", None]
    for bad in bads:
        with pytest.raises(ProviderConfigurationError, match=r"\Alightrag: timeout_s "):
            LightragSettings(timeout_s=bad)


@pytest.mark.parametrize(
    "key",
    [7, "lr secret", "lr-secret\nX: 1", "lr-sécret", "lr-secret" * 500],
    ids=["number", "blank inside", "line end", "not ASCII", "too long"],
)
def test_key_that_no_header_can_carry_is_refused(key: Any) -> None:
    with pytest.raises(ProviderConfigurationError, match=r"\Alightrag: the key [^\n]+\Z") as caught:
        LightragSettings(api_key=key)

    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("key", [None, "", " \n"], ids=["none", "empty", "blank"])
def test_server_without_a_key_needs_none(key: str | None) -> None:
    assert LightragSettings(api_key=key).api_key is None


def test_key_is_trimmed_and_never_shown() -> None:
    made = LightragRelationsSettings(api_key=f" {KEY}\n")

    assert made.api_key == KEY
    shown = [made, LightragProvider(made), LightragRelationsProvider(made)]
    assert KEY not in f"{shown!r} {shown[0]} {shown[1]} {shown[2]}"


@pytest.mark.parametrize(
    "address",
    ["http://user:secret@host", "ftp://secret", "secret", "http://host/?key=secret", ""],
    ids=["credentials", "scheme", "no URL", "query", "empty"],
)
def test_address_that_cannot_be_used_is_refused(address: str) -> None:
    with pytest.raises(ProviderConfigurationError, match=r"\Alightrag: base_url ") as caught:
        LightragSettings(base_url=address)

    assert "secret" not in str(caught.value)


def test_name_of_a_provider_has_to_fit_the_contract() -> None:
    settings = LightragRelationsSettings()

    assert LightragRelationsProvider(settings).name == "lightrag-relations"
    assert LightragRelationsProvider(settings, name="graph").name == "graph"
    with pytest.raises(ProviderConfigurationError, match=r"\Alightrag: name "):
        LightragRelationsProvider(settings, name="Graph of ours")
