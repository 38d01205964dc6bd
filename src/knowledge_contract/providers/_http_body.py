"""Read a response's text within a bound that counts decoded bytes."""

import zlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx

__all__ = ["BodyError", "read_text"]

_GZIP = 16 + zlib.MAX_WBITS
_PIECE_BYTES = 2**16
"""What is unpacked at a time, so that a bomb costs no more memory than what it may give."""


class BodyError(Exception):
    """A body that is not read; its message says why, and never leaves the package alone."""


async def read_text(response: "httpx.Response", *, limit_bytes: int) -> str | None:
    """Return the body of a streamed response as text; None if it is not UTF-8.

    Only gzip is unpacked, the one encoding that was asked for.

    Raises:
        BodyError: the body is too long, which is known at once where its length is declared, or
            its encoding is unknown or broken.
    """
    declared = response.headers.get("content-length", "")
    # Compressed bytes count as well: they do not become fewer.
    if declared.isdecimal() and int(declared) > limit_bytes:
        raise _too_long(limit_bytes)
    unpack, finish = _decoding(response.headers.get("content-encoding", ""))
    # One buffer that grows: pieces would be held a second time while they are joined.
    body = bytearray()
    async for raw in response.aiter_raw():
        for piece in unpack(raw):
            if len(body) + len(piece) > limit_bytes:
                raise _too_long(limit_bytes)
            body += piece
    finish()
    try:
        return body.decode()
    except UnicodeDecodeError:
        return None


def _decoding(encoding: str) -> tuple[Callable[[bytes], Iterator[bytes]], Callable[[], None]]:
    match encoding.strip().lower():
        case "" | "identity":
            return (lambda raw: iter((raw,))), (lambda: None)
        case "gzip" | "x-gzip":
            gunzip = _Gunzip()
            return gunzip.unpack, gunzip.finish
    raise BodyError(
        "the answer is encoded in a way that was not asked for: check what stands between here"
        " and the server"
    )


class _Gunzip:
    """Unpacks one gzip member, piece by piece."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(_GZIP)

    def unpack(self, raw: bytes) -> Iterator[bytes]:
        """Yield what the bytes give, each piece bounded.

        Raises:
            BodyError: the bytes are no gzip, or go on after its end.
        """
        rest = raw
        while rest and not self._stream.eof:
            try:
                piece = self._stream.decompress(rest, _PIECE_BYTES)
            except zlib.error:
                raise _broken() from None
            rest = self._stream.unconsumed_tail
            yield piece
        if rest or self._stream.unused_data:
            raise _broken()

    def finish(self) -> None:
        """Check that nothing is missing.

        Raises:
            BodyError: the stream ended early.
        """
        if not self._stream.eof:
            raise _broken()


def _too_long(limit_bytes: int) -> BodyError:
    # Made where it is raised: kept in a variable it would keep its frame, and the bytes in it.
    return BodyError(
        f"the answer is longer than {limit_bytes} bytes: ask for less, or check base_url"
    )


def _broken() -> BodyError:
    return BodyError(
        "the answer's gzip encoding is broken: check what stands between here and the server"
    )
