# Generated from contracts/knowledge_sources.v1.json
# (sha256 47dd16b0af101452ab3a2e7479cab06133a7c6f135de06ea7c039bb4855513f4).
# Do not edit: change the contract or codegen/, then run `knowledge-contract generate`.
"""Judge already-parsed values against the contract.

`check_x(value)` returns every problem, at most one for each value in it, in the contract's order;
`is_x(value)` only tells whether there is none. Neither changes anything, nor raises for any
value that a parser or a store gives back.
Containers must be exactly `dict` and `list`, texts exactly `str`; a boolean is not a number.
An empty tuple of problems means valid by the schema: ids, presence and totals are the reader's.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, TypeGuard

from knowledge_wire import types
from knowledge_wire.parsing import Problem, is_well_formed

__all__ = [
    "CHECKS",
    "Problem",
    "check_dataset_label",
    "check_document_filter",
    "check_document_label",
    "check_knowledge_capabilities",
    "check_knowledge_scope",
    "check_knowledge_source",
    "check_knowledge_sources_envelope",
    "check_native_snapshot",
    "check_native_snapshot_read",
    "check_native_source",
    "check_native_source_read",
    "check_scope_all",
    "check_scope_disabled",
    "check_scope_display",
    "check_scope_selected",
    "check_task_artifact",
    "is_dataset_label",
    "is_document_filter",
    "is_document_label",
    "is_knowledge_capabilities",
    "is_knowledge_scope",
    "is_knowledge_source",
    "is_knowledge_sources_envelope",
    "is_native_snapshot",
    "is_native_snapshot_read",
    "is_native_source",
    "is_native_source_read",
    "is_scope_all",
    "is_scope_disabled",
    "is_scope_display",
    "is_scope_selected",
    "is_task_artifact",
]

_SOURCE_ID = re.compile(r"^[0-9a-f]{32}\Z")
_PROVIDER_NAME = re.compile(r"^[a-z0-9][a-z0-9_\-]*\Z")
_ONE_LINE = re.compile(
    r"^[\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff]*[^\u0020\u00a0\u1680\u2000-\u200a"
    r"\u202f\u205f\u3000\ufeff\u0000-\u001f\u007f-\u009f\u2028\u2029][^\u0000-\u001f\u007f-\u009f"
    r"\u2028\u2029]*\Z"
)
_EXCERPT = re.compile(
    r"^[\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff\u0009-\u000d\u0085\u2028\u2029]*[^"
    r"\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff\u0009-\u000d\u0085\u2028\u2029\u0000"
    r"][^\u0000]*\Z"
)
_WEB_URL = re.compile(
    r"^https?://([A-Za-z0-9][A-Za-z0-9\-._~%]*|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?([/?#][A-Za-z0-9\-"
    r"._~:/?#@!\$&'()*+,;=%]*)?\Z"
)
_NATIVE_ID = re.compile(r"^[a-f0-9]{32}-[1-9][0-9]{0,2}\Z")
_NATIVE_NAME = re.compile(
    r"[^\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff\u0009-\u000d\u0085\u2028\u2029]"
)
_NATIVE_NAME_READ = re.compile(
    r"[^\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff\u0009-\u000d\u0085\u2028\u2029]"
)
_NATIVE_TEXT = re.compile(
    r"[^\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff\u0009-\u000d\u0085\u2028\u2029]"
)
_SCOPE_ID = re.compile(
    r"[^\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff\u0009-\u000d\u0085\u2028\u2029]"
)
_SCOPE_LABEL = re.compile(
    r"[^\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff\u0009-\u000d\u0085\u2028\u2029]"
)

_Problems = Callable[[object, str], Iterator[Problem]]


def _matches(pattern: re.Pattern[str], text: str) -> bool:
    return is_well_formed(text) and pattern.search(text) is not None


def _text(
    value: object, at: str, least: int, most: int, pattern: re.Pattern[str] | None
) -> Iterator[Problem]:
    if type(value) is not str:
        yield Problem(at, "type")
    elif not is_well_formed(value):
        yield Problem(at, "unicode")
    elif len(value) < least:
        yield Problem(at, "minLength")
    elif len(value) > most:
        yield Problem(at, "maxLength")
    elif pattern is not None and pattern.search(value) is None:
        yield Problem(at, "pattern")


def _integer(value: object, at: str, minimum: int, maximum: int) -> Iterator[Problem]:
    if type(value) is not int and not (type(value) is float and value.is_integer()):
        yield Problem(at, "type")
    elif value < minimum:
        yield Problem(at, "minimum")
    elif value > maximum:
        yield Problem(at, "maximum")


def _boolean(value: object, at: str) -> Iterator[Problem]:
    if type(value) is not bool:
        yield Problem(at, "type")


def _constant(value: object, at: str, expected: int | str) -> Iterator[Problem]:
    # Types are compared by identity: a foreign type may define equality of its own.
    kind = type(value)
    if not (kind is int or kind is float or kind is str) or value != expected:
        yield Problem(at, "const")


def _choice(value: object, at: str, values: frozenset[str]) -> Iterator[Problem]:
    if type(value) is not str or value not in values:
        yield Problem(at, "enum")


def _list(value: object, at: str, least: int, most: int, item: _Problems) -> Iterator[Problem]:
    if type(value) is not list:
        yield Problem(at, "type")
    elif len(value) < least:
        yield Problem(at, "minItems")
    elif len(value) > most:
        yield Problem(at, "maxItems")
    else:
        for index, each in enumerate(value):
            yield from item(each, f"{at}/{index}")


def _source_id_problems(value: object, at: str) -> Iterator[Problem]:
    return _text(value, at, 32, 32, _SOURCE_ID)


def _provider_name_problems(value: object, at: str) -> Iterator[Problem]:
    return _text(value, at, 1, 64, _PROVIDER_NAME)


def _one_line_problems(value: object, at: str) -> Iterator[Problem]:
    return _text(value, at, 1, 512, _ONE_LINE)


def _excerpt_problems(value: object, at: str) -> Iterator[Problem]:
    return _text(value, at, 1, 100_000, _EXCERPT)


def _web_url_problems(value: object, at: str) -> Iterator[Problem]:
    return _text(value, at, 9, 2_048, _WEB_URL)


def _page_problems(value: object, at: str) -> Iterator[Problem]:
    return _integer(value, at, 1, 1_000_000)


def _native_id_problems(value: object, at: str) -> Iterator[Problem]:
    return _text(value, at, 34, 36, _NATIVE_ID)


def _native_locator_problems(value: object, at: str) -> Iterator[Problem]:
    return _text(value, at, 1, 256, None)


def _native_name_problems(value: object, at: str) -> Iterator[Problem]:
    return _text(value, at, 1, 512, _NATIVE_NAME)


def _native_name_read_problems(value: object, at: str) -> Iterator[Problem]:
    return _text(value, at, 1, 1_024, _NATIVE_NAME_READ)


def _native_text_problems(value: object, at: str) -> Iterator[Problem]:
    return _text(value, at, 1, 200_000, _NATIVE_TEXT)


def _scope_id_problems(value: object, at: str) -> Iterator[Problem]:
    return _text(value, at, 1, 256, _SCOPE_ID)


def _scope_label_problems(value: object, at: str) -> Iterator[Problem]:
    return _text(value, at, 1, 256, _SCOPE_LABEL)


_KNOWLEDGE_SOURCE_KEYS = frozenset(["id", "provider", "title", "excerpt", "dataset_name", "url", "page"])


def _knowledge_source_problems(value: object, at: str) -> Iterator[Problem]:
    if type(value) is not dict:
        yield Problem(at, "type")
        return
    if "id" in value:
        yield from _source_id_problems(value["id"], f"{at}/id")
    else:
        yield Problem(f"{at}/id", "required")
    if "provider" in value:
        yield from _provider_name_problems(value["provider"], f"{at}/provider")
    else:
        yield Problem(f"{at}/provider", "required")
    if "title" in value:
        yield from _one_line_problems(value["title"], f"{at}/title")
    else:
        yield Problem(f"{at}/title", "required")
    if "excerpt" in value:
        yield from _excerpt_problems(value["excerpt"], f"{at}/excerpt")
    else:
        yield Problem(f"{at}/excerpt", "required")
    if "dataset_name" in value:
        yield from _one_line_problems(value["dataset_name"], f"{at}/dataset_name")
    if "url" in value:
        yield from _web_url_problems(value["url"], f"{at}/url")
    if "page" in value:
        yield from _page_problems(value["page"], f"{at}/page")
    if not value.keys() <= _KNOWLEDGE_SOURCE_KEYS:
        yield Problem(at, "additionalProperties")


_NATIVE_SOURCE_KEYS = frozenset(["id", "provider", "dataset_id", "document_id", "chunk_id", "dataset_name", "document_name", "text", "truncated", "pages"])


def _native_source_problems(value: object, at: str) -> Iterator[Problem]:
    if type(value) is not dict:
        yield Problem(at, "type")
        return
    if "id" in value:
        yield from _native_id_problems(value["id"], f"{at}/id")
    else:
        yield Problem(f"{at}/id", "required")
    if "provider" in value:
        yield from _constant(value["provider"], f"{at}/provider", "ragflow")
    else:
        yield Problem(f"{at}/provider", "required")
    if "dataset_id" in value:
        yield from _native_locator_problems(value["dataset_id"], f"{at}/dataset_id")
    else:
        yield Problem(f"{at}/dataset_id", "required")
    if "document_id" in value:
        yield from _native_locator_problems(value["document_id"], f"{at}/document_id")
    else:
        yield Problem(f"{at}/document_id", "required")
    if "chunk_id" in value:
        yield from _native_locator_problems(value["chunk_id"], f"{at}/chunk_id")
    else:
        yield Problem(f"{at}/chunk_id", "required")
    if "dataset_name" in value:
        yield from _native_name_problems(value["dataset_name"], f"{at}/dataset_name")
    else:
        yield Problem(f"{at}/dataset_name", "required")
    if "document_name" in value:
        yield from _native_name_problems(value["document_name"], f"{at}/document_name")
    else:
        yield Problem(f"{at}/document_name", "required")
    if "text" in value:
        yield from _native_text_problems(value["text"], f"{at}/text")
    else:
        yield Problem(f"{at}/text", "required")
    if "truncated" in value:
        yield from _boolean(value["truncated"], f"{at}/truncated")
    else:
        yield Problem(f"{at}/truncated", "required")
    if "pages" in value:
        yield from _list(value["pages"], f"{at}/pages", 0, 100, _page_problems)
    else:
        yield Problem(f"{at}/pages", "required")
    if not value.keys() <= _NATIVE_SOURCE_KEYS:
        yield Problem(at, "additionalProperties")


def _native_source_read_problems(value: object, at: str) -> Iterator[Problem]:
    if type(value) is not dict:
        yield Problem(at, "type")
        return
    if "id" in value:
        yield from _native_id_problems(value["id"], f"{at}/id")
    else:
        yield Problem(f"{at}/id", "required")
    if "provider" in value:
        yield from _constant(value["provider"], f"{at}/provider", "ragflow")
    else:
        yield Problem(f"{at}/provider", "required")
    if "dataset_id" in value:
        yield from _native_locator_problems(value["dataset_id"], f"{at}/dataset_id")
    if "document_id" in value:
        yield from _native_locator_problems(value["document_id"], f"{at}/document_id")
    if "chunk_id" in value:
        yield from _native_locator_problems(value["chunk_id"], f"{at}/chunk_id")
    if "dataset_name" in value:
        yield from _native_name_read_problems(value["dataset_name"], f"{at}/dataset_name")
    if "document_name" in value:
        yield from _native_name_read_problems(value["document_name"], f"{at}/document_name")
    else:
        yield Problem(f"{at}/document_name", "required")
    if "text" in value:
        yield from _native_text_problems(value["text"], f"{at}/text")
    else:
        yield Problem(f"{at}/text", "required")
    if "truncated" in value:
        yield from _boolean(value["truncated"], f"{at}/truncated")
    if "pages" in value:
        yield from _list(value["pages"], f"{at}/pages", 0, 100, _page_problems)


_NATIVE_SNAPSHOT_KEYS = frozenset(["version", "sources", "omitted_count"])


def _native_snapshot_problems(value: object, at: str) -> Iterator[Problem]:
    if type(value) is not dict:
        yield Problem(at, "type")
        return
    if "version" in value:
        yield from _constant(value["version"], f"{at}/version", 1)
    else:
        yield Problem(f"{at}/version", "required")
    if "sources" in value:
        yield from _list(value["sources"], f"{at}/sources", 0, 100, _native_source_problems)
    else:
        yield Problem(f"{at}/sources", "required")
    if "omitted_count" in value:
        yield from _integer(value["omitted_count"], f"{at}/omitted_count", 0, 1_000_000)
    if not value.keys() <= _NATIVE_SNAPSHOT_KEYS:
        yield Problem(at, "additionalProperties")


def _native_snapshot_read_problems(value: object, at: str) -> Iterator[Problem]:
    if type(value) is not dict:
        yield Problem(at, "type")
        return
    if "version" in value:
        yield from _constant(value["version"], f"{at}/version", 1)
    else:
        yield Problem(f"{at}/version", "required")
    if "sources" in value:
        yield from _list(value["sources"], f"{at}/sources", 0, 100, _native_source_read_problems)
    else:
        yield Problem(f"{at}/sources", "required")
    if "omitted_count" in value:
        yield from _integer(value["omitted_count"], f"{at}/omitted_count", 0, 1_000_000)


def _task_artifact_problems(value: object, at: str) -> Iterator[Problem]:
    if type(value) is not dict:
        yield Problem(at, "type")
        return
    if "knowledge_sources_version" in value:
        yield from _constant(value["knowledge_sources_version"], f"{at}/knowledge_sources_version", 1)
    else:
        yield Problem(f"{at}/knowledge_sources_version", "required")
    if "retrieval_sources" in value:
        yield from _list(value["retrieval_sources"], f"{at}/retrieval_sources", 0, 100, _knowledge_source_problems)
    else:
        yield Problem(f"{at}/retrieval_sources", "required")
    if "knowledge_sources" in value:
        yield from _native_snapshot_read_problems(value["knowledge_sources"], f"{at}/knowledge_sources")


_KNOWLEDGE_CAPABILITIES_OPERATIONS_VALUES = frozenset(
    ["search", "sources", "catalog", "documents", "dataset_filter", "document_filter", "relations_search"]
)


def _knowledge_capabilities_operations_item(value: object, at: str) -> Iterator[Problem]:
    return _choice(value, at, _KNOWLEDGE_CAPABILITIES_OPERATIONS_VALUES)


_KNOWLEDGE_CAPABILITIES_KEYS = frozenset(["operations"])


def _knowledge_capabilities_problems(value: object, at: str) -> Iterator[Problem]:
    if type(value) is not dict:
        yield Problem(at, "type")
        return
    if "operations" in value:
        yield from _list(value["operations"], f"{at}/operations", 0, 7, _knowledge_capabilities_operations_item)
    else:
        yield Problem(f"{at}/operations", "required")
    if not value.keys() <= _KNOWLEDGE_CAPABILITIES_KEYS:
        yield Problem(at, "additionalProperties")


_DOCUMENT_FILTER_KEYS = frozenset(["dataset_id", "document_ids"])


def _document_filter_problems(value: object, at: str) -> Iterator[Problem]:
    if type(value) is not dict:
        yield Problem(at, "type")
        return
    if "dataset_id" in value:
        yield from _scope_id_problems(value["dataset_id"], f"{at}/dataset_id")
    else:
        yield Problem(f"{at}/dataset_id", "required")
    if "document_ids" in value:
        yield from _list(value["document_ids"], f"{at}/document_ids", 1, 1_000, _scope_id_problems)
    else:
        yield Problem(f"{at}/document_ids", "required")
    if not value.keys() <= _DOCUMENT_FILTER_KEYS:
        yield Problem(at, "additionalProperties")


_DATASET_LABEL_KEYS = frozenset(["dataset_id", "name"])


def _dataset_label_problems(value: object, at: str) -> Iterator[Problem]:
    if type(value) is not dict:
        yield Problem(at, "type")
        return
    if "dataset_id" in value:
        yield from _scope_id_problems(value["dataset_id"], f"{at}/dataset_id")
    else:
        yield Problem(f"{at}/dataset_id", "required")
    if "name" in value:
        yield from _scope_label_problems(value["name"], f"{at}/name")
    else:
        yield Problem(f"{at}/name", "required")
    if not value.keys() <= _DATASET_LABEL_KEYS:
        yield Problem(at, "additionalProperties")


_DOCUMENT_LABEL_KEYS = frozenset(["dataset_id", "document_id", "name"])


def _document_label_problems(value: object, at: str) -> Iterator[Problem]:
    if type(value) is not dict:
        yield Problem(at, "type")
        return
    if "dataset_id" in value:
        yield from _scope_id_problems(value["dataset_id"], f"{at}/dataset_id")
    else:
        yield Problem(f"{at}/dataset_id", "required")
    if "document_id" in value:
        yield from _scope_id_problems(value["document_id"], f"{at}/document_id")
    else:
        yield Problem(f"{at}/document_id", "required")
    if "name" in value:
        yield from _scope_label_problems(value["name"], f"{at}/name")
    else:
        yield Problem(f"{at}/name", "required")
    if not value.keys() <= _DOCUMENT_LABEL_KEYS:
        yield Problem(at, "additionalProperties")


_SCOPE_DISPLAY_KEYS = frozenset(["datasets", "documents"])


def _scope_display_problems(value: object, at: str) -> Iterator[Problem]:
    if type(value) is not dict:
        yield Problem(at, "type")
        return
    if "datasets" in value:
        yield from _list(value["datasets"], f"{at}/datasets", 0, 20, _dataset_label_problems)
    if "documents" in value:
        yield from _list(value["documents"], f"{at}/documents", 0, 50, _document_label_problems)
    if not value.keys() <= _SCOPE_DISPLAY_KEYS:
        yield Problem(at, "additionalProperties")


_SCOPE_ALL_KEYS = frozenset(["version", "mode"])


def _scope_all_problems(value: object, at: str) -> Iterator[Problem]:
    if type(value) is not dict:
        yield Problem(at, "type")
        return
    if "version" in value:
        yield from _constant(value["version"], f"{at}/version", 1)
    else:
        yield Problem(f"{at}/version", "required")
    if "mode" in value:
        yield from _constant(value["mode"], f"{at}/mode", "all")
    else:
        yield Problem(f"{at}/mode", "required")
    if not value.keys() <= _SCOPE_ALL_KEYS:
        yield Problem(at, "additionalProperties")


_SCOPE_DISABLED_KEYS = frozenset(["version", "mode"])


def _scope_disabled_problems(value: object, at: str) -> Iterator[Problem]:
    if type(value) is not dict:
        yield Problem(at, "type")
        return
    if "version" in value:
        yield from _constant(value["version"], f"{at}/version", 1)
    else:
        yield Problem(f"{at}/version", "required")
    if "mode" in value:
        yield from _constant(value["mode"], f"{at}/mode", "disabled")
    else:
        yield Problem(f"{at}/mode", "required")
    if not value.keys() <= _SCOPE_DISABLED_KEYS:
        yield Problem(at, "additionalProperties")


_SCOPE_SELECTED_KEYS = frozenset(["version", "mode", "dataset_ids", "document_filters", "display"])


def _scope_selected_problems(value: object, at: str) -> Iterator[Problem]:
    if type(value) is not dict:
        yield Problem(at, "type")
        return
    if "version" in value:
        yield from _constant(value["version"], f"{at}/version", 1)
    else:
        yield Problem(f"{at}/version", "required")
    if "mode" in value:
        yield from _constant(value["mode"], f"{at}/mode", "selected")
    else:
        yield Problem(f"{at}/mode", "required")
    if "dataset_ids" in value:
        yield from _list(value["dataset_ids"], f"{at}/dataset_ids", 1, 100, _scope_id_problems)
    else:
        yield Problem(f"{at}/dataset_ids", "required")
    if "document_filters" in value:
        yield from _list(value["document_filters"], f"{at}/document_filters", 0, 100, _document_filter_problems)
    if "display" in value:
        yield from _scope_display_problems(value["display"], f"{at}/display")
    if not value.keys() <= _SCOPE_SELECTED_KEYS:
        yield Problem(at, "additionalProperties")


def _knowledge_scope_problems(value: object, at: str) -> Iterator[Problem]:
    if type(value) is not dict:
        yield Problem(at, "type")
        return
    if "mode" not in value:
        yield Problem(f"{at}/mode", "required")
        return
    kind = value["mode"]
    match kind if type(kind) is str else None:
        case "all":
            yield from _scope_all_problems(value, at)
        case "selected":
            yield from _scope_selected_problems(value, at)
        case "disabled":
            yield from _scope_disabled_problems(value, at)
        case _:
            yield Problem(f"{at}/mode", "oneOf")


def _knowledge_sources_envelope_problems(value: object, at: str) -> Iterator[Problem]:
    if type(value) is not dict:
        yield Problem(at, "type")
        return
    if "knowledge_sources_version" in value:
        yield from _constant(value["knowledge_sources_version"], f"{at}/knowledge_sources_version", 1)
    else:
        yield Problem(f"{at}/knowledge_sources_version", "required")
    if "knowledge_sources" in value:
        yield from _list(value["knowledge_sources"], f"{at}/knowledge_sources", 0, 100, _knowledge_source_problems)
    else:
        yield Problem(f"{at}/knowledge_sources", "required")

_SOURCE_ID_ONLY = re.compile(r"[0-9a-f]*\Z").match


@lru_cache(maxsize=256)
def _matches_provider_name(text: str) -> bool:
    return _matches(_PROVIDER_NAME, text)


_EXCERPT_BLANKS = (
    "\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_NATIVE_NAME_BLANKS = (
    "\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_NATIVE_NAME_READ_BLANKS = (
    "\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_NATIVE_TEXT_BLANKS = (
    "\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_SCOPE_ID_BLANKS = (
    "\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_SCOPE_LABEL_BLANKS = (
    "\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)

def is_source_id(value: object) -> TypeGuard[str]:
    """Tell whether `value` is valid where the contract says SourceId."""
    return (
        type(value) is str
        and len(value) == 32
        and _SOURCE_ID_ONLY(value) is not None
    )


def is_provider_name(value: object) -> TypeGuard[str]:
    """Tell whether `value` is valid where the contract says ProviderName."""
    return (
        type(value) is str
        and len(value) <= 64
        and _matches_provider_name(value)
    )


def is_one_line(value: object) -> TypeGuard[str]:
    """Tell whether `value` is valid where the contract says OneLine."""
    return (
        type(value) is str
        and len(value) <= 512
        and ((value >= "!" and value.isprintable()) or _matches(_ONE_LINE, value))
    )


def is_excerpt(value: object) -> TypeGuard[str]:
    """Tell whether `value` is valid where the contract says Excerpt."""
    return (
        type(value) is str
        and len(value) <= 100_000
        and "\u0000" not in value
        and (
            (value >= "!" and value.isascii())
            or (value.strip(_EXCERPT_BLANKS) != "" and is_well_formed(value))
        )
    )


def is_web_url(value: object) -> TypeGuard[str]:
    """Tell whether `value` is valid where the contract says WebUrl."""
    return (
        type(value) is str
        and 9 <= len(value) <= 2_048
        and _WEB_URL.search(value) is not None
    )


def is_page(value: object) -> TypeGuard[int | float]:
    """Tell whether `value` is valid where the contract says Page."""
    return (
        (type(value) is int or (type(value) is float and value.is_integer()))
        and 1 <= value <= 1_000_000
    )


def is_native_id(value: object) -> TypeGuard[str]:
    """Tell whether `value` is valid where the contract says NativeId."""
    return (
        type(value) is str
        and len(value) <= 36
        and _NATIVE_ID.search(value) is not None
    )


def is_native_locator(value: object) -> TypeGuard[str]:
    """Tell whether `value` is valid where the contract says NativeLocator."""
    return (
        type(value) is str
        and 1 <= len(value) <= 256
        and is_well_formed(value)
    )


def is_native_name(value: object) -> TypeGuard[str]:
    """Tell whether `value` is valid where the contract says NativeName."""
    return (
        type(value) is str
        and len(value) <= 512
        and (
            (value >= "!" and value.isascii())
            or (value.strip(_NATIVE_NAME_BLANKS) != "" and is_well_formed(value))
        )
    )


def is_native_name_read(value: object) -> TypeGuard[str]:
    """Tell whether `value` is valid where the contract says NativeNameRead."""
    return (
        type(value) is str
        and len(value) <= 1_024
        and (
            (value >= "!" and value.isascii())
            or (value.strip(_NATIVE_NAME_READ_BLANKS) != "" and is_well_formed(value))
        )
    )


def is_native_text(value: object) -> TypeGuard[str]:
    """Tell whether `value` is valid where the contract says NativeText."""
    return (
        type(value) is str
        and len(value) <= 200_000
        and (
            (value >= "!" and value.isascii())
            or (value.strip(_NATIVE_TEXT_BLANKS) != "" and is_well_formed(value))
        )
    )


def is_scope_id(value: object) -> TypeGuard[str]:
    """Tell whether `value` is valid where the contract says ScopeId."""
    return (
        type(value) is str
        and len(value) <= 256
        and (
            (value >= "!" and value.isascii())
            or (value.strip(_SCOPE_ID_BLANKS) != "" and is_well_formed(value))
        )
    )


def is_scope_label(value: object) -> TypeGuard[str]:
    """Tell whether `value` is valid where the contract says ScopeLabel."""
    return (
        type(value) is str
        and len(value) <= 256
        and (
            (value >= "!" and value.isascii())
            or (value.strip(_SCOPE_LABEL_BLANKS) != "" and is_well_formed(value))
        )
    )


def check_knowledge_source(value: object) -> tuple[Problem, ...]:
    """Return why `value` is no KnowledgeSource; empty if it is one."""
    return () if is_knowledge_source(value) else tuple(_knowledge_source_problems(value, ""))


def is_knowledge_source(value: object) -> TypeGuard[types.KnowledgeSource]:
    """Tell whether `value` is a KnowledgeSource."""
    if type(value) is not dict:
        return False
    try:
        item = value["id"]
        if not (
            type(item) is str
            and len(item) == 32
            and _SOURCE_ID_ONLY(item) is not None
        ):
            return False
        item = value["provider"]
        if not (
            type(item) is str
            and len(item) <= 64
            and _matches_provider_name(item)
        ):
            return False
        item = value["title"]
        if not (
            type(item) is str
            and len(item) <= 512
            and ((item >= "!" and item.isprintable()) or _matches(_ONE_LINE, item))
        ):
            return False
        item = value["excerpt"]
        if not (
            type(item) is str
            and len(item) <= 100_000
            and "\u0000" not in item
            and (
                (item >= "!" and item.isascii())
                or (item.strip(_EXCERPT_BLANKS) != "" and is_well_formed(item))
            )
        ):
            return False
    except KeyError:
        return False
    if len(value) == 4:
        return True
    known = 4
    if "dataset_name" in value:
        item = value["dataset_name"]
        if not (
            type(item) is str
            and len(item) <= 512
            and ((item >= "!" and item.isprintable()) or _matches(_ONE_LINE, item))
        ):
            return False
        known += 1
    if "url" in value:
        item = value["url"]
        if not (
            type(item) is str
            and 9 <= len(item) <= 2_048
            and _WEB_URL.search(item) is not None
        ):
            return False
        known += 1
    if "page" in value:
        item = value["page"]
        if not (
            (type(item) is int or (type(item) is float and item.is_integer()))
            and 1 <= item <= 1_000_000
        ):
            return False
        known += 1
    return len(value) == known


def check_native_source(value: object) -> tuple[Problem, ...]:
    """Return why `value` is no NativeSource; empty if it is one."""
    return () if is_native_source(value) else tuple(_native_source_problems(value, ""))


def is_native_source(value: object) -> TypeGuard[types.NativeSource]:
    """Tell whether `value` is a NativeSource."""
    if type(value) is not dict:
        return False
    try:
        item = value["id"]
        if not (
            type(item) is str
            and len(item) <= 36
            and _NATIVE_ID.search(item) is not None
        ):
            return False
        item = value["provider"]
        if not (
            type(item) is str
            and item == "ragflow"
        ):
            return False
        item = value["dataset_id"]
        if not (
            type(item) is str
            and 1 <= len(item) <= 256
            and is_well_formed(item)
        ):
            return False
        item = value["document_id"]
        if not (
            type(item) is str
            and 1 <= len(item) <= 256
            and is_well_formed(item)
        ):
            return False
        item = value["chunk_id"]
        if not (
            type(item) is str
            and 1 <= len(item) <= 256
            and is_well_formed(item)
        ):
            return False
        item = value["dataset_name"]
        if not (
            type(item) is str
            and len(item) <= 512
            and (
                (item >= "!" and item.isascii())
                or (item.strip(_NATIVE_NAME_BLANKS) != "" and is_well_formed(item))
            )
        ):
            return False
        item = value["document_name"]
        if not (
            type(item) is str
            and len(item) <= 512
            and (
                (item >= "!" and item.isascii())
                or (item.strip(_NATIVE_NAME_BLANKS) != "" and is_well_formed(item))
            )
        ):
            return False
        item = value["text"]
        if not (
            type(item) is str
            and len(item) <= 200_000
            and (
                (item >= "!" and item.isascii())
                or (item.strip(_NATIVE_TEXT_BLANKS) != "" and is_well_formed(item))
            )
        ):
            return False
        item = value["truncated"]
        if type(item) is not bool:
            return False
        item = value["pages"]
        if not (
            type(item) is list
            and 0 <= len(item) <= 100
            and all(map(is_page, item))
        ):
            return False
    except KeyError:
        return False
    return len(value) == 10


def check_native_source_read(value: object) -> tuple[Problem, ...]:
    """Return why `value` is no NativeSourceRead; empty if it is one."""
    return () if is_native_source_read(value) else tuple(_native_source_read_problems(value, ""))


def is_native_source_read(value: object) -> TypeGuard[types.NativeSourceRead]:
    """Tell whether `value` is a NativeSourceRead."""
    if type(value) is not dict:
        return False
    try:
        item = value["id"]
        if not (
            type(item) is str
            and len(item) <= 36
            and _NATIVE_ID.search(item) is not None
        ):
            return False
        item = value["provider"]
        if not (
            type(item) is str
            and item == "ragflow"
        ):
            return False
        item = value["document_name"]
        if not (
            type(item) is str
            and len(item) <= 1_024
            and (
                (item >= "!" and item.isascii())
                or (item.strip(_NATIVE_NAME_READ_BLANKS) != "" and is_well_formed(item))
            )
        ):
            return False
        item = value["text"]
        if not (
            type(item) is str
            and len(item) <= 200_000
            and (
                (item >= "!" and item.isascii())
                or (item.strip(_NATIVE_TEXT_BLANKS) != "" and is_well_formed(item))
            )
        ):
            return False
    except KeyError:
        return False
    if "dataset_id" in value:
        item = value["dataset_id"]
        if not (
            type(item) is str
            and 1 <= len(item) <= 256
            and is_well_formed(item)
        ):
            return False
    if "document_id" in value:
        item = value["document_id"]
        if not (
            type(item) is str
            and 1 <= len(item) <= 256
            and is_well_formed(item)
        ):
            return False
    if "chunk_id" in value:
        item = value["chunk_id"]
        if not (
            type(item) is str
            and 1 <= len(item) <= 256
            and is_well_formed(item)
        ):
            return False
    if "dataset_name" in value:
        item = value["dataset_name"]
        if not (
            type(item) is str
            and len(item) <= 1_024
            and (
                (item >= "!" and item.isascii())
                or (item.strip(_NATIVE_NAME_READ_BLANKS) != "" and is_well_formed(item))
            )
        ):
            return False
    if "truncated" in value:
        item = value["truncated"]
        if type(item) is not bool:
            return False
    if "pages" in value:
        item = value["pages"]
        if not (
            type(item) is list
            and 0 <= len(item) <= 100
            and all(map(is_page, item))
        ):
            return False
    return True


def check_native_snapshot(value: object) -> tuple[Problem, ...]:
    """Return why `value` is no NativeSnapshot; empty if it is one."""
    return () if is_native_snapshot(value) else tuple(_native_snapshot_problems(value, ""))


def is_native_snapshot(value: object) -> TypeGuard[types.NativeSnapshot]:
    """Tell whether `value` is a NativeSnapshot."""
    if type(value) is not dict:
        return False
    try:
        item = value["version"]
        if not (
            (type(item) is int or type(item) is float)
            and item == 1
        ):
            return False
        item = value["sources"]
        if not (
            type(item) is list
            and 0 <= len(item) <= 100
            and all(map(is_native_source, item))
        ):
            return False
    except KeyError:
        return False
    if len(value) == 2:
        return True
    known = 2
    if "omitted_count" in value:
        item = value["omitted_count"]
        if not (
            (type(item) is int or (type(item) is float and item.is_integer()))
            and 0 <= item <= 1_000_000
        ):
            return False
        known += 1
    return len(value) == known


def check_native_snapshot_read(value: object) -> tuple[Problem, ...]:
    """Return why `value` is no NativeSnapshotRead; empty if it is one."""
    return () if is_native_snapshot_read(value) else tuple(_native_snapshot_read_problems(value, ""))


def is_native_snapshot_read(value: object) -> TypeGuard[types.NativeSnapshotRead]:
    """Tell whether `value` is a NativeSnapshotRead."""
    if type(value) is not dict:
        return False
    try:
        item = value["version"]
        if not (
            (type(item) is int or type(item) is float)
            and item == 1
        ):
            return False
        item = value["sources"]
        if not (
            type(item) is list
            and 0 <= len(item) <= 100
            and all(map(is_native_source_read, item))
        ):
            return False
    except KeyError:
        return False
    if "omitted_count" in value:
        item = value["omitted_count"]
        if not (
            (type(item) is int or (type(item) is float and item.is_integer()))
            and 0 <= item <= 1_000_000
        ):
            return False
    return True


def check_task_artifact(value: object) -> tuple[Problem, ...]:
    """Return why `value` is no TaskArtifact; empty if it is one."""
    return () if is_task_artifact(value) else tuple(_task_artifact_problems(value, ""))


def is_task_artifact(value: object) -> TypeGuard[types.TaskArtifact]:
    """Tell whether `value` is a TaskArtifact."""
    if type(value) is not dict:
        return False
    try:
        item = value["knowledge_sources_version"]
        if not (
            (type(item) is int or type(item) is float)
            and item == 1
        ):
            return False
        item = value["retrieval_sources"]
        if not (
            type(item) is list
            and 0 <= len(item) <= 100
            and all(map(is_knowledge_source, item))
        ):
            return False
    except KeyError:
        return False
    if "knowledge_sources" in value:
        item = value["knowledge_sources"]
        if not is_native_snapshot_read(item):
            return False
    return True


def check_knowledge_capabilities(value: object) -> tuple[Problem, ...]:
    """Return why `value` is no KnowledgeCapabilities; empty if it is one."""
    return () if is_knowledge_capabilities(value) else tuple(_knowledge_capabilities_problems(value, ""))


def is_knowledge_capabilities(value: object) -> TypeGuard[types.KnowledgeCapabilities]:
    """Tell whether `value` is a KnowledgeCapabilities."""
    if type(value) is not dict:
        return False
    try:
        item = value["operations"]
        if not (
            type(item) is list
            and 0 <= len(item) <= 7
            and all(type(each) is str and each in _KNOWLEDGE_CAPABILITIES_OPERATIONS_VALUES for each in item)
        ):
            return False
    except KeyError:
        return False
    return len(value) == 1


def check_document_filter(value: object) -> tuple[Problem, ...]:
    """Return why `value` is no DocumentFilter; empty if it is one."""
    return () if is_document_filter(value) else tuple(_document_filter_problems(value, ""))


def is_document_filter(value: object) -> TypeGuard[types.DocumentFilter]:
    """Tell whether `value` is a DocumentFilter."""
    if type(value) is not dict:
        return False
    try:
        item = value["dataset_id"]
        if not (
            type(item) is str
            and len(item) <= 256
            and (
                (item >= "!" and item.isascii())
                or (item.strip(_SCOPE_ID_BLANKS) != "" and is_well_formed(item))
            )
        ):
            return False
        item = value["document_ids"]
        if not (
            type(item) is list
            and 1 <= len(item) <= 1_000
            and all(map(is_scope_id, item))
        ):
            return False
    except KeyError:
        return False
    return len(value) == 2


def check_dataset_label(value: object) -> tuple[Problem, ...]:
    """Return why `value` is no DatasetLabel; empty if it is one."""
    return () if is_dataset_label(value) else tuple(_dataset_label_problems(value, ""))


def is_dataset_label(value: object) -> TypeGuard[types.DatasetLabel]:
    """Tell whether `value` is a DatasetLabel."""
    if type(value) is not dict:
        return False
    try:
        item = value["dataset_id"]
        if not (
            type(item) is str
            and len(item) <= 256
            and (
                (item >= "!" and item.isascii())
                or (item.strip(_SCOPE_ID_BLANKS) != "" and is_well_formed(item))
            )
        ):
            return False
        item = value["name"]
        if not (
            type(item) is str
            and len(item) <= 256
            and (
                (item >= "!" and item.isascii())
                or (item.strip(_SCOPE_LABEL_BLANKS) != "" and is_well_formed(item))
            )
        ):
            return False
    except KeyError:
        return False
    return len(value) == 2


def check_document_label(value: object) -> tuple[Problem, ...]:
    """Return why `value` is no DocumentLabel; empty if it is one."""
    return () if is_document_label(value) else tuple(_document_label_problems(value, ""))


def is_document_label(value: object) -> TypeGuard[types.DocumentLabel]:
    """Tell whether `value` is a DocumentLabel."""
    if type(value) is not dict:
        return False
    try:
        item = value["dataset_id"]
        if not (
            type(item) is str
            and len(item) <= 256
            and (
                (item >= "!" and item.isascii())
                or (item.strip(_SCOPE_ID_BLANKS) != "" and is_well_formed(item))
            )
        ):
            return False
        item = value["document_id"]
        if not (
            type(item) is str
            and len(item) <= 256
            and (
                (item >= "!" and item.isascii())
                or (item.strip(_SCOPE_ID_BLANKS) != "" and is_well_formed(item))
            )
        ):
            return False
        item = value["name"]
        if not (
            type(item) is str
            and len(item) <= 256
            and (
                (item >= "!" and item.isascii())
                or (item.strip(_SCOPE_LABEL_BLANKS) != "" and is_well_formed(item))
            )
        ):
            return False
    except KeyError:
        return False
    return len(value) == 3


def check_scope_display(value: object) -> tuple[Problem, ...]:
    """Return why `value` is no ScopeDisplay; empty if it is one."""
    return () if is_scope_display(value) else tuple(_scope_display_problems(value, ""))


def is_scope_display(value: object) -> TypeGuard[types.ScopeDisplay]:
    """Tell whether `value` is a ScopeDisplay."""
    if type(value) is not dict:
        return False
    if len(value) == 0:
        return True
    known = 0
    if "datasets" in value:
        item = value["datasets"]
        if not (
            type(item) is list
            and 0 <= len(item) <= 20
            and all(map(is_dataset_label, item))
        ):
            return False
        known += 1
    if "documents" in value:
        item = value["documents"]
        if not (
            type(item) is list
            and 0 <= len(item) <= 50
            and all(map(is_document_label, item))
        ):
            return False
        known += 1
    return len(value) == known


def check_scope_all(value: object) -> tuple[Problem, ...]:
    """Return why `value` is no ScopeAll; empty if it is one."""
    return () if is_scope_all(value) else tuple(_scope_all_problems(value, ""))


def is_scope_all(value: object) -> TypeGuard[types.ScopeAll]:
    """Tell whether `value` is a ScopeAll."""
    if type(value) is not dict:
        return False
    try:
        item = value["version"]
        if not (
            (type(item) is int or type(item) is float)
            and item == 1
        ):
            return False
        item = value["mode"]
        if not (
            type(item) is str
            and item == "all"
        ):
            return False
    except KeyError:
        return False
    return len(value) == 2


def check_scope_disabled(value: object) -> tuple[Problem, ...]:
    """Return why `value` is no ScopeDisabled; empty if it is one."""
    return () if is_scope_disabled(value) else tuple(_scope_disabled_problems(value, ""))


def is_scope_disabled(value: object) -> TypeGuard[types.ScopeDisabled]:
    """Tell whether `value` is a ScopeDisabled."""
    if type(value) is not dict:
        return False
    try:
        item = value["version"]
        if not (
            (type(item) is int or type(item) is float)
            and item == 1
        ):
            return False
        item = value["mode"]
        if not (
            type(item) is str
            and item == "disabled"
        ):
            return False
    except KeyError:
        return False
    return len(value) == 2


def check_scope_selected(value: object) -> tuple[Problem, ...]:
    """Return why `value` is no ScopeSelected; empty if it is one."""
    return () if is_scope_selected(value) else tuple(_scope_selected_problems(value, ""))


def is_scope_selected(value: object) -> TypeGuard[types.ScopeSelected]:
    """Tell whether `value` is a ScopeSelected."""
    if type(value) is not dict:
        return False
    try:
        item = value["version"]
        if not (
            (type(item) is int or type(item) is float)
            and item == 1
        ):
            return False
        item = value["mode"]
        if not (
            type(item) is str
            and item == "selected"
        ):
            return False
        item = value["dataset_ids"]
        if not (
            type(item) is list
            and 1 <= len(item) <= 100
            and all(map(is_scope_id, item))
        ):
            return False
    except KeyError:
        return False
    if len(value) == 3:
        return True
    known = 3
    if "document_filters" in value:
        item = value["document_filters"]
        if not (
            type(item) is list
            and 0 <= len(item) <= 100
            and all(map(is_document_filter, item))
        ):
            return False
        known += 1
    if "display" in value:
        item = value["display"]
        if not is_scope_display(item):
            return False
        known += 1
    return len(value) == known


def check_knowledge_scope(value: object) -> tuple[Problem, ...]:
    """Return why `value` is no KnowledgeScope; empty if it is one."""
    return () if is_knowledge_scope(value) else tuple(_knowledge_scope_problems(value, ""))


def is_knowledge_scope(value: object) -> TypeGuard[types.KnowledgeScope]:
    """Tell whether `value` is a KnowledgeScope."""
    kind = value.get("mode") if type(value) is dict else None
    match kind if type(kind) is str else None:
        case "all":
            return is_scope_all(value)
        case "selected":
            return is_scope_selected(value)
        case "disabled":
            return is_scope_disabled(value)
    return False


def check_knowledge_sources_envelope(value: object) -> tuple[Problem, ...]:
    """Return why `value` is no KnowledgeSourcesEnvelope; empty if it is one."""
    return () if is_knowledge_sources_envelope(value) else tuple(_knowledge_sources_envelope_problems(value, ""))


def is_knowledge_sources_envelope(value: object) -> TypeGuard[types.KnowledgeSourcesEnvelope]:
    """Tell whether `value` is a KnowledgeSourcesEnvelope."""
    if type(value) is not dict:
        return False
    try:
        item = value["knowledge_sources_version"]
        if not (
            (type(item) is int or type(item) is float)
            and item == 1
        ):
            return False
        item = value["knowledge_sources"]
        if not (
            type(item) is list
            and 0 <= len(item) <= 100
            and all(map(is_knowledge_source, item))
        ):
            return False
    except KeyError:
        return False
    return True


_Check = Callable[[object], tuple[Problem, ...]]
CHECKS: Final[Mapping[str, _Check]] = MappingProxyType(
    {
        "DatasetLabel": check_dataset_label,
        "DocumentFilter": check_document_filter,
        "DocumentLabel": check_document_label,
        "KnowledgeCapabilities": check_knowledge_capabilities,
        "KnowledgeScope": check_knowledge_scope,
        "KnowledgeSource": check_knowledge_source,
        "KnowledgeSourcesEnvelope": check_knowledge_sources_envelope,
        "NativeSnapshot": check_native_snapshot,
        "NativeSnapshotRead": check_native_snapshot_read,
        "NativeSource": check_native_source,
        "NativeSourceRead": check_native_source_read,
        "ScopeAll": check_scope_all,
        "ScopeDisabled": check_scope_disabled,
        "ScopeDisplay": check_scope_display,
        "ScopeSelected": check_scope_selected,
        "TaskArtifact": check_task_artifact,
    }
)
"""Every `check_x` by the definition's name in the contract."""
