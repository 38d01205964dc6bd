/**
 * Strict JSON: the one door through which bytes become values.
 *
 * UTF-8 without byte order mark, no duplicate keys, every number finite as an IEEE double, bounded
 * nesting, well-formed Unicode. `JSON.parse` keeps the last of two equal keys and knows no depth,
 * so it cannot stand here.
 *
 * Source: contracts/README.md, "Parsing".
 */

import { DOCUMENT_DEPTH } from "../../../generated/typescript/limits.js";
import { isWellFormed } from "../../../generated/typescript/validator.js";
import type { Problem } from "../../../generated/typescript/validator.js";

/** Bytes that are not strict JSON; the problem's rule is `json` or `unicode`. */
export class ParseError extends Error {
  readonly problem: Problem;

  constructor(rule: "json" | "unicode", reason: string) {
    super(reason);
    this.name = "ParseError";
    this.problem = { pointer: "", rule };
  }
}

/**
 * Returns the value of a strict JSON document.
 *
 * @param bytes the whole document.
 * @param depthLimit the greatest nesting, the root container counted as 1.
 * @throws ParseError if the bytes are not strict JSON; nothing else, whatever they hold.
 */
export function parseDocument(bytes: Uint8Array, depthLimit: number = DOCUMENT_DEPTH): unknown {
  const parser = new Parser(decode(bytes), depthLimit);
  const value = parser.parse();
  // Last, because a document that is not JSON at all is refused as such.
  if (parser.heldLoneSurrogate) {
    throw new ParseError("unicode", "a string holds a lone surrogate");
  }
  return value;
}

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    // Without `ignoreBOM` the decoder would swallow the mark, and it could not be refused.
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ParseError("unicode", "the bytes are not valid UTF-8");
  }
  if (text.startsWith("\ufeff")) {
    throw new ParseError("json", "the text starts with a byte order mark");
  }
  return text;
}

const BLANKS = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
// Everything of a string up to its end, an escape, or a character that JSON forbids.
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const FOUR_DIGITS = /[0-9a-fA-F]{4}/y;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** Recursive, but never deeper than its limit. */
class Parser {
  heldLoneSurrogate = false;
  readonly #text: string;
  readonly #depthLimit: number;
  #at = 0;

  constructor(text: string, depthLimit: number) {
    this.#text = text;
    this.#depthLimit = depthLimit;
  }

  parse(): unknown {
    this.#take(BLANKS);
    const value = this.#value(0);
    this.#take(BLANKS);
    if (this.#at !== this.#text.length) {
      throw this.#syntaxError();
    }
    return value;
  }

  /** Reads a value inside `depth` containers; the position is at its first character. */
  #value(depth: number): unknown {
    switch (this.#text[this.#at]) {
      case "{":
        return this.#object(this.#descend(depth));
      case "[":
        return this.#array(this.#descend(depth));
      case '"':
        return this.#string();
      case "t":
        return this.#word("true", true);
      case "f":
        return this.#word("false", false);
      case "n":
        return this.#word("null", null);
      default:
        return this.#number();
    }
  }

  #descend(depth: number): number {
    if (depth >= this.#depthLimit) {
      throw new ParseError("json", `nested deeper than ${this.#depthLimit} levels`);
    }
    this.#at += 1;
    this.#take(BLANKS);
    return depth + 1;
  }

  #object(depth: number): Record<string, unknown> {
    const members: Record<string, unknown> = {};
    if (this.#accept("}")) {
      return members;
    }
    do {
      this.#take(BLANKS);
      const key = this.#string();
      if (Object.hasOwn(members, key)) {
        throw new ParseError("json", "an object holds a key twice");
      }
      this.#take(BLANKS);
      this.#expect(":");
      this.#take(BLANKS);
      setOwn(members, key, this.#value(depth));
      this.#take(BLANKS);
    } while (this.#accept(","));
    this.#expect("}");
    return members;
  }

  #array(depth: number): unknown[] {
    const items: unknown[] = [];
    if (this.#accept("]")) {
      return items;
    }
    do {
      this.#take(BLANKS);
      items.push(this.#value(depth));
      this.#take(BLANKS);
    } while (this.#accept(","));
    this.#expect("]");
    return items;
  }

  #string(): string {
    this.#expect('"');
    let text = this.#take(PLAIN);
    while (!this.#accept('"')) {
      this.#expect("\\");
      text += this.#escape() + this.#take(PLAIN);
    }
    this.heldLoneSurrogate ||= !isWellFormed(text);
    return text;
  }

  #escape(): string {
    if (this.#accept("u")) {
      const digits = this.#take(FOUR_DIGITS);
      if (digits === "") {
        throw this.#syntaxError();
      }
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const char = ESCAPES.get(this.#text[this.#at] ?? "");
    if (char === undefined) {
      throw this.#syntaxError();
    }
    this.#at += 1;
    return char;
  }

  #number(): number {
    const digits = this.#take(NUMBER);
    if (digits === "") {
      throw this.#syntaxError();
    }
    const value = Number(digits);
    if (!Number.isFinite(value)) {
      throw new ParseError("json", "a number is not finite as an IEEE double");
    }
    return value;
  }

  #word<Value>(word: string, value: Value): Value {
    this.#expect(word);
    return value;
  }

  /** Consumes what a sticky expression matches here; the empty string if it does not match. */
  #take(expression: RegExp): string {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #accept(expected: string): boolean {
    const found = this.#text.startsWith(expected, this.#at);
    if (found) {
      this.#at += expected.length;
    }
    return found;
  }

  #expect(expected: string): void {
    if (!this.#accept(expected)) {
      throw this.#syntaxError();
    }
  }

  #syntaxError(): ParseError {
    return new ParseError("json", `not JSON at character ${this.#at}`);
  }
}

/** Sets a member as the object's own: assigning to `__proto__` would change the prototype. */
function setOwn(members: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(members, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  } else {
    members[key] = value;
  }
}
