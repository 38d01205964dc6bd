# Generated from contracts/knowledge_sources.v1.json
# (sha256 47dd16b0af101452ab3a2e7479cab06133a7c6f135de06ea7c039bb4855513f4).
# Do not edit: change the contract or codegen/, then run `knowledge-contract generate`.
"""The contract's numbers, keys and handles by name, so that no module repeats one.

Lengths count Unicode code points; bounds are inclusive.
"""

from typing import Final

# The contract that this code was generated from.
CONTRACT_FILE: Final = "knowledge_sources.v1.json"

# The SHA-256 of the contract's bytes.
CONTRACT_SHA256: Final = "47dd16b0af101452ab3a2e7479cab06133a7c6f135de06ea7c039bb4855513f4"

# Artifact keys that only server-side producers may write.
RESERVED_KEYS: Final = ("knowledge_sources", "knowledge_sources_version", "retrieval_sources")

# Records of one list that a reader looks at; the rest are overflow.
RECORD_COUNT: Final = 100

# Hits that one result displays.
HIT_COUNT: Final = 100

# Code points of all excerpts of one artifact together.
EXCERPT_TOTAL_CHARS: Final = 1_000_000

# Nesting of a document, the root container counted as 1.
DOCUMENT_DEPTH: Final = 64

# Nesting of a provider's response, the root container counted as 1.
RESPONSE_DEPTH: Final = 200

# Code points without LF that may stand between a native handle and the line its text starts on.
NATIVE_ENTRY_GAP_CHARS: Final = 2100

# Code points of compact JSON that the evidence of one durable row may take.
BATCH_EVIDENCE_CHARS: Final = 1_000_000

# Documents of all filters of one scope together.
SCOPE_DOCUMENT_COUNT: Final = 1000

# UTF-8 bytes of a scope's canonical JSON (sorted keys, compact).
SCOPE_BYTES: Final = 65_536

# The first field of an id's preimage.
ID_DOMAIN: Final = "knowledge_sources.v1"

# Hexadecimal digits of an id.
ID_DIGITS: Final = 32

# What HTML sanitisers put before an anchor.
SANITISED_PREFIX: Final = "user-content-"

# Code points of a label made from a title.
LABEL_MAX_CHARS: Final = 120

# The label of a title that leaves nothing to show.
FALLBACK_LABEL: Final = "source"

# What a shared handle's label starts with.
SHARED_LABEL: Final = "citation:"

# What a shared handle's destination starts with.
SHARED_DESTINATION: Final = "#knowledge-source-"

# A regular expression for the id in a shared handle, unanchored.
SHARED_ID_PATTERN: Final = "[0-9a-f]{32}"

# What a native handle's label starts with.
NATIVE_LABEL: Final = "citation:"

# What a native handle's destination starts with.
NATIVE_DESTINATION: Final = "#knowledge-"

# A regular expression for the id in a native handle, unanchored.
NATIVE_ID_PATTERN: Final = "[a-f0-9]{32}-[1-9][0-9]{0,2}"

# The only tools whose native records are read.
NATIVE_TOOL_NAMES: Final = ("knowledge_search", "task")

# Code points.
SOURCE_ID_MIN_LENGTH: Final = 32

# Code points.
SOURCE_ID_MAX_LENGTH: Final = 32

# Code points.
PROVIDER_NAME_MIN_LENGTH: Final = 1

# Code points.
PROVIDER_NAME_MAX_LENGTH: Final = 64

# Code points.
ONE_LINE_MIN_LENGTH: Final = 1

# Code points.
ONE_LINE_MAX_LENGTH: Final = 512

# The blank characters of OneLine, each once.
ONE_LINE_BLANKS: Final = (
    " \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f"
    "\u3000\ufeff"
)

# The characters that OneLine never holds, each once.
ONE_LINE_EXCLUDED: Final = (
    "\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f\u0010\u0011\u0012"
    "\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f\u007f\u0080"
    "\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088\u0089\u008a\u008b\u008c\u008d\u008e\u008f"
    "\u0090\u0091\u0092\u0093\u0094\u0095\u0096\u0097\u0098\u0099\u009a\u009b\u009c\u009d\u009e"
    "\u009f\u2028\u2029"
)

# Code points.
EXCERPT_MIN_LENGTH: Final = 1

# Code points.
EXCERPT_MAX_LENGTH: Final = 100_000

# The blank characters of Excerpt, each once.
EXCERPT_BLANKS: Final = (
    "\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)

# The characters that Excerpt never holds, each once.
EXCERPT_EXCLUDED: Final = "\u0000"

# Code points.
WEB_URL_MIN_LENGTH: Final = 9

# Code points.
WEB_URL_MAX_LENGTH: Final = 2048

# Inclusive.
PAGE_MINIMUM: Final = 1

# Inclusive.
PAGE_MAXIMUM: Final = 1_000_000

# Code points.
NATIVE_ID_MIN_LENGTH: Final = 34

# Code points.
NATIVE_ID_MAX_LENGTH: Final = 36

# Code points.
NATIVE_LOCATOR_MIN_LENGTH: Final = 1

# Code points.
NATIVE_LOCATOR_MAX_LENGTH: Final = 256

# Code points.
NATIVE_NAME_MIN_LENGTH: Final = 1

# Code points.
NATIVE_NAME_MAX_LENGTH: Final = 512

# The blank characters of NativeName, each once.
NATIVE_NAME_BLANKS: Final = (
    "\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)

# Code points.
NATIVE_NAME_READ_MIN_LENGTH: Final = 1

# Code points.
NATIVE_NAME_READ_MAX_LENGTH: Final = 1024

# The blank characters of NativeNameRead, each once.
NATIVE_NAME_READ_BLANKS: Final = (
    "\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)

# Code points.
NATIVE_TEXT_MIN_LENGTH: Final = 1

# Code points.
NATIVE_TEXT_MAX_LENGTH: Final = 200_000

# The blank characters of NativeText, each once.
NATIVE_TEXT_BLANKS: Final = (
    "\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)

# Code points.
SCOPE_ID_MIN_LENGTH: Final = 1

# Code points.
SCOPE_ID_MAX_LENGTH: Final = 256

# The blank characters of ScopeId, each once.
SCOPE_ID_BLANKS: Final = (
    "\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)

# Code points.
SCOPE_LABEL_MIN_LENGTH: Final = 1

# Code points.
SCOPE_LABEL_MAX_LENGTH: Final = 256

# The blank characters of ScopeLabel, each once.
SCOPE_LABEL_BLANKS: Final = (
    "\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)

# The only value.
NATIVE_SOURCE_PROVIDER: Final = "ragflow"

# Entries.
NATIVE_SOURCE_PAGES_MAX_ITEMS: Final = 100

# The only value.
NATIVE_SOURCE_READ_PROVIDER: Final = "ragflow"

# Entries.
NATIVE_SOURCE_READ_PAGES_MAX_ITEMS: Final = 100

# The only value.
NATIVE_SNAPSHOT_VERSION: Final = 1

# Entries.
NATIVE_SNAPSHOT_SOURCES_MAX_ITEMS: Final = 100

# Inclusive.
NATIVE_SNAPSHOT_OMITTED_COUNT_MINIMUM: Final = 0

# Inclusive.
NATIVE_SNAPSHOT_OMITTED_COUNT_MAXIMUM: Final = 1_000_000

# The only value.
NATIVE_SNAPSHOT_READ_VERSION: Final = 1

# Entries.
NATIVE_SNAPSHOT_READ_SOURCES_MAX_ITEMS: Final = 100

# Inclusive.
NATIVE_SNAPSHOT_READ_OMITTED_COUNT_MINIMUM: Final = 0

# Inclusive.
NATIVE_SNAPSHOT_READ_OMITTED_COUNT_MAXIMUM: Final = 1_000_000

# The only value.
TASK_ARTIFACT_KNOWLEDGE_SOURCES_VERSION: Final = 1

# Entries.
TASK_ARTIFACT_RETRIEVAL_SOURCES_MAX_ITEMS: Final = 100

# Entries.
KNOWLEDGE_CAPABILITIES_OPERATIONS_MAX_ITEMS: Final = 7

# In order.
KNOWLEDGE_CAPABILITIES_OPERATIONS_VALUES: Final = (
    "search",
    "sources",
    "catalog",
    "documents",
    "dataset_filter",
    "document_filter",
    "relations_search",
)

# Entries.
DOCUMENT_FILTER_DOCUMENT_IDS_MIN_ITEMS: Final = 1

# Entries.
DOCUMENT_FILTER_DOCUMENT_IDS_MAX_ITEMS: Final = 1000

# Entries.
SCOPE_DISPLAY_DATASETS_MAX_ITEMS: Final = 20

# Entries.
SCOPE_DISPLAY_DOCUMENTS_MAX_ITEMS: Final = 50

# The only value.
SCOPE_ALL_VERSION: Final = 1

# The only value.
SCOPE_ALL_MODE: Final = "all"

# The only value.
SCOPE_DISABLED_VERSION: Final = 1

# The only value.
SCOPE_DISABLED_MODE: Final = "disabled"

# The only value.
SCOPE_SELECTED_VERSION: Final = 1

# The only value.
SCOPE_SELECTED_MODE: Final = "selected"

# Entries.
SCOPE_SELECTED_DATASET_IDS_MIN_ITEMS: Final = 1

# Entries.
SCOPE_SELECTED_DATASET_IDS_MAX_ITEMS: Final = 100

# Entries.
SCOPE_SELECTED_DOCUMENT_FILTERS_MAX_ITEMS: Final = 100

# The only value.
KNOWLEDGE_SOURCES_ENVELOPE_KNOWLEDGE_SOURCES_VERSION: Final = 1

# Entries.
KNOWLEDGE_SOURCES_ENVELOPE_KNOWLEDGE_SOURCES_MAX_ITEMS: Final = 100
