"""The conformance cases that the package carries."""

import base64
import json
from importlib.resources import files
from typing import Any, NamedTuple

from knowledge_contract.errors import UnavailableError
from knowledge_wire.parsing import Problem


class Vector(NamedTuple):
    """One case: what goes in, and what every reader has to say.

    Attributes:
        id: Name of the case, unique.
        kind: `document` or `id`.
        definition: What the document is judged as.
        data: The document's bytes; not always JSON.
        valid: The verdict, for a document.
        problem: The first problem, for a document that is refused.
        source_id: The id, for a source.
        note: What the case is about.
    """

    id: str
    kind: str
    definition: str
    data: bytes
    valid: bool
    problem: Problem | None
    source_id: str | None
    note: str


def load_vectors() -> list[Vector]:
    """Return every packaged case, in the order of files and cases.

    Raises:
        UnavailableError: the package carries none.
    """
    folder = files("knowledge_wire") / "vectors"
    paths = (
        sorted(
            (path for path in folder.iterdir() if path.name.endswith(".json")),
            key=lambda path: path.name,
        )
        if folder.is_dir()
        else []
    )
    vectors = [
        _vector(case)
        for path in paths
        for case in json.loads(path.read_text(encoding="utf-8"))["vectors"]
    ]
    if not vectors:
        raise UnavailableError("this installation carries no conformance vectors")
    return vectors


def _vector(case: Any) -> Vector:
    is_refused = case["kind"] == "document" and not case["valid"]
    return Vector(
        id=case["id"],
        kind=case["kind"],
        definition=case["as"],
        data=base64.b64decode(case["bytes"], validate=True),
        valid=case.get("valid", True),
        problem=Problem(case["pointer"], case["rule"]) if is_refused else None,
        source_id=case.get("source_id"),
        note=case["note"],
    )
