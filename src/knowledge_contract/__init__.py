"""One contract for retrieved evidence and citations, and the tools around it.

Importing the package loads nothing else: each name is fetched when it is first used.
"""

# Start-up: importing `typing` takes longer than the whole package. Type checkers know the name.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from knowledge_contract.boundary import (
        drop_echoed,
        evidence_ids,
        gate_result,
        refuse_steering,
        strip_body,
        strip_reserved,
    )
    from knowledge_contract.errors import (
        ContractError,
        GenerationError,
        InputError,
        KnowledgeContractError,
        ProviderAPIError,
        ProviderConfigurationError,
        ProviderConnectionError,
        ProviderError,
        ProviderProtocolError,
        ReaderError,
        UnavailableError,
    )
    from knowledge_contract.formatting import format_result
    from knowledge_contract.host import load_host
    from knowledge_contract.middleware.scope import ScopeMiddleware
    from knowledge_contract.normalize import normalize_hit
    from knowledge_contract.providers.local import LocalProvider
    from knowledge_contract.providers.ragflow import RagflowProvider, RagflowSettings
    from knowledge_contract.providers.retriever import from_retriever
    from knowledge_contract.reading import (
        Evidence,
        Reading,
        read_message,
    )
    from knowledge_contract.retrieval import (
        KnowledgeCapabilities,
        KnowledgeSource,
        NativeLocators,
        RelationsProvider,
        RetrievalContext,
        RetrievalHit,
        RetrievalProvider,
        RetrievalResult,
    )
    from knowledge_contract.scope import (
        admit_scope,
        take_scope,
    )
    from knowledge_contract.tools import (
        entity_relations_search_tool,
        knowledge_search_tool,
    )

    __version__: str

__all__ = [
    "ContractError",
    "Evidence",
    "GenerationError",
    "InputError",
    "KnowledgeCapabilities",
    "KnowledgeContractError",
    "KnowledgeSource",
    "LocalProvider",
    "NativeLocators",
    "ProviderAPIError",
    "ProviderConfigurationError",
    "ProviderConnectionError",
    "ProviderError",
    "ProviderProtocolError",
    "RagflowProvider",
    "RagflowSettings",
    "ReaderError",
    "Reading",
    "RelationsProvider",
    "RetrievalContext",
    "RetrievalHit",
    "RetrievalProvider",
    "RetrievalResult",
    "ScopeMiddleware",
    "UnavailableError",
    "__version__",
    "admit_scope",
    "drop_echoed",
    "entity_relations_search_tool",
    "evidence_ids",
    "format_result",
    "from_retriever",
    "gate_result",
    "knowledge_search_tool",
    "load_host",
    "normalize_hit",
    "read_message",
    "refuse_steering",
    "strip_body",
    "strip_reserved",
    "take_scope",
]

_HOMES = {
    "ContractError": "errors",
    "Evidence": "reading",
    "GenerationError": "errors",
    "InputError": "errors",
    "KnowledgeCapabilities": "retrieval",
    "KnowledgeContractError": "errors",
    "KnowledgeSource": "retrieval",
    "LocalProvider": "providers.local",
    "NativeLocators": "retrieval",
    "ProviderAPIError": "errors",
    "ProviderConfigurationError": "errors",
    "ProviderConnectionError": "errors",
    "ProviderError": "errors",
    "ProviderProtocolError": "errors",
    "RagflowProvider": "providers.ragflow",
    "RagflowSettings": "providers.ragflow",
    "ReaderError": "errors",
    "Reading": "reading",
    "RelationsProvider": "retrieval",
    "RetrievalContext": "retrieval",
    "RetrievalHit": "retrieval",
    "RetrievalProvider": "retrieval",
    "RetrievalResult": "retrieval",
    "ScopeMiddleware": "middleware.scope",
    "UnavailableError": "errors",
    "admit_scope": "scope",
    "drop_echoed": "boundary",
    "entity_relations_search_tool": "tools",
    "evidence_ids": "boundary",
    "format_result": "formatting",
    "from_retriever": "providers.retriever",
    "gate_result": "boundary",
    "knowledge_search_tool": "tools",
    "load_host": "host",
    "normalize_hit": "normalize",
    "read_message": "reading",
    "refuse_steering": "boundary",
    "strip_body": "boundary",
    "strip_reserved": "boundary",
    "take_scope": "scope",
}


def __getattr__(name: str) -> object:
    if name == "__version__":
        # Start-up: reading the distribution's metadata costs more than the whole package.
        from importlib.metadata import version  # noqa: PLC0415 - start-up, see above

        return version("knowledge-contract")
    if name in _HOMES:
        # Start-up: the command line needs none of these names before it can be interrupted.
        from importlib import import_module  # noqa: PLC0415 - start-up, see above

        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
