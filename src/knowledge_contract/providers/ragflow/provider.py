"""The RAGFlow provider: a search within a scope, and the direct text API."""

import asyncio

from knowledge_contract._text import normalize_text
from knowledge_contract.errors import ProviderConnectionError, ProviderError
from knowledge_contract.formatting import format_result
from knowledge_contract.providers._http import (
    ClientFactory,
    Endpoint,
    Retrying,
    open_session,
)
from knowledge_contract.providers._secrets import Secrets
from knowledge_contract.providers._sync import run_sync
from knowledge_contract.providers.ragflow.client import Client
from knowledge_contract.providers.ragflow.datasets import resolve_datasets
from knowledge_contract.providers.ragflow.documents import validate_documents
from knowledge_contract.providers.ragflow.scope import Wanted, read_scope
from knowledge_contract.providers.ragflow.searching import (
    build_groups,
    check_groups,
    search_all,
    search_each,
)
from knowledge_contract.providers.ragflow.settings import RagflowSettings
from knowledge_contract.retrieval import (
    KnowledgeCapabilities,
    RetrievalContext,
    RetrievalHit,
    RetrievalResult,
)
from knowledge_wire.constants import NATIVE_SOURCE_PROVIDER

__all__ = ["RESPONSE_LIMIT_BYTES", "RagflowProvider", "knowledge_search"]

RESPONSE_LIMIT_BYTES = 16 * 2**20
"""Of one answer of the server, decoded."""

_NOTHING_TO_SEARCH = "The datasets hold no text yet."
_NOTHING_TO_SEE = "There is no dataset that the operator's key can see."


class RagflowProvider:
    """Finds chunks in RAGFlow's datasets; it only reads.

    Each search opens an HTTP client of its own, resolves the scope at the server, and only then
    asks. Nothing is remembered between searches, and scopes are never widened: what the server
    returns outside of one is dropped. Datasets that use different embedding models are searched
    apart, and their hits interleaved by rank. Under the scope `all` a group of datasets that
    fails is left out with a note; a selection is searched as a whole or not at all.
    """

    def __init__(
        self,
        settings: RagflowSettings,
        *,
        client_factory: "ClientFactory | None" = None,
        retrying: Retrying | None = None,
    ) -> None:
        """Remember the settings; nothing is asked yet.

        Args:
            settings: The operator's.
            client_factory: Makes the `httpx.AsyncClient` of one search; by default one that
                verifies TLS, and asks a server on this machine without any proxy.
            retrying: When a request is sent again; by default once, after about half a second.
        """
        self._settings = settings
        self._client_factory = client_factory
        self._retrying = retrying or Retrying()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._settings!r})"

    @property
    def name(self) -> str:
        """The name that goes into ids."""
        return NATIVE_SOURCE_PROVIDER

    @property
    def capabilities(self) -> KnowledgeCapabilities:
        """What it can do."""
        return {"operations": ["search", "sources", "dataset_filter", "document_filter"]}

    @property
    def settings(self) -> RagflowSettings:
        """The operator's settings."""
        return self._settings

    @property
    def allowed_datasets(self) -> frozenset[str] | None:
        """The only datasets that are ever searched, for who admits scopes; None for every one."""
        datasets = self._settings.datasets
        return None if datasets is None else frozenset(datasets)

    async def search(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        """Return what RAGFlow finds within the context's scope.

        Hits have native locators where the server gives all three identifiers.

        Args:
            query: The question.
            context: Its scope is None or `all`, or selects datasets and documents.

        Raises:
            TypeError: the question is no text.
            ProviderError: the question is blank, the scope cannot be searched as it is, or one
                of the errors of its family: configuration, connection, protocol, API.
            UnavailableError: httpx is not installed.
        """
        if not isinstance(query, str):
            raise TypeError("the question must be a text")
        question = normalize_text(query)
        if not question:
            raise ProviderError(f"{NATIVE_SOURCE_PROVIDER}: the question is blank: ask something")
        wanted = read_scope(context, self._settings)
        found = None
        try:
            async with asyncio.timeout(self._settings.search_timeout_s):
                found = await self._ask(question, wanted)
        except TimeoutError:
            pass
        if found is None:
            raise ProviderConnectionError(
                f"{NATIVE_SOURCE_PROVIDER}: the search did not end within"
                f" {self._settings.search_timeout_s:g} seconds: try again later, search fewer"
                " datasets, or raise search_timeout_s"
            )
        hits, notes = found
        return RetrievalResult(provider=self.name, hits=tuple(hits), notes=notes)

    def search_sync(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        """Return what `search` returns, from synchronous code; raises as it does."""
        return run_sync(self.search(query, context=context))

    async def _ask(
        self, question: str, wanted: Wanted
    ) -> tuple[list[RetrievalHit], tuple[str, ...]]:
        secrets = Secrets({self._settings.api_key})
        async with open_session(
            self._endpoint(secrets), client_factory=self._client_factory, retrying=self._retrying
        ) as session:
            return await self._found(Client(session, secrets=secrets), question, wanted)

    async def _found(
        self, client: Client, question: str, wanted: Wanted
    ) -> tuple[list[RetrievalHit], tuple[str, ...]]:
        datasets = await resolve_datasets(client, wanted)
        documents = await validate_documents(client, wanted)
        if not datasets:
            return [], (_NOTHING_TO_SEE,)
        groups = build_groups(datasets, documents, is_selected=wanted.is_selected)
        check_groups(groups, wanted)
        if not groups:
            return [], (_NOTHING_TO_SEARCH,)
        if wanted.is_selected:
            return await search_each(client, question, groups, self._settings), ()
        return await search_all(client, question, groups, self._settings)

    def _endpoint(self, secrets: Secrets) -> Endpoint:
        return Endpoint(
            provider=NATIVE_SOURCE_PROVIDER,
            base_url=self._settings.base_url,
            headers={"Authorization": f"Bearer {self._settings.api_key}"},
            secrets=secrets,
            timeout_s=self._settings.timeout_s,
            limit_bytes=RESPONSE_LIMIT_BYTES,
        )


def knowledge_search(
    query: str, *, settings: RagflowSettings, context: RetrievalContext | None = None
) -> str:
    """Return cited text for a question, found in RAGFlow.

    The text alone proves nothing; `format_result` also gives the artifact that does.

    Args:
        query: The question.
        settings: The operator's; its `limit_chars` and `excerpt_chars` bound the text.
        context: On whose behalf; by default in the scope `all`.

    Raises:
        ProviderError: as `RagflowProvider.search`.
        UnavailableError: httpx is not installed.
    """
    result = RagflowProvider(settings).search_sync(query, context=context or RetrievalContext())
    text, _ = format_result(
        result, limit_chars=settings.limit_chars, excerpt_chars=settings.excerpt_chars
    )
    return text
