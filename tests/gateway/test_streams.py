"""A stream of events starts at once, and learns that its client left."""

import asyncio
import socket
from typing import Any

import uvicorn

from knowledge_contract.gateway import StrippingMiddleware

PATIENCE_S = 30


def test_event_stream_without_a_body_is_not_delayed() -> None:
    got: list[Any] = []

    async def app(_scope: Any, receive: Any, send: Any) -> None:
        got.append(await receive())
        kind = (b"content-type", b"text/event-stream")
        await send({"type": "http.response.start", "status": 200, "headers": [kind]})
        await send({"type": "http.response.body", "body": b"data: 1\n\n", "more_body": True})
        got.append(await receive())
        server.should_exit = True

    async def listen(port: int) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n")
        # The application has not ended: it waits for its client to leave.
        event = await reader.readuntil(b"data: 1\n\n")
        writer.close()
        return event

    config = uvicorn.Config(StrippingMiddleware(app), lifespan="off", log_level="warning")
    server = uvicorn.Server(config)

    async def run() -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            serving = asyncio.create_task(server.serve([listener]))
            async with asyncio.timeout(PATIENCE_S):
                await listen(listener.getsockname()[1])
                await serving

    asyncio.run(run())

    empty = {"type": "http.request", "body": b"", "more_body": False}
    assert got == [empty, {"type": "http.disconnect"}]
