"""Emit the TypeScript package: types, limits, validator, ids.

Strict, without dependencies, and only syntax that can be erased, so that browsers, Node and
bundlers take it as it is.
"""

from contract_codegen.model import Contract
from contract_codegen.source import header
from contract_codegen.typescript.identity import emit_typescript_identity
from contract_codegen.typescript.limits import emit_typescript_limits
from contract_codegen.typescript.types import emit_typescript_types
from contract_codegen.typescript.validator import emit_typescript_validator

_INDEX = """
export * from "./identity.js";
export * from "./limits.js";
export type * from "./types.js";
export * from "./validator.js";
"""


def emit_typescript(contract: Contract) -> dict[str, str]:
    """Return the TypeScript modules, and an index that re-exports all of them.

    Raises:
        OutputError: two things of the contract would have one name in TypeScript.
    """
    return {
        "typescript/identity.ts": emit_typescript_identity(contract),
        "typescript/index.ts": f"{header(contract, '//')}{_INDEX}",
        "typescript/limits.ts": emit_typescript_limits(contract),
        "typescript/types.ts": emit_typescript_types(contract),
        "typescript/validator.ts": emit_typescript_validator(contract),
    }
