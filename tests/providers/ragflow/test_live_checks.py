"""The opt-in checks of a real server work, and leave themselves out when nothing names one."""

import os
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

from providers.ragflow.library import library
from providers.ragflow.server import KEY, Asked, running

ROOT = Path(__file__).parents[3]
CHECKS = ROOT / "tests" / "live" / "ragflow_server.py"
OPTIONS = ("-m", "live", "--noconftest", "-p", "no:cacheprovider", "--showlocals")
PREFIX = "KNOWLEDGE_CONTRACT_RAGFLOW_"


def run(**variables: str) -> subprocess.CompletedProcess[str]:
    """Run the live checks with these variables and no others of theirs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    named = {f"{PREFIX}{name}": value for name, value in variables.items()}
    return subprocess.run(
        [sys.executable, "-m", "pytest", *OPTIONS, CHECKS],
        cwd=ROOT,
        # Nothing of the plugins is needed, and loading them takes longer than the checks.
        env={**kept, **named, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        check=False,
        encoding="utf-8",
    )


def test_live_checks_pass_and_only_read() -> None:
    with running(library()) as server:
        done = run(URL=server.base_url, KEY=KEY, QUESTION="pump")

    assert done.returncode == 0, done.stdout
    assert "7 passed" in done.stdout
    assert "3 records read back, in the native form" in done.stdout
    assert KEY not in done.stdout
    assert {each.method for each in server.asked} == {"GET", "POST"}
    assert {each.path for each in server.asked if each.method == "POST"} == {"/api/v1/retrieval"}


def test_failing_live_checks_do_not_show_the_key() -> None:
    def drop_plain_requests(asked: Asked) -> None:
        if asked.body is not None and "highlight" not in asked.body:
            raise ConnectionResetError

    with running(library(intercept=drop_plain_requests)) as server:
        done = run(URL=server.base_url, KEY=KEY, QUESTION="pump")

    assert done.returncode == 1
    assert "1 failed, 6 passed" in done.stdout
    assert "the plain request was not answered" in done.stdout
    assert KEY not in done.stdout


def test_live_checks_say_when_the_question_finds_nothing() -> None:
    with running(library(chunks=[])) as server:
        done = run(URL=server.base_url, KEY=KEY, QUESTION="pump")

    assert done.returncode == 1
    assert "finds nothing with identifiers: ask another" in done.stdout
    assert "StopIteration" not in done.stdout
    assert KEY not in done.stdout


def test_live_checks_say_why_they_are_left_out() -> None:
    done = run(URL="http://localhost")

    assert done.returncode == 0, done.stdout
    assert "7 skipped" in done.stdout
    assert f"not set: {PREFIX}KEY, {PREFIX}QUESTION" in done.stdout


def test_normal_run_does_not_collect_live_checks(pytestconfig: pytest.Config) -> None:
    patterns = pytestconfig.getini("python_files")

    assert patterns
    assert [
        path.name
        for path in CHECKS.parent.iterdir()
        if any(fnmatch(path.name, pattern) for pattern in patterns)
    ] == []
