"""What a tool says that it can do: `metadata.knowledge_capabilities.operations`."""

from collections.abc import Mapping
from typing import Any

from knowledge_wire.types import KnowledgeCapabilities
from knowledge_wire.validators import is_knowledge_capabilities

__all__ = ["build_metadata", "is_retrieval_tool", "read_operations"]

_KEY = "knowledge_capabilities"
# A tool that only forwards evidence, as `task` does, retrieves nothing.
_FORWARDING = frozenset({"sources"})


def build_metadata(capabilities: KnowledgeCapabilities) -> dict[str, Any]:
    """Return a tool's metadata, with a list of its own."""
    return {_KEY: {"operations": [*capabilities["operations"]]}}


def read_operations(tool: object) -> frozenset[str]:
    """Return the operations that a tool advertises; none where it says nothing valid."""
    metadata = getattr(tool, "metadata", None)
    said = metadata.get(_KEY) if isinstance(metadata, Mapping) else None
    return frozenset(said["operations"]) if is_knowledge_capabilities(said) else frozenset()


def is_retrieval_tool(tool: object) -> bool:
    """Tell whether a tool retrieves, so that a disabled scope takes it away."""
    return not _FORWARDING.issuperset(read_operations(tool))
