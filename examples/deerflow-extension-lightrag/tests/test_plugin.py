"""The plugin's `config`: what it registers, and everything that it refuses. No server is asked."""

from collections.abc import Mapping
from typing import Any

import pytest

from deerflow_extension_lightrag import install
from knowledge_contract.errors import ConfigurationError, KnowledgeContractError
from knowledge_contract.host import API_VERSION, PluginRegistry
from knowledge_contract.providers.binding import Binding

KEY = "lr-secret-0123456789"
CONFIG: Mapping[str, Any] = {
    "base_url": "https://lightrag.example.com",
    "api_key_env": "LIGHTRAG_API_KEY",
    "user_ids": ["ada"],
}


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold a key under one name, and nothing under others."""
    monkeypatch.setenv("LIGHTRAG_API_KEY", f" {KEY}\n")
    monkeypatch.setenv("BLANK_KEY", " \n")
    monkeypatch.delenv("OTHER_KEY", raising=False)


def registered(**changes: Any) -> Any:
    """Return the one provider that the plugin registers."""
    registry = PluginRegistry({}, "here")
    install(registry, {**CONFIG, **changes})
    (found,) = registry.close().values()
    return found.provider


def refusal(config: Mapping[str, Any]) -> str:
    """Return why a config is refused; nothing is registered then."""
    registry = PluginRegistry({}, "here")
    with pytest.raises(KnowledgeContractError) as caught:
        install(registry, config)
    assert registry.close() == {}
    text = "\n".join([str(caught.value), *getattr(caught.value, "problems", ())])
    assert "secret" not in f"{text} {caught.value!r}"
    return text


def test_one_bound_provider_of_documents_and_relations_is_registered() -> None:
    provider = registered()

    assert provider.name == "lightrag-relations"
    assert provider.capabilities == {"operations": ["relations_search", "search", "sources"]}
    assert provider.binding == Binding(user_ids=frozenset({"ada"}))


def test_defaults_are_those_of_relations() -> None:
    settings = registered().provider.settings

    assert (settings.mode, settings.top_k, settings.timeout_s) == ("hybrid", 20, 30.0)
    assert (settings.base_url, settings.api_key) == ("https://lightrag.example.com", KEY)


def test_whole_config_is_used() -> None:
    provider = registered(agent_names=["lead_agent"], top_k=5, timeout=7)

    assert (provider.provider.settings.top_k, provider.provider.settings.timeout_s) == (5, 7)
    assert provider.binding.agent_names == frozenset({"lead_agent"})


def test_key_is_in_no_representation() -> None:
    assert KEY not in f"{registered()!r} {registered()}"


@pytest.mark.parametrize("missing", CONFIG, ids=list(CONFIG))
def test_missing_key_of_the_config_is_refused(missing: str) -> None:
    config = {name: value for name, value in CONFIG.items() if name != missing}

    assert refusal(config) == f"{missing}: is missing\n{missing}: is missing"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"api_key": "secret"}, "api_key: unknown key"),
        ({"mode": "mix"}, "mode: unknown key"),
        ({"base_url": None}, "base_url: "),
        ({"base_url": ""}, "base_url must"),
        ({"base_url": "http://lightrag.example.com"}, "base_url: must begin with https://"),
        ({"base_url": "http://10.0.0.1:9621"}, "base_url: must begin with https://"),
        ({"base_url": "http://localhost.example.com"}, "base_url: must begin with https://"),
        ({"base_url": "https://ada:secret@example.com"}, "base_url must not hold a user name"),
        ({"base_url": "https://ada%3Asecret@example.com"}, "base_url must not hold a user name"),
        ({"base_url": "ftp://secret"}, "base_url must begin with http"),
        ({"api_key_env": "OTHER_KEY"}, "api_key_env: the environment variable that it names"),
        ({"api_key_env": "BLANK_KEY"}, "api_key_env: the environment variable that it names"),
        ({"api_key_env": "secret0123456789"}, "api_key_env: the environment variable"),
        ({"api_key_env": "lr-secret-0123"}, "api_key_env: must be the name of"),
        ({"api_key_env": ""}, "api_key_env: must be the name of"),
        ({"api_key_env": None}, "api_key_env: "),
        ({"user_ids": []}, "user_ids: must have at least 1"),
        ({"user_ids": None}, "user_ids: must be a list"),
        ({"user_ids": "ada"}, "user_ids: must be a list"),
        ({"user_ids": ["ada", " "]}, "user_ids must be a list of names, none of them blank"),
        ({"user_ids": ["ada", ""]}, "user_ids[1]: must not be empty"),
        ({"user_ids": [7]}, "user_ids[0]: must be text"),
        ({"agent_names": []}, "agent_names: must have at least 1"),
        ({"agent_names": None}, "agent_names: must be a list"),
        ({"agent_names": ["\t"]}, "agent_names must be a list of names, none of them blank"),
        ({"top_k": 0}, "top_k: must be at least 1"),
        ({"top_k": 1001}, "top_k: must be at most 1000"),
        ({"top_k": True}, "top_k: must be a whole number"),
        ({"top_k": "20"}, "top_k: must be a whole number"),
        ({"top_k": None}, "top_k: must be a whole number"),
        ({"timeout": 0}, "timeout: must be more than 0"),
        ({"timeout": 600.1}, "timeout: must be at most 600"),
        ({"timeout": float("nan")}, "timeout: must be a finite number"),
        ({"timeout": "30"}, "timeout: must be a number"),
    ],
    ids=[
        *("key in the file", "mode", "null address", "empty address"),
        *("http", "http in a private network", "http to a look-alike"),
        *("credentials", "encoded credentials", "scheme"),
        *("variable not set", "blank variable", "key that looks like a name", "key for a name"),
        *("empty name", "null name"),
        *("no users", "null users", "one text", "blank user", "empty user", "user of numbers"),
        *("no agents", "null agents", "blank agent"),
        *("top_k 0", "top_k 1001", "top_k true", "top_k as text", "top_k null"),
        *("no time", "too much time", "no number", "time as text"),
    ],
)
def test_config_that_cannot_be_used_is_refused(changes: dict[str, Any], says: str) -> None:
    assert says in refusal({**CONFIG, **changes})


@pytest.mark.parametrize(
    "address",
    ["http://localhost:9621", "http://127.0.0.1:9621", "http://[::1]:9621", "HTTPS://example.com/"],
    ids=["name", "IPv4", "IPv6", "capitals"],
)
def test_server_on_this_machine_may_speak_http(address: str) -> None:
    assert registered(base_url=address).name == "lightrag-relations"


def test_key_that_no_header_can_carry_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIGHTRAG_API_KEY", "secret\u00e9")

    assert "the key must be" in refusal(CONFIG)


def test_names_are_compared_as_they_stand() -> None:
    binding = registered(user_ids=[" Ada", "ada"], agent_names=["Lead"]).binding

    assert binding.user_ids == frozenset({" Ada", "ada"})
    assert binding.agent_names == frozenset({"Lead"})


def test_config_stays_the_operator_s_own() -> None:
    users = ["ada"]
    provider = registered(user_ids=users)

    users.append("eve")

    assert provider.binding.user_ids == frozenset({"ada"})


def test_plugin_says_which_host_it_needs() -> None:
    declared = vars(install)

    assert declared["requires_capabilities"] == ("relations_search",)
    assert API_VERSION.startswith(declared["extension_api_version"])


def test_installing_twice_in_one_host_is_refused() -> None:
    registry = PluginRegistry({}, "here")
    install(registry, CONFIG)

    with pytest.raises(Exception, match="registered already"):
        install(registry, CONFIG)


def test_refusal_is_an_error_of_the_configuration() -> None:
    with pytest.raises(ConfigurationError):
        install(PluginRegistry({}, "here"), {})
