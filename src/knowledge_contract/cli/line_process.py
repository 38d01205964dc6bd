"""A long-lived program that answers one line per line, within a time and a size."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO

from knowledge_contract.errors import InputError, ReaderError

ANSWER_LIMIT_BYTES = 64 * 2**20
_FAREWELL_S = 2.0


class LineProcess:
    """The running program; use `started_process`, which also ends it.

    A thread of its own writes and reads, so that a program that neither reads nor answers
    is noticed after `timeout_s` instead of never.
    """

    def __init__(self, popen: subprocess.Popen[bytes], *, name: str, timeout_s: float) -> None:
        self._popen = popen
        self._name = name
        self._timeout_s = timeout_s
        self._requests: SimpleQueue[bytes | None] = SimpleQueue()
        self._answers: SimpleQueue[bytes] = SimpleQueue()
        # A daemon: a stray grandchild that keeps the pipe open must not keep us running.
        Thread(target=self._exchange, daemon=True).start()

    def ask(self, request: bytes) -> bytes:
        """Return the program's answer without its LF.

        Args:
            request: One line, without LF.

        Raises:
            ReaderError: it ended, gave no whole line in time, or answered without end.
        """
        self._requests.put(request)
        try:
            answer = self._answers.get(timeout=self._timeout_s)
        except Empty:
            raise ReaderError(f"{self._name} gave no answer within {self._timeout_s:g} s") from None
        if answer.endswith(b"\n"):
            return answer[:-1]
        if len(answer) > ANSWER_LIMIT_BYTES:
            raise ReaderError(
                f"{self._name} answered more than {ANSWER_LIMIT_BYTES} bytes on one line"
            )
        raise ReaderError(f"{self._name} {self._end_of()} instead of answering")

    def finish(self) -> None:
        """Close the program's input and make sure that it has nothing left to say.

        Raises:
            ReaderError: it wrote more lines than it was asked for.
        """
        self._requests.put(None)
        with contextlib.suppress(Empty):
            if self._answers.get(timeout=min(self._timeout_s, _FAREWELL_S)):
                raise ReaderError(f"{self._name} wrote more lines than it was asked for")

    def kill(self) -> None:
        """End the program and what it started."""
        if os.name == "posix":
            # It leads a group of its own (`start_new_session`).
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._popen.pid, signal.SIGKILL)
        else:
            self._popen.kill()
        self._popen.wait()

    def _exchange(self) -> None:
        stdin, stdout = _pipes(self._popen)
        while (request := self._requests.get()) is not None:
            try:
                stdin.write(request + b"\n")
                stdin.flush()
                answer = stdout.readline(ANSWER_LIMIT_BYTES + 1)
            except OSError:
                answer = b""
            self._answers.put(answer)
        with contextlib.suppress(OSError):
            stdin.close()
        self._answers.put(stdout.read(1))

    def _end_of(self) -> str:
        try:
            code = self._popen.wait(timeout=_FAREWELL_S)
        except subprocess.TimeoutExpired:
            return "closed its output"
        if code < 0:
            return f"was ended by signal {-code}"
        return f"ended with exit code {code}"


@contextmanager
def started_process(
    arguments: Sequence[str], *, name: str, timeout_s: float, is_ours: bool
) -> Iterator[LineProcess]:
    """Start a program and end it, whatever happens in between.

    Args:
        arguments: The program and its arguments; no shell is involved.
        name: What messages call it.
        timeout_s: Longest wait for one answer.
        is_ours: Whether its standard error is ours to keep quiet, or the caller's to see.

    Raises:
        InputError: it cannot be started.
    """
    try:
        popen = subprocess.Popen(  # noqa: S603 - running the caller's program is the point
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if is_ours else None,
            start_new_session=os.name == "posix",
        )
    except OSError as error:
        reason = "no such program" if isinstance(error, FileNotFoundError) else error.strerror
        raise InputError(f"cannot start {name}: {reason}") from None
    process = LineProcess(popen, name=name, timeout_s=timeout_s)
    try:
        yield process
    finally:
        process.kill()


def _pipes(popen: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    if popen.stdin is None or popen.stdout is None:
        raise ValueError("the program was started without pipes")
    return popen.stdin, popen.stdout
