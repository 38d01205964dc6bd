"""Providers by name, each with the place it came from."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from knowledge_contract.host.foreign import run_foreign
from knowledge_contract.host.places import Unusable
from knowledge_contract.providers.binding import Binding
from knowledge_wire.validators import is_knowledge_capabilities, is_provider_name

__all__ = ["PluginRegistry", "Registered", "build_registered"]

_LOOKING = "looking at the provider failed"
_METHODS = {"search": "search", "relations_search": "search_relations"}


class Registered(NamedTuple):
    """A provider, as it was when it was registered.

    Attributes:
        provider: The provider.
        place: Where it was registered, for messages.
        operations: What it promises.
        allowed_datasets: The only datasets that it ever searches, where it says so by an
            attribute of this name; None for every one that it sees.
        binding: Who may search with it, where it says so by an attribute of this name.
    """

    provider: Any
    place: str
    operations: tuple[str, ...]
    allowed_datasets: frozenset[str] | None
    binding: Binding | None = None


class PluginRegistry:
    """What a plugin's `install` registers with; it can be written to and not read.

    Nothing counts before `install` returns, so that a plugin that fails leaves nothing behind.
    """

    def __init__(self, known: Mapping[str, Registered], place: str) -> None:
        # A copy that cannot be written to: a plugin that fails leaves nothing behind.
        self._known = MappingProxyType(dict(known))
        self._place = place
        self._staged: dict[str, Registered] = {}
        self._is_open = True

    def register_provider(self, provider: Any) -> None:
        """Offer a provider to the tools, under its own name.

        Args:
            provider: A `RetrievalProvider`, a `RelationsProvider`, or both. One with an attribute
                `binding` (a `Binding`) is shown with it by `host check`.

        Raises:
            Unusable: it is no provider, its name is taken, or `install` has returned.
        """
        if not self._is_open:
            raise Unusable("a plugin may register only while `install` runs")
        name = run_foreign(lambda: _name(provider), _LOOKING)
        known = {**self._known, **self._staged}
        self._staged[name] = build_registered(name, provider, place=self._place, known=known)

    def close(self) -> Mapping[str, Registered]:
        """Return what was registered; nothing can be added from here on."""
        self._is_open = False
        return self._staged


def build_registered(
    name: str, provider: Any, *, place: str, known: Mapping[str, Registered]
) -> Registered:
    """Return a provider ready to be registered under a name that nobody has.

    Raises:
        Unusable: it is no provider, or the name is taken; the message names the other place.
    """
    if name in known:
        raise Unusable(f"a provider `{name}` is registered already, at {known[name].place}")
    return run_foreign(lambda: _examine(provider, place), _LOOKING)


def _examine(provider: Any, place: str) -> Registered:
    _name(provider)
    capabilities = getattr(provider, "capabilities", None)
    if not is_knowledge_capabilities(capabilities):
        raise Unusable("the provider's capabilities do not satisfy the contract")
    operations = tuple(capabilities["operations"])
    for operation, method in _METHODS.items():
        if operation in operations and not callable(getattr(provider, method, None)):
            raise Unusable(f"the provider promises {operation} and has no `{method}`")
    datasets = getattr(provider, "allowed_datasets", None)
    if datasets is not None and not isinstance(datasets, frozenset):
        raise Unusable("the provider's allowed_datasets is neither None nor a frozenset")
    binding = getattr(provider, "binding", None)
    shown = binding if isinstance(binding, Binding) else None
    return Registered(provider, place, operations, datasets, shown)


def _name(provider: Any) -> str:
    name = getattr(provider, "name", None)
    if not is_provider_name(name):
        raise Unusable("the provider's name is no ProviderName of the contract")
    return name
