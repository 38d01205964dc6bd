"""How a run ends when somebody interrupts it, or nobody reads or nothing is open."""

import json
import os
import signal
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import pytest

from cli.program import PROGRAM, run_into

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and descriptors are POSIX")
DEV_FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
ENVELOPE = b'{"knowledge_sources_version": 1, "knowledge_sources": []}\n'
SOURCE = b'{"provider": "a", "title": "b", "excerpt": "c"}\n'
WAITING_PROGRAM = (
    "import os, sys, time\nprint(os.getpid(), file=sys.stderr, flush=True)\ntime.sleep(60)\n"
)


def closed_pipe() -> BinaryIO:
    """Return the writing end of a pipe that nobody reads."""
    reading_end, writing_end = os.pipe()
    os.close(reading_end)
    return os.fdopen(writing_end, "wb", buffering=0)


def script_for(script: str) -> str:
    """Return shell text in which `$0` is the command line."""
    return script.replace("$0", f"'{sys.executable}' -m knowledge_contract.cli")


def run_script(script: str) -> subprocess.CompletedProcess[str]:
    """Run shell text in which `$0` is the command line."""
    return subprocess.run(
        ["sh", "-c", script_for(script)],
        input="",
        capture_output=True,
        check=False,
        encoding="utf-8",
    )


def test_console_script_runs_the_same_program() -> None:
    script = Path(sys.executable).with_name("knowledge-contract")

    done = subprocess.run([script, "--version"], capture_output=True, check=True, encoding="utf-8")

    assert done.stdout.startswith("knowledge-contract ")
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [
        ("conformance --reader validators", b""),
        ("demo", b""),
        ("demo --format json", b""),
        ("validate", ENVELOPE),
        ("validate --jsonl", ENVELOPE),
        ("id", SOURCE),
        ("verify", ENVELOPE),
        ("strip", ENVELOPE),
        ("strip --jsonl", ENVELOPE),
        ("--help", b""),
        ("--version", b""),
        ("id --help", b""),
    ],
)
def test_closed_pipe_ends_quietly(arguments: str, stdin: bytes) -> None:
    err = BytesIO()

    with closed_pipe() as closed:
        code = run_into(closed, err, *arguments.split(), stdin=stdin)

    assert (code, err.getvalue()) == (141, b"")


def test_closed_pipe_of_problems_ends_a_command_without_end() -> None:
    out = BytesIO()

    with closed_pipe() as closed:
        code = run_into(
            out, closed, "id", "--jsonl", "--format", "text", stdin=SOURCE + b"{}\n" * 9
        )

    # What was found before is not lost.
    assert (code, len(out.getvalue().splitlines())) == (141, 2)


def test_closed_pipe_leaves_the_interpreter_nothing_to_say() -> None:
    with closed_pipe() as closed:
        done = subprocess.run(
            [*PROGRAM, "--version"], stdout=closed, stderr=subprocess.PIPE, check=False
        )

    assert (done.returncode, done.stderr) == (141, b"")


@POSIX
def test_interrupt_is_one_line() -> None:
    with subprocess.Popen(
        [*PROGRAM, "validate", "--jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(ENVELOPE)
        child.stdin.flush()
        answer = child.stdout.readline()

        child.send_signal(signal.SIGINT)
        _, err = child.communicate()

    assert json.loads(answer)
    assert (child.returncode, err) == (130, b"interrupted\n")


@POSIX
def test_interrupt_at_the_start_is_one_line_too(tmp_path: Path) -> None:
    program = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"
    (tmp_path / "typer.py").write_text(program, encoding="utf-8")

    done = run_script(f"PYTHONPATH='{tmp_path}' $0 --help")

    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


@POSIX
@pytest.mark.parametrize(
    ("name", "code", "words"),
    [("SIGHUP", 129, b"hung up\n"), ("SIGTERM", 143, b"terminated\n")],
    ids=["hang-up", "terminate"],
)
def test_end_that_is_asked_for_takes_the_command_along(
    tmp_path: Path, name: str, code: int, words: bytes
) -> None:
    (tmp_path / "program.py").write_text(WAITING_PROGRAM, encoding="utf-8")
    waiting = f"'{sys.executable}' -S '{tmp_path / 'program.py'}'"

    with subprocess.Popen(
        [*PROGRAM, "conformance", "--timeout", "60", "--command", waiting],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        assert child.stderr is not None
        started = int(child.stderr.readline())
        child.send_signal(getattr(signal, name))
        out, err = child.communicate()

    assert (child.returncode, out, err) == (code, b"", words)
    with pytest.raises(ProcessLookupError):
        os.kill(started, 0)


@POSIX
def test_hang_up_that_is_ignored_stays_so() -> None:
    script = "trap '' HUP; exec $0 validate --jsonl"
    with subprocess.Popen(
        ["sh", "-c", script_for(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(ENVELOPE)
        child.stdin.flush()
        first = child.stdout.readline()
        child.send_signal(signal.SIGHUP)
        second, _ = child.communicate(ENVELOPE)

    assert (child.returncode, second) == (0, first)


@POSIX
def test_lines_are_answered_as_they_come() -> None:
    with subprocess.Popen(
        [*PROGRAM, "validate", "--jsonl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for line in (ENVELOPE, b"\n", ENVELOPE):
            child.stdin.write(line)
            child.stdin.flush()
            answer = json.loads(child.stdout.readline())
            assert answer["valid"] is (line is ENVELOPE)
        child.stdin.close()

    assert child.returncode == 1


@POSIX
@pytest.mark.parametrize(
    ("script", "code", "err"),
    [
        ("$0 validate <&-", 2, "cannot read standard input: it is closed\n"),
        ("$0 validate 2>&-", 1, ""),
        ("$0 --version >&-", 2, "standard output is closed\n"),
    ],
    ids=["no-input", "no-error-output", "no-output"],
)
def test_closed_streams_are_survived(script: str, code: int, err: str) -> None:
    done = run_script(script)

    assert (done.returncode, done.stderr) == (code, err)


@pytest.mark.parametrize("arguments", ["--help", "validate --help", "demo", "validate", "strip"])
def test_closed_output_is_one_line(arguments: str) -> None:
    err = BytesIO()

    code = run_into(None, err, *arguments.split(), stdin=ENVELOPE)

    assert (code, err.getvalue()) == (2, b"standard output is closed\n")


@DEV_FULL
@pytest.mark.parametrize(
    "arguments",
    ["validate", "strip", "demo", "demo --format json", "--help", "--version", "id --help"],
)
def test_full_disk_is_one_line(arguments: str) -> None:
    err = BytesIO()

    with Path("/dev/full").open("wb", buffering=0) as full:
        code = run_into(full, err, *arguments.split(), stdin=ENVELOPE)

    said = err.getvalue().decode()
    assert code == 2
    assert said.endswith(f"{os.strerror(28)}\n")
    assert said.count("\n") == 1
    assert "defect" not in said


@DEV_FULL
def test_full_disk_leaves_the_interpreter_nothing_to_say() -> None:
    done = run_script("$0 validate > /dev/full")

    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


@POSIX
def test_defect_of_ours_is_one_line_too(tmp_path: Path) -> None:
    (tmp_path / "knowledge_wire").mkdir()
    (tmp_path / "knowledge_wire" / "__init__.py").touch()
    script = f"PYTHONPATH='{tmp_path}' $0 demo"

    done = run_script(script)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("internal error: ModuleNotFoundError at ")
    assert done.stderr.count("\n") == 1
