// Generated from contracts/knowledge_sources.v1.json
// (sha256 4a4a97b9e99cc5580712fe24ca70f21b2f7f76cb6fc698c18bf62e775b7e6568).
// Do not edit: change the contract or codegen/, then run `knowledge-contract generate`.

export * from "./identity.js";
export * from "./limits.js";
export type * from "./types.js";
export * from "./validator.js";
