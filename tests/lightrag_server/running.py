"""A real LightRAG server on loopback, offline, with stub models behind it."""

import json
import os
import re
import secrets
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from lightrag_server.stub_models import DIMENSIONS, StubModels, stub_models

_PROGRAM = Path(__file__).with_name("offline.py")
_LIMIT_S = 120
_POLL_S = 0.05
_LOG_LINES = 20
_LISTENING = re.compile(rb"Uvicorn running on http://127\.0\.0\.1:(\d+)")


class ServerFailure(Exception):
    """The server did not do what these tests need; the message ends with its log."""


class Server:
    """A LightRAG server in a process of its own, which ends with this one.

    Attributes:
        api_key: What it was started with.
        models: What it asks.
        port: The system's choice at the first start, then kept.
    """

    def __init__(self, *, python: Path, folder: Path, models: StubModels) -> None:
        self.api_key = secrets.token_hex(16)
        self.port = 0
        self._python = python
        self._folder = folder
        self.models = models
        self._log = folder / "server.log"
        self._process: subprocess.Popen[bytes] | None = None
        # Without it the server asks on a terminal whether it should go on.
        folder.joinpath(".env").touch()

    @property
    def base_url(self) -> str:
        """The server's address."""
        return f"http://127.0.0.1:{self.port}"

    def fetch(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Return the answer to a request that bears the key, whatever its status."""
        options.setdefault("headers", {"X-API-Key": self.api_key})
        with httpx.Client(trust_env=False, timeout=_LIMIT_S) as client:
            return client.request(method, f"{self.base_url}{path}", **options)

    def query(self, question: str, **fields: Any) -> dict[str, Any]:
        """Return the lists of a successful `/query/data`, as the server sent them."""
        answer = self.fetch("POST", "/query/data", json={"query": question, **fields}).json()
        assert answer["status"] == "success", answer
        data: dict[str, Any] = answer["data"]
        return data

    def add(self, documents: Mapping[str, str]) -> None:
        """Store texts under names, and wait until they can be found."""
        before = self._processed()
        body = {"texts": [*documents.values()], "file_sources": [*documents]}
        self.fetch("POST", "/documents/texts", json=body).raise_for_status()
        deadline = time.monotonic() + _LIMIT_S
        while self._processed() < before + len(documents):
            self._pause(deadline)

    def seed(self, texts: Sequence[str]) -> None:
        """Store texts that have no name, while the server is not running."""
        with self._log.open("ab") as log:
            subprocess.run(
                [self._python, "-P", _PROGRAM, "seed"],
                cwd=self._folder,
                env=self._environment(),
                input=json.dumps(texts).encode(),
                stdout=log,
                stderr=log,
                check=True,
                timeout=_LIMIT_S,
            )

    def start(self) -> None:
        """Start the server, and wait until it answers; again on the port that it had before."""
        with self._log.open("ab") as log:
            written = log.tell()
            self._process = subprocess.Popen(
                [self._python, "-P", _PROGRAM, "serve"],
                cwd=self._folder,
                env=self._environment(),
                # Closed by the system when this process ends, however it ends.
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + _LIMIT_S
        while not self._is_listening(written):
            self._pause(deadline)

    def kill(self) -> None:
        """End the server at once, as a machine does that runs out of memory."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self.stop()

    def stop(self) -> None:
        """End the server; nothing happens when it does not run."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(_LIMIT_S / 4)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process = None

    def _is_listening(self, written: int) -> bool:
        """Read the port from what the server has logged since it was started, and ask there."""
        said = _LISTENING.search(self._log.read_bytes()[written:])
        if said is None:
            return False
        self.port = int(said[1])
        return self.fetch("GET", "/health").is_success

    def _processed(self) -> int:
        answer = self.fetch("GET", "/documents/status_counts").json()["status_counts"]
        counts = {name.lower(): count for name, count in answer.items()}
        if counts.get("failed"):
            raise self._failure("a document was not processed")
        return int(counts.get("processed", 0))

    def _pause(self, deadline: float) -> None:
        """Wait a moment for the server to get on; fail when it has ended, or the time is up."""
        assert self._process is not None
        try:
            code = self._process.wait(_POLL_S)
        except subprocess.TimeoutExpired:
            if time.monotonic() > deadline:
                raise self._failure("the server took too long") from None
        else:
            raise self._failure(f"the server ended with {code}")

    def _failure(self, what: str) -> ServerFailure:
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()
        return ServerFailure("\n".join([what, *lines[-_LOG_LINES:]]))

    def _environment(self) -> dict[str, str]:
        """Return a closed environment: nothing that a developer has set for a model leaks in."""
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        models = {
            f"{kind}_{name}": value
            for kind in ("LLM", "EMBEDDING")
            for name, value in {
                "BINDING": "openai",
                "BINDING_HOST": self.models.base_url,
                "BINDING_API_KEY": "stub",
                "MODEL": "stub",
            }.items()
        }
        return {
            **kept,
            **models,
            "HOME": str(self._folder),
            "PYTHONUTF8": "1",
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "LIGHTRAG_API_KEY": self.api_key,
            "WORKING_DIR": str(self._folder / "storage"),
            "INPUT_DIR": str(self._folder / "inputs"),
            "LOG_DIR": str(self._folder),
            "EMBEDDING_DIM": str(DIMENSIONS),
            "MAX_GLEANING": "0",
            "ENABLE_LLM_CACHE": "false",
            # A token is one byte here, so that the server's own limits would be small.
            "CHUNK_SIZE": "1200",
            "CHUNK_OVERLAP_SIZE": "100",
            "MAX_ENTITY_TOKENS": "60000",
            "MAX_RELATION_TOKENS": "60000",
            "MAX_TOTAL_TOKENS": "200000",
        }


@contextmanager
def running(
    *,
    python: Path,
    folder: Path,
    documents: Mapping[str, str] | None = None,
    anonymous: Sequence[str] = (),
) -> Iterator[Server]:
    """Run a server that can find these documents, until the block ends.

    Args:
        python: Of an environment that holds the server.
        folder: Empty; for its files.
        documents: Texts by name.
        anonymous: Texts without a name.
    """
    with stub_models() as models:
        server = Server(python=python, folder=folder, models=models)
        if anonymous:
            server.seed(anonymous)
        try:
            server.start()
            if documents:
                server.add(documents)
            yield server
        finally:
            server.stop()
