"""Emit `knowledge_wire.parsing`: this package's own parser, with the contract's limits."""

from importlib.resources import files

from contract_codegen.errors import OutputError
from contract_codegen.model import Contract
from contract_codegen.parsing import DOCUMENT_DEPTH, RESPONSE_DEPTH
from contract_codegen.source import header, replace_once

_OWN_LIMITS = f"\nDOCUMENT_DEPTH = {DOCUMENT_DEPTH}\nRESPONSE_DEPTH = {RESPONSE_DEPTH}\n"
"""The generator reads contracts before it knows any contract's limits."""
_LAST_IMPORT = "\nfrom typing import Any, NamedTuple, NoReturn\n"
_IMPORT = "\nfrom knowledge_wire.constants import DOCUMENT_DEPTH, RESPONSE_DEPTH\n"


def emit_parsing(contract: Contract) -> dict[str, str]:
    """Return the strict parser as a module of the generated package.

    Raises:
        OutputError: the parser's source no longer holds the lines to replace, or the contract
            lacks a limit that it needs.
    """
    missing = {"document_depth", "response_depth"} - {limit.name for limit in contract.limits}
    if missing:
        raise OutputError(f"parsing.py: the contract lacks x-limits/{min(missing)}")
    text = files("contract_codegen").joinpath("parsing.py").read_text(encoding="utf-8")
    for line, replacement in ((_OWN_LIMITS, ""), (_LAST_IMPORT, f"{_LAST_IMPORT}{_IMPORT}")):
        text = replace_once(text, line, replacement)
    return {"python/knowledge_wire/parsing.py": f"{header(contract)}{text}"}
