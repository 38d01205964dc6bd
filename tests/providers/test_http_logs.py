"""Secrets stay out of log records, those of the HTTP libraries included."""

import logging
import sys
import threading

import pytest

from knowledge_contract.providers._http_logs import redacted_logs
from providers.asking import GOOD, KEY, fetch
from providers.raw_server import reply, serving


def test_server_that_echoes_the_key_leaves_no_trace(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    with serving(reply(b"{}", f"200 {KEY}", X_Echo=KEY)) as server:
        fetch(server.base_url)

    written = [f"{record.getMessage()} {record.msg} {record.args}" for record in caplog.records]
    assert any("HTTP Request" in line for line in written)
    assert any("X-Echo" in line for line in written)
    assert [line for line in written if KEY in line] == []


def test_libraries_log_as_before_once_the_session_is_over(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)

    with serving(GOOD) as server:
        fetch(server.base_url)
        fetch(server.base_url)
    logging.getLogger("httpx").info("of others: %s", KEY)

    assert caplog.messages[-1] == f"of others: {KEY}"
    assert len(logging.getLogger("httpx").filters) == 1


def test_secrets_stay_hidden_until_the_last_context_that_names_them_is_over(
    caplog: pytest.LogCaptureFixture,
) -> None:
    logger = logging.getLogger("httpcore.http11")
    caplog.set_level(logging.INFO)

    with redacted_logs({"first", "second"}):
        with redacted_logs({"second"}):
            logger.info("first second")
        logger.info("first second")
    logger.info("first second")

    hidden = "[redacted] [redacted]"
    assert caplog.messages == [hidden, hidden, "first second"]


def test_record_that_cannot_be_written_harms_nobody(caplog: pytest.LogCaptureFixture) -> None:
    with redacted_logs({KEY}):
        logging.getLogger("httpx").warning("%d of them", KEY)

    assert caplog.messages == ["(a record that cannot be written)"]


class Loud(logging.Handler):
    """Remembers messages, whoever logs them."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Remember."""
        self.messages.append(record.getMessage())


def test_secrets_stay_hidden_while_other_threads_open_and_close_sessions() -> None:
    logger, loud = logging.getLogger("httpx"), Loud()
    over = threading.Event()

    def churn() -> None:
        while not over.is_set():
            with redacted_logs({"another-key"}):
                pass

    threads = [threading.Thread(target=churn) for _ in range(3)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    logger.addHandler(loud)
    try:
        for thread in threads:
            thread.start()
        for _ in range(2000):
            with redacted_logs({KEY}):
                logger.warning("with %s", KEY)
    finally:
        over.set()
        sys.setswitchinterval(interval)
        logger.removeHandler(loud)
        for thread in threads:
            thread.join(10)

    assert set(loud.messages) == {"with [redacted]"}
