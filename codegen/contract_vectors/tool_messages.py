"""Tool messages, their text and records, and the case that states what a reader finds in one."""

from typing import Any

from contract_vectors.case import Case, encode, hash_fields
from contract_vectors.samples import HEX, Document, envelope, native, snapshot, source

ASK = "Ask before you deploy."
LIST = "/knowledge_sources"
NATIVE_LIST = "/knowledge_sources/sources"
MIXED_LIST = "/retrieval_sources"


def cited(excerpt: str = ASK, **changes: Any) -> Document:
    """Return a shared record with the id that it must have."""
    record = source(excerpt=excerpt, **changes)
    page = str(record["page"]) if "page" in record else ""
    optional = (record.get("dataset_name", ""), record.get("url", ""), page)
    _, record["id"] = hash_fields((record["provider"], record["title"], *optional, excerpt))
    return record


def numbered(position: int, text: str = "Book early.", **changes: object) -> Document:
    """Return a native record of this position."""
    return native(id=f"{HEX}-{position}", text=text, **changes)


def handle(record: Document) -> str:
    """Return the handle of a record of either form."""
    prefix = "#knowledge-source-" if "excerpt" in record else "#knowledge-"
    return f"[citation:Handbook]({prefix}{record['id']})"


def entry(record: Document, gap: str = "") -> str:
    """Return the handle, perhaps text behind it, and the record's text on the next line."""
    text = record["excerpt"] if "excerpt" in record else record["text"]
    return f"[1] {handle(record)}{gap}\n{text}"


def entries(*records: Document) -> str:
    """Return the text of a tool that found these records."""
    return "\n\n".join(map(entry, records))


def shared_message(text: object, *records: object, **changes: object) -> Document:
    """Return a message in the shared form."""
    return tool_message(text, envelope(*records), **{"name": "search", **changes})


def native_message(text: object, *records: object, **changes: object) -> Document:
    """Return a message in the native form."""
    return tool_message(text, {"knowledge_sources": snapshot(*records)}, **changes)


def tool_message(text: object, artifact: object, **changes: object) -> Document:
    """Return the message of a tool that may write native records."""
    return {
        "type": "tool",
        "name": "knowledge_search",
        "content": text,
        "artifact": artifact,
        **changes,
    }


def in_shared(record: Document, binding: str = "entry") -> Document:
    """Return what a reader says about a shared record that is evidence."""
    return {"id": record["id"], "form": "shared", "binding": binding}


def in_native(record: Document, binding: str = "entry") -> Document:
    """Return the same of a native record."""
    return {"id": record["id"], "form": "native", "binding": binding}


def reads(  # noqa: PLR0913 - each is one part of the answer, named where it is not plain
    case_id: str,
    message: object,
    evidence: list[Document],
    note: str,
    *,
    refused: list[tuple[str, str]] | None = None,
    overflow: int = 0,
    binding: str = "message",
) -> Case:
    """Return a case of kind `message`.

    Args:
        case_id: The case's id, behind `message-`.
        message: A JSON value; or bytes, which are taken as they are.
        evidence: What `in_shared` and `in_native` return, in order.
        note: Why the case exists.
        refused: Problems in order, as (rule, pointer).
        overflow: Records that are not looked at.
        binding: What is demanded.
    """
    problems = [{"pointer": pointer, "rule": rule} for rule, pointer in refused or []]
    expected = {
        "binding": binding,
        "evidence": evidence,
        "refused": problems,
        "overflow": overflow,
    }
    return Case(f"message-{case_id}", "message", None, encode(message), expected, note)
