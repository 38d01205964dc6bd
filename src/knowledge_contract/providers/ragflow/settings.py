"""What an operator sets for RAGFlow."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from knowledge_contract.errors import ProviderConfigurationError
from knowledge_contract.providers._base_url import parse_base_url
from knowledge_contract.retrieval import DEFAULT_LIMIT_CHARS
from knowledge_wire.constants import (
    EXCERPT_BLANKS,
    EXCERPT_MAX_LENGTH,
    EXCERPT_TOTAL_CHARS,
    NATIVE_SOURCE_PROVIDER,
    SCOPE_ID_MAX_LENGTH,
    SCOPE_SELECTED_DATASET_IDS_MAX_ITEMS,
)
from knowledge_wire.validators import is_scope_id

__all__ = ["RESULT_COUNT_MAX", "RagflowSettings", "refuse_setting"]

RESULT_COUNT_MAX = 100
"""Rows that the server gives at once, since 0.26."""

_KEY_CHARS = 4096
_TIMEOUT_MAX_S = 600.0
_TOP_K_MAX = 1024
_SEARCH_TIMEOUT_MAX_S = 3600.0


@dataclass(frozen=True, kw_only=True, slots=True)
class RagflowSettings:
    """How RAGFlow is asked, and how much of what it finds is shown.

    A setting out of its range is a `ProviderConfigurationError` that names it and never quotes
    it.

    Attributes:
        base_url: Address of the API, without `/api/v1`; no user name or password in it.
        api_key: Kept out of every text, error, log record and representation.
        datasets: Ids of the only datasets that are ever searched, 1 to 100, their blanks
            trimmed, each once; None: all that the key can see.
        timeout_s: Seconds for one request, more than 0 and at most 600.
        search_timeout_s: Seconds for one search with all of its requests, more than 0 and at
            most 3600.
        page_size: Hits of one search, 1 to 100.
        similarity_threshold: From 0 to 1; the server leaves out what is less similar.
        vector_similarity_weight: From 0 to 1; the share of vectors against that of words.
        top_k: Candidates that the server looks at, 1 to 1024; not the number of hits.
        excerpt_chars: Code points of one excerpt.
        limit_chars: Code points of a tool's whole text.
        rerank_id: A model at the server that orders the hits anew; one more model call.
        keyword: Let a model at the server find keywords in the question; one more model call.
        metadata_condition: RAGFlow's condition on documents' metadata, with at least one entry
            in `conditions`; needs RAGFlow 0.23, because older ones search everything when
            nothing fits. Servers leave it out of account where documents are selected, so
            that the provider then refuses such selections.
    """

    base_url: str = "http://localhost:9380"
    api_key: str = field(repr=False)
    datasets: Sequence[str] | None = None
    timeout_s: float = 30.0
    search_timeout_s: float = 120.0
    page_size: int = 8
    similarity_threshold: float = 0.2
    vector_similarity_weight: float = 0.3
    top_k: int = 256
    excerpt_chars: int = 800
    limit_chars: int = DEFAULT_LIMIT_CHARS
    rerank_id: str | None = None
    keyword: bool = False
    metadata_condition: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        changed = {
            "base_url": parse_base_url(NATIVE_SOURCE_PROVIDER, self.base_url),
            "api_key": _api_key(self.api_key),
            "datasets": _datasets(self.datasets),
            "metadata_condition": _condition(self.metadata_condition),
        }
        for name, value in changed.items():
            # The one way to set a field of a frozen record.
            object.__setattr__(self, name, value)
        _check_numbers(self)
        if not isinstance(self.keyword, bool):
            raise refuse_setting("keyword must be true or false")
        if self.rerank_id is not None and not is_scope_id(self.rerank_id):
            raise refuse_setting(
                f"rerank_id must be a text of 1 to {SCOPE_ID_MAX_LENGTH} characters"
            )


def refuse_setting(what: str) -> ProviderConfigurationError:
    """Return the error for a setting; `what` says what it must be."""
    return ProviderConfigurationError(f"{NATIVE_SOURCE_PROVIDER}: {what}")


def _api_key(key: object) -> str:
    text = key.strip() if isinstance(key, str) else ""
    if not text:
        raise refuse_setting("api_key is missing: make one in RAGFlow under API")
    if len(text) > _KEY_CHARS or not (text.isascii() and text.isprintable()) or " " in text:
        raise refuse_setting(f"api_key must be at most {_KEY_CHARS} characters of visible ASCII")
    return text


def _datasets(datasets: object) -> tuple[str, ...] | None:
    if datasets is None:
        return None
    if isinstance(datasets, str) or not isinstance(datasets, Sequence):
        raise refuse_setting("datasets must be a list of ids")
    if not datasets:
        raise refuse_setting("datasets is empty: name at least one, or leave it out for all")
    unique: dict[str, None] = {}
    for position, each in enumerate(datasets, 1):
        trimmed = each.strip(EXCERPT_BLANKS) if isinstance(each, str) else each
        if not is_scope_id(trimmed):
            raise refuse_setting(
                f"dataset {position} of datasets is no id of 1 to {SCOPE_ID_MAX_LENGTH} characters"
            )
        unique[trimmed] = None
    if len(unique) > SCOPE_SELECTED_DATASET_IDS_MAX_ITEMS:
        raise refuse_setting(
            f"datasets must hold at most {SCOPE_SELECTED_DATASET_IDS_MAX_ITEMS} ids"
        )
    return tuple(unique)


def _condition(condition: object) -> dict[str, Any] | None:
    if condition is None:
        return None
    entries = condition.get("conditions") if isinstance(condition, Mapping) else None
    if not isinstance(condition, Mapping) or not isinstance(entries, list) or not entries:
        # An empty list finds nothing, or everything, depending on the server's version.
        raise refuse_setting("metadata_condition must hold a list `conditions` that is not empty")
    try:
        # A copy, because the operator's own object may change later.
        copy: dict[str, Any] = json.loads(json.dumps(dict(condition), allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        raise refuse_setting("metadata_condition must be JSON") from None
    return copy


def _check_numbers(settings: RagflowSettings) -> None:
    _check_whole("page_size", settings.page_size, RESULT_COUNT_MAX)
    _check_whole("top_k", settings.top_k, _TOP_K_MAX)
    _check_whole("excerpt_chars", settings.excerpt_chars, EXCERPT_MAX_LENGTH)
    _check_whole("limit_chars", settings.limit_chars, EXCERPT_TOTAL_CHARS)
    _check_share("similarity_threshold", settings.similarity_threshold)
    _check_share("vector_similarity_weight", settings.vector_similarity_weight)
    _check_seconds("timeout_s", settings.timeout_s, _TIMEOUT_MAX_S)
    _check_seconds("search_timeout_s", settings.search_timeout_s, _SEARCH_TIMEOUT_MAX_S)


def _check_whole(name: str, value: object, most: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise refuse_setting(f"{name} must be a whole number from 1 to {most}")


def _check_share(name: str, value: float) -> None:
    if not (_is_number(value) and 0 <= value <= 1):
        raise refuse_setting(f"{name} must be a number from 0 to 1")


def _check_seconds(name: str, value: float, most: float) -> None:
    if not (_is_number(value) and 0 < value <= most):
        raise refuse_setting(f"{name} must be more than 0 and at most {most:g}")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
