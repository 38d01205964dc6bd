"""Scopes that a provider without datasets can honour."""

from knowledge_contract.errors import ProviderError
from knowledge_contract.retrieval import RetrievalContext
from knowledge_wire.validators import is_scope_all

__all__ = ["require_scope_all"]


def require_scope_all(provider: str, context: RetrievalContext) -> None:
    """Refuse every scope but `all`, before anything is searched.

    Raises:
        ProviderError: the context's scope selects something, or disables retrieval.
    """
    if context.scope is not None and not is_scope_all(context.scope):
        raise ProviderError(f"{provider}: only the scope `all` can be searched")
