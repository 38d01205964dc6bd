"""The client of one search: TLS is verified, proxies and certificates are the environment's."""

import functools
from contextlib import suppress
from http.cookiejar import Cookie, DefaultCookiePolicy
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.request import Request

from knowledge_contract.errors import ProviderConfigurationError, UnavailableError
from knowledge_contract.providers._base_url import is_loopback

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable

    import httpx

__all__ = ["ClientFactory", "import_httpx", "make_client"]

ClientFactory: TypeAlias = "Callable[[], httpx.AsyncClient]"


def make_client(
    provider: str, base_url: str, client_factory: "ClientFactory | None"
) -> "httpx.AsyncClient":
    """Return a client for a server, which keeps no cookie.

    By default a server on this machine is asked past all proxies of the environment: they would
    see in clear what is sent to it.

    Args:
        provider: Begins the message.
        base_url: As `parse_base_url` returns it.
        client_factory: Makes the client; None for the default.

    Raises:
        ProviderConfigurationError: what the environment says of proxies and certificates cannot
            be used; it is not quoted, because a proxy's address may hold a password.
        UnavailableError: httpx is not installed.
    """
    invalid_url = import_httpx().InvalidURL
    client: httpx.AsyncClient | None = None
    with suppress(ValueError, ImportError, OSError, invalid_url):
        client = _default(base_url) if client_factory is None else client_factory()
    # Raised here, so that the exception that quotes the environment does not stay behind.
    if client is None:
        raise ProviderConfigurationError(
            f"{provider}: no HTTP client can be made: check the proxy and certificate variables of"
            " the environment (HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY, SSL_CERT_FILE,"
            " SSL_CERT_DIR, SSLKEYLOGFILE)"
        )
    client.cookies.jar.set_policy(_TakeNoCookies())
    return client


def import_httpx() -> Any:
    """Return the library.

    Raises:
        UnavailableError: it is not installed.
    """
    try:
        import httpx  # noqa: PLC0415 - of an extra
    except ImportError:
        raise UnavailableError(
            "servers are reached with httpx: install knowledge-contract[providers]"
        ) from None
    return httpx


class _TakeNoCookies(DefaultCookiePolicy):
    """Keeps what a client was made with, and takes nothing from servers."""

    def set_ok(self, cookie: Cookie, request: Request) -> bool:  # noqa: ARG002 - the library's
        return False


def _default(base_url: str) -> "httpx.AsyncClient":
    client: httpx.AsyncClient = import_httpx().AsyncClient(
        verify=_tls_context(), trust_env=not is_loopback(base_url)
    )
    return client


@functools.cache
def _tls_context() -> "ssl.SSLContext":
    # Reading the certificates takes longer than many a search.
    context: ssl.SSLContext = import_httpx().create_ssl_context()
    return context
