"""One contract for retrieved evidence and citations, and the tools around it.

Importing the package loads nothing else: each name is fetched when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from knowledge_contract.errors import (
        ContractError,
        GenerationError,
        InputError,
        KnowledgeContractError,
        ReaderError,
        UnavailableError,
    )

    __version__: str

__all__ = [
    "ContractError",
    "GenerationError",
    "InputError",
    "KnowledgeContractError",
    "ReaderError",
    "UnavailableError",
    "__version__",
]

_HOMES = {
    "ContractError": "knowledge_contract.errors",
    "GenerationError": "knowledge_contract.errors",
    "InputError": "knowledge_contract.errors",
    "KnowledgeContractError": "knowledge_contract.errors",
    "ReaderError": "knowledge_contract.errors",
    "UnavailableError": "knowledge_contract.errors",
}


def __getattr__(name: str) -> object:
    if name == "__version__":
        # Start-up: reading the distribution's metadata costs more than the whole package.
        from importlib.metadata import version  # noqa: PLC0415 - start-up, see above

        return version("knowledge-contract")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
