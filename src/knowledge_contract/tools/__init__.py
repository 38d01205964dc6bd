"""LangChain tools over providers; they need the extra `langchain`.

tool = knowledge_search_tool(LocalProvider(Path("handbook")))
agent = create_agent(model, [tool], context_schema=RetrievalContext)
"""

from knowledge_contract.errors import UnavailableError

try:
    from knowledge_contract.tools.search import (
        call_search,
        entity_relations_search_tool,
        knowledge_search_tool,
    )
    from knowledge_contract.tools.task import SubAgent, build_task_tool
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] not in {"langchain", "langchain_core", "langgraph"}:
        raise
    raise UnavailableError("tools need LangChain: install knowledge-contract[langchain]") from None

__all__ = [
    "SubAgent",
    "build_task_tool",
    "call_search",
    "entity_relations_search_tool",
    "knowledge_search_tool",
]
