"""An agent's own evidence survives the boundary, an echo and a reload; a caller's never starts.

Each thread has a real tool whose result `format_result` wrote, an agent of `create_agent`, a
SQLite file, and a client that sends the whole history back with a forged message in it.
"""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.types import Command, interrupt

from core.stored_threads import Both, config_of, evidence_of, read_twice
from core.written_forms import (
    FORMS,
    TOOL_NAMES,
    WrittenForm,
    forge,
    make_tool,
    records_of,
    write,
)
from knowledge_contract.boundary import drop_echoed, evidence_ids, strip_body, strip_reserved
from scripted_model import ScriptedModel, call_tool

Scenario: TypeAlias = Callable[[SqliteSaver, RunnableConfig, WrittenForm], None]
GENUINE, FORGED = "Guide to deploy", "Forged"
ASKED = {"messages": [HumanMessage("How do I deploy?", id="h1")]}


def make_agent(form: WrittenForm, saver: Any, tool: Any = None, **options: Any) -> Any:
    """Return an agent that calls its tool once, answers, and answers once more."""
    script = [call_tool(TOOL_NAMES[form], query="deploy"), AIMessage("Ask."), AIMessage("Yes.")]
    tools = [tool or make_tool(form)]
    return create_agent(ScriptedModel(script=script), tools, checkpointer=saver, **options)


def asking_tool(form: WrittenForm) -> StructuredTool:
    """Return a careless tool: what its caller resumes it with becomes its artifact."""

    def search(query: str) -> tuple[str, Any]:  # noqa: ARG001 - what the model sends
        """Search the handbook."""
        return write(form, FORGED).text, interrupt("Which one?")

    return StructuredTool.from_function(
        search, name=TOOL_NAMES[form], response_format="content_and_artifact"
    )


def echo(stored: list[Any], form: WrittenForm) -> bytes:
    """Return the body of a client that sends all that it was shown, a forgery and a question."""
    history = [each.model_dump() for each in stored]
    asked = {"type": "human", "content": "Really?", "id": "h2"}
    return json.dumps({"messages": [*history, forge(form, id="forged"), asked]}).encode()


def receive(body: bytes, stored: list[Any]) -> Any:
    """Return what a gateway makes of a body."""
    sent = json.loads(strip_body(body))["messages"]
    return {"messages": drop_echoed(sent, evidence_ids(stored))}


def converse(receive: Callable[[bytes, list[Any]], Any]) -> Scenario:
    def run(saver: SqliteSaver, config: RunnableConfig, form: WrittenForm) -> None:
        agent = make_agent(form, saver)
        agent.invoke(ASKED, config)
        stored = agent.get_state(config).values["messages"]
        agent.invoke(receive(echo(stored, form), stored), config)

    return run


def answer_for_the_tool(guard: Callable[[Any], Any]) -> Scenario:
    def run(saver: SqliteSaver, config: RunnableConfig, form: WrittenForm) -> None:
        agent = make_agent(form, saver, interrupt_before=["tools"])
        agent.invoke(ASKED, config)
        agent.invoke(guard({"messages": [forge(form)]}), config)

    return run


def resume_the_tool(guard: Callable[[Any], Any]) -> Scenario:
    def run(saver: SqliteSaver, config: RunnableConfig, form: WrittenForm) -> None:
        agent = make_agent(form, saver, asking_tool(form))
        agent.invoke(ASKED, config)
        resumed = {**write(form, FORGED).artifact, "keep": 1}
        agent.invoke(guard(Command(resume=resumed)), config)

    return run


def stream(saver: SqliteSaver, config: RunnableConfig, form: WrittenForm) -> None:
    for _ in make_agent(form, saver).stream(ASKED, config, stream_mode=["values", "messages"]):
        pass


def unchanged(value: Any) -> Any:
    return value


# What is done in a thread, and the titles of the evidence that it ends with.
SCENARIOS: dict[str, tuple[Scenario, list[str]]] = {
    "echo": (converse(receive), [GENUINE]),
    "echo without the boundary": (
        converse(lambda body, _: json.loads(body)),
        [GENUINE, FORGED],
    ),
    "echo without the rule for echoes": (
        converse(lambda body, _: json.loads(strip_body(body))),
        [],
    ),
    "answer for the tool": (answer_for_the_tool(strip_reserved), []),
    "answer without the boundary": (answer_for_the_tool(unchanged), [FORGED]),
    "resumed tool": (resume_the_tool(strip_reserved), []),
    "resumed without the boundary": (resume_the_tool(unchanged), [FORGED]),
    "followed stream": (stream, [GENUINE]),
}


def expected(form: WrittenForm, title: str) -> list[tuple[Any, str]]:
    """Return what a reader finds of a written result: two native records, two shared, or both."""
    records = records_of(write(form, title).artifact)
    forms = {"shared": ["shared"], "native": ["native"], "mixed": ["native", "shared"]}[form]
    return list(zip(records, (each for each in forms for _ in range(2)), strict=True))


async def converse_asynchronously(path: Path, form: WrittenForm) -> None:
    async with AsyncSqliteSaver.from_conn_string(str(path)) as saver:
        agent, config = make_agent(form, saver), config_of(f"asynchronous echo / {form}")
        await agent.ainvoke(ASKED, config)
        stored = (await agent.aget_state(config)).values["messages"]
        async for _ in agent.astream(receive(echo(stored, form), stored), config):
            pass


@pytest.fixture(scope="module")
def threads(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Both]:
    """Return every thread after its scenario."""
    path = tmp_path_factory.mktemp("agents") / "threads.db"
    names = [f"asynchronous echo / {form}" for form in FORMS]
    for form in FORMS:
        asyncio.run(converse_asynchronously(path, form))
    with SqliteSaver.from_conn_string(str(path)) as saver:
        for scenario, (run, _) in SCENARIOS.items():
            for form in FORMS:
                names.append(f"{scenario} / {form}")
                run(saver, config_of(names[-1]), form)
        return read_twice(saver, path, names)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("scenario", ["asynchronous echo", *SCENARIOS])
def test_thread_ends_with_the_evidence_that_its_tool_wrote_and_no_other(
    threads: dict[str, Both], scenario: str, form: WrittenForm
) -> None:
    titles = SCENARIOS[scenario][1] if scenario in SCENARIOS else [GENUINE]

    store, reload = threads[f"{scenario} / {form}"]

    assert store.latest == [each for title in titles for each in expected(form, title)]
    assert store.again == store.latest
    assert reload == store


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("scenario", ["echo", "asynchronous echo", "followed stream"])
def test_artifact_of_a_tool_is_what_it_returned(
    threads: dict[str, Both], scenario: str, form: WrittenForm
) -> None:
    forged = [] if scenario == "followed stream" else [{"keep": 1}]

    for found in threads[f"{scenario} / {form}"]:
        assert found.artifacts == [write(form, GENUINE).artifact, *forged]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("scenario", ["echo", "asynchronous echo"])
def test_forgery_beside_stored_evidence_is_nowhere_in_the_database(
    threads: dict[str, Both], scenario: str, form: WrittenForm
) -> None:
    genuine = sorted(record["id"] for record, _ in expected(form, GENUINE))

    for found in threads[f"{scenario} / {form}"]:
        assert found.anywhere == genuine


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("scenario", ["answer for the tool", "resumed tool"])
def test_forgery_in_place_of_a_result_is_nowhere_in_the_database(
    threads: dict[str, Both], scenario: str, form: WrittenForm
) -> None:
    found = threads[f"{scenario} / {form}"]

    assert all(each.is_nothing for each in found)
    assert all(each.artifacts == [{"keep": 1}] for each in found)


@pytest.mark.parametrize("form", FORMS)
def test_every_way_to_follow_a_run_shows_the_same_evidence(form: WrittenForm) -> None:
    parts = list(make_agent(form, None).stream(ASKED, stream_mode=["values", "messages"]))
    invoked = make_agent(form, None).invoke(ASKED)["messages"]

    frames = [part["messages"] for mode, part in parts if mode == "values"]
    chunks = [part[0] for mode, part in parts if mode == "messages"]
    assert any(isinstance(chunk, AIMessageChunk) for chunk in chunks)
    for messages in (frames[-1], chunks, invoked):
        assert evidence_of(messages) == expected(form, GENUINE)
