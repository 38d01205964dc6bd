"""The command `id`: source objects to the ids that citations use."""

from typing import Any, NamedTuple

from knowledge_contract.cli.documents import parse_input, read_document, read_lines
from knowledge_contract.cli.output import Format
from knowledge_contract.cli.streams import write_json, write_line, write_problem
from knowledge_contract.cli.verdicts import explain, explain_all, problems_json
from knowledge_wire.identity import source_id
from knowledge_wire.parsing import ParseError, Problem
from knowledge_wire.validators import check_knowledge_source

_ABSENT_ID = Problem("/id", "required")
_WRONG_ID = Problem("/id", "id")


class Identification(NamedTuple):
    """What became of one source.

    Attributes:
        id: The computed id; None when the source breaks the contract.
        problems: Why there is none, or that the source claims another one.
        reason: What the strict parser said, when the source is not strict JSON.
    """

    id: str | None
    problems: tuple[Problem, ...] = ()
    reason: str | None = None


def identify(data: bytes) -> Identification:
    """Return the id of one source object, which may hold one already."""
    try:
        source = parse_input(data)
    except ParseError as error:
        return Identification(None, (error.problem,), error.reason)
    return identify_source(source)


def identify_source(source: Any) -> Identification:
    """Return the id of a parsed source, which may hold one already."""
    problems = tuple(p for p in check_knowledge_source(source) if p != _ABSENT_ID)
    if problems:
        return Identification(None, problems)
    computed = source_id(source)
    claims_another = source.get("id", computed) != computed
    return Identification(computed, (_WRONG_ID,) if claims_another else ())


def identify_document(file: str, form: Format) -> bool:
    """Print one source's id, and return whether all is good."""
    identification = identify(read_document(file))
    if form is Format.JSON:
        write_json(_as_json(identification))
    else:
        if identification.id is not None:
            write_line(identification.id)
        for problem in identification.problems:
            write_problem(f"refused: {explain(problem, reason=identification.reason)}")
    return not identification.problems


def identify_lines(file: str, form: Format) -> bool:
    """Print one line for each source, and return whether all are good.

    In text that is its id, and an empty line for a source that has none: the lines of input and
    output stay side by side.
    """
    all_good = True
    for number, line in enumerate(read_lines(file), start=1):
        identification = identify(line)
        all_good = all_good and not identification.problems
        if form is Format.JSON:
            write_json(_as_json(identification))
        else:
            write_line(identification.id or "")
            if identification.problems:
                reasons = explain_all(identification.problems, reason=identification.reason)
                write_problem(f"line {number}: refused: {reasons}")
    return all_good


def _as_json(identification: Identification) -> dict[str, object]:
    answer: dict[str, object] = {}
    if identification.id is not None:
        answer["id"] = identification.id
    if identification.problems:
        answer["problems"] = problems_json(identification.problems)
    return answer
