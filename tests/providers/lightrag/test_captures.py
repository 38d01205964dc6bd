"""Answers of LightRAG 1.5.7, recorded from a server with stub models, become what is expected.

`captures/manifest.json` says what each one covers, and what was found right for it by hand:

- `documents`: the title of each hit of a search, null where it has none and is not cited;
- `relations`: the hits of a search for relations, where the evidence of a relation is positions
  of earlier hits, counted from 1;
- `error`: the class of the error that either search ends in.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from knowledge_contract import errors
from knowledge_contract._text import normalize_text
from knowledge_contract.errors import ProviderError
from knowledge_contract.retrieval import RetrievalHit, RetrievalResult
from providers.lightrag.synthetic import ALL, documents, relations
from providers.raw_server import Play, RawServer, reply, serving

CAPTURES = Path(__file__).parent / "captures"
MANIFEST: list[dict[str, Any]] = json.loads(
    CAPTURES.joinpath("manifest.json").read_text(encoding="utf-8")
)


def cases(expectation: str) -> pytest.MarkDecorator:
    """Return the captures that one kind of thing is expected of."""
    chosen = [each for each in MANIFEST if expectation in each["expect"]]
    assert chosen
    return pytest.mark.parametrize("case", chosen, ids=[each["file"] for each in chosen])


def recorded(case: dict[str, Any]) -> dict[str, Any]:
    """Return a capture."""
    document: dict[str, Any] = json.loads(
        CAPTURES.joinpath(case["file"]).read_text(encoding="utf-8")
    )
    return document


def play(capture: dict[str, Any]) -> Play:
    """Return a capture as its server sent it, byte for byte."""
    body = capture["body"]
    text = body if body == "" else json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return reply(text.encode(), f"{capture['status']} Recorded", **capture["headers"])


def search_documents(server: RawServer) -> RetrievalResult:
    """Return what a search finds at a server."""
    return documents(server).search_sync("pump", context=ALL)


def search_relations(server: RawServer) -> RetrievalResult:
    """Return what a search for relations finds at a server."""
    return relations(server).search_relations_sync("pump", context=ALL)


def described(hit: RetrievalHit) -> dict[str, Any]:
    """Return a hit of a search for relations in the manifest's form."""
    head, _, name = hit.text.partition("\n")[0].partition(": ")
    if head == "Relation" and hit.evidence is not None:
        ends = name.split(" -- ")
        return {"relation": ends, "evidence": [index + 1 for index in hit.evidence]}
    if head == "Entity":
        return {"entity": name.partition(" (")[0]}
    return {"source": hit.title}


def test_manifest_knows_every_capture() -> None:
    files = {path.name for path in CAPTURES.iterdir()} - {"manifest.json"}

    assert {each["file"] for each in MANIFEST} == files


@cases("documents")
def test_documents_are_the_chunks_that_were_recorded(case: dict[str, Any]) -> None:
    capture = recorded(case)

    with serving(play(capture)) as server:
        result = search_documents(server)

    assert [hit.title for hit in result.hits] == case["expect"]["documents"]
    contents = [each["content"] for each in capture["body"]["data"].get("chunks", [])]
    assert [hit.text for hit in result.hits] == [normalize_text(each) for each in contents]


@cases("relations")
def test_relations_name_the_chunks_that_were_recorded(case: dict[str, Any]) -> None:
    with serving(play(recorded(case))) as server:
        result = search_relations(server)

    assert [described(hit) for hit in result.hits] == case["expect"]["relations"]


@cases("relations")
def test_graph_text_has_no_title(case: dict[str, Any]) -> None:
    with serving(play(recorded(case))) as server:
        result = search_relations(server)

    assert {hit.title for hit in result.hits if "source" not in described(hit)} <= {None}


@cases("error")
@pytest.mark.parametrize(
    "search", [search_documents, search_relations], ids=["search", "relations"]
)
def test_refusal_is_an_error_without_the_server_s_words(
    case: dict[str, Any], search: Callable[[RawServer], RetrievalResult]
) -> None:
    capture = recorded(case)

    with serving(play(capture)) as server, pytest.raises(ProviderError) as caught:
        search(server)

    assert type(caught.value) is getattr(errors, case["expect"]["error"])
    assert not any(words in str(caught.value) for words in texts(capture["body"]))


def texts(document: object) -> list[str]:
    """Return the sentences in an answer."""
    if isinstance(document, dict):
        return [text for each in document.values() for text in texts(each)]
    if isinstance(document, list):
        return [text for each in document for text in texts(each)]
    return [document] if isinstance(document, str) and " " in document else []
