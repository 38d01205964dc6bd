"""RAGFlow's HTTP API, read-only: its answers checked and typed.

An HTTP status of 200 means little there: errors are told by `code`, and up to 0.24 even a
missing key by code 0 with `data: false`. So status, code and the type of `data` are judged, in
this order, and the server's words never are.
"""

import logging
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias
from urllib.parse import quote

from knowledge_contract.errors import (
    ProviderAPIError,
    ProviderConfigurationError,
    ProviderProtocolError,
)
from knowledge_contract.providers._http import Answer, Request, Session
from knowledge_contract.providers._http_logs import printable
from knowledge_contract.providers.ragflow.settings import RESULT_COUNT_MAX
from knowledge_wire.constants import NATIVE_SOURCE_PROVIDER

__all__ = ["Client", "Dataset", "Document", "Found", "MissingError"]

Stage: TypeAlias = Literal["dataset", "datasets", "documents", "retrieval"]

_LOGGER = logging.getLogger(__name__)
_API = "/api/v1"
_CREDENTIALS_REFUSED = frozenset({109, 401, 403})
# Absent and forbidden look the same; 108 up to 0.24, 101 for what is no id at all.
_MISSING = frozenset({101, 102, 108, 404})
_SUCCESSES = range(200, 300)
_BUSY = frozenset({429, 502, 503, 504})
_DOING: dict[Stage, str] = {
    "dataset": "find a dataset",
    "datasets": "list datasets",
    "documents": "list documents",
    "retrieval": "search",
}
_CODE_DIGITS = 6


class MissingError(ProviderAPIError):
    """A dataset that is absent or out of the key's reach; never leaves the provider."""


class Dataset(NamedTuple):
    """A dataset that the key can see; without a name or a model these are empty.

    Attributes:
        chunk_count: None if the server does not say.
    """

    id: str
    name: str
    embedding_model: str
    chunk_count: int | None


class Document(NamedTuple):
    """A document of a dataset; searchable when it is enabled, completely parsed and has text."""

    id: str
    dataset_id: str | None
    name: str
    is_searchable: bool


class Found(NamedTuple):
    """What one retrieval gave, still unchecked.

    Attributes:
        chunks: As the server gave them, best first.
        titles: Documents' names by id, from the answer's summary.
    """

    chunks: list[object]
    titles: dict[str, str]


class Client:
    """One search's requests to RAGFlow."""

    def __init__(self, session: Session, *, secrets: frozenset[str]) -> None:
        self._session = session
        self._secrets = secrets

    async def fetch_dataset(self, dataset_id: str) -> Dataset:
        """Return one dataset.

        One id a request, because that is what every version understands.

        Raises:
            MissingError: it is absent or out of the key's reach.
        """
        rows = await self._fetch_datasets("dataset", ("id", dataset_id))
        for row in rows:
            if row.id == dataset_id:
                return row
        if rows:
            raise _misshapen()
        raise MissingError(f"{NATIVE_SOURCE_PROVIDER}: no such dataset", status=200)

    async def fetch_page(self, page: int) -> list[Dataset]:
        """Return one page of all datasets, from 1; it is full unless it is the last."""
        query = ("page", str(page)), ("page_size", str(RESULT_COUNT_MAX))
        return await self._fetch_datasets("datasets", *query)

    async def fetch_documents(self, dataset_id: str, ids: Sequence[str]) -> list[Document]:
        """Return at most 100 documents of a dataset by their ids.

        Servers before 0.25.1 ignore the ids, so that other documents may come back.

        Raises:
            MissingError: the dataset is absent or out of the key's reach.
        """
        query = [
            ("page", "1"),
            ("page_size", str(RESULT_COUNT_MAX)),
            *(("ids", each) for each in ids),
        ]
        path = f"{_API}/datasets/{quote(dataset_id, safe='')}/documents"
        data = await self._fetch(Request("GET", path, tuple(query)), "documents")
        rows = data.get("docs") if isinstance(data, dict) else None
        return [_document(row) for row in _rows(rows)]

    async def retrieve(self, body: dict[str, Any]) -> Found:
        """Return what a search found."""
        data = await self._fetch(Request("POST", f"{_API}/retrieval", body=body), "retrieval")
        if not isinstance(data, dict):
            raise _misshapen()
        return Found(_rows(data.get("chunks")), _titles(data.get("doc_aggs")))

    async def _fetch_datasets(self, stage: Stage, *query: tuple[str, str]) -> list[Dataset]:
        data = await self._fetch(Request("GET", f"{_API}/datasets", query), stage)
        return [_dataset(row) for row in _rows(data)]

    async def _fetch(self, request: Request, stage: Stage) -> object:
        """Return the `data` of a success."""
        answer = await self._session.fetch(request)
        document = answer.document if isinstance(answer.document, dict) else {}
        code = _code(document)
        data: object = document.get("data")
        if answer.status in _SUCCESSES and code == 0 and data is not False:
            return data
        words = printable(document.get("message", document.get("retmsg")), self._secrets)
        _LOGGER.warning(
            "%s: HTTP %d, code %s when asked to %s: %s",
            *(NATIVE_SOURCE_PROVIDER, answer.status, code, _DOING[stage], words),
        )
        raise _refusal(answer, code, stage)


def _code(document: dict[str, Any]) -> int | None:
    """Return the server's code; `retcode` is what 0.13 called it."""
    code = document.get("code", document.get("retcode"))
    if isinstance(code, str) and code.isascii() and code.isdecimal() and len(code) <= _CODE_DIGITS:
        code = int(code)
    if not isinstance(code, int) or isinstance(code, bool) or abs(code) >= 10**_CODE_DIGITS:
        return None
    return code


def _refusal(answer: Answer, code: int | None, stage: Stage) -> Exception:
    """Return the error for an answer, judged by the stage that it came in, never by its words."""
    status = answer.status
    is_old_refusal = status in _SUCCESSES and code == 0
    if status in (401, 403) or code in _CREDENTIALS_REFUSED or is_old_refusal:
        # It says the same when the vendor of one of its models refuses a key of the server's.
        hint = ", and check its models' keys" if stage == "retrieval" else ""
        return ProviderConfigurationError(
            f"{NATIVE_SOURCE_PROVIDER}: the server refuses the credentials: set api_key to one"
            f" that is valid there{hint}"
        )
    if status == 404:  # noqa: PLR2004 - the HTTP status
        return ProviderConfigurationError(
            f"{NATIVE_SOURCE_PROVIDER}: there is no such API: set base_url to RAGFlow's address,"
            " without /api/v1"
        )
    if status in _SUCCESSES and code is None:
        return _misshapen()
    what = f"the server could not {_DOING[stage]} (code {code})"
    if status in _BUSY:
        what = f"the server is busy or starting (HTTP {status})"
    elif status not in _SUCCESSES:
        what = f"the server failed (HTTP {status})"
    is_missing = status in _SUCCESSES and code in _MISSING and stage in ("dataset", "documents")
    kind = MissingError if is_missing else ProviderAPIError
    # A long question can be too much for the search engine.
    advice = "ask something shorter, " if stage == "retrieval" and status in _SUCCESSES else ""
    sentence = f"{what}: {advice}try again later, or ask its administrator"
    return kind(f"{NATIVE_SOURCE_PROVIDER}: {sentence}", status, code)


def _misshapen() -> ProviderProtocolError:
    return ProviderProtocolError(
        f"{NATIVE_SOURCE_PROVIDER}: the answer has not the shape of RAGFlow's API: check base_url"
        " and the server's version"
    )


def _rows(rows: object) -> list[object]:
    if not isinstance(rows, list):
        raise _misshapen()
    return rows


def _dataset(row: object) -> Dataset:
    if not isinstance(row, dict):
        raise _misshapen()
    models = (_text(row.get(key)) for key in ("embedding_model", "embedding_model_name", "embd_id"))
    return Dataset(
        id=_id(row),
        name=_text(row.get("name")),
        embedding_model=next(filter(None, models), ""),
        chunk_count=_count(row.get("chunk_count", row.get("chunk_num"))),
    )


def _document(row: object) -> Document:
    if not isinstance(row, dict):
        raise _misshapen()
    dataset_id = row.get("dataset_id", row.get("kb_id"))
    count = _count(row.get("chunk_count", row.get("chunk_num"))) or 0
    return Document(
        id=_id(row),
        dataset_id=None if dataset_id is None else _text(dataset_id),
        name=_text(row.get("name")),
        is_searchable=row.get("run") == "DONE" and row.get("status") == "1" and count > 0,
    )


def _id(row: dict[str, Any]) -> str:
    if not _text(row.get("id")):
        raise _misshapen()
    return _text(row["id"])


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _titles(summary: object) -> dict[str, str]:
    """Return names by document id; the summary is a list, or an object whose keys are names.

    Documents that share a name share an entry there, so that it is never looked up by name.
    """
    entries: list[tuple[object, object]] = []
    if isinstance(summary, list):
        entries = [(each, each.get("doc_name")) for each in summary if isinstance(each, dict)]
    elif isinstance(summary, dict):
        entries = [(each, name) for name, each in summary.items()]
    titles: dict[str, str] = {}
    for each, name in entries:
        document_id = each.get("doc_id") if isinstance(each, dict) else None
        if _text(document_id) and _text(name):
            titles.setdefault(_text(document_id), _text(name))
    return titles
