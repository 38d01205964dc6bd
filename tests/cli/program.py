"""The command line in child processes, as users run it."""

import os
import subprocess
import sys
from collections.abc import Callable
from typing import NamedTuple


class Ending(NamedTuple):
    """How a run ended."""

    code: int
    out: str
    err: str


Run = Callable[..., Ending]


def run_program(*arguments: str, stdin: bytes | str = b"", **environment: str) -> Ending:
    """Run the command line with some variables of the environment changed."""
    done = subprocess.run(
        [sys.executable, "-m", "knowledge_contract.cli", *arguments],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        check=False,
        env={**os.environ, **environment},
    )
    return Ending(done.returncode, done.stdout.decode(), done.stderr.decode())
