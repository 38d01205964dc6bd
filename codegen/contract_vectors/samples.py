"""Small valid documents that the cases change in one place.

Each call makes a new object. Ids recompute only in unchanged samples: a schema does not judge
that.
"""

from typing import Any

HEX = "0123456789abcdef0123456789abcdef"

Document = dict[str, Any]


def source(**changes: object) -> Document:
    """Return a source with the required fields only."""
    return {
        "id": "084ed617406f2c6e73dae2dcfc1d69d2",
        "provider": "local",
        "title": "Handbook",
        "excerpt": "Ask before you deploy.",
        **changes,
    }


def full_source(**changes: object) -> Document:
    """Return a source with every field."""
    return {
        "id": "7459fb1cf50b6824c2b0b145a188cc00",
        "provider": "lightrag",
        "title": "\u6307\u5357.md",
        "excerpt": "\u7b2c\u4e00\u884c\n\u7b2c\u4e8c\u884c \U0001f600",
        "dataset_name": "\u00dcn\u00efcode & Co.",
        "url": "https://example.com/a?b=c#d",
        "page": 12,
        **changes,
    }


def envelope(*records: object, **changes: object) -> Document:
    """Return an envelope that holds these records."""
    return {"knowledge_sources_version": 1, "knowledge_sources": list(records), **changes}


def native(**changes: object) -> Document:
    """Return a native record as it is written today."""
    return {
        "id": f"{HEX}-1",
        "provider": "ragflow",
        "dataset_id": "d1",
        "document_id": "f1",
        "chunk_id": "c1",
        "dataset_name": "Policies",
        "document_name": "travel.pdf",
        "text": "Book early.",
        "truncated": False,
        "pages": [3, 4],
        **changes,
    }


def old_native(**changes: object) -> Document:
    """Return a native record as an older release stored it: only what reading requires."""
    return {
        "id": f"{HEX}-1",
        "provider": "ragflow",
        "document_name": "travel.pdf",
        "text": "Book early.",
        **changes,
    }


def snapshot(*records: object, **changes: object) -> Document:
    """Return a native snapshot that holds these records."""
    return {"version": 1, "sources": list(records), **changes}


def artifact(*records: object, **changes: object) -> Document:
    """Return a mixed artifact that holds these shared records."""
    return {"knowledge_sources_version": 1, "retrieval_sources": list(records), **changes}


def selected(**changes: object) -> Document:
    """Return a scope that selects one dataset."""
    return {"version": 1, "mode": "selected", "dataset_ids": ["ds-1"], **changes}


def without(document: Document, *names: str) -> Document:
    """Return a copy that lacks these members."""
    return {name: value for name, value in document.items() if name not in names}


def copies(count: int, value: object) -> list[object]:
    """Return a list that holds the value so many times."""
    return [value] * count
