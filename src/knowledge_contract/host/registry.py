"""Providers by name, each with the place it came from."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from knowledge_contract.host.places import Unusable
from knowledge_wire.validators import is_knowledge_capabilities, is_provider_name

__all__ = ["PluginRegistry", "Registered", "add_provider"]

_METHODS = {"search": "search", "relations_search": "search_relations"}


class Registered(NamedTuple):
    """A provider and where it was registered."""

    provider: Any
    place: str


class PluginRegistry:
    """What a plugin's `install` registers with; it can be written to and not read.

    Nothing counts before `install` returns, so that a plugin that fails leaves nothing behind.
    """

    def __init__(self, known: Mapping[str, Registered], place: str) -> None:
        self._known = known
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
        name = provider_name(provider)
        known = {**self._known, **self._staged}
        add_provider(self._staged, name, Registered(provider, self._place), known=known)

    def close(self) -> Mapping[str, Registered]:
        """Return what was registered; nothing can be added from here on."""
        self._is_open = False
        return self._staged


def add_provider(
    into: dict[str, Registered],
    name: str,
    registered: Registered,
    *,
    known: Mapping[str, Registered],
) -> None:
    """Add a provider under a name that nobody has.

    Raises:
        Unusable: it is no provider, or the name is taken; the message names the other place.
    """
    sentence = _shortcoming(registered.provider)
    if sentence is not None:
        raise Unusable(sentence)
    if name in known:
        raise Unusable(f"a provider `{name}` is registered already, at {known[name].place}")
    into[name] = registered


def provider_name(provider: Any) -> str:
    """Return a provider's own name.

    Raises:
        Unusable: it has none that the contract can carry.
    """
    name = getattr(provider, "name", None)
    if not is_provider_name(name):
        raise Unusable("the provider's name is no ProviderName of the contract")
    return name


def _shortcoming(provider: Any) -> str | None:
    provider_name(provider)
    capabilities = getattr(provider, "capabilities", None)
    if not is_knowledge_capabilities(capabilities):
        return "the provider's capabilities do not satisfy the contract"
    for operation, method in _METHODS.items():
        if operation in capabilities["operations"] and not callable(
            getattr(provider, method, None)
        ):
            return f"the provider promises {operation} and has no `{method}`"
    return None
