"""The command `demo`: questions to cited text, and what becomes of it when it is tampered with."""

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from knowledge_contract.cli.identify import Identification, identify_source
from knowledge_contract.cli.output import Format, left_out_json
from knowledge_contract.cli.readers import OpenReaders, ReaderName, open_readers
from knowledge_contract.cli.samples import QUESTIONS, copy_samples
from knowledge_contract.cli.search import build_message
from knowledge_contract.cli.streams import write_json
from knowledge_contract.cli.validate import differing_readers
from knowledge_contract.cli.verdicts import Verdict, problems_json
from knowledge_contract.cli.verify import Verification, verify
from knowledge_contract.providers.local import LocalProvider, Settings
from knowledge_wire.identity import source_id
from knowledge_wire.parsing import Problem

ENVELOPE = "KnowledgeSourcesEnvelope"
TAMPERING = ("now", "not")
"""One letter that turns the first answer's first sentence around."""

HIT_COUNT = 1
LIMIT_CHARS = 1_000
EXCERPT_CHARS = 240
"""Small enough for a page: the best hit of each question, and its first paragraphs."""


class Answer(NamedTuple):
    """What a search tool returns for one question, and what that proves."""

    question: str
    message: dict[str, Any]
    verification: Verification

    @property
    def sources(self) -> list[dict[str, Any]]:
        """The records in the message's artifact."""
        artifact = self.message["artifact"] or {}
        return list(artifact.get("knowledge_sources", ()))

    @property
    def is_proven(self) -> bool:
        """Whether there are sources, each with its excerpt right below its own handle."""
        reading = self.verification.reading
        bound = [evidence.record["id"] for evidence in reading.evidence]
        return self.verification.is_good and bound == [each["id"] for each in self.sources] != []


class Tampered(NamedTuple):
    """What became of the first message after its artifact was changed.

    Attributes:
        source: The first source with one letter of its excerpt changed and its old id kept.
        judged: Verdict on it by reader: its form is still good.
        identity: What its id says.
        verification: What the message proves with it.
        forged_verification: What the message proves when the changed source gets the id that
            its new excerpt has.
    """

    source: dict[str, Any]
    judged: Mapping[str, Verdict]
    identity: Identification
    verification: Verification
    forged_verification: Verification

    @property
    def is_refused(self) -> bool:
        """Whether the changed source is no evidence, with its old id and with a new one."""
        return (
            self.identity.problems == (Problem("/id", "id"),)
            and self.verification.reading.refused == (Problem("/knowledge_sources/0/id", "id"),)
            and self.forged_verification.reading.refused
            == (Problem("/knowledge_sources/0", "handle"),)
        )


class Demo(NamedTuple):
    """Everything that the demo shows.

    Attributes:
        files: Names of the documents that were searched.
        answers: One for each question.
        envelope: The sources of all answers on the wire.
        judged: Verdict on the envelope by reader.
        same_ids: Whether a reader computes the same ids, for readers that compute any.
        tampered: The first answer with one letter changed.
        broken: The envelope with a null where the contract allows only absence.
        broken_judged: Verdict on it by reader.
        left_out: Readers that are not available, with the reason.
        agree: Whether the readers agree on all of it.
    """

    files: list[str]
    answers: list[Answer]
    envelope: dict[str, Any]
    judged: Mapping[str, Verdict]
    same_ids: Mapping[str, bool]
    tampered: Tampered
    broken: dict[str, Any]
    broken_judged: Mapping[str, Verdict]
    left_out: Mapping[str, str]
    agree: bool

    @property
    def is_good(self) -> bool:
        """Whether good evidence was accepted, and all bad records were refused."""
        return (
            self.agree
            and all(answer.is_proven for answer in self.answers)
            and all(self.same_ids.values())
            and all(verdict.valid for verdict in self.judged.values())
            and self.tampered.is_refused
            and not any(verdict.valid for verdict in self.broken_judged.values())
        )


def run_demo(form: Format) -> bool:
    """Build everything, print it, and return whether all went as it should."""
    demo = build_demo()
    if form is Format.JSON:
        write_json(_demo_json(demo))
    else:
        # Start-up: rich takes longer to import than most commands run.
        from knowledge_contract.cli.demo_page import print_demo  # noqa: PLC0415 - see above

        print_demo(demo)
    return demo.is_good


def build_demo() -> Demo:
    """Return the demo with every reader that is available here; nothing is left on disk."""
    with tempfile.TemporaryDirectory() as folder:
        names, answers = _answer_questions(Path(folder))
    sources = [source for answer in answers for source in answer.sources]
    envelope = build_envelope(sources)
    broken = build_envelope([sources[0], {**sources[1], "url": None}, *sources[2:]])
    with open_readers(ReaderName.ALL) as opened:
        judged = _judge(opened, ENVELOPE, envelope)
        tampered = _tampered(opened, answers[0])
        broken_judged = _judge(opened, ENVELOPE, broken)
        return Demo(
            files=names,
            answers=answers,
            envelope=envelope,
            judged=judged,
            same_ids=_recompute(opened, sources),
            tampered=tampered,
            broken=broken,
            broken_judged=broken_judged,
            left_out=opened.left_out,
            agree=not any(
                differing_readers(verdicts, opened.readers)
                for verdicts in (judged, tampered.judged, broken_judged)
            ),
        )


def build_envelope(sources: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the wire envelope of sources in display order."""
    return {"knowledge_sources_version": 1, "knowledge_sources": sources}


def tamper(source: dict[str, Any]) -> dict[str, Any]:
    """Return the source with one letter of its excerpt changed and its old id kept."""
    return {**source, "excerpt": source["excerpt"].replace(*TAMPERING, 1)}


def verify_message(message: dict[str, Any]) -> Verification:
    """Return what a message proves after it went over the wire, with the firmest binding."""
    return verify(json.dumps(message).encode(), "entry")


def _answer_questions(folder: Path) -> tuple[list[str], list[Answer]]:
    documents = folder / "samples"
    documents.mkdir()
    names = copy_samples(documents)
    provider = LocalProvider(
        documents, index_path=folder / "index.sqlite3", settings=Settings(hit_limit=HIT_COUNT)
    )
    return names, [_answer(provider, question) for question in QUESTIONS]


def _answer(provider: LocalProvider, question: str) -> Answer:
    result = provider.search_folder(question)
    message = build_message(result, limit_chars=LIMIT_CHARS, excerpt_chars=EXCERPT_CHARS)
    return Answer(question, message, verify_message(message))


def _tampered(opened: OpenReaders, answer: Answer) -> Tampered:
    source = tamper(answer.sources[0])
    forged = {**source, "id": source_id(source)}
    return Tampered(
        source=source,
        judged=_judge(opened, "KnowledgeSource", source),
        identity=identify_source(source),
        verification=verify_message(_with_first(answer, source)),
        forged_verification=verify_message(_with_first(answer, forged)),
    )


def _with_first(answer: Answer, source: dict[str, Any]) -> dict[str, Any]:
    return {**answer.message, "artifact": build_envelope([source, *answer.sources[1:]])}


def _judge(opened: OpenReaders, definition: str, document: object) -> dict[str, Verdict]:
    return {reader.name: reader.judge(definition, document) for reader in opened.readers}


def _recompute(opened: OpenReaders, sources: list[dict[str, Any]]) -> dict[str, bool]:
    return {
        reader.name: all(reader.source_id(source) == source["id"] for source in sources)
        for reader in opened.readers
        if reader.source_id is not None
    }


def _demo_json(demo: Demo) -> dict[str, object]:
    tampered = demo.tampered
    return {
        "documents": demo.files,
        "answers": [
            {
                "question": answer.question,
                "message": answer.message,
                "ids": [source["id"] for source in answer.sources],
                "verification": answer.verification.as_json(),
            }
            for answer in demo.answers
        ],
        "envelope": demo.envelope,
        "readers": _verdicts_json(demo.judged),
        "same_ids": dict(demo.same_ids),
        "tampered": {
            "source": tampered.source,
            "readers": _verdicts_json(tampered.judged),
            "computed_id": tampered.identity.id,
            "problems": problems_json(tampered.identity.problems),
            "verification": tampered.verification.as_json(),
            "forged_verification": tampered.forged_verification.as_json(),
        },
        "broken": {"envelope": demo.broken, "readers": _verdicts_json(demo.broken_judged)},
        "left_out": left_out_json(demo.left_out),
        "as_expected": demo.is_good,
    }


def _verdicts_json(verdicts: Mapping[str, Verdict]) -> dict[str, object]:
    return {name: verdict.as_json() for name, verdict in verdicts.items()}
