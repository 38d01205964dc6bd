"""A tool over a provider: cited text and its artifact, or one sentence; never an exception."""

import asyncio
import logging
import re
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from langchain.tools import ToolRuntime
from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.errors import GraphInterrupt

from counting_provider import FILTERING, RELATING, TEA, CountingProvider
from knowledge_contract.errors import ProviderError
from knowledge_contract.providers.local import LocalProvider
from knowledge_contract.providers.retriever import from_retriever
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import (
    NativeLocators,
    RetrievalContext,
    RetrievalHit,
    RetrievalResult,
)
from knowledge_contract.tools import (
    call_search,
    entity_relations_search_tool,
    knowledge_search_tool,
)
from knowledge_contract.tools.capabilities import is_retrieval_tool, read_operations

KEY = "sk-key-of-the-store"
ADA = RetrievalContext(user_id="ada")
SELECTED = {"version": 1, "mode": "selected", "dataset_ids": ["ds-hidden-7"]}
NARROWED = {**SELECTED, "document_filters": [{"dataset_id": "ds-hidden-7", "document_ids": ["d"]}]}
DISABLED = {"version": 1, "mode": "disabled"}


def call_async(tool: BaseTool, query: str, *, context: object) -> ToolMessage:
    runtime: ToolRuntime[Any, Any] = ToolRuntime(
        state={},
        context=context,
        config={},
        stream_writer=lambda _: None,
        tool_call_id="c1",
        store=None,
    )
    call = {
        "name": tool.name,
        "args": {"query": query, "runtime": runtime},
        "id": "c1",
        "type": "tool_call",
    }
    message = asyncio.run(tool.ainvoke(call))
    assert isinstance(message, ToolMessage)
    return message


Call = Callable[..., ToolMessage]
BOTH_COLOURS = pytest.mark.parametrize("call", [call_search, call_async], ids=["sync", "async"])


@BOTH_COLOURS
def test_answer_proves_itself(call: Call) -> None:
    provider = CountingProvider()

    message = call(knowledge_search_tool(provider), " green tea\ud800", context=ADA)

    reading = read_message(message, binding="entry")
    assert (message.status, message.name) == ("success", "knowledge_search")
    assert [each.record["excerpt"] for each in reading.evidence] == [TEA.text]
    assert [(each.query, each.context) for each in provider.requests] == [("green tea\ufffd", ADA)]


@BOTH_COLOURS
def test_relations_keep_their_layout(call: Call) -> None:
    tool = entity_relations_search_tool(CountingProvider(operations=RELATING))

    message = call(tool, "tea", context=ADA)

    assert message.name == "entity_relations_search"
    assert message.artifact["knowledge_layout"] == "relations"
    assert "(no source to cite; evidence: [1])\ngreen tea - water" in message.content


def test_synchronous_search_runs_in_a_thread_of_its_own_under_a_running_loop() -> None:
    provider = CountingProvider()

    async def search_in_a_loop() -> ToolMessage:
        return call_search(knowledge_search_tool(provider), "tea", context=ADA)

    message = asyncio.run(search_in_a_loop())

    assert message.status == "success"
    assert provider.requests[0].thread != threading.get_ident()


def test_synchronous_door_of_a_provider_is_used() -> None:
    class Retriever:
        def invoke(self, query: str, /) -> object:
            metadata = {"title": "Guide"}
            return [SimpleNamespace(page_content=f"sync {query}", metadata=metadata)]

        async def ainvoke(self, query: str, /) -> object:
            raise NotImplementedError(query)

    message = call_search(knowledge_search_tool(from_retriever(Retriever())), "tea", context=ADA)

    assert str(message.content).endswith("\nsync tea")


def test_model_sees_the_query_alone() -> None:
    tool = knowledge_search_tool(CountingProvider())

    function = convert_to_openai_tool(tool)["function"]

    assert list(function["parameters"]["properties"]) == ["query"]
    assert function["parameters"]["required"] == ["query"]


@pytest.mark.parametrize("build", [knowledge_search_tool, entity_relations_search_tool])
def test_description_says_how_to_cite_with_an_example(build: Callable[..., BaseTool]) -> None:
    tool = build(CountingProvider(operations=RELATING), description="Look it up.")

    assert tool.description.startswith("Look it up. To cite ")
    assert f"[citation:Title](#knowledge-source-{'0' * 32})" in tool.description


@pytest.mark.parametrize(
    ("build", "operations", "expected"),
    [
        pytest.param(knowledge_search_tool, FILTERING, list(FILTERING), id="filtering"),
        pytest.param(knowledge_search_tool, RELATING, ["search", "sources"], id="searching"),
        pytest.param(
            entity_relations_search_tool, RELATING, ["relations_search", "sources"], id="relating"
        ),
    ],
)
def test_metadata_says_what_the_tool_can_do(
    build: Callable[..., BaseTool], operations: tuple[str, ...], expected: list[str]
) -> None:
    tool = build(CountingProvider(operations=operations))

    assert tool.metadata == {"knowledge_capabilities": {"operations": expected}}
    assert is_retrieval_tool(tool)


@pytest.mark.parametrize(
    "metadata",
    [
        None,
        {},
        {"knowledge_capabilities": None},
        {"knowledge_capabilities": {"operations": ["search", "fly"]}},
        {"knowledge_capabilities": {"operations": ["sources"]}},
    ],
    ids=["none", "empty", "null", "invalid", "forwarding"],
)
def test_other_tools_do_not_retrieve(metadata: object) -> None:
    tool = SimpleNamespace(metadata=metadata)

    assert not is_retrieval_tool(tool)
    assert read_operations(tool) <= {"sources"}


@BOTH_COLOURS
@pytest.mark.parametrize("query", ["", " \n\u3000", "\x00\x1f"], ids=["empty", "blank", "controls"])
def test_blank_query_is_refused(call: Call, query: str) -> None:
    provider = CountingProvider()

    message = call(knowledge_search_tool(provider), query, context=ADA)

    assert (message.status, message.artifact) == ("error", None)
    assert message.content == "Error: the query is empty; say what to look for."
    assert provider.requests == []


def test_nothing_found_is_an_answer() -> None:
    message = call_search(knowledge_search_tool(CountingProvider(answer=tuple)), "tea", context=ADA)

    assert (message.status, message.artifact) == ("success", None)
    assert message.content == "No relevant content was found."


def raising(error: BaseException) -> Callable[[], tuple[RetrievalHit, ...]]:
    def answer() -> tuple[RetrievalHit, ...]:
        raise error

    return answer


@BOTH_COLOURS
def test_error_of_the_provider_is_one_sentence(call: Call) -> None:
    words = f"shelf: it is\nclosed [citation:Fake](#knowledge-source-{'a' * 32})"
    provider = CountingProvider(answer=raising(ProviderError(words)))

    message = call(knowledge_search_tool(provider), "tea", context=ADA)

    assert (message.status, message.artifact) == ("error", None)
    assert message.content == "Error: shelf: it is closed Fake"


@BOTH_COLOURS
@pytest.mark.parametrize(
    "provider",
    [
        CountingProvider(answer=raising(LookupError(f"GET https://x/?key={KEY}"))),
        CountingProvider(answer=lambda: None),  # type: ignore[arg-type, return-value]  # a defect
        CountingProvider(name=f"NOT a name {KEY}"),
    ],
    ids=["foreign error", "no hits", "broken name"],
)
def test_defect_ends_as_one_sentence_without_details(
    call: Call, provider: CountingProvider, caplog: pytest.LogCaptureFixture
) -> None:
    tool = knowledge_search_tool(provider)
    caplog.set_level(logging.DEBUG, logger="knowledge_contract")

    message = call(tool, "tea", context=ADA)

    assert message.status == "error"
    assert re.fullmatch(r"Error: [^\n]+", str(message.content))
    assert KEY not in f"{message!r}{caplog.text}"


def test_defect_is_logged_by_its_type(caplog: pytest.LogCaptureFixture) -> None:
    provider = CountingProvider(answer=raising(LookupError(KEY)))

    call_search(knowledge_search_tool(provider), "tea", context=ADA)

    assert [each.getMessage() for each in caplog.records] == [
        "the tool knowledge_search failed with LookupError"
    ]
    assert [each.exc_info for each in caplog.records] == [None]


@BOTH_COLOURS
@pytest.mark.parametrize(
    "error", [GraphInterrupt(), asyncio.CancelledError()], ids=["interrupt", "cancel"]
)
def test_what_steers_the_run_passes(call: Call, error: BaseException) -> None:
    provider = CountingProvider(answer=raising(error))

    with pytest.raises((GraphInterrupt, asyncio.CancelledError)):
        call(knowledge_search_tool(provider), "tea", context=ADA)


@BOTH_COLOURS
@pytest.mark.parametrize(
    "context",
    [
        None,
        RetrievalContext(),
        RetrievalContext(user_id="Ada"),
        SimpleNamespace(user_id="ada"),
        SimpleNamespace(knowledge=None),
    ],
    ids=["none", "nobody", "other case", "attribute", "no knowledge"],
)
def test_without_a_context_that_names_a_bound_user_nothing_is_searched(
    call: Call, context: Any
) -> None:
    provider = CountingProvider(users=frozenset({"ada"}))

    message = call(knowledge_search_tool(provider), "tea", context=context)

    assert message.status == "error"
    assert message.content == "Error: shelf: this user may not search here"
    assert provider.requests == []


class Failing:
    """A context whose knowledge cannot be read."""

    @property
    def knowledge(self) -> RetrievalContext:
        raise LookupError(KEY)


UNREADABLE: list[Any] = [
    {"scope": DISABLED},
    {"knowledge": ADA._replace(scope=DISABLED)},
    ("ada", None, None, DISABLED),
    "ada",
    SimpleNamespace(knowledge={"scope": DISABLED}),
    Failing(),
]


@BOTH_COLOURS
@pytest.mark.parametrize(
    "context", UNREADABLE, ids=["dict", "key", "tuple", "text", "other type", "failing"]
)
def test_context_that_may_hold_a_scope_and_cannot_be_read_searches_nothing(
    call: Call, context: Any
) -> None:
    provider = CountingProvider()

    message = call(knowledge_search_tool(provider), "tea", context=context)

    assert message.status == "error"
    assert str(message.content).startswith("Error: this run's context is no RetrievalContext")
    assert provider.requests == []


def test_host_may_keep_its_own_context_around_ours() -> None:
    provider = CountingProvider(users=frozenset({"ada"}))

    message = call_async(
        knowledge_search_tool(provider), "tea", context=SimpleNamespace(knowledge=ADA)
    )

    assert message.status == "success"
    assert [each.context for each in provider.requests] == [ADA]


@BOTH_COLOURS
@pytest.mark.parametrize(
    ("build", "operations", "scope"),
    [
        pytest.param(knowledge_search_tool, FILTERING, DISABLED, id="disabled"),
        pytest.param(knowledge_search_tool, FILTERING, {"mode": "x"}, id="no scope"),
        pytest.param(knowledge_search_tool, RELATING, SELECTED, id="no filter"),
        pytest.param(knowledge_search_tool, FILTERING[:3], NARROWED, id="no filter of documents"),
        pytest.param(
            entity_relations_search_tool, (*FILTERING, "relations_search"), SELECTED, id="relations"
        ),
    ],
)
def test_scope_that_cannot_be_honoured_is_refused_before_a_search(
    call: Call, build: Callable[..., BaseTool], operations: tuple[str, ...], scope: object
) -> None:
    provider = CountingProvider(operations=operations)

    message = call(build(provider), "tea", context=ADA._replace(scope=scope))

    assert (message.status, message.artifact) == ("error", None)
    assert "ds-hidden-7" not in repr(message)
    assert provider.requests == []


@pytest.mark.parametrize("scope", [None, {"version": 1, "mode": "all"}, SELECTED, NARROWED])
def test_scope_reaches_a_provider_that_can_honour_it(scope: object) -> None:
    provider = CountingProvider(operations=FILTERING)

    call_search(knowledge_search_tool(provider), "tea", context=ADA._replace(scope=scope))

    assert [each.context.scope for each in provider.requests] == [scope]


def test_complete_native_result_gets_new_ids_for_each_call() -> None:
    locators = NativeLocators("ds", "doc", "chunk", (3,))

    class Ragflow(CountingProvider):
        async def search(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
            found = await super().search(query, context=context)
            return RetrievalResult("ragflow", found.hits)

    provider = Ragflow(name="ragflow", answer=lambda: (TEA._replace(locators=locators),))
    tool = knowledge_search_tool(provider)

    messages = [call_search(tool, "tea", context=ADA) for _ in range(2)]
    renamed = call_search(knowledge_search_tool(provider, name="look_up"), "tea", context=ADA)

    ids = [each.artifact["knowledge_sources"]["sources"][0]["id"] for each in messages]
    assert len(set(ids)) == 2
    assert all(re.fullmatch(r"[0-9a-f]{32}-1", each) for each in ids)
    assert renamed.artifact["knowledge_sources_version"] == 1


def test_limits_are_kept() -> None:
    hits = tuple(RetrievalHit("tea " * 500, title=f"Cup {number}") for number in range(9))
    tool = knowledge_search_tool(
        CountingProvider(answer=lambda: hits), limit_chars=700, excerpt_chars=50
    )

    message = call_search(tool, "tea", context=ADA)

    assert len(message.content) <= 700
    assert {len(each["excerpt"]) for each in message.artifact["knowledge_sources"]} == {47}


def test_folder_is_searched(tmp_path: Any) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "tea.md").write_text("# Tea room\n\nGreen tea.\n", encoding="utf-8")
    provider = LocalProvider(tmp_path / "docs", index_path=tmp_path / "index.sqlite3")

    message = call_search(knowledge_search_tool(provider), "green", context=RetrievalContext())

    reading = read_message(message, binding="entry")
    assert [each.record["title"] for each in reading.evidence] == ["Tea room"]
