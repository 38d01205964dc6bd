"""Which providers and arguments a tool takes, which methods it calls, and whose results it uses."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from langchain_core.tools import BaseTool

from counting_provider import FILTERING, TEA, CountingProvider, Request
from knowledge_contract.errors import ProviderError
from knowledge_contract.retrieval import RetrievalContext, RetrievalResult
from knowledge_contract.tools import (
    call_search,
    entity_relations_search_tool,
    knowledge_search_tool,
)

ADA = RetrievalContext(user_id="ada")


class Direct(CountingProvider):
    """Searches from both colours of code."""

    def search_sync(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        self.requests.append(Request(query, context, 0))
        return RetrievalResult(self.name, (TEA,))

    async def search(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        return self.search_sync(query, context=context)


async def refuse(query: str, *, context: RetrievalContext) -> RetrievalResult:
    del query, context
    raise ProviderError("shelf: not you")


class Guarded(Direct):
    """Replaces the search of its class."""

    async def search(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        return await refuse(query, context=context)


class Wrapper:
    """Replaces the search of what it holds."""

    def __init__(self, inner: Direct) -> None:
        self.inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def search(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        return await refuse(query, context=context)


def replaced() -> Direct:
    provider = Direct()
    provider.search = refuse  # type: ignore[method-assign]  # as a host might
    return provider


@pytest.mark.parametrize(
    "provider", [Guarded(), Wrapper(Direct()), replaced()], ids=["subclass", "wrapper", "object"]
)
def test_replaced_search_is_never_passed_by(provider: Any) -> None:
    message = call_search(knowledge_search_tool(provider), "tea", context=ADA)

    assert message.content == "Error: shelf: not you"
    assert provider.requests == []


def test_synchronous_search_of_the_same_class_is_used() -> None:
    provider = Direct()

    call_search(knowledge_search_tool(provider), "tea", context=ADA)

    assert [each.thread for each in provider.requests] == [0]


def test_result_in_the_name_of_another_provider_is_refused() -> None:
    class Other(CountingProvider):
        async def search(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
            found = await super().search(query, context=context)
            return found._replace(provider="ragflow")

    message = call_search(knowledge_search_tool(Other()), "tea", context=ADA)

    assert (message.status, message.artifact) == ("error", None)
    assert message.content == (
        "Error: the provider answered under another name; nothing of it is used"
    )


@pytest.mark.parametrize(
    "provider",
    [object(), CountingProvider, SimpleNamespace(capabilities={"operations": ["search"]})],
    ids=["object", "class", "no method"],
)
def test_what_is_no_provider_is_refused(provider: Any) -> None:
    with pytest.raises(ValueError, match="the provider"):
        knowledge_search_tool(provider)


@pytest.mark.parametrize(
    "changes",
    [
        {"name": ""},
        {"name": "two words"},
        {"name": "a" * 65},
        {"limit_chars": 0},
        {"excerpt_chars": 0},
        {"name": None},
        {"limit_chars": True},
        {"excerpt_chars": 1.5},
        {"description": " "},
    ],
    ids=[
        *("no name", "blank", "long", "no room", "no excerpt"),
        *("name of no text", "boolean", "fraction", "blank description"),
    ],
)
def test_argument_out_of_bounds_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be"):
        knowledge_search_tool(CountingProvider(), **changes)


@pytest.mark.parametrize(
    ("build", "operations"),
    [
        (knowledge_search_tool, ("sources",)),
        (knowledge_search_tool, ("search", "fly")),
        (entity_relations_search_tool, FILTERING),
    ],
    ids=["no search", "unknown operation", "no relations"],
)
def test_provider_that_does_not_promise_the_operation_is_refused(
    build: Callable[..., BaseTool], operations: tuple[str, ...]
) -> None:
    with pytest.raises(ValueError, match="provider"):
        build(CountingProvider(operations=operations))
