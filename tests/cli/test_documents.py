"""Documents and lines without end stay bounded."""

import json
from pathlib import Path

from cli.program import Run
from knowledge_contract.cli.documents import DOCUMENT_LIMIT_BYTES, read_lines

TOO_LONG = {"valid": False, "problems": [{"pointer": "", "rule": "json"}]}


def test_line_over_the_limit_is_refused_and_the_next_one_judged(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    with path.open("wb") as stream:
        stream.write(b'"')
        stream.seek(DOCUMENT_LIMIT_BYTES + 2_000_000)
        stream.write(b'"\n{"operations": []}')

    ending = run("validate", str(path), "--as", "KnowledgeCapabilities", "--jsonl")

    answers = [json.loads(line) for line in ending.out.splitlines()]
    assert answers == [TOO_LONG, {"valid": True, "problems": []}]
    assert ending.code == 1


def test_document_over_the_limit_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "document.json"
    with path.open("wb") as stream:
        stream.truncate(DOCUMENT_LIMIT_BYTES + 1)

    ending = run("validate", str(path))

    assert ending == (1, "refused: (document) json: longer than 16777216 bytes\n", "")


def test_line_at_the_limit_stays_whole(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    line = b" " * (DOCUMENT_LIMIT_BYTES - 2) + b"{}"
    path.write_bytes(line + b"\n" + b"[]")

    lines = list(read_lines(str(path)))

    assert [len(each) for each in lines] == [DOCUMENT_LIMIT_BYTES, 2]


def test_last_line_needs_no_newline_and_blank_lines_count(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes(b"1\r\n\n2")

    assert list(read_lines(str(path))) == [b"1\r", b"", b"2"]
