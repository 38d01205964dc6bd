"""What a configuration's providers become, and what callers may select from them."""

import asyncio
import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest

from counting_provider import FILTERING, SEARCHING, CountingProvider
from host.conftest import Offer, Write
from host.foreign_modules import SHOP
from knowledge_contract.errors import ConfigurationError, ProviderError
from knowledge_contract.host import KINDS, Kind, load_host
from knowledge_contract.providers.local import LocalProvider
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import RetrievalContext
from knowledge_contract.scope import Allowed
from knowledge_contract.tools import call_search

ADA = RetrievalContext(user_id="ada", agent_name="lead_agent")
KEY = "sk-key-of-the-server"


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class ServerSettings:
    """Settings as a provider of a server has them."""

    base_url: str = "http://localhost:1"
    api_key: str = dataclasses.field(repr=False)
    top_k: int = 8

    def __post_init__(self) -> None:
        if self.top_k < 1:
            raise ProviderError("server: top_k must be at least 1")


def build_server(settings: ServerSettings, _: Any) -> CountingProvider:
    provider = CountingProvider(name="server", operations=FILTERING)
    provider.settings = settings  # type: ignore[attr-defined]  # for the test to look at
    return provider


SERVER = {**KINDS, "server": Kind(ServerSettings, build_server)}


def tools(*providers: str) -> str:
    lines = "".join(
        f"  - {{name: t{index}, group: kb, use: 'knowledge_contract.tools:knowledge_search_tool',"
        f" provider: {name}}}\n"
        for index, name in enumerate(providers)
    )
    return f"tool_groups: [{{name: kb}}]\ntools:\n{lines}"


def shelves(*names: str, operations: tuple[str, ...] = FILTERING) -> Any:
    def install(registry: Any, _: Any) -> None:
        for name in names:
            registry.register_provider(CountingProvider(name=name, operations=operations))

    return install


PLUGIN = "plugins: [{use: 'p:install'}]\n"


def test_folder_beside_the_configuration_is_searched(write: Write) -> None:
    folder = Path("place")
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "tea.md").write_text("# Tea room\n\nGreen tea.\n", encoding="utf-8")
    text = "providers: {handbook: {kind: local, folder: docs, index: index.sqlite3}}\n"
    path = write(text + tools("handbook")).rename(folder / "config.yaml")

    (tool,) = load_host(path).tools

    message = call_search(tool, "green", context=RetrievalContext())
    assert [each.record["title"] for each in read_message(message).evidence] == ["Tea room"]
    assert (folder / "index.sqlite3").is_file()


@pytest.mark.parametrize("use", ["shop:retriever", "shop:make"], ids=["object", "function"])
def test_retriever_is_named_by_its_module(use: str, write: Write, offer: Offer) -> None:
    offer("shop", **SHOP, make=lambda: SHOP["retriever"])
    text = f"providers: {{wiki: {{kind: retriever, use: '{use}', name: wiki, page_key: page}}}}\n"

    provider = load_host(write(text)).registered["wiki"].provider

    assert (provider.name, provider.page_key, provider.title_key) == ("wiki", "page", "title")
    assert provider.retriever is SHOP["retriever"]


def test_kind_may_be_added_and_its_key_comes_from_the_environment(write: Write) -> None:
    text = "providers: {s: {kind: server, api_key_env: SERVER_KEY, top_k: 3}}\n"

    host = load_host(write(text), kinds=SERVER, environment={"SERVER_KEY": f" {KEY} "})

    settings = host.registered["s"].provider.settings
    assert settings == ServerSettings(api_key=KEY, top_k=3)
    assert KEY not in repr(host)


def test_settings_of_a_kind_may_be_named_by_their_module(write: Write, offer: Offer) -> None:
    offer("server_module", ServerSettings=ServerSettings)
    kinds = {"server": Kind("server_module:ServerSettings", build_server)}
    text = "providers: {s: {kind: server, api_key_env: SERVER_KEY}}\n"

    host = load_host(write(text), kinds=kinds, environment={"SERVER_KEY": KEY})

    assert host.registered["s"].provider.settings.top_k == 8


@pytest.mark.parametrize(
    ("rest", "what"),
    [
        ("", "s.api_key_env: is missing"),
        (", api_key_env: NOT_SET", "s.api_key_env: the environment variable NOT_SET is not set"),
        (", api_key_env: BLANK", "s.api_key_env: the environment variable BLANK is not set"),
        (f", api_key: {KEY}", "s.api_key: keys stand in the environment: name the variable"),
        (", api_key_env: KEY, top_k: 0", "s: server: top_k must be at least 1"),
        (", api_key_env: KEY, topk: 1", "s.topk: unknown key; did you mean `top_k`?"),
        (", api_key_env: KEY, top_k: 1.5", "s.top_k: must be a whole number"),
    ],
    ids=["missing", "not set", "blank", "in the file", "range", "misspelt", "fraction"],
)
def test_settings_that_cannot_be_used_are_named(rest: str, what: str, write: Write) -> None:
    text = f"providers: {{s: {{kind: server{rest}}}}}\n"

    with pytest.raises(ConfigurationError) as caught:
        load_host(write(text), kinds=SERVER, environment={"BLANK": " ", "KEY": KEY})

    assert str(caught.value).startswith(f"config.yaml:1: providers.{what}")
    assert KEY not in str(caught.value)


def test_any_provider_may_be_bound_to_users_and_agents(write: Write, offer: Offer) -> None:
    offer("shop", **SHOP)
    text = "providers: {wiki: {kind: retriever, use: 'shop:retriever', user_ids: [ada], "
    text += "agent_names: [lead_agent]}}\n"

    provider = load_host(write(text)).registered["wiki"].provider

    with pytest.raises(ProviderError, match="this user may not search here"):
        asyncio.run(provider.search("tea", context=RetrievalContext("eve", "lead_agent")))
    with pytest.raises(ProviderError, match="failed with NotImplementedError"):
        asyncio.run(provider.search("tea", context=ADA))


def test_same_provider_for_two_tools_leaves_the_selector_on(write: Write, offer: Offer) -> None:
    offer("p", install=shelves("a", "unused"))

    host = load_host(write(PLUGIN + tools("a", "a")))

    assert (host.selector_reason, host.allowed) == ("", Allowed())


def test_two_providers_in_use_switch_the_selector_off(write: Write, offer: Offer) -> None:
    offer("p", install=shelves("a", "b"))

    host = load_host(write(PLUGIN + tools("a", "b")))

    assert host.selector_reason == (
        "2 providers are in use (a, b), and their ids have no common space"
    )
    assert host.allowed == Allowed(has_selector=False)


def test_nothing_can_be_selected_where_a_provider_cannot_narrow(write: Write, offer: Offer) -> None:
    offer("p", install=shelves("a", operations=SEARCHING))

    host = load_host(write(PLUGIN + tools("a")))

    assert host.allowed.modes == {"all", "disabled"}
    assert host.selector_reason == "no tool of a can search only selected datasets"


def test_modes_of_the_operator_are_a_reason_against_a_selector(write: Write, offer: Offer) -> None:
    offer("p", install=shelves("a"))

    host = load_host(write("knowledge_base: {modes: [all]}\n" + PLUGIN + tools("a")))

    assert host.selector_reason == "knowledge_base.modes leaves `selected` out"


def test_operator_narrows_what_may_be_selected(write: Write, offer: Offer) -> None:
    class Narrow(CountingProvider):
        allowed_datasets = frozenset({"d1"})

    offer("p", install=lambda registry, _: registry.register_provider(Narrow(operations=FILTERING)))
    text = "knowledge_base: {modes: [selected, disabled]}\n"

    host = load_host(write(text + PLUGIN + tools("shelf")))

    assert host.allowed == Allowed(frozenset({"d1"}), frozenset({"selected", "disabled"}))


def test_switched_off_knowledge_gives_no_tools_and_one_scope(write: Write, offer: Offer) -> None:
    offer("p", install=shelves("a"))

    host = load_host(write("knowledge_base: {enabled: false}\n" + PLUGIN + tools("a")))

    assert host.tools == ()
    assert host.allowed.modes == {"disabled"}
    assert host.selector_reason == "knowledge_base.enabled is false"


def test_tools_of_switched_off_knowledge_are_checked_all_the_same(
    write: Write, offer: Offer
) -> None:
    offer("p", install=shelves("a"))
    text = "knowledge_base: {enabled: false}\n" + PLUGIN + tools("a").replace("search_tool", "x")

    with pytest.raises(ConfigurationError, match=r"has no knowledge_x$"):
        load_host(write(text))


def test_a_tool_is_described_and_limited_as_the_operator_says(write: Write, offer: Offer) -> None:
    offer("p", install=shelves("a"))
    text = tools("a").replace("provider: a", "provider: a, description: Tea., limit_chars: 20")

    (tool,) = load_host(write(PLUGIN + text)).tools

    assert tool.description.startswith("Tea. To cite ")
    assert len(str(call_search(tool, "tea", context=ADA).content)) <= 20


def test_local_kind_gives_the_local_provider(write: Write) -> None:
    host = load_host(write("providers: {docs: {kind: local, folder: ., hit_limit: 3, index: i}}\n"))

    assert isinstance(host.registered["docs"].provider, LocalProvider)


def test_configuration_in_the_readme_loads(write: Write) -> None:
    readme = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"(?ms)^```yaml\n(.*?)^```$", readme)
    Path("docs").mkdir()

    host = load_host(write(block.replace("folder: docs", "folder: docs\n    index: index.sqlite3")))

    assert [each.name for each in host.tools] == ["knowledge_search"]
