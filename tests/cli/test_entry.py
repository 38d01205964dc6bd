"""How a run ends when somebody interrupts it, or nobody reads or nothing is open."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = [sys.executable, "-m", "knowledge_contract.cli"]
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and descriptors are POSIX")
ENVELOPE = b'{"knowledge_sources_version": 1, "knowledge_sources": []}\n'


def run_script(script: str) -> subprocess.CompletedProcess[str]:
    """Run shell text in which `$0` is the command line."""
    return subprocess.run(
        ["sh", "-c", script.replace("$0", f"'{sys.executable}' -m knowledge_contract.cli")],
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
    "arguments",
    [
        ["conformance", "--reader", "validators"],
        ["demo"],
        ["demo", "--format", "json"],
        ["validate"],
        ["validate", "--jsonl"],
        ["id"],
    ],
    ids=" ".join,
)
def test_closed_pipe_ends_quietly(arguments: list[str]) -> None:
    source = b'{"provider": "a", "title": "b", "excerpt": "c"}\n'
    reading_end, writing_end = os.pipe()
    os.close(reading_end)

    done = subprocess.run(
        [*PROGRAM, *arguments],
        input=source if arguments == ["id"] else ENVELOPE,
        stdout=writing_end,
        stderr=subprocess.PIPE,
        check=False,
    )

    os.close(writing_end)
    assert (done.returncode, done.stderr) == (141, b"")


@POSIX
@pytest.mark.parametrize("arguments", [["validate", "--jsonl"], ["id", "--jsonl"]], ids=" ".join)
def test_interrupt_is_one_line(arguments: list[str]) -> None:
    with subprocess.Popen(
        [*PROGRAM, *arguments],
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
        ("$0 demo >&-", 2, "standard output is closed\n"),
        ("$0 validate 2>&-", 1, ""),
        ("$0 validate no-such-file 2>&-", 2, ""),
    ],
    ids=["no-input", "no-output", "no-error-output", "nobody-to-tell"],
)
def test_closed_streams_are_survived(script: str, code: int, err: str) -> None:
    done = run_script(script)

    assert (done.returncode, done.stderr) == (code, err)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("arguments", ["validate", "demo", "demo --format json"])
def test_full_disk_is_one_line(arguments: str) -> None:
    done = run_script(f"$0 {arguments} > /dev/full")

    assert done.returncode == 2
    assert done.stderr.endswith(f"{os.strerror(28)}\n")
    assert done.stderr.count("\n") == 1


@POSIX
def test_defect_of_ours_is_one_line_too(tmp_path: Path) -> None:
    (tmp_path / "knowledge_wire").mkdir()
    (tmp_path / "knowledge_wire" / "__init__.py").touch()
    script = f"PYTHONPATH='{tmp_path}' $0 demo"

    done = run_script(script)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("internal error: ModuleNotFoundError at ")
    assert done.stderr.count("\n") == 1
