"""A server on loopback that answers with exactly the bytes that a test wants."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

Play = Callable[[socket.socket, threading.Event], None]
"""Answers one request; the event is set when the test is over, for answers that never end."""

JSON_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


def head(status: str = "200 OK", **fields: object) -> bytes:
    """Return a response's head that announces the end of the connection."""
    lines = [f"HTTP/1.1 {status}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    return "\r\n".join([*lines, "", ""]).encode()


def reply(body: bytes, status: str = "200 OK", **fields: object) -> Play:
    """Return a play that gives a whole response."""
    fields.setdefault("Content_Length", len(body))
    return send(head(status, **fields) + body)


def send(data: bytes) -> Play:
    """Return a play that sends bytes and closes the connection."""

    def play(connection: socket.socket, _: threading.Event) -> None:
        connection.sendall(data)

    return play


def hang(data: bytes = b"") -> Play:
    """Return a play that sends bytes and then nothing, until the test is over."""

    def play(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(data)
        over.wait(60)

    return play


def drip(data: bytes) -> Play:
    """Return a play that sends bytes, then one more every few milliseconds without end."""

    def play(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(data)
        while not over.wait(0.01):
            connection.sendall(b" ")

    return play


def flood(data: bytes, piece: bytes) -> Play:
    """Return a play that sends bytes, then the same piece without end."""

    def play(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(data)
        while not over.is_set():
            connection.sendall(piece)

    return play


def reset(data: bytes = b"") -> Play:
    """Return a play that sends bytes and resets the connection."""

    def play(connection: socket.socket, _: threading.Event) -> None:
        connection.sendall(data)
        # Zero seconds of lingering turn the close into a reset.
        connection.setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00"
        )

    return play


class RawServer:
    """Plays one answer after the other; the last one for ever."""

    def __init__(self, *plays: Play, tls: ssl.SSLContext | None = None) -> None:
        self.requests: list[bytes] = []
        self._plays = plays
        self._tls = tls
        self._over = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))

    @property
    def base_url(self) -> str:
        """The server's address."""
        scheme = "http" if self._tls is None else "https"
        return f"{scheme}://127.0.0.1:{self._listener.getsockname()[1]}"

    def serve(self) -> None:
        """Accept connections until the listener is closed."""
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def close(self) -> None:
        """End every play and stop listening."""
        self._over.set()
        # Shutting down wakes the thread that accepts; closing alone does not everywhere.
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _answer(self, connection: socket.socket) -> None:
        with suppress(OSError), connection:
            if self._tls is not None:
                connection = self._tls.wrap_socket(connection, server_side=True)
            with connection:
                request = _read_request(connection)
                play = self._plays[min(len(self.requests), len(self._plays) - 1)]
                self.requests.append(request)
                play(connection, self._over)


def _read_request(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        data += _receive(connection)
    top, _, body = data.partition(b"\r\n\r\n")
    lengths = [
        int(line.split(b":")[1])
        for line in top.split(b"\r\n")
        if line.lower().startswith(b"content-length:")
    ]
    while len(body) < sum(lengths):
        body += _receive(connection)
    return top + b"\r\n\r\n" + body


def _receive(connection: socket.socket) -> bytes:
    data = connection.recv(65536)
    if not data:
        raise ConnectionError("the client left early")
    return data


@contextmanager
def serving(*plays: Play, tls: ssl.SSLContext | None = None) -> Iterator[RawServer]:
    """Run a server for the time of a test."""
    server = RawServer(*plays, tls=tls)
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join(10)
