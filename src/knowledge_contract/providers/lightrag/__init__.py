"""Search in LightRAG over its HTTP API; nothing at the server is ever changed.

    settings = LightragSettings(base_url="http://localhost:9621", api_key=os.environ["RAG_KEY"])
    text = knowledge_search("How is the pump primed?", settings=settings)

Made for LightRAG 1.5.7, `POST /query/data`. Needs the extra `providers`.
"""

from knowledge_contract.providers.lightrag.provider import (
    LightragProvider,
    LightragRelationsProvider,
    knowledge_search,
)
from knowledge_contract.providers.lightrag.settings import (
    LightragRelationsSettings,
    LightragSettings,
)

__all__ = [
    "LightragProvider",
    "LightragRelationsProvider",
    "LightragRelationsSettings",
    "LightragSettings",
    "knowledge_search",
]
