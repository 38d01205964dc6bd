"""Cut a tool's text and its artifact to a limit, so that both still say the same.

Whole entries stay or go; what stays is neither changed nor renumbered. A record leaves the
artifact with its entry, and a receipt says what went.

Source:
    contracts/README.md, "Budgets".
"""

from typing import Any, NamedTuple, Self

from knowledge_contract._cutting import ELISION, shorten
from knowledge_contract._entries import Entry, Parts, find_entries
from knowledge_contract._layout import (
    LAYOUT_KEY,
    OUTSIDE_MARKS,
    RELATIONS,
    SEPARATOR,
    omission_notice,
    read_notice,
)
from knowledge_contract._receipts import RECEIPT_KEY, build_receipt, count_left_out
from knowledge_contract.citation import unlink_handles
from knowledge_contract.reading import Evidence, Form, read_message
from knowledge_wire.constants import EXCERPT_BLANKS, RESERVED_KEYS

__all__ = ["Plan", "Pruned", "make_plan", "prune", "synopsis_limit"]

_SYNOPSIS_MIN_LIMIT = 160
_SYNOPSIS_SHARE = 4
_SYNOPSIS_MAX_CHARS = 1_000
_SYNOPSIS_MIN_CHARS = _SYNOPSIS_MIN_LIMIT // _SYNOPSIS_SHARE


class Plan(NamedTuple):
    """A message's text taken apart, ready for any limit.

    Attributes:
        name: The name of the message's tool.
        text: The text.
        entries: In order.
        keepable: How many of them, from the first, may be kept.
        outside: The text outside entries, without handles; empty where the layout allows none.
        outside_chars: Its code points, also where it is not allowed.
        told: How many results an earlier cut said were left out.
        total: Entries, and records that have none; for the notice.
        is_relations: Whether keeping stops at the first entry that does not fit.
        evidence: All that was read from the message.
    """

    name: str | None
    text: str
    entries: list[Entry]
    keepable: int
    outside: str
    outside_chars: int
    told: int
    total: int
    is_relations: bool
    evidence: tuple[Evidence, ...]

    def without(self, hidden: set[int]) -> Self:
        """Return the plan without the entries of evidence with these identities."""
        at = next(n for n, each in enumerate(self.entries) if id(each.evidence) in hidden)
        if self.is_relations:
            return self._replace(keepable=min(self.keepable, at))
        left = [each for each in self.entries if id(each.evidence) not in hidden]
        return self._replace(entries=left, keepable=len(left))


class Pruned(NamedTuple):
    """What is left of a message.

    Attributes:
        text: Its text.
        artifact: Its artifact; the very one that was given if it stays the same.
        outside_chars: Code points of text outside entries that are not shown.
    """

    text: str
    artifact: dict[str, Any]
    outside_chars: int


class _Page(NamedTuple):
    """What is shown: some text outside entries, some entries and perhaps a notice."""

    synopsis: str
    kept: list[Entry]
    notice: str
    outside_chars: int


def make_plan(
    text: str,
    artifact: dict[str, object],
    evidence: tuple[Evidence, ...],
    *,
    name: str | None = None,
) -> Plan | None:
    """Return how a message can be pruned; None if it holds nothing to keep whole.

    Args:
        text: The message's text.
        artifact: Its artifact.
        evidence: What was read from both.
        name: The name of the message's tool.
    """
    layout = artifact.get(LAYOUT_KEY)
    is_relations = type(layout) is str and layout == RELATIONS
    # Edges depend on positions even where no document supports any. What a later version
    # means by the reserved keys is not known.
    is_free = not any(key in artifact for key in RESERVED_KEYS)
    was_pruned = is_free and type(artifact.get(RECEIPT_KEY)) is dict
    if not evidence and not was_pruned and not (is_relations and is_free):
        return None
    parts = find_entries(text, evidence)
    if not evidence and not was_pruned and not parts.entries:
        return None
    cited = {id(entry.evidence) for entry in parts.entries if entry.evidence is not None}
    outside, noticed = _plain(parts)
    return Plan(
        name=name,
        text=text,
        entries=parts.entries,
        keepable=parts.unbroken() if is_relations else len(parts.entries),
        outside="" if is_relations else outside,
        outside_chars=len(outside),
        told=max(noticed, count_left_out(artifact.get(RECEIPT_KEY))),
        total=len(parts.entries) + len(evidence) - len(cited),
        is_relations=is_relations,
        evidence=evidence,
    )


def synopsis_limit(limit_chars: int) -> int:
    """Return the code points that text outside entries may take of a limit; 0 allows none."""
    if limit_chars < _SYNOPSIS_MIN_LIMIT:
        return 0
    return min(_SYNOPSIS_MAX_CHARS, limit_chars // _SYNOPSIS_SHARE)


def prune(plan: Plan, artifact: dict[str, Any], limit_chars: int, *, ending: str = "") -> Pruned:
    """Return text and artifact of a message within a limit.

    Args:
        plan: How the message can be pruned.
        artifact: The message's; not changed.
        limit_chars: Code points of the whole text, at least 0.
        ending: A last line for the synopsis, within its limit.
    """
    while True:
        page = _fit(plan, limit_chars, ending)
        texts = [page.synopsis, *[entry.shown(plan.text) for entry in page.kept], page.notice]
        text = SEPARATOR.join(filter(None, texts))
        new = _rebuilt(artifact, plan, page)
        hidden = _hidden(plan, page.kept, text, new)
        if not hidden:
            return Pruned(text, new, page.outside_chars)
        plan = plan.without(hidden)


def _hidden(plan: Plan, kept: list[Entry], text: str, artifact: dict[str, Any]) -> set[int]:
    """Return the identities of kept evidence that a reader of the new text does not reach.

    A reader looks at so many handles of a native record, fewer in a shorter text, and those
    that other excerpts quote count too.
    """
    # Native records stand under this key, in an object.
    if type(artifact.get("knowledge_sources")) is not dict:
        return set()
    proven = [entry.evidence for entry in kept if entry.evidence is not None]
    message = {"type": "tool", "name": plan.name, "content": text, "artifact": artifact}
    shown = {id(each.record) for each in read_message(message, binding="entry").evidence}
    return {id(each) for each in proven if id(each.record) not in shown}


def _plain(parts: Parts) -> tuple[str, int]:
    """Return text outside entries without handles, and how many results it says are missing."""
    pieces = [piece for _, each in parts.outside if (piece := each.strip(EXCERPT_BLANKS))]
    noticed = 0
    if pieces and parts.outside[-1][0] == len(parts.entries):
        at = pieces[-1].rfind(SEPARATOR)
        noticed = read_notice(pieces[-1][at + len(SEPARATOR) if at >= 0 else 0 :])
        if noticed:
            pieces[-1] = pieces[-1][: max(at, 0)].strip(EXCERPT_BLANKS)
    # Compared, not hashed: a piece may be the longest part of the text.
    kept = [piece for piece in pieces if piece and piece not in OUTSIDE_MARKS]
    text = SEPARATOR.join(kept)
    # Most prose holds no bracket, which is found faster than a handle.
    return unlink_handles(text).strip(EXCERPT_BLANKS) if "]" in text else text, noticed


def _fit(plan: Plan, limit_chars: int, ending: str) -> _Page:
    """Return what is shown: other text within its share, and the entries beside it."""
    if not plan.outside:
        kept, notice, _ = _fit_entries(plan, "", limit_chars)
        return _Page("", kept, notice, plan.outside_chars)
    synopsis = _synopsis(plan, _room_before(plan, limit_chars, ending), ending)
    kept, notice, left = _fit_entries(plan, synopsis, limit_chars)
    if limit_chars >= _SYNOPSIS_MIN_LIMIT:
        room = len(synopsis) + left if synopsis else left - len(SEPARATOR)
        room = min(room, synopsis_limit(limit_chars))
        if room >= min(_SYNOPSIS_MIN_CHARS, len(plan.outside)) + len(ending):
            synopsis = _synopsis(plan, room, ending)
        elif not synopsis:
            synopsis = next((mark for mark in OUTSIDE_MARKS if len(mark) <= room), "")
        # A text that is cut at a word may leave room for the notice after all.
        kept, notice, _ = _fit_entries(plan, synopsis, limit_chars)
    shown = _count_shown(plan, synopsis, ending)
    return _Page(synopsis, kept, notice, plan.outside_chars - shown)


def _room_before(plan: Plan, limit_chars: int, ending: str) -> int:
    """Return the code points of other text for which entries may have to go."""
    room = synopsis_limit(limit_chars)
    if not room:
        return 0
    # No entry is dropped for a longer synopsis, as none is for a notice that nothing needs.
    left = limit_chars - sum([entry.chars + len(SEPARATOR) for entry in plan.entries])
    told = len(SEPARATOR) + len(omission_notice(plan.told)) if plan.told else 0
    if min(_SYNOPSIS_MIN_CHARS, len(plan.outside)) + len(ending) <= left - told:
        return min(room, left - told)
    return 0 if not ending and left >= -len(SEPARATOR) else room


def _synopsis(plan: Plan, room: int, ending: str) -> str:
    if not ending:
        # Less than the mark of a cut says nothing.
        return shorten(plan.outside, room) if room > len(ELISION) else ""
    room -= len(ending) + 1
    return f"{shorten(plan.outside, room)}\n{ending}" if room > len(ELISION) else ending


def _count_shown(plan: Plan, synopsis: str, ending: str) -> int:
    """Return how many code points of the text outside entries a synopsis shows."""
    shown = len(synopsis) - (len(ending) + 1 if ending else 0)
    if not synopsis or synopsis == ending or synopsis in OUTSIDE_MARKS:
        return 0
    return shown if shown == len(plan.outside) else shown - len(ELISION)


def _fit_entries(plan: Plan, synopsis: str, limit_chars: int) -> tuple[list[Entry], str, int]:
    """Return the entries that are kept, the notice that fits behind them, and what is left."""
    # What stands first has no separator before it, as if there were room for one more.
    room = limit_chars - len(synopsis) if synopsis else limit_chars + len(SEPARATOR)
    kept, left = _keep(plan, room)
    spare = left
    if len(kept) < plan.total:
        reserve = len(SEPARATOR) + len(omission_notice(plan.told + plan.total))
        # A notice that leaves no room for evidence is worth less than evidence.
        fewer, more_left = _keep(plan, room - reserve)
        if fewer:
            kept, left, spare = fewer, more_left + reserve, more_left
        else:
            spare = max(0, left - reserve)
    missing = plan.told + plan.total - len(kept)
    notice = omission_notice(missing) if missing else ""
    cost = len(SEPARATOR) + len(notice) if missing else 0
    return kept, notice if cost <= left else "", min(spare, max(0, left - cost))


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


def _rebuilt(artifact: dict[str, Any], plan: Plan, page: _Page) -> dict[str, Any]:
    # By identity: entries hold the very objects of the plan.
    shown = {id(entry.evidence) for entry in page.kept}
    stays: dict[Form, list[object]] = {"native": [], "shared": []}
    gone: dict[Form, list[str]] = {"native": [], "shared": []}
    for each in plan.evidence:
        if id(each) in shown:
            stays[each.form].append(each.record)
        else:
            gone[each.form].append(str(each.record["id"]))
    new = _with_records(artifact, native=stays["native"], shared=stays["shared"])
    uncited = _count_uncited(plan.entries) - _count_uncited(page.kept)
    earlier = artifact.get(RECEIPT_KEY)
    missing = plan.told + plan.total - len(page.kept)
    if uncited or gone["native"] or gone["shared"] or page.outside_chars or missing > plan.told:
        new[RECEIPT_KEY] = build_receipt(
            earlier, gone, uncited=uncited, outside_chars=page.outside_chars, results=missing
        )
    elif not page.notice and missing > count_left_out(earlier):
        # What the text said until now, and has no room for.
        new[RECEIPT_KEY] = build_receipt(earlier, gone, results=missing)
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
