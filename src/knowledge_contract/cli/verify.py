"""The command `verify`: tool messages to the evidence that they prove."""

from typing import NamedTuple

from knowledge_contract.cli.documents import parse_input, read_document, read_lines
from knowledge_contract.cli.output import Format
from knowledge_contract.cli.streams import write_json, write_line
from knowledge_contract.cli.verdicts import Findings, Found, explain
from knowledge_contract.reading import Binding, Evidence, Reading, read_message
from knowledge_wire.constants import RECORD_COUNT
from knowledge_wire.parsing import ParseError

_NO_EVIDENCE = "no evidence: the message carries no records of a known form and version"


class Verification(NamedTuple):
    """What one document proves.

    Attributes:
        reading: Its evidence and refusals; a document that is not strict JSON has one refusal.
        reason: What the strict parser said, when the document is not strict JSON.
    """

    reading: Reading
    reason: str | None = None

    @property
    def is_good(self) -> bool:
        """Whether nothing was refused and nothing overflowed; no evidence at all is good."""
        return not self.reading.refused and not self.reading.overflow

    def as_json(self) -> dict[str, object]:
        """Return the form for machines."""
        return findings_of(self.reading).as_json()


def verify(data: bytes, binding: Binding) -> Verification:
    """Return what one tool message proves, given as the bytes of a JSON document."""
    try:
        message = parse_input(data)
    except ParseError as error:
        return Verification(Reading((), (error.problem,), 0), error.reason)
    return Verification(read_message(message, binding=binding))


def findings_of(reading: Reading) -> Findings:
    """Return what readers in all languages compare of a reading."""
    evidence = (Found(str(each.record["id"]), each.form, each.binding) for each in reading.evidence)
    return Findings(tuple(evidence), reading.refused, reading.overflow)


def verify_document(file: str, binding: Binding, form: Format) -> bool:
    """Print what one message proves, and return whether nothing was refused."""
    verification = verify(read_document(file), binding)
    if form is Format.JSON:
        write_json(verification.as_json())
    else:
        for line in verification_lines(verification):
            write_line(line)
    return verification.is_good


def verify_lines(file: str, binding: Binding, form: Format) -> bool:
    """Print an answer a line for a message a line, and return whether all are good."""
    all_good = True
    for number, line in enumerate(read_lines(file), start=1):
        verification = verify(line, binding)
        all_good = all_good and verification.is_good
        if form is Format.JSON:
            write_json(verification.as_json())
        else:
            write_line(f"line {number}: {'; '.join(verification_lines(verification))}")
    return all_good


def verification_lines(verification: Verification) -> list[str]:
    """Return the same in words: a line for each record that was looked at."""
    reading, reason = verification
    lines = [_evidence_line(each) for each in reading.evidence]
    lines += [f"refused: {explain(problem, reason=reason)}" for problem in reading.refused]
    if reading.overflow:
        count = f"{reading.overflow} record{'s' if reading.overflow > 1 else ''}"
        lines.append(f"overflow: {count} beyond the first {RECORD_COUNT}: not looked at")
    return lines or [_NO_EVIDENCE]


def _evidence_line(evidence: Evidence) -> str:
    record = evidence.record
    title = record.get("title") or record.get("document_name")
    return f"evidence {record['id']} {evidence.form}/{evidence.binding}: {title}"
