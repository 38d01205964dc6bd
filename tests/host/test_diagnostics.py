"""No message quotes what a variable holds, what a config says, or the words of foreign errors."""

import logging
from pathlib import Path

import pytest

from host.conftest import Offer, Write
from host.test_plugins import TOOL, VALUE, plugins, raising, registering
from knowledge_contract.errors import ProviderError
from knowledge_contract.host import inspect_host, load_host

MARKER = "[redacted]"
WHAT_TO_DO = "install it, or correct the name"


def test_value_of_a_variable_that_a_plugin_quotes_is_taken_out(
    write: Write, offer: Offer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    offer("p", install=raising(ProviderError(f"shelf: the key {VALUE} is bad")))
    text = "plugins:\n  - {use: 'p:install', config: {deep: [{api_key_env: KEY}]}}\n"

    host = load_host(write(text), environment={"KEY": VALUE})

    assert host.plugins[0].reason.endswith("shelf: the key [redacted] is bad")
    assert VALUE not in f"{host!r}{caplog.text}"


@pytest.mark.parametrize("environment", [{}, None], ids=["none", "of the process"])
def test_value_in_the_environment_of_the_process_is_taken_out_too(
    environment: dict[str, str] | None, write: Write, offer: Offer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY", VALUE)
    offer("p", install=raising(ProviderError(f"shelf: {VALUE}")))
    text = "plugins:\n  - {use: 'p:install', config: {api_key_env: KEY}}\n"

    host = load_host(write(text), environment=environment)

    assert host.plugins[0].reason.endswith("shelf: [redacted]")


def test_value_of_a_variable_is_taken_out_wherever_it_is_quoted(write: Write) -> None:
    text = "providers:\n  s: {kind: ragflow, api_key_env: KEY, base_url: 'http://x.example'}\n"
    text += f"tool_groups: []\ntools: [{{name: a, group: g, use: 'no_{VALUE.replace('-', '_')}:x', "
    text += "provider: s}]\n"
    text = text.replace("group: g", "group: kb").replace("[]", "[{name: kb}]", 1)

    host = inspect_host(write(text), environment={"KEY": VALUE.replace("-", "_")})

    assert host.problems == (
        f"config.yaml:4: tools[0].use: the module no_{MARKER} cannot be found: {WHAT_TO_DO}",
    )


def test_what_stands_in_a_plugin_s_config_is_not_quoted(write: Write, offer: Offer) -> None:
    words = f"shelf: ada may not use {VALUE} of adam, nor KEY_NAME"
    offer("p", install=raising(ProviderError(words)))
    config = f"{{user_ids: [ada], deep: {{token: {VALUE}}}, api_key_env: KEY_NAME}}"

    host = load_host(write(f"plugins: [{{use: 'p:install', config: {config}}}]\n"))

    assert host.plugins[0].reason.endswith(
        "shelf: [redacted] may not use [redacted] of adam, nor KEY_NAME"
    )


def test_words_of_a_module_that_is_imported_are_not_quoted(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = f"from knowledge_contract.errors import ProviderError\nraise ProviderError({VALUE!r})"
    (tmp_path / "telling_plugin.py").write_text(program, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)

    host = load_host(write(plugins("telling_plugin:install")))

    assert host.plugins[0].reason.endswith(
        "importing the module telling_plugin failed with ProviderError"
    )


def test_misspelt_provider_is_a_problem_although_a_plugin_is_missing(
    write: Write, offer: Offer
) -> None:
    offer("p", install=registering("handbook"))
    text = plugins("p:install", "nowhere:install", tail=TOOL.replace("shelf", "handbok"))

    host = inspect_host(write(text))

    assert host.left_out == ()
    assert host.problems == (
        "config.yaml:6: tools[0].provider: no provider has this name; did you mean `handbook`?",
    )
