"""The reading of a tool message, written out rule by rule and without any haste.

Shares no code with `knowledge_contract`: records are judged by `reference`, the id is put
together by hand, and the text is searched anew for every record.

Source:
    contracts/README.md, "Forms of an artifact" and "Reading a tool message", rules 1 to 5.
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
_GAP_CHARS: int = _RAW["x-limits"]["native_entry_gap_chars"]["value"]
_NATIVE_TOOLS: list[str] = _RAW["x-handles"]["native"]["tool_names"]
_DEFINITIONS = {"shared": "KnowledgeSource", "native": "NativeSourceRead"}
_EXCERPTS = {"shared": "excerpt", "native": "text"}


class SlowReading(NamedTuple):
    """What is evidence (record, form and binding), what is refused and why, what is not read."""

    evidence: list[tuple[Any, str, str]]
    refused: list[Finding]
    overflow: int


class _Records(NamedTuple):
    """One list of an artifact: where it stands, and what its records' own problems are."""

    form: str
    pointer: str
    records: list[Any]
    problems: list[Finding | None]


def read_slowly(message: object) -> dict[str, SlowReading]:
    """Return what a message says about evidence, for each demand."""
    kind, artifact = _attribute(message, "type"), _attribute(message, "artifact")
    text = _text_of(message)
    lists: list[_Records] = []
    if type(kind) is str and kind == "tool" and text is not None and type(artifact) is dict:
        lists = _lists_of(_attribute(message, "name"), artifact)
    return {demand: _read_lists(text or "", lists, demand) for demand in ("message", "entry")}


def _lists_of(name: Any, artifact: dict[str, Any]) -> list[_Records]:
    """Return the lists that count in an artifact of this form, native records first."""
    sources = artifact.get("knowledge_sources")
    is_known = _is_one(artifact.get("knowledge_sources_version"))
    native = _native_of(name, sources)
    if "retrieval_sources" not in artifact:
        if type(sources) is not list:
            return native
        return [_judged("shared", "/knowledge_sources", sources)] if is_known else []
    shared = artifact["retrieval_sources"]
    if type(shared) is not list or not is_known:
        return []
    if "knowledge_sources" in artifact and type(sources) is not dict:
        return []
    return [*native, _judged("shared", "/retrieval_sources", shared)]


def _native_of(name: Any, snapshot: Any) -> list[_Records]:
    if type(name) is not str or name not in _NATIVE_TOOLS or type(snapshot) is not dict:
        return []
    records = snapshot.get("sources")
    if type(records) is not list or not _is_one(snapshot.get("version")):
        return []
    return [_judged("native", "/knowledge_sources/sources", records)]


def _is_one(version: Any) -> bool:
    return type(version) in (int, float) and version == 1


def _judged(form: str, pointer: str, records: list[Any]) -> _Records:
    problems = [_problem_of(form, record) for record in records[:_RECORD_COUNT]]
    return _Records(form, pointer, records, problems)


def _read_lists(text: str, lists: list[_Records], demand: str) -> SlowReading:
    reading = SlowReading([], [], 0)
    for each in lists:
        for index, problem in enumerate(each.problems):
            pointer, record = f"{each.pointer}/{index}", each.records[index]
            if problem is not None:
                reading.refused.append(Finding(pointer + problem.pointer, problem.rule))
                continue
            verdict = _verdict_of(text, each.form, record, reading.evidence, demand)
            if verdict in ("message", "entry"):
                reading.evidence.append((record, each.form, verdict))
            else:
                reading.refused.append(Finding(pointer, verdict))
    overflow = sum(max(0, len(each.records) - _RECORD_COUNT) for each in lists)
    return reading._replace(overflow=overflow)


def _verdict_of(
    text: str, form: str, record: Any, accepted: list[tuple[Any, str, str]], demand: str
) -> str:
    """Return a good record's binding, or the rule by which the message refuses it."""
    if any(earlier["id"] == record["id"] for earlier, _, _ in accepted):
        return "duplicate"
    binding = _native_binding(text, record) if form == "native" else _binding_of(text, record)
    if binding not in ("entry", "message"):
        return binding
    if demand == "entry" and binding != "entry":
        return "excerpt"
    total = sum(len(earlier[_EXCERPTS[kind]]) for earlier, kind, _ in accepted)
    return "total" if total + len(record[_EXCERPTS[form]]) > _TOTAL_CHARS else binding


def _problem_of(form: str, record: Any) -> Finding | None:
    """Return the first problem that a record has by itself."""
    for problem in judge(_CONTRACT, _DEFINITIONS[form], record):
        return problem
    if form == "native" or id_slowly(record) == record["id"]:
        return None
    return Finding("/id", "id")


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


def _native_binding(text: str, record: dict[str, Any]) -> str:
    """Return `entry` or `message`, or the rule by which the text refuses a native record."""
    handle = f"](#knowledge-{record['id']})"
    if handle not in text:
        return "handle"
    rest = text
    for _ in range(1 + 4 * len(text) // len(record["text"])):
        _, found, rest = rest.partition(handle)
        if not found:
            break
        gap, line_end, below = rest.partition("\n")
        if line_end and len(gap) <= _GAP_CHARS and below.startswith(record["text"]):
            return "entry"
    return "message"


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
