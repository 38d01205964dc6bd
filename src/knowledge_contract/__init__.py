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
    from knowledge_contract.budget import (
        BudgetSettings,
        apply_budget,
        prune_message,
        prune_messages,
    )
    from knowledge_contract.delegation import (
        EvidenceAccumulator,
        forward_cited,
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
    from knowledge_contract.middleware.authority import (
        AuthorityMiddleware,
        evidence_middleware,
    )
    from knowledge_contract.middleware.budget import BudgetMiddleware
    from knowledge_contract.middleware.scope import ScopeMiddleware
    from knowledge_contract.normalize import normalize_hit
    from knowledge_contract.providers.lightrag import (
        LightragProvider,
        LightragRelationsProvider,
        LightragRelationsSettings,
        LightragSettings,
    )
    from knowledge_contract.providers.local import LocalProvider
    from knowledge_contract.providers.ragflow import (
        RagflowProvider,
        RagflowSettings,
    )
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
    from knowledge_contract.store import file_store
    from knowledge_contract.tools import (
        SubAgent,
        build_task_tool,
        entity_relations_search_tool,
        knowledge_search_tool,
    )

    __version__: str

__all__ = [
    "AuthorityMiddleware",
    "BudgetMiddleware",
    "BudgetSettings",
    "ContractError",
    "Evidence",
    "EvidenceAccumulator",
    "GenerationError",
    "InputError",
    "KnowledgeCapabilities",
    "KnowledgeContractError",
    "KnowledgeSource",
    "LightragProvider",
    "LightragRelationsProvider",
    "LightragRelationsSettings",
    "LightragSettings",
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
    "SubAgent",
    "UnavailableError",
    "__version__",
    "admit_scope",
    "apply_budget",
    "build_task_tool",
    "drop_echoed",
    "entity_relations_search_tool",
    "evidence_ids",
    "evidence_middleware",
    "file_store",
    "format_result",
    "forward_cited",
    "from_retriever",
    "gate_result",
    "knowledge_search_tool",
    "load_host",
    "normalize_hit",
    "prune_message",
    "prune_messages",
    "read_message",
    "refuse_steering",
    "strip_body",
    "strip_reserved",
    "take_scope",
]

_HOMES = {
    "AuthorityMiddleware": "middleware.authority",
    "BudgetMiddleware": "middleware.budget",
    "BudgetSettings": "budget",
    "ContractError": "errors",
    "Evidence": "reading",
    "EvidenceAccumulator": "delegation",
    "GenerationError": "errors",
    "InputError": "errors",
    "KnowledgeCapabilities": "retrieval",
    "KnowledgeContractError": "errors",
    "KnowledgeSource": "retrieval",
    "LightragProvider": "providers.lightrag",
    "LightragRelationsProvider": "providers.lightrag",
    "LightragRelationsSettings": "providers.lightrag",
    "LightragSettings": "providers.lightrag",
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
    "SubAgent": "tools",
    "UnavailableError": "errors",
    "admit_scope": "scope",
    "apply_budget": "budget",
    "build_task_tool": "tools",
    "drop_echoed": "boundary",
    "entity_relations_search_tool": "tools",
    "evidence_ids": "boundary",
    "evidence_middleware": "middleware.authority",
    "file_store": "store",
    "format_result": "formatting",
    "forward_cited": "delegation",
    "from_retriever": "providers.retriever",
    "gate_result": "boundary",
    "knowledge_search_tool": "tools",
    "load_host": "host",
    "normalize_hit": "normalize",
    "prune_message": "budget",
    "prune_messages": "budget",
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
