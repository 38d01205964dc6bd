"""The packaged sample documents, cut into sources."""

import re
from importlib.resources import files
from typing import Any, NamedTuple

from knowledge_contract.errors import ContractError
from knowledge_wire.identity import source_id
from knowledge_wire.validators import check_knowledge_source

PROVIDER = "samples"
DATASET_NAME = "Sample documents"
EXCERPT_CHARS = 240
"""Code points of a paragraph that the demo shows as its excerpt; not a bound of the contract."""

_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")


class Sample(NamedTuple):
    """One document: its file, the title that stands in it, and its paragraphs."""

    file: str
    title: str
    paragraphs: tuple[str, ...]


def load_samples() -> list[Sample]:
    """Return the packaged documents in the order of their file names."""
    folder = files("knowledge_contract") / "_samples"
    paths = sorted(folder.iterdir(), key=lambda path: path.name)
    return [
        cut_document(path.name, path.read_text(encoding="utf-8"))
        for path in paths
        if path.name.endswith((".md", ".txt"))
    ]


def cut_document(file: str, text: str) -> Sample:
    """Return the document's title and its paragraphs, headings left out.

    Args:
        file: The document's file name.
        text: Its first line is the title, with or without Markdown's `#`.
    """
    head, *blocks = _BLANK_LINES.split(text.replace("\r\n", "\n").strip())
    title = head.split("\n", 1)[0].lstrip("# ")
    return Sample(file, title, tuple(block for block in blocks if not block.startswith("#")))


def build_sources(sample: Sample) -> list[dict[str, Any]]:
    """Return one source per paragraph, in the document's order.

    An excerpt is an exact prefix of its paragraph. No URL and no page: the documents have none.

    Raises:
        ContractError: a source would break the contract.
    """
    return [_build_source(sample.title, paragraph) for paragraph in sample.paragraphs]


def _build_source(title: str, paragraph: str) -> dict[str, Any]:
    content = {
        "provider": PROVIDER,
        "title": title,
        "excerpt": paragraph[:EXCERPT_CHARS].rstrip(),
        "dataset_name": DATASET_NAME,
    }
    source = {"id": source_id(content), **content}
    for problem in check_knowledge_source(source):
        raise ContractError("knowledge_sources.v1", problem.pointer, problem.rule)
    return source
