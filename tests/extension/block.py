"""The operator's file, and a host whose plugin asks a server on this machine."""

from collections.abc import Callable
from pathlib import Path

from seed_block import BLOCK as SEED

KEY = "lr-key-of-the-server/0123456789"
BLOCK = SEED.replace("https://lightrag.example.com", "BASE_URL").replace(
    "YOUR_DEERFLOW_USER_ID", "ada"
)
RELATIONS, DOCUMENTS = "entity_relations_search", "knowledge_search"

Configure = Callable[..., Path]


def without(tool: str) -> str:
    """Return the block without one of its tools."""
    start, middle = BLOCK.index("  - name: entity"), BLOCK.index("  # Optional document search")
    return BLOCK[:start] + BLOCK[middle:] if tool == RELATIONS else BLOCK[:middle]
