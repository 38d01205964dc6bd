"""The command `host check`: what a configuration gives, and what is missing; no network."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

from knowledge_contract.cli.output import Format
from knowledge_contract.cli.streams import write_json, write_line, write_problem
from knowledge_contract.errors import ConfigurationError
from knowledge_contract.host import Host, inspect_host
from knowledge_contract.providers.binding import Binding
from knowledge_wire.constants import KNOWLEDGE_CAPABILITIES_OPERATIONS_VALUES

__all__ = ["check_host", "describe_host"]


def check_host(config: Path, form: Format) -> bool:
    """Print what a configuration gives; return whether a host can start from it.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        # What plugins print is no part of the answer.
        with redirect_stdout(sys.stderr), _quiet():
            host: Host | None = inspect_host(config)
        problems = host.problems if host is not None else ()
    except ConfigurationError as error:
        host, problems = None, error.problems
    if form is Format.JSON:
        described = {} if host is None else describe_host(host)
        write_json({"good": not problems, "problems": list(problems), **described})
        return not problems
    for line in () if host is None else _lines(host):
        write_line(line)
    for problem in problems:
        write_problem(problem)
    return not problems


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what is logged about plugins off the terminal: the answer says it."""
    logger, handler = logging.getLogger("knowledge_contract"), logging.NullHandler()
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


def describe_host(host: Host) -> dict[str, Any]:
    """Return a host for machines. Users are counted, not named."""
    return {
        "plugins": [
            {"name": name, "state": state, "providers": list(providers), "reason": reason}
            for name, state, providers, reason in host.plugins
        ],
        "providers": [
            {
                "name": name,
                "operations": _ordered(registered.operations),
                "binding": _binding(registered.binding),
            }
            for name, registered in host.registered.items()
        ],
        "tools": [
            {
                "name": tool.name,
                "group": group,
                "provider": provider,
                "operations": _ordered(operations),
            }
            for tool, group, provider, operations in host.statuses
        ],
        "left_out": list(host.left_out),
        "scope": {
            "modes": sorted(host.allowed.modes),
            "selector": not host.selector_reason,
            "reason": host.selector_reason,
        },
    }


def _ordered(operations: Any) -> list[str]:
    return [each for each in KNOWLEDGE_CAPABILITIES_OPERATIONS_VALUES if each in operations]


def _binding(binding: Binding | None) -> dict[str, Any] | None:
    if binding is None:
        return None
    agents = None if binding.agent_names is None else sorted(binding.agent_names)
    return {"users": len(binding.user_ids), "agents": agents}


def _lines(host: Host) -> Iterator[str]:
    said = describe_host(host)
    for plugin in said["plugins"]:
        # That a required one failed is among the problems.
        reason = f": {plugin['reason']}" if plugin["state"] == "skipped" else ""
        yield f"plugin {plugin['name']}: {plugin['state']}{reason}"
    for provider in said["providers"]:
        operations = ", ".join(provider["operations"])
        yield f"provider {provider['name']}: {operations}; {_bound(provider['binding'])}"
    for tool in said["tools"]:
        operations = ", ".join(tool["operations"])
        yield f"tool {tool['name']}: {operations}; group {tool['group']}, from {tool['provider']}"
    for line in said["left_out"]:
        yield f"left out: {line}"
    scope = said["scope"]
    selector = "on" if scope["selector"] else f"off: {scope['reason']}"
    yield f"scopes: {', '.join(scope['modes'])}; selector {selector}"


def _bound(binding: dict[str, Any] | None) -> str:
    if binding is None:
        return "for everybody"
    users = f"{binding['users']} user{'s' if binding['users'] > 1 else ''}"
    agents = "any agent" if binding["agents"] is None else f"agents {', '.join(binding['agents'])}"
    return f"for {users}, {agents}"
