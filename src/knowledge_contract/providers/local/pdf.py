"""PDF to blocks, page by page."""

import logging
import re
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, BinaryIO

from knowledge_contract._text import normalize_line, normalize_text
from knowledge_contract.errors import UnavailableError
from knowledge_contract.providers.local.plain import read_plain
from knowledge_contract.providers.local.records import Block, Title, Unusable

if TYPE_CHECKING:
    from pypdf import PdfReader

# What programs write as a title by themselves.
_NO_TITLE = re.compile(
    r"untitled\b.*|microsoft \w+ - .*|(?:slide|document|presentation)\d*|.*\.[a-z]{2,5}",
    re.IGNORECASE,
)


def read_pdf(
    stream: BinaryIO,
    *,
    page_limit: int,
    limit_s: float,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Title | Block]:
    """Return title and blocks; a page is the one in the file, counted from 1.

    The title is the file's own, unless it is one that a program made up.

    Args:
        stream: The file.
        page_limit: Pages of a file that is still read.
        limit_s: Time after which no further page is begun.
        clock: Seconds since any moment.

    Raises:
        Unusable: the file is damaged, needs a password, or goes over a limit.
        UnavailableError: pypdf is not installed.
        MemoryError: another try may end otherwise.
    """
    end_s = clock() + limit_s
    try:
        yield from _read(_open(stream), page_limit, lambda: clock() > end_s)
    except (Unusable, UnavailableError, MemoryError):
        raise
    except OSError:
        raise Unusable("damaged", is_of_content=False) from None
    # The one seam for hostile files: on them pypdf raises errors of a dozen kinds.
    except Exception:  # noqa: BLE001 - see above
        raise Unusable("damaged") from None


def _open(stream: BinaryIO) -> "PdfReader":
    try:
        import pypdf  # noqa: PLC0415 - of an extra
    except ImportError:
        raise UnavailableError(
            "reading PDF needs pypdf: install knowledge-contract[local]"
        ) from None
    # It warns of every oddity; without a handler that would end on standard error.
    logging.getLogger("pypdf").addHandler(logging.NullHandler())
    reader = pypdf.PdfReader(stream)
    # Many files only forbid printing: those open with an empty password, as in any viewer.
    if reader.is_encrypted:
        try:
            is_open = bool(reader.decrypt(""))
        except pypdf.errors.DependencyError:
            is_open = False
        if not is_open:
            raise Unusable("encrypted")
    return reader


def _read(
    reader: "PdfReader", page_limit: int, is_late: Callable[[], bool]
) -> Iterator[Title | Block]:
    if len(reader.pages) > page_limit:
        raise Unusable("too large")
    title = normalize_line((reader.metadata and reader.metadata.title) or "")
    if title and not _NO_TITLE.fullmatch(title):
        yield Title(title)
    for number, page in enumerate(reader.pages, start=1):
        if is_late():
            raise Unusable("takes too long", is_of_content=False)
        yield from read_plain(normalize_text(page.extract_text()), page=number)
