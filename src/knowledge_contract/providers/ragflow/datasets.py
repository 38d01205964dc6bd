"""Find the datasets of a search at the server, by id: their names may change."""

import logging

from knowledge_contract.errors import (
    ProviderConfigurationError,
    ProviderError,
    ProviderProtocolError,
)
from knowledge_contract.providers._http import gather
from knowledge_contract.providers.ragflow.client import Client, Dataset, MissingError
from knowledge_contract.providers.ragflow.scope import Wanted, refuse_scope
from knowledge_contract.providers.ragflow.settings import RESULT_COUNT_MAX
from knowledge_wire.constants import NATIVE_SOURCE_PROVIDER

__all__ = ["resolve_datasets"]

_LOGGER = logging.getLogger(__name__)
_PAGE_COUNT_MAX = 100


async def resolve_datasets(client: Client, wanted: Wanted) -> list[Dataset]:
    """Return every wanted dataset, in order.

    Raises:
        ProviderConfigurationError: a dataset that the operator named is missing; said by its
            position, from 1, because an id tells a reader nothing.
        ProviderError: a selected dataset is missing, or the server cannot be asked.
    """
    ids = wanted.dataset_ids
    if ids is None:
        return await _fetch_all(client)
    jobs = (_resolve(client, wanted, ids, position) for position in range(len(ids)))
    return await gather(jobs)


async def _resolve(client: Client, wanted: Wanted, ids: tuple[str, ...], position: int) -> Dataset:
    try:
        return await client.fetch_dataset(ids[position])
    except MissingError:
        _LOGGER.warning("%s: dataset %r is missing", NATIVE_SOURCE_PROVIDER, ids[position])
    raise _missing(wanted, f"{position + 1} of {len(ids)}")


def _missing(wanted: Wanted, which: str) -> ProviderError:
    if wanted.is_selected:
        return refuse_scope(f"selected dataset {which} is no longer available: select again")
    return ProviderConfigurationError(
        f"{NATIVE_SOURCE_PROVIDER}: dataset {which} of the setting datasets does not exist, or"
        " api_key cannot see it: correct the setting"
    )


async def _fetch_all(client: Client) -> list[Dataset]:
    """Return all datasets; what the server says about their number is not relied on."""
    found: dict[str, Dataset] = {}
    # The page behind the last one that is allowed tells whether there are more.
    for page in range(1, _PAGE_COUNT_MAX + 2):
        rows = await client.fetch_page(page)
        if page > _PAGE_COUNT_MAX and rows:
            break
        before = len(found)
        for row in rows:
            found.setdefault(row.id, row)
        if len(rows) < RESULT_COUNT_MAX:
            return list(found.values())
        if len(found) == before:
            raise ProviderProtocolError(
                f"{NATIVE_SOURCE_PROVIDER}: the server gives the same datasets on every page: name"
                " those to search in the setting datasets"
            )
    raise ProviderConfigurationError(
        f"{NATIVE_SOURCE_PROVIDER}: there are more than {_PAGE_COUNT_MAX * RESULT_COUNT_MAX}"
        " datasets: name those to search in the setting datasets"
    )
