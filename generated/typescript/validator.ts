// Generated from contracts/knowledge_sources.v1.json
// (sha256 47dd16b0af101452ab3a2e7479cab06133a7c6f135de06ea7c039bb4855513f4).
// Do not edit: change the contract or codegen/, then run `knowledge-contract generate`.

import {
  DOCUMENT_FILTER_DOCUMENT_IDS_MAX_ITEMS,
  DOCUMENT_FILTER_DOCUMENT_IDS_MIN_ITEMS,
  EXCERPT_MAX_LENGTH,
  EXCERPT_MIN_LENGTH,
  KNOWLEDGE_CAPABILITIES_OPERATIONS_MAX_ITEMS,
  KNOWLEDGE_CAPABILITIES_OPERATIONS_VALUES,
  KNOWLEDGE_SOURCES_ENVELOPE_KNOWLEDGE_SOURCES_MAX_ITEMS,
  NATIVE_ID_MAX_LENGTH,
  NATIVE_ID_MIN_LENGTH,
  NATIVE_LOCATOR_MAX_LENGTH,
  NATIVE_LOCATOR_MIN_LENGTH,
  NATIVE_NAME_MAX_LENGTH,
  NATIVE_NAME_MIN_LENGTH,
  NATIVE_NAME_READ_MAX_LENGTH,
  NATIVE_NAME_READ_MIN_LENGTH,
  NATIVE_SNAPSHOT_OMITTED_COUNT_MAXIMUM,
  NATIVE_SNAPSHOT_OMITTED_COUNT_MINIMUM,
  NATIVE_SNAPSHOT_READ_OMITTED_COUNT_MAXIMUM,
  NATIVE_SNAPSHOT_READ_OMITTED_COUNT_MINIMUM,
  NATIVE_SNAPSHOT_READ_SOURCES_MAX_ITEMS,
  NATIVE_SNAPSHOT_SOURCES_MAX_ITEMS,
  NATIVE_SOURCE_PAGES_MAX_ITEMS,
  NATIVE_SOURCE_READ_PAGES_MAX_ITEMS,
  NATIVE_TEXT_MAX_LENGTH,
  NATIVE_TEXT_MIN_LENGTH,
  ONE_LINE_MAX_LENGTH,
  ONE_LINE_MIN_LENGTH,
  PAGE_MAXIMUM,
  PAGE_MINIMUM,
  PROVIDER_NAME_MAX_LENGTH,
  PROVIDER_NAME_MIN_LENGTH,
  SCOPE_DISPLAY_DATASETS_MAX_ITEMS,
  SCOPE_DISPLAY_DOCUMENTS_MAX_ITEMS,
  SCOPE_ID_MAX_LENGTH,
  SCOPE_ID_MIN_LENGTH,
  SCOPE_LABEL_MAX_LENGTH,
  SCOPE_LABEL_MIN_LENGTH,
  SCOPE_SELECTED_DATASET_IDS_MAX_ITEMS,
  SCOPE_SELECTED_DATASET_IDS_MIN_ITEMS,
  SCOPE_SELECTED_DOCUMENT_FILTERS_MAX_ITEMS,
  SOURCE_ID_MAX_LENGTH,
  SOURCE_ID_MIN_LENGTH,
  TASK_ARTIFACT_RETRIEVAL_SOURCES_MAX_ITEMS,
  WEB_URL_MAX_LENGTH,
  WEB_URL_MIN_LENGTH,
} from "./limits.js";
import type * as types from "./types.js";

/** Why a value is refused, without anything of the value itself. */
export interface Problem {
  /**
   * JSON Pointer (RFC 6901) to the place. An unknown key is never named, its parent is; a missing
   * member is named.
   */
  readonly pointer: string;
  /** A JSON Schema keyword, or `unicode` for text that is not well-formed. */
  readonly rule: string;
}

type Walk = (value: unknown, at: string, problems: Problem[]) => void;

/** Returns the length of well-formed text in Unicode code points, without building an array. */
export function countCodePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index += 1) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xdc00) {
      count -= 1;
    }
  }
  return count;
}

const SURROGATE = /[\ud800-\udfff]/;
// With the `u` flag a pair is one character, so only a lone surrogate matches.
const LONE_SURROGATE = /[\ud800-\udfff]/u;

/** Tells whether text holds no lone surrogate. */
export function isWellFormed(text: string): boolean {
  // The first search is several times faster, and most texts end with it.
  return !SURROGATE.test(text) || !LONE_SURROGATE.test(text);
}

function hasMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasOtherKey(value: object, keys: readonly string[]): boolean {
  return Object.keys(value).some((key) => !keys.includes(key));
}

function judgeRequired(
  value: Readonly<Record<string, unknown>>,
  key: string,
  at: string,
  problems: Problem[],
  walk: Walk,
): void {
  if (Object.hasOwn(value, key)) {
    walk(value[key], `${at}/${key}`, problems);
  } else {
    problems.push({ pointer: `${at}/${key}`, rule: "required" });
  }
}

function judgeOptional(
  value: Readonly<Record<string, unknown>>,
  key: string,
  at: string,
  problems: Problem[],
  walk: Walk,
): void {
  if (Object.hasOwn(value, key)) {
    walk(value[key], `${at}/${key}`, problems);
  }
}

// A text of n code points has n to 2n UTF-16 units: most texts need no counting.
function isShorter(text: string, least: number): boolean {
  return text.length < least || (text.length < 2 * least && countCodePoints(text) < least);
}

function isLonger(text: string, most: number): boolean {
  return text.length > most && (text.length > 2 * most || countCodePoints(text) > most);
}

function judgeText(
  value: unknown,
  at: string,
  problems: Problem[],
  least: number,
  most: number,
  pattern?: RegExp,
): void {
  if (typeof value !== "string") {
    problems.push({ pointer: at, rule: "type" });
  } else if (!isWellFormed(value)) {
    problems.push({ pointer: at, rule: "unicode" });
  } else if (isShorter(value, least)) {
    problems.push({ pointer: at, rule: "minLength" });
  } else if (isLonger(value, most)) {
    problems.push({ pointer: at, rule: "maxLength" });
  } else if (pattern !== undefined && !pattern.test(value)) {
    problems.push({ pointer: at, rule: "pattern" });
  }
}

function judgeInteger(
  value: unknown,
  at: string,
  problems: Problem[],
  minimum: number,
  maximum: number,
): void {
  if (typeof value !== "number" || !Number.isInteger(value)) {
    problems.push({ pointer: at, rule: "type" });
  } else if (value < minimum) {
    problems.push({ pointer: at, rule: "minimum" });
  } else if (value > maximum) {
    problems.push({ pointer: at, rule: "maximum" });
  }
}

function judgeBoolean(value: unknown, at: string, problems: Problem[]): void {
  if (typeof value !== "boolean") {
    problems.push({ pointer: at, rule: "type" });
  }
}

function judgeConstant(
  value: unknown,
  at: string,
  problems: Problem[],
  expected: number | string,
): void {
  if (value !== expected) {
    problems.push({ pointer: at, rule: "const" });
  }
}

function judgeChoice(
  value: unknown,
  at: string,
  problems: Problem[],
  values: readonly string[],
): void {
  if (typeof value !== "string" || !values.includes(value)) {
    problems.push({ pointer: at, rule: "enum" });
  }
}

function judgeList(
  value: unknown,
  at: string,
  problems: Problem[],
  least: number,
  most: number,
  item: Walk,
): void {
  if (!Array.isArray(value)) {
    problems.push({ pointer: at, rule: "type" });
  } else if (value.length < least) {
    problems.push({ pointer: at, rule: "minItems" });
  } else if (value.length > most) {
    problems.push({ pointer: at, rule: "maxItems" });
  } else {
    // By index: a hole must be judged as undefined, and `forEach` would skip it.
    for (let index = 0; index < value.length; index += 1) {
      item(value[index], `${at}/${index}`, problems);
    }
  }
}

const SOURCE_ID_PATTERN = /^[0-9a-f]{32}$/u;

const walkSourceId: Walk = (value, at, problems) =>
  judgeText(value, at, problems, SOURCE_ID_MIN_LENGTH, SOURCE_ID_MAX_LENGTH, SOURCE_ID_PATTERN);

const PROVIDER_NAME_PATTERN = /^[a-z0-9][a-z0-9_\-]*$/u;

const walkProviderName: Walk = (value, at, problems) =>
  judgeText(
    value,
    at,
    problems,
    PROVIDER_NAME_MIN_LENGTH,
    PROVIDER_NAME_MAX_LENGTH,
    PROVIDER_NAME_PATTERN,
  );

const ONE_LINE_PATTERN =
  /^[\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff]*[^\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff\u0000-\u001f\u007f-\u009f\u2028\u2029][^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/u;

const walkOneLine: Walk = (value, at, problems) =>
  judgeText(value, at, problems, ONE_LINE_MIN_LENGTH, ONE_LINE_MAX_LENGTH, ONE_LINE_PATTERN);

const EXCERPT_PATTERN =
  /^[\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff\u0009-\u000d\u0085\u2028\u2029]*[^\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff\u0009-\u000d\u0085\u2028\u2029\u0000][^\u0000]*$/u;

const walkExcerpt: Walk = (value, at, problems) =>
  judgeText(value, at, problems, EXCERPT_MIN_LENGTH, EXCERPT_MAX_LENGTH, EXCERPT_PATTERN);

const WEB_URL_PATTERN =
  /^https?:\/\/([A-Za-z0-9][A-Za-z0-9\-._~%]*|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?([\/?#][A-Za-z0-9\-._~:\/?#@!\$&'()*+,;=%]*)?$/u;

const walkWebUrl: Walk = (value, at, problems) =>
  judgeText(value, at, problems, WEB_URL_MIN_LENGTH, WEB_URL_MAX_LENGTH, WEB_URL_PATTERN);

const walkPage: Walk = (value, at, problems) =>
  judgeInteger(value, at, problems, PAGE_MINIMUM, PAGE_MAXIMUM);

const NATIVE_ID_PATTERN = /^[a-f0-9]{32}-[1-9][0-9]{0,2}$/u;

const walkNativeId: Walk = (value, at, problems) =>
  judgeText(value, at, problems, NATIVE_ID_MIN_LENGTH, NATIVE_ID_MAX_LENGTH, NATIVE_ID_PATTERN);

const walkNativeLocator: Walk = (value, at, problems) =>
  judgeText(value, at, problems, NATIVE_LOCATOR_MIN_LENGTH, NATIVE_LOCATOR_MAX_LENGTH);

const NATIVE_NAME_PATTERN =
  /[^\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff\u0009-\u000d\u0085\u2028\u2029]/u;

const walkNativeName: Walk = (value, at, problems) =>
  judgeText(
    value,
    at,
    problems,
    NATIVE_NAME_MIN_LENGTH,
    NATIVE_NAME_MAX_LENGTH,
    NATIVE_NAME_PATTERN,
  );

const NATIVE_NAME_READ_PATTERN =
  /[^\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff\u0009-\u000d\u0085\u2028\u2029]/u;

const walkNativeNameRead: Walk = (value, at, problems) =>
  judgeText(
    value,
    at,
    problems,
    NATIVE_NAME_READ_MIN_LENGTH,
    NATIVE_NAME_READ_MAX_LENGTH,
    NATIVE_NAME_READ_PATTERN,
  );

const NATIVE_TEXT_PATTERN =
  /[^\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff\u0009-\u000d\u0085\u2028\u2029]/u;

const walkNativeText: Walk = (value, at, problems) =>
  judgeText(
    value,
    at,
    problems,
    NATIVE_TEXT_MIN_LENGTH,
    NATIVE_TEXT_MAX_LENGTH,
    NATIVE_TEXT_PATTERN,
  );

const SCOPE_ID_PATTERN =
  /[^\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff\u0009-\u000d\u0085\u2028\u2029]/u;

const walkScopeId: Walk = (value, at, problems) =>
  judgeText(value, at, problems, SCOPE_ID_MIN_LENGTH, SCOPE_ID_MAX_LENGTH, SCOPE_ID_PATTERN);

const SCOPE_LABEL_PATTERN =
  /[^\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff\u0009-\u000d\u0085\u2028\u2029]/u;

const walkScopeLabel: Walk = (value, at, problems) =>
  judgeText(
    value,
    at,
    problems,
    SCOPE_LABEL_MIN_LENGTH,
    SCOPE_LABEL_MAX_LENGTH,
    SCOPE_LABEL_PATTERN,
  );

const KNOWLEDGE_SOURCE_KEYS: readonly string[] = [
  "id",
  "provider",
  "title",
  "excerpt",
  "dataset_name",
  "url",
  "page",
];

const walkKnowledgeSource: Walk = (value, at, problems) => {
  if (!hasMembers(value)) {
    problems.push({ pointer: at, rule: "type" });
    return;
  }
  judgeRequired(value, "id", at, problems, walkSourceId);
  judgeRequired(value, "provider", at, problems, walkProviderName);
  judgeRequired(value, "title", at, problems, walkOneLine);
  judgeRequired(value, "excerpt", at, problems, walkExcerpt);
  judgeOptional(value, "dataset_name", at, problems, walkOneLine);
  judgeOptional(value, "url", at, problems, walkWebUrl);
  judgeOptional(value, "page", at, problems, walkPage);
  if (hasOtherKey(value, KNOWLEDGE_SOURCE_KEYS)) {
    problems.push({ pointer: at, rule: "additionalProperties" });
  }
};

const walkNativeSourceProvider: Walk = (value, at, problems) =>
  judgeConstant(value, at, problems, "ragflow");

const walkNativeSourcePages: Walk = (value, at, problems) =>
  judgeList(value, at, problems, 0, NATIVE_SOURCE_PAGES_MAX_ITEMS, walkPage);

const NATIVE_SOURCE_KEYS: readonly string[] = [
  "id",
  "provider",
  "dataset_id",
  "document_id",
  "chunk_id",
  "dataset_name",
  "document_name",
  "text",
  "truncated",
  "pages",
];

const walkNativeSource: Walk = (value, at, problems) => {
  if (!hasMembers(value)) {
    problems.push({ pointer: at, rule: "type" });
    return;
  }
  judgeRequired(value, "id", at, problems, walkNativeId);
  judgeRequired(value, "provider", at, problems, walkNativeSourceProvider);
  judgeRequired(value, "dataset_id", at, problems, walkNativeLocator);
  judgeRequired(value, "document_id", at, problems, walkNativeLocator);
  judgeRequired(value, "chunk_id", at, problems, walkNativeLocator);
  judgeRequired(value, "dataset_name", at, problems, walkNativeName);
  judgeRequired(value, "document_name", at, problems, walkNativeName);
  judgeRequired(value, "text", at, problems, walkNativeText);
  judgeRequired(value, "truncated", at, problems, judgeBoolean);
  judgeRequired(value, "pages", at, problems, walkNativeSourcePages);
  if (hasOtherKey(value, NATIVE_SOURCE_KEYS)) {
    problems.push({ pointer: at, rule: "additionalProperties" });
  }
};

const walkNativeSourceReadProvider: Walk = (value, at, problems) =>
  judgeConstant(value, at, problems, "ragflow");

const walkNativeSourceReadPages: Walk = (value, at, problems) =>
  judgeList(value, at, problems, 0, NATIVE_SOURCE_READ_PAGES_MAX_ITEMS, walkPage);

const walkNativeSourceRead: Walk = (value, at, problems) => {
  if (!hasMembers(value)) {
    problems.push({ pointer: at, rule: "type" });
    return;
  }
  judgeRequired(value, "id", at, problems, walkNativeId);
  judgeRequired(value, "provider", at, problems, walkNativeSourceReadProvider);
  judgeOptional(value, "dataset_id", at, problems, walkNativeLocator);
  judgeOptional(value, "document_id", at, problems, walkNativeLocator);
  judgeOptional(value, "chunk_id", at, problems, walkNativeLocator);
  judgeOptional(value, "dataset_name", at, problems, walkNativeNameRead);
  judgeRequired(value, "document_name", at, problems, walkNativeNameRead);
  judgeRequired(value, "text", at, problems, walkNativeText);
  judgeOptional(value, "truncated", at, problems, judgeBoolean);
  judgeOptional(value, "pages", at, problems, walkNativeSourceReadPages);
};

const walkNativeSnapshotVersion: Walk = (value, at, problems) =>
  judgeConstant(value, at, problems, 1);

const walkNativeSnapshotSources: Walk = (value, at, problems) =>
  judgeList(value, at, problems, 0, NATIVE_SNAPSHOT_SOURCES_MAX_ITEMS, walkNativeSource);

const walkNativeSnapshotOmittedCount: Walk = (value, at, problems) =>
  judgeInteger(
    value,
    at,
    problems,
    NATIVE_SNAPSHOT_OMITTED_COUNT_MINIMUM,
    NATIVE_SNAPSHOT_OMITTED_COUNT_MAXIMUM,
  );

const NATIVE_SNAPSHOT_KEYS: readonly string[] = ["version", "sources", "omitted_count"];

const walkNativeSnapshot: Walk = (value, at, problems) => {
  if (!hasMembers(value)) {
    problems.push({ pointer: at, rule: "type" });
    return;
  }
  judgeRequired(value, "version", at, problems, walkNativeSnapshotVersion);
  judgeRequired(value, "sources", at, problems, walkNativeSnapshotSources);
  judgeOptional(value, "omitted_count", at, problems, walkNativeSnapshotOmittedCount);
  if (hasOtherKey(value, NATIVE_SNAPSHOT_KEYS)) {
    problems.push({ pointer: at, rule: "additionalProperties" });
  }
};

const walkNativeSnapshotReadVersion: Walk = (value, at, problems) =>
  judgeConstant(value, at, problems, 1);

const walkNativeSnapshotReadSources: Walk = (value, at, problems) =>
  judgeList(value, at, problems, 0, NATIVE_SNAPSHOT_READ_SOURCES_MAX_ITEMS, walkNativeSourceRead);

const walkNativeSnapshotReadOmittedCount: Walk = (value, at, problems) =>
  judgeInteger(
    value,
    at,
    problems,
    NATIVE_SNAPSHOT_READ_OMITTED_COUNT_MINIMUM,
    NATIVE_SNAPSHOT_READ_OMITTED_COUNT_MAXIMUM,
  );

const walkNativeSnapshotRead: Walk = (value, at, problems) => {
  if (!hasMembers(value)) {
    problems.push({ pointer: at, rule: "type" });
    return;
  }
  judgeRequired(value, "version", at, problems, walkNativeSnapshotReadVersion);
  judgeRequired(value, "sources", at, problems, walkNativeSnapshotReadSources);
  judgeOptional(value, "omitted_count", at, problems, walkNativeSnapshotReadOmittedCount);
};

const walkTaskArtifactKnowledgeSourcesVersion: Walk = (value, at, problems) =>
  judgeConstant(value, at, problems, 1);

const walkTaskArtifactRetrievalSources: Walk = (value, at, problems) =>
  judgeList(value, at, problems, 0, TASK_ARTIFACT_RETRIEVAL_SOURCES_MAX_ITEMS, walkKnowledgeSource);

const walkTaskArtifact: Walk = (value, at, problems) => {
  if (!hasMembers(value)) {
    problems.push({ pointer: at, rule: "type" });
    return;
  }
  judgeRequired(
    value,
    "knowledge_sources_version",
    at,
    problems,
    walkTaskArtifactKnowledgeSourcesVersion,
  );
  judgeRequired(value, "retrieval_sources", at, problems, walkTaskArtifactRetrievalSources);
  judgeOptional(value, "knowledge_sources", at, problems, walkNativeSnapshotRead);
};

const walkKnowledgeCapabilitiesOperationsItem: Walk = (value, at, problems) =>
  judgeChoice(value, at, problems, KNOWLEDGE_CAPABILITIES_OPERATIONS_VALUES);

const walkKnowledgeCapabilitiesOperations: Walk = (value, at, problems) =>
  judgeList(
    value,
    at,
    problems,
    0,
    KNOWLEDGE_CAPABILITIES_OPERATIONS_MAX_ITEMS,
    walkKnowledgeCapabilitiesOperationsItem,
  );

const KNOWLEDGE_CAPABILITIES_KEYS: readonly string[] = ["operations"];

const walkKnowledgeCapabilities: Walk = (value, at, problems) => {
  if (!hasMembers(value)) {
    problems.push({ pointer: at, rule: "type" });
    return;
  }
  judgeRequired(value, "operations", at, problems, walkKnowledgeCapabilitiesOperations);
  if (hasOtherKey(value, KNOWLEDGE_CAPABILITIES_KEYS)) {
    problems.push({ pointer: at, rule: "additionalProperties" });
  }
};

const walkDocumentFilterDocumentIds: Walk = (value, at, problems) =>
  judgeList(
    value,
    at,
    problems,
    DOCUMENT_FILTER_DOCUMENT_IDS_MIN_ITEMS,
    DOCUMENT_FILTER_DOCUMENT_IDS_MAX_ITEMS,
    walkScopeId,
  );

const DOCUMENT_FILTER_KEYS: readonly string[] = ["dataset_id", "document_ids"];

const walkDocumentFilter: Walk = (value, at, problems) => {
  if (!hasMembers(value)) {
    problems.push({ pointer: at, rule: "type" });
    return;
  }
  judgeRequired(value, "dataset_id", at, problems, walkScopeId);
  judgeRequired(value, "document_ids", at, problems, walkDocumentFilterDocumentIds);
  if (hasOtherKey(value, DOCUMENT_FILTER_KEYS)) {
    problems.push({ pointer: at, rule: "additionalProperties" });
  }
};

const DATASET_LABEL_KEYS: readonly string[] = ["dataset_id", "name"];

const walkDatasetLabel: Walk = (value, at, problems) => {
  if (!hasMembers(value)) {
    problems.push({ pointer: at, rule: "type" });
    return;
  }
  judgeRequired(value, "dataset_id", at, problems, walkScopeId);
  judgeRequired(value, "name", at, problems, walkScopeLabel);
  if (hasOtherKey(value, DATASET_LABEL_KEYS)) {
    problems.push({ pointer: at, rule: "additionalProperties" });
  }
};

const DOCUMENT_LABEL_KEYS: readonly string[] = ["dataset_id", "document_id", "name"];

const walkDocumentLabel: Walk = (value, at, problems) => {
  if (!hasMembers(value)) {
    problems.push({ pointer: at, rule: "type" });
    return;
  }
  judgeRequired(value, "dataset_id", at, problems, walkScopeId);
  judgeRequired(value, "document_id", at, problems, walkScopeId);
  judgeRequired(value, "name", at, problems, walkScopeLabel);
  if (hasOtherKey(value, DOCUMENT_LABEL_KEYS)) {
    problems.push({ pointer: at, rule: "additionalProperties" });
  }
};

const walkScopeDisplayDatasets: Walk = (value, at, problems) =>
  judgeList(value, at, problems, 0, SCOPE_DISPLAY_DATASETS_MAX_ITEMS, walkDatasetLabel);

const walkScopeDisplayDocuments: Walk = (value, at, problems) =>
  judgeList(value, at, problems, 0, SCOPE_DISPLAY_DOCUMENTS_MAX_ITEMS, walkDocumentLabel);

const SCOPE_DISPLAY_KEYS: readonly string[] = ["datasets", "documents"];

const walkScopeDisplay: Walk = (value, at, problems) => {
  if (!hasMembers(value)) {
    problems.push({ pointer: at, rule: "type" });
    return;
  }
  judgeOptional(value, "datasets", at, problems, walkScopeDisplayDatasets);
  judgeOptional(value, "documents", at, problems, walkScopeDisplayDocuments);
  if (hasOtherKey(value, SCOPE_DISPLAY_KEYS)) {
    problems.push({ pointer: at, rule: "additionalProperties" });
  }
};

const walkScopeAllVersion: Walk = (value, at, problems) =>
  judgeConstant(value, at, problems, 1);

const walkScopeAllMode: Walk = (value, at, problems) =>
  judgeConstant(value, at, problems, "all");

const SCOPE_ALL_KEYS: readonly string[] = ["version", "mode"];

const walkScopeAll: Walk = (value, at, problems) => {
  if (!hasMembers(value)) {
    problems.push({ pointer: at, rule: "type" });
    return;
  }
  judgeRequired(value, "version", at, problems, walkScopeAllVersion);
  judgeRequired(value, "mode", at, problems, walkScopeAllMode);
  if (hasOtherKey(value, SCOPE_ALL_KEYS)) {
    problems.push({ pointer: at, rule: "additionalProperties" });
  }
};

const walkScopeDisabledVersion: Walk = (value, at, problems) =>
  judgeConstant(value, at, problems, 1);

const walkScopeDisabledMode: Walk = (value, at, problems) =>
  judgeConstant(value, at, problems, "disabled");

const SCOPE_DISABLED_KEYS: readonly string[] = ["version", "mode"];

const walkScopeDisabled: Walk = (value, at, problems) => {
  if (!hasMembers(value)) {
    problems.push({ pointer: at, rule: "type" });
    return;
  }
  judgeRequired(value, "version", at, problems, walkScopeDisabledVersion);
  judgeRequired(value, "mode", at, problems, walkScopeDisabledMode);
  if (hasOtherKey(value, SCOPE_DISABLED_KEYS)) {
    problems.push({ pointer: at, rule: "additionalProperties" });
  }
};

const walkScopeSelectedVersion: Walk = (value, at, problems) =>
  judgeConstant(value, at, problems, 1);

const walkScopeSelectedMode: Walk = (value, at, problems) =>
  judgeConstant(value, at, problems, "selected");

const walkScopeSelectedDatasetIds: Walk = (value, at, problems) =>
  judgeList(
    value,
    at,
    problems,
    SCOPE_SELECTED_DATASET_IDS_MIN_ITEMS,
    SCOPE_SELECTED_DATASET_IDS_MAX_ITEMS,
    walkScopeId,
  );

const walkScopeSelectedDocumentFilters: Walk = (value, at, problems) =>
  judgeList(value, at, problems, 0, SCOPE_SELECTED_DOCUMENT_FILTERS_MAX_ITEMS, walkDocumentFilter);

const SCOPE_SELECTED_KEYS: readonly string[] = [
  "version",
  "mode",
  "dataset_ids",
  "document_filters",
  "display",
];

const walkScopeSelected: Walk = (value, at, problems) => {
  if (!hasMembers(value)) {
    problems.push({ pointer: at, rule: "type" });
    return;
  }
  judgeRequired(value, "version", at, problems, walkScopeSelectedVersion);
  judgeRequired(value, "mode", at, problems, walkScopeSelectedMode);
  judgeRequired(value, "dataset_ids", at, problems, walkScopeSelectedDatasetIds);
  judgeOptional(value, "document_filters", at, problems, walkScopeSelectedDocumentFilters);
  judgeOptional(value, "display", at, problems, walkScopeDisplay);
  if (hasOtherKey(value, SCOPE_SELECTED_KEYS)) {
    problems.push({ pointer: at, rule: "additionalProperties" });
  }
};

const walkKnowledgeScope: Walk = (value, at, problems) => {
  if (!hasMembers(value)) {
    problems.push({ pointer: at, rule: "type" });
    return;
  }
  if (!Object.hasOwn(value, "mode")) {
    problems.push({ pointer: `${at}/mode`, rule: "required" });
    return;
  }
  switch (value["mode"]) {
    case "all":
      walkScopeAll(value, at, problems);
      return;
    case "selected":
      walkScopeSelected(value, at, problems);
      return;
    case "disabled":
      walkScopeDisabled(value, at, problems);
      return;
    default:
      problems.push({ pointer: `${at}/mode`, rule: "oneOf" });
  }
};

const walkKnowledgeSourcesEnvelopeKnowledgeSourcesVersion: Walk = (value, at, problems) =>
  judgeConstant(value, at, problems, 1);

const walkKnowledgeSourcesEnvelopeKnowledgeSources: Walk = (value, at, problems) =>
  judgeList(
    value,
    at,
    problems,
    0,
    KNOWLEDGE_SOURCES_ENVELOPE_KNOWLEDGE_SOURCES_MAX_ITEMS,
    walkKnowledgeSource,
  );

const walkKnowledgeSourcesEnvelope: Walk = (value, at, problems) => {
  if (!hasMembers(value)) {
    problems.push({ pointer: at, rule: "type" });
    return;
  }
  judgeRequired(
    value,
    "knowledge_sources_version",
    at,
    problems,
    walkKnowledgeSourcesEnvelopeKnowledgeSourcesVersion,
  );
  judgeRequired(
    value,
    "knowledge_sources",
    at,
    problems,
    walkKnowledgeSourcesEnvelopeKnowledgeSources,
  );
};

/** Returns why `value` breaks KnowledgeSource, in the contract's order; empty if it does not. */
export function checkKnowledgeSource(value: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  walkKnowledgeSource(value, "", problems);
  return problems;
}

/** Tells whether `value` satisfies KnowledgeSource. */
export function isKnowledgeSource(value: unknown): value is types.KnowledgeSource {
  return checkKnowledgeSource(value).length === 0;
}

/** Returns why `value` breaks NativeSource, in the contract's order; empty if it does not. */
export function checkNativeSource(value: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  walkNativeSource(value, "", problems);
  return problems;
}

/** Tells whether `value` satisfies NativeSource. */
export function isNativeSource(value: unknown): value is types.NativeSource {
  return checkNativeSource(value).length === 0;
}

/** Returns why `value` breaks NativeSourceRead, in the contract's order; empty if it does not. */
export function checkNativeSourceRead(value: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  walkNativeSourceRead(value, "", problems);
  return problems;
}

/** Tells whether `value` satisfies NativeSourceRead. */
export function isNativeSourceRead(value: unknown): value is types.NativeSourceRead {
  return checkNativeSourceRead(value).length === 0;
}

/** Returns why `value` breaks NativeSnapshot, in the contract's order; empty if it does not. */
export function checkNativeSnapshot(value: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  walkNativeSnapshot(value, "", problems);
  return problems;
}

/** Tells whether `value` satisfies NativeSnapshot. */
export function isNativeSnapshot(value: unknown): value is types.NativeSnapshot {
  return checkNativeSnapshot(value).length === 0;
}

/**
 * Returns why `value` breaks NativeSnapshotRead, in the contract's order; empty if it does not.
 */
export function checkNativeSnapshotRead(value: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  walkNativeSnapshotRead(value, "", problems);
  return problems;
}

/** Tells whether `value` satisfies NativeSnapshotRead. */
export function isNativeSnapshotRead(value: unknown): value is types.NativeSnapshotRead {
  return checkNativeSnapshotRead(value).length === 0;
}

/** Returns why `value` breaks TaskArtifact, in the contract's order; empty if it does not. */
export function checkTaskArtifact(value: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  walkTaskArtifact(value, "", problems);
  return problems;
}

/** Tells whether `value` satisfies TaskArtifact. */
export function isTaskArtifact(value: unknown): value is types.TaskArtifact {
  return checkTaskArtifact(value).length === 0;
}

/**
 * Returns why `value` breaks KnowledgeCapabilities, in the contract's order; empty if it does not.
 */
export function checkKnowledgeCapabilities(value: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  walkKnowledgeCapabilities(value, "", problems);
  return problems;
}

/** Tells whether `value` satisfies KnowledgeCapabilities. */
export function isKnowledgeCapabilities(value: unknown): value is types.KnowledgeCapabilities {
  return checkKnowledgeCapabilities(value).length === 0;
}

/** Returns why `value` breaks DocumentFilter, in the contract's order; empty if it does not. */
export function checkDocumentFilter(value: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  walkDocumentFilter(value, "", problems);
  return problems;
}

/** Tells whether `value` satisfies DocumentFilter. */
export function isDocumentFilter(value: unknown): value is types.DocumentFilter {
  return checkDocumentFilter(value).length === 0;
}

/** Returns why `value` breaks DatasetLabel, in the contract's order; empty if it does not. */
export function checkDatasetLabel(value: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  walkDatasetLabel(value, "", problems);
  return problems;
}

/** Tells whether `value` satisfies DatasetLabel. */
export function isDatasetLabel(value: unknown): value is types.DatasetLabel {
  return checkDatasetLabel(value).length === 0;
}

/** Returns why `value` breaks DocumentLabel, in the contract's order; empty if it does not. */
export function checkDocumentLabel(value: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  walkDocumentLabel(value, "", problems);
  return problems;
}

/** Tells whether `value` satisfies DocumentLabel. */
export function isDocumentLabel(value: unknown): value is types.DocumentLabel {
  return checkDocumentLabel(value).length === 0;
}

/** Returns why `value` breaks ScopeDisplay, in the contract's order; empty if it does not. */
export function checkScopeDisplay(value: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  walkScopeDisplay(value, "", problems);
  return problems;
}

/** Tells whether `value` satisfies ScopeDisplay. */
export function isScopeDisplay(value: unknown): value is types.ScopeDisplay {
  return checkScopeDisplay(value).length === 0;
}

/** Returns why `value` breaks ScopeAll, in the contract's order; empty if it does not. */
export function checkScopeAll(value: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  walkScopeAll(value, "", problems);
  return problems;
}

/** Tells whether `value` satisfies ScopeAll. */
export function isScopeAll(value: unknown): value is types.ScopeAll {
  return checkScopeAll(value).length === 0;
}

/** Returns why `value` breaks ScopeDisabled, in the contract's order; empty if it does not. */
export function checkScopeDisabled(value: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  walkScopeDisabled(value, "", problems);
  return problems;
}

/** Tells whether `value` satisfies ScopeDisabled. */
export function isScopeDisabled(value: unknown): value is types.ScopeDisabled {
  return checkScopeDisabled(value).length === 0;
}

/** Returns why `value` breaks ScopeSelected, in the contract's order; empty if it does not. */
export function checkScopeSelected(value: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  walkScopeSelected(value, "", problems);
  return problems;
}

/** Tells whether `value` satisfies ScopeSelected. */
export function isScopeSelected(value: unknown): value is types.ScopeSelected {
  return checkScopeSelected(value).length === 0;
}

/** Returns why `value` breaks KnowledgeScope, in the contract's order; empty if it does not. */
export function checkKnowledgeScope(value: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  walkKnowledgeScope(value, "", problems);
  return problems;
}

/** Tells whether `value` satisfies KnowledgeScope. */
export function isKnowledgeScope(value: unknown): value is types.KnowledgeScope {
  return checkKnowledgeScope(value).length === 0;
}

/**
 * Returns why `value` breaks KnowledgeSourcesEnvelope, in the contract's order; empty if it does
 * not.
 */
export function checkKnowledgeSourcesEnvelope(value: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  walkKnowledgeSourcesEnvelope(value, "", problems);
  return problems;
}

/** Tells whether `value` satisfies KnowledgeSourcesEnvelope. */
export function isKnowledgeSourcesEnvelope(
  value: unknown,
): value is types.KnowledgeSourcesEnvelope {
  return checkKnowledgeSourcesEnvelope(value).length === 0;
}

/** The name of a definition in the contract. */
export type DefinitionName =
  | "DatasetLabel"
  | "DocumentFilter"
  | "DocumentLabel"
  | "KnowledgeCapabilities"
  | "KnowledgeScope"
  | "KnowledgeSource"
  | "KnowledgeSourcesEnvelope"
  | "NativeSnapshot"
  | "NativeSnapshotRead"
  | "NativeSource"
  | "NativeSourceRead"
  | "ScopeAll"
  | "ScopeDisabled"
  | "ScopeDisplay"
  | "ScopeSelected"
  | "TaskArtifact";

/** Every `checkX` by the definition's name in the contract. */
export const CHECKS: Readonly<Record<DefinitionName, (value: unknown) => readonly Problem[]>> = {
  DatasetLabel: checkDatasetLabel,
  DocumentFilter: checkDocumentFilter,
  DocumentLabel: checkDocumentLabel,
  KnowledgeCapabilities: checkKnowledgeCapabilities,
  KnowledgeScope: checkKnowledgeScope,
  KnowledgeSource: checkKnowledgeSource,
  KnowledgeSourcesEnvelope: checkKnowledgeSourcesEnvelope,
  NativeSnapshot: checkNativeSnapshot,
  NativeSnapshotRead: checkNativeSnapshotRead,
  NativeSource: checkNativeSource,
  NativeSourceRead: checkNativeSourceRead,
  ScopeAll: checkScopeAll,
  ScopeDisabled: checkScopeDisabled,
  ScopeDisplay: checkScopeDisplay,
  ScopeSelected: checkScopeSelected,
  TaskArtifact: checkTaskArtifact,
};
