"""Broken, hostile and refusing servers: one clear error each, within the time-out."""

import json
from typing import Any

import pytest

from knowledge_contract.errors import (
    ProviderAPIError,
    ProviderConfigurationError,
    ProviderConnectionError,
    ProviderError,
    ProviderProtocolError,
)
from knowledge_contract.providers._http import Retrying
from knowledge_contract.providers.ragflow import RagflowProvider, RagflowSettings
from knowledge_contract.retrieval import RetrievalContext
from providers.faults import FAULTS, SHORT_S, Fault
from providers.ragflow.library import (
    answering,
    chunk,
    dataset,
    library,
    no_pause,
    refusal,
    retrieval,
    search,
    texts,
)
from providers.ragflow.server import KEY, running
from providers.raw_server import Play, reply, serving

GOOD_DATASETS = reply(json.dumps({"code": 0, "data": [dataset(1)]}).encode())


def error_from(*plays: Play, timeout_s: float = 30.0) -> ProviderError:
    """Return the error that a search ends in when a server plays these answers."""
    with serving(*plays) as server:
        settings = RagflowSettings(base_url=server.base_url, api_key=KEY, timeout_s=timeout_s)
        provider = RagflowProvider(settings, retrying=Retrying(sleep=no_pause))
        with pytest.raises(ProviderError) as caught:
            provider.search_sync("pump", context=RetrievalContext())
    assert str(caught.value).startswith("ragflow: ")
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_fault_of_the_first_answer_is_one_clear_error(fault: Fault) -> None:
    error = error_from(fault.play, timeout_s=fault.timeout_s)

    assert type(error) is fault.error
    assert fault.says in str(error)


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_fault_of_the_retrieval_is_one_clear_error(fault: Fault) -> None:
    error = error_from(GOOD_DATASETS, fault.play, timeout_s=max(fault.timeout_s, 2 * SHORT_S))

    assert type(error) is fault.error
    assert fault.says in str(error)


def test_name_that_cannot_be_resolved_is_a_connection_error() -> None:
    error = refusal(library(), base_url="http://no-such-host.invalid")

    assert type(error) is ProviderConnectionError


REFUSALS: dict[str, tuple[Any, type[ProviderError]]] = {
    "code 100": ({"code": 100, "data": None, "message": "E"}, ProviderAPIError),
    "code 103": ({"code": 103}, ProviderAPIError),
    "code 400": ({"code": 400, "message": "model tenant"}, ProviderAPIError),
    "code 500": ({"code": 500}, ProviderAPIError),
    "unknown code": ({"code": 987654}, ProviderAPIError),
    "negative code": ({"code": -1}, ProviderAPIError),
    "code as text": ({"code": "100"}, ProviderAPIError),
    "retcode": ({"retcode": 100, "retmsg": "E"}, ProviderAPIError),
    "code 109": ({"code": 109, "data": False}, ProviderConfigurationError),
    "code 401": ({"code": 401, "data": None}, ProviderConfigurationError),
    "code 403": ({"code": 403}, ProviderConfigurationError),
    "data false": ({"code": 0, "data": False}, ProviderConfigurationError),
    "HTTP 401": (({"code": 0, "data": None}, 401), ProviderConfigurationError),
    "HTTP 401 without JSON": ((b"", 401), ProviderConfigurationError),
    "HTTP 403": (({"code": 0}, 403), ProviderConfigurationError),
    "HTTP 404": (({"code": 404}, 404), ProviderConfigurationError),
    "HTTP 404 without JSON": ((b"<h1>", 404), ProviderConfigurationError),
    "HTTP 400": (({"code": 0, "data": []}, 400), ProviderAPIError),
    "HTTP 429": (({}, 429), ProviderAPIError),
    "HTTP 500": (({"code": 100}, 500), ProviderAPIError),
    "HTTP 500 and success": (({"code": 0, "data": []}, 500), ProviderAPIError),
    "HTTP 503": ((b"<h1>", 503), ProviderAPIError),
    "no code": ({"data": []}, ProviderProtocolError),
    "code true": ({"code": True, "data": []}, ProviderProtocolError),
    "code as a fraction": ({"code": 0.5, "data": []}, ProviderProtocolError),
    "code of 20 digits": ({"code": 10**20}, ProviderProtocolError),
    "code in words": ({"code": "tenant"}, ProviderProtocolError),
    "list": ([{"code": 0}], ProviderProtocolError),
    "text": ("success", ProviderProtocolError),
    "null": (b"null", ProviderProtocolError),
}


@pytest.mark.parametrize(("answer", "kind"), REFUSALS.values(), ids=REFUSALS)
@pytest.mark.parametrize("path", ["/datasets", "/retrieval"], ids=["datasets", "retrieval"])
def test_refusal_is_told_by_status_code_and_shape(
    path: str, answer: Any, kind: type[ProviderError]
) -> None:
    error = refusal(library(intercept=answering(path, answer)))

    assert type(error) is kind


def test_business_error_of_a_retrieval_is_no_missing_dataset() -> None:
    error = refusal(library(intercept=answering("/retrieval", {"code": 102})))

    assert isinstance(error, ProviderAPIError)
    assert (type(error), error.code) == (ProviderAPIError, 102)


@pytest.mark.parametrize("code", [101, 102, 108], ids=str)
def test_refused_argument_is_not_blamed_on_the_question(code: int) -> None:
    error = refusal(library(intercept=answering("/retrieval", {"code": code})))

    assert "rerank_id" in str(error)
    assert "shorter" not in str(error)


def test_refused_credentials_in_a_retrieval_may_be_those_of_a_model() -> None:
    error = refusal(library(intercept=answering("/retrieval", {"code": 401})))

    assert "check its models' keys" in str(error)


@pytest.mark.parametrize(
    "data",
    [None, [], "x", 7, {}, {"chunks": None}, {"chunks": {}}],
    ids=["null", "list", "text", "number", "no chunks", "null chunks", "object of chunks"],
)
def test_retrieval_of_another_shape_is_a_protocol_error(data: object) -> None:
    error = refusal(library(intercept=answering("/retrieval", {"code": 0, "data": data})))

    assert type(error) is ProviderProtocolError


def test_busy_server_is_asked_again() -> None:
    busy = answering("/retrieval", (b"", 503), retrieval(chunk(1)))

    with running(library(intercept=busy)) as server:
        result = search(server)

    assert texts(result) == ["Step 1: prime the pump."]
    assert len(server.requests("/retrieval")) == 2


def test_code_100_is_not_asked_again() -> None:
    server = library(intercept=answering("/retrieval", {"code": 100}))

    refusal(server)

    assert len(server.requests("/retrieval")) == 1


def test_answer_of_sixteen_mebibytes_is_refused() -> None:
    long = reply(json.dumps({"code": 0, "data": ["x" * 2**24]}).encode())

    assert "longer" in str(error_from(long))
