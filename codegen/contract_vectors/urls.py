"""Cases of the URL: what the pattern takes and what it keeps out."""

from collections.abc import Iterator

from contract_vectors.case import Case, Theme, accept, joined, refuse
from contract_vectors.samples import source

SOURCE = "KnowledgeSource"
ORIGIN = "https://example.com/"


def theme() -> Theme:
    """Return the cases of `url.json`."""
    description = "The URL: scheme, host, port, characters, length. Kept as it is, never repaired."
    cases = joined(_lengths(), _accepted(), _schemes(), _hosts(), _authority(), _characters())
    return Theme("url", description, cases)


def _good(name: str, url: str, note: str) -> Case:
    return accept(f"url-{name}", SOURCE, source(url=url), note)


def _bad(name: str, url: str, note: str) -> Case:
    return refuse(f"url-{name}", SOURCE, source(url=url), ("pattern", "/url"), note)


def _lengths() -> Iterator[Case]:
    yield _good("9-ok", "http://ab", "The shortest URL.")
    yield _good("9-https-ok", "https://a", "The shortest URL with TLS.")
    yield _good("2048-ok", ORIGIN.ljust(2048, "a"), "The greatest length.")
    for name, url, rule in (
        ("8-under", "http://a", "minLength"),
        ("scheme-only-http", "http://", "minLength"),
        ("scheme-only-https", "https://", "minLength"),
        ("2049-over", ORIGIN.ljust(2049, "a"), "maxLength"),
        ("2049-spaces-over", ORIGIN.ljust(2049), "maxLength"),
    ):
        note = "A length out of bounds is reported before the pattern."
        yield refuse(f"url-{name}", SOURCE, source(url=url), (rule, "/url"), note)


def _accepted() -> Iterator[Case]:
    for name, url, note in (
        ("http", "http://example.com/", "Plain HTTP is legal."),
        ("no-path", "https://example.com", "A path may be absent; no slash is added."),
        ("upper-case-host", "https://EXAMPLE.com/", "A host's case is kept."),
        ("punycode", "https://xn--bcher-kva.example/", "An international host in ASCII form."),
        ("trailing-dot", "https://example.com./", "A rooted host name is legal."),
        ("underscore-host", "https://my_host.example/", "Underscores occur in real host names."),
        ("single-label", "http://localhost/", "A host may be one label."),
        ("ipv4", "http://127.0.0.1/", "An address is a host."),
        ("ipv6", "http://[::1]/", "Brackets stand around an IPv6 host only."),
        ("ipv6-port", "https://[2001:DB8::1]:8443/a", "A port may follow an IPv6 host."),
        ("ipv6-mapped", "http://[::ffff:192.0.2.1]/", "An IPv4 tail is legal."),
        ("port", "https://example.com:8443/a", "A port."),
        ("port-1-digit", "http://example.com:1", "The shortest port."),
        ("port-99999", "http://example.com:99999/", "The pattern counts a port's digits only."),
        ("port-zeros", "http://example.com:00080/", "A port is kept as it is."),
        ("query-without-path", "https://example.com?q=1", "A query may follow the host."),
        ("fragment-without-path", "https://example.com#top", "A fragment may follow the host."),
        ("parentheses", f"{ORIGIN}Set_(mathematics)", "Parentheses are legal and common."),
        ("sub-delims", f"{ORIGIN}!$&'()*+,;=", "Every sub-delimiter of RFC 3986."),
        ("unreserved", f"{ORIGIN}AZaz09-._~", "Every kind of unreserved character."),
        ("percent", f"{ORIGIN}a%20b%C3%A9", "Percent-encoded octets are kept."),
        ("percent-bare", f"{ORIGIN}100%", "Percent triplets are not checked."),
        ("percent-in-host", "https://ex%61mple.com/", "A host may be percent-encoded."),
        ("at-in-path", f"{ORIGIN}@user", "After the host, @ is an ordinary character."),
        ("at-in-query", "https://example.com?a@b", "After the host, @ is an ordinary character."),
        ("colon-in-path", f"{ORIGIN}a:b", "A colon in a path is legal."),
        ("url-in-query", f"{ORIGIN}?u=https://a.example/?b", "A URL within a query is legal."),
        ("double-slash-path", f"{ORIGIN}/a//b", "Empty segments are kept."),
        ("dot-segments", f"{ORIGIN}a/../b", "Dot segments are not resolved."),
        ("two-hashes", f"{ORIGIN}#a#b", "The pattern does not count number signs."),
    ):
        yield _good(name, url, note)


def _schemes() -> Iterator[Case]:
    for name, url in (
        ("upper-case-scheme", "HTTPS://example.com/"),
        ("mixed-case-scheme", "Http://example.com/"),
        ("long-s-scheme", "http\u017f://example.com/"),
        ("javascript", "javascript:alert(1)"),
        ("javascript-slashes", "javascript://example.com/%0aalert(1)"),
        ("data", "data:text/html,hello"),
        ("file", "file:///etc/passwd"),
        ("ftp", "ftp://example.com/"),
        ("ws", "wss://example.com/"),
        ("mailto", "mailto:a@example.com"),
        ("httpss", "httpss://example.com/"),
        ("no-scheme", "example.com/handbook"),
        ("scheme-relative", "//example.com/a"),
        ("absolute-path", "/docs/handbook.pdf"),
        ("file-path", "C:\\docs\\handbook.pdf"),
        ("one-slash", "https:/example.com/"),
        ("no-slash", "https:example.com"),
        ("three-slashes", "https:///example.com/"),
        ("backslashes", "https:\\\\example.com\\"),
        ("space-before-colon", "https ://example.com/"),
        ("other-line-first", "x\nhttps://example.com/"),
        ("angle-brackets-around", "<https://example.com/>"),
        ("double-scheme", "view-source:https://example.com/"),
    ):
        note = "Only `http://` and `https://` in lower case start a URL."
        yield _bad(name, url, note)


def _hosts() -> Iterator[Case]:
    for name, url in (
        ("host-missing-path", "https:///path"),
        ("host-missing-query", "https://?q=1"),
        ("host-missing-fragment", "https://#top"),
        ("host-missing-port", "https://:443/"),
        ("host-leading-dot", "https://.example.com"),
        ("host-leading-dash", "https://-example.com"),
        ("host-leading-underscore", "https://_dmarc.example"),
        ("host-leading-percent", "https://%65xample.com"),
        ("host-non-ascii", "https://b\u00fccher.example/"),
        ("host-full-width", "https://\uff45xample.com/"),
        ("host-ideographic-stop", "https://example\u3002com/"),
        ("host-plus", "https://a+b.example/"),
        ("host-in-brackets", "https://[example.com]/"),
        ("ipv6-empty", "https://[]/"),
        ("ipv6-unclosed", "https://[::1/"),
        ("ipv6-unopened", "https://::1]/"),
        ("ipv6-without-brackets", "https://2001:db8::1/"),
        ("ipv6-zone", "https://[fe80::1%25eth0]/"),
        ("ipv6-future", "https://[v1.a:b]/"),
        ("ipv6-text-after", "https://[::1]a/"),
        ("ipv6-twice", "https://[::1][::1]/"),
    ):
        yield _bad(name, url, "A host must be there, in ASCII, with brackets for IPv6 only.")


def _authority() -> Iterator[Case]:
    for name, url in (
        ("user", "https://user@example.com/"),
        ("user-password", "https://user:secret@example.com/"),
        ("user-empty", "https://@example.com/"),
        ("user-looks-like-port", "https://example.com:80@evil.example/"),
        ("user-looks-like-host", "https://example.com@evil.example/"),
        ("user-before-ipv6", "https://user@[::1]/"),
        ("backslash-before-at", "https://example.com\\@evil.example/"),
    ):
        yield _bad(name, url, "User information is refused: it hides the host and may be a secret.")
    for name, url in (
        ("port-empty", "https://example.com:/"),
        ("port-6-digits", "https://example.com:123456/"),
        ("port-letters", "https://example.com:http/"),
        ("port-negative", "https://example.com:-1/"),
        ("port-twice", "https://example.com:80:80/"),
        ("port-arabic-digit", "https://example.com:\u0668/"),
    ):
        yield _bad(name, url, "A port is one to five ASCII digits.")


def _characters() -> Iterator[Case]:
    note = "Only the ASCII characters of RFC 3986 stand in a URL, and nothing is repaired."
    for name, character in (
        ("space", " "),
        ("tab", "\t"),
        ("newline", "\n"),
        ("nul", "\0"),
        ("delete", "\x7f"),
        ("c1", "\x85"),
        ("no-break-space", "\u00a0"),
        ("zero-width-space", "\u200b"),
        ("byte-order-mark", "\ufeff"),
        ("line-separator", "\u2028"),
        ("quote", '"'),
        ("less-than", "<"),
        ("greater-than", ">"),
        ("open-bracket", "["),
        ("close-bracket", "]"),
        ("backslash", "\\"),
        ("caret", "^"),
        ("backtick", "`"),
        ("open-brace", "{"),
        ("pipe", "|"),
        ("close-brace", "}"),
        ("umlaut", "\u00fc"),
        ("han", "\u77e5"),
        ("astral", "\U0001f600"),
    ):
        yield _bad(f"path-{name}", f"{ORIGIN}a{character}b", note)
    for name, url in (
        ("leading-space", f" {ORIGIN}"),
        ("trailing-space", f"{ORIGIN} "),
        ("leading-byte-order-mark", f"\ufeff{ORIGIN}"),
        ("query-pipe", f"{ORIGIN}?a|b"),
        ("query-bracket", f"{ORIGIN}?a[]=1"),
        ("fragment-space", f"{ORIGIN}#a b"),
        ("fragment-umlaut", f"{ORIGIN}#\u00fc"),
        ("host-space", "https://example .com/"),
        ("host-newline", "https://example.com\n.evil.example/"),
        ("two-urls", f"{ORIGIN} {ORIGIN}"),
    ):
        yield _bad(name, url, note)
