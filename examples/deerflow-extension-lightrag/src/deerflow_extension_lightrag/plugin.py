"""From the operator's `config` to one bound provider, or to a refusal."""

import os
import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from knowledge_contract.errors import ConfigurationError
from knowledge_contract.host import PluginRegistry, read_settings
from knowledge_contract.providers.binding import Binding, BoundProvider, build_binding
from knowledge_contract.providers.lightrag import (
    LightragRelationsProvider,
    LightragRelationsSettings,
)
from knowledge_contract.providers.lightrag.settings import TIMEOUT_MAX_S, TOP_K_MAX, is_loopback

__all__ = ["install"]

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")
_NAME_CHARS = 256


def _check_variable(text: str) -> str:
    if not _VARIABLE.fullmatch(text):
        raise ValueError("must be the name of an environment variable, never the key itself")
    return text


_Name = Annotated[str, Field(min_length=1, max_length=_NAME_CHARS)]
_Names = Annotated[list[_Name], Field(min_length=1, max_length=10_000)]


class _Settings(BaseModel):
    """The plugin's `config`; no key may be null, so that none is left open by mistake.

    Attributes:
        base_url: LightRAG's address: https, or http to this machine.
        api_key_env: The environment variable that holds the key.
        user_ids: Who may search, compared exactly.
        agent_names: The agents that may search for them, compared exactly; left out: every one.
        top_k: What the server looks up in its indexes, 1 to 1000.
        timeout: Seconds for one request.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    base_url: str
    api_key_env: Annotated[str, AfterValidator(_check_variable)]
    user_ids: _Names
    agent_names: _Names = Field(default_factory=list)
    top_k: Annotated[int, Field(ge=1, le=TOP_K_MAX)] = 20
    timeout: Annotated[float, Field(gt=0, le=TIMEOUT_MAX_S)] = 30.0


def install(registry: PluginRegistry, config: Mapping[str, Any]) -> None:
    """Register the provider `lightrag-relations`; nothing is asked of the server yet.

    Raises:
        ConfigurationError: something in `config` is missing, unknown or out of its range, the
            key is not set, or it would be sent in clear over a network.
        ProviderConfigurationError: the address or the key cannot be used.
    """
    settings = read_settings(_Settings, config)
    binding = _bind(settings)
    connection = LightragRelationsSettings(
        base_url=settings.base_url,
        api_key=_read_key(settings.api_key_env),
        top_k=settings.top_k,
        timeout_s=settings.timeout,
    )
    if not (connection.base_url.startswith("https:") or is_loopback(connection.base_url)):
        raise _refuse("base_url: must begin with https://, because the key is sent there")
    provider = LightragRelationsProvider(connection)
    registry.register_provider(BoundProvider(provider=provider, binding=binding))


install.requires_capabilities = ("relations_search",)  # type: ignore[attr-defined]  # read by hosts
install.extension_api_version = "0.1"  # type: ignore[attr-defined]  # read by hosts


def _bind(settings: _Settings) -> Binding:
    try:
        return build_binding(settings.user_ids, settings.agent_names or None)
    except ValueError as error:
        raise _refuse(str(error)) from None


def _read_key(variable: str) -> str:
    key = os.environ.get(variable, "").strip()
    if not key:
        # Who mistakes the one for the other has written the key there.
        raise _refuse("api_key_env: the environment variable that it names is not set")
    return key


def _refuse(sentence: str) -> ConfigurationError:
    return ConfigurationError((sentence,))
