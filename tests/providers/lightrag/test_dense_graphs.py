"""Graphs that are too large for a text: what stands where, and what is looked at (synthetic)."""

from typing import Any

import pytest

from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import DEFAULT_LIMIT_CHARS, RetrievalHit, RetrievalResult
from knowledge_contract.tools import call_search, entity_relations_search_tool
from knowledge_wire.constants import HIT_COUNT
from providers.lightrag.synthetic import (
    ALL,
    chunk,
    entity,
    finding,
    relation,
    relations,
    search_relations,
    success,
)


def edges_of(result: RetrievalResult) -> list[RetrievalHit]:
    """Return the hits that are relations."""
    return [hit for hit in result.hits if hit.evidence is not None]


DENSE = [chunk(number, content=f"P{number:02} is long. " * 43) for number in range(20)]


def test_no_more_relations_and_entities_are_looked_at_than_a_text_shows() -> None:
    ids = "<SEP>".join(f"doc-{number}-chunk-000" for number in range(50))
    rows = [relation(source_id=ids if number == 0 else "x") for number in range(2_000)]
    chunks = [chunk(number) for number in range(2_000)]
    few = success(relationships=rows[1:61], entities=[entity("A")] * 60)

    many = search_relations(success(*chunks, relationships=rows, entities=[entity("A")]))
    both = search_relations(few)

    assert len(edges_of(many)) == len(many.hits) == HIT_COUNT
    assert "2001 relations and entities, of which at most 100 are looked at" in "".join(many.notes)
    assert (len(edges_of(both)), len(both.hits)) == (60, HIT_COUNT)
    assert "120 relations and entities, of which" in "".join(both.notes)


def test_relation_of_many_chunks_waits_behind_those_of_few() -> None:
    rows = [
        relation(*range(9), tgt_id="dense"),
        relation(1, 2, 3, tgt_id="three"),
        relation(tgt_id="none"),
        # All but one of these stand there already.
        relation(1, 2, 3, 4, tgt_id="one more"),
    ]

    result = search_relations(success(*map(chunk, range(9)), relationships=rows))

    assert [hit.text.split("\n")[0].rpartition(" ")[2] for hit in edges_of(result)] == [
        *("three", "none", "more", "dense"),
    ]


@pytest.mark.parametrize(
    ("rows", "limits", "shown"),
    [
        ([relation(*range(20))], {}, 1),
        ([relation(*range(20)), relation(1)], {}, 1),
        ([relation(*range(20)), relation(1)], {"excerpt_chars": 800}, 1),
        ([relation(number) for number in range(20)], {}, 8),
    ],
    ids=["one dense", "dense and plain", "longer passages", "many plain"],
)
def test_dense_graph_shows_relations_within_the_default_limits(
    rows: list[Any], limits: dict[str, Any], shown: int
) -> None:
    with finding(*DENSE, relationships=rows, entities=[entity("A")]) as server:
        tool = entity_relations_search_tool(relations(server), **limits)
        message = call_search(tool, "pump", context=ALL)

    assert message.text.count("\nRelation: ") >= shown
    assert len(message.text) <= DEFAULT_LIMIT_CHARS
    assert "evidence not shown" not in message.text
    reading = read_message(message, binding="entry")
    assert (reading.refused, len(reading.evidence) > 0) == ((), True)


def test_limit_without_room_for_any_relation_still_shows_passages() -> None:
    with finding(*DENSE, relationships=[relation(*range(20))]) as server:
        tool = entity_relations_search_tool(relations(server), limit_chars=2_000)
        message = call_search(tool, "pump", context=ALL)

    assert "Relation: " not in message.text
    # Not cut shorter than they may be, because that would help nobody.
    assert len(str(read_message(message, binding="entry").evidence[0].record["excerpt"])) > 250
