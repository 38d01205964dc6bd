"""Plugins load in order, alone or not at all; a broken one takes the host down only if it must."""

import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from counting_provider import CountingProvider
from host.conftest import Offer, Write
from knowledge_contract.errors import ConfigurationError, ProviderError
from knowledge_contract.host import Host, inspect_host, load_host
from knowledge_contract.host.configuration import PluginEntry
from knowledge_contract.host.places import Places, Unusable
from knowledge_contract.host.plugins import load_plugins

VALUE = "sk-value-of-the-variable"

TOOL = """\
tool_groups: [{name: kb}]
tools:
  - {name: ks, group: kb, use: "knowledge_contract.tools:knowledge_search_tool", provider: shelf}
"""


def plugins(*uses: str, tail: str = "") -> str:
    return "plugins:\n" + "".join(f"  - {{use: '{use}'}}\n" for use in uses) + tail


def registering(*names: str) -> Callable[[Any, Any], None]:
    def install(registry: Any, _: Any) -> None:
        for name in names:
            registry.register_provider(CountingProvider(name=name))

    return install


def raising(error: BaseException) -> Callable[[Any, Any], None]:
    def install(registry: Any, _: Any) -> None:
        registry.register_provider(CountingProvider(name="half"))
        raise error

    return install


class Evasive:
    """A provider that answers every look with an error."""

    def __getattribute__(self, name: str) -> object:
        raise GeneratorExit(f"{VALUE} {name}")


def overwriting(registry: Any, _: Any) -> None:
    vars(registry)["_known"]["planted"] = CountingProvider()


async def install_later(registry: Any, config: Any) -> None:
    """Never awaited."""


def states(host: Host) -> list[str]:
    return [each.state for each in host.plugins]


def test_plugins_load_in_the_order_of_the_list(write: Write, offer: Offer) -> None:
    order: list[str] = []
    offer("p", a=lambda *_: order.append("a"), b=lambda *_: order.append("b"))

    host = load_host(write(plugins("p:b", "p:a")))

    assert order == ["b", "a"]
    assert states(host) == ["loaded", "loaded"]


def test_disabled_plugin_is_never_imported(write: Write, tmp_path: Path) -> None:
    (tmp_path / "never_imported.py").write_text("raise SystemExit", encoding="utf-8")
    text = "plugins:\n  - {use: 'never_imported:install', enabled: false, required: true}\n"

    host = load_host(write(text))

    assert states(host) == ["disabled"]
    assert "never_imported" not in sys.modules


def test_optional_plugin_that_fails_leaves_nothing_and_the_rest_loads(
    write: Write, offer: Offer
) -> None:
    offer("p", broken=raising(LookupError(VALUE)), good=registering("half", "shelf"))

    host = load_host(write(plugins("p:broken", "p:good", tail=TOOL)))

    assert states(host) == ["skipped", "loaded"]
    assert host.plugins[0].reason == (
        "config.yaml:2: plugins[0]: plugin p:broken: `install` failed with LookupError"
    )
    assert sorted(host.registered) == ["half", "shelf"]
    assert [each.name for each in host.tools] == ["ks"]


def test_what_loaded_and_what_was_skipped_is_logged(
    write: Write, offer: Offer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="knowledge_contract")
    offer("p", broken=raising(LookupError(VALUE)), good=registering("shelf"))

    host = load_host(write(plugins("p:broken", "p:good")))

    assert [each.getMessage() for each in caplog.records] == [
        f"skipped: {host.plugins[0].reason}",
        "loaded 1 of 2 plugins",
    ]


def test_required_plugin_that_fails_ends_the_start_before_later_ones(
    write: Write, offer: Offer
) -> None:
    later: list[int] = []
    offer("p", broken=raising(LookupError(VALUE)), good=lambda *_: later.append(1))
    text = plugins("p:broken", "p:good").replace("broken'}", "broken', required: true}")

    with pytest.raises(ConfigurationError) as caught:
        load_host(write(text + TOOL))

    assert later == []
    assert len(caught.value.problems) == 1
    assert VALUE not in str(caught.value)


@pytest.mark.parametrize(
    "install",
    [
        pytest.param(raising(SystemExit(VALUE)), id="exit"),
        pytest.param(raising(RecursionError(VALUE)), id="recursion"),
        pytest.param(raising(GeneratorExit(VALUE)), id="no exception"),
        pytest.param(raising(type(f"Odd\n{VALUE}", (Exception,), {})()), id="name of a type"),
        pytest.param(lambda *_: (each for each in "ab"), id="generator"),
        pytest.param(
            type("I", (), {"__call__": lambda _, *given: install_later(*given)})(), id="coroutine"
        ),
        pytest.param(lambda registry, _: registry.register_provider(Evasive()), id="evasive"),
        pytest.param(overwriting, id="overwriting"),
        pytest.param(raising(Unusable("odd")), id="ours"),
        pytest.param(raising(ProviderError("two\nlines")), id="lines"),
        pytest.param(lambda: None, id="no parameters"),
        pytest.param(7, id="number"),
        pytest.param(lambda registry, _: registry.register_provider(None), id="no provider"),
        pytest.param(
            lambda registry, _: registry.register_provider(CountingProvider(operations=("fly",))),
            id="unknown operation",
        ),
        pytest.param(
            lambda registry, _: registry.register_provider(
                type("P", (), {"name": "p", "capabilities": {"operations": ["search"]}})()
            ),
            id="no method",
        ),
        pytest.param(
            type("I", (), {"__call__": lambda *_: None, "extension_api_version": 1})(),
            id="version",
        ),
        pytest.param(
            type("I", (), {"__call__": lambda *_: None, "requires_capabilities": "search"})(),
            id="capabilities",
        ),
        pytest.param(
            type("I", (), {"__call__": lambda *_: None, "__getattr__": lambda *_: 1 / 0})(),
            id="failing attribute",
        ),
    ],
)
def test_malformed_optional_plugin_is_skipped_with_one_line(
    install: object, write: Write, offer: Offer
) -> None:
    offer("p", install=install)

    host = load_host(write(plugins("p:install")))

    (status,) = host.plugins
    assert status.state == "skipped"
    assert status.reason.startswith("config.yaml:2: plugins[0]: plugin p:install: ")
    assert "\n" not in status.reason
    assert VALUE not in status.reason
    assert host.registered == {}


def test_keys_with_controls_stay_on_one_line(write: Write) -> None:
    text = '"tools\\n\\e[2J\\u2028": []\n'

    with pytest.raises(ConfigurationError) as caught:
        load_host(write(text))

    assert str(caught.value).startswith(r"config.yaml:1: tools\n\x1b[2J\u2028: unknown key")


def test_provider_that_changes_its_mind_takes_nothing_down(write: Write, offer: Offer) -> None:
    class Moody(CountingProvider):
        asked = 0

        @property
        def capabilities(self) -> Any:
            type(self).asked += 1
            if self.asked > 1:
                raise LookupError(VALUE)
            return {"operations": ["search", "sources"]}

    offer("p", install=lambda registry, _: registry.register_provider(Moody()))

    host = inspect_host(write(plugins("p:install", tail=TOOL)))

    assert [each.split(": ", 1)[1] for each in host.problems] == [
        "tools[0].use: building it failed with LookupError"
    ]


def test_asynchronous_install_is_refused(write: Write, offer: Offer) -> None:
    offer("p", install=install_later)

    host = load_host(write(plugins("p:install")))

    assert "has to name a function" in host.plugins[0].reason


def test_keyboard_interrupt_is_nobodys_to_keep(write: Write, offer: Offer) -> None:
    offer("p", install=raising(KeyboardInterrupt()))

    with pytest.raises(KeyboardInterrupt):
        load_host(write(plugins("p:install")))


@pytest.mark.parametrize(
    ("program", "what"),
    [
        ("raise SystemExit", "importing the module own_plugin failed with SystemExit"),
        ("1 / 0", "importing the module own_plugin failed with ZeroDivisionError"),
        ("import nowhere_at_all", "the module own_plugin needs another that is not installed: "),
        ("install = None", "the module own_plugin has no install"),
        ("def install(", "importing the module own_plugin failed with SyntaxError"),
    ],
    ids=["exit", "error", "missing module", "none", "syntax"],
)
def test_module_that_cannot_be_used_is_skipped(
    program: str, what: str, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_plugin.py").write_text(program, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "own_plugin", raising=False)

    host = load_host(write(plugins("own_plugin:install")))

    assert what in host.plugins[0].reason


def test_tools_of_an_optional_plugin_that_is_missing_are_left_out(
    write: Write, offer: Offer
) -> None:
    offer("p", broken=raising(LookupError()))

    host = load_host(write(plugins("p:broken", tail=TOOL)))

    assert host.tools == ()
    assert host.left_out == (
        "config.yaml:5: tools[0].provider: no provider has this name; not loaded: p:broken",
    )


def test_config_is_copied_deeply(offer: Offer) -> None:
    seen: list[Any] = []

    def install(_: Any, config: Any) -> None:
        seen.append(list(config["list"]))
        config["list"].append("changed")

    offer("p", install=install)
    entry = PluginEntry(use="p:install", config={"list": [1]})

    load_plugins([entry, entry], {}, places=Places("f.yaml", {}), capabilities=())

    assert seen == [[1], [1]]


def test_name_that_another_plugin_registered_is_refused_with_its_place(
    write: Write, offer: Offer
) -> None:
    offer("p", first=registering("shelf"), second=registering("other", "shelf"))

    host = load_host(write(plugins("p:first", "p:second")))

    assert host.plugins[1].reason == (
        "config.yaml:3: plugins[1]: plugin p:second: "
        "a provider `shelf` is registered already, at config.yaml:2"
    )
    assert list(host.registered) == ["shelf"]


def test_name_that_a_plugin_registered_is_taken_for_the_file_too(
    write: Write, offer: Offer
) -> None:
    offer("p", install=registering("shelf"))
    text = plugins("p:install", tail="providers: {shelf: {kind: local, folder: ., index: i}}\n")

    host = inspect_host(write(text))

    (line,) = host.problems
    assert line.startswith("config.yaml:3: providers.shelf: ")
    assert line.endswith("a provider `shelf` is registered already, at config.yaml:2")


def test_nothing_can_be_registered_later(write: Write, offer: Offer) -> None:
    kept: list[Any] = []
    offer("p", install=lambda registry, _: kept.append(registry))
    host = load_host(write(plugins("p:install")))

    with pytest.raises(Unusable, match="only while `install` runs"):
        kept[0].register_provider(CountingProvider())

    assert host.registered == {}


@pytest.mark.parametrize(
    ("declared", "state"),
    [
        ("0.1", "loaded"),
        ("0.1.0", "loaded"),
        ("0.1.1", "skipped"),
        ("0.2", "skipped"),
        ("0.0.9", "skipped"),
        ("1.0", "skipped"),
        ("v0.1", "skipped"),
        ("", "skipped"),
        ("0.1.0.0.0", "skipped"),
        ("٠.١", "skipped"),
        (None, "loaded"),
    ],
)
def test_declared_version_has_to_fit(
    declared: str | None, state: str, write: Write, offer: Offer
) -> None:
    install = registering("shelf")
    install.extension_api_version = declared  # type: ignore[attr-defined]  # read by hosts
    offer("p", install=install)

    assert states(load_host(write(plugins("p:install")))) == [state]


def test_host_without_a_capability_is_named(write: Write, offer: Offer) -> None:
    install = registering("shelf")
    install.requires_capabilities = ("search", "relations_search")  # type: ignore[attr-defined]  # read by hosts
    offer("p", install=install)
    path = write(plugins("p:install"))

    old = load_host(path, capabilities=("search", "sources"))
    new = load_host(path)

    assert old.plugins[0].reason.endswith("this host lacks what it needs: relations_search")
    assert states(new) == ["loaded"]


def test_name_of_a_plugin_is_what_the_operator_calls_it(write: Write, offer: Offer) -> None:
    offer("p", install=registering("shelf"))

    host = load_host(write("plugins: [{use: 'p:install', name: Our shelf}]\n"))

    assert [each.name for each in host.plugins] == ["Our shelf"]
