"""Random graphs in any budget: positions stay true, and only what was returned is cited."""

import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from knowledge_contract.formatting import format_result
from knowledge_contract.providers.lightrag.chunks import read_chunks
from knowledge_contract.providers.lightrag.client import Found
from knowledge_contract.providers.lightrag.relations import build_relation_hits
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import RetrievalResult
from knowledge_wire.constants import HIT_COUNT

HANDLE = "](#knowledge-source-0123456789abcdef0123456789abcdef)"
# Few of each, so that they meet.
IDS = ("c1", "c2", "c3", "c4", "", "missing", "c1<SEP>c2")
WORDS = st.lists(
    st.sampled_from(["tea", "<SEP>", "\n", "\n\n", HANDLE, "[citation:x", " -- ", "[1]:", "水"]),
    max_size=4,
).map("".join)
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
        "src_id": st.sampled_from(["A", "B", "A -- B", HANDLE]),
        "tgt_id": st.sampled_from(["A", "C", ""]) | WORDS,
        "description": WORDS,
        "source_id": st.lists(st.sampled_from(IDS), max_size=4).map("<SEP>".join),
        "file_path": NAMES,
    }
)
ENTITIES = st.fixed_dictionaries({"entity_name": st.sampled_from(["A", ""]), "description": WORDS})
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


@given(found=FOUND)
def test_each_relation_names_exactly_the_returned_chunks_of_its_ids(found: Found) -> None:
    hits = result_of(found).hits
    chunks = read_chunks(found, secrets=frozenset())
    first = {each.id: each.hit for each in reversed(chunks) if each.id}
    rows: list[Any] = found.relationships
    kept = [each for each in rows if each["src_id"].strip() and each["tgt_id"].strip()]

    edges = [(index, hit) for index, hit in enumerate(hits) if hit.evidence is not None]

    assert len(edges) == len(kept)
    for (index, hit), row in zip(edges, kept, strict=True):
        ids = {part.strip() for part in row["source_id"].split("<SEP>")} & first.keys()
        assert hit.evidence is not None
        assert all(named < index for named in hit.evidence)
        assert len(set(hit.evidence)) == len(hit.evidence) == len(ids)
        assert sorted(map(hash, (hits[named] for named in hit.evidence))) == sorted(
            hash(first[each]) for each in ids
        )
    passages = [hit for hit in hits if hit.title is not None]
    assert all(hit in first.values() for hit in passages)
    assert all(hit.title is None for _, hit in edges)


@given(found=FOUND, excerpt_chars=st.sampled_from([5, 1000]))
def test_every_budget_keeps_positions_true(found: Found, excerpt_chars: int) -> None:
    result = result_of(found)
    full, _ = format_result(result, limit_chars=10**6, excerpt_chars=excerpt_chars)
    whole = entries_of(full)
    returned = [row["content"] for row in found.chunks if isinstance(row, dict)]

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
            assert any(str(record["excerpt"])[:5] in content for content in returned)
