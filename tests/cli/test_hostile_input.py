"""Bad input gets one clear line and the right exit code, never a traceback or its own value."""

import json
import os
import socket
import tempfile
from pathlib import Path

import pytest

from cli.program import Run

ENVELOPE = json.dumps({"knowledge_sources_version": 1, "knowledge_sources": []})
SOURCE = json.dumps({"provider": "local", "title": "Handbook", "excerpt": "Ask before you deploy."})
SOURCE_ID = "084ed617406f2c6e73dae2dcfc1d69d2"
NOT_JSON = "refused: (document) json: not JSON at line 1, column 1\n"
EMPTY = "refused: (document) json: there is nothing to read\n"
BROKEN_UTF8 = "refused: (document) unicode: byte 1 does not continue valid UTF-8\n"
DEEP = "refused: (document) json: nested deeper than 64 levels\n"
MISSING = (
    "refused: /knowledge_sources_version required: missing, and the contract requires it\n"
    "refused: /knowledge_sources required: missing, and the contract requires it\n"
)
NO_RECORD = "refused: (document) type: not of the type that the contract names\n"

# Input, arguments, exit code, output, problems; None where the words are not ours.
CASES: dict[str, tuple[bytes | str, list[str], int, str | None, str | None]] = {
    "valid": (ENVELOPE, ["validate"], 0, "valid\n", ""),
    "empty": (b"", ["validate"], 1, EMPTY, ""),
    "only-blanks": (" \n\t ", ["validate"], 1, EMPTY, ""),
    "not-json": ("secret", ["validate"], 1, NOT_JSON, ""),
    "binary": (b"{\xff\x00\x01", ["validate"], 1, BROKEN_UTF8, ""),
    "utf-16": ("{}".encode("utf-16-le"), ["validate"], 1, None, ""),
    "byte-order-mark": (
        b"\xef\xbb\xbf" + ENVELOPE.encode(),
        ["validate"],
        1,
        "refused: (document) json: the text starts with a byte order mark\n",
        "",
    ),
    "truncated": (
        ENVELOPE[:-1],
        ["validate"],
        1,
        f"refused: (document) json: not JSON at line 1, column {len(ENVELOPE)}\n",
        "",
    ),
    "two-documents": (ENVELOPE + "{}", ["validate"], 1, None, ""),
    "deep": ("[" * 65 + "]" * 65, ["validate"], 1, DEEP, ""),
    "very-deep": ("[" * 100_000, ["validate"], 1, DEEP, ""),
    "nan": ("NaN", ["validate"], 1, None, ""),
    "lone-surrogate": (
        '{"secret": "\\ud800"}',
        ["validate"],
        1,
        "refused: (document) unicode: a string holds a lone surrogate\n",
        "",
    ),
    "list": ("[]", ["validate"], 1, NO_RECORD, ""),
    "string": ('"secret"', ["validate"], 1, NO_RECORD, ""),
    "null": ("null", ["validate"], 1, NO_RECORD, ""),
    "huge-integer": ("9" * 5000, ["validate"], 1, None, ""),
    "other-keys": ('{"secret": 1}', ["validate"], 1, MISSING, ""),
    "id-of-nothing": (b"", ["id"], 1, "", EMPTY),
    "id-of-binary": (b"{\xff", ["id"], 1, "", BROKEN_UTF8),
    "id-of-list": ("[]", ["id"], 1, "", NO_RECORD),
    "id-of-deep": ("[" * 100_000, ["id"], 1, "", DEEP),
    "id": (SOURCE, ["id"], 0, f"{SOURCE_ID}\n", ""),
    "no-such-file": (b"", ["validate", "no/such"], 2, "", "cannot read no/such: no such file\n"),
    "no-file-name": (b"", ["validate", ""], 2, "", "cannot read : no such file\n"),
    "folder": (b"", ["id", "."], 2, "", "cannot read .: it is a directory\n"),
    "folder-of-lines": (
        b"",
        ["validate", ".", "--jsonl"],
        2,
        "",
        "cannot read .: it is a directory\n",
    ),
    "control-characters-in-a-name": (
        b"",
        ["validate", "a\x1b[2Jb"],
        2,
        "",
        "cannot read a\\x1b[2Jb: no such file\n",
    ),
    "unknown-reader": (b"", ["validate", "--reader", "secrets"], 2, "", None),
    "unknown-option": (b"", ["validate", "--strictly"], 2, "", None),
    "unknown-command": (b"", ["prove"], 2, "", None),
    "evidence-of-nothing": (b"", ["verify"], 1, EMPTY, ""),
    "evidence-of-binary": (b"{\xff", ["verify"], 1, BROKEN_UTF8, ""),
    "evidence-of-deep": ("[" * 100_000, ["verify"], 1, DEEP, ""),
    "unknown-binding": (b"", ["verify", "--binding", "secret"], 2, "", None),
    "search-in-no-folder": (
        b"",
        ["search", "secret", "--docs", "no/such"],
        2,
        "",
        "the folder of documents does not exist\n",
    ),
    "search-in-a-file": (
        b"",
        ["search", "secret", "--docs", __file__],
        2,
        "",
        "the folder of documents is not a folder\n",
    ),
    "search-with-a-negative-limit": (
        b"",
        ["search", "secret", "--docs", ".", "--limit-chars", "-1"],
        2,
        "",
        None,
    ),
    "search-without-a-folder": (b"", ["search", "secret"], 2, "", None),
    "two-files": (b"", ["validate", "a", "b"], 2, "", None),
}


@pytest.mark.parametrize("case", CASES)
def test_input_ends_in_clear_words(run: Run, case: str) -> None:
    stdin, arguments, code, out, err = CASES[case]

    ending = run(*arguments, stdin=stdin)

    assert ending.code == code
    assert ending.out == (ending.out if out is None else out)
    assert ending.err == (ending.err if err is None else err)
    assert "Traceback" not in ending.err
    assert "secret" not in ending.out


@pytest.mark.parametrize("reader", ["validators", "models", "jsonschema"])
def test_every_reader_gets_what_the_strict_parser_parsed(run: Run, reader: str) -> None:
    ending = run("validate", "--reader", reader, stdin='{"a": 1, "a": 1}')

    assert ending == (1, "refused: (document) json: an object holds a key twice\n", "")


@pytest.mark.skipif(os.name != "posix", reason="sockets in folders are POSIX")
def test_what_opens_but_cannot_be_read_is_named(run: Run) -> None:
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        path = Path(folder, "socket")
        listener.bind(str(path))

        ending = run("validate", str(path))

    assert ending == (2, "", f"cannot read {path}: {os.strerror(6)}\n")
