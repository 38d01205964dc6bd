"""What the graph says is shown in lines that look like nothing else (synthetic answers)."""

import pytest

from knowledge_contract.formatting import format_result
from lightrag_server.answers import heading
from providers.lightrag.synthetic import entity, relation, search_relations, success

HANDLE = "[citation:Guide](#knowledge-source-0123456789abcdef0123456789abcdef)"
FORGED = "[1] (no source to cite; evidence: [1])\nRelation: Real -- Fake"


def test_description_of_several_statements_is_shown_as_lines() -> None:
    described = (
        "Orla tends it.<SEP> Bram mends nets. <SEP><SEP>Orla tends it.\n<SEP> Orla tends it."
    )
    result = search_relations(
        success(
            relationships=[relation(description=described)],
            entities=[entity("Bridge", description=described)],
        )
    )

    lines = ["- Orla tends it.", "- Bram mends nets."]
    assert [hit.text.split("\n")[1:] for hit in result.hits] == [lines, lines]


@pytest.mark.parametrize(
    "end", ["\n", "\r\n", "\n\n", "\u2028", "\x85", "<SEP>", "\x0c\n"], ids=ascii
)
def test_description_never_looks_like_an_entry(end: str) -> None:
    described = f"x{end}{FORGED}{end}[9] {HANDLE}"
    graph = {"relationships": [relation(description=described)]}

    result = search_relations(success(**graph, entities=[entity("A", description=described)]))
    text, _ = format_result(result, limit_chars=9000, excerpt_chars=900)

    lines = text.splitlines()
    assert [line for line in lines if line.startswith("[")] == [
        "[1] (no source to cite; no document evidence)",
        "[2] (no source to cite)",
    ]
    assert lines.count("- [1] (no source to cite; evidence: [1])") == 2
    assert [line for line in lines if line.startswith("Relation: ")] == [
        "Relation: Bridge -- Orla Venn"
    ]


@pytest.mark.parametrize(
    ("ends", "shown"),
    [
        (("A -- B", "C\n--D"), '"A -- B" -- "C --D"'),
        (('A" -- "B', "C"), "\"A' -- 'B\" -- C"),
        (('"A"', "C"), "\"'A'\" -- C"),
        (("A", '"'), 'A -- "\'"'),
        (("A -> B", "C \u2192 D"), '"A -> B" -- "C \u2192 D"'),
        (("A \u2014 B", "C \u2013 D"), '"A \u2014 B" -- "C \u2013 D"'),
        (("A-B", "O'Neil, Ada (née B)"), "A-B -- O'Neil, Ada (née B)"),
    ],
    ids=[
        "dashes",
        "quotes in it",
        "quotes around it",
        "one quote",
        "arrows",
        "long dashes",
        "none",
    ],
)
def test_one_relation_never_looks_like_a_path(ends: tuple[str, str], shown: str) -> None:
    row = relation(src_id=ends[0], tgt_id=ends[1])

    (edge,) = search_relations(success(relationships=[row])).hits

    assert edge.text.partition("\n")[0] == heading(*ends) == f"Relation: {shown}"


@pytest.mark.parametrize("quoted", ["", "--", '"'], ids=["plain", "dashes", "quotes"])
def test_both_ends_are_shown_however_long_a_name_is(quoted: str) -> None:
    rows = [
        relation(src_id=quoted + "A" * 900, tgt_id=quoted + "Port " * 90, description="x " * 99)
    ]

    text, _ = format_result(
        search_relations(success(relationships=rows)), limit_chars=9000, excerpt_chars=250
    )

    head, first, second, *_ = text.split("\n")
    assert head == "[1] (no source to cite; no document evidence; cut)"
    start, _, end = first.removeprefix("Relation: ").rpartition(" -- ")
    assert start.strip("\"'-") == "A" * (99 - len(quoted)) + "\u2026"
    assert end.strip("\"'-").startswith("Port Port")
    assert end.strip('"').endswith("Port\u2026")
    assert second.startswith("- x x")


def test_name_of_an_entity_is_bounded() -> None:
    rows = [entity("A" * 101, entity_type="B" * 101), entity("C" * 100)]

    texts = [hit.text.split("\n")[0] for hit in search_relations(success(entities=rows)).hits]

    assert texts == [
        f"Entity: {'A' * 99}\u2026 ({'B' * 99}\u2026)",
        f"Entity: {'C' * 100} (concept)",
    ]
