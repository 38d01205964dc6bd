"""A plugin: LightRAG's entities and relations, with the documents that support them.

Only the users that the operator names may search, with a credential that has to be set.
"""

from deerflow_extension_lightrag.plugin import install

__all__ = ["install"]
