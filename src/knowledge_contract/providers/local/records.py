"""What the parts of the local provider hand to each other."""

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

SkipReason: TypeAlias = Literal[
    "binary",
    "cannot be opened",
    "damaged",
    "encrypted",
    "hidden",
    "name is not text",
    "nested too deeply",
    "no text",
    "not a kind of document that is read",
    "not a regular file",
    "not UTF-8 or UTF-16",
    "symbolic link",
    "takes too long",
    "too large",
]
"""Why a file or folder is left out of the index."""


class Unusable(Exception):
    """A file that is left out; never leaves the provider.

    `is_of_content` tells whether the same content is refused again, on any machine and day.
    """

    def __init__(self, reason: SkipReason, *, is_of_content: bool = True) -> None:
        self.reason = reason
        self.is_of_content = is_of_content
        super().__init__(reason)


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """Bounds of the local provider; an index made with others is made anew.

    Attributes:
        chunk_chars: Code points that a chunk aims for; a code block or table is kept whole up to
            twice as many.
        text_limit_bytes: Size of a Markdown, text or HTML file that is still read.
        pdf_limit_bytes: Size of a PDF file that is still read.
        pdf_limit_s: Time that one PDF file may take; looked at between its pages.
        page_limit: Pages of a PDF file that is still read.
        document_limit_chars: Code points of text that one document may give.
        hit_limit: Hits of one search.
    """

    chunk_chars: int = 1200
    text_limit_bytes: int = 8 * 2**20
    pdf_limit_bytes: int = 64 * 2**20
    pdf_limit_s: int = 60
    page_limit: int = 5000
    document_limit_chars: int = 10_000_000
    hit_limit: int = 10

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1")


class Title(NamedTuple):
    """The document's own title; the first one of a document counts."""

    text: str


class Block(NamedTuple):
    """One piece of a document's structure, in reading order.

    Attributes:
        text: Verbatim text of the document.
        gap: What stands between the block before and this one; None if they must not be joined.
        page: The page of a PDF file, counted from 1.
        level: A heading's level, from 1; 0 for anything else.
        heading: A heading's text without its markup.
        is_whole: Whether it means little in parts, as a table or code does.
    """

    text: str
    gap: str | None = "\n\n"
    page: int | None = None
    level: int = 0
    heading: str = ""
    is_whole: bool = False


class Chunk(NamedTuple):
    """Text that is found and cited as one.

    Attributes:
        text: Verbatim and normalised text of the document.
        page: The page of a PDF file, counted from 1.
        headings: The headings it stands under, outermost first, one a line.
    """

    text: str
    page: int | None
    headings: str


class Stamp(NamedTuple):
    """What the file system says about a file's state, without reading it."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class Skipped(NamedTuple):
    """A file or folder that was left out, relative to the searched folder."""

    path: str
    reason: SkipReason


class Progress(NamedTuple):
    """How far a refresh is.

    Attributes:
        done: Files that were looked at.
        total: Files that were found; may grow while files are added.
        path: The file that was looked at last, relative to the folder.
    """

    done: int
    total: int
    path: str


class Summary(NamedTuple):
    """What a refresh did.

    Attributes:
        indexed: Files that were new or changed.
        unchanged: Files whose entries stayed.
        removed: Files that were forgotten.
        skipped: What was left out, and why; at most the first 1,000.
        skipped_count: All that was left out.
        notes: Sentences for the user, such as that a damaged index was replaced.
    """

    indexed: int
    unchanged: int
    removed: int
    skipped: tuple[Skipped, ...]
    skipped_count: int
    notes: tuple[str, ...] = ()
