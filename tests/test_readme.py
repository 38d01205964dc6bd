"""The README cannot rot: its example runs, and its tables name what exists."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from knowledge_wire.validators import CHECKS

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"(?ms)^```python\n(.*?)^```\n.*?^```text\n(.*?)^```$", README)


def first_column(heading: str) -> list[str]:
    """Return the code spans in the first column of the table under a heading."""
    section = README.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    cells = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


@pytest.mark.parametrize(("code", "output"), EXAMPLES, ids=lambda text: text.split("\n")[0])
def test_example_prints_what_the_readme_says(code: str, output: str) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", code], capture_output=True, check=True, text=True
    )

    assert done.stdout == output


def test_there_is_an_example() -> None:
    assert len(EXAMPLES) == README.count("```python")
    assert EXAMPLES


def test_definitions_in_the_table_exist() -> None:
    names = first_column("Contracts")

    assert names
    assert set(names) <= set(CHECKS)


def test_table_of_commands_is_complete() -> None:
    listing = subprocess.run(
        [sys.executable, "-m", "knowledge_contract.cli", "--help"],
        capture_output=True,
        check=True,
        encoding="utf-8",
        env={**dict.fromkeys(("NO_COLOR", "TERM"), "dumb"), "COLUMNS": "100"},
    ).stdout
    commands = re.findall(r"^[ │|]*([a-z]+) {2,}\S", listing, re.MULTILINE)

    assert [f"knowledge-contract {name}" for name in sorted(commands)] == sorted(
        first_column("Commands")
    )
