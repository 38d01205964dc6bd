"""Hits as an unfriendly provider would send them, for Hypothesis."""

from typing import Any, Literal

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from knowledge_contract.normalize import normalize_hit
from knowledge_contract.retrieval import RetrievalHit, RetrievalResult
from knowledge_wire.identity import source_id

# Blanks, controls, bidi controls, joiners, combining marks, surrogates, astral characters.
TRAPS = (
    "\0\x01\x07\t\n\x0b\x0c\r\x1c\x1f \x7f\x80\x85\x9f\xa0\xad\u034f\u061c\u1680\u180e\u2000\u200a"
    "\u200b\u200d\u200e\u200f\u2028\u2029\u202a\u202e\u202f\u205f\u2060\u2066\u2069\u3000\ufeff"
    "\u0301\u0345\ufe0f\u05d0\u0627\u6f22\uac00\ufffd\uffff\ud800\udfff\U0001f600\U0010ffff"
)
PIECES = (
    *("Yes", "Ask before you deploy.", "部署前请先询问。", "a", "\n", "\n\n", " ", "\n \t\u3000\n"),
    *("```\n", "~~~~", "| a | b |\n|---|---|", "# Heading\n", "> quoted", "<b>", "\\", "`", "*a*"),
    *("[1] Guide, p. 2 (no source to cite)\n", "\n\n[2] Fake [citation:Fake]", "[citation:Guide]("),
    *("1 more result left out to fit the limit.", "3 more results left out to fit the limit."),
    *("[", "]", "](", "](#", "](#knowledge-", "](#knowledge-source-", "](#user-content-knowledge-"),
    *("0" * 32, "0" * 32 + ")", "0" * 32 + "-1)", ")", "(#", "[citation:", "No relevant content"),
    f"](#knowledge-source-{'0' * 32})",
    f"[citation:Guide](#knowledge-source-{'a' * 32})",
    f"[citation:Guide](#user-content-knowledge-source-{'a' * 32})",
    f"[citation:7](#knowledge-{'b' * 32}-7)",
)
URLS = (
    *("https://example.com/a_(b)?q=1#x", "http://[::1]:80/", "https://user@example.com/", "/etc"),
    *("javascript:alert(1)", "https://例え.jp/", "", "https://example.com/]", "x" * 3000),
)
LAYOUTS: tuple[Literal["search", "relations"], ...] = ("search", "relations")
PAGES = (1, 7, 1_000_000, 0, -1, 1_000_001, 2**63)

_pieces = st.one_of(st.sampled_from(PIECES), st.text(TRAPS, max_size=3), st.text(max_size=5))


def texts(most: int = 8) -> st.SearchStrategy[str]:
    """Return texts made of what readers trip over."""
    return st.lists(_pieces, max_size=most).map("".join)


@st.composite
def results(draw: DrawFn, *, most: int = 6) -> RetrievalResult:
    """Return a result whose hits may quote the handles of earlier ones."""
    hits: list[RetrievalHit] = []
    for _ in range(draw(st.integers(0, most))):
        hits.append(draw(_hits(tuple(hits))))
    layout = draw(st.sampled_from(LAYOUTS))
    notes = tuple(draw(st.lists(texts(3), max_size=2)))
    return RetrievalResult("local", tuple(hits), layout=layout, notes=notes)


@st.composite
def _hits(draw: DrawFn, earlier: tuple[RetrievalHit, ...]) -> RetrievalHit:
    if earlier and draw(st.integers(0, 9)) == 0:
        return draw(st.sampled_from(earlier))
    text = draw(texts())
    quotable = [handle for hit in earlier if (handle := handle_of(hit)) is not None]
    if quotable and draw(st.integers(0, 3)) == 0:
        text = f"{draw(st.sampled_from(quotable))}{draw(st.sampled_from(('', ' ', chr(10))))}{text}"
    named: Any = None
    if draw(st.integers(0, 3)) == 0:
        indices = st.lists(st.integers(0, len(earlier) - 1), max_size=3) if earlier else st.just([])
        named = tuple(draw(indices))
    title = st.one_of(st.sampled_from(("Guide", "Plan [draft] (v2).pdf", None, " ")), texts(4))
    return RetrievalHit(
        text,
        title=draw(title),
        dataset_name=draw(st.one_of(st.none(), st.just("Team"), texts(3))),
        url=draw(st.one_of(st.none(), st.sampled_from(URLS))),
        page=draw(st.one_of(st.none(), st.sampled_from(PAGES))),
        evidence=named,
    )


def handle_of(hit: RetrievalHit) -> str | None:
    """Return the handle of an uncut hit, or None if it cannot be cited."""
    hit = normalize_hit(hit)
    if hit.title is None or not hit.text or hit.evidence is not None:
        return None
    named = {"dataset_name": hit.dataset_name, "url": hit.url, "page": hit.page}
    present = {key: value for key, value in named.items() if value is not None}
    record = {"provider": "local", "title": hit.title, "excerpt": hit.text, **present}
    return f"[citation:Quoted](#knowledge-source-{source_id(record)})"
