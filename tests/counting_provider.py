"""A provider whose other end is in the test: it counts what reaches it, and knows its users."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from knowledge_contract.errors import ProviderError
from knowledge_contract.retrieval import RetrievalContext, RetrievalHit, RetrievalResult
from knowledge_wire.types import KnowledgeCapabilities

TEA = RetrievalHit("Green tea needs 80 °C.", title="Tea room", dataset_name="Handbook", page=3)
"""What is found."""

SEARCHING = ("search", "sources")
FILTERING = ("search", "sources", "dataset_filter", "document_filter")
RELATING = ("search", "relations_search", "sources")


class Request(NamedTuple):
    """One search that reached the provider."""

    query: str
    context: RetrievalContext
    thread: int


class CountingProvider:
    """Records each search; `answer` gives the hits, or raises."""

    def __init__(
        self,
        *,
        name: str = "shelf",
        operations: Sequence[str] = SEARCHING,
        users: frozenset[str] | None = None,
        answer: Callable[[], tuple[RetrievalHit, ...]] = lambda: (TEA,),
    ) -> None:
        self.name = name
        self.requests: list[Request] = []
        self._operations = operations
        self._users = users
        self._answer = answer

    @property
    def capabilities(self) -> KnowledgeCapabilities:
        operations: Any = [*self._operations]
        return {"operations": operations}

    async def search(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        # A coroutine that never waits could be run without a loop.
        await asyncio.sleep(0)
        if self._users is not None and context.user_id not in self._users:
            raise ProviderError(f"{self.name}: this user may not search here")
        self.requests.append(Request(query, context, threading.get_ident()))
        return RetrievalResult(self.name, self._answer())

    async def search_relations(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        found = await self.search(query, context=context)
        edge = RetrievalHit("green tea - water", evidence=(0,))
        return found._replace(hits=(*found.hits, edge), layout="relations")
