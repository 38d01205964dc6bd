"""The command `validate`: one document, or one a line, on one reader or on all."""

from collections.abc import Mapping
from typing import NamedTuple

from knowledge_contract.cli.definitions import DEFAULT_DEFINITION
from knowledge_contract.cli.documents import parse_input, read_document, read_lines
from knowledge_contract.cli.output import Format, left_out_json, write_left_out
from knowledge_contract.cli.readers import OpenReaders, Reader, ReaderName, open_readers
from knowledge_contract.cli.streams import write_json, write_line, write_problem
from knowledge_contract.cli.verdicts import (
    Verdict,
    explain_all,
    summarize,
    verdict_lines,
    verdict_of_parse_error,
)
from knowledge_wire.parsing import ParseError, Problem
from knowledge_wire.validators import CHECKS

_NO_ENVELOPE = {
    Problem("/knowledge_sources_version", "required"),
    Problem("/knowledge_sources", "required"),
}
_OFTEN_MEANT = ("KnowledgeSource", "NativeSnapshotRead", "TaskArtifact", "KnowledgeScope")


class Judgement(NamedTuple):
    """What the readers say about one document.

    Attributes:
        verdicts: Reader's name to verdict; the first one is the reference.
        differing: Readers that do not agree with the first.
    """

    verdicts: Mapping[str, Verdict]
    differing: tuple[str, ...]

    @property
    def verdict(self) -> Verdict:
        """The first reader's verdict."""
        return next(iter(self.verdicts.values()))

    @property
    def is_good(self) -> bool:
        """Whether the document is valid and nobody disagrees."""
        return self.verdict.valid and not self.differing


def judge(data: bytes, definition: str, readers: tuple[Reader, ...]) -> Judgement:
    """Return every reader's verdict on what the strict parser makes of `data`."""
    try:
        document = parse_input(data)
    except ParseError as error:
        refusal = verdict_of_parse_error(error)
        return Judgement({reader.name: refusal for reader in readers}, ())
    verdicts = {reader.name: reader.judge(definition, document) for reader in readers}
    return Judgement(verdicts, differing_readers(verdicts, readers))


def differing_readers(
    verdicts: Mapping[str, Verdict], readers: tuple[Reader, ...]
) -> tuple[str, ...]:
    """Return the names of readers that disagree with the first.

    Exact readers owe the same problems in the same order, the others the same verdict.
    """
    first = verdicts[readers[0].name]
    return tuple(
        reader.name
        for reader in readers[1:]
        if verdicts[reader.name].valid != first.valid
        or (
            reader.is_exact
            and readers[0].is_exact
            and verdicts[reader.name].problems != first.problems
        )
    )


def validate_document(file: str, definition: str, reader: ReaderName, form: Format) -> bool:
    """Judge one document, print the verdict, and return whether all is good."""
    data = read_document(file)
    with open_readers(reader) as opened:
        judgement = judge(data, definition, opened.readers)
    if form is Format.JSON:
        write_json(_document_json(judgement, opened))
        return judgement.is_good
    for line in verdict_lines(judgement.verdict):
        write_line(line)
    for line in _agreement_lines(judgement):
        write_line(line)
    write_left_out(opened.left_out)
    if definition == DEFAULT_DEFINITION and _NO_ENVELOPE & set(judgement.verdict.problems):
        _write_hint(data)
    return judgement.is_good


def validate_lines(file: str, definition: str, reader: ReaderName, form: Format) -> bool:
    """Judge a document a line, print a verdict a line, and return whether all are good."""
    all_good = True
    with open_readers(reader) as opened:
        write_left_out(opened.left_out)
        for number, line in enumerate(read_lines(file), start=1):
            judgement = judge(line, definition, opened.readers)
            all_good = all_good and judgement.is_good
            if form is Format.JSON:
                write_json(_line_json(judgement))
            else:
                write_line(f"line {number}: {_line_text(judgement)}")
    return all_good


def _write_hint(data: bytes) -> None:
    """Name the definition that the document, which is no envelope, does satisfy."""
    document = parse_input(data)
    for name in _OFTEN_MEANT:
        if not CHECKS[name](document):
            write_problem(f"hint: the document is good with `--as {name}`")
            return


def _document_json(judgement: Judgement, opened: OpenReaders) -> dict[str, object]:
    answer = judgement.verdict.as_json()
    if len(opened.readers) > 1:
        answer["agree"] = not judgement.differing
        answer["readers"] = {
            name: verdict.as_json() for name, verdict in judgement.verdicts.items()
        }
        answer["left_out"] = left_out_json(opened.left_out)
    return answer


def _line_json(judgement: Judgement) -> dict[str, object]:
    answer = judgement.verdict.as_json()
    if judgement.differing:
        answer["disagreement"] = {
            name: judgement.verdicts[name].as_json() for name in judgement.differing
        }
    return answer


def _line_text(judgement: Judgement) -> str:
    verdict = judgement.verdict
    text = summarize(verdict)
    if verdict.problems:
        text = f"refused: {explain_all(verdict.problems, reason=verdict.reason)}"
    return "; ".join([text, *_disagreements(judgement)])


def _agreement_lines(judgement: Judgement) -> list[str]:
    if len(judgement.verdicts) == 1:
        return []
    if not judgement.differing:
        return [f"readers agree: {', '.join(judgement.verdicts)}"]
    return _disagreements(judgement)


def _disagreements(judgement: Judgement) -> list[str]:
    first = next(iter(judgement.verdicts))
    return [
        f"disagreement: {first} says {summarize(judgement.verdict)}, "
        f"{name} says {summarize(judgement.verdicts[name])}"
        for name in judgement.differing
    ]
