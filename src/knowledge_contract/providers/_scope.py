"""Scopes that a provider without datasets can honour."""

from knowledge_contract.errors import ProviderError
from knowledge_contract.retrieval import RetrievalContext
from knowledge_contract.scope import read_mode
from knowledge_wire.constants import SCOPE_ALL_MODE

__all__ = ["require_scope_all"]


def require_scope_all(provider: str, context: RetrievalContext) -> None:
    """Refuse every scope but `all`, before anything is searched.

    Raises:
        ProviderError: the context's scope selects something, or disables retrieval.
    """
    if read_mode(context.scope) != SCOPE_ALL_MODE:
        raise ProviderError(f"{provider}: only the scope `all` can be searched")
