"""The reading of a tool message, written out rule by rule and without any haste.

Shares no code with `knowledge_contract`: records are judged by `reference`, the id is put
together by hand, and the text is searched anew for every record.

Source:
    contracts/README.md, "Reading a tool message", rules 1 to 4 for the shared form.
"""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from contract_codegen.loading import load_contract
from reference import Finding, judge

_FILE = Path(__file__).parents[2] / "contracts/knowledge_sources.v1.json"
_CONTRACT = load_contract(_FILE)
_RAW = json.loads(_FILE.read_text("utf-8"))
_RECORD_COUNT: int = _RAW["x-limits"]["record_count"]["value"]
_TOTAL_CHARS: int = _RAW["x-limits"]["excerpt_total_chars"]["value"]


class SlowReading(NamedTuple):
    """What is evidence (record and binding), what is refused and why, and what is not read."""

    evidence: list[tuple[Any, str]]
    refused: list[Finding]
    overflow: int


def read_slowly(message: object) -> dict[str, SlowReading]:
    """Return what a message says about evidence, in the shared form only, for each demand."""
    nothing = SlowReading([], [], 0)
    kind, artifact = _attribute(message, "type"), _attribute(message, "artifact")
    text = _text_of(message)
    if type(kind) is not str or kind != "tool" or text is None or type(artifact) is not dict:
        return {"message": nothing, "entry": nothing}
    records = artifact.get("knowledge_sources")
    if type(records) is not list or "retrieval_sources" in artifact:
        return {"message": nothing, "entry": nothing}
    version = artifact.get("knowledge_sources_version")
    if type(version) not in (int, float) or version != 1:
        return {"message": nothing, "entry": nothing}
    problems = [_problem_of(record) for record in records[:_RECORD_COUNT]]
    return {
        demand: _read_records(text, records, problems, demand) for demand in ("message", "entry")
    }


def _read_records(
    text: str, records: list[Any], problems: list[Finding | None], demand: str
) -> SlowReading:
    evidence: list[tuple[Any, str]] = []
    refused: list[Finding] = []
    for index, problem in enumerate(problems):
        pointer, record = f"/knowledge_sources/{index}", records[index]
        if problem is not None:
            refused.append(Finding(pointer + problem.pointer, problem.rule))
            continue
        binding = _binding_of(text, record)
        if any(accepted["id"] == record["id"] for accepted, _ in evidence):
            refused.append(Finding(pointer, "duplicate"))
        elif binding not in ("entry", "message"):
            refused.append(Finding(pointer, binding))
        elif demand == "entry" and binding != "entry":
            refused.append(Finding(pointer, "excerpt"))
        elif sum(len(each["excerpt"]) for each, _ in [*evidence, (record, "")]) > _TOTAL_CHARS:
            refused.append(Finding(pointer, "total"))
        else:
            evidence.append((record, binding))
    return SlowReading(evidence, refused, max(0, len(records) - _RECORD_COUNT))


def _problem_of(record: Any) -> Finding | None:
    """Return the first problem that a record has by itself."""
    for problem in judge(_CONTRACT, "KnowledgeSource", record):
        return problem
    return None if id_slowly(record) == record["id"] else Finding("/id", "id")


def id_slowly(record: dict[str, Any]) -> str:
    """Return the id of a valid record, whatever id it claims."""
    page = str(int(record["page"])) if "page" in record else ""
    parts = [
        "knowledge_sources.v1",
        record["provider"],
        record["title"],
        record.get("dataset_name", ""),
        record.get("url", ""),
        page,
        record["excerpt"],
    ]
    digest = sha256()
    for number, part in enumerate(parts):
        digest.update(b"\0" if number else b"")
        digest.update(part.encode("utf-8"))
    return digest.hexdigest()[:32]


def _binding_of(text: str, record: dict[str, Any]) -> str:
    """Return `entry` or `message`, or the rule by which the text refuses the record."""
    handle = f"](#knowledge-source-{record['id']})"
    if handle not in text:
        return "handle"
    if f"{handle}\n{record['excerpt']}" in text:
        return "entry"
    return "message" if record["excerpt"] in text else "excerpt"


def _attribute(message: object, name: str) -> Any:
    """Return a part of a message, or None where a foreign property fails."""
    if type(message) is dict:
        return message.get(name)
    try:
        return getattr(message, name, None)
    except Exception:  # noqa: BLE001 - whatever a foreign property raises
        return None


def _text_of(message: object) -> str | None:
    content = _attribute(message, "content")
    if type(content) is str:
        return content
    if type(content) is not list:
        return None
    blocks = []
    for block in content:
        if type(block) is str:
            blocks.append(block)
        elif type(block) is dict and block.get("type") == "text" and type(block.get("text")) is str:
            blocks.append(block["text"])
    return "\n".join(blocks)
