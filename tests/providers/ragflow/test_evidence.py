"""Whatever a server answers: what is shown, recorded and read back is the same evidence."""

import asyncio
import json
import re
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.hits import texts
from knowledge_contract.citation import show_uncited
from knowledge_contract.formatting import format_result
from knowledge_contract.providers._http import Retrying
from knowledge_contract.providers.ragflow import RagflowProvider, RagflowSettings
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import RetrievalContext, RetrievalResult
from providers.ragflow.library import chunk, dataset, hex_id, library, search, shape
from providers.ragflow.server import KEY, Row, running

TOOL = "knowledge_search"
RETRIEVAL = "0123456789abcdef" * 2
SHARED_HANDLE = re.compile(r"\[[^\[\]\n]*\]\(#knowledge-source-([0-9a-f]{32})\)")
NATIVE_HANDLE = re.compile(r"\[[^\[\]\n]*\]\(#knowledge-([0-9a-f]{32}-[0-9]+)\)")
ANYTHING: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 200), st.just(2.5), texts(2), st.just([]), st.just({})
)
IDS = st.one_of(
    st.sampled_from([hex_id(number) for number in (1, 2, 9, 101, 102)]),
    st.sampled_from([[hex_id(1)], [hex_id(1), hex_id(2)], [], ""]),
    ANYTHING,
)
ROWS = st.one_of(
    st.just([3, 10, 90, 10, 90]), st.just([2, 1, 1, 1, 1]), st.lists(ANYTHING, max_size=5), ANYTHING
)
WORDS = st.one_of(st.just("Prime the pump."), texts())
COMPLETE = st.builds(
    chunk,
    st.integers(1, 10**6),
    of=st.integers(1, 2),
    content=WORDS,
    document_keyword=st.one_of(st.just("Book.pdf"), texts(3)),
)
FIELDS = {
    "id": IDS,
    "content": st.one_of(WORDS, ANYTHING),
    "document_id": IDS,
    "document_keyword": st.one_of(texts(3), ANYTHING),
    "dataset_id": st.one_of(st.sampled_from([None, "", [hex_id(1)], [hex_id(1), hex_id(2)]]), IDS),
    "kb_id": IDS,
    "positions": st.lists(ROWS, max_size=3),
    "similarity": ANYTHING,
}


@st.composite
def changed(draw: st.DrawFn) -> Row:
    """Return a chunk that is whole but for one field."""
    name = draw(st.sampled_from(sorted(FIELDS)))
    return {**draw(COMPLETE), name: draw(FIELDS[name])}


RUBBISH = st.one_of(ANYTHING, st.fixed_dictionaries({}, optional=FIELDS))
ANSWERS = st.one_of(
    st.lists(COMPLETE, max_size=5),
    st.lists(st.one_of(COMPLETE, changed()), min_size=1, max_size=5),
    st.lists(st.one_of(COMPLETE, changed(), RUBBISH), max_size=5),
)
SUMMARIES = st.one_of(
    st.lists(st.fixed_dictionaries({"doc_name": texts(3), "doc_id": IDS}), max_size=3),
    st.dictionaries(texts(3), st.fixed_dictionaries({"doc_id": IDS}), max_size=3),
    ANYTHING,
)
NAMES = st.one_of(st.just("Shelf"), texts(3))


def found(chunks: list[Any], summary: Any, names: list[str]) -> RetrievalResult:
    """Return what a search makes of an answer."""
    rows = [dataset(number, name=name) for number, name in enumerate(names, 1)]
    data = {"total": len(chunks), "chunks": chunks, "doc_aggs": summary}

    def answer(request: httpx.Request) -> httpx.Response:
        body = {"code": 0, "data": rows if request.method == "GET" else data}
        # As a stream, because that is how the wire is read.
        return httpx.Response(200, stream=httpx.ByteStream(json.dumps(body).encode()))

    provider = RagflowProvider(
        RagflowSettings(api_key=KEY, page_size=50),
        client_factory=lambda: httpx.AsyncClient(transport=httpx.MockTransport(answer)),
        retrying=Retrying(count=0),
    )
    return asyncio.run(provider.search("pump", context=RetrievalContext()))


def recorded(artifact: Row | None) -> list[Row]:
    """Return the records of an artifact, in whichever form."""
    sources: Any = (artifact or {}).get("knowledge_sources", [])
    records: list[Row] = sources["sources"] if isinstance(sources, dict) else sources
    return records


def is_native(artifact: Row | None) -> bool:
    """Tell whether an artifact is in the native form."""
    return isinstance((artifact or {}).get("knowledge_sources"), dict)


@given(
    ANSWERS,
    SUMMARIES,
    st.lists(NAMES, min_size=2, max_size=2),
    st.sampled_from([(10_000, 800), (400, 30), (120, 1), (1_000_000, 100_000)]),
    st.sampled_from([RETRIEVAL, None]),
)
def test_what_is_shown_is_recorded_and_reads_back(
    chunks: list[Any],
    summary: Any,
    names: list[str],
    limits: tuple[int, int],
    retrieval_id: str | None,
) -> None:
    result = found(chunks, summary, names)

    text, artifact = format_result(
        result,
        limit_chars=limits[0],
        excerpt_chars=limits[1],
        tool_name=TOOL,
        retrieval_id=retrieval_id,
    )
    message = {"type": "tool", "name": TOOL, "content": text, "artifact": artifact}
    reading = read_message(message, binding="entry")

    assert [each.record for each in reading.evidence] == recorded(artifact)
    assert (reading.refused, reading.overflow) == ((), 0)
    # Text of the native form may quote a handle of the shared one, which nobody takes for its own.
    handle = NATIVE_HANDLE if is_native(artifact) else SHARED_HANDLE
    assert set(handle.findall(text)) == {each.record["id"] for each in reading.evidence}
    assert len(text) <= limits[0]


@given(ANSWERS, SUMMARIES, st.lists(NAMES, min_size=2, max_size=2))
def test_no_text_is_lost_and_the_form_is_one_for_the_whole_answer(
    chunks: list[Any], summary: Any, names: list[str]
) -> None:
    result = found(chunks, summary, names)

    text, artifact = format_result(
        result,
        limit_chars=1_000_000,
        excerpt_chars=100_000,
        tool_name=TOOL,
        retrieval_id=RETRIEVAL,
    )

    complete = all(
        each.locators is not None and each.title is not None and each.dataset_name is not None
        for each in result.hits
    )
    assert is_native(artifact) == (complete and bool(result.hits))
    assert all(hit.text in text or show_uncited(hit.text) in text for hit in result.hits)


@pytest.mark.parametrize(
    ("file", "native"),
    [("04_retrieval_pdf.json", True), ("08_retrieval_graph_summary.json", False)],
    ids=["complete", "one chunk without a document"],
)
def test_answer_is_written_natively_when_all_of_it_can_be(file: str, native: bool) -> None:  # noqa: FBT001 - a parameter
    rows = [dataset(0, id=each * 16, name=f"Shelf {each}") for each in ("a1", "b2")]
    server = library(datasets=rows, intercept=lambda asked: shape(file) if asked.body else None)

    with running(server):
        result = search(server)
    text, artifact = format_result(
        result, limit_chars=9000, excerpt_chars=800, tool_name=TOOL, retrieval_id=RETRIEVAL
    )

    assert isinstance(recorded(artifact), list)
    assert ("#knowledge-source-" not in text) == native
    assert len(result.hits) == 3
    assert all(hit.text in text for hit in result.hits)
