"""The command line, ready to run."""

import pytest

from cli.program import Run, run_child, run_here


@pytest.fixture
def run() -> Run:
    """Run the command line to its end."""
    return run_here


@pytest.fixture
def run_apart() -> Run:
    """Run it in a process of its own, for what only a start decides."""
    return run_child
