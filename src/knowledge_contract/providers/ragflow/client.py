"""RAGFlow's HTTP API, read-only: its answers checked and typed.

An HTTP status of 200 means little there: errors are told by `code`, and up to 0.24 even a
missing key by code 0 with `data: false`. So status, code and the type of `data` are judged, in
this order, and the server's words never are.
"""

import logging
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias
from urllib.parse import quote

from knowledge_contract._text import cut_text, normalize_line
from knowledge_contract.errors import (
    ProviderAPIError,
    ProviderConfigurationError,
    ProviderProtocolError,
)
from knowledge_contract.providers._http import BUSY, SUCCESSES, Answer, Request, Session
from knowledge_contract.providers._http_logs import printable
from knowledge_contract.providers._secrets import Secrets
from knowledge_contract.providers.ragflow.settings import RESULT_COUNT_MAX
from knowledge_contract.redaction import redactor
from knowledge_wire.constants import (
    NATIVE_NAME_MAX_LENGTH,
    NATIVE_NAME_READ_MAX_LENGTH,
    NATIVE_SOURCE_PROVIDER,
)
from knowledge_wire.validators import is_native_locator

__all__ = ["Client", "Dataset", "Document", "Found", "MissingError"]

Stage: TypeAlias = Literal["dataset", "datasets", "documents", "retrieval"]

_LOGGER = logging.getLogger(__name__)
_API = "/api/v1"
_CREDENTIALS_REFUSED = frozenset({109, 401, 403})
# Absent and forbidden look the same; 108 up to 0.24, 101 for what is no id at all.
_MISSING = frozenset({101, 102, 108, 404})
# One that is absent or foreign, models that differ, a wrong argument.
_ARGUMENT_REFUSED = frozenset({101, 102, 108})
_DOING: dict[Stage, str] = {
    "dataset": "find a dataset",
    "datasets": "list datasets",
    "documents": "list documents",
    "retrieval": "search",
}
_CODE_DIGITS = 6
_TRY_AGAIN = "try again later, or ask its administrator"
# Beyond it what stands there is no name; a shorter one is redacted before it is cut.
_NAME_CHARS = 16 * NATIVE_NAME_READ_MAX_LENGTH


class MissingError(ProviderAPIError):
    """A dataset that is absent or out of the key's reach; never leaves the provider."""


class Dataset(NamedTuple):
    """A dataset that the key can see; what the server does not say is None.

    Attributes:
        name: Normalised, redacted, and cut to what can be shown.
    """

    id: str
    name: str | None
    embedding_model: str | None
    chunk_count: int | None


class Document(NamedTuple):
    """A document of a dataset; searchable when it is enabled, completely parsed and has text."""

    id: str
    dataset_id: str | None
    name: str | None
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

    def __init__(self, session: Session, *, secrets: Secrets) -> None:
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
        """Return one page of all datasets, from 1; it is full unless it is the last.

        Raises:
            ProviderProtocolError: it holds more than was asked for.
        """
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
        return [_document(row) for row in _page(rows)]

    async def retrieve(self, body: dict[str, Any]) -> Found:
        """Return what a search found."""
        data = await self._fetch(Request("POST", f"{_API}/retrieval", body=body), "retrieval")
        if not isinstance(data, dict):
            raise _misshapen()
        return Found(_rows(data.get("chunks")), _titles(data.get("doc_aggs")))

    async def _fetch_datasets(self, stage: Stage, *query: tuple[str, str]) -> list[Dataset]:
        data = await self._fetch(Request("GET", f"{_API}/datasets", query), stage)
        return [_dataset(row, self._secrets) for row in _page(data)]

    async def _fetch(self, request: Request, stage: Stage) -> object:
        """Return the `data` of a success."""
        answer = await self._session.fetch(request)
        document = answer.document if isinstance(answer.document, dict) else {}
        code = _code(document)
        data: object = document.get("data")
        if answer.status in SUCCESSES and code == 0 and data is not False:
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
    is_old_refusal = status in SUCCESSES and code == 0
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
    if status in SUCCESSES and code is None:
        return _misshapen()
    what = f"the server could not {_DOING[stage]} (code {code})"
    if status in BUSY:
        what = f"the server is busy or starting (HTTP {status})"
    elif status not in SUCCESSES:
        what = f"the server failed (HTTP {status})"
    is_missing = status in SUCCESSES and code in _MISSING and stage in ("dataset", "documents")
    kind = MissingError if is_missing else ProviderAPIError
    advice = _advice(code) if stage == "retrieval" and status in SUCCESSES else _TRY_AGAIN
    return kind(f"{NATIVE_SOURCE_PROVIDER}: {what}: {advice}", status, code)


def _advice(code: int | None) -> str:
    """Return what to do about a question that was understood and refused."""
    if code in _ARGUMENT_REFUSED:
        return (
            "check the settings datasets, rerank_id and metadata_condition, and whether the"
            " datasets' models can be mixed"
        )
    # A long question can be too much for the search engine.
    return f"ask something shorter, {_TRY_AGAIN}"


def _misshapen() -> ProviderProtocolError:
    return ProviderProtocolError(
        f"{NATIVE_SOURCE_PROVIDER}: the answer has not the shape of RAGFlow's API: check base_url"
        " and the server's version"
    )


def _rows(rows: object) -> list[object]:
    if not isinstance(rows, list):
        raise _misshapen()
    return rows


def _page(rows: object) -> list[object]:
    """Return the rows of a page that was asked for with its size."""
    page = _rows(rows)
    if len(page) > RESULT_COUNT_MAX:
        raise ProviderProtocolError(
            f"{NATIVE_SOURCE_PROVIDER}: the server gives more rows than the"
            f" {RESULT_COUNT_MAX} that it was asked for: check base_url and the server's version"
        )
    return page


def _dataset(row: object, secrets: Secrets) -> Dataset:
    if not isinstance(row, dict):
        raise _misshapen()
    models = (_text(row.get(key)) for key in ("embedding_model", "embedding_model_name", "embd_id"))
    model = next(filter(None, models), None)
    if model is not None and len(model) > NATIVE_NAME_READ_MAX_LENGTH:
        raise _misshapen()
    return Dataset(
        id=_id(row),
        name=_name(row.get("name"), secrets),
        embedding_model=model,
        chunk_count=_count(row.get("chunk_count", row.get("chunk_num"))),
    )


def _document(row: object) -> Document:
    if not isinstance(row, dict):
        raise _misshapen()
    dataset_id = row.get("dataset_id", row.get("kb_id"))
    count = _count(row.get("chunk_count", row.get("chunk_num"))) or 0
    return Document(
        id=_id(row),
        # What is no text is no dataset that was selected either.
        dataset_id=None if dataset_id is None else _text(dataset_id) or "",
        name=_text(row.get("name")),
        is_searchable=row.get("run") == "DONE" and row.get("status") == "1" and count > 0,
    )


def _id(row: dict[str, Any]) -> str:
    value = row.get("id")
    if not is_native_locator(value):
        raise _misshapen()
    return value


def _name(value: object, secrets: Secrets) -> str | None:
    name = _text(value)
    if name is None:
        return None
    return cut_text(redactor(secrets)(normalize_line(name)), NATIVE_NAME_MAX_LENGTH) or None


def _text(value: object) -> str | None:
    """Return a name or an id; None if it is none."""
    return value if isinstance(value, str) and 0 < len(value) <= _NAME_CHARS else None


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
        document_id = _text(each.get("doc_id")) if isinstance(each, dict) else None
        title = _text(name)
        if document_id is not None and title is not None and normalize_line(title):
            titles.setdefault(document_id, title)
    return titles
