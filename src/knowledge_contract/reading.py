"""Read evidence out of a tool message: the one reader behind every consumer.

A shared record is evidence when it satisfies the contract, its id recomputes, and the text
shows its closed handle and its exact excerpt. A native record, whose id is random, is evidence
when it is readable, its tool is one that writes such records, and the text shows its handle.
Nothing is fetched, nothing is changed, nothing raises.

Cheap tests come first and the text is only searched for a record whose id is proven, so that
no forged record costs more than its own hash. Entries are expected in artifact order, each
right behind the last; once that fails, all handles are found in one scan.

Source:
    contracts/README.md, "Reading".
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from knowledge_contract._messages import read_tool_message
from knowledge_contract.citation import find_native_handles, find_shared_handles, shared_tail
from knowledge_wire.constants import (
    EXCERPT_TOTAL_CHARS,
    NATIVE_ENTRY_GAP_CHARS,
    NATIVE_TOOL_NAMES,
    RECORD_COUNT,
)
from knowledge_wire.parsing import Problem
from knowledge_wire.proof import is_proven_knowledge_source
from knowledge_wire.validators import check_knowledge_source, check_native_source_read

__all__ = ["Binding", "Evidence", "Form", "Reading", "read_message"]

Binding: TypeAlias = Literal["message", "entry"]
"""How firmly an excerpt is tied to its handle: anywhere in the same message, or right below it."""

Form: TypeAlias = Literal["shared", "native"]


_Found: TypeAlias = Literal["message", "entry", "handle", "excerpt"]
"""A binding, or the rule that refuses a record."""

# A closed handle up to its id, for the one place that writes it a hundred times a message.
_HEAD = shared_tail("").removesuffix(")")
# What `Evidence(...)` calls in the end; the function between costs as much as it does.
_new = tuple.__new__


NATIVE_COMPARISONS = 4
"""How many times the text's length may be compared with one native record's text."""


class Evidence(NamedTuple):
    """A record that was proven against the text it came with.

    Attributes:
        record: The caller's own object, untouched.
        form: The form it was read in.
        binding: `entry` if the excerpt stands right below one of the record's own handles,
            else `message`: a short excerpt can be found anywhere.
    """

    record: Mapping[str, object]
    form: Form
    binding: Binding


class Reading(NamedTuple):
    """All that one message says about evidence.

    Attributes:
        evidence: In artifact order.
        refused: A problem for each record that is no evidence; pointers are relative to the
            artifact.
        overflow: Records beyond the first 100 of a list, which are not looked at.
    """

    evidence: tuple[Evidence, ...]
    refused: tuple[Problem, ...]
    overflow: int


_NOTHING = Reading((), (), 0)


def read_message(message: object, *, binding: Binding = "message") -> Reading:
    """Return the evidence of a tool message; any other value has none.

    Args:
        message: A message as a dict, or any object with `type`, `content`, `artifact` and
            `name`, already parsed.
        binding: `entry` refuses a record whose excerpt does not stand right below its own
            handle (rule `excerpt`), and makes the time linear whatever the text holds.
    """
    try:
        parts = read_tool_message(message)
        if parts is None:
            return _NOTHING
        name, text, artifact = parts
        records = artifact.get("knowledge_sources")
        is_version_one = _is_one(artifact.get("knowledge_sources_version"))
        if "retrieval_sources" not in artifact:
            if type(records) is list and is_version_one:
                return _read_shared(text, records, binding, "/knowledge_sources", 0)
            return _read_native(text, name, records, binding)
        shared = artifact["retrieval_sources"]
        if type(shared) is not list or not is_version_one:
            return _NOTHING
        if "knowledge_sources" in artifact and type(records) is not dict:
            return _NOTHING
        native = _read_native(text, name, records, binding)
        total = sum(len(str(each.record["text"])) for each in native.evidence)
        return _joined(native, _read_shared(text, shared, binding, "/retrieval_sources", total))
    except Exception:  # noqa: BLE001 - foreign code, such as a key's `__eq__`, may raise anything
        return _NOTHING


def _is_one(value: object) -> bool:
    return (type(value) is int or type(value) is float) and value == 1


def _joined(first: Reading, second: Reading) -> Reading:
    return Reading(
        first.evidence + second.evidence,
        first.refused + second.refused,
        first.overflow + second.overflow,
    )


def _read_shared(
    text: str, records: list[object], binding: Binding, pointer: str, total: int
) -> Reading:
    # One function on purpose: calls are what a message of five short records spends its time on.
    evidence: list[Evidence] = []
    refused: list[Problem] = []
    verdicts: dict[str, str] = {}
    ends: dict[str, list[int]] | None = None
    at = 0
    for index, record in enumerate(records[:RECORD_COUNT]):
        try:
            if not is_proven_knowledge_source(record):
                problems = check_knowledge_source(record) or (Problem("/id", "id"),)
                inner, rule = problems[0]
                refused.append(Problem(f"{pointer}/{index}{inner}", rule))
                continue
        except Exception:  # noqa: BLE001 - a record whose own code fails refuses itself alone
            refused.append(Problem(f"{pointer}/{index}", "type"))
            continue
        # An id that recomputes stands for one content, so that its verdict stands too.
        record_id = record["id"]
        verdict = verdicts.get(record_id)
        if verdict is None:
            excerpt = record["excerpt"]
            found: _Found = "entry"
            if ends is None:
                tail = f"{_HEAD}{record_id})\n"
                start = text.find(tail, at)
                at = start + len(tail)
                if start >= 0 and text.startswith(excerpt, at):
                    at += len(excerpt)
                else:
                    # One miss and the cursor is off, also if this record is then refused: or
                    # every further record could search the whole text again.
                    ends = find_shared_handles(text, _ids(records))
            if ends is not None:
                found = _bind(text, ends.get(record_id), excerpt, binding)
            if found == "handle" or found == "excerpt":  # noqa: PLR1714 - so that types narrow
                verdict = found
            elif total + len(excerpt) > EXCERPT_TOTAL_CHARS:
                verdict = "total"
            else:
                total += len(excerpt)
                evidence.append(_new(Evidence, (record, "shared", found)))
                verdicts[record_id] = "duplicate"
                continue
            verdicts[record_id] = verdict
        refused.append(Problem(f"{pointer}/{index}", verdict))
    return Reading(tuple(evidence), tuple(refused), max(0, len(records) - RECORD_COUNT))


def _ids(records: list[object]) -> frozenset[str]:
    ids = (record.get("id") for record in records[:RECORD_COUNT] if type(record) is dict)
    return frozenset(each for each in ids if type(each) is str)


def _bind(text: str, ends: list[int] | None, excerpt: str, binding: Binding) -> _Found:
    """Return the binding of a proven record, or the rule that refuses it.

    Args:
        text: The message's text.
        ends: Where the record's closed handles end; None if there is none.
        excerpt: The record's excerpt.
        binding: What the caller demands; without `entry` the whole text may be searched.
    """
    if ends is None:
        return "handle"
    # Every occurrence counts: another entry may quote this one's handle before it.
    for end in ends:
        if text.startswith("\n", end) and text.startswith(excerpt, end + 1):
            return "entry"
    return "message" if binding == "message" and excerpt in text else "excerpt"


def _read_native(text: str, name: str | None, snapshot: object, binding: Binding) -> Reading:
    if name not in NATIVE_TOOL_NAMES or type(snapshot) is not dict:
        return _NOTHING
    records = snapshot.get("sources")
    if type(records) is not list or not _is_one(snapshot.get("version")):
        return _NOTHING
    evidence: list[Evidence] = []
    refused: list[Problem] = []
    verdicts: dict[str, str] = {}
    total = 0
    ends = find_native_handles(text, _ids(records))
    for index, record in enumerate(records[:RECORD_COUNT]):
        at = f"/knowledge_sources/sources/{index}"
        problem = _native_problem(record)
        if problem is not None:
            inner, rule = problem
            refused.append(Problem(f"{at}{inner}", rule))
            continue
        record_id, excerpt = record["id"], record["text"]
        verdict = verdicts.get(record_id)
        if verdict is None:
            found = _bind_native(text, ends.get(record_id), excerpt)
            if found == "handle":
                verdict = "handle"
            elif found == "message" and binding == "entry":
                verdict = "excerpt"
            elif total + len(excerpt) > EXCERPT_TOTAL_CHARS:
                verdict = "total"
            else:
                total += len(excerpt)
                evidence.append(Evidence(record, "native", found))
                verdicts[record_id] = "duplicate"
                continue
        refused.append(Problem(at, verdict))
    return Reading(tuple(evidence), tuple(refused), max(0, len(records) - RECORD_COUNT))


def _native_problem(record: object) -> Problem | None:
    try:
        problems = check_native_source_read(record)
    except Exception:  # noqa: BLE001 - a record whose own code fails refuses itself alone
        return Problem("", "type")
    return problems[0] if problems else None


def _bind_native(
    text: str, ends: list[int] | None, excerpt: str
) -> Literal["message", "entry", "handle"]:
    if ends is None:
        return "handle"
    # A native id is no hash, so that a text may repeat its own handle: what is compared stays
    # within a few times the text, however often it does.
    attempts = 1 + NATIVE_COMPARISONS * len(text) // len(excerpt)
    for end in ends[:attempts]:
        line_end = text.find("\n", end, end + NATIVE_ENTRY_GAP_CHARS + 1)
        if line_end != -1 and text.startswith(excerpt, line_end + 1):
            return "entry"
    return "message"
