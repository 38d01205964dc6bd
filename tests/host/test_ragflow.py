"""RAGFlow as a configured provider: its key from the environment, its datasets as the bounds."""

import pytest

from host.conftest import Write
from knowledge_contract.host import load_host
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import RetrievalContext
from knowledge_contract.scope import Refusal, Scope, admit_scope
from knowledge_contract.tools import call_search
from providers.ragflow.library import hex_id, library
from providers.ragflow.server import KEY, running

ENVIRONMENT = {"RAGFLOW_KEY": KEY}


def configuration(base_url: str) -> str:
    return f"""\
providers:
  shelves:
    kind: ragflow
    base_url: {base_url}
    api_key_env: RAGFLOW_KEY
    datasets: ["{hex_id(1)}", "{hex_id(2)}"]
    page_size: 2
    user_ids: [ada]
tool_groups: [{{name: knowledge}}]
tools:
  - name: knowledge_search
    group: knowledge
    use: knowledge_contract.tools:knowledge_search_tool
    provider: shelves
"""


def test_configured_ragflow_answers_its_user_with_native_evidence(write: Write) -> None:
    with running(library()) as server:
        host = load_host(write(configuration(server.base_url)), environment=ENVIRONMENT)
        context = RetrievalContext(user_id="ada", agent_name="lead")

        message = call_search(host.tools[0], "prime the pump", context=context)

    evidence = read_message(message, binding="entry").evidence
    assert [each.form for each in evidence] == ["native", "native"]
    assert [each.record["document_name"] for each in evidence] == ["Book 101.pdf", "Book 102.pdf"]
    assert KEY not in f"{message!r}{host!r}{host.tools[0]!r}"


@pytest.mark.parametrize("user", [None, "eve"])
def test_others_send_no_request(write: Write, user: str | None) -> None:
    with running(library()) as server:
        host = load_host(write(configuration(server.base_url)), environment=ENVIRONMENT)

        message = call_search(host.tools[0], "pump", context=RetrievalContext(user_id=user))

        assert message.status == "error"
        assert server.requests("") == []


def test_only_configured_datasets_can_be_selected(write: Write) -> None:
    host = load_host(write(configuration("http://localhost:1")), environment=ENVIRONMENT)
    selected = {"version": 1, "mode": "selected"}

    inside = admit_scope({**selected, "dataset_ids": [hex_id(2)]}, allowed=host.allowed)
    outside = admit_scope({**selected, "dataset_ids": [hex_id(3)]}, allowed=host.allowed)

    assert isinstance(inside, Scope)
    assert isinstance(outside, Refusal)
    assert outside.problem.rule == "capability"
