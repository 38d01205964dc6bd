"""What counts as work is counted, or no test that counts work could fail."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from core.counted_searches import count_characters, count_searches

TEXT = "a" * 1_000
OTHER = "c" * 1_000
B = re.compile("b")

SEARCHES: dict[str, tuple[Callable[[str], Any], int]] = {
    "in": (lambda text: "b" in text, 1),
    "not in": (lambda text: "b" not in text, 1),
    "find": (lambda text: text.find("b"), 1),
    "rfind": (lambda text: text.rfind("b"), 1),
    "split": (lambda text: text.split("b"), 1),
    "pattern": (lambda text: B.search(text) is None, 1),
    "scan": (lambda text: list(B.finditer(text)), 1),
    "in a function below": (lambda text: [SEARCHES["in"][0](text)], 1),
    "several": (lambda text: ("b" in text, text.find("b"), "c" in text), 3),
    "comparison at a place": (lambda text: text.startswith("b", 3), 0),
    "another text": (lambda _: OTHER.find("b"), 0),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_each_way_to_search_a_text_is_counted(name: str) -> None:
    action, expected = SEARCHES[name]

    assert count_searches(lambda: action(TEXT), TEXT) == expected


CHARACTERS: dict[str, tuple[Callable[[str], Any], int]] = {
    "nothing": (lambda _: None, 0),
    "slice": (lambda text: text[10:110], 100),
    "slice of a slice": (lambda text: text[10:110][:50], 150),
    "search": (lambda text: text.rfind("b"), 1_000),
    "in": (lambda text: "b" in text, 1_000),
    "sum": (lambda text: text[:100] + "b", 201),
    "scan": (lambda text: list(B.finditer(text)), 1_000),
}


@pytest.mark.parametrize("name", CHARACTERS)
def test_characters_that_an_action_goes_through_are_counted(name: str) -> None:
    action, expected = CHARACTERS[name]

    counted = count_characters(action, TEXT)

    assert expected <= counted < expected + 20
