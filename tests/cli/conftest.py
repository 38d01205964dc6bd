"""The command line, ready to run."""

import pytest

from cli.program import Run, run_program


@pytest.fixture
def run() -> Run:
    """Run the command line to its end."""
    return run_program
