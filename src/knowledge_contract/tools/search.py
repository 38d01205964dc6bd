"""The two retrieval tools: a provider's hits as cited text, with the artifact that proves it.

The model sees one argument, `query`. Who asks and what may be searched comes from LangGraph's
run-time context, which the server makes. Errors end as one English sentence: an exception would
end the agent's run.
"""

import logging
import re
import secrets
from collections.abc import Callable
from typing import Any, NamedTuple, cast

from langchain.tools import ToolRuntime
from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from langgraph.errors import GraphBubbleUp
from pydantic import BaseModel, Field

from knowledge_contract._text import cut_text, normalize_line, normalize_text
from knowledge_contract.citation import shared_handle, unlink_handles
from knowledge_contract.errors import KnowledgeContractError, ProviderError
from knowledge_contract.formatting import format_result
from knowledge_contract.providers._sync import run_sync
from knowledge_contract.retrieval import (
    DEFAULT_EXCERPT_CHARS,
    DEFAULT_LIMIT_CHARS,
    RelationsProvider,
    RetrievalContext,
    RetrievalProvider,
    RetrievalResult,
)
from knowledge_contract.tools.capabilities import build_metadata
from knowledge_contract.tools.context import read_context, require_scope
from knowledge_wire.constants import NATIVE_TOOL_NAMES, SOURCE_ID_MIN_LENGTH
from knowledge_wire.validators import is_knowledge_capabilities

__all__ = ["call_search", "entity_relations_search_tool", "knowledge_search_tool"]

_logger = logging.getLogger(__name__)

# What every provider of models accepts as the name of a function.
_TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SENTENCE_CHARS = 400
_RETRIEVAL_BYTES = 16
_DENSE_EXCERPT_CHARS = 250
"""Of a passage where longer ones would leave no relation any room: twenty of them, as many as
LightRAG gives unless it is told otherwise, stand in the default limit with what they support."""
_EXAMPLE = shared_handle("0" * SOURCE_ID_MIN_LENGTH, "Title")
_CITING = (
    "To cite a result, copy the link at the end of its first line, unchanged, right behind what "
    f"it supports, as in {_EXAMPLE}; never make up or change a link."
)
_SEARCHING = "Search the knowledge base, and get passages of its documents."
_RELATING = (
    "Search the knowledge base for entities and the relations between them; each relation names "
    "the passages that support it. The relations are a part of what is known, never all of it."
)


class _Query(BaseModel):
    """What a model fills in."""

    query: str = Field(description="What to look for: a question or words, in any language.")


class _Failure(NamedTuple):
    """A sentence in the place of a result."""

    sentence: str


_Answer = tuple[str, dict[str, Any] | None]


class _Search(NamedTuple):
    """One provider's operation behind one tool."""

    provider: Any
    method: str
    name: str
    operations: frozenset[str]
    limit_chars: int
    excerpt_chars: int

    def run(self, query: str, runtime: ToolRuntime[RetrievalContext, Any]) -> _Answer:
        """Search from a thread without an event loop."""
        words, context = self._begin(query, runtime)
        direct = _find_direct(self.provider, self.method)
        if direct is None:
            return _end(run_sync(self._find(words, context)))
        return _end(self._judge(lambda: self._format(direct(words, context=context))))

    async def run_async(self, query: str, runtime: ToolRuntime[RetrievalContext, Any]) -> _Answer:
        """Search from an event loop."""
        return _end(await self._find(*self._begin(query, runtime)))

    def _begin(
        self, query: str, runtime: ToolRuntime[RetrievalContext, Any]
    ) -> tuple[str, RetrievalContext]:
        context = read_context(runtime.context)
        require_scope(context, self.operations)
        words = normalize_text(query)
        if not words:
            raise ToolException("Error: the query is empty; say what to look for.")
        return words, context

    async def _find(self, words: str, context: RetrievalContext) -> _Answer | _Failure:
        try:
            found = await getattr(self.provider, self.method)(words, context=context)
        # An interrupt of the graph, which no tool may swallow.
        except GraphBubbleUp:
            raise
        except Exception as error:  # noqa: BLE001 - the tool's top level: see the module
            return self._failed(error)
        return self._judge(lambda: self._format(found))

    def _judge(self, work: Callable[[], _Answer]) -> _Answer | _Failure:
        try:
            return work()
        except GraphBubbleUp:
            raise
        except Exception as error:  # noqa: BLE001 - the tool's top level: see the module
            return self._failed(error)

    def _format(self, found: RetrievalResult) -> _Answer:
        if found.provider != self.provider.name:
            raise ProviderError("the provider answered under another name; nothing of it is used")
        answer = self._write(found, self.excerpt_chars)
        if found.layout == "search" or _shows_edge(answer, found):
            return answer
        shorter = self._write(found, min(self.excerpt_chars, _DENSE_EXCERPT_CHARS))
        return shorter if _shows_edge(shorter, found) else answer

    def _write(self, found: RetrievalResult, excerpt_chars: int) -> _Answer:
        return format_result(
            found,
            limit_chars=self.limit_chars,
            excerpt_chars=excerpt_chars,
            tool_name=self.name,
            retrieval_id=secrets.token_hex(_RETRIEVAL_BYTES),
        )

    def _failed(self, error: Exception) -> _Failure:
        if isinstance(error, KnowledgeContractError):
            line = normalize_line(unlink_handles(normalize_line(str(error))))
            return _Failure(f"Error: {cut_text(line, _SENTENCE_CHARS)}")
        # Its words may quote the query, an address or a credential.
        _logger.warning("the tool %s failed with %s", self.name, type(error).__name__)
        return _Failure("Error: the search failed; try again later.")


def knowledge_search_tool(
    provider: RetrievalProvider,
    *,
    name: str = NATIVE_TOOL_NAMES[0],
    description: str = _SEARCHING,
    limit_chars: int = DEFAULT_LIMIT_CHARS,
    excerpt_chars: int = DEFAULT_EXCERPT_CHARS,
) -> StructuredTool:
    """Return a tool that searches with a provider, and gives text that can be cited.

    It works in sync and async agents: a provider's `search_sync` is used if the class that has its
    `search` has one, otherwise its coroutine runs in a thread with an event loop of its own. The
    run's context has to be a `RetrievalContext`, or hold one as its attribute `knowledge`; without
    one nobody asks, and providers that bind users refuse. A dict or another plain value is refused.
    A result has to bear the provider's name. Of the provider's operations it advertises all but
    `relations_search`.

    Args:
        provider: What searches. A RAGFlow result is written natively for the default name only.
        name: The tool's name, 1 to 64 ASCII letters, digits, `_` and `-`.
        description: What the model is told about it; how to cite is told behind.
        limit_chars: Code points of one answer.
        excerpt_chars: Code points of one excerpt.

    Raises:
        ValueError: it is no provider, or does not promise `search`; or an argument is out of
            bounds.
    """
    has = _operations(provider, "search", "search") - {"relations_search"}
    search = _Search(provider, "search", name, has, limit_chars, excerpt_chars)
    return _build_tool(search, description)


def entity_relations_search_tool(
    provider: RelationsProvider,
    *,
    name: str = "entity_relations_search",
    description: str = _RELATING,
    limit_chars: int = DEFAULT_LIMIT_CHARS,
    excerpt_chars: int = DEFAULT_EXCERPT_CHARS,
) -> StructuredTool:
    """Return a tool that searches for relations with a provider; else as `knowledge_search_tool`.

    It advertises `relations_search`, and `sources` if the provider does. No provider can narrow
    relations to chosen documents, so that any selection is refused. Where passages leave no room
    for any relation, they are cut shorter than `excerpt_chars`.

    Raises:
        ValueError: it is no provider, or does not promise `relations_search`; or an argument is
            out of bounds.
    """
    has = _operations(provider, "relations_search", "search_relations") & {
        "relations_search",
        "sources",
    }
    search = _Search(provider, "search_relations", name, has, limit_chars, excerpt_chars)
    return _build_tool(search, description)


def call_search(tool: BaseTool, query: str, *, context: RetrievalContext) -> ToolMessage:
    """Return the message of one call outside a graph; a refusal has the status `error`."""
    runtime: ToolRuntime[RetrievalContext, Any] = ToolRuntime(
        state={},
        context=context,
        config={},
        stream_writer=lambda _: None,
        tool_call_id="call",
        store=None,
    )
    arguments = {"query": query, "runtime": runtime}
    call = {"name": tool.name, "args": arguments, "id": "call", "type": "tool_call"}
    return cast("ToolMessage", tool.invoke(call))


def _find_direct(provider: Any, method: str) -> Any | None:
    """Return a provider's synchronous method, if it does what the other one does.

    A class or an object that replaces `search` alone, to guard or to change it, is never passed.
    """
    name = f"{method}_sync"
    if method in getattr(provider, "__dict__", ()):
        return None
    owner = next((each for each in type(provider).__mro__ if method in vars(each)), None)
    return getattr(provider, name) if owner is not None and name in vars(owner) else None


def _shows_edge(answer: _Answer, found: RetrievalResult) -> bool:
    """Tell whether an answer shows any relation, or nothing could make it show one."""
    heads = {hit.text.partition("\n")[0] for hit in found.hits if hit.evidence is not None}
    return not heads or any(each in answer[0] for each in heads)


def _operations(provider: Any, needed: str, method: str) -> frozenset[str]:
    capabilities = getattr(provider, "capabilities", None)
    if not is_knowledge_capabilities(capabilities):
        raise ValueError("the provider's capabilities do not satisfy the contract")
    if needed not in capabilities["operations"]:
        raise ValueError(f"the provider does not promise {needed}")
    if callable(getattr(provider, method, None)):
        return frozenset(capabilities["operations"])
    raise ValueError(f"the provider promises {needed} and has no `{method}`")


def _check(search: _Search, description: object) -> None:
    name: object = search.name
    if not isinstance(name, str) or not _TOOL_NAME.fullmatch(name):
        raise ValueError("name must be 1 to 64 ASCII letters, digits, _ and -")
    limits = (search.limit_chars, search.excerpt_chars)
    if not all(type(each) is int and each >= 1 for each in limits):
        raise ValueError("limit_chars and excerpt_chars must be whole numbers of at least 1")
    if not isinstance(description, str) or not normalize_text(description):
        raise ValueError("description must be a text that is not blank")


def _build_tool(search: _Search, description: str) -> StructuredTool:
    _check(search, description)

    # Functions of their own: LangChain reads the annotations, and injects by them.
    def run(query: str, runtime: ToolRuntime[RetrievalContext, Any]) -> _Answer:
        return search.run(query, runtime)

    async def run_async(query: str, runtime: ToolRuntime[RetrievalContext, Any]) -> _Answer:
        return await search.run_async(query, runtime)

    said = search.provider.capabilities["operations"]
    return StructuredTool.from_function(
        func=run,
        coroutine=run_async,
        name=search.name,
        description=f"{description} {_CITING}",
        args_schema=_Query,
        response_format="content_and_artifact",
        handle_tool_error=True,
        metadata=build_metadata(
            {"operations": [each for each in said if each in search.operations]}
        ),
    )


def _end(outcome: _Answer | _Failure) -> _Answer:
    # Out here nothing is being handled, so that no trace finds the cause beside the sentence.
    if isinstance(outcome, _Failure):
        raise ToolException(outcome.sentence)
    return outcome
