"""The LightRAG providers: documents, and relations with their evidence; the direct text API."""

from collections.abc import Iterator

from knowledge_contract._text import normalize_text
from knowledge_contract.errors import ProviderConfigurationError, ProviderError
from knowledge_contract.formatting import format_result
from knowledge_contract.providers._http import ClientFactory, Retrying
from knowledge_contract.providers._scope import require_scope_all
from knowledge_contract.providers._sync import run_sync
from knowledge_contract.providers.lightrag.chunks import read_chunks
from knowledge_contract.providers.lightrag.client import Client, Found
from knowledge_contract.providers.lightrag.relations import build_relation_hits
from knowledge_contract.providers.lightrag.settings import (
    NAME,
    LightragRelationsSettings,
    LightragSettings,
)
from knowledge_contract.retrieval import KnowledgeCapabilities, RetrievalContext, RetrievalResult
from knowledge_wire.constants import HIT_COUNT
from knowledge_wire.validators import is_provider_name

__all__ = ["LightragProvider", "LightragRelationsProvider", "knowledge_search"]

_PARTIAL_VIEW = (
    "This is a partial view of the graph: single relations without a direction, never paths, and"
    " there may be more. What it says of relations and entities is no quotation."
)


class LightragProvider:
    """Finds chunks of documents in LightRAG's workspace; it only reads.

    The workspace is searched as a whole: LightRAG cannot narrow a search to chosen documents,
    so that every scope but `all` is refused before any request. Entities and relations are left
    out, because they are no documents.
    """

    def __init__(
        self,
        settings: LightragSettings,
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
        self._client = Client(NAME, settings, client_factory=client_factory, retrying=retrying)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.settings!r})"

    @property
    def name(self) -> str:
        """The name that goes into ids."""
        return self._client.name

    @property
    def capabilities(self) -> KnowledgeCapabilities:
        """What it can do."""
        return {"operations": ["search", "sources"]}

    @property
    def settings(self) -> LightragSettings:
        """The operator's settings."""
        return self._client.settings

    async def search(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        """Return the chunks that LightRAG finds, in its order.

        A chunk whose document has no real name stays text without a citation.

        Args:
            query: The question.
            context: Its scope is None or `all`.

        Raises:
            ProviderError: the question is blank or too long, the scope is another, or one of the
                errors of its family: configuration, connection, protocol, API.
            UnavailableError: httpx is not installed.
        """
        return _build_documents(self._client, await _fetch(self._client, query, context))

    def search_sync(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        """Return what `search` returns, from synchronous code; raises as it does."""
        return run_sync(self.search(query, context=context))


class LightragRelationsProvider:
    """Finds entities and single relations in LightRAG's graph, with their evidence; only reads.

    It searches documents too, in the same mode, so that one connection serves both tools.
    Scopes are as for `LightragProvider`.
    """

    def __init__(
        self,
        settings: LightragRelationsSettings,
        *,
        name: str = "lightrag-relations",
        client_factory: "ClientFactory | None" = None,
        retrying: Retrying | None = None,
    ) -> None:
        """Remember the settings; nothing is asked yet.

        Args:
            settings: The operator's.
            name: The name that goes into ids (`ProviderName`).
            client_factory: As for `LightragProvider`.
            retrying: As for `LightragProvider`.

        Raises:
            ProviderConfigurationError: `name` does not fit the contract.
        """
        if not is_provider_name(name):
            raise ProviderConfigurationError(f"{NAME}: name is not a ProviderName of the contract")
        self._client = Client(name, settings, client_factory=client_factory, retrying=retrying)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.settings!r}, name={self.name!r})"

    @property
    def name(self) -> str:
        """The name that goes into ids."""
        return self._client.name

    @property
    def capabilities(self) -> KnowledgeCapabilities:
        """What it can do."""
        return {"operations": ["relations_search", "search", "sources"]}

    @property
    def settings(self) -> LightragSettings:
        """The operator's settings."""
        return self._client.settings

    async def search(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        """Return chunks of documents, as `LightragProvider.search` does."""
        return _build_documents(self._client, await _fetch(self._client, query, context))

    def search_sync(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        """Return what `search` returns, from synchronous code; raises as it does."""
        return run_sync(self.search(query, context=context))

    async def search_relations(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        """Return relations with the chunks that support them, then entities.

        What the graph says of relations and entities is no document's text and has no title. A
        relation names the chunks behind it; one without any lacks document evidence. Relations
        that need more than a few chunks for themselves come behind the others.

        Args:
            query: The question.
            context: Its scope is None or `all`.

        Raises:
            ProviderError: as `search`.
            UnavailableError: httpx is not installed.
        """
        client = self._client
        found = await _fetch(client, query, context)
        chunks = read_chunks(found, secrets=client.secrets)
        hits = build_relation_hits(found, chunks, name=client.name, secrets=client.secrets)
        notes = (_PARTIAL_VIEW, *_count_left_out(found)) if hits else ()
        return RetrievalResult(client.name, tuple(hits), layout="relations", notes=notes)

    def search_relations_sync(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        """Return what `search_relations` returns, from synchronous code; raises as it does."""
        return run_sync(self.search_relations(query, context=context))


def knowledge_search(
    query: str, *, settings: LightragSettings, context: RetrievalContext | None = None
) -> str:
    """Return cited text for a question, found in LightRAG.

    The text alone proves nothing; `format_result` also gives the artifact that does.

    Args:
        query: The question.
        settings: The operator's; its `limit_chars` and `excerpt_chars` bound the text.
        context: On whose behalf; by default in the scope `all`.

    Raises:
        ProviderError: as `LightragProvider.search`.
        UnavailableError: httpx is not installed.
    """
    result = LightragProvider(settings).search_sync(query, context=context or RetrievalContext())
    text, _ = format_result(
        result, limit_chars=settings.limit_chars, excerpt_chars=settings.excerpt_chars
    )
    return text


async def _fetch(client: Client, query: str, context: RetrievalContext) -> Found:
    """Refuse what the workspace cannot be searched for, then ask the server."""
    require_scope_all(client.name, context)
    question = normalize_text(query)
    if not question:
        raise ProviderError(f"{client.name}: the question is blank: ask something")
    return await client.fetch(question)


def _count_left_out(found: Found) -> Iterator[str]:
    returned = len(found.relationships) + len(found.entities)
    if returned > HIT_COUNT:
        yield (
            f"The server returned {returned} relations and entities, of which at most {HIT_COUNT}"
            " are looked at."
        )


def _build_documents(client: Client, found: Found) -> RetrievalResult:
    hits = tuple(chunk.hit for chunk in read_chunks(found, secrets=client.secrets))
    return RetrievalResult(provider=client.name, hits=hits)
