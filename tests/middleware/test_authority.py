"""In real agents: who may write evidence is decided by the object, and before any budget."""

from collections.abc import Callable
from typing import Any

import pytest
from langchain.agents.middleware import (
    AgentMiddleware,
    SummarizationMiddleware,
    wrap_model_call,
    wrap_tool_call,
)
from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool, StructuredTool

from core.stored_threads import evidence_of
from core.written_forms import TOOL_NAMES, WrittenForm, write
from counting_provider import CountingProvider
from knowledge_contract.budget import TRANSFORMS_KEY, BudgetSettings
from knowledge_contract.middleware.authority import (
    AuthorityMiddleware,
    check_order,
    evidence_middleware,
)
from knowledge_contract.middleware.budget import BudgetMiddleware
from knowledge_contract.middleware.scope import ScopeMiddleware
from knowledge_contract.tools import knowledge_search_tool
from knowledge_wire.constants import RESERVED_KEYS
from middleware.wrapping import BOTH_COLOURS, FORMS_AND_SHAPES, SHAPES, Ask, InnerSpy, Shaping, Spy
from recorded_agents import Recorded, answers
from scripted_model import ScriptedModel, call_tool

ADVERTISED = {"knowledge_capabilities": {"operations": ["search", "sources"]}}


def make_writer(form: WrittenForm, metadata: Any = ADVERTISED) -> BaseTool:
    """Return a tool that writes a form to the last byte, as a server of MCP could."""

    def search(query: str) -> tuple[str, dict[str, Any]]:
        """Search."""
        text, artifact = write(form, f"Guide to {query}")
        return text, {**artifact, "kept": 1}

    return StructuredTool.from_function(
        search,
        name=TOOL_NAMES[form],
        response_format="content_and_artifact",
        metadata=metadata,
    )


@BOTH_COLOURS
@FORMS_AND_SHAPES
def test_tool_that_is_no_authority_loses_the_reserved_keys(
    form: WrittenForm, shape: str, ask: Ask
) -> None:
    trusted, forger = make_writer(form), make_writer(form)
    middleware = [AuthorityMiddleware([trusted]), Shaping(SHAPES[shape])]
    recorded = Recorded([forger], middleware=middleware)

    messages = ask(recorded)

    (answer,) = answers(messages)
    assert answer.artifact == {"kept": 1}
    assert answer.text == write(form, "Guide to tea").text
    assert evidence_of(messages) == []
    assert not any(key in recorded.everything_shown() for key in RESERVED_KEYS)


@BOTH_COLOURS
@FORMS_AND_SHAPES
def test_authority_keeps_them(form: WrittenForm, shape: str, ask: Ask) -> None:
    trusted = make_writer(form)
    outer, inner = Spy(), InnerSpy()
    gate = AuthorityMiddleware([trusted])
    recorded = Recorded([trusted], middleware=[outer, gate, inner, Shaping(SHAPES[shape])])

    (answer,) = answers(ask(recorded))

    assert answer.artifact == {**write(form, "Guide to tea").artifact, "kept": 1}
    assert outer.results[0] is inner.results[0]


@pytest.mark.parametrize(
    "metadata",
    [None, {}, {"knowledge_capabilities": {"operations": ["search"]}}, {"operations": ["sources"]}],
    ids=["none", "empty", "search only", "misplaced"],
)
def test_authority_that_does_not_advertise_sources_is_none(metadata: Any) -> None:
    tool = make_writer("shared", metadata)
    recorded = Recorded([tool], middleware=[AuthorityMiddleware([tool])])

    assert evidence_of(recorded.ask(None)) == []


def test_copy_of_an_authority_is_none() -> None:
    trusted = make_writer("shared")
    recorded = Recorded([trusted.model_copy()], middleware=[AuthorityMiddleware([trusted])])

    assert evidence_of(recorded.ask(None)) == []


@BOTH_COLOURS
@pytest.mark.parametrize("is_forger_last", [True, False], ids=["forger last", "forger first"])
def test_of_two_tools_of_one_name_the_one_that_ran_decides(
    ask: Ask, *, is_forger_last: bool
) -> None:
    trusted, forger = make_writer("shared"), make_writer("shared")
    tools = [trusted, forger] if is_forger_last else [forger, trusted]
    recorded = Recorded(tools, middleware=[AuthorityMiddleware([trusted])])

    messages = ask(recorded)

    assert len(evidence_of(messages)) == (0 if is_forger_last else 2)


class Exchanging(AgentMiddleware[Any, Any, Any]):
    """Runs another tool than the one that was called."""

    def __init__(self, tool: BaseTool) -> None:
        super().__init__()
        self.tool = tool

    def wrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        return handler(request.override(tool=self.tool))


def test_tool_that_was_put_in_anothers_place_is_judged_itself() -> None:
    trusted, forger = make_writer("shared"), make_writer("shared")
    middleware = [Exchanging(forger), AuthorityMiddleware([trusted])]
    recorded = Recorded([trusted], middleware=middleware)

    assert evidence_of(recorded.ask(None)) == []


class Inventing(AgentMiddleware[Any, Any, Any]):
    """Answers calls of tools that there are not."""

    def wrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        if request.tool is not None:
            return handler(request)
        text, artifact = write("shared", "Forged")
        return ToolMessage(text, artifact=artifact, tool_call_id=request.tool_call["id"])


def test_answer_of_no_tool_is_no_evidence() -> None:
    trusted = make_writer("shared")
    middleware = [AuthorityMiddleware([trusted]), Inventing()]
    recorded = Recorded([trusted], middleware=middleware, calls=[call_tool("invented")])

    messages = recorded.ask(None)

    assert [each.artifact for each in answers(messages)] == [None]


def test_authorities_may_come_from_an_iterator() -> None:
    tool = knowledge_search_tool(CountingProvider())
    calls = [call_tool(tool.name, query="tea", call_id=each) for each in ("c1", "c2")]
    recorded = Recorded([tool], middleware=[AuthorityMiddleware(iter([tool]))], calls=calls)

    messages = recorded.ask(None)

    assert [len(evidence_of([each])) for each in answers(messages)] == [1, 1]


def limits() -> BudgetSettings:
    """Return settings by which half of a writer's message fits."""
    length = len(write("shared", "Guide to tea").text)
    return BudgetSettings(
        externalize_min_chars=length - 1, fallback_head_chars=50, fallback_tail_chars=50
    )


@BOTH_COLOURS
def test_budget_sees_no_evidence_in_what_a_forger_wrote(ask: Ask) -> None:
    middleware = evidence_middleware([], settings=limits())
    recorded = Recorded([make_writer("shared")], middleware=middleware)

    (answer,) = answers(ask(recorded))

    check_order(middleware)
    # Cut like any text, where evidence would have kept a whole entry.
    assert answer.additional_kwargs[TRANSFORMS_KEY] == ["truncated"]
    assert answer.artifact == {"kept": 1}


@BOTH_COLOURS
def test_budget_keeps_whole_entries_of_an_authority(ask: Ask) -> None:
    tool = make_writer("shared")
    recorded = Recorded([tool], middleware=evidence_middleware([tool], settings=limits()))

    (answer,) = answers(ask(recorded))

    assert answer.additional_kwargs[TRANSFORMS_KEY] == ["pruned"]
    assert len(evidence_of([answer])) == 1


@BOTH_COLOURS
def test_other_order_would_spend_the_budget_on_forged_records_and_is_refused(ask: Ask) -> None:
    middleware = [*reversed(evidence_middleware([], settings=limits()))]
    recorded = Recorded([make_writer("shared")], middleware=middleware)

    (answer,) = answers(ask(recorded))

    assert answer.additional_kwargs[TRANSFORMS_KEY] == ["pruned"]
    with pytest.raises(ValueError, match="stand behind AuthorityMiddleware"):
        check_order(middleware)


@wrap_tool_call
def wrapping_tools(request: Any, handler: Callable[[Any], Any]) -> Any:
    """Wrap tool calls, as a function."""
    return handler(request)


@wrap_model_call
def wrapping_models(request: Any, handler: Callable[[Any], Any]) -> Any:
    """Wrap model calls only."""
    return handler(request)


class AsyncOnly(AgentMiddleware[Any, Any, Any]):
    """Wraps tool calls in one colour."""

    async def awrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        return await handler(request)


def summarizing() -> AgentMiddleware[Any, Any, Any]:
    return SummarizationMiddleware(ScriptedModel(script=[]), trigger=("messages", 9))


ALLOWED: dict[str, Callable[[], list[Any]]] = {
    "nothing": list,
    "no evidence at all": lambda: [wrapping_tools],
    "the pair": lambda: evidence_middleware([]),
    "the gate alone": lambda: [AuthorityMiddleware([])],
    "two gates": lambda: [AuthorityMiddleware([]), AuthorityMiddleware([])],
    "others before": lambda: [
        ScopeMiddleware(),
        wrapping_tools,
        summarizing(),
        *evidence_middleware([]),
    ],
    "others between": lambda: [BudgetMiddleware(), wrapping_tools, AuthorityMiddleware([])],
    "others behind that wrap no tools": lambda: [
        *evidence_middleware([]),
        summarizing(),
        wrapping_models,
    ],
}
REFUSED: dict[str, tuple[Callable[[], list[Any]], str]] = {
    "budget alone": (lambda: [BudgetMiddleware()], "needs an AuthorityMiddleware behind it"),
    "budget behind": (
        lambda: [AuthorityMiddleware([]), BudgetMiddleware()],
        "stand behind AuthorityMiddleware",
    ),
    "scope behind": (
        lambda: [*evidence_middleware([]), ScopeMiddleware()],
        "stand behind AuthorityMiddleware",
    ),
    "function behind": (
        lambda: [*evidence_middleware([]), wrapping_tools],
        "stand behind AuthorityMiddleware",
    ),
    "budget between two gates": (
        lambda: [AuthorityMiddleware([]), BudgetMiddleware(), AuthorityMiddleware([])],
        "stand behind AuthorityMiddleware",
    ),
    "one colour behind": (
        lambda: [*evidence_middleware([]), AsyncOnly()],
        "stand behind AuthorityMiddleware",
    ),
}


@pytest.mark.parametrize("case", ALLOWED)
def test_order_in_which_the_gate_is_innermost_is_allowed(case: str) -> None:
    check_order(ALLOWED[case]())


@pytest.mark.parametrize("case", REFUSED)
def test_order_in_which_it_is_not_is_refused(case: str) -> None:
    make, rule = REFUSED[case]

    with pytest.raises(ValueError, match=rule):
        check_order(make())
