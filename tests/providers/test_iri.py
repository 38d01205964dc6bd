"""IRIs become URLs that the contract can carry, and nothing else does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge_contract.providers._iri import build_url
from knowledge_wire.validators import is_web_url

ADDRESSES = {
    "a URL": ("https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
    "already encoded": ("https://example.org/a%20b/ü", "https://example.org/a%20b/%C3%BC"),
    "a path outside ASCII": (
        "https://de.wikipedia.org/wiki/Käse",
        "https://de.wikipedia.org/wiki/K%C3%A4se",
    ),
    "a host outside ASCII": ("https://bücher.example/", "https://xn--bcher-kva.example/"),
    "a host in Chinese": ("http://例え.jp:8080/x", "http://xn--r8jz45g.jp:8080/x"),
    "a scheme in capitals": ("HTTPS://Example.org/A", "https://example.org/A"),
    "a blank in the path": ("https://example.org/a b", "https://example.org/a%20b"),
    "an IPv6 host": ("http://[2001:DB8::1]/ü", "http://[2001:db8::1]/%C3%BC"),
    "a file path": ("/srv/docs/a.md", None),
    "a file address": ("file:///srv/docs/a.md", None),
    "a script": ("javascript:alert(1)", None),
    "user information": ("https://me:secret@example.org/ü", None),
    "a bad port": ("https://example.org:99999999/ü", None),
    "a bad host": ("https://exa mple.org/ü", None),
    "a broken bracket": ("http://[::1/ü", None),
    "a host that IDNA refuses": ("https://\u00ad.example/ü", None),
    "no text": (7, None),
    "nothing": (None, None),
}


@pytest.mark.parametrize(("address", "url"), ADDRESSES.values(), ids=ADDRESSES)
def test_address_becomes_a_url_or_nothing(address: object, url: str | None) -> None:
    assert build_url(address) == url


@given(st.text() | st.text(max_size=20).map(lambda tail: f"https://example.org/{tail}"))
def test_whatever_is_built_satisfies_the_contract_and_stays(address: str) -> None:
    url = build_url(address)

    assert url is None or is_web_url(url)
    assert url is None or build_url(url) == url
