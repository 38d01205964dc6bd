"""The part of `validator.ts` that is the same for every contract."""

PREAMBLE = """
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

const SURROGATE = /[\\ud800-\\udfff]/;
// With the `u` flag a pair is one character, so only a lone surrogate matches.
const LONE_SURROGATE = /[\\ud800-\\udfff]/u;

/** Tells whether text holds no lone surrogate. */
export function isWellFormed(text: string): boolean {
  // The first search is several times faster, and most texts end with it.
  return !SURROGATE.test(text) || !LONE_SURROGATE.test(text);
}
"""

_PIECES = {
    "hasMembers": """
function hasMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
""",
    "hasOtherKey": """
function hasOtherKey(value: object, keys: readonly string[]): boolean {
  return Object.keys(value).some((key) => !keys.includes(key));
}
""",
    "judgeRequired": """
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
""",
    "judgeOptional": """
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
""",
    "judgeText": """
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
""",
    "judgeInteger": """
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
""",
    "judgeBoolean": """
function judgeBoolean(value: unknown, at: string, problems: Problem[]): void {
  if (typeof value !== "boolean") {
    problems.push({ pointer: at, rule: "type" });
  }
}
""",
    "judgeConstant": """
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
""",
    "judgeChoice": """
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
""",
    "judgeList": """
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
""",
}


def runtime_for(body: str) -> str:
    """Return the functions that a module's generated body calls, in a fixed order."""
    return "".join(
        text
        for name, text in _PIECES.items()
        if f"{name}(" in body or f" {name})" in body or f", {name})" in body
    )
