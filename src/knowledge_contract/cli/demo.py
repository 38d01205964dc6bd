"""The command `demo`: real documents to an envelope that every reader judges alike."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from knowledge_contract.cli.identify import Identity, identify_source
from knowledge_contract.cli.output import Format, left_out_json
from knowledge_contract.cli.readers import Cast, ReaderName, open_readers
from knowledge_contract.cli.samples import Sample, build_sources, load_samples
from knowledge_contract.cli.streams import write_json
from knowledge_contract.cli.validate import differing_readers
from knowledge_contract.cli.verdicts import Verdict, problems_json
from knowledge_wire.parsing import Problem

ENVELOPE = "KnowledgeSourcesEnvelope"
TAMPERING = ("now", "not")
"""One letter that turns the first sample's first sentence around."""


class Demo(NamedTuple):
    """Everything that the demo shows.

    Attributes:
        samples: The documents with the sources cut from them.
        envelope: All sources on the wire.
        judged: Verdict on the envelope by reader.
        same_ids: Whether a reader computes the same ids, for readers that compute any.
        tampered: The first source with one letter of its excerpt changed.
        tampered_judged: Verdict on it by reader: its form is still good.
        tampered_identity: What its id says.
        broken: The envelope with a null where the contract allows only absence.
        broken_judged: Verdict on it by reader.
        left_out: Readers that are not available, with the reason.
        agree: Whether the readers agree on all of it.
    """

    samples: list[tuple[Sample, list[dict[str, Any]]]]
    envelope: dict[str, Any]
    judged: Mapping[str, Verdict]
    same_ids: Mapping[str, bool]
    tampered: dict[str, Any]
    tampered_judged: Mapping[str, Verdict]
    tampered_identity: Identity
    broken: dict[str, Any]
    broken_judged: Mapping[str, Verdict]
    left_out: Mapping[str, str]
    agree: bool

    @property
    def is_good(self) -> bool:
        """Whether good evidence was accepted, and both bad records were refused."""
        return (
            self.agree
            and all(self.same_ids.values())
            and all(verdict.valid for verdict in self.judged.values())
            and self.tampered_identity.problems == (Problem("/id", "id"),)
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
    """Return what the demo shows; offline, from packaged documents only."""
    samples = [(sample, build_sources(sample)) for sample in load_samples()]
    sources = [source for _, cut in samples for source in cut]
    envelope = build_envelope(sources)
    tampered = tamper(sources[0])
    broken = build_envelope([sources[0], {**sources[1], "url": None}, *sources[2:]])
    with open_readers(ReaderName.ALL) as cast:
        judged = _judge(cast, ENVELOPE, envelope)
        tampered_judged = _judge(cast, "KnowledgeSource", tampered)
        broken_judged = _judge(cast, ENVELOPE, broken)
        return Demo(
            samples=samples,
            envelope=envelope,
            judged=judged,
            same_ids=_recompute(cast, sources),
            tampered=tampered,
            tampered_judged=tampered_judged,
            tampered_identity=identify_source(tampered),
            broken=broken,
            broken_judged=broken_judged,
            left_out=cast.left_out,
            agree=not any(
                differing_readers(verdicts, cast.readers)
                for verdicts in (judged, tampered_judged, broken_judged)
            ),
        )


def build_envelope(sources: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the wire envelope of sources in display order."""
    return {"knowledge_sources_version": 1, "knowledge_sources": sources}


def tamper(source: dict[str, Any]) -> dict[str, Any]:
    """Return the source with one letter of its excerpt changed and its old id kept."""
    return {**source, "excerpt": source["excerpt"].replace(*TAMPERING, 1)}


def _judge(cast: Cast, definition: str, document: object) -> dict[str, Verdict]:
    return {reader.name: reader.judge(definition, document) for reader in cast.readers}


def _recompute(cast: Cast, sources: list[dict[str, Any]]) -> dict[str, bool]:
    return {
        reader.name: all(reader.source_id(source) == source["id"] for source in sources)
        for reader in cast.readers
        if reader.source_id is not None
    }


def _demo_json(demo: Demo) -> dict[str, object]:
    return {
        "documents": [
            {"file": sample.file, "title": sample.title, "ids": [s["id"] for s in sources]}
            for sample, sources in demo.samples
        ],
        "envelope": demo.envelope,
        "readers": _verdicts_json(demo.judged),
        "same_ids": dict(demo.same_ids),
        "tampered": {
            "source": demo.tampered,
            "readers": _verdicts_json(demo.tampered_judged),
            "computed_id": demo.tampered_identity.id,
            "problems": problems_json(demo.tampered_identity.problems),
        },
        "broken": {"envelope": demo.broken, "readers": _verdicts_json(demo.broken_judged)},
        "left_out": left_out_json(demo.left_out),
        "as_expected": demo.is_good,
    }


def _verdicts_json(verdicts: Mapping[str, Verdict]) -> dict[str, object]:
    return {name: verdict.as_json() for name, verdict in verdicts.items()}
