# Generated from contracts/knowledge_sources.v1.json
# (sha256 47dd16b0af101452ab3a2e7479cab06133a7c6f135de06ea7c039bb4855513f4).
# Do not edit: change the contract or codegen/, then run `knowledge-contract generate`.
"""Typed dictionaries of the contract, for code that builds or has judged wire data.

They say nothing about bounds: `knowledge_wire.validators` does.
"""

from typing import Literal, NotRequired, TypeAlias, TypedDict

__all__ = [
    "DatasetLabel",
    "DocumentFilter",
    "DocumentLabel",
    "KnowledgeCapabilities",
    "KnowledgeScope",
    "KnowledgeSource",
    "KnowledgeSourcesEnvelope",
    "NativeSnapshot",
    "NativeSnapshotRead",
    "NativeSource",
    "NativeSourceRead",
    "ScopeAll",
    "ScopeDisabled",
    "ScopeDisplay",
    "ScopeSelected",
    "TaskArtifact",
]


class KnowledgeSource(TypedDict):
    """One piece of retrieved evidence. Closed: whatever is displayed is covered by the id."""

    id: str
    """The opaque id of one piece of evidence, computed as `x-identity` says.

    It proves integrity, never authority: anyone can compute one.
    """
    provider: str
    """The provider's own short name.

    It is hashed into the id, so renaming a provider changes ids.
    """
    title: str
    """The document's real title; evidence without one is not cited."""
    excerpt: str
    """Retrieved text, exactly as shown to the model: no U+0000, and at least one character that
    is not blank.
    """
    dataset_name: NotRequired[str]
    """The dataset's name, if the provider supplied one."""
    url: NotRequired[str]
    """Where a person can open the document, if the provider supplied it; never made from a file
    path.
    """
    page: NotRequired[int]
    """The page the excerpt stands on, if the provider supplied it; never a chunk's ordinal."""


class NativeSource(TypedDict):
    """A RAGFlow record as it is written: complete."""

    id: str
    """Random hex digits of one retrieval, then the position among its emitted sources, from 1.

    Not derived from content, so it does not recompute.
    """
    provider: Literal["ragflow"]
    """Always `ragflow`."""
    dataset_id: str
    """An identifier of RAGFlow's own. Stays in the artifact and is never shown."""
    document_id: str
    """An identifier of RAGFlow's own. Stays in the artifact and is never shown."""
    chunk_id: str
    """An identifier of RAGFlow's own. Stays in the artifact and is never shown."""
    dataset_name: str
    """A dataset's or document's name as written today; at least one character is not blank."""
    document_name: str
    """A dataset's or document's name as written today; at least one character is not blank."""
    text: str
    """The excerpt sent to the model; at least one character is not blank."""
    truncated: bool
    """Whether `text` was cut; a cut text ends with an ellipsis."""
    pages: list[int]
    """Pages of real PDF positions, counted from 1."""


class NativeSourceRead(TypedDict):
    """A RAGFlow record as it is read, of older releases too; unknown keys are ignored."""

    id: str
    """Random hex digits of one retrieval, then the position among its emitted sources, from 1.

    Not derived from content, so it does not recompute.
    """
    provider: Literal["ragflow"]
    """Always `ragflow`."""
    dataset_id: NotRequired[str]
    """An identifier of RAGFlow's own. Stays in the artifact and is never shown."""
    document_id: NotRequired[str]
    """An identifier of RAGFlow's own. Stays in the artifact and is never shown."""
    chunk_id: NotRequired[str]
    """An identifier of RAGFlow's own. Stays in the artifact and is never shown."""
    dataset_name: NotRequired[str]
    """A name as older releases stored it; at least one character is not blank."""
    document_name: str
    """A name as older releases stored it; at least one character is not blank."""
    text: str
    """The excerpt sent to the model; at least one character is not blank."""
    truncated: NotRequired[bool]
    """Whether `text` was cut; a cut text ends with an ellipsis."""
    pages: NotRequired[list[int]]
    """Pages of real PDF positions, counted from 1."""


class NativeSnapshot(TypedDict):
    """RAGFlow evidence as it is written under `knowledge_sources`."""

    version: Literal[1]
    """The version of the native form."""
    sources: list[NativeSource]
    """Records in display order."""
    omitted_count: NotRequired[int]
    """Records that a durable batch left out of its row."""


class NativeSnapshotRead(TypedDict):
    """RAGFlow evidence as it is read; unknown keys are ignored."""

    version: Literal[1]
    """The version of the native form."""
    sources: list[NativeSourceRead]
    """Records in display order."""
    omitted_count: NotRequired[int]
    """Records that a durable batch left out of its row."""


class TaskArtifact(TypedDict):
    """The mixed form of a delegated task whose report cites native and shared evidence.

    Open: an artifact carries other keys.
    """

    knowledge_sources_version: Literal[1]
    """The version of the shared records."""
    retrieval_sources: list[KnowledgeSource]
    """Shared records in display order."""
    knowledge_sources: NotRequired[NativeSnapshotRead]
    """Native records, read before the shared ones."""


class KnowledgeCapabilities(TypedDict):
    """What a tool can do, advertised as `metadata.knowledge_capabilities`.

    No operation implies another.
    """

    operations: list[Literal["search", "sources", "catalog", "documents", "dataset_filter", "document_filter", "relations_search"]]
    """What the tool can do; a repeated operation says nothing new."""


class DocumentFilter(TypedDict):
    """Narrows one selected dataset to some of its documents."""

    dataset_id: str
    """A dataset's or document's identifier at the provider; the server trims it when it admits
    a scope.
    """
    document_ids: list[str]
    """The only documents to search."""


class DatasetLabel(TypedDict):
    """The shown name of a selected dataset."""

    dataset_id: str
    """A dataset's or document's identifier at the provider; the server trims it when it admits
    a scope.
    """
    name: str
    """A name shown to the person who selects; not trusted, dropped before execution."""


class DocumentLabel(TypedDict):
    """The shown name of a selected document."""

    dataset_id: str
    """A dataset's or document's identifier at the provider; the server trims it when it admits
    a scope.
    """
    document_id: str
    """A dataset's or document's identifier at the provider; the server trims it when it admits
    a scope.
    """
    name: str
    """A name shown to the person who selects; not trusted, dropped before execution."""


class ScopeDisplay(TypedDict):
    """Names for the person who selects; not trusted, dropped before execution."""

    datasets: NotRequired[list[DatasetLabel]]
    """Names of selected datasets."""
    documents: NotRequired[list[DocumentLabel]]
    """Names of selected documents."""


class ScopeAll(TypedDict):
    """Everything that the operator allows."""

    version: Literal[1]
    """The version of the scope object."""
    mode: Literal["all"]
    """Tells the scope's kind."""


class ScopeDisabled(TypedDict):
    """No retrieval in this turn."""

    version: Literal[1]
    """The version of the scope object."""
    mode: Literal["disabled"]
    """Tells the scope's kind."""


class ScopeSelected(TypedDict):
    """Some datasets, and of some of them only some documents."""

    version: Literal[1]
    """The version of the scope object."""
    mode: Literal["selected"]
    """Tells the scope's kind."""
    dataset_ids: list[str]
    """The datasets to search."""
    document_filters: NotRequired[list[DocumentFilter]]
    """At most one for each selected dataset."""
    display: NotRequired[ScopeDisplay]
    """Names for the person who selects; not trusted, dropped before execution."""


KnowledgeScope: TypeAlias = ScopeAll | ScopeSelected | ScopeDisabled
"""What a person lets an agent search in one turn; `mode` tells the kind."""


class KnowledgeSourcesEnvelope(TypedDict):
    """The shared wire envelope of retrieved evidence, carried on a tool message's artifact.

    Open: an artifact carries other keys.
    """

    knowledge_sources_version: Literal[1]
    """The version of the shared form."""
    knowledge_sources: list[KnowledgeSource]
    """Records in display order."""
