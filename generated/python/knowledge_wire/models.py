# Generated from contracts/knowledge_sources.v1.json
# (sha256 47dd16b0af101452ab3a2e7479cab06133a7c6f135de06ea7c039bb4855513f4).
# Do not edit: change the contract or codegen/, then run `knowledge-contract generate`.
"""Pydantic models of the contract, for code that wants attributes and schema tools.

An optional field that is absent is None; an explicit null is refused. Dump with
`exclude_none=True`, so that absent stays absent.
"""


from typing import Annotated, Literal

from knowledge_wire.model_types import (
    Exactly1,
    Excerpt,
    JsonInteger,
    NativeId,
    NativeLocator,
    NativeName,
    NativeNameRead,
    NativeText,
    OneLine,
    Page,
    ProviderName,
    ScopeId,
    ScopeLabel,
    SourceId,
    WebUrl,
    WireModel,
)
from pydantic import ConfigDict, Field, RootModel, StrictBool


class KnowledgeCapabilities(WireModel):
    """What a tool can do, advertised as `metadata.knowledge_capabilities`. No operation implies another."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    operations: Annotated[
        list[Literal["search", "sources", "catalog", "documents", "dataset_filter", "document_filter", "relations_search"]],
        Field(max_length=7),
    ]
    """What the tool can do; a repeated operation says nothing new."""


class NativeSource(WireModel):
    """A RAGFlow record as it is written: complete."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    id: NativeId
    """Random hex digits of one retrieval, then the position among its emitted sources, from 1. Not derived from content, so it does not recompute."""
    provider: Literal["ragflow"]
    """Always `ragflow`."""
    dataset_id: NativeLocator
    """An identifier of RAGFlow's own. Stays in the artifact and is never shown."""
    document_id: NativeLocator
    """An identifier of RAGFlow's own. Stays in the artifact and is never shown."""
    chunk_id: NativeLocator
    """An identifier of RAGFlow's own. Stays in the artifact and is never shown."""
    dataset_name: NativeName
    """A dataset's or document's name as written today; at least one character is not blank."""
    document_name: NativeName
    """A dataset's or document's name as written today; at least one character is not blank."""
    text: NativeText
    """The excerpt sent to the model; at least one character is not blank."""
    truncated: StrictBool
    """Whether `text` was cut; a cut text ends with an ellipsis."""
    pages: Annotated[list[Page], Field(max_length=100)]
    """Pages of real PDF positions, counted from 1."""


class NativeSnapshot(WireModel):
    """RAGFlow evidence as it is written under `knowledge_sources`."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    version: Exactly1
    """The version of the native form."""
    sources: Annotated[list[NativeSource], Field(max_length=100)]
    """Records in display order."""
    omitted_count: Annotated[JsonInteger | None, Field(ge=0, le=1000000)] = None
    """Records that a durable batch left out of its row."""


class NativeSourceRead(WireModel):
    """A RAGFlow record as it is read, of older releases too; unknown keys are ignored."""

    model_config = ConfigDict(
        extra="allow",
        frozen=True,
        use_attribute_docstrings=True,
    )
    id: NativeId
    """Random hex digits of one retrieval, then the position among its emitted sources, from 1. Not derived from content, so it does not recompute."""
    provider: Literal["ragflow"]
    """Always `ragflow`."""
    dataset_id: NativeLocator | None = None
    """An identifier of RAGFlow's own. Stays in the artifact and is never shown."""
    document_id: NativeLocator | None = None
    """An identifier of RAGFlow's own. Stays in the artifact and is never shown."""
    chunk_id: NativeLocator | None = None
    """An identifier of RAGFlow's own. Stays in the artifact and is never shown."""
    dataset_name: NativeNameRead | None = None
    """A name as older releases stored it; at least one character is not blank."""
    document_name: NativeNameRead
    """A name as older releases stored it; at least one character is not blank."""
    text: NativeText
    """The excerpt sent to the model; at least one character is not blank."""
    truncated: StrictBool | None = None
    """Whether `text` was cut; a cut text ends with an ellipsis."""
    pages: Annotated[list[Page] | None, Field(max_length=100)] = None
    """Pages of real PDF positions, counted from 1."""


class NativeSnapshotRead(WireModel):
    """RAGFlow evidence as it is read; unknown keys are ignored."""

    model_config = ConfigDict(
        extra="allow",
        frozen=True,
        use_attribute_docstrings=True,
    )
    version: Exactly1
    """The version of the native form."""
    sources: Annotated[list[NativeSourceRead], Field(max_length=100)]
    """Records in display order."""
    omitted_count: Annotated[JsonInteger | None, Field(ge=0, le=1000000)] = None
    """Records that a durable batch left out of its row."""


class ScopeAll(WireModel):
    """Everything that the operator allows."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    version: Exactly1
    """The version of the scope object."""
    mode: Literal["all"]
    """Tells the scope's kind."""


class ScopeDisabled(WireModel):
    """No retrieval in this turn."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    version: Exactly1
    """The version of the scope object."""
    mode: Literal["disabled"]
    """Tells the scope's kind."""


class DocumentFilter(WireModel):
    """Narrows one selected dataset to some of its documents."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    dataset_id: ScopeId
    """A dataset's or document's identifier at the provider; the server trims it when it admits a scope."""
    document_ids: Annotated[list[ScopeId], Field(max_length=1000, min_length=1)]
    """The only documents to search."""


class DatasetLabel(WireModel):
    """The shown name of a selected dataset."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    dataset_id: ScopeId
    """A dataset's or document's identifier at the provider; the server trims it when it admits a scope."""
    name: ScopeLabel
    """A name shown to the person who selects; not trusted, dropped before execution."""


class DocumentLabel(WireModel):
    """The shown name of a selected document."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    dataset_id: ScopeId
    """A dataset's or document's identifier at the provider; the server trims it when it admits a scope."""
    document_id: ScopeId
    """A dataset's or document's identifier at the provider; the server trims it when it admits a scope."""
    name: ScopeLabel
    """A name shown to the person who selects; not trusted, dropped before execution."""


class ScopeDisplay(WireModel):
    """Names for the person who selects; not trusted, dropped before execution."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    datasets: Annotated[list[DatasetLabel] | None, Field(max_length=20)] = None
    """Names of selected datasets."""
    documents: Annotated[list[DocumentLabel] | None, Field(max_length=50)] = None
    """Names of selected documents."""


class ScopeSelected(WireModel):
    """Some datasets, and of some of them only some documents."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    version: Exactly1
    """The version of the scope object."""
    mode: Literal["selected"]
    """Tells the scope's kind."""
    dataset_ids: Annotated[list[ScopeId], Field(max_length=100, min_length=1)]
    """The datasets to search."""
    document_filters: Annotated[list[DocumentFilter] | None, Field(max_length=100)] = None
    """At most one for each selected dataset."""
    display: ScopeDisplay | None = None
    """Names for the person who selects; not trusted, dropped before execution."""


class KnowledgeScope(RootModel[ScopeAll | ScopeSelected | ScopeDisabled]):
    model_config = ConfigDict(
        frozen=True,
    )
    root: Annotated[ScopeAll | ScopeSelected | ScopeDisabled, Field(title="KnowledgeScope")]
    """What a person lets an agent search in one turn; `mode` tells the kind."""


class KnowledgeSource(WireModel):
    """One piece of retrieved evidence. Closed: whatever is displayed is covered by the id."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
    )
    id: SourceId
    """The opaque id of one piece of evidence, computed as `x-identity` says. It proves integrity, never authority: anyone can compute one."""
    provider: ProviderName
    """The provider's own short name. It is hashed into the id, so renaming a provider changes ids."""
    title: OneLine
    """The document's real title; evidence without one is not cited."""
    excerpt: Excerpt
    """Retrieved text, exactly as shown to the model: no U+0000, and at least one character that is not blank."""
    dataset_name: OneLine | None = None
    """The dataset's name, if the provider supplied one."""
    url: WebUrl | None = None
    """Where a person can open the document, if the provider supplied it; never made from a file path."""
    page: Page | None = None
    """The page the excerpt stands on, if the provider supplied it; never a chunk's ordinal."""


class KnowledgeSourcesEnvelope(WireModel):
    """The shared wire envelope of retrieved evidence, carried on a tool message's artifact. Open: an artifact carries other keys."""

    model_config = ConfigDict(
        extra="allow",
        frozen=True,
        use_attribute_docstrings=True,
    )
    knowledge_sources_version: Exactly1
    """The version of the shared form."""
    knowledge_sources: Annotated[list[KnowledgeSource], Field(max_length=100)]
    """Records in display order."""


class TaskArtifact(WireModel):
    """The mixed form of a delegated task whose report cites native and shared evidence. Open: an artifact carries other keys."""

    model_config = ConfigDict(
        extra="allow",
        frozen=True,
        use_attribute_docstrings=True,
    )
    knowledge_sources_version: Exactly1
    """The version of the shared records."""
    retrieval_sources: Annotated[list[KnowledgeSource], Field(max_length=100)]
    """Shared records in display order."""
    knowledge_sources: NativeSnapshotRead | None = None
    """Native records, read before the shared ones."""
