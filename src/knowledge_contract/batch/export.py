"""Take a batch out as JSON or as one Markdown page whose links work.

The page is plain CommonMark. A report stays as it was written; links that have no record
become their labels. Behind all reports stands each cited record once, with an anchor of raw
HTML (`<a id="knowledge-...">`), the only anchor that CommonMark has; excerpts are quoted with
every character of their own markup escaped.
"""

import json
import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt

from knowledge_contract._forms import Record
from knowledge_contract._links import CUTS, read_links
from knowledge_contract._text import normalize_line
from knowledge_contract.batch.rows import BatchRow
from knowledge_contract.citation import unlink_handles
from knowledge_wire.constants import NATIVE_DESTINATION, SANITISED_PREFIX

__all__ = ["export_json", "export_markdown"]

EXPORT_VERSION = 1

_MARKUP = re.compile(r"[\\`*_{}\[\]<>()#+\-.!|~&=:@$^]")
_LINE_ENDS = re.compile("\r\n|[\r\n]")
_PROBE = "probe"


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

    A record that several reports cite stands once. A report that would swallow what follows it,
    by a fence or a comment that it leaves open, is put into a quotation.
    """
    records: dict[str, Record] = {}
    for row in rows:
        for record in _records(row):
            records.setdefault(record["id"], record)
    parts = [f"# {_escape(batch_id)}"]
    for row in rows:
        failed = " (failed)" if row.status == "failed" else ""
        parts += [f"## {_escape(row.item_key)}{failed}", _contained(_linked(row))]
    if records:
        parts.append("## Sources")
        sanitised = any(SANITISED_PREFIX in row.text for row in rows)
        parts += [_source(record, has_twin=sanitised) for record in records.values()]
    return "\n\n".join(part for part in parts if part) + "\n"


def _records(row: BatchRow) -> list[Record]:
    return [] if row.evidence is None else row.evidence["sources"]


def _linked(row: BatchRow) -> str:
    """Return a row's report with those links only that its records answer."""
    own = {record["id"] for record in _records(row)}
    report = unlink_handles(row.text, is_kept=own.__contains__)
    for cut_off in CUTS:
        strays = {link for link in read_links(report) if link.id not in own}
        if not strays:
            break
        report = cut_off(report, strays.__contains__)
    return report


def _contained(report: str) -> str:
    """Return a report after which Markdown goes on as before it."""
    last = _block_parser().parse(f"{report}\n\n{_PROBE}\n")[-3:]
    if [(token.level, token.content) for token in last] == [(0, ""), (1, _PROBE), (0, "")]:
        return report
    return "\n".join(f"> {line}" for line in _LINE_ENDS.split(report))


@cache
def _block_parser() -> MarkdownIt:
    return MarkdownIt("commonmark").disable(["inline", "text_join"])


def _source(record: Record, *, has_twin: bool) -> str:
    anchor = f"{NATIVE_DESTINATION[1:]}{record['id']}"
    anchors = f'<a id="{anchor}"></a>'
    if has_twin:
        anchors += f'<a id="{SANITISED_PREFIX}{anchor}"></a>'
    where = [_escape(record["dataset_name"])] if "dataset_name" in record else []
    if record.get("pages"):
        where.append("p. " + ", ".join(str(int(page)) for page in record["pages"]))
    suffix = f" ({', '.join(where)})" if where else ""
    cut = ", cut" if record.get("truncated") else ""
    return (
        f"{anchors}**{_escape(record['document_name'])}**{suffix}{cut}\n\n{_quote(record['text'])}"
    )


def _escape(text: str) -> str:
    return _MARKUP.sub(r"\\\g<0>", normalize_line(text))


def _quote(text: str) -> str:
    lines = [_MARKUP.sub(r"\\\g<0>", _trim(line)) for line in _LINE_ENDS.split(text)]
    # A backslash at its end keeps a line's end where it was.
    quoted = [
        f"> {line}\\" if line and after else f"> {line}".rstrip()
        for line, after in zip(lines, [*lines[1:], ""], strict=True)
    ]
    return "\n".join(quoted)


def _trim(line: str) -> str:
    # Renderers trim a paragraph of every blank, which would leave a backslash before it bare.
    return line.strip(" \t") if line.strip() else ""
