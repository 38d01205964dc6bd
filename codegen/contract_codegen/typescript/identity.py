"""Emit `identity.ts`: the id's recipe as a few lines of TypeScript."""

from contract_codegen.model import Contract, Field, Integer
from contract_codegen.source import header
from contract_codegen.typescript.source import doc, literal


def emit_typescript_identity(contract: Contract) -> str:
    """Return the module that computes ids."""
    identity = contract.identity
    fields = "".join(f"    {_field(field)},\n" for field in identity.fields)
    source = doc(
        f"What an id is computed from: a {identity.definition} but for its `{identity.id_field}`,"
        " which may be there and is ignored."
    )
    recipe = doc(f"The recipe (`x-identity`): {identity.description}")
    return f"""{header(contract, "//")}
import {{ ID_DIGITS, ID_DOMAIN }} from "./limits.js";
import type {{ {identity.definition} }} from "./types.js";

{recipe}const SEPARATOR = {literal(identity.separator)};

{source}export type SourceFields = Omit<{identity.definition}, {literal(identity.id_field)}>;

/**
 * Returns the bytes that the id hashes.
 *
 * The fields are not checked: `source` must satisfy the contract.
 */
export function sourcePreimage(source: SourceFields): Uint8Array {{
  const fields = [
    ID_DOMAIN,
{fields}  ];
  return new TextEncoder().encode(fields.join(SEPARATOR));
}}

/**
 * Returns the opaque id that citations use for this evidence, {identity.digits} hexadecimal digits.
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
): string {{
  let digits = "";
  for (const byte of sha256(sourcePreimage(source))) {{
    digits += byte.toString(16).padStart(2, "0");
  }}
  return digits.slice(0, ID_DIGITS);
}}
"""


def _field(field: Field) -> str:
    value = f"source.{field.name}"
    if isinstance(field.type, Integer):
        text = f"String({value})"
        return text if field.required else f'{value} === undefined ? "" : {text}'
    return value if field.required else f'{value} ?? ""'
