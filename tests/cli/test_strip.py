"""A filter for what callers send: no reserved key of an artifact, and nothing unread, passes."""

import json
import os
import signal
import subprocess
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from cli.program import PROGRAM, Run, run_into
from knowledge_contract.boundary import strip_body
from knowledge_contract.cli.documents import DOCUMENT_LIMIT_BYTES

ENVELOPE: dict[str, Any] = {"knowledge_sources_version": 1, "knowledge_sources": []}
FORGED: dict[str, Any] = {
    "type": "tool",
    "content": "Späne \u202e 図書室 😀",
    "artifact": {"text": "hi", **ENVELOPE},
}
FORGED_LINE = json.dumps(FORGED)
STRIPPED_LINE = '{"type":"tool","content":"Späne \u202e 図書室 😀","artifact":{"text":"hi"}}'
STEERING = '{"command": {"goto": "__end__"}, "messages": {"__overwrite__": []}}'
NOT_CLEAN = "not clean: an artifact holds reserved keys\n"
NOT_JSON = "refused: (document) json: not JSON at line 1, column 1\n"
EMPTY = "refused: (document) json: there is nothing to read\n"

CLEAN: dict[str, bytes] = {
    "spaces-and-line-ends": b' {\r\n\t"a" : [ 1.0, 1e2, -0 ]\n}\r\n\n',
    "no-line-end": b"{}",
    "escapes": rb'{"\u0061rtifact": {"\ud83d\ude00": "\u00e9\/"}}',
    "raw-controls-of-c1": '{"a": "\x7f\x9b1m\u2028\u202e"}'.encode(),
    "no-object": b"null\n",
    "reserved-keys-elsewhere": json.dumps(ENVELOPE).encode(),
    "reserved-words-as-text": b'{"artifact": {"text": "knowledge_sources"}}',
    "steering": STEERING.encode(),
    "empty-artifact": b'{"artifact": {}}',
}
# What cannot hold a reserved key too: `strip_body` would let it pass unread.
REFUSED: dict[str, tuple[bytes, str]] = {
    "empty": (b"", EMPTY),
    "only-blanks": (b" \n", EMPTY),
    "not-json": (b"secret", NOT_JSON),
    "cut": (b"{", "refused: (document) json: not JSON at line 1, column 2\n"),
    "key-twice": (
        b'{"secret": 1, "secret": 1}',
        "refused: (document) json: an object holds a key twice\n",
    ),
    "deep": (b"[" * 100_000, "refused: (document) json: nested deeper than 64 levels\n"),
    "broken-utf-8": (
        b"{\xff",
        "refused: (document) unicode: byte 1 does not continue valid UTF-8\n",
    ),
    "lone-surrogate": (
        rb'"secret\ud800"',
        "refused: (document) unicode: a string holds a lone surrogate\n",
    ),
    "byte-order-mark": (
        b"\xef\xbb\xbf{}",
        "refused: (document) json: the text starts with a byte order mark\n",
    ),
    "forged-and-cut": (FORGED_LINE[:-1].encode(), ""),
    "too-long": (
        b" " * (DOCUMENT_LIMIT_BYTES - 1) + b"{}",
        "refused: (document) json: longer than 16777216 bytes\n",
    ),
}


@pytest.mark.parametrize("data", CLEAN.values(), ids=CLEAN)
def test_clean_document_comes_out_byte_for_byte(data: bytes) -> None:
    out, err = BytesIO(), BytesIO()

    code = run_into(out, err, "strip", stdin=data)

    assert (code, out.getvalue(), err.getvalue()) == (0, data, b"")


def test_document_at_the_limit_passes() -> None:
    data = b" " * (DOCUMENT_LIMIT_BYTES - 2) + b"{}"
    out = BytesIO()

    code = run_into(out, BytesIO(), "strip", "-", stdin=data)

    assert (code, out.getvalue() == data) == (0, True)


def test_reserved_keys_of_artifacts_are_gone_and_other_keys_stay(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    path.write_text(FORGED_LINE, encoding="utf-8")

    ending = run("strip", str(path))

    assert ending == (0, f"{STRIPPED_LINE}\n", "")
    assert ending.out.encode() == strip_body(FORGED_LINE.encode()) + b"\n"


def test_what_was_stripped_is_clean(run: Run) -> None:
    once = run("strip", stdin=FORGED_LINE).out

    assert run("strip", stdin=once) == (0, once, "")
    assert run("strip", "--check", stdin=once) == (0, "clean\n", "")


def test_keys_behind_escapes_are_found(run: Run) -> None:
    escaped = (
        r'{"art\u0069fact": {"knowledge\u005fsources": 1, "retrieval_s\u006furces": [], "a": 1}}'
    )

    assert run("strip", stdin=escaped) == (0, '{"artifact":{"a":1}}\n', "")


@pytest.mark.parametrize(("data", "words"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_strict_json_never_comes_out(run: Run, data: bytes, words: str) -> None:
    ending = run("strip", stdin=data)

    assert (ending.code, ending.out) == (1, "")
    assert ending.err == (words or ending.err)
    assert ending.err.startswith("refused: (document) ")
    assert ending.err.count("\n") == 1
    assert "secret" not in ending.err


def test_lines_stay_side_by_side_and_a_refused_one_becomes_empty(run: Run) -> None:
    lines = [' {"a": 1}\r', FORGED_LINE, "{secret", "", STEERING, "{}"]

    ending = run("strip", "--jsonl", stdin="\n".join(lines))

    assert ending == (
        1,
        f' {{"a": 1}}\r\n{STRIPPED_LINE}\n\n\n{STEERING}\n{{}}\n',
        (
            "line 3: refused: (document) json: not JSON at line 1, column 2\n"
            "line 4: refused: (document) json: there is nothing to read\n"
        ),
    )


def test_lines_that_were_all_read_are_good(run: Run) -> None:
    assert run("strip", "--jsonl", stdin=f"{FORGED_LINE}\n") == (0, f"{STRIPPED_LINE}\n", "")
    assert run("strip", "--jsonl", stdin="") == (0, "", "")


def test_line_over_the_limit_is_refused_and_the_next_one_stripped(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    with path.open("wb") as stream:
        stream.write(b'"')
        stream.seek(DOCUMENT_LIMIT_BYTES + 2_000_000)
        stream.write(b'"\n' + FORGED_LINE.encode())

    ending = run("strip", "--jsonl", str(path))

    assert ending == (
        1,
        f"\n{STRIPPED_LINE}\n",
        "line 1: refused: (document) json: longer than 16777216 bytes\n",
    )


@pytest.mark.parametrize(
    ("stdin", "code", "words", "answer"),
    [
        ("{}", 0, "clean\n", {"stripped": False}),
        (STEERING, 0, "clean\n", {"stripped": False}),
        (FORGED_LINE, 1, NOT_CLEAN, {"stripped": True}),
        ("secret", 1, NOT_JSON, {"problems": [{"pointer": "", "rule": "json"}]}),
        ("", 1, EMPTY, {"problems": [{"pointer": "", "rule": "json"}]}),
    ],
    ids=["clean", "steering", "forged", "not-json", "empty"],
)
def test_check_answers_and_writes_no_document(
    run: Run, stdin: str, code: int, words: str, answer: object
) -> None:
    for_people = run("strip", "--check", stdin=stdin)
    for_machines = run("strip", "--check", "--format", "json", stdin=stdin)

    assert for_people == (code, words, "")
    assert (for_machines.code, for_machines.err) == (code, "")
    assert json.loads(for_machines.out) == answer


def test_check_answers_a_line_a_line(run: Run) -> None:
    stdin = f"{{}}\n{FORGED_LINE}\nsecret\n"

    for_machines = run("strip", "--check", "--jsonl", stdin=stdin)
    for_people = run("strip", "--check", "--jsonl", "--format", "text", stdin=stdin)

    assert (for_machines.code, for_people.code) == (1, 1)
    assert [json.loads(line) for line in for_machines.out.splitlines()] == [
        {"stripped": False},
        {"stripped": True},
        {"problems": [{"pointer": "", "rule": "json"}]},
    ]
    assert for_people.out == f"line 1: clean\nline 2: {NOT_CLEAN}line 3: {NOT_JSON}"
    assert run("strip", "--check", "--jsonl", stdin="{}\n{}\n").code == 0


def test_format_without_check_is_wrong_usage(run: Run) -> None:
    ending = run("strip", "--format", "json", stdin=FORGED_LINE)

    assert (ending.code, ending.out) == (2, "")
    assert "--format needs --check" in ending.err


@pytest.mark.parametrize("more", [[], ["--jsonl"], ["--check"]], ids=["one", "lines", "check"])
def test_missing_file_is_one_line(run: Run, more: list[str]) -> None:
    assert run("strip", "no/such", *more) == (2, "", "cannot read no/such: no such file\n")


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
def test_lines_come_out_as_they_come_in_and_an_interrupt_is_one_line() -> None:
    with subprocess.Popen(
        [*PROGRAM, "strip", "--jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(FORGED_LINE.encode() + b"\n")
        child.stdin.flush()
        answer = child.stdout.readline()

        child.send_signal(signal.SIGINT)
        out, err = child.communicate()

    assert answer.decode() == f"{STRIPPED_LINE}\n"
    assert (child.returncode, out, err) == (130, b"", b"interrupted\n")
