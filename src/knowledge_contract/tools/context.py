"""On whose behalf a tool runs: from LangGraph's run-time context, and from nowhere else."""

from collections.abc import Mapping
from typing import Any

from langchain_core.tools import ToolException

from knowledge_contract.retrieval import RetrievalContext
from knowledge_contract.scope import read_mode
from knowledge_wire.constants import SCOPE_DISABLED_MODE, SCOPE_SELECTED_MODE

__all__ = ["SWITCHED_OFF", "read_context", "require_scope"]

_UNREADABLE = "Error: this run's context is no RetrievalContext, so that nothing can be searched."
# Values, and no host's own context: what stands in them could be a scope that nobody would read.
_VALUES = (Mapping, tuple, list, set, frozenset, str, bytes, bytearray, int, float, complex)

SWITCHED_OFF = "Error: knowledge is switched off for this turn."
"""What a call gets where the scope is `disabled`."""


def read_context(given: object) -> RetrievalContext:
    """Return a run's retrieval context.

    It is the run-time context itself, or its attribute `knowledge` where a host has a context of
    its own. None, and a host's own context without that attribute, are nobody's: providers that
    bind users refuse.

    Raises:
        ToolException: it is a plain value, such as a dict, or its `knowledge` is another thing.
            A scope in there would be lost, and more searched than was allowed.
    """
    if given is None or isinstance(given, RetrievalContext):
        return given or RetrievalContext()
    own = _own(given)
    if own is None:
        return RetrievalContext()
    if not isinstance(own, RetrievalContext):
        raise ToolException(_UNREADABLE)
    return own


def _own(given: object) -> object:
    try:
        return getattr(given, "knowledge", given if isinstance(given, _VALUES) else None)
    # A property of the host's, whose words may quote anything.
    except Exception:  # noqa: BLE001 - see above
        return given


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
