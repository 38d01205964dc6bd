"""Questions of a child: the parent is interrupted, and its answers find the way back."""

import asyncio
from pathlib import Path
from threading import Lock
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command, interrupt
from pydantic import BaseModel

from core.stored_threads import evidence_of
from knowledge_contract.tools import SubAgent, build_task_tool
from recorded_agents import answers
from scripted_model import call_tool
from tools.delegating import (
    ASKED,
    BOTH_COLOURS,
    CONTEXT,
    THREAD,
    Invoke,
    cite_all,
    make_agent,
    make_graph,
    make_parent,
    make_search,
    only_answer,
    order,
    orders,
)


def asking(*questions: str) -> Any:
    """Return a node that asks, and says what it was answered."""

    def ask(state: Any) -> Any:
        said = [f"{each}: {interrupt(each)}" for each in questions]
        before = [each.text for each in state["messages"][1:]]
        return {"messages": [AIMessage("; ".join([*before, *said]))]}

    return ask


def open_questions(found: dict[str, Any]) -> list[Any]:
    return [each.value for each in found.get("__interrupt__", [])]


def answering(found: dict[str, Any], *values: Any) -> Any:
    """Return the answers to open questions, by their ids."""
    asked = found["__interrupt__"]
    return Command(resume={each.id: value for each, value in zip(asked, values, strict=True)})


def approve() -> str:
    """Ask somebody."""
    return str(interrupt("May I?"))


APPROVE = StructuredTool.from_function(approve)


@BOTH_COLOURS
def test_interrupted_child_runs_again_when_its_parent_is_resumed(invoke: Invoke) -> None:
    published: list[Any] = []
    script = [call_tool("search", query="tea"), call_tool("approve")]
    child = make_agent([*script, *script, cite_all], [make_search("Tea."), APPROVE])
    parent = make_parent(child, publish=published.append, saver=InMemorySaver())

    stopped = invoke(parent)
    published_before = [*published]
    answer = only_answer(invoke(parent, Command(resume="yes")))

    assert open_questions(stopped) == ["May I?"]
    assert published_before == []
    assert [record["excerpt"] for record, _ in evidence_of([answer])] == ["Tea."]
    assert len(published) == 1


def test_another_process_can_resume_what_a_child_interrupted(tmp_path: Path) -> None:
    def parent(saver: Any, said: AIMessage) -> Any:
        child = make_graph(asking("size"), asking("colour"))
        return make_parent(child, [said], saver=saver)

    path = str(tmp_path / "threads.db")
    with SqliteSaver.from_conn_string(path) as saver:
        parent(saver, order()).invoke(ASKED, THREAD, context=CONTEXT)
    with SqliteSaver.from_conn_string(path) as saver:
        parent(saver, AIMessage("Done.")).invoke(Command(resume="XL"), THREAD, context=CONTEXT)
    with SqliteSaver.from_conn_string(path) as saver:
        found = parent(saver, AIMessage("Done.")).invoke(
            Command(resume="red"), THREAD, context=CONTEXT
        )
        spaces = {each.config["configurable"]["checkpoint_ns"] for each in saver.list(None)}

    assert only_answer(found).content == "size: XL; colour: red"
    assert spaces == {""}


@BOTH_COLOURS
@pytest.mark.parametrize("by_id", [False, True], ids=["next", "by id"])
def test_each_answer_goes_to_the_question_it_was_given_to(invoke: Invoke, *, by_id: bool) -> None:
    child = make_graph(asking("one", "two"), asking("three"))
    parent = make_parent(child, saver=InMemorySaver())

    found, asked = invoke(parent), []
    for value in "ABC":
        asked.append(open_questions(found))
        given = answering(found, value) if by_id else Command(resume=value)
        found = invoke(parent, given)

    assert asked == [["one"], ["two"], ["three"]]
    assert only_answer(found).content == "one: A; two: B; three: C"


@BOTH_COLOURS
def test_questions_that_a_child_asks_at_once_are_asked_in_turn(invoke: Invoke) -> None:
    builder = StateGraph(MessagesState)
    names = ["tea", "ice", "mate", "chai"]
    for name in names:
        builder.add_node(name, asking(name))
        builder.add_edge(START, name)
    builder.add_node("report", lambda state: {"messages": [AIMessage(joined(state["messages"]))]})
    builder.add_edge(names, "report")
    parent = make_parent(builder.compile(), saver=InMemorySaver())

    found, asked = invoke(parent), []
    while questions := open_questions(found):
        asked.extend(questions)
        found = invoke(parent, Command(resume=questions[0].upper()))

    assert asked == sorted(names)
    assert only_answer(found).content == "chai: CHAI, ice: ICE, mate: MATE, tea: TEA"


def joined(messages: list[Any]) -> str:
    return ", ".join(sorted(each.text for each in messages[1:]))


@BOTH_COLOURS
def test_parallel_tasks_get_each_their_own_answers(invoke: Invoke) -> None:
    children = {"one": make_graph(asking("size")), "two": make_graph(asking("colour"))}
    script = [orders("one", "two"), AIMessage("Done.")]
    parent = make_parent(children, script, saver=InMemorySaver())

    stopped = invoke(parent)
    by_question = {"size": "XL", "colour": "red"}
    given = answering(stopped, *[by_question[each] for each in open_questions(stopped)])
    found = invoke(parent, given)

    assert sorted(open_questions(stopped)) == ["colour", "size"]
    assert [each.content for each in answers(found["messages"])] == ["size: XL", "colour: red"]


@BOTH_COLOURS
def test_question_of_a_grandchild_reaches_the_top(invoke: Invoke) -> None:
    leaf = SubAgent(graph=make_graph(asking("size"), asking("colour")), description="Asks.")

    def echo(messages: list[Any]) -> AIMessage:
        return AIMessage(messages[-1].text)

    script = [order("leaf"), order("leaf"), order("leaf"), echo]
    middle = make_agent(script, [build_task_tool({"leaf": leaf})])
    saver = InMemorySaver()
    parent = make_parent(middle, saver=saver)

    asked = [open_questions(invoke(parent)), open_questions(invoke(parent, Command(resume="XL")))]
    answer = only_answer(invoke(parent, Command(resume="red")))

    assert asked == [["size"], ["colour"]]
    assert answer.content == "size: XL; colour: red"
    assert {each.config["configurable"]["checkpoint_ns"] for each in saver.list(None)} == {""}


@BOTH_COLOURS
def test_state_of_a_child_may_hold_what_no_database_could(invoke: Invoke) -> None:
    class Held(MessagesState):
        lock: Any

    def release(state: Any) -> Any:
        state["lock"].release()
        return {"messages": [AIMessage("Released.")]}

    def acquire(_: Any) -> Any:
        lock = Lock()
        lock.acquire()
        return {"lock": lock}

    child = make_graph(acquire, asking("size"), release, state=Held)
    parent = make_parent(child, saver=InMemorySaver())

    invoke(parent)
    answer = only_answer(invoke(parent, Command(resume="XL")))

    assert answer.content == "Released."


class Amount(BaseModel):
    """What a question wants to know."""

    cups: int


@BOTH_COLOURS
def test_refused_answer_is_asked_for_again(invoke: Invoke) -> None:
    def ask(_: Any) -> Any:
        amount = interrupt("How many?", response_schema=Amount)
        return {"messages": [AIMessage(f"{amount.cups} cups")]}

    parent = make_parent(make_graph(ask), saver=InMemorySaver())

    first = invoke(parent)
    again = invoke(parent, Command(resume={"cups": "many"}))
    answer = only_answer(invoke(parent, Command(resume={"cups": 3})))

    assert open_questions(first) == open_questions(again) == ["How many?"]
    assert first["__interrupt__"][0].response_schema == Amount.model_json_schema()
    assert (answer.status, answer.content) == ("success", "3 cups")


@BOTH_COLOURS
def test_breakpoint_deep_inside_a_child_is_a_failure_and_no_endless_stop(invoke: Invoke) -> None:
    builder = StateGraph(MessagesState)
    builder.add_node("n", lambda _: {"messages": [AIMessage("Hot.")]})
    builder.add_edge(START, "n")
    child = make_graph(builder.compile(interrupt_before=["n"]))

    answer = only_answer(invoke(make_parent(child, saver=InMemorySaver())))

    assert answer.status == "error"


def test_resumed_stream_shows_the_parents_messages_only() -> None:
    child = make_graph(asking("size"))
    parent = make_parent(child, saver=InMemorySaver())

    async def run() -> list[Any]:
        await parent.ainvoke(ASKED, THREAD, context=CONTEXT)
        stream = parent.astream(
            Command(resume="XL"), THREAD, context=CONTEXT, stream_mode=["updates", "messages"]
        )
        return [each async for each in stream]

    shown = asyncio.run(run())

    nodes = [[*part] for mode, part in shown if mode == "updates"]
    assert nodes == [["tools"], ["model"]]
    assert {part[0].type for mode, part in shown if mode == "messages"} <= {
        "tool",
        "AIMessageChunk",
    }
