"""A server of its own, whose application notices what must never reach it.

It prints its port, serves until its standard input ends, and then leaves with exit code 0.
"""

import hashlib
import json
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvicorn

from knowledge_contract.gateway import Route, StrippingMiddleware
from knowledge_wire.constants import RESERVED_KEYS

counts = {"called": 0, "halves": 0, "forged": 0}


def mappings_in(document: Any) -> Iterator[dict[str, Any]]:
    pending = [document]
    while pending:
        current = pending.pop()
        if isinstance(current, dict):
            yield current
            pending.extend(current.values())
        elif isinstance(current, list):
            pending.extend(current)


def is_forged(body: bytes) -> bool:
    """Tell whether any mapping holds a reserved key; no clean body of the test has one."""
    return any(
        not mapping.keys().isdisjoint(RESERVED_KEYS) for mapping in mappings_in(json.loads(body))
    )


def peak_kib() -> int:
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answer a GET with the counts, and a POST with the digest of its body."""
    if scope["method"] == "GET":
        content = json.dumps({**counts, "peak_kib": peak_kib()}).encode()
    else:
        counts["called"] += 1
        body, more = b"", True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                counts["halves"] += 1
                return
            body, more = body + message["body"], message["more_body"]
        counts["forged"] += is_forged(body)
        content = hashlib.sha256(body).hexdigest().encode()
    headers = [(b"content-length", b"%d" % len(content))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": content})


def main(limit_bytes: int, body_timeout_s: float) -> None:
    guarded = StrippingMiddleware(
        app, routes=[Route("/threads")], limit_bytes=limit_bytes, body_timeout_s=body_timeout_s
    )
    config = uvicorn.Config(guarded, lifespan="off", log_level="warning", access_log=False)
    server = uvicorn.Server(config)

    def stop_at_the_end() -> None:
        sys.stdin.read()
        server.should_exit = True

    threading.Thread(target=stop_at_the_end, daemon=True).start()
    # Listening before anybody knows the port: whoever connects early waits in the backlog.
    with socket.create_server(("127.0.0.1", 0), backlog=256) as listener:
        print(listener.getsockname()[1], flush=True)  # noqa: T201 - the parent reads it
        server.run(sockets=[listener])


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
