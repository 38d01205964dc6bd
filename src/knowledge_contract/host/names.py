"""Names to objects: `module:attribute`, and entry points."""

import re
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from knowledge_contract.host.foreign import run_foreign
from knowledge_contract.host.places import Unusable

__all__ = ["ENTRY_POINTS", "find_entry_point", "resolve_use"]

ENTRY_POINTS = "deerflow.extensions"
"""The group of entry points that plugins are found in."""

_ALIAS = ("deerflow.knowledge", "knowledge_contract")
"""What configurations of DeerFlow say; no such package exists here."""


def resolve_use(use: str) -> Any:
    """Return what `module:attribute` names; the module is imported.

    Raises:
        Unusable: there is no such module or attribute, or importing it fails. The message says
            the module's name as it was written.
    """
    module, _, attribute = use.partition(":")
    found = run_foreign(
        lambda: _look_up(module, attribute), f"importing the module {module} failed"
    )
    if found is None:
        raise Unusable(f"the module {module} has no {attribute}")
    return found


def find_entry_point(name: str, package: str | None) -> str:
    """Return what an entry point of the group names, as `module:attribute`.

    Args:
        name: The entry point's.
        package: The distribution that has to bring it, however its name is spelt (PEP 503).

    Raises:
        Unusable: none or several bear the name; or the one that does is of another package.
    """
    # Whatever lies in an environment is read for this, damaged distributions included.
    found = run_foreign(
        lambda: {
            _target(each)
            for each in entry_points(group=ENTRY_POINTS, name=name)
            if package is None or _package(each) == _normalized(package)
        },
        "reading the entry points failed",
    )
    if len(found) == 1:
        (use,) = found
        if not use.partition(":")[2]:
            raise Unusable("its entry point is not `module:attribute`")
        return use
    of_package = "" if package is None else " of this package"
    if not found:
        raise Unusable(f"no entry point{of_package} in {ENTRY_POINTS} has this name: install it")
    raise Unusable(f"several entry points in {ENTRY_POINTS} have this name: set `package`")


def _look_up(module: str, attribute: str) -> Any:
    try:
        found: Any = import_module(_without_alias(module))
    except ModuleNotFoundError as error:
        raise Unusable(_not_found(module, error)) from None
    for step in attribute.split("."):
        found = getattr(found, step, None)
    return found


def _target(point: EntryPoint) -> str:
    # What stands behind in brackets are extras of the distribution's.
    return point.value.partition("[")[0].replace(" ", "")


def _package(point: EntryPoint) -> str | None:
    return None if point.dist is None else _normalized(point.dist.name)


def _normalized(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


def _without_alias(module: str) -> str:
    alias, real = _ALIAS
    is_alias = module == alias or module.startswith(f"{alias}.")
    return real + module.removeprefix(alias) if is_alias else module


def _not_found(module: str, error: ModuleNotFoundError) -> str:
    name, real = error.name, _without_alias(module)
    if not isinstance(name, str) or not name.replace(".", "_").isidentifier():
        return f"importing the module {module} failed with ModuleNotFoundError"
    if real == name or real.startswith(f"{name}."):
        return f"the module {module} cannot be found: install it, or correct the name"
    return f"the module {module} needs another that is not installed: {name}"
