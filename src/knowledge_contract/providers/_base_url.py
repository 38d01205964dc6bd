"""The address of a provider's server, as an operator may set it."""

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

from knowledge_contract.errors import ProviderConfigurationError

__all__ = ["is_loopback", "parse_base_url"]

_LIMIT_CHARS = 2048
# Visible ASCII; a backslash is read as a slash by some, so that it could move the host.
_ADDRESS = re.compile(r"[!-\[\]-~]+")
# `urlsplit` takes any text after a bracket, and numbers of future versions inside of them.
_PLACE = re.compile(r"(?:[^\[\]:]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?")


def parse_base_url(provider: str, address: str) -> str:
    """Return a server's address without a slash at its end.

    Credentials in an address end up in logs, so that it must not hold any, plain or
    percent-encoded; neither may it hold a query or a fragment.

    Args:
        provider: Begins the message.
        address: `http` or `https`, a host, perhaps a port and a path.

    Raises:
        ProviderConfigurationError: the address cannot be used; it is not quoted.

    >>> parse_base_url("ragflow", "http://localhost:9380/")
    'http://localhost:9380'
    """
    reason = _refusal(address)
    if reason is not None:
        raise ProviderConfigurationError(f"{provider}: base_url {reason}")
    scheme, rest = address.split(":", 1)
    return f"{scheme.lower()}:{rest.rstrip('/')}"


def is_loopback(base_url: str) -> bool:
    """Tell whether an address is one of this machine, so that nothing leaves it.

    >>> is_loopback("http://127.0.0.1:9621"), is_loopback("http://127.0.0.1.example.com")
    (True, False)
    """
    host = urlsplit(base_url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _refusal(address: object) -> str | None:
    if not isinstance(address, str) or not 0 < len(address) <= _LIMIT_CHARS:
        return f"must be a text of 1 to {_LIMIT_CHARS} characters"
    if not _ADDRESS.fullmatch(address):
        return "must be visible ASCII: write the host in its ASCII form, and no blanks"
    try:
        parts = urlsplit(address)
        # Read for its check alone: a port that is none raises.
        _ = parts.port
    except ValueError:
        return "is no URL: write it like http://localhost:9380"
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return "must begin with http:// or https:// and name a host"
    if "@" in parts.netloc:
        return "must not hold a user name or password: set the key by itself"
    if "%" in parts.netloc:
        return "must not hold percent-encoded characters in its host"
    if not _PLACE.fullmatch(parts.netloc):
        return "must name a host, and behind it at most a port"
    if "?" in address or "#" in address:
        return "must end before any query or fragment"
    return None
