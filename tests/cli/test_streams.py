"""Text that any terminal survives."""

import json

import pytest

from cli.program import Run
from knowledge_contract.cli.streams import printable

STEERING = {
    "escape": ("\x1b[31m", "\\x1b[31m"),
    "newline": ("a\nb", "a\\nb"),
    "carriage-return": ("a\rb", "a\\rb"),
    "c1": ("\x9b1m", "\\x9b1m"),
    "delete": ("\x7f", "\\x7f"),
    "line-separator": ("\u2028", "\\u2028"),
    "right-to-left-override": ("\u202e", "\\u202e"),
    "isolate": ("\u2066", "\\u2066"),
    "lone-surrogate": ("\udc80", "\\udc80"),
}


@pytest.mark.parametrize(("text", "shown"), STEERING.values(), ids=STEERING)
def test_what_steers_a_terminal_is_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize("text", ["a\tb", "Späne 図書室 دليل 😀", "\u200d"], ids=ascii)
def test_other_text_stays(text: str) -> None:
    assert printable(text) == text


def test_output_is_utf_8_in_any_locale(run_apart: Run) -> None:
    ending = run_apart("demo", PATH="", LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")

    assert (ending.code, ending.err) == (0, "")
    assert "社区图书室借阅须知" in ending.out


def test_json_is_ascii(run: Run) -> None:
    ending = run("demo", "--format", "json", PATH="")

    assert ending.out.isascii()
    assert "社区图书室借阅须知" in json.loads(ending.out)["answers"][1]["message"]["content"]
