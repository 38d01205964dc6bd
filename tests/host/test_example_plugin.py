"""From a file to an agent: a real plugin, a real server, and requests counted at its socket."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import BaseMessage

from host.conftest import Write
from knowledge_contract.errors import ConfigurationError
from knowledge_contract.host import Host, load_host
from knowledge_contract.middleware.scope import ScopeMiddleware
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import RetrievalContext
from loopback import Loopback
from recorded_agents import Recorded, answers

KEY = "sk-key-of-the-example"
HIDDEN = "ds-hidden-7"
ADA = RetrievalContext("ada", "lead_agent")
SELECTED = {"version": 1, "mode": "selected", "dataset_ids": [HIDDEN]}

Ask = Callable[[Recorded, Any], list[BaseMessage]]


def ask_sync(recorded: Recorded, context: Any) -> list[BaseMessage]:
    return recorded.ask(context)


def ask_async(recorded: Recorded, context: Any) -> list[BaseMessage]:
    return asyncio.run(recorded.ask_async(context))


BOTH_COLOURS = pytest.mark.parametrize("ask", [ask_sync, ask_async], ids=["sync", "async"])


def configuration(url: str) -> str:
    return f"""\
plugins:
  - use: example_plugin:install
    required: true
    config:
      base_url: {url}
      api_key_env: EXAMPLE_KEY
      user_ids: [ada]
      agent_names: [lead_agent]
tool_groups:
  - name: knowledge
tools:
  - name: knowledge_search
    group: knowledge
    use: deerflow.knowledge.tools:knowledge_search_tool
    provider: example
"""


@pytest.fixture
def host(write: Write, loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> Host:
    """Return a host whose plugin asks the server on this machine."""
    monkeypatch.setenv("EXAMPLE_KEY", KEY)
    return load_host(write(configuration(loopback.url)))


@BOTH_COLOURS
def test_bound_user_gets_evidence_from_the_server(ask: Ask, host: Host, loopback: Loopback) -> None:
    recorded = Recorded(host.tools, middleware=[ScopeMiddleware()])

    messages = ask(recorded, ADA)

    (answer,) = answers(messages)
    evidence = read_message(answer, binding="entry").evidence
    assert [each.record["excerpt"] for each in evidence] == ["Of tea."]
    assert [(each["X-API-Key"], body) for each, body in loopback.requests] == [
        (KEY, {"query": "tea"})
    ]


@BOTH_COLOURS
@pytest.mark.parametrize(
    "context",
    [
        pytest.param(None, id="no context"),
        pytest.param({"user_id": "ada", "agent_name": "lead_agent"}, id="other type"),
        pytest.param(RetrievalContext(), id="nobody"),
        pytest.param(RetrievalContext("Ada", "lead_agent"), id="other user"),
        pytest.param(RetrievalContext("ada", "writer"), id="other agent"),
        pytest.param(ADA._replace(scope={"version": 1, "mode": "disabled"}), id="disabled"),
        pytest.param(ADA._replace(scope=SELECTED), id="selected"),
        pytest.param(ADA._replace(scope={"mode": "?"}), id="no scope"),
    ],
)
def test_refused_call_sends_no_request(
    ask: Ask, context: Any, host: Host, loopback: Loopback
) -> None:
    recorded = Recorded(host.tools, middleware=[ScopeMiddleware()])

    messages = ask(recorded, context)

    (answer,) = answers(messages)
    assert (answer.status, answer.artifact) == ("error", None)
    assert messages[-1].text == "It depends."
    assert loopback.requests == []


@BOTH_COLOURS
@pytest.mark.parametrize("is_up", [True, False], ids=["up", "down"])
def test_neither_key_nor_scope_leaves_the_run(  # noqa: PLR0913 - one fixture for each way out
    ask: Ask,
    *,
    is_up: bool,
    write: Write,
    loopback: Loopback,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("EXAMPLE_KEY", KEY)
    # Nothing listens at port 1.
    host = load_host(write(configuration(loopback.url if is_up else "http://127.0.0.1:1")))
    contexts = [ADA, ADA._replace(scope=SELECTED)]

    shown = [repr(host), repr(host.tools), repr(host.registered), repr(contexts)]
    for context in contexts:
        # One script is one run.
        recorded = Recorded(host.tools, middleware=[ScopeMiddleware()])
        shown += [repr(ask(recorded, context)), recorded.everything_shown()]
    shown += [caplog.text, *capfd.readouterr()]

    whole = "\n".join(shown)
    assert len(loopback.requests) == is_up
    assert ("Of tea." if is_up else "cannot be reached") in whole
    assert KEY not in whole
    assert HIDDEN not in whole


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("      user_ids: [ada]\n", "      user_ids: [' ']\n", "example: user_ids must be a list"),
        ("      user_ids: [ada]\n", "", "user_ids: is missing"),
        ("user_ids: [ada]", "user_ids: ada", "user_ids: must be a list"),
        ("base_url", "base_ulr", "base_ulr: unknown key; did you mean `base_url`?"),
        ("EXAMPLE_KEY", "NOT_SET", "example: the variable NOT_SET is not set"),
    ],
    ids=["blank user", "no users", "one user", "misspelt", "variable"],
)
def test_config_that_cannot_be_used_ends_the_start(
    old: str, new: str, what: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXAMPLE_KEY", KEY)

    with pytest.raises(ConfigurationError) as caught:
        load_host(write(configuration("http://127.0.0.1:1").replace(old, new)))

    (line,) = caught.value.problems
    assert f"plugin example_plugin:install: {what}" in line
    assert KEY not in line
