"""LightRAG's `POST /query/data`, read-only: its answers judged by status and shape.

The server's own words decide nothing and are never shown: they are logged, redacted.

Source:
    LightRAG 1.5.7, commit 28ff1b05f2ac3f3e6fa14dd2cd33656579bd0c9c: `convert_to_user_format`
    in `lightrag/utils.py`, and `/query/data` in `lightrag/api/routers/query_routes.py`.
"""

import logging
from typing import Any, NamedTuple

from knowledge_contract.errors import (
    ProviderAPIError,
    ProviderConfigurationError,
    ProviderError,
    ProviderProtocolError,
)
from knowledge_contract.providers._http import (
    SUCCESSES,
    Answer,
    ClientFactory,
    Endpoint,
    Request,
    Retrying,
    open_session,
)
from knowledge_contract.providers._http_logs import printable
from knowledge_contract.providers._secrets import Secrets
from knowledge_contract.providers.lightrag.settings import LightragSettings

__all__ = ["QUERY_LIMIT_CHARS", "RESPONSE_LIMIT_BYTES", "Client", "Found"]

RESPONSE_LIMIT_BYTES = 4 * 2**20
"""Of one answer of the server, decoded."""

QUERY_LIMIT_CHARS = 65_536
"""Of one question, as the server accepts it."""

_LOGGER = logging.getLogger(__name__)
_REFUSED = "the server refuses the question: ask in more words, or upgrade the server"
_BUSY = "the server is busy or starting: try again later"
_SENTENCES = {
    400: _REFUSED,
    413: "the question is too long for the server: ask a shorter one",
    422: _REFUSED,
    429: _BUSY,
    # It answers so each time anew when its model finds no keywords in a long question.
    500: (
        "the server failed: ask in other words, or let its administrator see its log and whether"
        " it reaches its models"
    ),
    502: _BUSY,
    503: _BUSY,
    504: _BUSY,
}
_FLAT_KEYS = frozenset({"entities", "relationships", "chunks"})


class Found(NamedTuple):
    """What one query gave, still unchecked; each list is in the server's order."""

    chunks: list[object]
    references: list[object]
    entities: list[object]
    relationships: list[object]


class Client:
    """Queries to one LightRAG server; each opens an HTTP client of its own."""

    def __init__(
        self,
        name: str,
        settings: LightragSettings,
        *,
        client_factory: "ClientFactory | None",
        retrying: Retrying | None,
    ) -> None:
        self.name = name
        self.settings = settings
        self.secrets = Secrets(filter(None, [settings.api_key]))
        self._client_factory = client_factory
        self._retrying = retrying or Retrying()

    async def fetch(self, question: str) -> Found:
        """Return what the server finds; empty lists where it says that it found nothing.

        Raises:
            ProviderError: one of the errors of its family.
        """
        if len(question) > QUERY_LIMIT_CHARS:
            raise ProviderError(
                f"{self.name}: the question is longer than {QUERY_LIMIT_CHARS} characters: ask a"
                " shorter one"
            )
        async with open_session(
            self._endpoint(), client_factory=self._client_factory, retrying=self._retrying
        ) as session:
            answer = await session.fetch(Request("POST", "/query/data", body=self._body(question)))
        return self._judge(answer)

    def _endpoint(self) -> Endpoint:
        key = self.settings.api_key
        return Endpoint(
            provider=self.name,
            base_url=self.settings.base_url,
            headers={} if key is None else {"X-API-Key": key},
            secrets=self.secrets,
            timeout_s=self.settings.timeout_s,
            limit_bytes=RESPONSE_LIMIT_BYTES,
        )

    def _body(self, question: str) -> dict[str, Any]:
        settings = self.settings
        body = {"query": question, "mode": settings.mode, "top_k": settings.top_k}
        if settings.chunk_top_k is not None:
            body["chunk_top_k"] = settings.chunk_top_k
        return body

    def _judge(self, answer: Answer) -> Found:
        document = answer.document if isinstance(answer.document, dict) else {}
        status = document.get("status")
        if answer.status not in SUCCESSES:
            self._log(answer)
            raise self._refusal(answer.status)
        if status == "success":
            return self._found(document.get("data"))
        if status == "failure":
            metadata = document.get("metadata")
            reason = metadata.get("failure_reason") if isinstance(metadata, dict) else None
            if reason == "no_results":
                return Found([], [], [], [])
            self._log(answer)
            raise ProviderAPIError(
                f"{self.name}: the server says that the query failed, and not why: see its log, or"
                " upgrade it, because old servers say so when they find nothing",
                answer.status,
            )
        if "status" not in document and _FLAT_KEYS & document.keys():
            raise ProviderProtocolError(
                f"{self.name}: the server answers in the form of LightRAG 1.4.8: upgrade it"
            )
        raise self._misshapen()

    def _found(self, data: object) -> Found:
        rows = data if isinstance(data, dict) else {}
        lists = [rows.get(key) for key in ("chunks", "references", "entities", "relationships")]
        # Without chunks nothing could ever be cited, and no known server leaves them out.
        found = [lists[0], *([] if each is None else each for each in lists[1:])]
        if not all(isinstance(each, list) for each in found):
            raise self._misshapen()
        return Found(*found)

    def _refusal(self, status: int) -> ProviderError:
        name = self.name
        if status in (401, 403):
            what = "asks for a key" if self.settings.api_key is None else "refuses the key"
            return ProviderConfigurationError(
                f"{name}: the server {what}: set the key to the one that it was started with"
            )
        if status in (404, 405):
            return ProviderConfigurationError(
                f"{name}: there is no /query/data at this address: set base_url to LightRAG's"
                " address, or upgrade a server older than 1.4.8"
            )
        sentence = _SENTENCES.get(status, "the server failed: try again later, or see its log")
        return ProviderAPIError(f"{name}: {sentence} (HTTP {status})", status)

    def _misshapen(self) -> ProviderProtocolError:
        return ProviderProtocolError(
            f"{self.name}: the answer has not the shape of LightRAG's API: check base_url and the"
            " server's version"
        )

    def _log(self, answer: Answer) -> None:
        words = printable(_words(answer.document), self.secrets)
        _LOGGER.warning("%s: HTTP %d from /query/data: %s", self.name, answer.status, words)


def _words(document: object) -> object:
    """Return what the server says about a refusal: `message`, or `detail`, a text or a list."""
    if not isinstance(document, dict):
        return None
    detail = document.get("message", document.get("detail"))
    first = detail[0] if isinstance(detail, list) and detail else detail
    return first.get("msg") if isinstance(first, dict) else first
