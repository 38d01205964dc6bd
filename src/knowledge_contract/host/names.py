"""Names to objects: `module:attribute`, and entry points."""

from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from knowledge_contract.errors import KnowledgeContractError
from knowledge_contract.host.places import Unusable

__all__ = ["ENTRY_POINTS", "find_entry_point", "resolve_use"]

ENTRY_POINTS = "deerflow.extensions"
"""The group of entry points that plugins are found in."""

_ALIAS = ("deerflow.knowledge", "knowledge_contract")
"""What configurations of DeerFlow say; no such package exists here."""


def resolve_use(use: str) -> Any:
    """Return what `module:attribute` names; the module is imported.

    Raises:
        Unusable: there is no such module or attribute, or importing it fails.
    """
    module_name, _, attribute = use.partition(":")
    module_name = _without_alias(module_name)
    try:
        found: Any = import_module(module_name)
        for step in attribute.split("."):
            found = getattr(found, step, None)
    except KnowledgeContractError as error:
        raise Unusable(str(error)) from None
    except ModuleNotFoundError as error:
        raise Unusable(_not_found(module_name, error)) from None
    # A module of others may do anything when it is imported, ending the process included.
    except (Exception, SystemExit) as error:  # noqa: BLE001 - see above
        kind = type(error).__name__
        raise Unusable(f"importing the module {module_name} failed with {kind}") from None
    if found is None:
        raise Unusable(f"the module {module_name} has no {attribute}")
    return found


def find_entry_point(name: str, package: str | None) -> str:
    """Return what an entry point of the group names, as `module:attribute`.

    Raises:
        Unusable: none or several bear the name; or the one that does is of another package.
    """
    found = {
        each.value
        for each in entry_points(group=ENTRY_POINTS, name=name)
        if package is None or (each.dist is not None and each.dist.name == package)
    }
    if len(found) == 1:
        return found.pop()
    of_package = "" if package is None else " of this package"
    if not found:
        raise Unusable(f"no entry point{of_package} in {ENTRY_POINTS} has this name: install it")
    raise Unusable(f"several entry points in {ENTRY_POINTS} have this name: set `package`")


def _without_alias(module: str) -> str:
    alias, real = _ALIAS
    is_alias = module == alias or module.startswith(f"{alias}.")
    return real + module.removeprefix(alias) if is_alias else module


def _not_found(module: str, error: ModuleNotFoundError) -> str:
    name = error.name or ""
    if module == name or module.startswith(f"{name}."):
        return f"the module {module} cannot be found: install it, or correct the name"
    return f"the module {module} needs another that is not installed: {name}"
