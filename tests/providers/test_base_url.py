"""The address of a server: what an operator may write, and refusals that quote nothing."""

import pytest

from knowledge_contract.errors import ProviderConfigurationError
from knowledge_contract.providers._base_url import is_loopback, parse_base_url


@pytest.mark.parametrize(
    ("address", "parsed"),
    [
        ("http://localhost:9380", "http://localhost:9380"),
        ("HTTPS://example.org/rag//", "https://example.org/rag"),
        ("http://[::1]:80/", "http://[::1]:80"),
        ("http://[::ffff:127.0.0.1]", "http://[::ffff:127.0.0.1]"),
        ("http://host:/", "http://host:"),
        ("http://example.org/a@b", "http://example.org/a@b"),
    ],
    ids=["plain", "path", "IPv6", "IPv4 in IPv6", "empty port", "at in the path"],
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
        "http://[::1]secret",
        "http://[::1]secret:80",
        "http://[v1.secret]",
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
        *("encoded user", "port too large", "port of letters", "open bracket"),
        *("text behind a bracket", "text before a port", "future version", "query"),
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


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("http://localhost:9621", True),
        ("http://127.8.9.1", True),
        ("http://[::1]:9621", True),
        ("http://localhost.example.com", False),
        ("http://127.1", False),
        ("http://10.0.0.1", False),
        ("http://[::2]", False),
    ],
    ids=["name", "block", "IPv6", "other name", "short", "private", "other IPv6"],
)
def test_only_this_machine_is_loopback(address: str, *, expected: bool) -> None:
    assert is_loopback(address) is expected
