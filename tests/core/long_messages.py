"""Tool messages that are too long, with all that is known of how they were put together."""

import re
from typing import Any, Literal, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from core.hits import handle_of, texts
from knowledge_contract.budget import prune_message
from knowledge_contract.formatting import format_result
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import NativeLocators, RetrievalHit, RetrievalResult

FORMS: tuple[Literal["shared", "native", "mixed"], ...] = ("shared", "native", "mixed")
HANDLE = re.compile(
    r"\]\(#(?:user-content-)?"
    r"(?:knowledge-source-[0-9a-f]{32}|knowledge-[a-f0-9]{32}-[1-9][0-9]{0,2})\)"
)
UNLIMITED = 10**9


class Known(NamedTuple):
    """An entry as it was written, and its record; None if it is uncited."""

    text: str
    record: dict[str, Any] | None


class Long(NamedTuple):
    """A message and its parts: text before and behind the entries, and the entries."""

    message: dict[str, Any]
    before: list[str]
    entries: list[Known]
    behind: list[str]


@st.composite
def long_messages(draw: DrawFn, *, most: int = 4) -> Long:
    """Return messages of every form, with a report before entries and notes behind them.

    Native entries come before shared ones, as a task writes them. Excerpts imitate entries,
    quote the handles of others, hold blank lines and notices.
    """
    form = draw(st.sampled_from(FORMS))
    count = draw(st.integers(1, most))
    entries: list[Known] = []
    hits: list[RetrievalHit] = []
    natives = {"shared": 0, "native": count, "mixed": draw(st.integers(1, count))}[form]
    for index in range(count):
        is_native = index < natives
        hit = draw(_hits(hits, entries, is_native=is_native))
        entry = write_entry(hit, len(entries) + 1, is_native=is_native)
        known = [each.record["id"] for each in entries if each.record is not None]
        if entry is not None and (entry.record is None or entry.record["id"] not in known):
            entries.append(entry)
            hits.append(hit)
    before = [report] if (report := draw(_outside(entries))) and draw(st.booleans()) else []
    behind = [note] if (note := draw(_outside(entries)).replace("\n", " ")) else []
    return put_together(before, entries, behind)


def write_entry(hit: RetrievalHit, position: int, *, is_native: bool) -> Known | None:
    """Return a hit's entry at a position, as the formatter writes it; None if it has no text."""
    provider = "ragflow" if is_native else "local"
    text, artifact = format_result(
        RetrievalResult(provider, (hit,)),
        limit_chars=UNLIMITED,
        excerpt_chars=1000,
        tool_name="knowledge_search" if is_native else None,
        retrieval_id=f"{position:032x}" if is_native else None,
    )
    if not text.startswith("[1]"):
        return None
    sources = (artifact or {}).get("knowledge_sources", [])
    records = sources["sources"] if isinstance(sources, dict) else sources
    return Known(f"[{position}]{text[3:]}", records[0] if records else None)


def put_together(before: list[str], entries: list[Known], behind: list[str]) -> Long:
    """Return the message of these parts, under the name of a tool whose native records count."""
    records = [each.record for each in entries if each.record is not None]
    native = [each for each in records if "text" in each]
    shared = [each for each in records if "text" not in each]
    artifact: dict[str, Any] = {"kept": {"as": "it is"}}
    if shared:
        artifact["knowledge_sources_version"] = 1
        artifact["retrieval_sources" if native else "knowledge_sources"] = shared
    if native:
        artifact["knowledge_sources"] = {"version": 1, "sources": native, "omitted_count": 2}
    text = "\n\n".join([*before, *(each.text for each in entries), *behind])
    message = {
        "type": "tool",
        "name": "task",
        "id": "m1",
        "tool_call_id": "c1",
        "content": text,
        "artifact": artifact,
    }
    return Long(message, before, entries, behind)


def records_of(artifact: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the records of an artifact of any form, in the order of readers."""
    sources = artifact.get("knowledge_sources", [])
    first = sources["sources"] if isinstance(sources, dict) else sources
    return [*first, *artifact.get("retrieval_sources", [])]


def notice(count: int) -> str:
    """Return the line that says how many entries are missing."""
    return f"{count} more result{'s' if count > 1 else ''} left out to fit the limit."


def check_pruned(before: dict[str, Any], after: dict[str, Any], limit: int) -> str:
    """Assert what holds for every pruned message; return the text outside kept excerpts."""
    text, artifact = after["content"], after["artifact"]
    assert len(text) <= limit
    kept = records_of(artifact)
    reading = read_message(after, binding="entry")
    assert [each.record for each in reading.evidence] == kept
    assert (reading.refused, reading.overflow) == ((), 0)
    assert read_message(after).evidence == reading.evidence
    originals = [each.record for each in read_message(before).evidence]
    assert all(any(record is original for original in originals) for record in kept)
    assert prune_message(after, limit_chars=limit) is after
    outside = without_excerpts(text, kept)
    assert len(HANDLE.findall(outside)) == len(kept)
    return outside


def without_excerpts(text: str, kept: list[dict[str, Any]]) -> str:
    """Return a text without the excerpts of records that are shown in their order."""
    outside, at = "", 0
    for record in kept:
        prefix = "#knowledge-" if "text" in record else "#knowledge-source-"
        excerpt = record["text"] if "text" in record else record["excerpt"]
        tail = f"]({prefix}{record['id']})\n"
        place = text.index(f"{tail}{excerpt}", at) + len(tail)
        outside += text[at:place]
        at = place + len(excerpt)
    return outside + text[at:]


@st.composite
def _hits(
    draw: DrawFn, earlier: list[RetrievalHit], entries: list[Known], *, is_native: bool
) -> RetrievalHit:
    text = draw(texts(5))
    cited = [each.text for each in entries if each.record is not None]
    is_teasing = draw(st.booleans())
    if cited and is_teasing:
        # Readers look at so many handles of a native record only.
        quoted = HANDLE.findall(draw(st.sampled_from(cited)))[0]
        text = f"[citation:Q{quoted}" * draw(st.sampled_from((1, 12))) + text
    quotable = [handle for hit in earlier if (handle := handle_of(hit)) is not None]
    if draw(st.booleans()) and quotable:
        quoted = draw(st.sampled_from(earlier)).text
        text = f"{draw(st.sampled_from(quotable))}\n{quoted}\n\n[1] (no source to cite)\n{text}"
    if is_native:
        locators = NativeLocators("d", "e", "f", (1,))
        return RetrievalHit(text, title="Guide.pdf", dataset_name="Team", locators=locators)
    title = draw(st.sampled_from(("Guide", "Plan [draft] (v2).pdf", None)))
    return RetrievalHit(text, title=title, page=draw(st.sampled_from((None, 7))))


@st.composite
def _outside(draw: DrawFn, entries: list[Known]) -> str:
    """Return text outside entries: it quotes handles, and is no entry itself.

    No line starts behind a handle, or a short excerpt at its start would make it an entry.
    """
    one_line = texts(2).map(lambda text: " ".join(text.split()))
    pieces: list[str] = [draw(texts(6))]
    for entry in entries:
        if entry.record is not None and draw(st.booleans()):
            handles = HANDLE.findall(entry.text)
            pieces += [f"It says so [citation:Q{handles[-1]}, they say.", draw(one_line)]
    pieces.append(draw(st.sampled_from(("", " Saved as /mnt/outputs/report.md", "[x](y)"))))
    text = re.sub(r"\n\s*\n", "\n", "".join(pieces)).strip()
    return f"Report: {text}" if text else ""
