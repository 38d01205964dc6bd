"""Broken, hostile and refusing servers: one clear error each (synthetic answers)."""

import json
from typing import Any

import pytest

from knowledge_contract.errors import (
    ProviderAPIError,
    ProviderConfigurationError,
    ProviderError,
    ProviderProtocolError,
)
from knowledge_contract.providers.lightrag.client import RESPONSE_LIMIT_BYTES
from providers.faults import FAULTS, Fault
from providers.lightrag.synthetic import NO_RESULTS, chunk, error_from, play, search, success
from providers.raw_server import reply

VALIDATION = {
    "status": "failure",
    "message": "Validation error: body -> top_k: tenant",
    "data": {},
    "metadata": {},
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_fault_is_one_clear_error(fault: Fault) -> None:
    error = error_from(fault.play, timeout_s=fault.timeout_s)

    assert type(error) is fault.error
    assert fault.says in str(error)


REFUSALS: dict[str, tuple[str, Any, type[ProviderError], str]] = {
    "no key": ("403 Forbidden", {"detail": "tenant"}, ProviderConfigurationError, "asks for a key"),
    "login": ("401 Unauthorized", {"detail": "tenant"}, ProviderConfigurationError, "set the key"),
    "old server": ("404 Not Found", {"detail": "tenant"}, ProviderConfigurationError, "upgrade"),
    "other method": ("405 No", {"detail": "tenant"}, ProviderConfigurationError, "base_url"),
    "validation": ("400 Bad Request", VALIDATION, ProviderAPIError, "in more words"),
    "old validation": (
        *("422 Unprocessable Content", {"detail": [{"msg": "tenant"}]}),
        *(ProviderAPIError, "in more words"),
    ),
    "too large": ("413 Too Large", {"detail": "tenant"}, ProviderAPIError, "shorter"),
    "server error": ("500 Oops", {"detail": "tenant"}, ProviderAPIError, "in other words"),
    "gateway": ("503 Busy", None, ProviderAPIError, "later"),
    "teapot": ("418 Teapot", ["tenant"], ProviderAPIError, "see its log"),
    "no reason": (
        *("200 OK", {**NO_RESULTS, "message": "tenant", "metadata": {}}),
        *(ProviderAPIError, "not why"),
    ),
    "other reason": (
        *("200 OK", {**NO_RESULTS, "metadata": {"failure_reason": "tenant"}}),
        *(ProviderAPIError, "not why"),
    ),
    "flat payload": (
        *("200 OK", {"entities": [], "relationships": [], "chunks": []}),
        *(ProviderProtocolError, "upgrade"),
    ),
    "unknown status": ("200 OK", {"status": "tenant"}, ProviderProtocolError, "shape"),
    "another API": ("200 OK", {"code": 0, "data": []}, ProviderProtocolError, "base_url"),
    "list": ("200 OK", [success()], ProviderProtocolError, "shape"),
    "text": ("200 OK", "success", ProviderProtocolError, "shape"),
    "null": ("200 OK", None, ProviderProtocolError, "shape"),
}


@pytest.mark.parametrize(("status", "answer", "kind", "says"), REFUSALS.values(), ids=REFUSALS)
def test_refusal_says_what_to_do_and_not_what_the_server_said(
    status: str, answer: object, kind: type[ProviderError], says: str
) -> None:
    error = error_from(play(answer, status))

    assert type(error) is kind
    assert says in str(error)
    assert "tenant" not in str(error)


def test_wrong_key_is_told_from_a_missing_one() -> None:
    error = error_from(play({"detail": "Invalid API Key"}, "403 Forbidden"), api_key="wrong")

    assert "refuses the key" in str(error)


@pytest.mark.parametrize(
    "data",
    [None, [], "x", {}, {"chunks": None}, {"chunks": {}}, {"chunks": [], "references": {}}],
    ids=["null", "list", "text", "empty", "null chunks", "object of chunks", "references"],
)
def test_success_of_another_shape_is_a_protocol_error(data: object) -> None:
    error = error_from(play({**success(), "data": data}))

    assert type(error) is ProviderProtocolError


def test_answer_of_four_mebibytes_is_read_and_no_more() -> None:
    room = RESPONSE_LIMIT_BYTES - len(json.dumps(success(chunk(1, content=""))))

    (hit,) = search(success(chunk(1, content="x" * room))).hits
    error = error_from(play(success(chunk(1, content="x" * (room + 1)))))

    assert len(hit.text) == room
    assert "longer than 4194304 bytes" in str(error)


def test_failure_of_the_server_is_not_asked_again() -> None:
    good = play(success(chunk(1)))

    assert "HTTP 500" in str(error_from(reply(b"{}", "500 Oops"), good))
