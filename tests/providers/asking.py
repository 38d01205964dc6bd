"""Requests of one session to a test's server, with a key that nobody may see."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx

from knowledge_contract.providers._http import (
    Answer,
    Endpoint,
    Request,
    Retrying,
    gather,
    open_session,
)
from knowledge_contract.providers._secrets import Secrets
from providers.raw_server import reply

KEY = "sk-secret/key+1"
GOOD = reply(b'{"code": 0}')
BUSY = "503 Service Unavailable"
READ = Request("GET", "/items")


def endpoint(base_url: str, **changes: Any) -> Endpoint:
    """Return an endpoint with the key."""
    options = {"timeout_s": 30.0, "limit_bytes": 2**20, **changes}
    return Endpoint(
        provider="shelf",
        base_url=base_url,
        headers={"Authorization": f"Bearer {KEY}"},
        secrets=Secrets({KEY}),
        **options,
    )


def fetch(
    base_url: str,
    *requests: Request,
    retrying: Retrying | None = None,
    client_factory: Callable[[], httpx.AsyncClient] | None = None,
    **changes: Any,
) -> list[Answer]:
    """Return the answers to requests of one session; without `retrying` none is repeated."""

    async def ask() -> list[Answer]:
        async with open_session(
            endpoint(base_url, **changes),
            client_factory=client_factory,
            retrying=retrying or Retrying(count=0),
        ) as session:
            return await gather(session.fetch(request) for request in requests or (READ,))

    return asyncio.run(ask())


def chain(error: BaseException) -> list[BaseException]:
    """Return an error and everything that it carries along."""
    found: list[BaseException] = []
    pending: list[BaseException | None] = [error]
    while pending:
        each = pending.pop()
        if each is not None and each not in found:
            found.append(each)
            pending += [each.__cause__, each.__context__]
    return found
