"""What providers return, and what they are given.

Shapes only: nothing here checks, stores or fetches. A provider searches and does nothing else;
relations are a second, separate promise.
"""

from typing import Any, Literal, NamedTuple, Protocol

from knowledge_wire.types import KnowledgeCapabilities, KnowledgeSource

__all__ = [
    "DEFAULT_EXCERPT_CHARS",
    "DEFAULT_LIMIT_CHARS",
    "KnowledgeCapabilities",
    "KnowledgeSource",
    "NativeLocators",
    "RelationsProvider",
    "RetrievalContext",
    "RetrievalHit",
    "RetrievalProvider",
    "RetrievalResult",
]

DEFAULT_LIMIT_CHARS = 8_000
"""Of a tool's text where nobody says otherwise: some 2,000 tokens of English, and little of any
model's window."""
DEFAULT_EXCERPT_CHARS = 1_200
"""Of one excerpt where nobody says otherwise: what the local provider aims at for one chunk."""


class NativeLocators(NamedTuple):
    """RAGFlow's own identifiers of a chunk; they stay in the artifact and are never shown.

    Attributes:
        dataset_id: The dataset (RAGFlow's `kb_id`).
        document_id: The document.
        chunk_id: The chunk.
        pages: Pages of real PDF positions, counted from 1.
    """

    dataset_id: str
    document_id: str
    chunk_id: str
    pages: tuple[int, ...] = ()


class RetrievalHit(NamedTuple):
    """One retrieved piece of text.

    Attributes:
        text: What was retrieved.
        title: The document's real title; None leaves the text usable without a citation.
        dataset_name: The dataset's name, if the provider supplied one.
        url: Where a person can open the document, if the provider supplied it.
        page: The page the text stands on, counted from 1, if the provider supplied it.
        locators: RAGFlow's identifiers, or None.
        evidence: None for a chunk or an entity, which claims no other hit. For an edge, the
            indices (from 0) of the earlier hits that support it; empty marks an edge that
            lacks document evidence.
    """

    text: str
    title: str | None = None
    dataset_name: str | None = None
    url: str | None = None
    page: int | None = None
    locators: NativeLocators | None = None
    evidence: tuple[int, ...] | None = None


class RetrievalResult(NamedTuple):
    """What one retrieval found.

    Attributes:
        provider: The provider's name as the contract's `ProviderName` spells it.
        hits: In display order.
        layout: `relations` where hits name earlier ones, so that it may only be cut at its end.
        notes: Sentences for the model and the user: a partial failure, an empty result.
    """

    provider: str
    hits: tuple[RetrievalHit, ...]
    layout: Literal["search", "relations"] = "search"
    notes: tuple[str, ...] = ()


class RetrievalContext(NamedTuple):
    """On whose behalf a retrieval runs: filled by the server, never by the model or a caller.

    Attributes:
        user_id: The authenticated user, or None; providers that bind users refuse None.
        agent_name: The agent that runs, or None.
        thread_id: The conversation, or None.
        scope: The admitted snapshot (`KnowledgeScope`); None means `all`.
    """

    user_id: str | None = None
    agent_name: str | None = None
    thread_id: str | None = None
    scope: Any = None

    def __repr__(self) -> str:
        # Representations end in logs and traces; who asked and what was selected does not.
        given = [name for name, value in zip(self._fields, self, strict=True) if value is not None]
        return f"RetrievalContext({', '.join(given)})"


class RetrievalProvider(Protocol):
    """Anything that finds text for a query."""

    @property
    def name(self) -> str:
        """The name that goes into ids (`ProviderName`)."""

    @property
    def capabilities(self) -> KnowledgeCapabilities:
        """What it can do; searching implies nothing else."""

    async def search(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        """Return what was found for `query`; raise an error of the provider's family."""


class RelationsProvider(Protocol):
    """Anything that finds relations between entities."""

    @property
    def name(self) -> str:
        """The name that goes into ids (`ProviderName`)."""

    @property
    def capabilities(self) -> KnowledgeCapabilities:
        """What it can do; `relations_search` among it."""

    async def search_relations(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        """Return a result of layout `relations`."""
