"""Take a batch out as JSON or as one Markdown page whose links work.

The page is plain CommonMark. A report stays as it was written, but for what would reach beyond
it (`isolation`): its definitions and raw HTML are shown as text, and links that go by definitions
are written out. Handles that have no record become their labels, other such links lead to `#`.
Behind all reports stands each cited record once, with anchors of raw HTML
(`<a id="knowledge-...">`), the only anchors that CommonMark has, for links as they are written
and as renderers sanitise them; excerpts are quoted with every character of their own markup
escaped.

Source:
    contracts/README.md, "Handles" and "Delegation".
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from knowledge_contract._forms import Record
from knowledge_contract._links import cut_off, read_links, replace_destinations
from knowledge_contract._text import normalize_line
from knowledge_contract.batch.isolation import LINE_ENDS, escape_markup, isolate
from knowledge_contract.batch.rows import BatchRow, compact
from knowledge_contract.citation import unlink_handles
from knowledge_wire.constants import NATIVE_DESTINATION, SANITISED_PREFIX

__all__ = ["export_json", "export_markdown"]

EXPORT_VERSION = 1


def export_json(batch_id: str, rows: Iterable[BatchRow]) -> str:
    """Return rows as one JSON document; each carries the evidence that its links name."""
    listed = [_as_json(row) for row in rows]
    document = {"version": EXPORT_VERSION, "batch_id": batch_id, "rows": listed}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _as_json(row: BatchRow) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "item_key": row.item_key,
        "position": row.position,
        "status": row.status,
        "text": row.text,
        "revision": row.revision,
    }
    # Absent is no key on the wire.
    return fields if row.evidence is None else {**fields, "evidence": row.evidence}


def export_markdown(batch_id: str, rows: Sequence[BatchRow]) -> str:
    """Return rows as one Markdown page: their reports, then the sources that they link to.

    A record that several reports cite stands once; records that differ under one id stand each
    by itself, and each report's links lead to its own. A report that would swallow what follows
    it, by a fence that it leaves open, is put into a quotation.
    """
    anchors = _anchors(rows)
    parts = [f"# {_escape(batch_id)}"]
    for row in rows:
        failed = " (failed)" if row.status == "failed" else ""
        parts += [f"## {_escape(row.item_key)}{failed}", _linked(row, anchors), _omitted(row)]
    if anchors:
        parts.append("## Sources")
        parts += [_source(record, anchor) for anchor, record in anchors.values()]
    return "\n\n".join(part for part in parts if part) + "\n"


def _anchors(rows: Iterable[BatchRow]) -> dict[str, tuple[str, Record]]:
    """Return each record with an anchor of its own, by its content."""
    anchors: dict[str, tuple[str, Record]] = {}
    counts: dict[str, int] = {}
    for row in rows:
        for record in _records(row):
            key = compact(record)
            if key in anchors:
                continue
            count = counts[record["id"]] = counts.get(record["id"], 0) + 1
            # No id has a third part.
            suffix = f"-{count}" if count > 1 else ""
            anchors[key] = f"{NATIVE_DESTINATION[1:]}{record['id']}{suffix}", record
    return anchors


def _records(row: BatchRow) -> list[Record]:
    return [] if row.evidence is None else row.evidence["sources"]


def _omitted(row: BatchRow) -> str:
    count = 0 if row.evidence is None else row.evidence["omitted_count"]
    plural = "s" if count > 1 else ""
    return f"{count} cited source{plural} left out to fit the limit." if count else ""


def _linked(row: BatchRow, anchors: Mapping[str, tuple[str, Record]]) -> str:
    """Return a row's report with those links only that its records answer."""
    own = {record["id"]: anchors[compact(record)][0] for record in _records(row)}
    report = isolate(unlink_handles(row.text, is_kept=own.__contains__))
    strays = {link for link in read_links(report) if link.id not in own}
    report = cut_off(report, strays.__contains__)
    moved = {each for each in own if own[each] != f"{NATIVE_DESTINATION[1:]}{each}"}
    if not moved:
        return report
    return replace_destinations(
        report, lambda link: f"#{own[link.id]}" if link.id in moved else None
    )


def _source(record: Record, anchor: str) -> str:
    anchors = f'<a id="{anchor}"></a><a id="{SANITISED_PREFIX}{anchor}"></a>'
    where = [_escape(record["dataset_name"])] if "dataset_name" in record else []
    if record.get("pages"):
        where.append("p. " + ", ".join(str(int(page)) for page in record["pages"]))
    suffix = f" ({', '.join(where)})" if where else ""
    cut = ", cut" if record.get("truncated") else ""
    return (
        f"{anchors}**{_escape(record['document_name'])}**{suffix}{cut}\n\n{_quote(record['text'])}"
    )


def _escape(text: str) -> str:
    return escape_markup(normalize_line(text))


def _quote(text: str) -> str:
    lines = [escape_markup(_trim(line)) for line in LINE_ENDS.split(text)]
    # A backslash at its end keeps a line's end where it was.
    quoted = [
        f"> {line}\\" if line and after else f"> {line}".rstrip()
        for line, after in zip(lines, [*lines[1:], ""], strict=True)
    ]
    return "\n".join(quoted)


def _trim(line: str) -> str:
    # Renderers trim a paragraph of every blank, which would leave a backslash before it bare.
    return line.strip(" \t") if line.strip() else ""
