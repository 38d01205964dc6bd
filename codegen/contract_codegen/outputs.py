"""All files that a contract gives: a table of pure functions."""

import ast
from collections.abc import Callable
from pathlib import Path

from contract_codegen.errors import OutputError
from contract_codegen.loading import load_contract
from contract_codegen.model import Contract
from contract_codegen.python.constants import emit_constants
from contract_codegen.python.identity import emit_identity
from contract_codegen.python.models import emit_models
from contract_codegen.python.parsing import emit_parsing
from contract_codegen.python.proof import emit_proof
from contract_codegen.python.types import emit_types
from contract_codegen.python.validators import emit_validators
from contract_codegen.reference_page import emit_reference_page
from contract_codegen.sampling import emit_sampling
from contract_codegen.source import header
from contract_codegen.typescript import emit_typescript

CONTRACT_PATH = Path("contracts/knowledge_sources.v1.json")
VECTORS_PATH = Path("contracts/vectors")
PACKAGE = "python/knowledge_wire"

EMITTERS: tuple[Callable[[Contract], dict[str, str]], ...] = (
    emit_parsing,
    emit_constants,
    emit_types,
    emit_identity,
    emit_validators,
    emit_proof,
    emit_models,
    emit_sampling,
    emit_typescript,
    emit_reference_page,
)
"""Each returns texts by their path below `generated/`; no two name the same path."""


def build_outputs(root: Path) -> dict[str, str]:
    """Return every generated file of a checkout, in memory.

    Args:
        root: The folder that holds `contracts/` and `generated/`.

    Raises:
        CodegenError: the contract is refused, or an output cannot be made.
    """
    contract = load_contract(root / CONTRACT_PATH)
    outputs: dict[str, str] = {}
    for emit in EMITTERS:
        outputs |= emit(contract)
    outputs[f"{PACKAGE}/__init__.py"] = f"{header(contract)}{_INIT}"
    for path, text in outputs.items():
        if path.endswith(".py"):
            _check_python(path, text)
    return dict(sorted({**outputs, **_package_data(root)}.items()))


def _check_python(path: str, text: str) -> None:
    """Refuse to write what Python cannot read, whatever in the contract led to it."""
    try:
        ast.parse(text)
    except SyntaxError as error:
        raise OutputError(f"{path}: line {error.lineno} would not be Python") from None


def _package_data(root: Path) -> dict[str, str]:
    """Return what an installed package carries along: the contract, its vectors, its marker."""
    data = {
        f"{PACKAGE}/schemas/{CONTRACT_PATH.name}": root / CONTRACT_PATH,
        **{
            f"{PACKAGE}/vectors/{path.name}": path
            for path in sorted((root / VECTORS_PATH).glob("*.json"))
        },
    }
    texts = {path: source.read_bytes().decode("utf-8") for path, source in data.items()}
    return {**texts, f"{PACKAGE}/py.typed": ""}


_INIT = '''"""Everything generated from the contract: parsing, validators, ids, types, constants.

Import the modules, not the package: each loads only what it needs.
"""
'''
