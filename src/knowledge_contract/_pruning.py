"""Cut a tool's text and its artifact to a limit, so that both still say the same.

Whole entries stay or go; what stays is neither changed nor renumbered. A record leaves the
artifact with its entry, and a receipt says what went.

Source:
    contracts/README.md, "Budgets".
"""

from typing import Any, NamedTuple

from knowledge_contract._cutting import ELISION, shorten
from knowledge_contract._entries import Entry, find_entries
from knowledge_contract._layout import LAYOUT_KEY, RELATIONS, SEPARATOR, omission_notice
from knowledge_contract.citation import unlink_handles
from knowledge_contract.reading import Evidence, Form
from knowledge_wire.constants import EXCERPT_BLANKS, RECORD_COUNT, RESERVED_KEYS

__all__ = ["RECEIPT_KEY", "Plan", "make_plan", "prune", "synopsis_limit"]

RECEIPT_KEY = "knowledge_omitted"
"""The artifact's key for what pruning dropped; not a reserved one, and it proves nothing."""

_SYNOPSIS_MIN_LIMIT = 160
_SYNOPSIS_SHARE = 4
_SYNOPSIS_MAX_CHARS = 1_000
_SYNOPSIS_MIN_CHARS = _SYNOPSIS_MIN_LIMIT // _SYNOPSIS_SHARE


class Plan(NamedTuple):
    """A message's text taken apart, ready for any limit.

    Attributes:
        text: The text.
        entries: In order.
        keepable: How many of them, from the first, may be kept.
        outside: The text outside entries, without handles; empty where the layout allows none.
        total: Entries, and records that have none; for the notice.
        is_relations: Whether keeping stops at the first entry that does not fit.
        evidence: All that was read from the message.
    """

    text: str
    entries: list[Entry]
    keepable: int
    outside: str
    total: int
    is_relations: bool
    evidence: tuple[Evidence, ...]


def make_plan(
    text: str, artifact: dict[str, object], evidence: tuple[Evidence, ...]
) -> Plan | None:
    """Return how a message can be pruned; None if it holds nothing to keep whole.

    Args:
        text: The message's text.
        artifact: Its artifact.
        evidence: What was read from both.
    """
    layout = artifact.get(LAYOUT_KEY)
    is_relations = type(layout) is str and layout == RELATIONS
    # Edges depend on positions even where no document supports any. What a later version
    # means by the reserved keys is not known.
    is_graph_only = is_relations and not any(key in artifact for key in RESERVED_KEYS)
    if not evidence and not is_graph_only:
        return None
    parts = find_entries(text, evidence)
    if not evidence and not parts.entries:
        return None
    cited = {id(entry.evidence) for entry in parts.entries if entry.evidence is not None}
    total = len(parts.entries) + len(evidence) - len(cited)
    outside = "" if is_relations else _plain(parts.outside)
    keepable = parts.unbroken() if is_relations else len(parts.entries)
    return Plan(text, parts.entries, keepable, outside, total, is_relations, evidence)


def synopsis_limit(limit_chars: int) -> int:
    """Return the code points that text outside entries may take of a limit; 0 allows none."""
    if limit_chars < _SYNOPSIS_MIN_LIMIT:
        return 0
    return min(_SYNOPSIS_MAX_CHARS, limit_chars // _SYNOPSIS_SHARE)


def prune(
    plan: Plan, artifact: dict[str, Any], limit_chars: int, *, ending: str = ""
) -> tuple[str, dict[str, Any]]:
    """Return text and artifact of a message within a limit.

    Args:
        plan: How the message can be pruned.
        artifact: The message's; not changed, and itself returned if it stays the same.
        limit_chars: Code points of the whole text, at least 0.
        ending: A last line for the synopsis, within its limit.
    """
    synopsis = _synopsis(plan, limit_chars, ending)
    kept, notice = _fit(plan, synopsis, limit_chars)
    texts = [synopsis, *[entry.shown(plan.text) for entry in kept], notice]
    return SEPARATOR.join(filter(None, texts)), _rebuilt(artifact, plan, kept)


def _plain(outside: list[tuple[int, str]]) -> str:
    """Return text outside entries without handles."""
    pieces = [piece for _, each in outside if (piece := each.strip(EXCERPT_BLANKS))]
    text = SEPARATOR.join(pieces)
    # Most prose holds no bracket, which is found faster than a handle.
    return unlink_handles(text).strip(EXCERPT_BLANKS) if "]" in text else text


def _synopsis(plan: Plan, limit_chars: int, ending: str) -> str:
    room = synopsis_limit(limit_chars)
    if not room or not (plan.outside or ending):
        return ""
    # No entry is dropped for a longer synopsis, as none is for a notice that nothing needs.
    left = limit_chars - sum([entry.chars + len(SEPARATOR) for entry in plan.entries])
    if min(_SYNOPSIS_MIN_CHARS, len(plan.outside)) + len(ending) <= left:
        room = min(room, left)
    elif not ending and left >= -len(SEPARATOR):
        return ""
    if not ending:
        return shorten(plan.outside, room)
    room -= len(ending) + 1
    return f"{shorten(plan.outside, room)}\n{ending}" if room > len(ELISION) else ending


def _fit(plan: Plan, synopsis: str, limit_chars: int) -> tuple[list[Entry], str]:
    """Return the entries that are kept, and the notice that fits behind them, if any."""
    # What stands first has no separator before it, as if there were room for one more.
    room = limit_chars - len(synopsis) if synopsis else limit_chars + len(SEPARATOR)
    kept, left = _keep(plan, room)
    if len(kept) == plan.total:
        return kept, ""
    reserve = len(SEPARATOR) + len(omission_notice(plan.total))
    # A notice that leaves no room for evidence is worth less than evidence.
    fewer, more_left = _keep(plan, room - reserve)
    if fewer:
        kept, left = fewer, more_left + reserve
    notice = omission_notice(plan.total - len(kept))
    return kept, notice if len(SEPARATOR) + len(notice) <= left else ""


def _keep(plan: Plan, room: int) -> tuple[list[Entry], int]:
    """Return the entries that fit, each behind a separator, and the room that is left."""
    kept: list[Entry] = []
    for entry in plan.entries[: plan.keepable]:
        cost = entry.chars + len(SEPARATOR)
        if cost <= room:
            kept.append(entry)
            room -= cost
        elif plan.is_relations:
            break
    return kept, room


def _rebuilt(artifact: dict[str, Any], plan: Plan, kept: list[Entry]) -> dict[str, Any]:
    # By identity: entries hold the very objects of the plan.
    shown = {id(entry.evidence) for entry in kept}
    stays: dict[Form, list[object]] = {"native": [], "shared": []}
    gone: dict[Form, list[str]] = {"native": [], "shared": []}
    for each in plan.evidence:
        if id(each) in shown:
            stays[each.form].append(each.record)
        else:
            gone[each.form].append(str(each.record["id"]))
    new = _with_records(artifact, native=stays["native"], shared=stays["shared"])
    uncited = _count_uncited(plan.entries) - _count_uncited(kept)
    if uncited or gone["native"] or gone["shared"]:
        new[RECEIPT_KEY] = _receipt(artifact.get(RECEIPT_KEY), gone, uncited)
    same = new.keys() == artifact.keys() and all(new[key] is artifact[key] for key in new)
    return artifact if same else new


def _count_uncited(entries: list[Entry]) -> int:
    return sum([entry.evidence is None for entry in entries])


def _with_records(
    artifact: dict[str, Any], *, native: list[object], shared: list[object]
) -> dict[str, Any]:
    """Return a copy of an artifact whose reserved keys hold these records, each list its own."""
    reserved: dict[str, Any] = {}
    is_mixed = "retrieval_sources" in artifact
    if native:
        snapshot = artifact["knowledge_sources"]
        sources = _same_or(snapshot["sources"], native)
        is_same = sources is snapshot["sources"]
        reserved["knowledge_sources"] = snapshot if is_same else {**snapshot, "sources": sources}
    if shared:
        key = "retrieval_sources" if is_mixed else "knowledge_sources"
        reserved[key] = _same_or(artifact[key], shared)
    # Beside a native snapshot alone a version means nothing, and stays with it.
    if shared or (native and not is_mixed):
        reserved["knowledge_sources_version"] = artifact.get("knowledge_sources_version")
    return {
        key: reserved.get(key, value)
        for key, value in artifact.items()
        if key in reserved or key not in RESERVED_KEYS
    }


def _same_or(records: list[object], kept: list[object]) -> list[object]:
    # Kept records are some of the list, in its order.
    return records if len(records) == len(kept) else kept


def _receipt(earlier: object, gone: dict[Form, list[str]], uncited: int) -> dict[str, Any]:
    """Return what was dropped, earlier prunings included: bounded ids by form, and a count."""
    receipt: dict[str, Any] = {form: ids for form, ids in gone.items() if ids}
    if type(earlier) is dict:
        for form, ids in gone.items():
            named = earlier.get(form)
            known = [each for each in named if type(each) is str] if type(named) is list else []
            if known:
                receipt[form] = list(dict.fromkeys([*known, *ids]))[:RECORD_COUNT]
        counted = earlier.get("uncited")
        uncited += counted if type(counted) is int and counted > 0 else 0
    if uncited:
        receipt["uncited"] = uncited
    return receipt
