"""A question to hits."""

from collections.abc import Sequence

from knowledge_contract.normalize import normalize_hit
from knowledge_contract.providers.local.index import Found, Index
from knowledge_contract.providers.local.terms import QueryTerm, query_terms
from knowledge_contract.retrieval import RetrievalHit, RetrievalResult

PROVIDER_NAME = "local"

_TERM_LIMIT = 64
"""Terms of one query that are looked for; a question has fewer, a pasted page has more."""
_NO_TERM = "The query holds no word to search for."
_CUT = f"Only the first {_TERM_LIMIT} terms of the query were searched for."


def find_hits(
    index: Index, query: str, *, hit_limit: int, dataset_name: str | None
) -> RetrievalResult:
    """Return the chunks that hold any of the query's words, best first.

    A query is words and nothing else: no character of it is an operator.
    """
    terms = query_terms(query)
    if not terms:
        return RetrievalResult(PROVIDER_NAME, (), notes=(_NO_TERM,))
    found = index.find(_expression(terms[:_TERM_LIMIT]), hit_limit)
    hits = tuple(_hit(chunk, dataset_name) for chunk in found)
    return RetrievalResult(PROVIDER_NAME, hits, notes=(_CUT,) if len(terms) > _TERM_LIMIT else ())


def _expression(terms: Sequence[QueryTerm]) -> str:
    # Terms hold letters, digits and marks only; quotes make FTS5 take `or` and `near` as words.
    return " OR ".join(f'"{term.text}"*' if term.is_prefix else f'"{term.text}"' for term in terms)


def _hit(found: Found, dataset_name: str | None) -> RetrievalHit:
    title = found.title or found.path
    return normalize_hit(RetrievalHit(found.text, title, dataset_name, page=found.page))
