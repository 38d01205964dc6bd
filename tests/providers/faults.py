"""Answers of broken and hostile servers, each with the error that it becomes."""

import gzip
import json
import zlib
from typing import NamedTuple

from knowledge_contract.errors import (
    ProviderConnectionError,
    ProviderError,
    ProviderProtocolError,
)
from providers.raw_server import JSON_HEAD, Play, drip, flood, hang, head, reply, reset, send

DEEP = b"[" * 5000 + b"]" * 5000
_PACKING = zlib.compressobj(wbits=31)
# Piece by piece, because a test measures memory.
BOMB = b"".join(_PACKING.compress(b" " * 2**20) for _ in range(64)) + _PACKING.flush()
CAP_BYTES = 16 * 2**20
"""The most bytes of an answer that any provider reads."""
_SMALL_CAP_BYTES = 2**20


def packed(piece: bytes, size_bytes: int) -> bytes:
    """Return a gzipped success of nearly a size, a list of equal pieces, made bit by bit."""
    packing = zlib.compressobj(wbits=31)
    start = packing.compress(b'{"code": 0, "data": {"chunks": [' + piece)
    batch = (b"," + piece) * 100
    batches = [packing.compress(batch) for _ in range((size_bytes - 999) // len(batch))]
    return b"".join((start, *batches, packing.compress(b"]}}"), packing.flush()))


MANY = {"objects": b"{}", "numbers": b"1", "lists in lists": b"[" * 150 + b"]" * 150}
"""Pieces of answers whose values cost far more than their bytes."""
SHORT_S = 0.3
"""For servers that would never come to an end."""
GZIP = {"Content_Encoding": "gzip"}


class Fault(NamedTuple):
    """An answer, what a client must make of it, and how long it may wait."""

    play: Play
    error: type[ProviderError]
    says: str
    timeout_s: float = 30.0


FAULTS = {
    "headers that never come": Fault(hang(), ProviderConnectionError, "within", SHORT_S),
    "headers that never end": Fault(
        drip(b"HTTP/1.1 200 OK\r\nX: "), ProviderConnectionError, "within", SHORT_S
    ),
    "body that never comes": Fault(
        hang(JSON_HEAD + b"Content-Length: 9\r\n\r\n"), ProviderConnectionError, "within", SHORT_S
    ),
    "body that drips": Fault(
        drip(JSON_HEAD + b"Content-Length: 99999\r\n\r\n{"),
        ProviderConnectionError,
        "within",
        SHORT_S,
    ),
    "body that is cut": Fault(
        send(head(Content_Length=99) + b'{"code"'), ProviderConnectionError, "broke off"
    ),
    "connection closed at once": Fault(send(b""), ProviderConnectionError, "broke off"),
    "reset before the answer": Fault(reset(), ProviderConnectionError, "broke off"),
    "reset in the body": Fault(
        reset(head(Content_Length=99) + b'{"code"'), ProviderConnectionError, "broke off"
    ),
    "no HTTP": Fault(send(b"SSH-2.0-OpenSSH_9.2\r\n"), ProviderConnectionError, "broke off"),
    "lengths that contradict each other": Fault(
        send(head(Content_Length="2, 3") + b"{}"), ProviderConnectionError, "broke off"
    ),
    "length in words": Fault(
        send(head(Content_Length="many") + b"{}"), ProviderConnectionError, "broke off"
    ),
    "head of a megabyte": Fault(send(head(X="x" * 2**20)), ProviderConnectionError, "broke off"),
    "broken chunks": Fault(
        send(head(Transfer_Encoding="chunked") + b"zz\r\n{}"), ProviderConnectionError, "broke off"
    ),
    "ten gibibytes announced": Fault(
        hang(head(Content_Length=10 * 2**30)), ProviderProtocolError, "longer"
    ),
    "body without end": Fault(flood(head(), b" " * 2**16), ProviderProtocolError, "longer"),
    "gzip bomb": Fault(reply(BOMB, **GZIP), ProviderProtocolError, "longer"),
    "gzip in gzip": Fault(
        reply(gzip.compress(BOMB), Content_Encoding="gzip, gzip"), ProviderProtocolError, "encoded"
    ),
    "brotli": Fault(reply(b"\x0b\x00", Content_Encoding="br"), ProviderProtocolError, "encoded"),
    "gzip that is none": Fault(reply(b"{}", **GZIP), ProviderProtocolError, "broken"),
    "gzip that is cut": Fault(
        reply(gzip.compress(b"{}")[:-4], **GZIP), ProviderProtocolError, "broken"
    ),
    "gzip with more behind it": Fault(
        reply(gzip.compress(b"{}") + b"x", **GZIP), ProviderProtocolError, "broken"
    ),
    "redirect to another host": Fault(
        reply(b"", "302 Found", Location="http://elsewhere.invalid/secret-place"),
        ProviderProtocolError,
        "redirects",
    ),
    "permanent redirect": Fault(
        reply(b"", "308 Permanent Redirect", Location="/secret-place"),
        ProviderProtocolError,
        "redirects",
    ),
    "HTML": Fault(reply(b"<!doctype html><title>x</title>"), ProviderProtocolError, "JSON"),
    "nothing": Fault(reply(b""), ProviderProtocolError, "JSON"),
    "NaN": Fault(reply(b'{"code": 0, "data": NaN}'), ProviderProtocolError, "JSON"),
    "a key twice": Fault(reply(b'{"code": 0, "code": 0}'), ProviderProtocolError, "JSON"),
    "no UTF-8": Fault(reply(b'{"code": "\xff"}'), ProviderProtocolError, "JSON"),
    **{
        f"very many {name}": Fault(
            reply(packed(piece, _SMALL_CAP_BYTES), **GZIP), ProviderProtocolError, "values"
        )
        for name, piece in MANY.items()
    },
    "nothing modified": Fault(
        reply(b"", "304 Not Modified", ETag="secret-place"), ProviderProtocolError, "HTTP 304"
    ),
    "depth of 5,000": Fault(
        reply(json.dumps({"code": 0}).encode()[:-1] + b', "data": ' + DEEP + b"}"),
        ProviderProtocolError,
        "JSON",
    ),
}
"""Whatever the provider: these never become an answer."""
