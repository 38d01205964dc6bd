# Generated from contracts/knowledge_sources.v1.json
# (sha256 47dd16b0af101452ab3a2e7479cab06133a7c6f135de06ea7c039bb4855513f4).
# Do not edit: change the contract or codegen/, then run `knowledge-contract generate`.
"""The id of a source: first 32 hexadecimal digits of a SHA-256.

It proves integrity, not authority: anyone can compute one.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

__all__ = ["source_id", "source_preimage"]


def source_id(source: Mapping[str, Any]) -> str:
    """Return the opaque id that citations use for this evidence.

    Equal evidence gives equal ids in every language.

    Args:
        source: A KnowledgeSource; its `id` is ignored and may be absent.

    Returns:
        32 lower-case hexadecimal digits.

    Raises:
        KeyError: a required field is absent.
        UnicodeEncodeError: a text holds a lone surrogate.

    Example:
        >>> source_id({"provider": "local", "title": "Handbook", "excerpt": "Ask before you deploy."})
        '084ed617406f2c6e73dae2dcfc1d69d2'

    Source:
        contracts/knowledge_sources.v1.json, `x-identity`.
    """
    return sha256(source_preimage(source)).hexdigest()[:32]


def source_preimage(source: Mapping[str, Any]) -> bytes:
    """Return the bytes that the id hashes.

    Args:
        source: As for `source_id`; its fields are not checked.
    """
    provider_ = source["provider"]
    title_ = source["title"]
    dataset_name_ = source.get("dataset_name", "")
    url_ = source.get("url", "")
    page_ = int(source["page"]) if "page" in source else ""
    excerpt_ = source["excerpt"]
    text = f"knowledge_sources.v1\u0000{provider_}\u0000{title_}\u0000{dataset_name_}\u0000{url_}\u0000{page_}\u0000{excerpt_}"
    return text.encode()
