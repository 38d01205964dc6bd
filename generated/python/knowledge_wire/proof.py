# Generated from contracts/knowledge_sources.v1.json
# (sha256 47dd16b0af101452ab3a2e7479cab06133a7c6f135de06ea7c039bb4855513f4).
# Do not edit: change the contract or codegen/, then run `knowledge-contract generate`.
"""Prove a record by itself: its shape and its id, in one pass."""

from hashlib import sha256
from typing import Any, TypeGuard

from knowledge_wire import types
from knowledge_wire.validators import (
    _EXCERPT_BLANKS,
    _ONE_LINE,
    _WEB_URL,
    _matches,
    _matches_provider_name,
)

__all__ = ["is_proven_knowledge_source"]


def is_proven_knowledge_source(value: object) -> TypeGuard[types.KnowledgeSource]:
    """Tell whether `value` is a KnowledgeSource whose id recomputes.

    The same as `is_knowledge_source(value) and source_id(value) == value["id"]`, with
    each text encoded once. Integrity, not authority: anyone can compute an id.
    """
    if type(value) is not dict:
        return False
    try:
        id_ = value["id"]
        if type(id_) is not str:
            return False
        provider_ = value["provider"]
        if not (
            type(provider_) is str
            and len(provider_) <= 64
            and _matches_provider_name(provider_)
        ):
            return False
        title_ = value["title"]
        if not (
            type(title_) is str
            and len(title_) <= 512
            and ((title_ >= "!" and title_.isprintable()) or _matches(_ONE_LINE, title_))
        ):
            return False
        excerpt_ = value["excerpt"]
        if not (
            type(excerpt_) is str
            and len(excerpt_) <= 100_000
            and "\u0000" not in excerpt_
            and (
                (excerpt_ >= "!" and excerpt_.isascii())
                or excerpt_.strip(_EXCERPT_BLANKS) != ""
            )
        ):
            return False
    except KeyError:
        return False
    dataset_name_: Any = ""
    url_: Any = ""
    page_: Any = ""
    if len(value) != 4:
        known = 4
        if "dataset_name" in value:
            dataset_name_ = value["dataset_name"]
            if not (
                type(dataset_name_) is str
                and len(dataset_name_) <= 512
                and ((dataset_name_ >= "!" and dataset_name_.isprintable()) or _matches(_ONE_LINE, dataset_name_))
            ):
                return False
            known += 1
        if "url" in value:
            url_ = value["url"]
            if not (
                type(url_) is str
                and 9 <= len(url_) <= 2_048
                and _WEB_URL.search(url_) is not None
            ):
                return False
            known += 1
        if "page" in value:
            page_ = value["page"]
            if not (
                (type(page_) is int or (type(page_) is float and page_.is_integer()))
                and 1 <= page_ <= 1_000_000
            ):
                return False
            page_ = int(page_)
            known += 1
        if len(value) != known:
            return False
    try:
        preimage = (
            f"knowledge_sources.v1\u0000"
            f"{provider_}\u0000"
            f"{title_}\u0000"
            f"{dataset_name_}\u0000"
            f"{url_}\u0000"
            f"{page_}\u0000"
            f"{excerpt_}"
        ).encode()
    except UnicodeEncodeError:
        return False
    digits = sha256(preimage).hexdigest()[:32]
    return digits == id_
