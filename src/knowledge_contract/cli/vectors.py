"""The conformance cases that the package carries."""

import base64
import json
from importlib.resources import files
from typing import Any, NamedTuple

from knowledge_contract.cli.output import BindingName
from knowledge_contract.cli.verdicts import Findings, Found
from knowledge_contract.errors import UnavailableError
from knowledge_wire.parsing import Problem


class Vector(NamedTuple):
    """One case: what goes in, and what every reader has to say.

    Attributes:
        id: Name of the case, unique.
        kind: `document`, `id` or `message`.
        definition: What the document is judged as; None for a message.
        data: The document's bytes; not always JSON.
        valid: The verdict, for a document.
        problem: The first problem, for a document that is refused.
        source_id: The id, for a source.
        binding: The binding that is demanded of a message's evidence.
        findings: What a message proves.
        note: What the case is about.
    """

    id: str
    kind: str
    definition: str | None
    data: bytes
    valid: bool
    problem: Problem | None
    source_id: str | None
    note: str
    binding: BindingName = BindingName.MESSAGE
    findings: Findings | None = None


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
    is_message = case["kind"] == "message"
    return Vector(
        id=case["id"],
        kind=case["kind"],
        definition=None if is_message else case["as"],
        data=base64.b64decode(case["bytes"], validate=True),
        valid=case.get("valid", True),
        problem=Problem(case["pointer"], case["rule"]) if is_refused else None,
        source_id=case.get("source_id"),
        note=case["note"],
        binding=BindingName(case["binding"]) if is_message else BindingName.MESSAGE,
        findings=_findings(case) if is_message else None,
    )


def _findings(case: Any) -> Findings:
    return Findings(
        tuple(Found(**each) for each in case["evidence"]),
        tuple(Problem(**each) for each in case["refused"]),
        case["overflow"],
    )
