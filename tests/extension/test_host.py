"""The plugin and the built-in kind in a host: what loads, what is refused, what is left."""

import re
from pathlib import Path

import pytest

from extension.block import BLOCK, DOCUMENTS, KEY, RELATIONS, Configure
from knowledge_contract.errors import ConfigurationError
from knowledge_contract.host import inspect_host, load_host
from knowledge_contract.retrieval import RetrievalContext
from knowledge_contract.tools import call_search
from knowledge_contract.tools.capabilities import read_operations
from providers.lightrag.synthetic import chunk, finding, sent
from providers.raw_server import RawServer
from seed_block import BLOCK as SEED

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "examples" / "deerflow-extension-lightrag" / "README.md"
PLUGIN = "deerflow_extension_lightrag:install"
KIND = """\
providers:
  lightrag: {kind: lightrag, base_url: "BASE_URL"}
tool_groups: [{name: knowledge}]
tools:
  - {name: knowledge_search, group: knowledge, provider: lightrag,
     use: "knowledge_contract.tools:knowledge_search_tool"}
"""
BESIDE = (
    BLOCK.removesuffix("    provider: lightrag-relations\n")
    + "    provider: lightrag\n"
    + 'providers:\n  lightrag: {kind: lightrag, base_url: "BASE_URL"}\n'
)


def test_block_of_the_plugin_s_page_loads_unchanged(configure: Configure) -> None:
    host = load_host(configure("", SEED))

    assert [(each.name, each.state, each.providers) for each in host.plugins] == [
        (PLUGIN, "loaded", ("lightrag-relations",))
    ]
    assert [(each.tool.name, read_operations(each.tool)) for each in host.statuses] == [
        (RELATIONS, frozenset({"relations_search", "sources"})),
        (DOCUMENTS, frozenset({"search", "sources"})),
    ]


def test_block_of_the_readme_gives_the_same_tools(configure: Configure) -> None:
    (block,) = re.findall(r"(?ms)^```yaml\n(.*?)^```$", README.read_text(encoding="utf-8"))

    host = load_host(configure("", block))

    assert [(each.tool.name, each.provider) for each in host.statuses] == [
        (RELATIONS, "lightrag-relations"),
        (DOCUMENTS, "lightrag-relations"),
    ]


def test_required_plugin_without_its_key_ends_the_start(
    configure: Configure, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = configure("https://lightrag.example.com")
    monkeypatch.delenv("LIGHTRAG_API_KEY")

    with pytest.raises(ConfigurationError) as caught:
        load_host(path)

    (line,) = caught.value.problems
    assert line.endswith(
        f"config.yaml:5: plugins[0].config: plugin {PLUGIN}: api_key_env: the environment variable"
        " that it names is not set"
    )


def test_optional_plugin_without_its_key_is_skipped_with_its_tools(
    configure: Configure, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = configure("https://x.example", BLOCK.replace("required: true", "required: false"))
    monkeypatch.delenv("LIGHTRAG_API_KEY")

    host = load_host(path)

    assert [each.state for each in host.plugins] == ["skipped"]
    assert "api_key_env" in host.plugins[0].reason
    assert (host.tools, list(host.registered), len(host.left_out)) == ((), [], 2)


def test_plugin_that_is_not_enabled_registers_nothing(configure: Configure) -> None:
    host = load_host(
        configure("https://x.example", BLOCK.replace("enabled: true", "enabled: false", 1))
    )

    assert [each.state for each in host.plugins] == ["disabled"]
    assert host.tools == ()


def test_host_without_relations_refuses_the_plugin(configure: Configure) -> None:
    host = inspect_host(configure("https://x.example"), capabilities=("search", "sources"))

    assert host.tools == ()
    assert "this host lacks what it needs: relations_search" in host.problems[0]


def test_unknown_key_is_named_with_what_was_meant(configure: Configure) -> None:
    text = BLOCK.replace("agent_names", "agent_name").replace("top_k: 20", f"api_key: {KEY}")

    host = inspect_host(configure("https://x.example", text))

    assert "agent_name: unknown key; did you mean `agent_names`?" in host.problems[0]
    assert KEY not in repr(host.problems)


def test_documents_need_no_plugin(configure: Configure) -> None:
    with finding(chunk(1)) as server:
        (tool,) = load_host(configure(server.base_url, KIND)).tools
        message = call_search(tool, "bridge", context=RetrievalContext())

    assert message.artifact["knowledge_sources"][0]["title"] == "book-1.pdf"
    assert message.artifact["knowledge_sources"][0]["provider"] == "lightrag"
    ((fields, body),) = sent(server)
    assert body == {"query": "bridge", "mode": "mix", "top_k": 60}
    assert "x-api-key" not in fields


def test_kind_takes_every_setting_and_its_key_from_the_environment(configure: Configure) -> None:
    rest = ", api_key_env: LIGHTRAG_API_KEY, mode: local, top_k: 3, chunk_top_k: 2, timeout_s: 5}"

    host = load_host(configure("https://x.example", KIND.replace('URL"}', f'URL"{rest}')))

    settings = host.registered["lightrag"].provider.settings
    assert (settings.api_key, settings.mode, settings.top_k) == (KEY, "local", 3)
    assert (settings.chunk_top_k, settings.timeout_s) == (2, 5)
    assert KEY not in repr(host)


@pytest.mark.parametrize(
    ("rest", "what"),
    [
        ("mode: bypass", "mode: must be"),
        ("top_k: 0", "lightrag: top_k must be a whole number from 1 to 1000"),
        ("limit_chars: 9", "limit_chars: unknown key"),
        (f"api_key: {KEY}", "api_key: keys stand in the environment"),
        ("base_ulr: x", "base_ulr: unknown key; did you mean `base_url`?"),
    ],
    ids=["mode", "range", "a tool's own", "key", "misspelt"],
)
def test_kind_refuses_what_cannot_be_used(rest: str, what: str, configure: Configure) -> None:
    text = KIND.replace('URL"}', f'URL", {rest}}}')

    with pytest.raises(ConfigurationError) as caught:
        load_host(configure("https://x.example", text))

    assert what in caught.value.problems[0]
    assert KEY not in repr(caught.value.problems)


def test_provider_that_cannot_narrow_leaves_all_and_disabled(
    configure: Configure,
) -> None:
    host = load_host(configure("https://x.example"))

    assert host.selector_reason == "no tool of lightrag-relations can search only selected datasets"
    assert host.allowed.modes == {"all", "disabled"}


def test_two_providers_switch_the_selector_off(configure: Configure, server: RawServer) -> None:
    host = load_host(configure(server.base_url, BESIDE))

    assert [each.provider for each in host.statuses] == ["lightrag-relations", "lightrag"]
    assert "lightrag, lightrag-relations" in host.selector_reason
    assert not host.allowed.has_selector
    _, tool = host.tools
    assert call_search(tool, "bridge", context=RetrievalContext()).status == "success"
