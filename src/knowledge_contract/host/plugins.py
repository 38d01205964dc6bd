"""Load the operator's plugins, in the order of the list.

A plugin that fails is skipped with its name and the reason, and what it had registered is gone;
one that is `required` ends the start instead. One that is not enabled is not even imported.
One that never comes back hangs the start: no time is measured, because nothing could end it.

A plugin is a function `install(registry, config)`: it gets a `PluginRegistry` and a deep copy of
the operator's `config` (see `read_settings`), and is called once. It may have two attributes:
`requires_capabilities`, the operations that a host has to know, and `extension_api_version`, the
dotted number of the host's interface that it was written for. It returns nothing. An error of
this package's that it raises is told to the operator; of any other, only the type is.
"""

import copy
import inspect
import logging
import re
from collections.abc import Collection, Mapping
from typing import Any, Literal, NamedTuple

from knowledge_contract.errors import ConfigurationError, KnowledgeContractError
from knowledge_contract.host.configuration import PluginEntry
from knowledge_contract.host.foreign import run_foreign
from knowledge_contract.host.names import ENTRY_POINTS, find_entry_point, resolve_use
from knowledge_contract.host.places import Path, Places, Unusable, find_near, suggest
from knowledge_contract.host.registry import PluginRegistry, Registered
from knowledge_contract.host.secrecy import hide_literals

__all__ = ["API_VERSION", "ENTRY_POINTS", "PluginStatus", "load_plugins"]

_logger = logging.getLogger(__name__)

API_VERSION = "0.1.0"
"""What an `install` may name as its `extension_api_version`."""

_VERSION = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6}){0,3}", re.ASCII)
_VERSION_PARTS = 4


class PluginStatus(NamedTuple):
    """How loading one plugin ended.

    Attributes:
        name: What the operator calls it.
        state: `disabled` by the operator; `skipped` and `failed` (a required one) say why.
        providers: The names that it registered.
        reason: One line; empty unless it was not loaded for a reason.
    """

    name: str
    state: Literal["loaded", "skipped", "failed", "disabled"]
    providers: tuple[str, ...] = ()
    reason: str = ""


class _Host(NamedTuple):
    """What is the same for every plugin."""

    places: Places
    capabilities: Collection[str]


def load_plugins(
    entries: list[PluginEntry],
    registered: dict[str, Registered],
    *,
    places: Places,
    capabilities: Collection[str],
) -> list[PluginStatus]:
    """Load plugins one after the other, and add what they register.

    Loading stops at a required plugin that fails.

    Args:
        entries: In the operator's order.
        registered: The host's providers; those of plugins that load are added.
        places: For diagnostics.
        capabilities: The operations that this host knows.
    """
    host = _Host(places, capabilities)
    statuses: list[PluginStatus] = []
    for index, entry in enumerate(entries):
        status = _load(entry, ("plugins", index), registered, host)
        statuses.append(status)
        if status.state == "skipped":
            _logger.warning("skipped: %s", status.reason)
        if status.state == "failed":
            break
    if statuses:
        loaded = sum(each.state == "loaded" for each in statuses)
        _logger.info("loaded %d of %d plugins", loaded, len(entries))
    return statuses


def _load(
    entry: PluginEntry, path: Path, registered: dict[str, Registered], host: _Host
) -> PluginStatus:
    name = host.places.redact(entry.name or entry.use)
    if not entry.enabled:
        return PluginStatus(name, "disabled")
    registry = PluginRegistry(registered, host.places.at(path))
    try:
        _install(entry, registry, host.capabilities)
    except Unusable as error:
        staged: Mapping[str, Registered] = {}
        reason = host.places.problem((*path, *error.path), f"plugin {name}: {error.sentence}")
    else:
        staged, reason = registry.close(), ""
    registry.close()
    registered.update(staged)
    if not reason:
        return PluginStatus(name, "loaded", tuple(staged))
    return PluginStatus(name, "failed" if entry.required else "skipped", reason=reason)


def _install(entry: PluginEntry, registry: PluginRegistry, capabilities: Collection[str]) -> None:
    use = entry.use if ":" in entry.use else find_entry_point(entry.use, entry.package)
    install = resolve_use(use)
    run_foreign(lambda: _check(install, capabilities), "looking at it failed")
    returned = run_foreign(lambda: _call(install, registry, entry.config), "`install` failed")
    if returned is None:
        return
    if inspect.iscoroutine(returned):
        # Nobody waits for it, and Python would warn of that.
        returned.close()
    raise Unusable("`install` has to do its work at once, and to return nothing")


def _call(install: Any, registry: PluginRegistry, config: Mapping[str, Any]) -> Any:
    path: Path = ()
    try:
        return install(registry, copy.deepcopy(config))
    except ConfigurationError as error:
        sentence, path = hide_literals(str(error), config), ("config",)
    # What a plugin says on purpose is for the operator.
    except KnowledgeContractError as error:
        sentence = hide_literals(" ".join(str(error).split()), config)
    raise Unusable(sentence, path=path)


def _check(install: Any, capabilities: Collection[str]) -> None:
    if not callable(install) or inspect.iscoroutinefunction(install):
        raise Unusable("it has to name a function `install(registry, config)`")
    _check_version(getattr(install, "extension_api_version", None))
    _check_capabilities(getattr(install, "requires_capabilities", ()), capabilities)


def _check_version(declared: object) -> None:
    if declared is None:
        return
    if not isinstance(declared, str) or not _VERSION.fullmatch(declared):
        raise Unusable("its extension_api_version is no dotted number")
    wanted, own = _version(declared), _version(API_VERSION)
    # Before 1.0 a minor version may change anything.
    fixed = 1 if wanted[0] and own[0] else 2
    if wanted[:fixed] != own[:fixed] or own < wanted:
        raise Unusable(f"it is made for another version of this host, which has {API_VERSION}")


def _version(text: str) -> tuple[int, ...]:
    parts = [int(part) for part in text.split(".")]
    return tuple(parts + [0] * (_VERSION_PARTS - len(parts)))


def _check_capabilities(required: Any, capabilities: Collection[str]) -> None:
    if not isinstance(required, list | tuple | set | frozenset):
        raise Unusable("its requires_capabilities is no list of names")
    missing = sorted(str(each) for each in required if each not in capabilities)
    if missing:
        near = suggest(find_near(missing[0], capabilities))
        raise Unusable(f"this host lacks what it needs: {', '.join(missing)}{near}")
