"""Search over a folder of Markdown, text, HTML and PDF files, embedded: no server, no model.

    provider = LocalProvider(Path("handbook"))
    result = provider.search_folder("How long is the notice period?")

The index is one SQLite file in the user's cache directory. Reading HTML and PDF needs the
extra `local`.
"""

from knowledge_contract.providers.local.provider import LocalProvider, knowledge_search
from knowledge_contract.providers.local.records import (
    Progress,
    Settings,
    Skipped,
    SkipReason,
    Summary,
)

__all__ = [
    "LocalProvider",
    "Progress",
    "Settings",
    "SkipReason",
    "Skipped",
    "Summary",
    "knowledge_search",
]
