"""Check that every selected document can be searched, before anything is."""

import logging
import re
from collections.abc import Iterator, Mapping

from knowledge_contract.errors import ProviderProtocolError
from knowledge_contract.providers._http import gather
from knowledge_contract.providers.ragflow.client import Client, Document, MissingError
from knowledge_contract.providers.ragflow.scope import Wanted, refuse_scope
from knowledge_contract.providers.ragflow.settings import RESULT_COUNT_MAX
from knowledge_wire.constants import NATIVE_SOURCE_PROVIDER

__all__ = ["validate_documents"]

_LOGGER = logging.getLogger(__name__)
# A dataset's id becomes part of a path there, and must not become more than one segment.
_PLAIN_ID = re.compile(r"[0-9A-Za-z_-]+")


async def validate_documents(client: Client, wanted: Wanted) -> Mapping[str, list[Document]]:
    """Return the selected documents of each narrowed dataset, in the order of the selection.

    Batches of all datasets share the session's slots. The first that fails rejects the whole
    selection: to search the rest would answer another question.

    Raises:
        ProviderError: a document is missing or cannot be searched, or the server cannot be
            asked.
        ProviderProtocolError: the server ignores which documents were asked for.
    """
    batches = list(_batches(wanted))
    checked = await gather(_check(client, dataset_id, ids) for dataset_id, ids in batches)
    found: dict[str, list[Document]] = {}
    for (dataset_id, _), documents in zip(batches, checked, strict=True):
        found.setdefault(dataset_id, []).extend(documents)
    return found


def _batches(wanted: Wanted) -> Iterator[tuple[str, tuple[str, ...]]]:
    for dataset_id, ids in wanted.documents.items():
        if not _PLAIN_ID.fullmatch(dataset_id):
            raise _unavailable()
        for start in range(0, len(ids), RESULT_COUNT_MAX):
            yield dataset_id, ids[start : start + RESULT_COUNT_MAX]


async def _check(client: Client, dataset_id: str, ids: tuple[str, ...]) -> list[Document]:
    try:
        rows = await client.fetch_documents(dataset_id, ids)
    except MissingError:
        rows = []
    found: dict[str, list[Document]] = {}
    for row in rows:
        found.setdefault(row.id, []).append(row)
    if not found.keys() <= set(ids):
        raise ProviderProtocolError(
            f"{NATIVE_SOURCE_PROVIDER}: the server cannot look documents up by id: selecting"
            " documents needs RAGFlow 0.25.1 or later"
        )
    for document_id in ids:
        # A repeated row may contradict the first one.
        if not found.get(document_id) or not all(
            row.is_searchable and row.dataset_id in (None, dataset_id) for row in found[document_id]
        ):
            _LOGGER.warning(
                "%s: document %r of dataset %r cannot be searched",
                *(NATIVE_SOURCE_PROVIDER, document_id, dataset_id),
            )
            raise _unavailable()
    return [found[document_id][0] for document_id in ids]


def _unavailable() -> Exception:
    return refuse_scope(
        "a selected document is missing, disabled, or not completely parsed: select again"
    )
