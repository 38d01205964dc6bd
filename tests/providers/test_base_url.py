"""The address of a server: what an operator may write, and refusals that quote nothing."""

import pytest

from knowledge_contract.errors import ProviderConfigurationError
from knowledge_contract.providers._base_url import parse_base_url


@pytest.mark.parametrize(
    ("address", "parsed"),
    [
        ("http://localhost:9380", "http://localhost:9380"),
        ("HTTPS://example.org/rag//", "https://example.org/rag"),
        ("http://[::1]:80/", "http://[::1]:80"),
        ("http://example.org/a@b", "http://example.org/a@b"),
    ],
    ids=["plain", "path", "IPv6", "at in the path"],
)
def test_address_loses_only_the_slash_at_its_end(address: str, parsed: str) -> None:
    assert parse_base_url("shelf", address) == parsed


@pytest.mark.parametrize(
    "address",
    [
        "",
        "localhost:9380",
        "ftp://secret-host",
        "http://",
        "http:///secret-path",
        "http://secret-user@host",
        "http://secret-user:pass@host",
        "http://secret-user%3Apass%40host",
        "http://secret-host:99999",
        "http://secret-host:port",
        "http://[secret-host",
        "http://secret-host?x=1",
        "http://secret-host#x",
        "http://secret-host/ x",
        "http://secret-host\\@other",
        "http://secret-host\r\nX: 1",
        "http://secret-hóst",
        f"http://secret-host/{'x' * 2048}",
    ],
    ids=[
        *("empty", "no scheme", "other scheme", "no host", "host empty", "user", "password"),
        *("encoded user", "port too large", "port of letters", "open bracket", "query"),
        *("fragment", "blank", "backslash", "line end", "not ASCII", "too long"),
    ],
)
def test_address_that_cannot_be_used_is_refused_without_echo(address: str) -> None:
    with pytest.raises(ProviderConfigurationError, match=r"\Ashelf: base_url [^\n]+\Z") as caught:
        parse_base_url("shelf", address)

    assert "secret" not in str(caught.value)


def test_address_that_is_no_text_is_refused() -> None:
    nothing: object = None

    with pytest.raises(ProviderConfigurationError):
        parse_base_url("shelf", nothing)  # type: ignore[arg-type]  # settings may come from a file
