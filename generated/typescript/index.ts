// Generated from contracts/knowledge_sources.v1.json
// (sha256 47dd16b0af101452ab3a2e7479cab06133a7c6f135de06ea7c039bb4855513f4).
// Do not edit: change the contract or codegen/, then run `knowledge-contract generate`.

export * from "./identity.js";
export * from "./limits.js";
export type * from "./types.js";
export * from "./validator.js";
