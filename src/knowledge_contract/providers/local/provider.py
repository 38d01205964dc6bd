"""The local provider: search over a folder of documents, without a server."""

from pathlib import Path

from knowledge_contract.errors import InputError
from knowledge_contract.formatting import format_result
from knowledge_contract.providers._scope import require_scope_all
from knowledge_contract.providers.local.index import Index
from knowledge_contract.providers.local.opening import default_index_path, with_index
from knowledge_contract.providers.local.query import PROVIDER_NAME, find_hits
from knowledge_contract.providers.local.records import Settings, Summary
from knowledge_contract.providers.local.refresh import OnProgress, Trust, refresh_index
from knowledge_contract.retrieval import (
    DEFAULT_EXCERPT_CHARS,
    DEFAULT_LIMIT_CHARS,
    KnowledgeCapabilities,
    RetrievalContext,
    RetrievalResult,
)


class LocalProvider:
    """Finds text in the Markdown, text, HTML and PDF files of a folder.

    Its index is brought up to date by each search, and may be shared by processes. A hit's title
    is the document's own: the front matter's, the title element's, the PDF's, or the first
    heading (in Markdown of level 1). A document without one is named by its path relative to the
    folder. What other files the folder holds changes no title, so that equal evidence keeps its
    id. The dataset's name is the folder's. Paths never become URLs.
    """

    def __init__(
        self, folder: Path, *, index_path: Path | None = None, settings: Settings | None = None
    ) -> None:
        """Remember where documents and index live; nothing is read yet.

        Args:
            folder: The documents.
            index_path: The index's file; by default one in the user's cache directory, named
                by a hash of the folder's path.
            settings: Bounds.

        Raises:
            InputError: the folder does not exist.
            UnavailableError: the default place is wanted and the extra `local` is missing.
        """
        self._folder = _resolve_folder(folder)
        self._index_path = index_path or default_index_path(self._folder)
        self._settings = settings or Settings()

    @property
    def name(self) -> str:
        """The name that goes into ids."""
        return PROVIDER_NAME

    @property
    def capabilities(self) -> KnowledgeCapabilities:
        """What it can do."""
        return {"operations": ["search", "sources"]}

    @property
    def index_path(self) -> Path:
        """Where the index lives."""
        return self._index_path

    def refresh(self, *, progress: OnProgress | None = None) -> Summary:
        """Bring the index up to date: read new and changed files, forget those that are gone.

        May be interrupted at any time: what was indexed stays, the next refresh goes on.

        Args:
            progress: Called after each file.

        Raises:
            InputError: the folder is gone, or the index cannot be where it should.
            ProviderError: the index cannot be used now.
            UnavailableError: a file needs a library of the extra `local`.
        """
        return self._refreshed("stamps", progress)

    def rehash(self, *, progress: OnProgress | None = None) -> Summary:
        """Do as `refresh`, but read every file to see whether it changed.

        For file systems whose times cannot be trusted; raises as `refresh` does.
        """
        return self._refreshed("content", progress)

    def search_folder(self, query: str) -> RetrievalResult:
        """Return what the documents say now, best first; raises as `refresh` does."""
        folder = _resolve_folder(self._folder)

        def search(index: Index) -> RetrievalResult:
            refresh_index(index, folder, self._settings, trust="stamps", progress=None)
            return self._find(index, query)

        found, notes = with_index(self._index_path, self._settings, search)
        return found._replace(notes=(*found.notes, *notes))

    def search_index(self, query: str) -> RetrievalResult:
        """Return what the documents said at the last refresh, without looking at them."""
        found, notes = with_index(
            self._index_path, self._settings, lambda index: self._find(index, query)
        )
        return found._replace(notes=(*found.notes, *notes))

    async def search(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        """Return what `search_folder` returns, from a thread of its own.

        When it is cancelled, the thread finishes its refresh, which does no harm.

        Args:
            query: Words.
            context: Its scope must be `all`; the folder is the same for every user.

        Raises:
            ProviderError: as `refresh`, or another scope.
        """
        # Here, because a folder can be searched without an event loop.
        import asyncio  # noqa: PLC0415 - see above

        require_scope_all(PROVIDER_NAME, context)
        return await asyncio.to_thread(self.search_folder, query)

    def _find(self, index: Index, query: str) -> RetrievalResult:
        return find_hits(
            index,
            query,
            hit_limit=self._settings.hit_limit,
            dataset_name=self._folder.name or None,
        )

    def _refreshed(self, trust: Trust, progress: OnProgress | None) -> Summary:
        folder = _resolve_folder(self._folder)
        summary, notes = with_index(
            self._index_path,
            self._settings,
            lambda index: refresh_index(
                index, folder, self._settings, trust=trust, progress=progress
            ),
        )
        return summary._replace(notes=notes)


def knowledge_search(
    query: str,
    *,
    folder: Path,
    index_path: Path | None = None,
    limit_chars: int = DEFAULT_LIMIT_CHARS,
    excerpt_chars: int = DEFAULT_EXCERPT_CHARS,
) -> str:
    """Return cited text for a question, found in a folder of documents.

    The text alone proves nothing; `format_result` also gives the artifact that does.

    Args:
        query: Words.
        folder: The documents.
        index_path: As for `LocalProvider`.
        limit_chars: Code points of the whole text.
        excerpt_chars: Code points of one excerpt.
    """
    provider = LocalProvider(folder, index_path=index_path)
    result = provider.search_folder(query)
    text, _ = format_result(result, limit_chars=limit_chars, excerpt_chars=excerpt_chars)
    return text


def _resolve_folder(folder: Path) -> Path:
    try:
        resolved = folder.resolve(strict=True)
    except (OSError, RuntimeError):
        raise InputError("the folder of documents does not exist") from None
    if not resolved.is_dir():
        raise InputError("the folder of documents is not a folder")
    return resolved
