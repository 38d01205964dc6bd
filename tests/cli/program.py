"""The command line as users run it, in this process or in a child."""

import io
import os
import subprocess
import sys
from collections.abc import Callable
from typing import BinaryIO, NamedTuple

import pytest

from knowledge_contract.cli.endings import run, settle

PROGRAM = [sys.executable, "-m", "knowledge_contract.cli"]


class Ending(NamedTuple):
    """How a run ended."""

    code: int
    out: str
    err: str


Run = Callable[..., Ending]


def run_here(*arguments: str, stdin: bytes | str = b"", **environment: str) -> Ending:
    """Run the command line in this process, with some variables of the environment changed."""
    out, err = io.BytesIO(), io.BytesIO()
    code = run_into(out, err, *arguments, stdin=stdin, **environment)
    return Ending(code, out.getvalue().decode(), err.getvalue().decode())


def run_into(
    out: BinaryIO | None,
    err: BinaryIO | None,
    *arguments: str,
    stdin: bytes | str = b"",
    **environment: str,
) -> int:
    """Run it in this process, writing to these streams; None is one that the caller closed."""
    data = io.BytesIO(stdin.encode() if isinstance(stdin, str) else stdin)
    streams = {"stdin": _text(data), "stdout": _text(out), "stderr": _text(err)}
    with pytest.MonkeyPatch.context() as patch:
        for name, text in streams.items():
            patch.setattr(sys, name, text)
        for name, value in environment.items():
            patch.setenv(name, value)
        code = settle(run(arguments))
    for text in streams.values():
        if text is not None:
            # Else the end of the text would close the caller's stream.
            text.detach()
    return code


def _text(stream: BinaryIO | None) -> io.TextIOWrapper | None:
    return None if stream is None else io.TextIOWrapper(stream, encoding="ascii")


def run_child(*arguments: str, stdin: bytes | str = b"", **environment: str) -> Ending:
    """Run it in a process of its own, for what only a start decides."""
    done = subprocess.run(
        [*PROGRAM, *arguments],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        check=False,
        env={**os.environ, **environment},
    )
    return Ending(done.returncode, done.stdout.decode(), done.stderr.decode())
