// Generated from contracts/knowledge_sources.v1.json
// (sha256 47dd16b0af101452ab3a2e7479cab06133a7c6f135de06ea7c039bb4855513f4).
// Do not edit: change the contract or codegen/, then run `knowledge-contract generate`.

// The contract's numbers, keys and handles by name, so that no other module repeats one.
// Lengths count Unicode code points; bounds are inclusive.

/** The contract that this code was generated from. */
export const CONTRACT_FILE = "knowledge_sources.v1.json";

/** The SHA-256 of the contract's bytes. */
export const CONTRACT_SHA256 = "47dd16b0af101452ab3a2e7479cab06133a7c6f135de06ea7c039bb4855513f4";

/** Artifact keys that only server-side producers may write. */
export const RESERVED_KEYS: readonly string[] = [
  "knowledge_sources",
  "knowledge_sources_version",
  "retrieval_sources",
];

/** Records of one list that a reader looks at; the rest are overflow. */
export const RECORD_COUNT = 100;

/** Hits that one result displays. */
export const HIT_COUNT = 100;

/** Code points of all excerpts of one artifact together. */
export const EXCERPT_TOTAL_CHARS = 1_000_000;

/** Nesting of a document, the root container counted as 1. */
export const DOCUMENT_DEPTH = 64;

/** Nesting of a provider's response, the root container counted as 1. */
export const RESPONSE_DEPTH = 200;

/**
 * Code points without LF that may stand between a native handle and the line its text starts on.
 */
export const NATIVE_ENTRY_GAP_CHARS = 2100;

/** Code points of compact JSON that the evidence of one durable row may take. */
export const BATCH_EVIDENCE_CHARS = 1_000_000;

/** Documents of all filters of one scope together. */
export const SCOPE_DOCUMENT_COUNT = 1000;

/** UTF-8 bytes of a scope's canonical JSON (sorted keys, compact). */
export const SCOPE_BYTES = 65_536;

/** The first field of an id's preimage. */
export const ID_DOMAIN = "knowledge_sources.v1";

/** Hexadecimal digits of an id. */
export const ID_DIGITS = 32;

/** What HTML sanitisers put before an anchor. */
export const SANITISED_PREFIX = "user-content-";

/** Code points of a label made from a title. */
export const LABEL_MAX_CHARS = 120;

/** The label of a title that leaves nothing to show. */
export const FALLBACK_LABEL = "source";

/** What a shared handle's label starts with. */
export const SHARED_LABEL = "citation:";

/** What a shared handle's destination starts with. */
export const SHARED_DESTINATION = "#knowledge-source-";

/** A regular expression for the id in a shared handle, unanchored. */
export const SHARED_ID_PATTERN = "[0-9a-f]{32}";

/** What a native handle's label starts with. */
export const NATIVE_LABEL = "citation:";

/** What a native handle's destination starts with. */
export const NATIVE_DESTINATION = "#knowledge-";

/** A regular expression for the id in a native handle, unanchored. */
export const NATIVE_ID_PATTERN = "[a-f0-9]{32}-[1-9][0-9]{0,2}";

/** The only tools whose native records are read. */
export const NATIVE_TOOL_NAMES: readonly string[] = ["knowledge_search", "task"];

/** Code points. */
export const SOURCE_ID_MIN_LENGTH = 32;

/** Code points. */
export const SOURCE_ID_MAX_LENGTH = 32;

/** Code points. */
export const PROVIDER_NAME_MIN_LENGTH = 1;

/** Code points. */
export const PROVIDER_NAME_MAX_LENGTH = 64;

/** Code points. */
export const ONE_LINE_MIN_LENGTH = 1;

/** Code points. */
export const ONE_LINE_MAX_LENGTH = 512;

/** The blank characters of OneLine, each once. */
export const ONE_LINE_BLANKS =
  " \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f" +
  "\u3000\ufeff";

/** The characters that OneLine never holds, each once. */
export const ONE_LINE_EXCLUDED =
  "\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f\u0010\u0011\u0012" +
  "\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f\u007f\u0080" +
  "\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088\u0089\u008a\u008b\u008c\u008d\u008e\u008f" +
  "\u0090\u0091\u0092\u0093\u0094\u0095\u0096\u0097\u0098\u0099\u009a\u009b\u009c\u009d\u009e" +
  "\u009f\u2028\u2029";

/** Code points. */
export const EXCERPT_MIN_LENGTH = 1;

/** Code points. */
export const EXCERPT_MAX_LENGTH = 100_000;

/** The blank characters of Excerpt, each once. */
export const EXCERPT_BLANKS =
  "\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009" +
  "\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";

/** The characters that Excerpt never holds, each once. */
export const EXCERPT_EXCLUDED = "\u0000";

/** Code points. */
export const WEB_URL_MIN_LENGTH = 9;

/** Code points. */
export const WEB_URL_MAX_LENGTH = 2048;

/** Inclusive. */
export const PAGE_MINIMUM = 1;

/** Inclusive. */
export const PAGE_MAXIMUM = 1_000_000;

/** Code points. */
export const NATIVE_ID_MIN_LENGTH = 34;

/** Code points. */
export const NATIVE_ID_MAX_LENGTH = 36;

/** Code points. */
export const NATIVE_LOCATOR_MIN_LENGTH = 1;

/** Code points. */
export const NATIVE_LOCATOR_MAX_LENGTH = 256;

/** Code points. */
export const NATIVE_NAME_MIN_LENGTH = 1;

/** Code points. */
export const NATIVE_NAME_MAX_LENGTH = 512;

/** The blank characters of NativeName, each once. */
export const NATIVE_NAME_BLANKS =
  "\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009" +
  "\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";

/** Code points. */
export const NATIVE_NAME_READ_MIN_LENGTH = 1;

/** Code points. */
export const NATIVE_NAME_READ_MAX_LENGTH = 1024;

/** The blank characters of NativeNameRead, each once. */
export const NATIVE_NAME_READ_BLANKS =
  "\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009" +
  "\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";

/** Code points. */
export const NATIVE_TEXT_MIN_LENGTH = 1;

/** Code points. */
export const NATIVE_TEXT_MAX_LENGTH = 200_000;

/** The blank characters of NativeText, each once. */
export const NATIVE_TEXT_BLANKS =
  "\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009" +
  "\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";

/** Code points. */
export const SCOPE_ID_MIN_LENGTH = 1;

/** Code points. */
export const SCOPE_ID_MAX_LENGTH = 256;

/** The blank characters of ScopeId, each once. */
export const SCOPE_ID_BLANKS =
  "\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009" +
  "\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";

/** Code points. */
export const SCOPE_LABEL_MIN_LENGTH = 1;

/** Code points. */
export const SCOPE_LABEL_MAX_LENGTH = 256;

/** The blank characters of ScopeLabel, each once. */
export const SCOPE_LABEL_BLANKS =
  "\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009" +
  "\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";

/** The only value. */
export const NATIVE_SOURCE_PROVIDER = "ragflow";

/** Entries. */
export const NATIVE_SOURCE_PAGES_MAX_ITEMS = 100;

/** The only value. */
export const NATIVE_SOURCE_READ_PROVIDER = "ragflow";

/** Entries. */
export const NATIVE_SOURCE_READ_PAGES_MAX_ITEMS = 100;

/** The only value. */
export const NATIVE_SNAPSHOT_VERSION = 1;

/** Entries. */
export const NATIVE_SNAPSHOT_SOURCES_MAX_ITEMS = 100;

/** Inclusive. */
export const NATIVE_SNAPSHOT_OMITTED_COUNT_MINIMUM = 0;

/** Inclusive. */
export const NATIVE_SNAPSHOT_OMITTED_COUNT_MAXIMUM = 1_000_000;

/** The only value. */
export const NATIVE_SNAPSHOT_READ_VERSION = 1;

/** Entries. */
export const NATIVE_SNAPSHOT_READ_SOURCES_MAX_ITEMS = 100;

/** Inclusive. */
export const NATIVE_SNAPSHOT_READ_OMITTED_COUNT_MINIMUM = 0;

/** Inclusive. */
export const NATIVE_SNAPSHOT_READ_OMITTED_COUNT_MAXIMUM = 1_000_000;

/** The only value. */
export const TASK_ARTIFACT_KNOWLEDGE_SOURCES_VERSION = 1;

/** Entries. */
export const TASK_ARTIFACT_RETRIEVAL_SOURCES_MAX_ITEMS = 100;

/** Entries. */
export const KNOWLEDGE_CAPABILITIES_OPERATIONS_MAX_ITEMS = 7;

/** In order. */
export const KNOWLEDGE_CAPABILITIES_OPERATIONS_VALUES: readonly string[] = [
  "search",
  "sources",
  "catalog",
  "documents",
  "dataset_filter",
  "document_filter",
  "relations_search",
];

/** Entries. */
export const DOCUMENT_FILTER_DOCUMENT_IDS_MIN_ITEMS = 1;

/** Entries. */
export const DOCUMENT_FILTER_DOCUMENT_IDS_MAX_ITEMS = 1000;

/** Entries. */
export const SCOPE_DISPLAY_DATASETS_MAX_ITEMS = 20;

/** Entries. */
export const SCOPE_DISPLAY_DOCUMENTS_MAX_ITEMS = 50;

/** The only value. */
export const SCOPE_ALL_VERSION = 1;

/** The only value. */
export const SCOPE_ALL_MODE = "all";

/** The only value. */
export const SCOPE_DISABLED_VERSION = 1;

/** The only value. */
export const SCOPE_DISABLED_MODE = "disabled";

/** The only value. */
export const SCOPE_SELECTED_VERSION = 1;

/** The only value. */
export const SCOPE_SELECTED_MODE = "selected";

/** Entries. */
export const SCOPE_SELECTED_DATASET_IDS_MIN_ITEMS = 1;

/** Entries. */
export const SCOPE_SELECTED_DATASET_IDS_MAX_ITEMS = 100;

/** Entries. */
export const SCOPE_SELECTED_DOCUMENT_FILTERS_MAX_ITEMS = 100;

/** The only value. */
export const KNOWLEDGE_SOURCES_ENVELOPE_KNOWLEDGE_SOURCES_VERSION = 1;

/** Entries. */
export const KNOWLEDGE_SOURCES_ENVELOPE_KNOWLEDGE_SOURCES_MAX_ITEMS = 100;
