"""Keep secrets out of log records, those of the HTTP libraries included.

httpx logs a response's reason phrase, httpcore its headers: a server that echoes what it was
sent would write a credential into the operator's log.
"""

import logging
from collections.abc import Iterable, Iterator
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
    """Redact what the HTTP libraries log while the context is open."""
    keeper = _Redacting(secrets)
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    for logger in loggers:
        logger.addFilter(keeper)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(keeper)


def printable(remark: object, secrets: Iterable[str]) -> str:
    """Return a server's own words as a log may hold them: one bounded line without secrets."""
    if not isinstance(remark, str):
        return "(no message)"
    return cut_text(redactor(secrets)(normalize_line(remark)), _REMARK_CHARS)


class _Redacting(logging.Filter):
    """Rewrites a record that holds a secret; lets every record pass."""

    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__()
        self._redact = redactor(secrets)

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        kept = self._redact(text)
        if kept != text:
            record.msg, record.args = kept, ()
        return True
