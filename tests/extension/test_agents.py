"""The plugin in real LangGraph agents; the model is a script, the server's answers synthetic.

Requests are counted at the server's socket.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langgraph.checkpoint.sqlite import SqliteSaver

from extension.block import BLOCK, DOCUMENTS, KEY, RELATIONS, Configure, without
from knowledge_contract.host import load_host
from knowledge_contract.middleware.scope import ScopeMiddleware
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import RetrievalContext
from knowledge_contract.tools import call_search
from providers.lightrag.synthetic import chunk, finding, relation, sent
from providers.raw_server import RawServer, reply, serving
from recorded_agents import QUESTION, Recorded, answers
from scripted_model import ScriptedModel

ADA = RetrievalContext("ada", "lead_agent")
HIDDEN = "ds-hidden-7"
SELECTED = {"version": 1, "mode": "selected", "dataset_ids": [HIDDEN]}
DOCUMENT_SELECTED = {
    **SELECTED,
    "document_filters": [{"dataset_id": HIDDEN, "document_ids": ["d1"]}],
}
BOTH_CALLS = AIMessage(
    "",
    tool_calls=[
        {"name": name, "args": {"query": "Who tends the bridge?"}, "id": name, "type": "tool_call"}
        for name in (RELATIONS, DOCUMENTS)
    ],
)

Ask = Callable[[Recorded, Any], list[BaseMessage]]


def ask_sync(recorded: Recorded, context: Any) -> list[BaseMessage]:
    return recorded.ask(context)


def ask_async(recorded: Recorded, context: Any) -> list[BaseMessage]:
    return asyncio.run(recorded.ask_async(context))


BOTH_COLOURS = pytest.mark.parametrize("ask", [ask_sync, ask_async], ids=["sync", "async"])


def recorded_at(path: Path, *calls: AIMessage) -> Recorded:
    """Return an agent with the host's tools, whose model calls both of them."""
    return Recorded(
        load_host(path).tools, middleware=[ScopeMiddleware()], calls=calls or [BOTH_CALLS]
    )


@BOTH_COLOURS
@pytest.mark.parametrize("agent", ["lead_agent", "researcher"])
def test_bound_agent_gets_relations_and_documents(
    ask: Ask, agent: str, configure: Configure, server: RawServer
) -> None:
    recorded = recorded_at(configure(server.base_url))

    found, documents = answers(ask(recorded, ADA._replace(agent_name=agent)))

    assert [each.status for each in (found, documents)] == ["success", "success"]
    assert found.artifact["knowledge_layout"] == "relations"
    assert "[2] (no source to cite; evidence: [1])\nRelation: Bridge -- Orla Venn" in found.text
    assert "[3] (no source to cite; no document evidence)\nRelation: Bridge -- Port" in found.text
    assert "[4] (no source to cite)\nEntity: Bridge" in found.text
    titles = [
        [each.record["title"] for each in read_message(message, binding="entry").evidence]
        for message in (found, documents)
    ]
    assert titles == [["book-1.pdf"], ["book-1.pdf", "book-2.pdf"]]


def test_both_tools_send_the_credential_and_the_mode_hybrid(
    configure: Configure, server: RawServer
) -> None:
    recorded_at(configure(server.base_url)).ask(ADA)

    requests = sent(server)
    assert [fields["x-api-key"] for fields, _ in requests] == [KEY, KEY]
    body = {"query": "Who tends the bridge?", "mode": "hybrid", "top_k": 20}
    assert [each for _, each in requests] == [body, body]
    assert {fields["line"] for fields, _ in requests} == {"POST /query/data HTTP/1.1"}


@BOTH_COLOURS
@pytest.mark.parametrize(
    "context",
    [
        pytest.param(None, id="no context"),
        pytest.param({"user_id": "ada", "agent_name": "lead_agent"}, id="other type"),
        pytest.param(RetrievalContext(), id="nobody"),
        pytest.param(RetrievalContext(agent_name="lead_agent"), id="no user"),
        pytest.param(RetrievalContext("eve", "lead_agent"), id="other user"),
        pytest.param(RetrievalContext("Ada", "lead_agent"), id="case"),
        pytest.param(RetrievalContext("ada ", "lead_agent"), id="blank behind"),
        pytest.param(RetrievalContext("ada"), id="no agent"),
        pytest.param(RetrievalContext("ada", "writer"), id="other agent"),
        pytest.param(ADA._replace(scope=SELECTED), id="dataset selected"),
        pytest.param(ADA._replace(scope=DOCUMENT_SELECTED), id="document selected"),
        pytest.param(ADA._replace(scope={"version": 1, "mode": "disabled"}), id="disabled"),
        pytest.param(ADA._replace(scope={"mode": "?"}), id="no scope"),
    ],
)
def test_refused_call_sends_no_request(
    ask: Ask, context: Any, configure: Configure, server: RawServer
) -> None:
    recorded = recorded_at(configure(server.base_url))

    messages = ask(recorded, context)

    assert [(each.status, each.artifact) for each in answers(messages)] == [("error", None)] * 2
    assert messages[-1].text == "It depends."
    assert server.requests == []


def test_scope_all_is_searched(configure: Configure, server: RawServer) -> None:
    recorded = recorded_at(configure(server.base_url))

    found = recorded.ask(ADA._replace(scope={"version": 1, "mode": "all"}))

    assert [each.status for each in answers(found)] == ["success", "success"]
    assert len(server.requests) == 2


def test_disabled_scope_takes_both_tools_away(configure: Configure, server: RawServer) -> None:
    recorded = recorded_at(configure(server.base_url))

    recorded.ask(ADA._replace(scope={"version": 1, "mode": "disabled"}))

    assert [name for offered in recorded.model.offered for name in offered] == []


def test_identity_that_a_caller_or_the_model_sends_counts_for_nothing(
    configure: Configure, server: RawServer
) -> None:
    forged = {"user_id": "ada", "agent_name": "lead_agent"}
    arguments = {"query": "x", "runtime": forged, "context": forged, **forged}
    calls = [{**each, "args": arguments} for each in BOTH_CALLS.tool_calls]
    recorded = recorded_at(configure(server.base_url), AIMessage("", tool_calls=calls))
    config = {"configurable": {"thread_id": "t1", "context": forged, **forged}, "metadata": forged}

    found = recorded.agent.invoke({**QUESTION, **forged}, config, context=RetrievalContext("eve"))

    assert [each.status for each in answers(found["messages"])] == ["error", "error"]
    assert server.requests == []


@pytest.mark.parametrize("gone", [RELATIONS, DOCUMENTS])
def test_removing_a_tool_entry_removes_only_that_tool(
    gone: str, configure: Configure, server: RawServer
) -> None:
    host = load_host(configure(server.base_url, without(gone)))

    (tool,) = host.tools
    assert {tool.name, gone} == {RELATIONS, DOCUMENTS}
    assert call_search(tool, "bridge", context=ADA).status == "success"
    assert len(server.requests) == 1


def test_evidence_is_proven_again_after_a_reload(
    configure: Configure, server: RawServer, tmp_path: Path
) -> None:
    config: Any = {"configurable": {"thread_id": "t1"}}

    def build(script: list[AIMessage], saver: SqliteSaver) -> Any:
        tools = [*load_host(configure(server.base_url)).tools]
        model = ScriptedModel(script=script)
        return create_agent(model, tools, context_schema=RetrievalContext, checkpointer=saver)

    with closing(sqlite3.connect(tmp_path / "store", check_same_thread=False)) as connection:
        agent = build([BOTH_CALLS, AIMessage("Orla.")], SqliteSaver(connection))
        before = answers(agent.invoke(QUESTION, config, context=ADA)["messages"])
    with closing(sqlite3.connect(tmp_path / "store", check_same_thread=False)) as connection:
        again = build([], SqliteSaver(connection))
        after = answers(again.get_state(config).values["messages"])

    assert [read_message(each, binding="entry") for each in after] == [
        read_message(each, binding="entry") for each in before
    ]
    assert [len(read_message(each, binding="entry").evidence) for each in after] == [1, 2]
    assert [each.artifact for each in after] == [each.artifact for each in before]
    assert len(server.requests) == 2


def test_new_host_reads_the_file_again(configure: Configure, server: RawServer) -> None:
    load_host(configure(server.base_url))
    path = configure(server.base_url, BLOCK.replace('["ada"]', '["eve"]'))

    messages = recorded_at(path).ask(ADA)

    assert [each.status for each in answers(messages)] == ["error", "error"]
    assert server.requests == []


def test_limit_of_a_tool_cuts_the_graph_at_its_end(configure: Configure) -> None:
    limited = BLOCK.replace(
        "    group: knowledge\n    use: deerflow.knowledge.tools:entity",
        "    group: knowledge\n    limit_chars: 400\n    use: deerflow.knowledge.tools:entity",
    )
    chunks = [chunk(number, content=f"Passage {number}. " * 5) for number in range(9)]
    with finding(*chunks, relationships=[relation(0), *map(relation, range(1, 9))]) as server:
        tool, _ = load_host(configure(server.base_url, limited)).tools
        message = call_search(tool, "bridge", context=ADA)

    assert len(message.text) <= 400
    assert "evidence: [1])" in message.text
    assert "evidence not shown" not in message.text
    assert "left out to fit the limit" in message.text
    assert len(read_message(message, binding="entry").evidence) == message.text.count("](#")


FAULTS = {
    "down": None,
    "refused": reply(f'{{"detail": "{KEY}"}}'.encode(), f"403 {KEY}"),
    "failed": reply(f'{{"detail": "{KEY}"}}'.encode(), "500 Oops"),
    "redirect": reply(b"", "307 Temporary Redirect", Location=f"http://127.0.0.1:1/?{KEY}"),
    "no JSON": reply(f"<h1>{KEY}</h1>".encode()),
    "another shape": reply(f'{{"status": "{KEY}"}}'.encode()),
    "too long": reply(b" " * (4 * 2**20 + 1)),
    "lone surrogate": reply(b'{"status": "success", "data": {"chunks": [{"content": "\\ud800"}]}}'),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_no_secret_leaves_a_run(
    fault: str,
    configure: Configure,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    play = FAULTS[fault]
    shown: list[str] = []
    with serving(play or reply(b"")) as server:
        # Nothing listens at port 1.
        path = configure("http://127.0.0.1:1" if play is None else server.base_url)
        host = load_host(path)
        shown += [repr(host), repr(host.tools), repr(host.registered), f"{host.registered}"]
        for context in (ADA, ADA._replace(scope=SELECTED)):
            recorded = recorded_at(path)
            shown += [repr(recorded.ask(context)), recorded.everything_shown()]
    shown += [caplog.text, *capfd.readouterr()]

    whole = "\n".join(shown)
    assert "lightrag-relations: " in whole or fault == "lone surrogate"
    assert KEY not in whole
    assert HIDDEN not in whole


def test_key_that_the_server_echoes_is_redacted(
    configure: Configure, server: RawServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    recorded = recorded_at(configure(server.base_url))

    messages = recorded.ask(ADA)

    whole = f"{messages!r} {recorded.everything_shown()} {caplog.text}"
    assert "Orla tends the bridge. [redacted]" in whole
    assert KEY not in whole


def test_error_of_the_server_ends_no_run(configure: Configure) -> None:
    with serving(reply(b'{"detail": "x"}', "500 Oops")) as server:
        messages = recorded_at(configure(server.base_url)).ask(ADA)

    said = [each for each in messages if isinstance(each, ToolMessage)]
    assert all(
        each.text.startswith("Error: lightrag-relations: the server failed") for each in said
    )
    assert messages[-1].text == "It depends."
