"""The host: one YAML file to providers, plugins and the tools of agents.

    host = load_host(Path("config.yaml"))
    agent = create_agent(model, list(host.tools), context_schema=RetrievalContext)

Nothing here touches the network. It needs the extras `langchain` and `providers`.
"""

# Before anything else: this import says which extra is missing.
import knowledge_contract.tools  # noqa: F401 - see above
from knowledge_contract.host.assembly import Host, inspect_host, load_host
from knowledge_contract.host.kinds import KINDS, Kind
from knowledge_contract.host.plugins import API_VERSION, ENTRY_POINTS
from knowledge_contract.host.registry import PluginRegistry
from knowledge_contract.host.settings import read_settings

__all__ = [
    "API_VERSION",
    "ENTRY_POINTS",
    "KINDS",
    "Host",
    "Kind",
    "PluginRegistry",
    "inspect_host",
    "load_host",
    "read_settings",
]
