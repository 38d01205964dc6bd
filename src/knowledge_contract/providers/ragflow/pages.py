"""Pages of a chunk, told from the ordinals that RAGFlow writes in the same place.

A row of `positions` is page, left, right, top, bottom, the page counted from 1. For everything
but PDF read with boxes it holds the chunk's number or a constant instead, in a box without area.
"""

from knowledge_wire.constants import NATIVE_SOURCE_PAGES_MAX_ITEMS
from knowledge_wire.validators import is_page

__all__ = ["read_pages"]

_PAGED = ".pdf"
_ROW_ITEMS = 5


def read_pages(positions: object, document_name: str | None) -> tuple[int, ...]:
    """Return the pages of a chunk in order, each once; empty if none is known.

    What a server writes there is its claim: some releases count wrongly.

    >>> read_pages([[15, 72, 523, 640, 792], [14, 72, 523, 0, 90]], "pump.pdf")
    (14, 15)
    >>> read_pages([[2, 1, 1, 1, 1]], "notes.docx")
    ()
    """
    if not isinstance(positions, list) or document_name is None:
        return ()
    if not document_name.lower().endswith(_PAGED):
        return ()
    pages = {int(row[0]) for row in positions if _is_place(row)}
    return tuple(sorted(pages)[:NATIVE_SOURCE_PAGES_MAX_ITEMS])


def _is_place(row: object) -> bool:
    if not isinstance(row, list) or len(row) != _ROW_ITEMS:
        return False
    if not all(isinstance(each, int | float) and not isinstance(each, bool) for each in row):
        return False
    page, left, right, top, bottom = row
    return is_page(page) and left < right and top < bottom
