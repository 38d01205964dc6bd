"""Opt-in checks of a real RAGFlow server, read-only: `just live-ragflow`.

Nothing is collected from here in a normal run. What is read from the environment:

- `KNOWLEDGE_CONTRACT_RAGFLOW_URL` and `KNOWLEDGE_CONTRACT_RAGFLOW_KEY`;
- `KNOWLEDGE_CONTRACT_RAGFLOW_QUESTION`, a question that its datasets can answer;
- `KNOWLEDGE_CONTRACT_RAGFLOW_DATASETS`, ids parted by commas; without it all are searched.
"""

import os
from collections.abc import Callable, Generator
from typing import Any

import httpx
import pytest

from knowledge_contract.errors import ProviderConfigurationError, ProviderError
from knowledge_contract.formatting import format_result
from knowledge_contract.normalize import normalize_hit
from knowledge_contract.providers.ragflow import RagflowProvider, RagflowSettings
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import (
    NativeLocators,
    RetrievalContext,
    RetrievalHit,
    RetrievalResult,
)
from knowledge_wire.constants import NATIVE_TOOL_NAMES

_PREFIX = "KNOWLEDGE_CONTRACT_RAGFLOW_"
_NEEDED = [f"{_PREFIX}{name}" for name in ("URL", "KEY", "QUESTION")]
_MISSING = [name for name in _NEEDED if not os.environ.get(name)]
_RETRIEVAL_ID = "0" * 32

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(bool(_MISSING), reason=f"not set: {', '.join(_MISSING)}"),
]

Say = Callable[[str], None]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    """Return a function that prints in spite of pytest's capturing."""

    def write(line: str) -> None:
        with capsys.disabled():
            print(f"\n  {line}", end="", flush=True)  # noqa: T201 - this is the report

    return write


@pytest.fixture(scope="module")
def provider() -> RagflowProvider:
    """A provider for the server that the environment names."""
    return RagflowProvider(settings())


@pytest.fixture(scope="module")
def result(provider: RagflowProvider) -> RetrievalResult:
    """What the question finds."""
    return provider.search_sync(question(), context=RetrievalContext())


@pytest.fixture(scope="module")
def place(result: RetrievalResult) -> NativeLocators:
    """Where the best hit with all identifiers stands."""
    places = [hit.locators for hit in result.hits if hit.locators is not None]
    if not places:
        pytest.fail("the question finds nothing with identifiers: ask another", pytrace=False)
    return places[0]


def question() -> str:
    """Return the question."""
    return os.environ[f"{_PREFIX}QUESTION"]


def settings(**changes: Any) -> RagflowSettings:
    """Return settings for the server that the environment names."""
    named = os.environ.get(f"{_PREFIX}DATASETS", "")
    options = {
        "base_url": os.environ[f"{_PREFIX}URL"],
        "api_key": os.environ[f"{_PREFIX}KEY"],
        "datasets": [each for each in named.split(",") if each.strip()] or None,
    }
    return RagflowSettings(**{**options, **changes})


def selected(dataset_id: str, *document_ids: str) -> RetrievalContext:
    """Return the context of a selection."""
    scope: dict[str, Any] = {"version": 1, "mode": "selected", "dataset_ids": [dataset_id]}
    if document_ids:
        chosen = {"dataset_id": dataset_id, "document_ids": [*document_ids]}
        scope["document_filters"] = [chosen]
    return RetrievalContext(scope=scope)


class Bearer(httpx.Auth):
    """Sends the key, and keeps it out of what a failing check prints."""

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Add the header."""
        request.headers["Authorization"] = f"Bearer {settings().api_key}"
        yield request


def plain_chunks(dataset_id: str) -> list[dict[str, Any]] | None:
    """Return what a plain request finds; None if it is not answered.

    Errors end here, because the frames that they pass hold the request's headers.
    """
    made = settings()
    try:
        answer = httpx.post(
            f"{made.base_url}/api/v1/retrieval",
            auth=Bearer(),
            json={"question": question(), "dataset_ids": [dataset_id], "page_size": 64},
            timeout=made.timeout_s,
        )
    except httpx.HTTPError:
        return None
    chunks: list[dict[str, Any]] = answer.json()["data"]["chunks"]
    return chunks


def test_question_finds_chunks_that_can_be_cited(result: RetrievalResult, say: Say) -> None:
    cited = [hit for hit in result.hits if hit.title is not None]

    assert cited, "the question finds nothing that can be cited: ask another"
    paged = sum(hit.page is not None for hit in result.hits)
    say(f"{len(result.hits)} hits, {len(cited)} to cite, {paged} with a page; {result.notes}")


def test_evidence_reads_back(result: RetrievalResult, say: Say) -> None:
    text, artifact = format_result(
        result,
        limit_chars=100_000,
        excerpt_chars=1_000,
        tool_name=NATIVE_TOOL_NAMES[0],
        retrieval_id=_RETRIEVAL_ID,
    )
    message = {"type": "tool", "name": NATIVE_TOOL_NAMES[0], "content": text, "artifact": artifact}

    reading = read_message(message, binding="entry")

    assert reading.evidence
    assert reading.refused == ()
    say(f"{len(reading.evidence)} records read back, in the {reading.evidence[0].form} form")


def test_excerpts_are_what_the_server_returns(place: NativeLocators, say: Say) -> None:
    only = selected(place.dataset_id)
    ours = RagflowProvider(settings()).search_sync(question(), context=only)
    chunks = plain_chunks(place.dataset_id)
    if chunks is None:
        pytest.fail("the plain request was not answered", pytrace=False)
    returned = {normalize_hit(RetrievalHit(each["content"])).text for each in chunks}

    assert {hit.text for hit in ours.hits} <= returned
    say(f"{len(ours.hits)} excerpts stand in what a plain request returns")


def test_selected_dataset_is_the_only_one_searched(
    provider: RagflowProvider, place: NativeLocators, say: Say
) -> None:
    found = provider.search_sync(question(), context=selected(place.dataset_id))

    places = {hit.locators.dataset_id for hit in found.hits if hit.locators is not None}
    assert places == {place.dataset_id}
    say(f"a selected dataset gives {len(found.hits)} hits of its own")


def test_selected_document_is_the_only_one_searched(
    provider: RagflowProvider, place: NativeLocators, say: Say
) -> None:
    context = selected(place.dataset_id, place.document_id)

    found = provider.search_sync(question(), context=context)

    places = {hit.locators.document_id for hit in found.hits if hit.locators is not None}
    assert places == {place.document_id}
    say(f"a selected document gives {len(found.hits)} hits of its own")


def test_missing_dataset_and_document_are_refused(
    provider: RagflowProvider, place: NativeLocators, say: Say
) -> None:
    absent = "f" * 32

    with pytest.raises(ProviderConfigurationError):
        RagflowProvider(settings(datasets=[absent])).search_sync(
            question(), context=RetrievalContext()
        )
    with pytest.raises(ProviderError):
        provider.search_sync(question(), context=selected(place.dataset_id, absent))
    say("a dataset and a document that do not exist are refused")


def test_wrong_key_is_refused(say: Say) -> None:
    wrong = RagflowProvider(settings(api_key="ragflow-this-key-is-wrong"))

    with pytest.raises(ProviderConfigurationError):
        wrong.search_sync(question(), context=RetrievalContext())
    say("a wrong key is refused")
