"""What help, version and arguments look like."""

from importlib.metadata import version

import pytest

from cli.program import Run

COMMANDS = [
    "generate",
    "check",
    "validate",
    "id",
    "search",
    "verify",
    "strip",
    "conformance",
    "demo",
]


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


def test_help_says_what_generate_removes(run: Run) -> None:
    ending = run("generate", "--help", COLUMNS="200")

    assert "Removes the files below generated/ that nothing generates." in ending.out


def test_two_kinds_of_readers_exclude_each_other(run: Run) -> None:
    ending = run("conformance", "--reader", "models", "--command", "true")

    assert (ending.code, ending.out) == (2, "")
    assert "--reader and --command exclude each other" in ending.err
