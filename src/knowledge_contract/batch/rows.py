"""What a row of a batch holds, and which evidence goes with it.

Source:
    contracts/README.md, "Forms of an artifact".
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from knowledge_contract._forms import Record, project_native
from knowledge_contract._links import REPORT_CHARS, read_links
from knowledge_contract._text import replace_surrogates
from knowledge_contract.reading import Evidence
from knowledge_wire.constants import (
    BATCH_EVIDENCE_CHARS,
    NATIVE_SNAPSHOT_SOURCES_MAX_ITEMS,
    NATIVE_SNAPSHOT_VERSION,
)
from knowledge_wire.validators import is_native_source_read

__all__ = [
    "BatchRow",
    "Owner",
    "Snapshot",
    "Status",
    "build_row",
    "build_snapshot",
    "check_name",
    "check_row",
    "compact",
]

Snapshot: TypeAlias = dict[str, Any]
"""A native snapshot: `version`, `sources` and `omitted_count`."""
Status: TypeAlias = Literal["succeeded", "failed"]

NAME_CHARS = 256
"""Code points of a user's, thread's, batch's or item's name."""
POSITION_MAX = 99_999
TEXT_CHARS = REPORT_CHARS
"""Code points of a row's report: all of them are searched for citations."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Owner:
    """Whose rows these are; the server fills it, never a caller or a model.

    Attributes:
        user_id: The authenticated user.
        thread_id: The conversation that started the batch.
    """

    user_id: str
    thread_id: str


@dataclass(frozen=True, kw_only=True, slots=True)
class BatchRow:
    """The outcome of one item.

    Attributes:
        item_key: What the item is called within its batch.
        position: Its place, counted from 0.
        status: Whether there is a report.
        text: The report; for a failed item, what a person may be told about it.
        evidence: The native records that the report links to; None if there are none.
        revision: SHA-256 in hex over all of the above: equal rows have equal revisions.
    """

    item_key: str
    position: int
    status: Status
    text: str
    evidence: Snapshot | None
    revision: str


def build_row(
    item_key: str,
    *,
    position: int,
    status: Status,
    text: str,
    evidence: Iterable[Evidence] = (),
) -> BatchRow:
    """Return a row with the evidence of its report.

    Args:
        item_key: The item's name within the batch.
        position: Its place, from 0 to 99,999.
        status: `succeeded` keeps evidence, `failed` none.
        text: At most 1,000,000 code points; lone surrogates become U+FFFD.
        evidence: What the item's tools proved; see `build_snapshot` for what is kept.

    Raises:
        ValueError: an argument is out of its bounds.
    """
    _check_fields(item_key, position, status, text)
    text = replace_surrogates(text)
    snapshot = build_snapshot(text, evidence) if status == "succeeded" else None
    return BatchRow(
        item_key=item_key,
        position=position,
        status=status,
        text=text,
        evidence=snapshot,
        revision=_revision(item_key, position, status, text, snapshot),
    )


def check_row(row: BatchRow) -> None:
    """Refuse a row that `build_row` did not make, as far as its revision tells.

    Raises:
        ValueError: it is refused.
    """
    _check_fields(row.item_key, row.position, row.status, row.text)
    try:
        revision = _revision(row.item_key, row.position, row.status, row.text, row.evidence)
    except (TypeError, ValueError, RecursionError):
        revision = ""
    if row.revision != revision:
        raise ValueError("the row must be what build_row made")


def _check_fields(item_key: object, position: object, status: object, text: object) -> None:
    check_name("item_key", item_key)
    if type(position) is not int or not 0 <= position <= POSITION_MAX:
        raise ValueError(f"position must be an integer from 0 to {POSITION_MAX}")
    if status not in {"succeeded", "failed"}:
        raise ValueError("status must be succeeded or failed")
    if type(text) is not str or len(text) > TEXT_CHARS:
        raise ValueError(f"text must be a string of at most {TEXT_CHARS} code points")


def _revision(*projection: object) -> str:
    return hashlib.sha256(compact([*projection]).encode()).hexdigest()


def build_snapshot(text: str, evidence: Iterable[Evidence]) -> Snapshot | None:
    """Return the native records that a report links to; None if it links to none.

    They stand in the order of first citation, the contract's fields only. At most 100 of at
    most `BATCH_EVIDENCE_CHARS` code points of compact JSON, the snapshot's own included, are
    kept; the rest is dropped from the end and counted in `omitted_count`. Shared evidence has
    no place in a batch.
    """
    known: dict[str, Record] = {}
    for each in evidence:
        if each.form == "native" and is_native_source_read(each.record):
            known.setdefault(each.record["id"], project_native(each.record))
    links = dict.fromkeys(read_links(text)) if known else {}
    cited = [known[link.id] for link in links if link.form == "native" and link.id in known]
    return _bounded(cited) if cited else None


def _bounded(cited: list[Record]) -> Snapshot:
    count, size = 0, 0
    for record in cited[:NATIVE_SNAPSHOT_SOURCES_MAX_ITEMS]:
        # With the comma before it.
        longer = size + len(compact(record)) + (1 if count else 0)
        if len(compact(_snapshot([], len(cited) - count - 1))) + longer > BATCH_EVIDENCE_CHARS:
            break
        count, size = count + 1, longer
    return _snapshot(cited[:count], len(cited) - count)


def _snapshot(sources: list[Record], omitted: int) -> Snapshot:
    return {"version": NATIVE_SNAPSHOT_VERSION, "sources": sources, "omitted_count": omitted}


def check_name(what: str, name: object) -> None:
    """Refuse what is no name of 1 to `NAME_CHARS` well-formed code points without U+0000.

    Raises:
        ValueError: it is refused; the message names `what`.
    """
    is_name = type(name) is str and 1 <= len(name) <= NAME_CHARS and "\0" not in name
    if not is_name or replace_surrogates(str(name)) != name:
        raise ValueError(f"{what} must be a string of 1 to {NAME_CHARS} well-formed characters")


def compact(value: object) -> str:
    """Return compact JSON; code points are not escaped."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
