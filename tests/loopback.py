"""A server on this machine that answers every search with one passage, and counts requests."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Loopback(NamedTuple):
    """Where it listens, and the header fields and bodies that reached it."""

    url: str
    requests: list[tuple[dict[str, str], Any]]


@contextmanager
def serve() -> Iterator[Loopback]:
    """Serve until the block ends."""
    requests: list[tuple[dict[str, str], Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            requests.append((dict(self.headers), body))
            answer = json.dumps({"title": "Tea room", "text": f"Of {body['query']}."}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name there
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield Loopback(f"http://127.0.0.1:{server.server_address[1]}", requests)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
