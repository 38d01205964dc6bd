"""Durable batches: one row for each item, its report with the evidence that it links to.

`open_batches` keeps rows in one SQLite file; `export_json` and `export_markdown` take them out
with their evidence and working links.
"""

from knowledge_contract.batch.export import export_json, export_markdown
from knowledge_contract.batch.rows import BatchRow, Owner, Snapshot, build_row, build_snapshot
from knowledge_contract.batch.store import BatchStore, open_batches

__all__ = [
    "BatchRow",
    "BatchStore",
    "Owner",
    "Snapshot",
    "build_row",
    "build_snapshot",
    "export_json",
    "export_markdown",
    "open_batches",
]
