"""The two forms in which hits are recorded: shared, and native for complete RAGFlow results.

Source:
    contracts/README.md, "Forms of an artifact" and "Producing".
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from knowledge_contract._text import cut_text
from knowledge_contract.citation import native_handle, shared_handle
from knowledge_contract.errors import ContractError
from knowledge_contract.retrieval import RetrievalHit
from knowledge_wire.constants import (
    CONTRACT_FILE,
    EXCERPT_MAX_LENGTH,
    ID_DIGITS,
    KNOWLEDGE_SOURCES_ENVELOPE_KNOWLEDGE_SOURCES_VERSION,
    NATIVE_SNAPSHOT_VERSION,
    NATIVE_SOURCE_PROVIDER,
    NATIVE_TEXT_MAX_LENGTH,
)
from knowledge_wire.identity import source_id
from knowledge_wire.types import KnowledgeSource, NativeSource
from knowledge_wire.validators import check_knowledge_source, is_native_source

__all__ = [
    "Form",
    "Record",
    "build_artifact",
    "native_form",
    "project_native",
    "project_shared",
    "shared_form",
]

Record: TypeAlias = dict[str, Any]

_ELLIPSIS = "\u2026"


class Form(NamedTuple):
    """How a result's hits are recorded.

    Attributes:
        records: One for each hit that can be cited, None for the others; the id of a native
            record is only known once its position is.
        excerpt_key: Where a record keeps the text that is displayed.
        seal: Takes a record and its position, from 1, and returns it complete.
        handle: Takes a complete record and its position, and returns its handle.
        envelope: Takes the displayed records, at least one, and returns the artifact's keys.
    """

    records: list[Record | None]
    excerpt_key: str
    seal: Callable[[Record, int], Record]
    handle: Callable[[Record, int], str]
    envelope: Callable[[list[Record]], dict[str, Any]]


def shared_form(provider: str, hits: Sequence[RetrievalHit], excerpt_chars: int) -> Form:
    """Return the form of every provider.

    Raises:
        ContractError: the provider's name cannot be carried.
    """
    limit = min(excerpt_chars, EXCERPT_MAX_LENGTH)
    return Form(
        records=[_shared_record(provider, hit, limit) for hit in hits],
        excerpt_key="excerpt",
        seal=lambda record, _: record,
        handle=lambda record, _: shared_handle(record["id"], record["title"]),
        envelope=lambda records: build_artifact(shared=records, native=[]),
    )


def native_form(
    provider: str, hits: Sequence[RetrievalHit], excerpt_chars: int, retrieval_id: str
) -> Form | None:
    """Return RAGFlow's own form; None unless every hit with text has complete locators."""
    limit = min(excerpt_chars, NATIVE_TEXT_MAX_LENGTH)
    records = [_native_record(hit, limit) for hit in hits]
    complete = all(
        record is not None and is_native_source({"id": f"{retrieval_id}-1", **record})
        for hit, record in zip(hits, records, strict=True)
        if hit.text
    )
    if provider != NATIVE_SOURCE_PROVIDER or not complete:
        return None
    return Form(
        records=records,
        excerpt_key="text",
        seal=lambda record, position: {"id": f"{retrieval_id}-{position}", **record},
        handle=lambda record, position: native_handle(record["id"], position),
        envelope=lambda records: build_artifact(shared=[], native=records),
    )


def build_artifact(*, shared: list[Record], native: list[Record]) -> dict[str, Any]:
    """Return the reserved keys for records of either form or of both; empty if there are none."""
    artifact: dict[str, Any] = {}
    if shared:
        version = KNOWLEDGE_SOURCES_ENVELOPE_KNOWLEDGE_SOURCES_VERSION
        artifact["knowledge_sources_version"] = version
        artifact["retrieval_sources" if native else "knowledge_sources"] = shared
    if native:
        artifact["knowledge_sources"] = {"version": NATIVE_SNAPSHOT_VERSION, "sources": native}
    return artifact


def project_shared(record: Mapping[str, object]) -> Record:
    """Return a copy of a shared record with the contract's fields only, in their order."""
    return {key: record[key] for key in KnowledgeSource.__annotations__ if key in record}


def project_native(record: Mapping[str, Any]) -> Record:
    """Return a copy of a native record with the contract's fields only, in their order."""
    copied = {key: record[key] for key in NativeSource.__annotations__ if key in record}
    if "pages" in copied:
        copied["pages"] = list(copied["pages"])
    return copied


def _shared_record(provider: str, hit: RetrievalHit, limit_chars: int) -> Record | None:
    # An edge's description is a fact of the graph, never a quotation of a document.
    if hit.title is None or hit.evidence is not None or not hit.text:
        return None
    record: Record = {"provider": provider, "title": hit.title}
    record["excerpt"] = cut_text(hit.text, limit_chars)
    for key in ("dataset_name", "url", "page"):
        if (value := getattr(hit, key)) is not None:
            record[key] = value
    # The id is only defined for what is valid, so all else is judged first.
    problems = check_knowledge_source({"id": "0" * ID_DIGITS, **record})
    if problems:
        raise ContractError(CONTRACT_FILE.removesuffix(".json"), *problems[0])
    return {"id": source_id(record), **record}


def _native_record(hit: RetrievalHit, limit_chars: int) -> Record | None:
    if hit.locators is None or hit.evidence is not None or not hit.text:
        return None
    truncated = len(hit.text) > limit_chars
    text = f"{cut_text(hit.text, limit_chars - 1)}{_ELLIPSIS}" if truncated else hit.text
    return {
        "provider": NATIVE_SOURCE_PROVIDER,
        "dataset_id": hit.locators.dataset_id,
        "document_id": hit.locators.document_id,
        "chunk_id": hit.locators.chunk_id,
        "dataset_name": hit.dataset_name,
        "document_name": hit.title,
        "text": text,
        "truncated": truncated,
        "pages": list(hit.locators.pages),
    }
