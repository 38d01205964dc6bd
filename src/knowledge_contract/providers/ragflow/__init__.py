"""Search in RAGFlow over its HTTP API; nothing at the server is ever changed.

    settings = RagflowSettings(base_url="http://localhost:9380", api_key=os.environ["RAGFLOW_KEY"])
    text = knowledge_search("How is the pump primed?", settings=settings)

RAGFlow 0.24 and later is supported, and answers of older releases are read; to select documents
takes 0.25.1. Needs the extra `providers`.
"""

from knowledge_contract.providers.ragflow.provider import RagflowProvider, knowledge_search
from knowledge_contract.providers.ragflow.settings import RagflowSettings

__all__ = ["RagflowProvider", "RagflowSettings", "knowledge_search"]
