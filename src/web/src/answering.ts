/**
 * What the reader program answers to one request of the conformance line protocol.
 *
 * A request is an object with `kind` (`document` or `id`), `as` (a definition's name) and either
 * `document`, a value that a strict parser returned, or `bytes`, a document in base64.
 *
 * Source: contracts/README.md, "Proving a reader".
 */

import { createHash } from "node:crypto";

import { sourceId } from "../../../generated/typescript/identity.js";
import type { KnowledgeSource } from "../../../generated/typescript/types.js";
import { CHECKS } from "../../../generated/typescript/validator.js";
import type { DefinitionName, Problem } from "../../../generated/typescript/validator.js";
import { ParseError, parseDocument } from "./strict-json.js";

/** One answer line. A request's own content is never quoted in `error`. */
export type Answer =
  | { readonly valid: boolean; readonly problems: readonly Problem[] }
  | { readonly id: string }
  | { readonly declined: true }
  | { readonly error: string };

/** The request breaks the protocol, so there is nothing to judge. */
class RequestError extends Error {}

type Members = Readonly<Record<string, unknown>>;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Returns the answer to one request line; never throws.
 *
 * A kind of request that this program does not know is declined, so that new kinds of vectors do
 * not break it.
 */
export function answer(line: Uint8Array): Answer {
  try {
    const request = parseRequest(line);
    switch (request["kind"]) {
      case "document":
        return answerDocument(request);
      case "id":
        return answerId(request);
    }
    if (typeof request["kind"] !== "string") {
      throw new RequestError("the request has no kind");
    }
    return { declined: true };
  } catch (error) {
    if (error instanceof ParseError) {
      return refuse([error.problem]);
    }
    if (error instanceof RequestError) {
      return { error: error.message };
    }
    throw error;
  }
}

function parseRequest(line: Uint8Array): Members {
  let request: unknown;
  try {
    request = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line));
  } catch {
    throw new RequestError("the request is not JSON in UTF-8");
  }
  if (typeof request !== "object" || request === null || Array.isArray(request)) {
    throw new RequestError("the request is not an object");
  }
  return request as Members;
}

function answerDocument(request: Members): Answer {
  const name = request["as"];
  if (!isDefinitionName(name)) {
    throw new RequestError("`as` names no definition of the contract");
  }
  const problems = CHECKS[name](documentOf(request));
  return problems.length === 0 ? { valid: true, problems } : refuse(problems);
}

function answerId(request: Members): Answer {
  const source = documentOf(request);
  // The id is what is asked for: the document may lack it, and a wrong one does not matter.
  const problems = CHECKS.KnowledgeSource(source).filter(({ pointer }) => pointer !== "/id");
  return problems.length === 0 ? { id: sourceId(source as KnowledgeSource, sha256) } : refuse(problems);
}

function documentOf(request: Members): unknown {
  if (Object.hasOwn(request, "document")) {
    return request["document"];
  }
  const bytes = request["bytes"];
  if (typeof bytes !== "string" || !BASE64.test(bytes)) {
    throw new RequestError("the request has neither a document nor bytes in base64");
  }
  return parseDocument(Buffer.from(bytes, "base64"));
}

function refuse(problems: readonly Problem[]): Answer {
  return { valid: false, problems };
}

function isDefinitionName(name: unknown): name is DefinitionName {
  return typeof name === "string" && Object.hasOwn(CHECKS, name);
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}
