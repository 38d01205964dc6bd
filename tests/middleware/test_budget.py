"""In real agents: tool outputs fit before they are stored, and again before a model sees them."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from langchain.tools import ToolRuntime
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import StructuredTool
from langgraph.types import Command

from core.stored_threads import evidence_of
from core.written_forms import TOOL_NAMES, WrittenForm, make_tool, records_of, write
from knowledge_contract.budget import TRANSFORMS_KEY, BudgetSettings
from knowledge_contract.middleware.budget import BudgetMiddleware
from knowledge_contract.store import file_store
from middleware.wrapping import (
    BOTH_COLOURS,
    FORMS_AND_SHAPES,
    SHAPES,
    Ask,
    InnerSpy,
    Shape,
    Shaping,
    Spy,
    ask_async,
    ask_sync,
)
from recorded_agents import QUESTION, Recorded, answers
from scripted_model import call_tool

LONG = "".join(f"Line {number} of what a tool said.\n" for number in range(60)).strip()
SMALL = BudgetSettings(
    externalize_min_chars=300,
    preview_head_chars=100,
    preview_tail_chars=50,
    fallback_head_chars=100,
    fallback_tail_chars=50,
)


def tight(form: WrittenForm) -> BudgetSettings:
    """Return settings by which the last entry of a form's message does not fit."""
    text, _ = write(form, "Guide to tea")
    return BudgetSettings(externalize_min_chars=len(text) - 1)


def ramble() -> str:
    """Say too much."""
    return LONG


RAMBLE = StructuredTool.from_function(ramble)


@BOTH_COLOURS
@FORMS_AND_SHAPES
def test_evidence_of_every_shape_is_pruned_to_whole_entries(
    form: WrittenForm, shape: str, ask: Ask
) -> None:
    budget = BudgetMiddleware(tight(form))
    recorded = Recorded([make_tool(form)], middleware=[budget, Shaping(SHAPES[shape])])

    (answer,) = answers(ask(recorded))

    whole = write(form, "Guide to tea")
    kept = [record for record, _ in evidence_of([answer])]
    assert len(answer.text) < len(whole.text)
    assert kept == records_of(answer.artifact)
    assert kept == [each for each in records_of(whole.artifact) if each in kept]
    assert 0 < len(kept) < len(records_of(whole.artifact))
    assert answer.additional_kwargs[TRANSFORMS_KEY] == ["pruned"]


@BOTH_COLOURS
@pytest.mark.parametrize("shape", SHAPES)
def test_text_of_every_shape_is_cut_where_nothing_can_store_it(shape: str, ask: Ask) -> None:
    middleware = [BudgetMiddleware(SMALL), Shaping(SHAPES[shape])]
    recorded = Recorded([RAMBLE], middleware=middleware)

    (answer,) = answers(ask(recorded))

    assert len(answer.text) <= 300
    assert answer.additional_kwargs[TRANSFORMS_KEY] == ["truncated"]


@BOTH_COLOURS
@pytest.mark.parametrize("shape", SHAPES)
def test_text_of_every_shape_is_stored_whole(shape: str, ask: Ask, tmp_path: Path) -> None:
    budget = BudgetMiddleware(SMALL, store=file_store(tmp_path, shown_folder="/mnt/outputs"))
    recorded = Recorded([RAMBLE], middleware=[budget, Shaping(SHAPES[shape])])

    (answer,) = answers(ask(recorded))

    (file,) = tmp_path.iterdir()
    assert file.read_text(encoding="utf-8") == LONG
    assert file.name.startswith("ramble-")
    assert answer.text.endswith(f"Full text: /mnt/outputs/{file.name}")
    assert answer.additional_kwargs[TRANSFORMS_KEY] == ["externalized"]


def test_store_is_never_called_on_the_event_loop() -> None:
    threads: list[int] = []

    def store(text: str, *, tool_name: str | None) -> str:
        threads.append(threading.get_ident())
        return f"/mnt/{tool_name}-{len(text)}"

    recorded = Recorded([RAMBLE], middleware=[BudgetMiddleware(SMALL, store=store)])

    async def run() -> int:
        await recorded.ask_async(None)
        return threading.get_ident()

    loop = asyncio.run(run())

    assert len(threads) == 1
    assert loop not in threads


@BOTH_COLOURS
def test_full_disk_ends_no_run(ask: Ask) -> None:
    def store(text: str, *, tool_name: str | None) -> str:
        raise OSError(28, f"{tool_name} {len(text)}")

    recorded = Recorded([RAMBLE], middleware=[BudgetMiddleware(SMALL, store=store)])

    messages = ask(recorded)

    assert answers(messages)[0].additional_kwargs[TRANSFORMS_KEY] == ["truncated"]
    assert messages[-1].text == "It depends."


UNTOUCHED = {
    "disabled": SMALL._replace(enabled=False),
    "exempt": SMALL._replace(exempt_tools=("ramble",)),
    "large": BudgetSettings(),
    "larger for this tool": SMALL._replace(tool_overrides={"ramble": 5_000}),
    "no limit for this tool": SMALL._replace(tool_overrides={"ramble": 0}, fallback_max_chars=0),
}


@BOTH_COLOURS
@pytest.mark.parametrize(
    ("case", "shape"),
    [
        *[pytest.param(case, "message", id=case) for case in UNTOUCHED],
        *[pytest.param("exempt", shape, id=f"exempt {shape}") for shape in SHAPES],
    ],
)
def test_result_that_may_stay_is_the_same_object(case: str, shape: str, ask: Ask) -> None:
    outer, inner = Spy(), InnerSpy()
    budget = BudgetMiddleware(UNTOUCHED[case])
    middleware = [outer, budget, inner, Shaping(SHAPES[shape])]
    recorded = Recorded([RAMBLE], middleware=middleware)

    messages = ask(recorded)

    assert outer.results[0] is inner.results[0]
    assert answers(messages)[0].text == LONG
    assert LONG in [each.text for each in recorded.model.seen[-1]]


def test_middleware_without_settings_takes_the_defaults() -> None:
    tool = StructuredTool.from_function(lambda: "x" * 12_001, name="long", description="Long.")
    recorded = Recorded([tool], middleware=[BudgetMiddleware()])

    (answer,) = answers(recorded.ask(None))

    assert len(answer.text) < 12_001


def history() -> list[BaseMessage]:
    """Return a thread of a host with larger limits: long evidence, and long text."""
    text, artifact = write("shared", "Guide to tea")
    calls = [call_tool("search", call_id="a").tool_calls[0]]
    calls.append(call_tool("ramble", call_id="b").tool_calls[0])
    return [
        HumanMessage("How hot?", id="h1"),
        AIMessage("", tool_calls=calls, id="a1"),
        ToolMessage(
            f"{LONG}\n\n{text}", name="search", tool_call_id="a", artifact=artifact, id="t1"
        ),
        ToolMessage(LONG, name="ramble", tool_call_id="b", id="t2"),
    ]


@BOTH_COLOURS
def test_model_is_shown_what_fits_while_state_and_store_keep_the_whole(ask: Ask) -> None:
    spy = Spy()
    settings = SMALL._replace(tool_overrides={"search": 600})
    middleware = [spy, BudgetMiddleware(settings)]
    recorded = Recorded([RAMBLE], middleware=middleware, calls=[AIMessage("Hello.")])

    messages = ask(recorded, {"messages": history()})

    (request, before), shown = spy.requests[0], recorded.model.seen[0]
    # The objects of the state, and still as they were.
    assert request == before
    assert [each.content for each in messages[:4]] == [each.content for each in history()]
    assert all(mine is its for mine, its in zip(shown[:2], request[:2], strict=True))
    # The model saw copies.
    assert len(shown[2].text) <= 600
    assert len(shown[3].text) <= 300
    assert len(evidence_of(shown)) == 2
    stored = recorded.agent.get_state({"configurable": {"thread_id": "t1"}}).values["messages"]
    assert stored == messages
    assert evidence_of(stored) == evidence_of(history())


@BOTH_COLOURS
def test_history_that_fits_is_shown_as_the_same_list(ask: Ask) -> None:
    outer, inner = Spy(), InnerSpy()
    middleware = [outer, BudgetMiddleware(), inner]
    recorded = Recorded([RAMBLE], middleware=middleware, calls=[AIMessage("Hello.")])

    ask(recorded, {"messages": history()})

    assert outer.requests[0][0] is inner.requests[0][0]


def test_nothing_is_stored_for_what_the_model_is_shown() -> None:
    def store(text: str, *, tool_name: str | None) -> str:
        raise AssertionError(f"{tool_name} {len(text)}")

    middleware = [BudgetMiddleware(SMALL, store=store)]
    recorded = Recorded([RAMBLE], middleware=middleware, calls=[AIMessage("Hello.")])

    recorded.ask(None, {"messages": history()})

    assert all(len(each.text) <= 300 for each in answers(recorded.model.seen[0]))


def own_message(runtime: ToolRuntime[Any, Any]) -> ToolMessage:
    """Answer with a message of the tool's own, which bears no name."""
    return ToolMessage(LONG, tool_call_id=runtime.tool_call_id or "")


OWN = StructuredTool.from_function(own_message, name="read_page", description="Read.")


OWN_LIMITS: dict[str, tuple[BudgetSettings, bool]] = {
    "larger": (SMALL._replace(tool_overrides={"read_page": 5_000}), False),
    "smaller": (BudgetSettings(tool_overrides={"read_page": 300}), True),
    "exempt": (SMALL._replace(exempt_tools=["read_page"]), False),
}


@BOTH_COLOURS
@pytest.mark.parametrize(
    ("limit", "shape"),
    [
        *[pytest.param(limit, "message", id=limit) for limit in OWN_LIMITS],
        *[pytest.param("larger", shape, id=f"larger {shape}") for shape in SHAPES],
    ],
)
def test_message_without_a_name_has_the_limit_of_the_tool_that_was_called(
    limit: str, shape: str, ask: Ask
) -> None:
    settings, is_cut = OWN_LIMITS[limit]
    middleware = [BudgetMiddleware(settings), Shaping(SHAPES[shape], name=None)]
    recorded = Recorded([OWN], middleware=middleware, calls=[call_tool("read_page")])

    (answer,) = answers(ask(recorded))

    (shown,) = answers(recorded.model.seen[-1])
    assert answer.name == "read_page"
    assert (answer.text != LONG) == is_cut
    assert shown.text == answer.text


@BOTH_COLOURS
@pytest.mark.parametrize("shape", SHAPES)
def test_tool_cannot_name_itself_out_of_its_limit(shape: str, ask: Ask) -> None:
    middleware = [BudgetMiddleware(SMALL), Shaping(SHAPES[shape], name="read_file")]
    recorded = Recorded([OWN], middleware=middleware, calls=[call_tool("read_page")])

    (answer,) = answers(ask(recorded))

    (shown,) = answers(recorded.model.seen[-1])
    assert answer.name == "read_page"
    assert answer.text == shown.text
    assert len(answer.text) <= SMALL.externalize_min_chars


@BOTH_COLOURS
def test_native_evidence_of_a_message_without_a_name_is_readable_afterwards(ask: Ask) -> None:
    middleware = [BudgetMiddleware(), Shaping(SHAPES["message"], name=None)]
    recorded = Recorded([make_tool("native")], middleware=middleware)

    (answer,) = answers(ask(recorded))

    assert answer.name == TOOL_NAMES["native"]
    assert [form for _, form in evidence_of([answer])] == ["native", "native"]


@BOTH_COLOURS
def test_disabled_budget_names_nothing(ask: Ask) -> None:
    outer, inner = Spy(), InnerSpy()
    middleware = [outer, BudgetMiddleware(SMALL._replace(enabled=False)), inner]
    recorded = Recorded([OWN], middleware=middleware, calls=[call_tool("read_page")])

    (answer,) = answers(ask(recorded))

    assert answer.name is None
    assert outer.results[0] is inner.results[0]


def with_another(message: ToolMessage) -> Any:
    """Return a command that also answers another call."""
    other = message.model_copy(update={"tool_call_id": "c9"})
    return Command(update={"messages": [message, other]})


def with_another_as_dicts(message: ToolMessage) -> Any:
    messages = with_another(message).update["messages"]
    return Command(update={"messages": [each.model_dump() for each in messages]})


@BOTH_COLOURS
@pytest.mark.parametrize("shape", [with_another, with_another_as_dicts], ids=["messages", "dicts"])
def test_message_for_another_call_gets_no_name(shape: Shape, ask: Ask) -> None:
    middleware = [BudgetMiddleware(), Shaping(shape, name=None, id=None)]
    recorded = Recorded([OWN], middleware=middleware, calls=[call_tool("read_page")])

    names = [each.name for each in answers(ask(recorded))]

    assert names == ["read_page", None]


def test_parallel_calls_are_fitted_each_by_its_own_limit() -> None:
    calls = [call_tool(name, call_id=name).tool_calls[0] for name in ("ramble", "read_page")]
    settings = SMALL._replace(tool_overrides={"read_page": 5_000})
    recorded = Recorded(
        [RAMBLE, OWN],
        middleware=[BudgetMiddleware(settings)],
        calls=[AIMessage("", tool_calls=calls)],
    )

    first, second = answers(ask_sync(recorded))

    assert len(first.text) <= 300
    assert second.text == LONG


def test_both_colours_agree() -> None:
    def contents(ask: Ask) -> list[Any]:
        recorded = Recorded([make_tool("mixed")], middleware=[BudgetMiddleware(tight("mixed"))])
        return [(each.type, each.content) for each in ask(recorded, QUESTION)]

    assert contents(ask_sync) == contents(ask_async)
