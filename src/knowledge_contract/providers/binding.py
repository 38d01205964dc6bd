"""Who may search with a provider's credential: exact users and, if given, exact agents.

Bound users share what the credential can see; nobody is impersonated upstream.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from knowledge_contract.errors import ProviderError
from knowledge_contract.retrieval import (
    KnowledgeCapabilities,
    RetrievalContext,
    RetrievalResult,
)

__all__ = ["Binding", "BoundProvider", "build_binding", "require_bound"]


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Binding:
    """Who may search; `build_binding` makes it.

    Attributes:
        user_ids: The users, compared exactly: case counts, and nothing is trimmed.
        agent_names: The agents that may search for them, compared likewise; None for every one.
    """

    user_ids: frozenset[str]
    agent_names: frozenset[str] | None = None

    def __repr__(self) -> str:
        # Representations end in logs, and users are people.
        agents = "any" if self.agent_names is None else len(self.agent_names)
        return f"Binding(users={len(self.user_ids)}, agents={agents})"


@dataclass(frozen=True, kw_only=True, slots=True)
class BoundProvider:
    """A provider that asks its binding before anything reaches the one inside."""

    provider: Any
    binding: Binding

    @property
    def name(self) -> str:
        """The name that goes into ids."""
        name: str = self.provider.name
        return name

    @property
    def capabilities(self) -> KnowledgeCapabilities:
        """What the provider inside can do."""
        capabilities: KnowledgeCapabilities = self.provider.capabilities
        return capabilities

    @property
    def allowed_datasets(self) -> frozenset[str] | None:
        """The only datasets that the provider inside ever searches, where it says so."""
        datasets: frozenset[str] | None = getattr(self.provider, "allowed_datasets", None)
        return datasets

    async def search(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        """Search for a bound user.

        Raises:
            ProviderError: as `require_bound`, before anything is searched; or the provider's.
        """
        require_bound(self.name, self.binding, context)
        found: RetrievalResult = await self.provider.search(query, context=context)
        return found

    async def search_relations(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        """Search for relations for a bound user; raises as `search`."""
        require_bound(self.name, self.binding, context)
        found: RetrievalResult = await self.provider.search_relations(query, context=context)
        return found


def build_binding(user_ids: Iterable[str], agent_names: Iterable[str] | None = None) -> Binding:
    """Return the binding of these users, and of these agents if any are given.

    Raises:
        ValueError: there is no user, an empty list of agents, or a name that is blank or no text.
    """
    agents = None if agent_names is None else _exact("agent_names", agent_names)
    return Binding(user_ids=_exact("user_ids", user_ids), agent_names=agents)


def require_bound(provider: str, binding: Binding, context: object) -> None:
    """Refuse everybody but the bound users and agents.

    Raises:
        ProviderError: the context is no `RetrievalContext`, names no user, or names another user
            or agent. The message names nobody.
    """
    if not isinstance(context, RetrievalContext) or context.user_id is None:
        raise ProviderError(f"{provider}: only bound users may search, and this run names no user")
    if context.user_id not in binding.user_ids:
        raise ProviderError(f"{provider}: this user may not search here")
    if binding.agent_names is not None and context.agent_name not in binding.agent_names:
        raise ProviderError(f"{provider}: this agent may not search here")


def _exact(what: str, names: Iterable[object]) -> frozenset[str]:
    # One text would be read as its letters.
    given = [] if isinstance(names, str) else list(names)
    kept = [each for each in given if isinstance(each, str) and _is_visible(each)]
    if not kept or len(kept) != len(given):
        raise ValueError(f"{what} must be a list of names, none of them blank")
    return frozenset(kept)


def _is_visible(text: str) -> bool:
    return any(each.isprintable() and not each.isspace() for each in text)
