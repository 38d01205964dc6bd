"""What one search may see: the admitted scope within what the operator allows."""

from collections.abc import Mapping
from typing import NamedTuple

from knowledge_contract.errors import ProviderError
from knowledge_contract.providers.ragflow.settings import RagflowSettings, refuse_setting
from knowledge_contract.retrieval import RetrievalContext
from knowledge_wire.constants import NATIVE_SOURCE_PROVIDER, SCOPE_DOCUMENT_COUNT
from knowledge_wire.types import ScopeSelected
from knowledge_wire.validators import is_knowledge_scope, is_scope_disabled, is_scope_selected

__all__ = ["Wanted", "read_scope", "refuse_scope"]


class Wanted(NamedTuple):
    """Datasets and documents that a search asks for, not yet known to exist.

    Attributes:
        dataset_ids: In order; None: all that the key can see.
        documents: For each dataset that is narrowed, its only documents, in order.
        is_selected: A person chose them, so that none may be left out in silence.
    """

    dataset_ids: tuple[str, ...] | None
    documents: Mapping[str, tuple[str, ...]]
    is_selected: bool


def read_scope(context: RetrievalContext, settings: RagflowSettings) -> Wanted:
    """Return what may be searched; nothing is asked of the server.

    Raises:
        ProviderError: the scope disables retrieval, is none, or reaches beyond the operator's
            datasets.
        ProviderConfigurationError: documents are selected while a setting would be bypassed.
    """
    if not isinstance(context, RetrievalContext):
        # A context of another type says nothing about who may see what.
        raise refuse_scope("the context of this search is none: report this to the operator")
    scope = context.scope
    if scope is None:
        return Wanted(_allowed(settings), {}, is_selected=False)
    if is_scope_disabled(scope):
        raise refuse_scope("retrieval is switched off for this turn: answer without it")
    if not is_knowledge_scope(scope):
        raise refuse_scope("the scope is not valid: select again")
    if not is_scope_selected(scope):
        return Wanted(_allowed(settings), {}, is_selected=False)
    wanted = _selected(scope)
    _check_allowed(wanted, settings)
    return wanted


def refuse_scope(what: str) -> ProviderError:
    """Return the error for a scope that cannot be searched."""
    return ProviderError(f"{NATIVE_SOURCE_PROVIDER}: {what}")


def _allowed(settings: RagflowSettings) -> tuple[str, ...] | None:
    return None if settings.datasets is None else tuple(settings.datasets)


def _selected(scope: ScopeSelected) -> Wanted:
    dataset_ids = tuple(dict.fromkeys(scope["dataset_ids"]))
    documents: dict[str, tuple[str, ...]] = {}
    for each in scope.get("document_filters", []):
        dataset_id = each["dataset_id"]
        if dataset_id not in dataset_ids or dataset_id in documents:
            raise refuse_scope(
                "the scope narrows a dataset twice, or one that it does not select: select again"
            )
        documents[dataset_id] = tuple(dict.fromkeys(each["document_ids"]))
    if sum(map(len, documents.values())) > SCOPE_DOCUMENT_COUNT:
        raise refuse_scope(f"more than {SCOPE_DOCUMENT_COUNT} documents are selected: select fewer")
    return Wanted(dataset_ids, documents, is_selected=True)


def _check_allowed(wanted: Wanted, settings: RagflowSettings) -> None:
    if settings.datasets is not None and not set(wanted.dataset_ids or ()) <= set(
        settings.datasets
    ):
        raise refuse_scope(
            "the scope selects a dataset that the operator does not allow: select others, or have"
            " it added to the setting datasets"
        )
    if wanted.documents and settings.metadata_condition is not None:
        raise refuse_setting(
            "documents cannot be selected while metadata_condition is set: select whole datasets"
        )
