"""Emit `knowledge_wire.parsing`: this package's own parser, with the contract's limits."""

from importlib.resources import files

from contract_codegen.errors import OutputError
from contract_codegen.model import Contract
from contract_codegen.parsing import DOCUMENT_DEPTH_LIMIT, RESPONSE_DEPTH_LIMIT
from contract_codegen.source import header


def emit_parsing(contract: Contract) -> dict[str, str]:
    """Return the strict parser as a module of the generated package.

    Raises:
        OutputError: the parser's source no longer holds the lines to replace.
    """
    text = files("contract_codegen").joinpath("parsing.py").read_text(encoding="utf-8")
    limits = {limit.name: limit.value for limit in contract.limits}
    for name, current, limit in (
        ("DOCUMENT_DEPTH_LIMIT", DOCUMENT_DEPTH_LIMIT, "document_depth"),
        ("RESPONSE_DEPTH_LIMIT", RESPONSE_DEPTH_LIMIT, "response_depth"),
    ):
        line = f"\n{name} = {current}\n"
        if text.count(line) != 1 or limit not in limits:
            raise OutputError(
                f"parsing.py: expected one line {line.strip()!r} and x-limits/{limit}"
            )
        text = text.replace(line, f"\n{name} = {limits[limit]}\n")
    return {"python/knowledge_wire/parsing.py": f"{header(contract)}{text}"}
