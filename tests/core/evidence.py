"""Records of both forms, the messages that prove them, and what reading them gives."""

from typing import Any

from knowledge_contract.citation import native_handle, shared_handle
from knowledge_contract.reading import Evidence
from knowledge_wire.identity import source_id

RETRIEVAL = "0123456789abcdef0123456789abcdef"


def shared_record(excerpt: str, title: str = "Tea", **locators: Any) -> dict[str, Any]:
    record = {"provider": "local", "title": title, "excerpt": excerpt, **locators}
    return {"id": source_id(record), **record}


def native_record(position: int, text: str, **changes: Any) -> dict[str, Any]:
    record = {
        "id": f"{RETRIEVAL}-{position}",
        "provider": "ragflow",
        "dataset_id": "d1",
        "document_id": "doc1",
        "chunk_id": f"c{position}",
        "dataset_name": "Handbook",
        "document_name": "Guide.pdf",
        "text": text,
        "truncated": False,
        "pages": [3],
    }
    return {**record, **changes}


def proof(record: dict[str, Any]) -> Evidence:
    """Return a record as evidence of its form, as the reader would."""
    return Evidence(record, "shared" if "excerpt" in record else "native", "entry")


def handle(record: dict[str, Any]) -> str:
    if "excerpt" in record:
        return shared_handle(record["id"], record["title"])
    return native_handle(record["id"], 1)


def tool_message(*records: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return the message of a tool that found these records, of one form or of both."""
    shared = [record for record in records if "excerpt" in record]
    native = [record for record in records if "text" in record]
    artifact: dict[str, Any] = {}
    if shared:
        key = "retrieval_sources" if native else "knowledge_sources"
        artifact = {"knowledge_sources_version": 1, key: shared}
    if native:
        artifact["knowledge_sources"] = {"version": 1, "sources": native}
    entries = [f"{handle(each)}\n{each.get('excerpt', each.get('text'))}" for each in records]
    content = "\n\n".join(entries)
    return {"type": "tool", "name": "task", "content": content, "artifact": artifact, **fields}
