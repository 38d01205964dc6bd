"""Which limits settings give, and which settings are refused."""

import copy
import pickle
from typing import Any

import pytest

from knowledge_contract.budget import BudgetSettings, apply_budget


def output(text: str, name: str | None) -> dict[str, Any]:
    return {"type": "tool", "name": name, "content": text}


LIMITS: dict[str, tuple[BudgetSettings, str | None, int | None]] = {
    "the defaults": (BudgetSettings(), "search", 12_000),
    "a tool without a name": (BudgetSettings(), None, 12_000),
    "a lower fallback": (BudgetSettings(fallback_max_chars=9), "search", 9),
    "no threshold": (BudgetSettings(externalize_min_chars=0), "search", 30_000),
    "no fallback": (BudgetSettings(fallback_max_chars=0), "search", 12_000),
    "neither": (BudgetSettings(externalize_min_chars=0, fallback_max_chars=0), "search", None),
    "an override": (BudgetSettings(tool_overrides={"search": 50}), "search", 50),
    "an override above": (BudgetSettings(tool_overrides={"search": 50_000}), "search", 30_000),
    "another's override": (BudgetSettings(tool_overrides={"task": 50}), "search", 12_000),
    "an override of 0": (BudgetSettings(tool_overrides={"search": 0}), "search", 30_000),
    "an exempt tool": (BudgetSettings(), "read_file", None),
    "the other exempt tool": (BudgetSettings(), "read_file_tool", None),
    "disabled": (BudgetSettings(enabled=False), "search", None),
}


@pytest.mark.parametrize(("settings", "name", "limit"), LIMITS.values(), ids=LIMITS)
def test_limit_is_the_smallest_positive_one(
    settings: BudgetSettings, name: str | None, limit: int | None
) -> None:
    assert settings.limit_chars(name) == limit
    if limit is None:
        message = output("x" * 40_000, name)
        assert apply_budget(message, settings) is message
        return
    at_limit, beyond = output("x" * limit, name), output("x" * (limit + 1), name)
    assert apply_budget(at_limit, settings) is at_limit
    assert len(apply_budget(beyond, settings)["content"]) <= limit


BAD: dict[str, dict[str, Any]] = {
    "a negative number": {"externalize_min_chars": -1},
    "a boolean for a number": {"preview_head_chars": True},
    "a fraction": {"fallback_max_chars": 1.5},
    "a text for a number": {"fallback_tail_chars": "3000"},
    "None for a number": {"fallback_head_chars": None},
    "a number for a boolean": {"enabled": 1},
    "one name for many": {"exempt_tools": "read_file"},
    "a number as a name": {"exempt_tools": [1]},
    "no mapping of overrides": {"tool_overrides": [("search", 1)]},
    "a number as an overridden tool": {"tool_overrides": {1: 1}},
    "a negative override": {"tool_overrides": {"search": -1}},
    "a boolean override": {"tool_overrides": {"search": False}},
}


@pytest.mark.parametrize("changes", BAD.values(), ids=BAD)
def test_bad_settings_are_refused_by_name_however_they_are_made(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(changes))):
        BudgetSettings(**changes)
    with pytest.raises(ValueError, match=next(iter(changes))):
        BudgetSettings()._replace(**changes)


def test_settings_keep_their_overrides_to_themselves() -> None:
    overrides = {"search": 50}
    settings = BudgetSettings(tool_overrides=overrides)

    overrides["search"] = -1

    assert settings.limit_chars("search") == 50


def test_settings_survive_copies_and_pickles() -> None:
    settings = BudgetSettings(tool_overrides={"search": 0})

    assert pickle.loads(pickle.dumps(settings)) == settings  # noqa: S301 - our own bytes
    assert copy.deepcopy(settings) == settings
