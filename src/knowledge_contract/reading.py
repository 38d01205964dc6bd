"""Read evidence out of a tool message: the one reader behind every consumer.

A record is evidence when it satisfies the contract, its id recomputes, and the text shows its
closed handle and its exact excerpt. Nothing is fetched, nothing is changed, nothing raises.

Cheap tests come first and the text is only searched for a record whose id is proven, so that
no forged record costs more than its own hash. Entries are expected in artifact order, each
right behind the last; once that fails, all handles are found in one scan.

Source:
    contracts/README.md, "Reading".
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from knowledge_contract._messages import read_tool_message
from knowledge_contract.citation import find_shared_handles
from knowledge_wire.constants import EXCERPT_TOTAL_CHARS, RECORD_COUNT, SHARED_DESTINATION
from knowledge_wire.parsing import Problem
from knowledge_wire.proof import is_proven_knowledge_source
from knowledge_wire.validators import check_knowledge_source

__all__ = ["Binding", "Evidence", "Form", "Reading", "read_message"]

Binding: TypeAlias = Literal["message", "entry"]
"""How firmly an excerpt is tied to its handle: anywhere in the same message, or right below it."""

Form: TypeAlias = Literal["shared", "native"]


_Found: TypeAlias = Literal["message", "entry", "handle", "excerpt"]
"""A binding, or the rule that refuses a record."""

_HEAD = f"]({SHARED_DESTINATION}"
# What `Evidence(...)` calls in the end; the function between costs as much as it does.
_new = tuple.__new__


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
        _, text, artifact = parts
        records = artifact.get("knowledge_sources")
        if type(records) is not list or "retrieval_sources" in artifact:
            return _NOTHING
        if not _is_version_one(artifact.get("knowledge_sources_version")):
            return _NOTHING
        return _read_shared(text, records, binding)
    except Exception:  # noqa: BLE001 - foreign code, such as a key's `__eq__`, may raise anything
        return _NOTHING


def _is_version_one(value: object) -> bool:
    return (type(value) is int or type(value) is float) and value == 1


def _read_shared(text: str, records: list[object], binding: Binding) -> Reading:
    # One function on purpose: calls are what a message of five short records spends its time on.
    evidence: list[Evidence] = []
    refused: list[Problem] = []
    verdicts: dict[str, str] = {}
    ends: dict[str, list[int]] | None = None
    at = total = 0
    for index, record in enumerate(records[:RECORD_COUNT]):
        if not is_proven_knowledge_source(record):
            problems = check_knowledge_source(record) or (Problem("/id", "id"),)
            pointer, rule = problems[0]
            refused.append(Problem(f"/knowledge_sources/{index}{pointer}", rule))
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
        refused.append(Problem(f"/knowledge_sources/{index}", verdict))
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
