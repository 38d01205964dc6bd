"""A folder of documents goes in, cited text that proves itself comes out."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cli.program import Run
from knowledge_contract.cli.output import Format
from knowledge_contract.cli.progress import progress_bar
from knowledge_contract.cli.search import build_message, search, write_summary
from knowledge_contract.errors import InputError, UnavailableError
from knowledge_contract.providers.local import Skipped, Summary
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import (
    DEFAULT_EXCERPT_CHARS,
    DEFAULT_LIMIT_CHARS,
    RetrievalHit,
    RetrievalResult,
)

FILE_COUNT = 2000


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Return a folder with two documents and three things that are left out."""
    folder = tmp_path / "handbook"
    folder.mkdir()
    (folder / "tea.md").write_text("# Tea room\n\nGreen tea needs 80 °C.\n", encoding="utf-8")
    (folder / "茶.txt").write_text("泡绿茶要用八十度的水。", encoding="utf-8")
    (folder / "photo.md").write_bytes(b"\x00\x01\x02tea")
    (folder / ".hidden.md").write_text("tea", encoding="utf-8")
    (folder / "bad\x1b[2Jname.md").write_bytes(b"\x00")
    return folder


def find(query: str, docs: Path, **changes: Any) -> None:
    """Search as the command does, with its defaults."""
    options: dict[str, Any] = {
        "index": docs.with_name("index.sqlite3"),
        "rehash": False,
        "limit_chars": DEFAULT_LIMIT_CHARS,
        "excerpt_chars": DEFAULT_EXCERPT_CHARS,
        "form": Format.TEXT,
    }
    search(query, docs=docs, **{**options, **changes})


def test_answer_for_machines_is_the_tool_message_and_proves_itself(run: Run, docs: Path) -> None:
    index = str(docs.with_name("index.sqlite3"))

    ending = run("search", "green tea", "--docs", str(docs), "--index", index, "--format", "json")

    message = json.loads(ending.out)
    reading = read_message(message, binding="entry")
    assert ending.code == 0
    assert list(message) == ["type", "name", "content", "artifact"]
    assert (message["type"], message["name"]) == ("tool", "knowledge_search")
    assert [each.record["title"] for each in reading.evidence] == ["Tea room"]
    assert (reading.refused, reading.overflow) == ((), 0)
    assert sorted(ending.err.splitlines()) == [
        "skipped: 1 more, 1 hidden",
        "skipped: bad\\x1b[2Jname.md: binary",
        "skipped: photo.md: binary",
    ]


def test_text_is_what_a_model_reads(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    find("绿茶", docs, form=Format.JSON)
    message = json.loads(capsys.readouterr().out)

    find("绿茶", docs)

    assert capsys.readouterr().out == f"{message['content']}\n"
    assert "泡绿茶要用八十度的水。" in message["content"]


def test_changed_folder_is_seen(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    find("green", docs)
    (docs / "tea.md").unlink()
    (docs / "new.md").write_text("# Shed\n\nThe green shed is locked.", encoding="utf-8")
    capsys.readouterr()

    find("green", docs)

    shown = capsys.readouterr().out
    assert "The green shed is locked." in shown
    assert "Green tea" not in shown


def test_rehash_reads_every_file_again(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    find("green", docs)
    index = docs.with_name("index.sqlite3")
    with closing(sqlite3.connect(index)) as connection, connection:
        connection.execute("UPDATE files SET sha256 = x'00'")
    capsys.readouterr()

    find("green", docs, rehash=True)

    with closing(sqlite3.connect(index)) as connection:
        hashes = [row[0] for row in connection.execute("SELECT sha256 FROM files")]
    assert hashes
    assert b"\x00" not in hashes


@pytest.mark.parametrize("query", ["nowhere", "", "OR", '"', "*", "\udcff", "a" * 10_000])
def test_nothing_found_is_an_answer(
    query: str, docs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    find(query, docs, form=Format.JSON)

    message = json.loads(capsys.readouterr().out)
    assert message["artifact"] is None
    assert message["content"].endswith(".")


def test_limits_are_kept(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    find("tea", docs, form=Format.JSON, limit_chars=30)
    tight = json.loads(capsys.readouterr().out)
    find("tea", docs, form=Format.JSON, excerpt_chars=4)
    short = json.loads(capsys.readouterr().out)

    assert len(tight["content"]) <= 30
    assert {len(each["excerpt"]) for each in short["artifact"]["knowledge_sources"]} == {4}


def test_control_characters_never_reach_a_terminal(
    docs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "# Steering\x9b\u202e\n\nred \x1b[31m tea \x07 \u2028 \u2066 here"
    (docs / "a\u202e.md").write_text(text, encoding="utf-8")

    find("steering red", docs)

    shown = "".join(capsys.readouterr())
    assert not set(shown) & set("\x1b\x07\x9b\u202e\u2028\u2066")
    assert "\\u2028" in shown


def test_long_list_of_skipped_files_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    skipped = tuple(Skipped(f"{number}.md", "binary") for number in range(30))
    summary = Summary(0, 0, 0, skipped, 1030, notes=("The index was made anew.",))

    write_summary(summary)

    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "skipped: 0.md: binary"
    assert lines[20:] == ["skipped: 1010 more", "The index was made anew."]


def test_message_without_a_citation_has_no_artifact() -> None:
    result = RetrievalResult("local", (RetrievalHit("Nobody's text."),))

    message = build_message(result, limit_chars=1000, excerpt_chars=100)

    assert message["artifact"] is None
    assert read_message(message).evidence == ()


def test_missing_folder_is_named_without_quoting_it(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        find("tea", tmp_path / "secret")

    assert "secret" not in str(caught.value)


def test_missing_extra_is_named_in_one_line(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (docs / "a.pdf").write_bytes(b"%PDF-1.4\n")
    monkeypatch.setitem(sys.modules, "pypdf", None)

    with pytest.raises(UnavailableError, match=r"^[^\n]*knowledge-contract\[local\][^\n]*$"):
        find("tea", docs)


def test_no_bar_is_drawn_when_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar("indexing", "files") as draw:
        draw(1, 2)

    assert "".join(capsys.readouterr()) == ""


@pytest.mark.skipif(os.name != "posix", reason="terminals and signals are POSIX")
def test_interrupt_under_the_bar_leaves_an_index_that_goes_on(run: Run, tmp_path: Path) -> None:
    docs, index = tmp_path / "docs", tmp_path / "index.sqlite3"
    docs.mkdir()
    for number in range(FILE_COUNT):
        (docs / f"{number:04}.md").write_text(f"# Cup {number}\n\nTea {number}.", encoding="utf-8")
    arguments = ["search", "tea 1999", "--docs", str(docs), "--index", str(index)]
    watched, terminal = os.openpty()

    with subprocess.Popen(
        [sys.executable, "-m", "knowledge_contract.cli", *arguments],
        stdout=subprocess.PIPE,
        stderr=terminal,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "80"},
    ) as child:
        os.close(terminal)
        shown = read_until(watched, f"/{FILE_COUNT}")
        child.send_signal(signal.SIGINT)
        rest = read_until(watched, None)
        out, _ = child.communicate()
    os.close(watched)
    again = run(*arguments)

    assert "indexing" in shown
    assert (child.returncode, out) == (130, b"")
    assert rest.endswith("interrupted\r\n")
    assert (again.code, again.err) == (0, "")
    assert "\nTea 1999." in again.out


def read_until(terminal: int, words: str | None) -> str:
    """Return what a terminal shows up to some words, or to its end."""
    shown = ""
    while words is None or words not in shown:
        try:
            part = os.read(terminal, 4096)
        except OSError:
            # How Linux says that nobody has the terminal open any more; others give no bytes.
            part = b""
        if not part:
            return shown
        shown += part.decode(errors="replace")
    return shown
