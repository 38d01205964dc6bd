"""One conformance case, and how it is written into a vector file."""

import base64
import hashlib
import json
from collections.abc import Iterable
from typing import Any, NamedTuple

DOMAIN = "knowledge_sources.v1"


class Case(NamedTuple):
    """One input and what every reader must answer.

    Attributes:
        id: Unique over all files, and telling.
        kind: `document`, `id` or `message`.
        definition: The definition that judges the document; None for a message.
        data: The document's bytes, which need not be JSON.
        expected: The members of the vector that state the answer.
        note: One sentence that says why the case exists.
    """

    id: str
    kind: str
    definition: str | None
    data: bytes
    expected: dict[str, Any]
    note: str

    def vector(self) -> dict[str, Any]:
        """Return the case as it stands in a vector file."""
        return {
            "id": self.id,
            "kind": self.kind,
            **({} if self.definition is None else {"as": self.definition}),
            "bytes": base64.b64encode(self.data).decode("ascii"),
            **self.expected,
            "note": self.note,
        }


class Theme(NamedTuple):
    """The cases of one vector file."""

    name: str
    description: str
    cases: tuple[Case, ...]


def accept(case_id: str, definition: str, document: object, note: str) -> Case:
    """Return a case whose document satisfies the definition.

    Args:
        case_id: The case's id.
        definition: The name of the definition.
        document: A JSON value; or bytes, which are taken as they are.
        note: Why the case exists.
    """
    return Case(case_id, "document", definition, encode(document), {"valid": True}, note)


def refuse(
    case_id: str, definition: str, document: object, problem: tuple[str, str], note: str
) -> Case:
    """Return a case that is refused; `problem` is the first one, as (rule, pointer)."""
    rule, pointer = problem
    expected = {"valid": False, "rule": rule, "pointer": pointer}
    return Case(case_id, "document", definition, encode(document), expected, note)


def identify(case_id: str, document: object, fields: tuple[str, ...], note: str) -> Case:
    """Return a case of kind `id`; `fields` are the six that follow the domain, as text."""
    preimage, source_id = hash_fields(fields)
    expected = {"valid": True, "source_id": source_id, "preimage": preimage.hex()}
    return Case(case_id, "id", "KnowledgeSource", encode(document), expected, note)


def hash_fields(fields: tuple[str, ...]) -> tuple[bytes, str]:
    """Return what is hashed, and the id; `fields` as `identify` takes them."""
    preimage = "\0".join((DOMAIN, *fields)).encode()
    return preimage, hashlib.sha256(preimage).hexdigest()[:32]


def encode(document: object) -> bytes:
    """Return compact UTF-8 JSON with characters unescaped; bytes stay as they are."""
    if isinstance(document, bytes):
        return document
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def joined(*groups: Iterable[Case]) -> tuple[Case, ...]:
    """Return the cases of all groups in order."""
    return tuple(case for group in groups for case in group)
