"""Ask for one retrieval for each group of datasets, and bring the hits together."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice, zip_longest
from typing import Any, NamedTuple

from knowledge_contract.errors import ProviderConfigurationError, ProviderError
from knowledge_contract.providers._http import gather
from knowledge_contract.providers._secrets import Secrets
from knowledge_contract.providers.ragflow.chunks import Sight, read_hits
from knowledge_contract.providers.ragflow.client import Client, Dataset, Document
from knowledge_contract.providers.ragflow.scope import Wanted, refuse_scope
from knowledge_contract.providers.ragflow.settings import RagflowSettings
from knowledge_contract.retrieval import RetrievalHit
from knowledge_wire.constants import NATIVE_SOURCE_PROVIDER

__all__ = ["GROUP_COUNT_MAX", "Group", "build_groups", "check_groups", "search_all", "search_each"]

GROUP_COUNT_MAX = 16
"""Retrievals of one search: each takes as long as a whole search of one embedding model."""

_LOGGER = logging.getLogger(__name__)
_CANDIDATES_MIN = 64
# Several releases give nothing at all when asked for one.
_ROWS_MIN = 2


class Group(NamedTuple):
    """Datasets that one retrieval can search: one embedding model, all narrowed or none.

    Attributes:
        is_selected: A person chose them.
        documents: The only documents to search, of all its datasets; None: all of them.
    """

    is_selected: bool
    datasets: tuple[Dataset, ...]
    documents: tuple[tuple[str, Document], ...] | None

    @property
    def sight(self) -> Sight:
        """What its retrieval may see."""
        names = {each.id: each.name for each in self.datasets}
        documents = self.documents
        known = None if documents is None else {each.id: (of, each.name) for of, each in documents}
        return Sight(names, known, is_selected=self.is_selected)


def build_groups(
    datasets: Sequence[Dataset],
    documents: Mapping[str, Sequence[Document]],
    *,
    is_selected: bool,
) -> list[Group]:
    """Return the groups in the order of their first dataset; datasets without text are left out.

    Models are compared exactly: what some servers take for the same, others refuse to mix.
    """
    members: dict[tuple[str | None, bool], list[Dataset]] = {}
    for each in datasets:
        if each.chunk_count == 0 and each.id not in documents:
            continue
        members.setdefault((each.embedding_model, each.id in documents), []).append(each)
    return [
        Group(
            is_selected,
            tuple(group),
            tuple((each.id, document) for each in group for document in documents[each.id])
            if is_narrowed
            else None,
        )
        for (_, is_narrowed), group in members.items()
    ]


def check_groups(groups: Sequence[Group], wanted: Wanted) -> None:
    """Refuse a search that would take more retrievals than a server should bear.

    Raises:
        ProviderError: the datasets use too many embedding models; the operator's matter unless
            they were selected.
    """
    if len(groups) <= GROUP_COUNT_MAX:
        return
    what = f"one search would take more than {GROUP_COUNT_MAX} retrievals, one for each"
    if wanted.is_selected:
        raise refuse_scope(
            f"{what} embedding model of whole datasets and of single documents: select fewer"
        )
    raise ProviderConfigurationError(
        f"{NATIVE_SOURCE_PROVIDER}: {what} embedding model: name fewer in the setting datasets"
    )


async def search_each(
    client: Client, question: str, groups: Sequence[Group], settings: RagflowSettings
) -> list[RetrievalHit]:
    """Return the hits of all groups; the first group that fails is raised."""
    found = await gather(_search(client, question, group, settings) for group in groups)
    return _interleave(found, settings.page_size)


async def search_all(
    client: Client, question: str, groups: Sequence[Group], settings: RagflowSettings
) -> tuple[list[RetrievalHit], tuple[str, ...]]:
    """Return the hits of those groups that can be searched, and a note about the others.

    Raises:
        ProviderError: no group can be searched.
    """
    found = await gather(_try_search(client, question, group, settings) for group in groups)
    hits = [each for each in found if not isinstance(each, ProviderError)]
    failures = [each for each in found if isinstance(each, ProviderError)]
    if failures and not hits:
        raise failures[0]
    failed = sum(
        len(group.datasets)
        for group, each in zip(groups, found, strict=True)
        if isinstance(each, ProviderError)
    )
    total = sum(len(group.datasets) for group in groups)
    note = f"{failed} of {total} datasets could not be searched: what they hold is missing here."
    notes = (note,) if failed else ()
    return _interleave(hits, settings.page_size), notes


async def _try_search(
    client: Client, question: str, group: Group, settings: RagflowSettings
) -> list[RetrievalHit] | ProviderError:
    try:
        return await _search(client, question, group, settings)
    except ProviderError as error:
        _LOGGER.warning("datasets that are left out: %d; %s", len(group.datasets), error)
        return error


async def _search(
    client: Client, question: str, group: Group, settings: RagflowSettings
) -> list[RetrievalHit]:
    found = await client.retrieve(_body(question, group, settings))
    return read_hits(
        found, group.sight, count=settings.page_size, secrets=Secrets({settings.api_key})
    )


def _body(question: str, group: Group, settings: RagflowSettings) -> dict[str, Any]:
    rows = max(settings.page_size, _ROWS_MIN)
    body: dict[str, Any] = {
        "question": question,
        "dataset_ids": [each.id for each in group.datasets],
        "page": 1,
        "page_size": rows,
        "similarity_threshold": settings.similarity_threshold,
        "vector_similarity_weight": settings.vector_similarity_weight,
        "top_k": settings.top_k,
        "highlight": False,
        # Since 0.27.1 a server refuses more rows than candidates; older ones ignore the key.
        "rerank_candidates_count": max(_CANDIDATES_MIN, rows),
    }
    if group.documents is not None:
        body["document_ids"] = [each.id for _, each in group.documents]
    if settings.rerank_id is not None:
        body["rerank_id"] = settings.rerank_id
    if settings.keyword:
        body["keyword"] = True
    if settings.metadata_condition is not None:
        body["metadata_condition"] = settings.metadata_condition
    return body


def _interleave(found: Sequence[Sequence[RetrievalHit]], count: int) -> list[RetrievalHit]:
    """Return hits by rank, because scores of different models cannot be compared."""
    ranks: Iterator[tuple[RetrievalHit | None, ...]] = zip_longest(*found)
    return list(islice((hit for hit in chain.from_iterable(ranks) if hit is not None), count))
