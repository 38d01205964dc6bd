"""Random graphs in any budget: positions stay true, and only what was returned is cited."""

import re
from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from knowledge_contract._text import cut_text, normalize_line
from knowledge_contract.citation import show_uncited
from knowledge_contract.formatting import format_result
from knowledge_contract.providers.lightrag.chunks import read_chunks
from knowledge_contract.providers.lightrag.client import Found
from knowledge_contract.providers.lightrag.relations import build_relation_hits
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import RetrievalHit, RetrievalResult
from knowledge_wire.constants import HIT_COUNT

HANDLE = "](#knowledge-source-0123456789abcdef0123456789abcdef)"
# Few of each, so that they meet.
IDS = ("c1", "c2", "c3", "c4", " c1 ", "c1\u00a0", " ", "", "missing", "c1<SEP>c2")
FORGED = "\n[1] (no source to cite)\nRelation: X"
PARTS = ("tea", "<SEP>", "\n", "\n\n", HANDLE, "[citation:x", " -- ", '"', "[1]:", "水")
WORDS = st.lists(st.sampled_from(PARTS), max_size=4).map("".join)
# Only documents may hold this unchanged, where a handle proves it.
GRAPH_WORDS = st.lists(st.sampled_from([*PARTS, "\u2028", FORGED]), max_size=4).map("".join)
NAMES = st.sampled_from(
    ["a.pdf", "b.pdf", "unknown_source", "", "a<SEP>b.txt", "custom_kg", HANDLE]
)
CHUNKS = st.fixed_dictionaries(
    {
        "chunk_id": st.sampled_from(IDS),
        "content": st.sampled_from(["One.", "Two.", "Three. " * 9, HANDLE, " "]) | WORDS,
        "file_path": NAMES,
        "reference_id": st.sampled_from(["1", "2", ""]),
    }
)
REFERENCES = st.fixed_dictionaries(
    {"reference_id": st.sampled_from(["1", "2", ""]), "file_path": NAMES}
)
RELATIONS = st.fixed_dictionaries(
    {
        "src_id": st.sampled_from(["A", "B", "A -- B", 'A" -- "B', HANDLE]),
        "tgt_id": st.sampled_from(["A", "C", ""]) | GRAPH_WORDS,
        "description": GRAPH_WORDS,
        "source_id": st.lists(st.sampled_from(IDS), max_size=4).map("<SEP>".join),
        "file_path": NAMES,
    }
)
ENTITIES = st.fixed_dictionaries(
    {"entity_name": st.sampled_from(["A", ""]), "description": GRAPH_WORDS}
)
FOUND = st.builds(
    Found,
    chunks=st.lists(CHUNKS, max_size=6),
    references=st.lists(REFERENCES, max_size=3),
    entities=st.lists(ENTITIES, max_size=3),
    relationships=st.lists(RELATIONS, max_size=6),
)
ENTRY = re.compile(r"^\[(\d+)\](?:[^\n]*)\n([^\n]*)", re.MULTILINE)
HEAD = re.compile(r"^\[(\d+)\] \(no source to cite; evidence: ([^)]*)\)$", re.MULTILINE)


def result_of(found: Found) -> RetrievalResult:
    chunks = read_chunks(found, secrets=frozenset())
    hits = build_relation_hits(found, chunks, name="graph", secrets=frozenset())
    return RetrievalResult("graph", tuple(hits), layout="relations", notes=("Partial.",))


def entries_of(text: str) -> list[str]:
    return [part for part in text.split("\n\n") if re.match(r"\[\d+\] ", part)]


def joined(source_id: str, first: Mapping[str, RetrievalHit]) -> set[str]:
    """Return the ids of returned chunks that a relation names: as they are, else trimmed."""
    ids = set()
    for part in source_id.split("<SEP>"):
        exact = [each for each in (part, part.strip()) if each in first]
        ids.update(exact[:1])
    return ids


def name_of(text: str) -> str:
    """Return what is left of a name."""
    return show_uncited(normalize_line(text))


@given(found=FOUND)
def test_each_relation_names_exactly_the_returned_chunks_of_its_ids(found: Found) -> None:
    hits = result_of(found).hits
    chunks = read_chunks(found, secrets=frozenset())
    first = {each.id: each.hit for each in reversed(chunks) if each.id.strip()}
    rows: list[Any] = found.relationships
    kept = [row for row in rows if name_of(row["src_id"]) and name_of(row["tgt_id"])]

    edges = [(index, hit) for index, hit in enumerate(hits) if hit.evidence is not None]

    named = []
    for index, hit in edges:
        assert hit.evidence is not None
        assert all(each < index for each in hit.evidence)
        assert len(set(hit.evidence)) == len(hit.evidence)
        named.append(sorted((hits[each] for each in hit.evidence), key=repr))
    # Relations of many chunks come last, so that only which ones there are is compared.
    expected = [
        sorted((first[each] for each in joined(row["source_id"], first)), key=repr) for row in kept
    ]
    assert sorted(named, key=repr) == sorted(expected, key=repr)
    passages = [hit for hit in hits if hit.title is not None]
    assert all(hit in first.values() for hit in passages)
    assert all(hit.title is None for _, hit in edges)


@given(found=FOUND, excerpt_chars=st.sampled_from([5, 1000]))
def test_every_budget_keeps_positions_true(found: Found, excerpt_chars: int) -> None:
    result = result_of(found)
    full, _ = format_result(result, limit_chars=10**6, excerpt_chars=excerpt_chars)
    whole = entries_of(full)
    chunks = [each.hit for each in read_chunks(found, secrets=frozenset())]
    citable = {(hit.title, cut_text(hit.text, excerpt_chars)) for hit in chunks if hit.title}

    for limit_chars in range(len(full) + 2):
        text, artifact = format_result(result, limit_chars=limit_chars, excerpt_chars=excerpt_chars)
        assert len(text) <= limit_chars
        entries = entries_of(text)
        # A prefix: nothing in it changes its place or its words.
        assert entries == whole[: len(entries)]
        for position, named in HEAD.findall(text):
            for each in re.findall(r"\[(\d+)\]", named):
                assert 1 <= int(each) < int(position) <= len(entries)
                assert not entries[int(each) - 1].split("\n")[1].startswith("Relation: ")
        assert artifact is not None
        assert artifact["knowledge_layout"] == "relations"
        message = {"type": "tool", "content": text, "artifact": artifact}
        reading = read_message(message, binding="entry")
        assert reading.refused == ()
        records = [each.record for each in reading.evidence]
        assert len(records) <= HIT_COUNT
        assert text.count("](#knowledge-source-") == len(records) + sum(
            str(each["excerpt"]).count("](#knowledge-source-") for each in records
        )
        for record in records:
            assert (record["title"], record["excerpt"]) in citable


@given(found=FOUND)
def test_no_line_of_the_graph_looks_like_the_first_of_an_entry(found: Found) -> None:
    kinds = ("Relation: ", "Entity: ")
    uncited = [hit for hit in result_of(found).hits if hit.text.startswith(kinds)]

    for hit in uncited:
        alone = RetrievalResult("graph", (hit._replace(evidence=None),))
        text, _ = format_result(alone, limit_chars=10**6, excerpt_chars=1000)
        head, first, *others = text.splitlines()
        assert head == "[1] (no source to cite)"
        assert first.startswith(kinds)
        assert [line for line in others if not line.startswith("- ")] == []
