"""What providers return: plain records with few duties, and two promises apart."""

import asyncio
from typing import Any, NamedTuple

import pytest

from knowledge_contract.formatting import format_result
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import (
    NativeLocators,
    RelationsProvider,
    RetrievalContext,
    RetrievalHit,
    RetrievalProvider,
    RetrievalResult,
)
from knowledge_wire.types import KnowledgeCapabilities


class Shelf(NamedTuple):
    """A provider of both promises, written as anyone would."""

    name: str = "shelf"

    @property
    def capabilities(self) -> KnowledgeCapabilities:
        return {"operations": ["search", "relations_search", "sources"]}

    async def search(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        hit = RetrievalHit(f"{query} for {context.user_id}", title="Guide")
        return RetrievalResult(self.name, (hit,))

    async def search_relations(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        found = await self.search(query, context=context)
        edge = RetrievalHit("A - B", evidence=(0,))
        return found._replace(hits=(*found.hits, edge), layout="relations")


def test_hit_needs_text_only() -> None:
    hit = RetrievalHit("Ask.")

    assert hit == ("Ask.", None, None, None, None, None, None)


def test_context_claims_nobody_and_no_scope() -> None:
    assert RetrievalContext() == (None, None, None, None)
    assert RetrievalResult("local", ()) == ("local", (), "search", ())
    assert NativeLocators("d", "e", "f").pages == ()


@pytest.mark.parametrize(
    "record",
    [RetrievalHit("Ask."), RetrievalResult("local", ()), RetrievalContext()],
    ids=lambda record: type(record).__name__,
)
def test_records_cannot_be_changed(record: Any) -> None:
    with pytest.raises(AttributeError):
        setattr(record, record._fields[0], "other")


def test_context_says_only_what_it_holds() -> None:
    scope = {"version": 1, "mode": "selected", "dataset_ids": ["ds-secret-7"]}

    shown = repr(RetrievalContext(user_id="ada", scope=scope))

    assert shown == "RetrievalContext(user_id, scope)"


def test_provider_is_anything_of_the_right_shape() -> None:
    searching: RetrievalProvider = Shelf()
    relating: RelationsProvider = Shelf()
    context = RetrievalContext(user_id="u1")

    found = asyncio.run(searching.search("deploy", context=context))
    related = asyncio.run(relating.search_relations("deploy", context=context))

    assert [hit.text for hit in found.hits] == ["deploy for u1"]
    assert (related.layout, related.hits[1].evidence) == ("relations", (0,))


@pytest.mark.parametrize("layout", ["search_relations", "search"])
def test_what_a_provider_finds_is_evidence_in_the_end(layout: str) -> None:
    found = asyncio.run(getattr(Shelf(), layout)("deploy", context=RetrievalContext("u1")))

    text, artifact = format_result(found, limit_chars=1000, excerpt_chars=100)
    message = {"type": "tool", "name": "search", "content": text, "artifact": artifact}

    evidence = read_message(message, binding="entry").evidence
    assert [each.record["excerpt"] for each in evidence] == ["deploy for u1"]
