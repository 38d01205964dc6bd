"""On whose behalf a tool runs: from LangGraph's run-time context, and from nowhere else."""

from typing import Any

from langchain_core.tools import ToolException

from knowledge_contract.retrieval import RetrievalContext
from knowledge_contract.scope import read_mode
from knowledge_wire.constants import SCOPE_DISABLED_MODE, SCOPE_SELECTED_MODE

__all__ = ["SWITCHED_OFF", "read_context", "require_scope"]

SWITCHED_OFF = "Error: knowledge is switched off for this turn."
"""What a call gets where the scope is `disabled`."""


def read_context(given: object) -> RetrievalContext:
    """Return a run's retrieval context.

    It is the run-time context itself, or its attribute `knowledge` where a host has a context of
    its own. Anything else is nobody's: providers that bind users refuse. A dict that a caller
    could have sent is never read.
    """
    if isinstance(given, RetrievalContext):
        return given
    own = getattr(given, "knowledge", None)
    return own if isinstance(own, RetrievalContext) else RetrievalContext()


def require_scope(context: RetrievalContext, operations: frozenset[str]) -> None:
    """Refuse a call that the run's scope forbids, or that this provider cannot narrow.

    Raises:
        ToolException: nothing may be searched, or something is selected that these operations
            cannot honour; nothing is ever searched wider instead.
    """
    mode = read_mode(context.scope)
    if mode == SCOPE_DISABLED_MODE:
        raise ToolException(SWITCHED_OFF)
    if mode != SCOPE_SELECTED_MODE:
        return
    needed: dict[str, Any] = {
        "dataset_ids": "dataset_filter",
        "document_filters": "document_filter",
    }
    if any(context.scope.get(key) and each not in operations for key, each in needed.items()):
        raise ToolException(
            "Error: this tool cannot search only the selected documents; select others, or none."
        )
