"""How releases of RAGFlow differ where a reading client can notice."""

from typing import NamedTuple


class Profile(NamedTuple):
    """One release's habits.

    Attributes:
        version: As the server names itself.
        missing_code: For a dataset that is absent or out of reach.
        refusal: How credentials are refused: `200` over HTTP 200, `mixed` over HTTP 401 with
            uneven bodies, `401` alike everywhere.
        has_dataset_ids: Whether datasets can be listed by several ids.
        has_document_ids: Whether documents can be listed by ids; others ignore what is asked.
        caps_rows: Whether more than 100 rows are refused.
        caps_ids: Whether more than 100 ids are refused.
        highlights: Whether hits carry markup unless it is switched off.
        counts_candidates: Whether more rows than reranking candidates are refused.
    """

    version: str
    missing_code: int = 102
    refusal: str = "401"
    has_dataset_ids: bool = False
    has_document_ids: bool = True
    caps_rows: bool = True
    caps_ids: bool = False
    highlights: bool = False
    counts_candidates: bool = False


_ALL = (
    Profile("0.22.1", 108, "200", has_document_ids=False, caps_rows=False, highlights=True),
    Profile("0.24.0", 108, "200", has_document_ids=False, caps_rows=False),
    Profile("0.25.0", refusal="mixed", has_document_ids=False, caps_rows=False),
    Profile("0.25.1", refusal="mixed", caps_rows=False),
    Profile("0.26.0"),
    Profile("0.27.0", has_dataset_ids=True, caps_ids=True),
    Profile("0.27.3", has_dataset_ids=True, caps_ids=True, counts_candidates=True),
)
PROFILES = {each.version: each for each in _ALL}
NEWEST = _ALL[-1]
SELECTING = [each.version for each in _ALL if each.has_document_ids]
NOT_SELECTING = [each.version for each in _ALL if not each.has_document_ids]
