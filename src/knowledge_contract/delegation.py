"""Carry evidence out of a child agent: gather it while it runs, forward what its report cites.

A child's history is compacted while it runs and gone when it ends. What its tools proved is
gathered from every frame (`EvidenceAccumulator`), and what its report cites goes into the one
message that its parent sees (`forward_cited`).

Source:
    contracts/README.md, "Delegation".
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from knowledge_contract._accumulator import EvidenceAccumulator, excerpt_of
from knowledge_contract._forms import build_artifact, project_native, project_shared
from knowledge_contract._layout import SEPARATOR
from knowledge_contract._links import Link, cut_off, read_links
from knowledge_contract.citation import (
    find_native_handles,
    find_shared_handles,
    native_handle,
    shared_handle,
    show_locators,
    unlink_handles,
)
from knowledge_contract.reading import Evidence, read_message
from knowledge_wire.constants import EXCERPT_TOTAL_CHARS, NATIVE_ENTRY_GAP_CHARS, RECORD_COUNT
from knowledge_wire.proof import is_proven_knowledge_source
from knowledge_wire.validators import is_native_source_read

__all__ = ["DEFAULT_APPENDIX_CHARS", "EvidenceAccumulator", "forward_cited"]

DEFAULT_APPENDIX_CHARS = 8_000
"""Of the entries behind a child's report, where nobody says otherwise."""

_TOOL_NAME = "task"
_ROUNDS = 9
_FEW_HANDLES = 4
"""Handles of a native record that readers look at before its entry, whatever the text is."""

_Known: TypeAlias = Mapping[Link, Evidence]


class _Span(NamedTuple):
    """Where a report quotes a record's excerpt right below the record's own handle."""

    start: int
    end: int
    link: Link


class _Choice(NamedTuple):
    """What is forwarded of a report's citations.

    Attributes:
        kept: In the order of first citation.
        held: The excerpts of kept records that the report itself shows as entries.
        entries: What has to be added so that every kept record has its entry.
        omitted: How many cited records did not fit.
    """

    kept: dict[Link, Evidence]
    held: list[_Span]
    entries: list[str]
    omitted: int


def forward_cited(
    report: str, evidence: Iterable[Evidence], *, appendix_chars: int = DEFAULT_APPENDIX_CHARS
) -> tuple[str, dict[str, Any] | None]:
    """Return the text and artifact of a `task` tool's message for a child's report.

    Forwarded is what the report cites (CommonMark decides, so not in code; a link inside a
    quoted excerpt does not count), in the order of first citation: at most `RECORD_COUNT`
    records. Behind the report stands one whole entry for each, laid out as a tool's own; where
    the report already shows an entry word by word, none is added, so that forwarding again
    changes nothing. A record whose entry does not fit is left out and a later one may still
    fit; a last line then says how many were.

    In the text every link of the report without a forwarded record becomes its label, invented
    ones and those in code included. `read_message` with `entry` demanded reads exactly the
    forwarded records from a message with this text and artifact and the name `task`.

    Args:
        report: The child's last answer, the model's own text. Only its first million code
            points are searched for citations.
        evidence: What the child's tools proved; the first of an id wins, and what is no longer
            valid is ignored. Records are copied, the contract's fields only.
        appendix_chars: Code points of all added entries with the blank lines before them; the
            notice comes on top.

    Raises:
        ValueError: `appendix_chars` is negative.
    """
    if appendix_chars < 0:
        raise ValueError("appendix_chars must be at least 0")
    known: dict[Link, Evidence] = {}
    for each in evidence:
        if _is_valid(each):
            known.setdefault(Link(each.form, str(each.record["id"])), each)
    crowded: set[Link] = set()
    order: list[Link] | None = None
    for left in range(_ROUNDS, -1, -1):
        # What no round settles is hostile, and brings home its words.
        known = known if left else {}
        choice = _choose(report, known, appendix_chars, order=order)
        text, cited = _compose(report, choice, known)
        artifact = _artifact(choice.kept) or None
        hidden = _hidden(text, artifact, choice.kept) - crowded
        if hidden:
            # A reader looks at so many handles of a native record, and its entry comes last.
            crowded |= hidden
            report = unlink_handles(report, is_kept=_first_few({link.id for link in crowded}))
        elif cited == [*choice.kept]:
            break
        else:
            # A handle's label stands in its place now, and may begin a block or end one.
            known = {link: each for link, each in known.items() if link in cited}
            order = cited
    return text, artifact


def _is_valid(evidence: Evidence) -> bool:
    if evidence.form == "shared":
        return is_proven_knowledge_source(evidence.record)
    return is_native_source_read(evidence.record)


def _first_few(crowded: set[str]) -> Callable[[str], bool]:
    seen: Counter[str] = Counter()

    def is_kept(record_id: str) -> bool:
        seen[record_id] += 1
        return record_id not in crowded or seen[record_id] <= _FEW_HANDLES

    return is_kept


def _hidden(text: str, artifact: dict[str, Any] | None, kept: _Known) -> set[Link]:
    message = {"type": "tool", "name": _TOOL_NAME, "content": text, "artifact": artifact}
    proven = read_message(message, binding="entry").evidence
    return kept.keys() - {Link(each.form, str(each.record["id"])) for each in proven}


def _artifact(kept: _Known) -> dict[str, Any]:
    return build_artifact(
        shared=[project_shared(each.record) for each in kept.values() if each.form == "shared"],
        native=[project_native(each.record) for each in kept.values() if each.form == "native"],
    )


def _choose(report: str, known: _Known, limit_chars: int, *, order: list[Link] | None) -> _Choice:
    """Return what is forwarded; `order` is that of citations where it is known already."""
    quoted = _quoted(report, known)
    links = order or dict.fromkeys(read_links(_disarmed(report, quoted)))
    cited = {link: known[link] for link in links if link in known}
    # A blank line ends an entry, and keeps what follows from becoming part of a handle.
    whole = [span for span in quoted if report[span.end : span.end + 1] in {"", "\n"}]
    shown = {span.link for span in whole}
    kept: dict[Link, Evidence] = {}
    entries: list[str] = []
    room, total = limit_chars, EXCERPT_TOTAL_CHARS
    for link, each in cited.items():
        entry = "" if link in shown else _entry(len(entries) + 1, each)
        cost = len(SEPARATOR) + len(entry) if entry else 0
        size = len(excerpt_of(each))
        if len(kept) == RECORD_COUNT or cost > room or size > total:
            continue
        kept[link] = each
        room -= cost
        total -= size
        if entry:
            entries.append(entry)
    held = [span for span in whole if span.link in kept]
    return _Choice(kept, held, entries, len(cited) - len(kept))


def _entry(position: int, evidence: Evidence) -> str:
    record: Mapping[str, Any] = evidence.record
    if evidence.form == "shared":
        page, remark = record.get("page"), ""
        handle = shared_handle(record["id"], record["title"])
    else:
        page, remark = next(iter(record.get("pages", ())), None), _remark(record)
        handle = native_handle(record["id"], position)
    # A page may have been parsed as 3.0.
    locators = show_locators(record.get("dataset_name"), None if page is None else int(page))
    return f"[{position}]{locators}{remark} {handle}\n{excerpt_of(evidence)}"


def _remark(record: Mapping[str, Any]) -> str:
    return " (cut)" if record.get("truncated") else ""


def _quoted(report: str, known: _Known) -> list[_Span]:
    """Return excerpts below their own handles, from left to right, each skipped whole."""
    ids = frozenset(link.id for link in known)
    shared, native = find_shared_handles(report, ids), find_native_handles(report, ids)
    ends = [(end, Link("shared", id_)) for id_, found in shared.items() for end in found]
    ends += [(end, Link("native", id_)) for id_, found in native.items() for end in found]
    spans: list[_Span] = []
    at = 0
    for end, link in sorted(ends):
        if end < at or link not in known:
            continue
        start, excerpt = _start(report, end, link), excerpt_of(known[link])
        if start and report.startswith(excerpt, start):
            at = start + len(excerpt)
            spans.append(_Span(start, at, link))
    return spans


def _start(report: str, end: int, link: Link) -> int:
    """Return where the line below a handle starts, 0 if it is too far away."""
    gap = NATIVE_ENTRY_GAP_CHARS if link.form == "native" else 0
    return report.find("\n", end, end + gap + 1) + 1


def _compose(report: str, choice: _Choice, known: _Known) -> tuple[str, list[Link]]:
    """Return the report with its links settled, the entries and the notice; and its citations."""
    kept_ids = {link.id for link in choice.kept}
    pieces = [piece for _, piece in _pieces(report, choice.held)]
    # Excerpts that stay stand at odd places.
    pieces[::2] = [
        unlink_handles(_defuse(piece, known), is_kept=kept_ids.__contains__)
        for piece in pieces[::2]
    ]
    text = _append("".join(pieces), choice)
    while True:
        # Links that are no handles: references, angle brackets, entities.
        shown = _disarmed(text, _quoted(text, choice.kept))
        cited = [*dict.fromkeys(read_links(shown))]
        strays = set(cited) - choice.kept.keys()
        new = [cut_off(piece, strays.__contains__) for piece in pieces[::2]]
        if new == pieces[::2]:
            return text, cited
        pieces[::2] = new
        text = _append("".join(pieces), choice)


def _defuse(text: str, known: _Known) -> str:
    """Return text in which excerpts that are quoted, but no entries, hold no links."""
    return "".join(
        cut_off(unlink_handles(piece), lambda _: True) if is_excerpt else piece
        for is_excerpt, piece in _pieces(text, _quoted(text, known))
    )


def _append(report: str, choice: _Choice) -> str:
    parts = [report, *choice.entries] if report or not choice.entries else choice.entries
    if choice.omitted:
        plural = "s" if choice.omitted > 1 else ""
        parts = [*parts, f"{choice.omitted} cited source{plural} left out to fit the limit."]
    return SEPARATOR.join(parts)


def _pieces(report: str, spans: list[_Span]) -> Iterator[tuple[bool, str]]:
    """Yield what stands outside and inside the spans, in turn."""
    at = 0
    for start, end, _ in spans:
        yield False, report[at:start]
        yield True, report[start:end]
        at = end
    yield False, report[at:]


def _disarmed(report: str, spans: list[_Span]) -> str:
    """Return the report as its citations are read: excerpts hold no links, but still code."""
    return "".join(
        cut_off(unlink_handles(piece), lambda _: True) if is_excerpt else piece
        for is_excerpt, piece in _pieces(report, spans)
    )
