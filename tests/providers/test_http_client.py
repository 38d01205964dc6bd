"""The client of one search: what it takes from the environment and from servers."""

import sys
from pathlib import Path

import httpx
import pytest

from knowledge_contract.errors import (
    ProviderConfigurationError,
    ProviderConnectionError,
    UnavailableError,
)
from knowledge_contract.providers._http import (
    CONCURRENT_REQUESTS,
)
from knowledge_contract.providers._http_client import _tls_context
from providers.asking import GOOD, READ, chain, fetch
from providers.certificates import self_signed
from providers.raw_server import reply, serving


def test_certificate_that_nobody_signed_is_refused(tmp_path: Path) -> None:
    with serving(GOOD, tls=self_signed(tmp_path)) as server:
        with pytest.raises(ProviderConnectionError):
            fetch(server.base_url)

        assert server.requests == []


def test_cookies_are_not_carried_from_one_request_to_the_next() -> None:
    given = httpx.Cookies({"of-the-operator": "1"})

    with serving(reply(b"{}", Set_Cookie="sid=1; Path=/")) as server:
        fetch(
            server.base_url,
            *[READ] * (CONCURRENT_REQUESTS + 1),
            client_factory=lambda: httpx.AsyncClient(cookies=given),
        )

    assert len(server.requests) == CONCURRENT_REQUESTS + 1
    assert [each for each in server.requests if b"sid=" in each] == []
    assert all(b"of-the-operator=1" in each for each in server.requests)


SURROUNDINGS = {
    "SOCKS": {"ALL_PROXY": "socks5://user:sesame@127.0.0.1:1"},
    "scheme of a proxy": {"HTTP_PROXY": "foo://user:sesame@127.0.0.1:1"},
    "address of a proxy": {"HTTP_PROXY": "http://user:sesame@[::1"},
    "missing certificates": {"SSL_CERT_FILE": "/sesame.pem"},
    "certificates that are none": {"SSL_CERT_FILE": __file__},
    "log of keys": {"SSLKEYLOGFILE": "/no-such-folder/sesame"},
}


@pytest.mark.parametrize("variables", SURROUNDINGS.values(), ids=SURROUNDINGS)
def test_environment_that_cannot_be_used_is_a_configuration_error(
    variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    _tls_context.cache_clear()

    with pytest.raises(ProviderConfigurationError, match=r"\Ashelf: [^\n]+environment") as caught:
        fetch("http://shelf.invalid")

    assert "sesame" not in str(caught.value)
    assert len(chain(caught.value)) == 1
    _tls_context.cache_clear()


def test_server_on_this_machine_is_asked_past_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(GOOD) as proxy, serving(GOOD) as server:
        monkeypatch.setenv("HTTP_PROXY", proxy.base_url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        fetch(server.base_url)
        assert (len(server.requests), len(proxy.requests)) == (1, 0)

        fetch("http://shelf.invalid")
        assert (len(server.requests), len(proxy.requests)) == (1, 1)


def test_missing_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)

    with pytest.raises(UnavailableError, match=r"\A[^\n]+knowledge-contract\[providers\]\Z"):
        fetch("http://localhost")
