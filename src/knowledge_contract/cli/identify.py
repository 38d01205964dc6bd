"""The command `id`: source objects to the ids that citations use."""

from typing import Any, NamedTuple

from knowledge_contract.cli.documents import parse_input, read_document, read_lines
from knowledge_contract.cli.output import Format
from knowledge_contract.cli.streams import write_json, write_line, write_problem
from knowledge_contract.cli.verdicts import explain, problems_json
from knowledge_wire.identity import source_id
from knowledge_wire.parsing import ParseError, Problem
from knowledge_wire.validators import check_knowledge_source

_ABSENT_ID = Problem("/id", "required")
_WRONG_ID = Problem("/id", "id")


class Identity(NamedTuple):
    """What became of one source.

    Attributes:
        id: The computed id; None when the source breaks the contract.
        problems: Why there is none, or that the source claims another one.
        reason: What the strict parser said, when the source is not strict JSON.
    """

    id: str | None
    problems: tuple[Problem, ...] = ()
    reason: str | None = None


def identify(data: bytes) -> Identity:
    """Return the id of one source object, which may hold one already."""
    try:
        source = parse_input(data)
    except ParseError as error:
        return Identity(None, (error.problem,), error.reason)
    return identify_source(source)


def identify_source(source: Any) -> Identity:
    """Return the id of a parsed source, which may hold one already."""
    problems = tuple(p for p in check_knowledge_source(source) if p != _ABSENT_ID)
    if problems:
        return Identity(None, problems)
    computed = source_id(source)
    claims_another = source.get("id", computed) != computed
    return Identity(computed, (_WRONG_ID,) if claims_another else ())


def identify_document(file: str, form: Format) -> bool:
    """Print one source's id, and return whether all is good."""
    identity = identify(read_document(file))
    if form is Format.JSON:
        write_json(_identity_json(identity))
    else:
        _write_text(identity)
    return not identity.problems


def identify_lines(file: str, form: Format) -> bool:
    """Print an id a line for a source a line, and return whether all are good."""
    all_good = True
    for number, line in enumerate(read_lines(file), start=1):
        identity = identify(line)
        all_good = all_good and not identity.problems
        if form is Format.JSON:
            write_json(_identity_json(identity))
        else:
            _write_text(identity, place=f"line {number}: ")
    return all_good


def _identity_json(identity: Identity) -> dict[str, object]:
    answer: dict[str, object] = {}
    if identity.id is not None:
        answer["id"] = identity.id
    if identity.problems:
        answer["problems"] = problems_json(identity.problems)
    return answer


def _write_text(identity: Identity, *, place: str = "") -> None:
    if identity.id is not None:
        write_line(identity.id)
    for problem in identity.problems:
        write_problem(f"{place}refused: {explain(problem, reason=identity.reason)}")
