"""Any LangChain retriever as a provider, by duck typing: nothing of LangChain is imported.

The retriever is the operator's code, its documents are data. What a document's metadata does
not say under the keys that the operator named is never guessed: a file path becomes no URL, a
chunk's number no page, and a document without a real title stays text without a citation.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal, Protocol

from knowledge_contract.errors import ProviderError
from knowledge_contract.normalize import normalize_hit
from knowledge_contract.providers._iri import build_url
from knowledge_contract.providers._scope import require_scope_all
from knowledge_contract.retrieval import (
    KnowledgeCapabilities,
    RetrievalContext,
    RetrievalHit,
    RetrievalResult,
)
from knowledge_wire.validators import is_provider_name

__all__ = ["PLACEHOLDER_TITLES", "Retriever", "RetrieverProvider", "from_retriever"]

PLACEHOLDER_TITLES = frozenset({"no-file-path", "unknown_source"})
"""What stores write where a document has no title."""


class Retriever(Protocol):
    """What is used of a LangChain `BaseRetriever`; any runnable from text to documents has it."""

    def invoke(self, query: str, /) -> object:
        """Return the documents for a query."""

    async def ainvoke(self, query: str, /) -> object:
        """Return the documents for a query."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RetrieverProvider:
    """A provider over a retriever; `from_retriever` makes it and describes its fields."""

    retriever: Retriever = field(repr=False)
    name: str
    title_key: str
    page_key: str | None
    page_base: Literal[0, 1]
    url_key: str | None
    dataset_key: str | None
    dataset_name: str | None
    placeholder_titles: frozenset[str]
    secrets: frozenset[str] = field(repr=False)

    @property
    def capabilities(self) -> KnowledgeCapabilities:
        """Search and sources; a retriever cannot be narrowed to chosen datasets or documents."""
        return {"operations": ["search", "sources"]}

    async def search(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        """Return what the retriever finds, in its order, through its asynchronous door.

        Raises:
            ProviderError: the retriever fails or returns no list, or the context's scope is
                not `all`, which a retriever cannot honour.
        """
        require_scope_all(self.name, context)
        with self._translated():
            documents = await self.retriever.ainvoke(query)
        return self._build_result(documents)

    def search_sync(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        """Return the same through the retriever's synchronous door, without an event loop.

        Raises:
            ProviderError: as `search`.
        """
        require_scope_all(self.name, context)
        with self._translated():
            documents = self.retriever.invoke(query)
        return self._build_result(documents)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        # A retriever may raise anything, and its words may quote the query or a credential.
        except Exception as error:  # noqa: BLE001 - foreign code, see above
            kind = type(error).__name__
            raise ProviderError(f"{self.name}: the retriever failed with {kind}") from None

    def _build_result(self, documents: object) -> RetrievalResult:
        if not isinstance(documents, list | tuple):
            raise ProviderError(f"{self.name}: the retriever returned no list of documents")
        with self._translated():
            parts = [_parts(document) for document in documents]
        hits = [self._build_hit(*each) for each in parts]
        kept = tuple(hit for hit in hits if hit is not None and hit.text)
        notes = _notes(len(hits) - len(kept))
        return RetrievalResult(provider=self.name, hits=kept, notes=notes)

    def _build_hit(self, content: object, metadata: object) -> RetrievalHit | None:
        if not isinstance(content, str):
            return None
        said = metadata if isinstance(metadata, dict) else {}
        hit = RetrievalHit(
            text=content,
            title=_text(said, self.title_key),
            dataset_name=_text(said, self.dataset_key) or self.dataset_name,
            url=build_url(_text(said, self.url_key)),
            page=_page(said, self.page_key, self.page_base),
        )
        hit = normalize_hit(hit, secrets=self.secrets)
        return hit._replace(title=None) if hit.title in self.placeholder_titles else hit


def from_retriever(  # noqa: PLR0913 - one keyword for each thing that metadata may hold
    retriever: Retriever,
    *,
    name: str = "retriever",
    title_key: str = "title",
    page_key: str | None = None,
    page_base: Literal[0, 1] = 1,
    url_key: str | None = None,
    dataset_key: str | None = None,
    dataset_name: str | None = None,
    placeholder_titles: Collection[str] = PLACEHOLDER_TITLES,
    secrets: Iterable[str] = (),
) -> RetrieverProvider:
    """Return a provider that searches with any LangChain retriever.

    Documents need `page_content` and `metadata`. One whose content is no text, or blank, is
    left out, and a note counts them; one without metadata or without a usable title stays text
    without a citation.

    Args:
        retriever: Anything with `invoke` and `ainvoke` from a query to a list of documents.
        name: The provider's name in ids (`ProviderName`).
        title_key: The metadata's key of the document's real title. Only text counts, and what
            stands there is shown to readers.
        page_key: The key of the page; None: documents have no pages. Only whole numbers count.
        page_base: The number of the first page in the metadata; PDF loaders often count from 0.
        url_key: The key of the web address that a person can open, written as a URI where it is
            an IRI; None: there is none.
        dataset_key: The key of the name of the dataset that a document belongs to.
        dataset_name: The dataset's name for documents that name none.
        placeholder_titles: Titles that mean that there is none, compared exactly.
        secrets: What is taken out of everything shown, such as the store's credential.

    Raises:
        ValueError: `name` does not fit the contract, or `page_base` is neither 0 nor 1.
    """
    if not is_provider_name(name):
        raise ValueError("name is not a ProviderName of the contract")
    if page_base not in (0, 1):
        raise ValueError("page_base must be 0 or 1")
    return RetrieverProvider(
        retriever=retriever,
        name=name,
        title_key=title_key,
        page_key=page_key,
        page_base=page_base,
        url_key=url_key,
        dataset_key=dataset_key,
        dataset_name=dataset_name,
        placeholder_titles=frozenset(placeholder_titles),
        secrets=frozenset(secrets),
    )


def _parts(document: object) -> tuple[object, object]:
    return getattr(document, "page_content", None), getattr(document, "metadata", None)


def _notes(left_out: int) -> tuple[str, ...]:
    if not left_out:
        return ()
    return (f"{left_out} document{'s' if left_out > 1 else ''} without text left out.",)


def _text(metadata: dict[object, object], key: str | None) -> str | None:
    value: object = None if key is None else metadata.get(key)
    return value if isinstance(value, str) and value.strip() else None


def _page(metadata: dict[object, object], key: str | None, base: int) -> int | None:
    """Return the page counted from 1; its bounds are checked where the hit is normalised."""
    value: object = None if key is None else metadata.get(key)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value + 1 - base
