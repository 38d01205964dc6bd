"""The example runs: an agent answers from a folder, and its citation resolves to the document."""

import runpy
import sys
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from scripted_model import ScriptedModel, call_tool

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "agent.py"


@pytest.fixture
def example() -> dict[str, Any]:
    """Return what the example's module holds."""
    return runpy.run_path(str(EXAMPLE))


@pytest.fixture
def handbook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of documents whose index stays in the test's own place."""
    for name in ("XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "cache"))
    folder = tmp_path / "handbook"
    folder.mkdir()
    (folder / "tea.md").write_text("# Tea room\n\nGreen tea needs 80 °C.\n", encoding="utf-8")
    return folder


def cite(messages: list[BaseMessage]) -> AIMessage:
    """Answer as a model would: with the link from the tool's first line."""
    first = str(messages[-1].content).split("\n")[0]
    return AIMessage(f"At 80 °C {first[first.index('[citation') :]}.")


def test_agent_answers_from_the_folder_with_a_citation(
    example: dict[str, Any], handbook: Path
) -> None:
    model = ScriptedModel(script=[call_tool("knowledge_search", query="green tea"), cite])
    agent = example["build_agent"](model, handbook)

    answer, titles = example["ask"](agent, "How hot?")

    assert answer.startswith("At 80 °C [citation:Tea room](#knowledge-source-")
    assert titles == ["Tea room"]


@pytest.mark.parametrize(
    ("arguments", "first"),
    [
        ((), "usage: python examples/agent.py FOLDER QUESTION MODEL"),
        (("nowhere", "How hot?", "openai:x"), "there is no such folder"),
    ],
    ids=["no arguments", "no folder"],
)
def test_wrong_usage_is_said_before_anything_is_built(
    arguments: tuple[str, ...], first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["agent.py", *arguments])

    with pytest.raises(SystemExit) as caught:
        runpy.run_path(str(EXAMPLE), run_name="__main__")

    said = str(caught.value)
    assert said.startswith(first)
    assert "A model of OpenAI needs the package langchain-openai" in said


def test_example_is_short() -> None:
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()

    assert len([line for line in lines if line.strip()]) < 40
