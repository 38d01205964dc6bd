"""What a caller forged is no evidence in a real database, nor to the next process that opens it.

Each forged message is a copy of what a real tool writes, in each form, under other titles. Every
door is used with the boundary and without it, each on a thread of its own in one file.
"""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypedDict

import pytest
from langchain_core.messages import AnyMessage, HumanMessage, RemoveMessage
from langgraph.checkpoint.base import create_checkpoint
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import REMOVE_ALL_MESSAGES, add_messages
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, Overwrite, StateUpdate, interrupt

from core.stored_threads import NO_TASK, Both, config_of, read_in_a_new_process, read_twice
from core.written_forms import (
    FORMS,
    SIZES,
    WrittenForm,
    forge,
    forge_object,
    records_of,
    write,
)
from knowledge_contract.boundary import strip_reserved

Graph = CompiledStateGraph[Any, Any, Any, Any]
HUMAN = HumanMessage("h", id="h")


class State(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]


def build(saver: Any, answer: Any = lambda _: {}, **options: Any) -> Graph:
    """Return a graph of one node that stores what it gets; `answer` may ask its caller first."""
    builder = StateGraph(State)
    builder.add_node("model", answer)
    builder.add_edge(START, "model")
    builder.add_edge("model", END)
    return builder.compile(checkpointer=saver, **options)


def started(saver: SqliteSaver, thread: str, **options: Any) -> Graph:
    graph = build(saver, **options)
    graph.invoke({"messages": [HUMAN]}, config_of(thread))
    return graph


def invoke(saver: SqliteSaver, thread: str, value: Any) -> None:
    build(saver).invoke(value, config_of(thread))


def invoke_started(saver: SqliteSaver, thread: str, value: Any) -> None:
    started(saver, thread).invoke(value, config_of(thread))


def update_state(saver: SqliteSaver, thread: str, value: Any) -> None:
    started(saver, thread).update_state(config_of(thread), value)


def bulk_update_state(saver: SqliteSaver, thread: str, value: Any) -> None:
    started(saver, thread).bulk_update_state(config_of(thread), value)


def put_writes(saver: SqliteSaver, thread: str, value: Any) -> None:
    graph = started(saver, thread, interrupt_before=["model"])
    latest = saver.get_tuple(config_of(thread))
    assert latest is not None
    saver.put_writes(latest.config, value, NO_TASK)
    graph.invoke(None, config_of(thread))


def put_writes_of_a_task(saver: SqliteSaver, thread: str, value: Any) -> None:
    graph = started(saver, thread, interrupt_before=["model"])
    waiting = graph.get_state(config_of(thread))
    saver.put_writes(waiting.config, value, waiting.tasks[0].id)
    graph.invoke(None, config_of(thread))


def put(saver: SqliteSaver, thread: str, value: Any) -> None:
    started(saver, thread)
    latest = saver.get_tuple(config_of(thread))
    assert latest is not None
    following = create_checkpoint(latest.checkpoint, None, 9)
    following["channel_values"] = value
    versions = following["channel_versions"]
    saver.put(latest.config, following, {"source": "update", "step": 9, "parents": {}}, versions)


def resume_message(saver: SqliteSaver, thread: str, value: Any) -> None:
    graph = started(saver, thread, answer=lambda _: {"messages": [interrupt("?")]})
    graph.invoke(value, config_of(thread))


def resume_artifact(saver: SqliteSaver, thread: str, value: Any) -> None:
    form: Any = thread.split(" / ")[1]

    def answer(_: Any) -> dict[str, Any]:
        asked = interrupt("?")
        return {"messages": [forge_object(form, artifact=asked)]}

    started(saver, thread, answer=answer).invoke(value, config_of(thread))


class Door(NamedTuple):
    """A way in: how it is used, and what a caller sends to have a message stored."""

    enter: Callable[[SqliteSaver, str, Any], None]
    shape: Callable[[Any], Any]


def artifact_of(message: Any) -> Any:
    return message["artifact"] if isinstance(message, dict) else message.artifact


def as_constructor(message: Any) -> Any:
    kwargs = message if isinstance(message, dict) else message.model_dump()
    return {"messages": [{"lc": 1, "type": "constructor", "id": ["ToolMessage"], "kwargs": kwargs}]}


def as_additional(message: Any) -> Any:
    plain = dict(message) if isinstance(message, dict) else message.model_dump()
    artifact = plain.pop("artifact")
    return {"messages": [{**plain, "additional_kwargs": {"artifact": artifact}}]}


DOORS: dict[str, Door] = {
    "invoke": Door(invoke, lambda message: {"messages": [message]}),
    "invoke, constructor": Door(invoke, as_constructor),
    "invoke, additional_kwargs": Door(invoke, as_additional),
    "invoke, Overwrite": Door(invoke, lambda message: {"messages": Overwrite([message])}),
    "invoke, all removed": Door(
        invoke_started,
        lambda message: {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES), message]},
    ),
    "Command, update": Door(
        invoke_started, lambda message: Command(update={"messages": [message]})
    ),
    "Command, pairs": Door(
        invoke_started, lambda message: Command(update=[("messages", [message])])
    ),
    "update_state": Door(update_state, lambda message: {"messages": [message]}),
    "update_state, Command": Door(
        update_state, lambda message: Command(update={"messages": [message]})
    ),
    "bulk_update_state": Door(
        bulk_update_state, lambda message: [[StateUpdate({"messages": [message]}, "model")]]
    ),
    "put_writes": Door(put_writes, lambda message: [("messages", [message])]),
    "put_writes, of a task": Door(put_writes_of_a_task, lambda message: [("messages", [message])]),
    "put": Door(put, lambda message: {"messages": [message]}),
    "resume, a message": Door(resume_message, lambda message: Command(resume=message)),
    "resume, an artifact": Door(
        resume_artifact, lambda message: Command(resume=artifact_of(message))
    ),
}
# A checkpoint holds objects; what was never a message is none after it.
OBJECTS_ONLY = ("put",)
WAYS: dict[str, tuple[Callable[[WrittenForm], Any], Callable[[Any], Any]]] = {
    "forged dict": (forge, strip_reserved),
    "forged object": (forge_object, strip_reserved),
    "without the boundary": (forge_object, lambda value: value),
}


@pytest.fixture(scope="module")
def threads(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Both]:
    """Return every thread after every form was sent through every door in every way."""
    path = tmp_path_factory.mktemp("threads") / "threads.db"
    with SqliteSaver.from_conn_string(str(path)) as saver:
        for thread, door, form, way in every_thread():
            make, guard = WAYS[way]
            DOORS[door].enter(saver, thread, guard(DOORS[door].shape(make(form))))
        return read_twice(saver, path, [thread for thread, *_ in every_thread()])


def every_thread() -> Iterator[tuple[str, str, WrittenForm, str]]:
    for door in DOORS:
        for form in FORMS:
            for way in WAYS:
                if door not in OBJECTS_ONLY or way != "forged dict":
                    yield f"{door} / {form} / {way}", door, form, way


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("door", DOORS)
def test_forged_envelope_is_no_evidence_in_the_store_nor_after_a_reload(
    threads: dict[str, Both], door: str, form: WrittenForm
) -> None:
    found = [
        each
        for name, both in threads.items()
        if name.startswith(f"{door} / {form} / forged")
        for each in both
    ]

    assert len(found) == (2 if door in OBJECTS_ONLY else 4)
    assert all(each.is_nothing for each in found)
    assert all(each.artifacts == [{"keep": 1}] for each in found)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("door", DOORS)
def test_without_the_boundary_the_door_forges(
    threads: dict[str, Both], door: str, form: WrittenForm
) -> None:
    forged = records_of(write(form, "Forged").artifact)

    store, reload = threads[f"{door} / {form} / without the boundary"]

    assert [record for record, _ in store.latest] == forged
    assert reload == store
    assert reload.again == reload.latest
    assert len(forged) == SIZES[form]


async def enter_asynchronously(path: Path, way: str) -> list[str]:
    """Send every form through the asynchronous doors; return the threads' names."""
    make, guard = WAYS[way]
    names: list[str] = []
    async with AsyncSqliteSaver.from_conn_string(str(path)) as saver:
        for form in FORMS:
            names += [f"{form} / {door} / {way}" for door in ("run", "update", "bulk", "resume")]
            run, update, bulk, resume = (config_of(name) for name in names[-4:])
            sent: Any = guard({"messages": [make(form)]})
            graph = build(saver)
            await graph.ainvoke(sent, run)
            await graph.aupdate_state(update, sent, as_node="model")
            await graph.abulk_update_state(bulk, [[StateUpdate(sent, "model")]])
            asking = build(saver, lambda _: {"messages": [interrupt("?")]})
            await asking.ainvoke({"messages": [HUMAN]}, resume)
            await asking.ainvoke(guard(Command(resume=make(form))), resume)
    return names


def test_asynchronous_doors_let_nothing_in_but_without_the_boundary(tmp_path: Path) -> None:
    path = tmp_path / "threads.db"
    names = {way: asyncio.run(enter_asynchronously(path, way)) for way in WAYS}

    found = read_in_a_new_process(path, [name for listed in names.values() for name in listed])

    forged = [found[name] for name in names.pop("without the boundary")]
    assert [len(each.latest) for each in forged] == [
        SIZES[form] for form in FORMS for _ in range(4)
    ]
    kept = [found[name] for listed in names.values() for name in listed]
    assert all(each.is_nothing and each.artifacts == [{"keep": 1}] for each in kept)
    assert len(found) == 3 * len(forged) == 36
