"""Programs that answer badly, or end badly, are told what they did."""

import os
import sys
from contextlib import AbstractContextManager

import pytest

from knowledge_contract.cli.line_process import LineProcess, started_process
from knowledge_contract.cli.line_protocol import ask
from knowledge_contract.errors import ReaderError

NO_ANSWER = "gave no answer within 0.2 s"
TOO_LONG = "answered more than 4096 bytes on one line"
NO_END = "did not end within 0.2 s after its input did"

# Python text, what is said about it, and the longest wait: never reached where it is long.
BAD_ANSWERS = {
    "ends-at-once": ("raise SystemExit(3)", "ended with exit code 3 instead of answering", 60),
    "says-nothing": ("import sys\nfor _ in sys.stdin: pass", NO_ANSWER, 0.2),
    "reads-nothing": ("import time\ntime.sleep(60)", NO_ANSWER, 0.2),
    "writes-without-end": ("while True: print('x' * 4096, end='')", TOO_LONG, 60),
    "garbage": (
        "print('secret')",
        "wrote a line that is not strict JSON: not JSON at line 1, column 1",
        60,
    ),
    "binary": (
        "import sys\nsys.stdout.buffer.write(b'\\xff\\n')",
        "wrote a line that is not strict JSON: byte 0 does not continue valid UTF-8",
        60,
    ),
    "no-answer": (
        'print(\'{"id": ["secret"]}\')',
        "wrote a line that is no answer: `id` is not a string",
        60,
    ),
    "half-a-line": (
        "import sys\nsys.stdin.readline()\nprint('{\"valid\"', end='')",
        "ended with exit code 0 instead of answering",
        60,
    ),
    "closes-its-output": (
        "import os, time\nos.close(1)\ntime.sleep(60)",
        "closed its output instead of answering",
        60,
    ),
}
BAD_ENDS = {
    "says-more": (
        "import sys\nsys.stdin.read()\nprint('{}')",
        "wrote more lines than it was asked for",
        60,
    ),
    "runs-on": ("import time\ntime.sleep(60)", NO_END, 0.2),
    "closes-its-output": ("import os, time\nos.close(1)\ntime.sleep(60)", NO_END, 0.2),
    "fails": ("raise SystemExit(3)", "ended with exit code 3 after its last answer", 60),
}
if os.name == "posix":
    BAD_ANSWERS["signal"] = (
        "import os\nos.kill(os.getpid(), 9)",
        "was ended by signal 9 instead of answering",
        60,
    )


def started(program: str, timeout_s: float) -> AbstractContextManager[LineProcess]:
    """Return Python text as a running program."""
    return started_process(
        [sys.executable, "-S", "-c", program],
        name="it",
        timeout_s=timeout_s,
        answer_limit_bytes=4096,
        is_ours=True,
    )


@pytest.mark.parametrize(("program", "said", "timeout_s"), BAD_ANSWERS.values(), ids=BAD_ANSWERS)
def test_bad_answer_is_described(program: str, said: str, timeout_s: float) -> None:
    with started(program, timeout_s) as process, pytest.raises(ReaderError) as caught:
        ask(process, b"{}", name="it")

    assert str(caught.value) == f"it {said}"


@pytest.mark.parametrize(("program", "said", "timeout_s"), BAD_ENDS.values(), ids=BAD_ENDS)
def test_bad_end_is_described(program: str, said: str, timeout_s: float) -> None:
    with started(program, timeout_s) as process, pytest.raises(ReaderError) as caught:
        process.finish()

    assert str(caught.value) == f"it {said}"


def test_good_end_is_silent() -> None:
    with started("import sys\nsys.stdin.read()", 60) as process:
        process.finish()
