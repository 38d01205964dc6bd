"""A plugin as an operator would install it: a provider over HTTP, bound to users.

plugins:
- use: example_plugin:install
required: true
config: {base_url: "http://127.0.0.1:1", api_key_env: EXAMPLE_KEY, user_ids: [ada]}
"""

import os
from collections.abc import Mapping
from typing import Any

import httpx
from pydantic import BaseModel, ConfigDict

from knowledge_contract.errors import ProviderError
from knowledge_contract.host import PluginRegistry, read_settings
from knowledge_contract.providers.binding import BoundProvider, build_binding
from knowledge_contract.retrieval import RetrievalContext, RetrievalHit, RetrievalResult
from knowledge_wire.types import KnowledgeCapabilities


class Settings(BaseModel):
    """The plugin's `config`."""

    model_config = ConfigDict(extra="forbid")

    base_url: str
    api_key_env: str
    user_ids: list[str]
    agent_names: list[str] | None = None


class ExampleProvider:
    """Asks a server for one passage."""

    name = "example"

    def __init__(self, base_url: str, api_key: str) -> None:
        self._base_url = base_url
        self._api_key = api_key

    @property
    def capabilities(self) -> KnowledgeCapabilities:
        return {"operations": ["search", "relations_search", "sources"]}

    async def search(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        del context
        try:
            # In an environment with proxies, this machine is still reached directly.
            async with httpx.AsyncClient(trust_env=False) as client:
                headers = {"X-API-Key": self._api_key}
                response = await client.post(self._base_url, json={"query": query}, headers=headers)
        except httpx.HTTPError:
            raise ProviderError(f"{self.name}: the server cannot be reached") from None
        found = response.json()
        return RetrievalResult(self.name, (RetrievalHit(found["text"], title=found["title"]),))

    async def search_relations(self, query: str, *, context: RetrievalContext) -> RetrievalResult:
        found = await self.search(query, context=context)
        return found._replace(layout="relations")


def install(registry: PluginRegistry, config: Mapping[str, Any]) -> None:
    """Register the provider."""
    settings = read_settings(Settings, config)
    api_key = os.environ.get(settings.api_key_env, "").strip()
    if not api_key:
        raise ProviderError(f"example: the variable {settings.api_key_env} is not set")
    try:
        binding = build_binding(settings.user_ids, settings.agent_names)
    except ValueError as error:
        raise ProviderError(f"example: {error}") from None
    provider = ExampleProvider(settings.base_url, api_key)
    registry.register_provider(BoundProvider(provider=provider, binding=binding))


install.requires_capabilities = ("relations_search",)  # type: ignore[attr-defined]  # read by hosts
install.extension_api_version = "0.1"  # type: ignore[attr-defined]  # read by hosts
