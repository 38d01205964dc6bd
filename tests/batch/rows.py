"""Rows with evidence, for the tests of batches."""

from functools import cache

from core.evidence import handle, native_record, proof
from knowledge_contract.batch import BatchRow, BatchStore, Owner, build_row

OWNER = Owner(user_id="u1", thread_id="t1")


@cache
def make_row(number: int, text: str = "") -> BatchRow:
    """Return a succeeded row whose report links to one record of its own."""
    record = native_record(number % 999 + 1, f"Fact {number}. " + "Filling. " * 200)
    return build_row(
        f"item {number:04}",
        position=number,
        status="succeeded",
        text=text or f"It says {handle(record)}.",
        evidence=[proof(record)],
    )


def stored_rows(store: BatchStore) -> list[BatchRow]:
    """Return all rows of the tests' batch."""
    rows: list[BatchRow] = []
    while page := store.list_rows(OWNER, "b", offset=len(rows)):
        rows += page
    return rows
