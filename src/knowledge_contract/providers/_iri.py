"""Write an IRI as the URI that the contract can carry: IDNA host, percent-encoded UTF-8."""

from urllib.parse import quote, urlsplit, urlunsplit

from knowledge_wire.validators import is_web_url

__all__ = ["build_url"]

# What RFC 3986 lets stand in a path, query or fragment, and `%`, so that what is already
# encoded stays as it is.
_KEPT = "%/:?#@!$&'()*+,;=-._~"


def build_url(address: object) -> str | None:
    """Return the URL of an IRI, or None if it is none that the contract can carry.

    A URL comes back as it is. Scheme and host are written in lower case, a host outside ASCII
    by IDNA (which needs the package `idna`; without it such an address has no URL).

    >>> build_url("https://example.org/Käse?a=ü")
    'https://example.org/K%C3%A4se?a=%C3%BC'

    Source:
        contracts/README.md, "Producing".
    """
    if not isinstance(address, str) or is_web_url(address):
        return address if isinstance(address, str) else None
    try:
        parts = urlsplit(address.strip())
        host = _ascii_host(parts.hostname or "")
        port = "" if parts.port is None else f":{parts.port}"
        rest = [quote(part, safe=_KEPT) for part in (parts.path, parts.query, parts.fragment)]
    except ValueError:
        return None
    if parts.username is not None or parts.password is not None:
        return None
    url = urlunsplit((parts.scheme.lower(), f"{host}{port}", *rest))
    return url if is_web_url(url) else None


def _ascii_host(host: str) -> str:
    if host.isascii():
        return f"[{host}]" if ":" in host else host
    try:
        import idna  # noqa: PLC0415 - of an extra
    except ImportError as error:
        raise ValueError("a host outside ASCII needs the package idna") from error
    # idna's own errors are ValueErrors.
    return idna.encode(host, uts46=True).decode("ascii")
