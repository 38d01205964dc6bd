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

_FAREWELL_S = 2.0


class LineProcess:
    """The running program; use `started_process`, which also ends it.

    A thread of its own writes and reads, so that a program that neither reads nor answers
    is noticed after `timeout_s` instead of never.
    """

    def __init__(
        self,
        popen: subprocess.Popen[bytes],
        *,
        name: str,
        timeout_s: float,
        answer_limit_bytes: int,
    ) -> None:
        self._popen = popen
        self._name = name
        self._timeout_s = timeout_s
        self._answer_limit_bytes = answer_limit_bytes
        self._requests: SimpleQueue[bytes | None] = SimpleQueue()
        self._answers: SimpleQueue[bytes] = SimpleQueue()
        # A daemon: a stray grandchild that keeps the pipe open must not keep us running.
        self._thread = Thread(target=self._exchange, daemon=True)
        self._thread.start()

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
        if len(answer) > self._answer_limit_bytes:
            raise ReaderError(
                f"{self._name} answered more than {self._answer_limit_bytes} bytes on one line"
            )
        raise ReaderError(f"{self._name} {self._end_of()} instead of answering")

    def finish(self) -> None:
        """Close the program's input, and wait until it has ended well and said nothing more.

        Raises:
            ReaderError: it wrote more lines than it was asked for, runs on, or failed.
        """
        self._requests.put(None)
        try:
            rest = self._answers.get(timeout=self._timeout_s)
            code = 0 if rest else self._popen.wait(self._timeout_s)
        except (Empty, subprocess.TimeoutExpired):
            raise ReaderError(
                f"{self._name} did not end within {self._timeout_s:g} s after its input did"
            ) from None
        if rest:
            raise ReaderError(f"{self._name} wrote more lines than it was asked for")
        if code != 0:
            raise ReaderError(f"{self._name} {_describe_end(code)} after its last answer")

    def close(self) -> None:
        """Close the pipes of a program that has ended."""
        self._requests.put(None)
        self._thread.join(_FAREWELL_S)

    def _exchange(self) -> None:
        stdin, stdout = _pipes(self._popen)
        while (request := self._requests.get()) is not None:
            try:
                stdin.write(request + b"\n")
                stdin.flush()
                answer = stdout.readline(self._answer_limit_bytes + 1)
            except OSError:
                answer = b""
            self._answers.put(answer)
        with contextlib.suppress(OSError):
            stdin.close()
        self._answers.put(stdout.read(1))
        stdout.close()

    def _end_of(self) -> str:
        try:
            code = self._popen.wait(timeout=_FAREWELL_S)
        except subprocess.TimeoutExpired:
            return "closed its output"
        return _describe_end(code)


@contextmanager
def started_process(
    arguments: Sequence[str],
    *,
    name: str,
    timeout_s: float,
    answer_limit_bytes: int,
    is_ours: bool,
) -> Iterator[LineProcess]:
    """Start a program and end it, whatever happens in between.

    Args:
        arguments: The program and its arguments; no shell is involved.
        name: What messages call it.
        timeout_s: Longest wait for one answer, and for its end.
        answer_limit_bytes: Longest answer without its LF.
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
    process: LineProcess | None = None
    try:
        process = LineProcess(
            popen, name=name, timeout_s=timeout_s, answer_limit_bytes=answer_limit_bytes
        )
        yield process
    finally:
        _kill(popen)
        if process is not None:
            process.close()


def _kill(popen: subprocess.Popen[bytes]) -> None:
    """End the program and what it started."""
    if os.name == "posix":
        # It leads a group of its own (`start_new_session`).
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(popen.pid, signal.SIGKILL)
    else:
        popen.kill()
    popen.wait()


def _describe_end(code: int) -> str:
    return f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"


def _pipes(popen: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    if popen.stdin is None or popen.stdout is None:
        raise ValueError("the program was started without pipes")
    return popen.stdin, popen.stdout
