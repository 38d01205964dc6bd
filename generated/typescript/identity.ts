// Generated from contracts/knowledge_sources.v1.json
// (sha256 47dd16b0af101452ab3a2e7479cab06133a7c6f135de06ea7c039bb4855513f4).
// Do not edit: change the contract or codegen/, then run `knowledge-contract generate`.

import { ID_DIGITS, ID_DOMAIN } from "./limits.js";
import type { KnowledgeSource } from "./types.js";

/**
 * The recipe (`x-identity`): The id is the first `digits` lower-case hex digits of the hash over
 * the UTF-8 bytes of `domain` and `fields`, in this order, joined by `separator`. An absent field
 * is the empty string; an integer is written in decimal digits. No Unicode normalisation, no JSON,
 * no escaping. Unambiguous because no field may hold the separator or be empty.
 */
const SEPARATOR = "\u0000";

/**
 * What an id is computed from: a KnowledgeSource but for its `id`, which may be there and is
 * ignored.
 */
export type SourceFields = Omit<KnowledgeSource, "id">;

/**
 * Returns the bytes that the id hashes.
 *
 * The fields are not checked: `source` must satisfy the contract.
 */
export function sourcePreimage(source: SourceFields): Uint8Array {
  const fields = [
    ID_DOMAIN,
    source.provider,
    source.title,
    source.dataset_name ?? "",
    source.url ?? "",
    source.page === undefined ? "" : String(source.page),
    source.excerpt,
  ];
  return new TextEncoder().encode(fields.join(SEPARATOR));
}

/**
 * Returns the opaque id that citations use for this evidence, 32 hexadecimal digits.
 *
 * Equal evidence gives equal ids in every language. An id proves integrity, never authority:
 * anyone can compute one.
 *
 * The hash is an argument because WebCrypto's is asynchronous and missing outside secure
 * contexts: Node passes its `createHash`, a browser any synchronous SHA-256.
 *
 * @param source must satisfy the contract; it is not checked here.
 * @param sha256 returns the 32 bytes of the SHA-256 of its argument.
 */
export function sourceId(
  source: SourceFields,
  sha256: (bytes: Uint8Array) => Uint8Array,
): string {
  let digits = "";
  for (const byte of sha256(sourcePreimage(source))) {
    digits += byte.toString(16).padStart(2, "0");
  }
  return digits.slice(0, ID_DIGITS);
}
