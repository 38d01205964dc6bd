"""Keep secrets out of log records, those of the HTTP libraries included.

httpx logs a response's reason phrase, httpcore its headers: a server that echoes what it was
sent would write a credential into the operator's log.
"""

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from knowledge_contract._text import cut_text, normalize_line
from knowledge_contract.redaction import redactor

__all__ = ["printable", "redacted_logs"]

_LOGGERS = (
    *("httpx", "httpcore.connection", "httpcore.http11", "httpcore.http2", "httpcore.proxy"),
    "httpcore.socks",
)
_REMARK_CHARS = 500


@contextmanager
def redacted_logs(secrets: Iterable[str]) -> Iterator[None]:
    """Redact what the HTTP libraries log while the context is open, in every thread.

    Contexts may overlap: each secret is kept out until the last context that names it is over.
    """
    held = frozenset(secrets)
    _KEEPER.hold(held)
    try:
        yield
    finally:
        _KEEPER.release(held)


def printable(remark: object, secrets: Iterable[str]) -> str:
    """Return a server's own words as a log may hold them: one bounded line without secrets."""
    if not isinstance(remark, str):
        return "(no message)"
    return cut_text(redactor(secrets)(normalize_line(remark)), _REMARK_CHARS)


class _Keeper(logging.Filter):
    """Rewrites a record that holds a secret; lets every record pass, and never raises.

    It stays where it was put: a filter that is taken away lets the next one be skipped in a
    thread that logs meanwhile.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        # Replaced as a whole, so that it is read without the lock.
        self._redact: Callable[[str], str] | None = None

    def hold(self, secrets: frozenset[str]) -> None:
        """Keep these out of the logs, too."""
        with self._lock:
            self._counts.update(secrets)
            self._replace()
            for name in _LOGGERS:
                # Adds nothing where the filter stands already.
                logging.getLogger(name).addFilter(self)

    def release(self, secrets: frozenset[str]) -> None:
        """Undo one `hold`."""
        with self._lock:
            self._counts.subtract(secrets)
            self._counts = +self._counts
            self._replace()

    def filter(self, record: logging.LogRecord) -> bool:
        """Redact a record of anybody's."""
        redact = self._redact
        if redact is None:
            return True
        try:
            text = record.getMessage()
            kept = redact(text)
        # Arguments are anybody's objects; their failure is the logging library's to report, but
        # it would print them.
        except Exception:  # noqa: BLE001 - see above
            text, kept = "", "(a record that cannot be written)"
        if kept != text:
            record.msg, record.args = kept, ()
        return True

    def _replace(self) -> None:
        self._redact = redactor(frozenset(self._counts)) if self._counts else None


_KEEPER = _Keeper()
