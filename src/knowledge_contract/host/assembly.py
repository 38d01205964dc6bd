"""A configuration to a host: plugins first, then providers, then tools."""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from langchain_core.tools import BaseTool

from knowledge_contract.errors import ConfigurationError, InputError, KnowledgeContractError
from knowledge_contract.host.configuration import HostConfiguration, ToolEntry
from knowledge_contract.host.kinds import KINDS, Kind, Surroundings, build_provider
from knowledge_contract.host.names import resolve_use
from knowledge_contract.host.places import Path, Places, Unusable, find_near, suggest
from knowledge_contract.host.plugins import PluginStatus, load_plugins
from knowledge_contract.host.registry import Registered, build_registered
from knowledge_contract.host.settings import find_problems
from knowledge_contract.host.yaml_file import SIZE_LIMIT_BYTES, parse_yaml
from knowledge_contract.scope import MODES, Allowed
from knowledge_wire.constants import (
    KNOWLEDGE_CAPABILITIES_OPERATIONS_VALUES,
    SCOPE_DISABLED_MODE,
    SCOPE_SELECTED_MODE,
)

__all__ = ["Host", "ToolStatus", "inspect_host", "load_host"]


class ToolStatus(NamedTuple):
    """A configured tool.

    Attributes:
        tool: What agents get.
        group: The group it was put in.
        provider: The registered name of its provider.
    """

    tool: BaseTool
    group: str
    provider: str


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
    try:
        with path.open("rb") as stream:
            data = stream.read(SIZE_LIMIT_BYTES + 1)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else "input/output error"
        raise InputError(f"cannot read the configuration: {reason}") from None
    document = parse_yaml(data, file=str(path))
    configuration, problems = find_problems(HostConfiguration, document.value)
    if configuration is None:
        lines = tuple(document.places.problem(where, what) for where, what in problems)
        raise ConfigurationError(lines)
    surroundings = Surroundings(path.parent, os.environ if environment is None else environment)
    assembly = _Assembly(configuration, document.places, surroundings)
    return assembly.build(kinds, capabilities)


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
            environment=self._surroundings.environment,
            capabilities=capabilities,
        )
        self._problems += [each.reason for each in self._plugins if each.state == "failed"]
        self._add_providers(kinds)
        self._check_groups()
        # Without a required plugin, tools would only say the same again.
        is_built = self._configuration.knowledge_base.enabled and not self._problems
        statuses = self._build_tools() if is_built else ()
        used = sorted({status.provider for status in statuses})
        reason = _selector_reason(used)
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
                provider = self._find_provider(entry, path)
                if provider is not None:
                    tool = _build_tool(entry, provider)
                    statuses.append(ToolStatus(tool, entry.group, entry.provider))
            except Unusable as error:
                self._report(path, error)
            first.setdefault(entry.name, self._places.at(path))
        return tuple(statuses)

    def _find_provider(self, entry: ToolEntry, path: Path) -> Any | None:
        """Return a tool's provider; None leaves the tool out, where an optional plugin failed."""
        if entry.provider in self._registered:
            return self._registered[entry.provider].provider
        sentence = (
            f"no provider has this name{suggest(find_near(entry.provider, self._registered))}"
        )
        absent = [each.name for each in self._plugins if each.state != "loaded"]
        if not absent:
            raise Unusable(sentence, path=("provider",))
        sentence += f"; not loaded: {', '.join(absent)}"
        self._left_out.append(self._places.problem((*path, "provider"), sentence))
        return None

    def _allowed(self, used: list[str], *, has_selector: bool) -> Allowed:
        section = self._configuration.knowledge_base
        if not section.enabled:
            return Allowed(modes=frozenset({SCOPE_DISABLED_MODE}))
        modes = MODES if section.modes is None else frozenset(section.modes)
        providers = [self._registered[name] for name in used]
        if not all("dataset_filter" in each.operations for each in providers):
            modes -= {SCOPE_SELECTED_MODE}
        datasets = providers[0].allowed_datasets if has_selector else None
        return Allowed(datasets, modes, has_selector)

    def _report(self, path: Path, error: Unusable) -> None:
        self._problems.append(self._places.problem((*path, *error.path), error.sentence))


def _check_tool(entry: ToolEntry, groups: list[str], first: Mapping[str, str]) -> None:
    if entry.name in first:
        raise Unusable(f"the tool's name is taken, at {first[entry.name]}", path=("name",))
    if entry.group not in groups:
        sentence = f"no such group in tool_groups{suggest(find_near(entry.group, groups))}"
        raise Unusable(sentence, path=("group",))


def _selector_reason(used: list[str]) -> str:
    if not used:
        return "no retrieval tool is configured"
    if len(used) == 1:
        return ""
    return (
        f"{len(used)} providers are in use ({', '.join(used)}), and their ids have no common space"
    )


def _build_tool(entry: ToolEntry, provider: Any) -> BaseTool:
    try:
        build = resolve_use(entry.use)
    except Unusable as error:
        raise Unusable(error.sentence, path=("use",)) from None
    given = {
        "description": entry.description,
        "limit_chars": entry.limit_chars,
        "excerpt_chars": entry.excerpt_chars,
    }
    options = {key: value for key, value in given.items() if value is not None}
    try:
        tool = build(provider, name=entry.name, **options)
    except (KnowledgeContractError, ValueError) as error:
        raise Unusable(_reason(build, error), path=("use",)) from None
    # Foreign code, whose words may quote a credential.
    except Exception as error:  # noqa: BLE001 - see above
        raise Unusable(f"building it failed with {type(error).__name__}", path=("use",)) from None
    if not isinstance(tool, BaseTool) or tool.name != entry.name:
        raise Unusable("builds no tool of this name", path=("use",))
    return tool


def _reason(build: Any, error: Exception) -> str:
    is_ours = str(getattr(build, "__module__", "")).startswith("knowledge_contract.")
    if is_ours or isinstance(error, KnowledgeContractError):
        return " ".join(str(error).split())
    return f"building it failed with {type(error).__name__}"
