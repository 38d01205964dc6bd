"""A server on loopback that speaks as much of OpenAI's API as LightRAG uses, without a model."""

import base64
import json
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from lightrag_server.stub_answers import HOLD, StubModelError, chat, embed

DIMENSIONS = 256


class StubModels(NamedTuple):
    """The running API.

    Attributes:
        base_url: Its base address.
        holding: Set when a completion that was asked for with `HOLD` is being held.
        released: To be set when held completions may go on.
    """

    base_url: str
    holding: threading.Event
    released: threading.Event


class _Server(ThreadingHTTPServer):
    # A connection that LightRAG keeps open must not keep this process.
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.holding, self.released = threading.Event(), threading.Event()


@contextmanager
def stub_models() -> Iterator[StubModels]:
    """Serve until the block ends."""
    server = _Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        base_url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        yield StubModels(base_url, server.holding, server.released)
    finally:
        server.released.set()
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if HOLD in json.dumps(request.get("messages")):
            self.server.holding.set()
            self.server.released.wait()
        answers = {"/v1/embeddings": _embeddings, "/v1/chat/completions": _completion}
        try:
            status, answer = 200, answers[self.path](request)
        except StubModelError:
            status, answer = 400, {"error": {"message": "as asked", "type": "stub"}}
        body = json.dumps(answer, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        # Who was held may find that nobody waits any more.
        with suppress(ConnectionError):
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name there
        """Keep quiet."""


def _embeddings(request: dict[str, Any]) -> dict[str, Any]:
    asked = request["input"]
    texts = [asked] if isinstance(asked, str) else asked
    data = []
    for index, text in enumerate(texts):
        vector: Any = embed(text, request.get("dimensions") or DIMENSIONS)
        if request.get("encoding_format") == "base64":
            vector = base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
        data.append({"object": "embedding", "index": index, "embedding": vector})
    usage = {"prompt_tokens": len(texts), "total_tokens": len(texts)}
    return {"object": "list", "model": request["model"], "data": data, "usage": usage}


def _completion(request: dict[str, Any]) -> dict[str, Any]:
    message = {"role": "assistant", "content": chat(request["messages"])}
    return {
        "id": "chatcmpl-stub",
        "object": "chat.completion",
        "created": 0,
        "model": request["model"],
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }
