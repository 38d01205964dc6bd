"""Any LangChain retriever is a provider: what its documents say becomes evidence, no more."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.callbacks import (
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForRetrieverRun,
)
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda
from langchain_core.vectorstores import InMemoryVectorStore

from knowledge_contract.errors import ProviderError
from knowledge_contract.formatting import format_result
from knowledge_contract.providers.retriever import RetrieverProvider, from_retriever
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import RetrievalContext, RetrievalHit, RetrievalResult

CONTEXT = RetrievalContext()
SELECTED = {"version": 1, "mode": "selected", "dataset_ids": ["a"]}
Search = Callable[[RetrieverProvider, str], RetrievalResult]


def search_async(provider: RetrieverProvider, query: str) -> RetrievalResult:
    return asyncio.run(provider.search(query, context=CONTEXT))


def search_sync(provider: RetrieverProvider, query: str) -> RetrievalResult:
    return provider.search_sync(query, context=CONTEXT)


BOTH_COLOURS = pytest.mark.parametrize("search", [search_async, search_sync], ids=["async", "sync"])


class Shelf(BaseRetriever):
    """Returns what lies on it."""

    content: Any = ()

    def _get_relevant_documents(
        self,
        query: str,  # noqa: ARG002 - LangChain's signature
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 - LangChain's signature
    ) -> Any:
        return self.content


class ColourNaming(BaseRetriever):
    """Says through which of its doors it was asked."""

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 - LangChain's signature
    ) -> list[Document]:
        return [Document(f"sync: {query}")]

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,  # noqa: ARG002 - LangChain's signature
    ) -> list[Document]:
        return [Document(f"async: {query}")]


class Failing(BaseRetriever):
    """Raises, and quotes what it was given."""

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        raise LookupError(f"{query} with key sk-12345 in {run_manager.run_id}")


class Hostile:
    """A document whose content cannot even be looked at."""

    metadata: dict[str, str] = {}  # noqa: RUF012 - never changed

    @property
    def page_content(self) -> str:
        raise RuntimeError("sk-12345")


def hits_of(*documents: object, **options: Any) -> tuple[RetrievalHit, ...]:
    """Return the hits that a retriever of these documents gives."""
    return search_sync(from_retriever(Shelf(content=list(documents)), **options), "tea").hits


def hit_of(**metadata: object) -> RetrievalHit:
    """Return the hit of one document, with a key named for everything."""
    (hit,) = hits_of(
        Document("Text.", metadata=metadata), page_key="page", url_key="url", dataset_key="shelf"
    )
    return hit


@BOTH_COLOURS
def test_vector_store_becomes_evidence(search: Search) -> None:
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=16))
    store.add_documents(
        [
            Document("Tea needs 80 °C.", metadata={"title": "Handbook", "page": 2}),
            Document("泡茶要用八十度的水。", metadata={"title": "手册", "source": "/srv/a.pdf"}),
            Document("Nobody knows who wrote this."),
        ]
    )
    provider = from_retriever(
        store.as_retriever(search_kwargs={"k": 3}), name="wiki", page_key="page", page_base=0
    )

    result = search(provider, "tea")

    text, artifact = format_result(result, limit_chars=2000, excerpt_chars=500)
    message = {"type": "tool", "name": "search", "content": text, "artifact": artifact}
    reading = read_message(message, binding="entry")
    assert {
        (each.record["provider"], each.record["title"], each.record.get("page"))
        for each in reading.evidence
    } == {("wiki", "Handbook", 3), ("wiki", "手册", None)}
    assert (reading.refused, reading.overflow) == ((), 0)
    assert "Nobody knows who wrote this." in text


@BOTH_COLOURS
def test_each_colour_uses_its_own_door(search: Search) -> None:
    result = search(from_retriever(ColourNaming()), "tea")

    colour = search.__name__.removeprefix("search_")
    assert result == RetrievalResult("retriever", (RetrievalHit(f"{colour}: tea"),))


def test_order_is_the_retrievers() -> None:
    hits = hits_of(*(Document(text) for text in "cab"))

    assert [hit.text for hit in hits] == ["c", "a", "b"]


def test_chain_of_runnables_is_a_retriever_too() -> None:
    chain = Shelf(content=[Document("one"), Document("two")]) | RunnableLambda(
        lambda all_: all_[:1]
    )

    assert search_sync(from_retriever(chain), "tea").hits == (RetrievalHit("one"),)


def test_everything_that_was_named_is_carried() -> None:
    hit = hit_of(title="Handbook", page=3, url="https://example.org/h", shelf="Kitchen")

    assert hit == RetrievalHit(
        "Text.", "Handbook", dataset_name="Kitchen", url="https://example.org/h", page=3
    )


def test_only_what_was_named_is_carried() -> None:
    document = Document(
        "Text.",
        metadata={"title": "Handbook", "page": 3, "url": "https://example.org", "source": "/a.pdf"},
    )

    assert hits_of(document) == (RetrievalHit("Text.", "Handbook"),)


@pytest.mark.parametrize(
    "path",
    ["/srv/a.pdf", "C:\\a.pdf", "file:///srv/a.pdf", "a.pdf", "s3://bucket/a.pdf", "//host/a.pdf"],
)
def test_path_never_becomes_a_url(path: str) -> None:
    (hit,) = hits_of(
        Document("Text.", metadata={"title": "A", "source": path, "url": path}), url_key="source"
    )

    assert hit.url is None


@pytest.mark.parametrize(
    "title",
    [None, "", "  \n", "\u3000", 7, True, ["A"], b"A", "unknown_source", " no-file-path\n"],
    ids=ascii,
)
def test_document_without_a_usable_title_stays_uncited(title: object) -> None:
    assert hit_of(title=title) == RetrievalHit("Text.")


def test_placeholders_are_the_operators() -> None:
    documents = [Document("Text.", metadata={"name": name}) for name in ("n/a", "unknown_source")]

    hits = hits_of(*documents, title_key="name", placeholder_titles=["n/a"])

    assert [hit.title for hit in hits] == [None, "unknown_source"]


@pytest.mark.parametrize(
    ("page", "from_zero", "from_one"),
    [
        (0, 1, None),
        (1, 2, 1),
        (-1, None, None),
        (3.0, 4, 3),
        (999_999, 1_000_000, 999_999),
        (1_000_000, None, 1_000_000),
        (10**400, None, None),
        (3.5, None, None),
        (float("nan"), None, None),
        (float("inf"), None, None),
        (True, None, None),
        (False, None, None),
        ("3", None, None),
        ([3], None, None),
        (None, None, None),
    ],
    ids=lambda value: repr(value)[:12],
)
def test_page_is_shifted_to_count_from_one(
    page: object, from_zero: int | None, from_one: int | None
) -> None:
    document = Document("Text.", metadata={"title": "A", "page": page})

    (shifted,) = hits_of(document, page_key="page", page_base=0)
    (kept,) = hits_of(document, page_key="page")

    assert (shifted.page, kept.page) == (from_zero, from_one)


def test_documents_own_dataset_wins_over_the_retrievers() -> None:
    documents = [Document("Text.", metadata={"shelf": shelf}) for shelf in ("Kitchen", " ", 7)]

    hits = hits_of(*documents, dataset_key="shelf", dataset_name="House")

    assert [hit.dataset_name for hit in hits] == ["Kitchen", "House", "House"]


@pytest.mark.parametrize("metadata", [None, "title", ["title"], 7], ids=ascii)
def test_text_without_metadata_stays_uncited(metadata: object) -> None:
    document = Document.model_construct(page_content="Text.", metadata=metadata)

    assert hits_of(document) == (RetrievalHit("Text."),)


@pytest.mark.parametrize("content", [None, 7, b"Text.", ["Text."], "", " \n\t"], ids=ascii)
def test_document_without_text_is_left_out_with_a_note(content: object) -> None:
    empty = Document.model_construct(page_content=content, metadata={"title": "A"})
    shelf = Shelf(content=[empty, Document("Text."), empty])

    result = search_sync(from_retriever(shelf), "tea")

    assert result == RetrievalResult(
        "retriever", (RetrievalHit("Text."),), notes=("2 documents without text left out.",)
    )


def test_what_is_no_document_counts_as_one_without_text() -> None:
    result = search_sync(from_retriever(Shelf(content=["Text."])), "tea")

    assert result == RetrievalResult("retriever", (), notes=("1 document without text left out.",))


def test_nothing_found_is_a_result() -> None:
    assert search_sync(from_retriever(Shelf()), "tea") == RetrievalResult("retriever", ())


@BOTH_COLOURS
@pytest.mark.parametrize("answer", [None, "Text.", {"documents": []}, Document("Text.")], ids=ascii)
def test_answer_that_is_no_list_is_refused(search: Search, answer: object) -> None:
    chain: RunnableLambda[str, object] = RunnableLambda(lambda _: answer)

    with pytest.raises(ProviderError, match="no list of documents"):
        search(from_retriever(chain), "tea")


@BOTH_COLOURS
@pytest.mark.parametrize(
    ("retriever", "kind"),
    [(Failing(), "LookupError"), (Shelf(content=[Hostile()]), "RuntimeError")],
    ids=["retriever", "document"],
)
def test_failure_is_translated_and_never_quoted(
    search: Search, retriever: BaseRetriever, kind: str
) -> None:
    with pytest.raises(ProviderError) as caught:
        search(from_retriever(retriever, name="wiki"), "my secret question")

    assert str(caught.value) == f"wiki: the retriever failed with {kind}"
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_interrupt_passes_through() -> None:
    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search_sync(from_retriever(RunnableLambda(interrupt)), "tea")


def test_secrets_are_taken_out() -> None:
    document = Document(
        "The key is sk-12345.",
        metadata={"title": "sk-12345", "url": "https://example.org/?key=sk-12345"},
    )

    (hit,) = hits_of(document, url_key="url", secrets=["sk-12345"])

    assert hit == RetrievalHit("The key is [redacted].", "[redacted]")


@BOTH_COLOURS
@pytest.mark.parametrize("scope", [SELECTED, {"version": 1, "mode": "disabled"}, "all"], ids=ascii)
def test_scope_that_cannot_be_honoured_is_refused_before_asking(
    search: Search, scope: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "CONTEXT", RetrievalContext(scope=scope))

    with pytest.raises(ProviderError, match="only the scope `all`"):
        search(from_retriever(Failing()), "tea")


def test_scope_of_everything_is_searched() -> None:
    provider = from_retriever(Shelf(content=[Document("Text.")]))
    context = RetrievalContext(scope={"version": 1, "mode": "all"})

    assert provider.search_sync("tea", context=context).hits == (RetrievalHit("Text."),)


def test_provider_says_what_it_can_do() -> None:
    provider = from_retriever(Shelf(), name="wiki")

    assert (provider.name, provider.capabilities) == ("wiki", {"operations": ["search", "sources"]})


def test_representation_shows_neither_retriever_nor_secrets() -> None:
    provider = from_retriever(Shelf(content=["sk-12345"]), secrets=["sk-12345"])

    assert "sk-12345" not in repr(provider)


@pytest.mark.parametrize(
    "options",
    [{"name": "My Wiki"}, {"name": ""}, {"page_base": 2}, {"page_base": "0"}],
    ids=repr,
)
def test_wrong_options_are_our_callers_bug(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^(name|page_base) "):
        from_retriever(Shelf(), **options)


def test_module_needs_no_langchain() -> None:
    program = "import knowledge_contract.providers.retriever, sys; print(*sys.modules)"

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, encoding="utf-8"
    )

    roots = {name.partition(".")[0] for name in done.stdout.split()}
    assert not roots & {"langchain", "langchain_core", "langgraph", "langsmith", "pydantic"}
