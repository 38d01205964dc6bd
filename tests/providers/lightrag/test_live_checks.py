"""The opt-in checks of a LightRAG server work, and fail where there is nothing to cite."""

import copy
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from lightrag_server.fixtures import REAL_SERVER
from lightrag_server.running import Server
from providers.lightrag.synthetic import play
from providers.raw_server import serving

ROOT = Path(__file__).parents[3]
CHECKS = "tests/test_knowledge_contract_live.py"
CAPTURE = Path(__file__).parent / "captures" / "query_hybrid.json"
QUESTION = "Who tends the Grey Heron Bridge?"
VARIABLES = ("LIGHTRAG_", "DEER_FLOW_")


def run(*options: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the live checks with these variables and no others of theirs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(VARIABLES)}
    return subprocess.run(
        [sys.executable, "-m", "pytest", CHECKS, *options, "-q", "-p", "no:cacheprovider"],
        cwd=ROOT,
        env={**kept, **variables},
        capture_output=True,
        check=False,
        encoding="utf-8",
    )


def run_live(base_url: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run them as their own head says, at a server."""
    return run(
        *("-m", "live"),
        DEER_FLOW_RUN_LIVE_TESTS="1",
        LIGHTRAG_BASE_URL=base_url,
        LIGHTRAG_EVIDENCE_QUERY=QUESTION,
        **variables,
    )


def stored(server: Server) -> Any:
    """Return what a server holds: every document with its times, and the whole graph."""
    documents = server.fetch("POST", "/documents/paginated", json={"page_size": 50}).json()
    graph = server.fetch("GET", "/graphs", params={"label": "*"}).json()
    return documents["documents"], graph


@REAL_SERVER
def test_live_checks_pass_and_only_read(lightrag_server: Server) -> None:
    before = stored(lightrag_server)

    done = run_live(lightrag_server.base_url, LIGHTRAG_API_KEY=lightrag_server.api_key)

    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout
    assert "cited word for word" in done.stdout
    assert lightrag_server.api_key not in done.stdout
    assert stored(lightrag_server) == before


def test_live_checks_fail_where_no_chunk_has_a_document() -> None:
    answer = copy.deepcopy(json.loads(CAPTURE.read_text(encoding="utf-8"))["body"])
    answer["data"]["references"] = []
    for chunk in answer["data"]["chunks"]:
        chunk.update(file_path="unknown_source", reference_id="")

    with serving(play(answer)) as server:
        done = run_live(server.base_url)

    assert done.returncode == 1, done.stdout
    assert "2 failed" in done.stdout
    assert "nothing that was found has a document's name" in done.stdout
    assert "no relation rests on a chunk that has a document's name" in done.stdout


def test_live_checks_say_why_they_are_left_out() -> None:
    done = run("-m", "live", DEER_FLOW_RUN_LIVE_TESTS="0", LIGHTRAG_BASE_URL="http://localhost")

    assert done.returncode == 0, done.stdout
    assert "2 skipped" in done.stdout
    assert "not set: DEER_FLOW_RUN_LIVE_TESTS, LIGHTRAG_EVIDENCE_QUERY" in done.stdout


def test_normal_run_leaves_live_checks_out() -> None:
    done = run(DEER_FLOW_RUN_LIVE_TESTS="1")

    assert "2 deselected" in done.stdout
    assert "passed" not in done.stdout
