"""A configuration to a host: plugins first, then providers, then tools."""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from stat import S_ISREG
from typing import Any, NamedTuple

from langchain_core.tools import BaseTool

from knowledge_contract.errors import ConfigurationError, InputError
from knowledge_contract.host.configuration import HostConfiguration, ToolEntry
from knowledge_contract.host.foreign import run_foreign
from knowledge_contract.host.kinds import KINDS, Kind, Surroundings, build_provider
from knowledge_contract.host.names import resolve_use
from knowledge_contract.host.places import Path, Places, Unusable, find_near, suggest
from knowledge_contract.host.plugins import PluginStatus, load_plugins
from knowledge_contract.host.registry import Registered, build_registered
from knowledge_contract.host.secrecy import collect_secrets
from knowledge_contract.host.settings import find_problems
from knowledge_contract.host.yaml_file import SIZE_LIMIT_BYTES, parse_yaml
from knowledge_contract.redaction import redactor
from knowledge_contract.scope import MODES, Allowed
from knowledge_contract.tools.capabilities import is_retrieval_tool, read_operations
from knowledge_wire.constants import (
    KNOWLEDGE_CAPABILITIES_OPERATIONS_VALUES,
    SCOPE_DISABLED_MODE,
    SCOPE_SELECTED_MODE,
)

__all__ = ["Host", "ToolStatus", "inspect_host", "load_host"]

_FILTER = "dataset_filter"
_MISSPELT = 0.8
"""From here on a name is taken for another that exists, and not for one of a missing plugin."""


class ToolStatus(NamedTuple):
    """A configured tool.

    Attributes:
        tool: What agents get.
        group: The group it was put in.
        provider: The registered name of its provider.
        operations: What it advertises.
    """

    tool: BaseTool
    group: str
    provider: str
    operations: frozenset[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Host:
    """What a configuration gives.

    Attributes:
        statuses: The tools, in the operator's order, with what they belong to.
        registered: The providers by name.
        plugins: How loading each plugin ended.
        allowed: What callers may select; for `admit_scope`.
        selector_reason: Why nothing can be selected; empty where it can.
        left_out: Tools that are missing because an optional plugin is; one line each.
        problems: Why the host cannot start; one line each.
    """

    statuses: tuple[ToolStatus, ...] = ()
    registered: Mapping[str, Registered] = field(default_factory=dict, repr=False)
    plugins: tuple[PluginStatus, ...] = ()
    allowed: Allowed
    selector_reason: str = ""
    left_out: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def tools(self) -> tuple[BaseTool, ...]:
        """The tools for agents; also the authorities among them for the boundary's gate."""
        return tuple(status.tool for status in self.statuses)


def load_host(
    path: FilePath,
    *,
    kinds: Mapping[str, Kind] = KINDS,
    environment: Mapping[str, str] | None = None,
    capabilities: Collection[str] = KNOWLEDGE_CAPABILITIES_OPERATIONS_VALUES,
) -> Host:
    """Return the host that a YAML file describes; nothing touches the network.

    Args:
        path: The file. Relative paths in it start at its folder.
        kinds: The kinds of providers that it may name.
        environment: Where credentials are read from; by default this process's environment.
        capabilities: The operations that this host knows; plugins may demand some.

    Raises:
        InputError: the file cannot be read.
        ConfigurationError: the host cannot start; its `problems` say everything that was found.
    """
    host = inspect_host(path, kinds=kinds, environment=environment, capabilities=capabilities)
    if host.problems:
        raise ConfigurationError(host.problems)
    return host


def inspect_host(
    path: FilePath,
    *,
    kinds: Mapping[str, Kind] = KINDS,
    environment: Mapping[str, str] | None = None,
    capabilities: Collection[str] = KNOWLEDGE_CAPABILITIES_OPERATIONS_VALUES,
) -> Host:
    """Return what of a host can be built, with the problems that keep it from starting.

    Raises:
        InputError: the file cannot be read.
        ConfigurationError: it is no configuration: its YAML or the shape of its sections.
    """
    document = parse_yaml(_read_file(path), file=str(path))
    surroundings = Surroundings(path.parent, os.environ if environment is None else environment)
    # Plugins read this process's environment, whatever else is given here.
    secrets = collect_secrets(document.value, surroundings.environment, os.environ)
    places = document.places._replace(redact=redactor(secrets))
    configuration, problems = find_problems(HostConfiguration, document.value)
    if configuration is None:
        raise ConfigurationError(tuple(places.problem(where, what) for where, what in problems))
    return _Assembly(configuration, places, surroundings).build(kinds, capabilities)


def _read_file(path: FilePath) -> bytes:
    try:
        # A pipe would be waited for, for ever.
        if not S_ISREG(path.stat().st_mode):
            raise InputError("cannot read the configuration: it is no regular file")
        with path.open("rb") as stream:
            return stream.read(SIZE_LIMIT_BYTES + 1)
    # A name with a null character is no OSError.
    except (OSError, ValueError) as error:
        number = getattr(error, "errno", None)
        reason = os.strerror(number) if number else "input/output error"
        raise InputError(f"cannot read the configuration: {reason}") from None


class _Assembly:
    """One run from a configuration to a host."""

    def __init__(
        self, configuration: HostConfiguration, places: Places, surroundings: Surroundings
    ) -> None:
        self._configuration = configuration
        self._places = places
        self._surroundings = surroundings
        self._registered: dict[str, Registered] = {}
        self._plugins: list[PluginStatus] = []
        self._problems: list[str] = []
        self._left_out: list[str] = []

    def build(self, kinds: Mapping[str, Kind], capabilities: Collection[str]) -> Host:
        self._plugins = load_plugins(
            self._configuration.plugins,
            self._registered,
            places=self._places,
            capabilities=capabilities,
        )
        self._problems += [each.reason for each in self._plugins if each.state == "failed"]
        self._add_providers(kinds)
        self._check_groups()
        # Without a required plugin, tools would only say the same again.
        built = () if self._problems else self._build_tools()
        # What is switched off is looked at all the same: else it breaks when it is switched on.
        statuses = built if self._configuration.knowledge_base.enabled else ()
        used = sorted({status.provider for status in statuses})
        reason = self._selector_reason(statuses, used)
        return Host(
            statuses=statuses,
            registered=self._registered,
            plugins=tuple(self._plugins),
            allowed=self._allowed(used, has_selector=not reason),
            selector_reason=reason,
            left_out=tuple(self._left_out),
            problems=tuple(self._problems),
        )

    def _add_providers(self, kinds: Mapping[str, Kind]) -> None:
        for name, entry in self._configuration.providers.items():
            path: Path = ("providers", name)
            try:
                provider = build_provider(entry, kinds=kinds, surroundings=self._surroundings)
                self._registered[name] = build_registered(
                    name, provider, place=self._places.at(path), known=self._registered
                )
            except Unusable as error:
                self._report(path, error)

    def _check_groups(self) -> None:
        first: dict[str, str] = {}
        for index, group in enumerate(self._configuration.tool_groups):
            path: Path = ("tool_groups", index)
            if group.name in first:
                sentence = f"the group's name is taken, at {first[group.name]}"
                self._report(path, Unusable(sentence, path=("name",)))
            first.setdefault(group.name, self._places.at(path))

    def _build_tools(self) -> tuple[ToolStatus, ...]:
        groups = [group.name for group in self._configuration.tool_groups]
        first: dict[str, str] = {}
        statuses: list[ToolStatus] = []
        for index, entry in enumerate(self._configuration.tools):
            path: Path = ("tools", index)
            try:
                _check_tool(entry, groups, first)
                found = self._find_provider(entry, path)
                if found is not None:
                    statuses.append(_build_tool(entry, found))
            except Unusable as error:
                self._report(path, error)
            first.setdefault(entry.name, self._places.at(path))
        return tuple(statuses)

    def _find_provider(self, entry: ToolEntry, path: Path) -> Registered | None:
        """Return a tool's provider.

        None leaves the tool out, where a plugin is missing that may have brought the provider: a
        name that is nearly a registered one is misspelt all the same.
        """
        if entry.provider in self._registered:
            return self._registered[entry.provider]
        sentence = (
            f"no provider has this name{suggest(find_near(entry.provider, self._registered))}"
        )
        absent = [each.name for each in self._plugins if each.state != "loaded"]
        if not absent or find_near(entry.provider, self._registered, likeness=_MISSPELT):
            raise Unusable(sentence, path=("provider",))
        sentence = f"no provider has this name; not loaded: {', '.join(absent)}"
        self._left_out.append(self._places.problem((*path, "provider"), sentence))
        return None

    def _allowed(self, used: list[str], *, has_selector: bool) -> Allowed:
        section = self._configuration.knowledge_base
        if not section.enabled:
            return Allowed(modes=frozenset({SCOPE_DISABLED_MODE}))
        modes = MODES if section.modes is None else frozenset(section.modes)
        providers = [self._registered[name] for name in used]
        if not all(_FILTER in each.operations for each in providers):
            modes -= {SCOPE_SELECTED_MODE}
        datasets = providers[0].allowed_datasets if has_selector else None
        return Allowed(datasets, modes, has_selector)

    def _selector_reason(self, statuses: tuple[ToolStatus, ...], used: list[str]) -> str:
        section = self._configuration.knowledge_base
        if not section.enabled:
            return "knowledge_base.enabled is false"
        if not used:
            return "no retrieval tool is configured"
        if len(used) > 1:
            names = ", ".join(used)
            return f"{len(used)} providers are in use ({names}), and their ids have no common space"
        if section.modes is not None and SCOPE_SELECTED_MODE not in section.modes:
            return "knowledge_base.modes leaves `selected` out"
        if not any(_FILTER in each.operations for each in statuses):
            return f"no tool of {used[0]} can search only selected datasets"
        return ""

    def _report(self, path: Path, error: Unusable) -> None:
        self._problems.append(self._places.problem((*path, *error.path), error.sentence))


def _check_tool(entry: ToolEntry, groups: list[str], first: Mapping[str, str]) -> None:
    if entry.name in first:
        raise Unusable(f"the tool's name is taken, at {first[entry.name]}", path=("name",))
    if entry.group not in groups:
        sentence = f"no such group in tool_groups{suggest(find_near(entry.group, groups))}"
        raise Unusable(sentence, path=("group",))


def _build_tool(entry: ToolEntry, found: Registered) -> ToolStatus:
    given = {
        "description": entry.description,
        "limit_chars": entry.limit_chars,
        "excerpt_chars": entry.excerpt_chars,
    }
    options = {key: value for key, value in given.items() if value is not None}
    try:
        build = resolve_use(entry.use)
        tool = run_foreign(
            lambda: build(found.provider, name=entry.name, **options), "building it failed"
        )
        operations = run_foreign(lambda: _examine(tool, entry, found), "looking at it failed")
    except Unusable as error:
        raise Unusable(error.sentence, path=("use",)) from None
    return ToolStatus(tool, entry.group, entry.provider, operations)


def _examine(tool: Any, entry: ToolEntry, found: Registered) -> frozenset[str]:
    if not isinstance(tool, BaseTool) or tool.name != entry.name:
        raise Unusable("builds no tool of this name")
    operations = read_operations(tool)
    # A scope that is disabled takes away what says that it retrieves, and nothing else.
    if not is_retrieval_tool(tool):
        raise Unusable("builds a tool that does not say what it retrieves (knowledge_capabilities)")
    if not operations.issubset(found.operations):
        raise Unusable("builds a tool that says more than its provider promises")
    return operations
