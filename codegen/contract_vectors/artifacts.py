"""Cases of the mixed artifact: shared and native records side by side."""

from collections.abc import Iterator

from contract_vectors.case import Case, Theme, accept, joined, refuse
from contract_vectors.samples import (
    artifact,
    copies,
    full_source,
    native,
    old_native,
    snapshot,
    source,
    without,
)

ROOT = "TaskArtifact"
SHARED = "/retrieval_sources"
NATIVE = "/knowledge_sources"


def theme() -> Theme:
    """Return the cases of `artifact.json`."""
    description = "The mixed artifact: shared records, native records, and keys of its own."
    return Theme("artifact", description, joined(_good(), _members(), _records(), _order()))


def _good() -> Iterator[Case]:
    for name, document, note in (
        ("empty", artifact(), "A task may cite nothing."),
        ("shared-only", artifact(source(), full_source()), "The native part may be absent."),
        (
            "mixed",
            artifact(source(), knowledge_sources=snapshot(native())),
            "Both forms in one artifact.",
        ),
        (
            "native-only",
            artifact(knowledge_sources=snapshot(native())),
            "The shared list may be empty.",
        ),
        (
            "old-native",
            artifact(knowledge_sources=snapshot(old_native(rank=1), kept=True)),
            "The native part is judged by the rules of reading.",
        ),
        ("open", artifact(report="text", nested=[{}], retrieval_id=1), "An artifact is open."),
        ("proto", {**artifact(), "__proto__": {}, "constructor": 1}, "An artifact is open."),
        ("100-shared", artifact(*copies(100, source())), "The greatest number of records."),
    ):
        yield accept(f"artifact-{name}", ROOT, document, note)


def _members() -> Iterator[Case]:
    for name, document, rule, pointer in (
        ("root-null", None, "type", ""),
        ("root-list", [], "type", ""),
        ("empty-object", {}, "required", "/knowledge_sources_version"),
        ("without-version", {"retrieval_sources": []}, "required", "/knowledge_sources_version"),
        ("without-shared", without(artifact(), "retrieval_sources"), "required", SHARED),
        ("version-null", artifact(knowledge_sources_version=None), "const", NATIVE + "_version"),
        ("shared-null", artifact(retrieval_sources=None), "type", SHARED),
        ("shared-object", artifact(retrieval_sources=snapshot()), "type", SHARED),
        ("native-null", artifact(knowledge_sources=None), "type", NATIVE),
        ("native-list", artifact(knowledge_sources=[]), "type", NATIVE),
        ("native-empty-object", artifact(knowledge_sources={}), "required", f"{NATIVE}/version"),
        (
            "native-without-sources",
            artifact(knowledge_sources={"version": 1}),
            "required",
            f"{NATIVE}/sources",
        ),
        (
            "native-version",
            artifact(knowledge_sources=snapshot(version=2)),
            "const",
            f"{NATIVE}/version",
        ),
        (
            "native-sources-null",
            artifact(knowledge_sources=snapshot(sources=None)),
            "type",
            f"{NATIVE}/sources",
        ),
    ):
        note = "A version and a shared list are required; the native part is an object or absent."
        yield refuse(f"artifact-{name}", ROOT, document, (rule, pointer), note)


def _records() -> Iterator[Case]:
    many = snapshot(*copies(101, old_native()))
    for name, document, rule, pointer in (
        ("101-shared", artifact(*copies(101, source())), "maxItems", SHARED),
        ("101-native", artifact(knowledge_sources=many), "maxItems", f"{NATIVE}/sources"),
        ("shared-record-null", artifact(None), "type", f"{SHARED}/0"),
        ("shared-unknown-key", artifact(source(x=1)), "additionalProperties", f"{SHARED}/0"),
        ("shared-native-record", artifact(native()), "maxLength", f"{SHARED}/0/id"),
        (
            "shared-blank-title",
            artifact(source(), source(title=" ")),
            "pattern",
            f"{SHARED}/1/title",
        ),
        (
            "native-shared-record",
            artifact(knowledge_sources=snapshot(source())),
            "minLength",
            f"{NATIVE}/sources/0/id",
        ),
        (
            "native-record-page",
            artifact(knowledge_sources=snapshot(old_native(pages=[0]))),
            "minimum",
            f"{NATIVE}/sources/0/pages/0",
        ),
    ):
        note = "Each list holds records of its own form."
        yield refuse(f"artifact-{name}", ROOT, document, (rule, pointer), note)


def _order() -> Iterator[Case]:
    yield refuse(
        "artifact-order-shared-before-native",
        ROOT,
        {"knowledge_sources": 1, "retrieval_sources": 1, "knowledge_sources_version": 1},
        ("type", SHARED),
        "Fields are checked in the contract's order, not the document's.",
    )
    yield accept(
        "artifact-envelope-is-no-artifact-key",
        "KnowledgeSourcesEnvelope",
        {**artifact(), "knowledge_sources": []},
        "As an envelope, an artifact with another reserved key is open like any other.",
    )
