"""What help, version and arguments look like."""

import subprocess
import sys
from importlib.metadata import version

import pytest

from cli.program import Run

COMMANDS = ["generate", "check", "validate", "id", "conformance", "demo"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_an_example(run: Run, command: str) -> None:
    ending = run(command, "--help", COLUMNS="200")

    assert (ending.code, ending.err) == (0, "")
    assert f"Example: knowledge-contract {command}" in ending.out


def test_no_arguments_show_the_help(run: Run) -> None:
    shown = run()

    assert shown.out + shown.err == run("--help").out


def test_version_is_the_distributions(run: Run) -> None:
    assert run("--version") == (0, f"knowledge-contract {version('knowledge-contract')}\n", "")


def test_help_loads_no_reader() -> None:
    program = (
        "import sys\n"
        "from knowledge_contract.cli import main\n"
        "sys.argv = ['knowledge-contract', '--help']\n"
        "try:\n    main()\n"
        "except SystemExit:\n    print(*sys.modules)\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, encoding="utf-8"
    )

    loaded = set(done.stdout.split())
    assert "knowledge_contract.cli.app" in loaded
    assert not loaded & {"jsonschema", "knowledge_wire.validators", "pydantic", "rich"}


def test_two_kinds_of_readers_exclude_each_other(run: Run) -> None:
    ending = run("conformance", "--reader", "models", "--command", "true")

    assert (ending.code, ending.out) == (2, "")
    assert "--reader and --command exclude each other" in ending.err
