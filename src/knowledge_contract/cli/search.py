"""The command `search`: a folder of documents to the tool message of one question."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from knowledge_contract.cli.output import Format
from knowledge_contract.cli.progress import progress_bar
from knowledge_contract.cli.streams import write_json, write_line, write_problem
from knowledge_contract.formatting import format_result
from knowledge_contract.providers.local import LocalProvider, Summary
from knowledge_contract.retrieval import RetrievalResult
from knowledge_wire.constants import NATIVE_TOOL_NAMES

TOOL_NAME = NATIVE_TOOL_NAMES[0]
"""The name by which readers of every form know a search."""

_SKIPPED_LINES = 20
"""Skipped files that are named one by one; a folder may hold thousands."""
_EXPECTED = frozenset({"hidden", "not a kind of document that is read", "symbolic link"})
"""Reasons that nobody wonders about: only counted, or a damaged document would drown in them."""


def search(  # noqa: PLR0913 - the command's options
    query: str,
    *,
    docs: Path,
    index: Path | None,
    rehash: bool,
    limit_chars: int,
    excerpt_chars: int,
    form: Format,
) -> None:
    """Bring the index up to date, and print the tool message of one question.

    Raises:
        InputError: there is no such folder, or no index can be kept at its place.
        ProviderError: the index cannot be used now.
        UnavailableError: a document needs the extra `local`.
    """
    provider = LocalProvider(docs, index_path=index)
    write_summary(update_index(provider.rehash if rehash else provider.refresh))
    # The folder was looked at just now.
    result = provider.search_index(query)
    message = build_message(result, limit_chars=limit_chars, excerpt_chars=excerpt_chars)
    write_message(message, form)


def write_message(message: dict[str, Any], form: Format) -> None:
    """Print a tool message: as JSON, or its text alone."""
    if form is Format.JSON:
        write_json(message)
        return
    for line in message["content"].split("\n"):
        write_line(line)


def update_index(update: Callable[..., Summary]) -> Summary:
    """Bring the index up to date under a progress bar; an interrupt leaves it usable."""
    with progress_bar("indexing", "files") as draw:
        return update(progress=lambda state: draw(state.done, state.total))


def build_message(
    result: RetrievalResult, *, limit_chars: int, excerpt_chars: int
) -> dict[str, Any]:
    """Return the tool message that a model would get for a result."""
    text, artifact = format_result(result, limit_chars=limit_chars, excerpt_chars=excerpt_chars)
    return {"type": "tool", "name": TOOL_NAME, "content": text, "artifact": artifact}


def write_summary(summary: Summary) -> None:
    """Say on standard error what was left out and why, and what befell the index."""
    named = [each for each in summary.skipped if each.reason not in _EXPECTED][:_SKIPPED_LINES]
    for path, reason in named:
        write_problem(f"skipped: {path}: {reason}")
    if more := summary.skipped_count - len(named):
        reasons = Counter(each.reason for each in summary.skipped if each.reason in _EXPECTED)
        counts = "".join(f", {count} {reason}" for reason, count in sorted(reasons.items()))
        write_problem(f"skipped: {more} more{counts}")
    for note in summary.notes:
        write_problem(note)
