"""The command `strip`: JSON in, the same JSON without the reserved keys of its artifacts out."""

from typing import NamedTuple

from knowledge_contract._bodies import render_body
from knowledge_contract._walking import walk_document
from knowledge_contract.boundary import may_hold_reserved
from knowledge_contract.cli.documents import parse_input, read_document, read_lines
from knowledge_contract.cli.output import Format
from knowledge_contract.cli.streams import write_json, write_line, write_problem, write_text
from knowledge_contract.cli.verdicts import explain, problems_json
from knowledge_wire.parsing import ParseError, Problem

_NOT_CLEAN = "not clean: an artifact holds reserved keys"


class Stripping(NamedTuple):
    """What became of one document.

    Attributes:
        document: Its bytes, those of the input if it was clean; None when it was refused.
        is_changed: Whether it held reserved keys where a reader would take them for evidence.
        problem: Why it was refused.
        reason: What the strict parser said about it.
    """

    document: bytes | None
    is_changed: bool
    problem: Problem | None = None
    reason: str | None = None

    @property
    def is_clean(self) -> bool:
        """Whether it was read, and there was nothing to lose."""
        return self.document is not None and not self.is_changed

    def as_json(self) -> dict[str, object]:
        """Return the answer for machines; of what was not read nothing is known."""
        if self.problem is not None:
            return {"problems": problems_json((self.problem,))}
        return {"stripped": self.is_changed}

    def as_line(self) -> str:
        """Return the same in words."""
        if self.problem is not None:
            return f"refused: {explain(self.problem, reason=self.reason)}"
        return _NOT_CLEAN if self.is_changed else "clean"


def strip(data: bytes) -> Stripping:
    """Return one document without the reserved keys of its artifacts, given as its bytes.

    `strip_body` leaves a body unparsed that cannot hold a reserved key. A filter is used as a
    gate, so that here nothing passes that the strict parser has not read.
    """
    try:
        holder = [parse_input(data)]
    except ParseError as error:
        return Stripping(None, is_changed=False, problem=error.problem, reason=error.reason)
    is_changed = may_hold_reserved(data) and walk_document(holder)
    return Stripping(render_body(holder[0]) if is_changed else data, is_changed=is_changed)


def strip_document(file: str) -> bool:
    """Write the stripped document, and return whether there is one: else nothing is written."""
    stripping = strip(read_document(file))
    if stripping.document is None:
        write_problem(stripping.as_line())
        return False
    text = stripping.document.decode()
    write_text(f"{text}\n" if stripping.is_changed else text)
    return True


def strip_lines(file: str) -> bool:
    """Write a stripped document a line, and return whether no line was refused.

    In place of a refused line stands an empty one: the lines of input and output stay side by
    side, and nothing passes that was not stripped.
    """
    all_good = True
    for number, line in enumerate(read_lines(file), start=1):
        stripping = strip(line)
        write_text(f"{(stripping.document or b'').decode()}\n")
        if stripping.document is None:
            all_good = False
            write_problem(f"line {number}: {stripping.as_line()}")
    return all_good


def check_document(file: str, form: Format) -> bool:
    """Say whether a document holds something to strip, and return whether it is clean."""
    stripping = strip(read_document(file))
    if form is Format.JSON:
        write_json(stripping.as_json())
    else:
        write_line(stripping.as_line())
    return stripping.is_clean


def check_lines(file: str, form: Format) -> bool:
    """Say the same for a document a line, and return whether all are clean."""
    all_clean = True
    for number, line in enumerate(read_lines(file), start=1):
        stripping = strip(line)
        all_clean = all_clean and stripping.is_clean
        if form is Format.JSON:
            write_json(stripping.as_json())
        else:
            write_line(f"line {number}: {stripping.as_line()}")
    return all_clean
