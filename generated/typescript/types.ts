// Generated from contracts/knowledge_sources.v1.json
// (sha256 47dd16b0af101452ab3a2e7479cab06133a7c6f135de06ea7c039bb4855513f4).
// Do not edit: change the contract or codegen/, then run `knowledge-contract generate`.

/** One piece of retrieved evidence. Closed: whatever is displayed is covered by the id. */
export interface KnowledgeSource {
  /**
   * The opaque id of one piece of evidence, computed as `x-identity` says. It proves integrity,
   * never authority: anyone can compute one.
   */
  readonly id: string;
  /**
   * The provider's own short name. It is hashed into the id, so renaming a provider changes ids.
   */
  readonly provider: string;
  /** The document's real title; evidence without one is not cited. */
  readonly title: string;
  /**
   * Retrieved text, exactly as shown to the model: no U+0000, and at least one character that is
   * not blank.
   */
  readonly excerpt: string;
  /** The dataset's name, if the provider supplied one. */
  readonly dataset_name?: string;
  /**
   * Where a person can open the document, if the provider supplied it; never made from a file path.
   */
  readonly url?: string;
  /** The page the excerpt stands on, if the provider supplied it; never a chunk's ordinal. */
  readonly page?: number;
}

/** A RAGFlow record as it is written: complete. */
export interface NativeSource {
  /**
   * Random hex digits of one retrieval, then the position among its emitted sources, from 1. Not
   * derived from content, so it does not recompute.
   */
  readonly id: string;
  /** Always `ragflow`. */
  readonly provider: "ragflow";
  /** An identifier of RAGFlow's own. Stays in the artifact and is never shown. */
  readonly dataset_id: string;
  /** An identifier of RAGFlow's own. Stays in the artifact and is never shown. */
  readonly document_id: string;
  /** An identifier of RAGFlow's own. Stays in the artifact and is never shown. */
  readonly chunk_id: string;
  /** A dataset's or document's name as written today; at least one character is not blank. */
  readonly dataset_name: string;
  /** A dataset's or document's name as written today; at least one character is not blank. */
  readonly document_name: string;
  /** The excerpt sent to the model; at least one character is not blank. */
  readonly text: string;
  /** Whether `text` was cut; a cut text ends with an ellipsis. */
  readonly truncated: boolean;
  /** Pages of real PDF positions, counted from 1. */
  readonly pages: readonly number[];
}

/** A RAGFlow record as it is read, of older releases too; unknown keys are ignored. */
export interface NativeSourceRead {
  /**
   * Random hex digits of one retrieval, then the position among its emitted sources, from 1. Not
   * derived from content, so it does not recompute.
   */
  readonly id: string;
  /** Always `ragflow`. */
  readonly provider: "ragflow";
  /** An identifier of RAGFlow's own. Stays in the artifact and is never shown. */
  readonly dataset_id?: string;
  /** An identifier of RAGFlow's own. Stays in the artifact and is never shown. */
  readonly document_id?: string;
  /** An identifier of RAGFlow's own. Stays in the artifact and is never shown. */
  readonly chunk_id?: string;
  /** A name as older releases stored it; at least one character is not blank. */
  readonly dataset_name?: string;
  /** A name as older releases stored it; at least one character is not blank. */
  readonly document_name: string;
  /** The excerpt sent to the model; at least one character is not blank. */
  readonly text: string;
  /** Whether `text` was cut; a cut text ends with an ellipsis. */
  readonly truncated?: boolean;
  /** Pages of real PDF positions, counted from 1. */
  readonly pages?: readonly number[];
}

/** RAGFlow evidence as it is written under `knowledge_sources`. */
export interface NativeSnapshot {
  /** The version of the native form. */
  readonly version: 1;
  /** Records in display order. */
  readonly sources: readonly NativeSource[];
  /** Records that a durable batch left out of its row. */
  readonly omitted_count?: number;
}

/** RAGFlow evidence as it is read; unknown keys are ignored. */
export interface NativeSnapshotRead {
  /** The version of the native form. */
  readonly version: 1;
  /** Records in display order. */
  readonly sources: readonly NativeSourceRead[];
  /** Records that a durable batch left out of its row. */
  readonly omitted_count?: number;
}

/**
 * The mixed form of a delegated task whose report cites native and shared evidence. Open: an
 * artifact carries other keys.
 */
export interface TaskArtifact {
  /** The version of the shared records. */
  readonly knowledge_sources_version: 1;
  /** Shared records in display order. */
  readonly retrieval_sources: readonly KnowledgeSource[];
  /** Native records, read before the shared ones. */
  readonly knowledge_sources?: NativeSnapshotRead;
}

/**
 * What a tool can do, advertised as `metadata.knowledge_capabilities`. No operation implies
 * another.
 */
export interface KnowledgeCapabilities {
  /** What the tool can do; a repeated operation says nothing new. */
  readonly operations: readonly (
    | "search"
    | "sources"
    | "catalog"
    | "documents"
    | "dataset_filter"
    | "document_filter"
    | "relations_search"
  )[];
}

/** Narrows one selected dataset to some of its documents. */
export interface DocumentFilter {
  /**
   * A dataset's or document's identifier at the provider; the server trims it when it admits a
   * scope.
   */
  readonly dataset_id: string;
  /** The only documents to search. */
  readonly document_ids: readonly string[];
}

/** The shown name of a selected dataset. */
export interface DatasetLabel {
  /**
   * A dataset's or document's identifier at the provider; the server trims it when it admits a
   * scope.
   */
  readonly dataset_id: string;
  /** A name shown to the person who selects; not trusted, dropped before execution. */
  readonly name: string;
}

/** The shown name of a selected document. */
export interface DocumentLabel {
  /**
   * A dataset's or document's identifier at the provider; the server trims it when it admits a
   * scope.
   */
  readonly dataset_id: string;
  /**
   * A dataset's or document's identifier at the provider; the server trims it when it admits a
   * scope.
   */
  readonly document_id: string;
  /** A name shown to the person who selects; not trusted, dropped before execution. */
  readonly name: string;
}

/** Names for the person who selects; not trusted, dropped before execution. */
export interface ScopeDisplay {
  /** Names of selected datasets. */
  readonly datasets?: readonly DatasetLabel[];
  /** Names of selected documents. */
  readonly documents?: readonly DocumentLabel[];
}

/** Everything that the operator allows. */
export interface ScopeAll {
  /** The version of the scope object. */
  readonly version: 1;
  /** Tells the scope's kind. */
  readonly mode: "all";
}

/** No retrieval in this turn. */
export interface ScopeDisabled {
  /** The version of the scope object. */
  readonly version: 1;
  /** Tells the scope's kind. */
  readonly mode: "disabled";
}

/** Some datasets, and of some of them only some documents. */
export interface ScopeSelected {
  /** The version of the scope object. */
  readonly version: 1;
  /** Tells the scope's kind. */
  readonly mode: "selected";
  /** The datasets to search. */
  readonly dataset_ids: readonly string[];
  /** At most one for each selected dataset. */
  readonly document_filters?: readonly DocumentFilter[];
  /** Names for the person who selects; not trusted, dropped before execution. */
  readonly display?: ScopeDisplay;
}

/** What a person lets an agent search in one turn; `mode` tells the kind. */
export type KnowledgeScope = ScopeAll | ScopeSelected | ScopeDisabled;

/**
 * The shared wire envelope of retrieved evidence, carried on a tool message's artifact. Open: an
 * artifact carries other keys.
 */
export interface KnowledgeSourcesEnvelope {
  /** The version of the shared form. */
  readonly knowledge_sources_version: 1;
  /** Records in display order. */
  readonly knowledge_sources: readonly KnowledgeSource[];
}
