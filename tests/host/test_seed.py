"""The block that DeerFlow's plugin prints loads unchanged."""

from pathlib import Path
from typing import Any

import pytest

from counting_provider import RELATING, CountingProvider
from host.conftest import Offer, Write
from knowledge_contract.host import load_host
from seed_block import BLOCK


def test_block_gives_two_tools_of_one_provider(write: Write, offer: Offer) -> None:
    seen: list[Any] = []

    def install(registry: Any, config: Any) -> None:
        seen.append(config)
        registry.register_provider(CountingProvider(name="lightrag-relations", operations=RELATING))

    offer("deerflow_extension_lightrag", install=install)

    host = load_host(write(BLOCK), environment={})

    assert [(each.tool.name, each.group, each.provider) for each in host.statuses] == [
        ("entity_relations_search", "knowledge", "lightrag-relations"),
        ("knowledge_search", "knowledge", "lightrag-relations"),
    ]
    assert [each.state for each in host.plugins] == ["loaded"]
    assert seen == [
        {
            "base_url": "https://lightrag.example.com",
            "api_key_env": "LIGHTRAG_API_KEY",
            "user_ids": ["YOUR_DEERFLOW_USER_ID"],
            "agent_names": ["lead_agent", "researcher"],
            "top_k": 20,
            "timeout": 30,
        }
    ]


@pytest.mark.parametrize("gone", [0, 1], ids=["relations", "documents"])
def test_removing_a_tool_disables_that_tool_alone(write: Write, offer: Offer, gone: int) -> None:
    start = BLOCK.index("  - name: entity_relations_search")
    middle = BLOCK.index("  # Optional document search")
    text = BLOCK[:start] + (BLOCK[middle:] if gone == 0 else BLOCK[start:middle])
    offer(
        "deerflow_extension_lightrag",
        install=lambda registry, _: registry.register_provider(
            CountingProvider(name="lightrag-relations", operations=RELATING)
        ),
    )

    host = load_host(write(text), environment={})

    kept = ["knowledge_search", "entity_relations_search"][gone]
    assert [each.name for each in host.tools] == [kept]


def test_no_deerflow_package_is_needed(write: Write) -> None:
    Path("docs").mkdir()
    text = """\
providers:
  handbook: {kind: local, folder: docs, index: index.sqlite3}
tool_groups: [{name: knowledge}]
tools:
  - {name: a, group: knowledge, use: "deerflow.knowledge.tools:knowledge_search_tool",
     provider: handbook}
  - {name: b, group: knowledge, use: "knowledge_contract.tools:knowledge_search_tool",
     provider: handbook}
"""

    host = load_host(write(text), environment={})

    assert [each.name for each in host.tools] == ["a", "b"]
