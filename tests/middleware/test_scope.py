"""In a real agent: a disabled scope takes retrieval away, and ids never leave the run."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from langchain.agents.middleware import AgentMiddleware, ModelRequest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.tools import StructuredTool

from counting_provider import FILTERING, RELATING, CountingProvider
from knowledge_contract.middleware.scope import ScopeMiddleware
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import RetrievalContext
from knowledge_contract.scope import Allowed, Scope, Taken, admit_scope, take_scope
from knowledge_contract.tools import entity_relations_search_tool, knowledge_search_tool
from recorded_agents import Recorded, answers
from scripted_model import call_tool

HIDDEN = "ds-hidden-7"
SELECTED = {"version": 1, "mode": "selected", "dataset_ids": [HIDDEN]}
DISABLED = {"version": 1, "mode": "disabled"}


def clock() -> str:
    """Tell the time."""
    return "noon"


CLOCK = StructuredTool.from_function(clock)
FORWARDING = StructuredTool.from_function(
    clock, name="task", metadata={"knowledge_capabilities": {"operations": ["sources"]}}
)

Ask = Callable[..., list[BaseMessage]]


def ask_sync(recorded: Recorded, context: Any, *given: Any) -> list[BaseMessage]:
    return recorded.ask(context, *given)


def ask_async(recorded: Recorded, context: Any, *given: Any) -> list[BaseMessage]:
    return asyncio.run(recorded.ask_async(context, *given))


BOTH_COLOURS = pytest.mark.parametrize("ask", [ask_sync, ask_async], ids=["sync", "async"])


@BOTH_COLOURS
def test_disabled_scope_offers_no_retrieval_and_refuses_a_call_to_it(ask: Ask) -> None:
    provider = CountingProvider(operations=RELATING)
    tools = [
        knowledge_search_tool(provider),
        entity_relations_search_tool(provider),
        CLOCK,
        FORWARDING,
    ]
    recorded = Recorded(tools, middleware=[ScopeMiddleware()])

    messages = ask(recorded, RetrievalContext("ada", scope=DISABLED))

    (answer,) = answers(messages)
    assert recorded.model.offered == [["clock", "task"], ["clock", "task"]]
    assert (answer.status, answer.name, answer.artifact) == ("error", "knowledge_search", None)
    assert answer.content == "Error: knowledge is switched off for this turn."
    assert provider.requests == []


@BOTH_COLOURS
def test_tool_that_does_not_look_at_the_scope_is_kept_from_running(ask: Ask) -> None:
    runs: list[str] = []

    def search(query: str) -> str:
        runs.append(query)
        return "found"

    careless = StructuredTool.from_function(
        search,
        name="wiki",
        description="Search.",
        metadata={"knowledge_capabilities": {"operations": ["search"]}},
    )
    recorded = Recorded([careless], middleware=[ScopeMiddleware()])

    messages = ask(recorded, RetrievalContext(scope=DISABLED))

    assert [each.status for each in answers(messages)] == ["error"]
    assert runs == []


@BOTH_COLOURS
def test_other_tools_run_under_a_disabled_scope(ask: Ask) -> None:
    tools = [CLOCK, knowledge_search_tool(CountingProvider())]
    recorded = Recorded(tools, middleware=[ScopeMiddleware()], calls=[call_tool("clock")])

    messages = ask(recorded, RetrievalContext(scope=DISABLED))

    assert [each.content for each in answers(messages)] == ["noon"]


@pytest.mark.parametrize(
    "context",
    [
        RetrievalContext(scope={"mode": "?"}),
        RetrievalContext(scope="all"),
        RetrievalContext(scope=[SELECTED]),
    ],
    ids=["unknown mode", "text", "list"],
)
def test_scope_that_cannot_be_understood_disables(context: RetrievalContext) -> None:
    provider = CountingProvider()
    recorded = Recorded([knowledge_search_tool(provider)], middleware=[ScopeMiddleware()])

    recorded.ask(context)

    assert recorded.model.offered == []
    assert provider.requests == []


@BOTH_COLOURS
@pytest.mark.parametrize(
    "context",
    [{"scope": DISABLED}, SimpleNamespace(knowledge={"scope": DISABLED})],
    ids=["dict", "other knowledge"],
)
def test_context_that_cannot_be_read_disables(ask: Ask, context: Any) -> None:
    provider = CountingProvider()
    tools = [knowledge_search_tool(provider), CLOCK]
    recorded = Recorded(tools, middleware=[ScopeMiddleware()])

    (answer,) = answers(ask(recorded, context))

    assert recorded.model.offered == [["clock"], ["clock"]]
    assert str(answer.content).startswith("Error: this run's context is no RetrievalContext")
    assert provider.requests == []


@BOTH_COLOURS
@pytest.mark.parametrize(
    "context", [None, RetrievalContext(), RetrievalContext(scope=SELECTED)], ids=repr
)
def test_other_scopes_change_nothing(ask: Ask, context: RetrievalContext | None) -> None:
    provider = CountingProvider(operations=FILTERING)
    recorded = Recorded([knowledge_search_tool(provider)], middleware=[ScopeMiddleware()])

    messages = ask(recorded, context)

    (answer,) = answers(messages)
    assert recorded.model.offered == [["knowledge_search"]] * 2
    assert len(read_message(answer, binding="entry").evidence) == 1


class Choosing(AgentMiddleware[Any, Any, Any]):
    """Demands a tool of the model."""

    def __init__(self, choice: Any) -> None:
        self.choice = choice

    def wrap_model_call(self, request: Any, handler: Callable[[ModelRequest[Any]], Any]) -> Any:
        return handler(request.override(tool_choice=self.choice))


@pytest.mark.parametrize(
    ("choice", "kept"),
    [
        ("knowledge_search", None),
        ({"type": "tool", "name": "knowledge_search"}, None),
        ({"type": "function", "function": {"name": "knowledge_search"}}, None),
        ("clock", "clock"),
        ("any", "any"),
    ],
    ids=["name", "tool", "function", "other", "any"],
)
def test_choice_of_a_tool_that_is_gone_is_gone_too(choice: Any, kept: Any) -> None:
    recorded = Recorded(
        [CLOCK, knowledge_search_tool(CountingProvider())],
        middleware=[Choosing(choice), ScopeMiddleware()],
        calls=[call_tool("clock")],
    )

    recorded.ask(RetrievalContext(scope=DISABLED))

    assert recorded.model.choices == [kept, kept]


@BOTH_COLOURS
@pytest.mark.parametrize("operations", [FILTERING, RELATING], ids=["honoured", "refused"])
def test_ids_of_a_scope_reach_neither_model_nor_trace_nor_store(
    ask: Ask, operations: tuple[str, ...], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(0)
    provider = CountingProvider(operations=operations)
    sent = HumanMessage("How hot?", additional_kwargs={"knowledge_scope": SELECTED})
    taken = take_scope([sent])
    assert isinstance(taken, Taken)
    admitted = admit_scope(taken.requested, allowed=Allowed(frozenset({HIDDEN})))
    assert isinstance(admitted, Scope)
    recorded = Recorded([knowledge_search_tool(provider)], middleware=[ScopeMiddleware()])
    context = RetrievalContext("ada", scope=admitted.snapshot)

    messages = ask(recorded, context, {"messages": taken.messages})

    is_honoured = operations is FILTERING
    assert [each.context.scope for each in provider.requests] == [SELECTED] * is_honoured
    assert answers(messages)[0].status == ("success" if is_honoured else "error")
    assert HIDDEN not in recorded.everything_shown()
    assert HIDDEN not in f"{messages!r}{context!r}{caplog.text}"
    assert "How hot?" in recorded.everything_shown()


@BOTH_COLOURS
@pytest.mark.parametrize("arguments", [{}, {"query": ["x"]}], ids=["missing", "list"])
def test_wrong_arguments_show_the_model_nothing_of_the_run(
    ask: Ask, arguments: dict[str, Any]
) -> None:
    provider = CountingProvider(operations=FILTERING)
    call = call_tool("knowledge_search", **arguments)
    recorded = Recorded([knowledge_search_tool(provider)], calls=[call])

    messages = ask(recorded, RetrievalContext("user-hidden-7", scope=SELECTED))

    whole = f"{messages!r}{recorded.everything_shown()}"
    assert answers(messages)[0].status == "error"
    assert HIDDEN not in whole
    assert "user-hidden-7" not in whole


def test_scope_in_an_old_message_is_not_shown_to_the_model_and_stays_in_the_state() -> None:
    old = HumanMessage("Hi", id="h1", additional_kwargs={"knowledge_scope": SELECTED})
    recorded = Recorded([CLOCK], middleware=[ScopeMiddleware()], calls=[AIMessage("Hello")])

    messages = recorded.ask(None, {"messages": [old]})

    assert HIDDEN not in repr(recorded.model.seen)
    assert messages[0] == old


def test_resumed_run_searches_what_the_first_one_searched() -> None:
    provider = CountingProvider(operations=FILTERING)
    recorded = Recorded(
        [knowledge_search_tool(provider)],
        calls=[
            call_tool("knowledge_search", query="tea"),
            AIMessage("Hot."),
            call_tool("knowledge_search", query="tea", call_id="c2"),
        ],
    )
    first = admit_scope(SELECTED, allowed=Allowed())
    assert isinstance(first, Scope)
    recorded.ask(RetrievalContext(scope=first.snapshot))

    again = admit_scope({"version": 1, "mode": "all"}, first.snapshot, allowed=Allowed())
    assert isinstance(again, Scope)
    recorded.ask(RetrievalContext(scope=again.snapshot))

    assert [each.context.scope for each in provider.requests] == [SELECTED, SELECTED]
