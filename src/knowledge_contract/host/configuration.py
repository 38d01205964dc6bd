"""What an operator writes: the sections of the file."""

import re
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, model_validator

from knowledge_contract.host.settings import Section
from knowledge_contract.scope import Mode

__all__ = ["HostConfiguration", "KnowledgeBase", "PluginEntry", "ToolEntry", "ToolGroup"]

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_USE = re.compile(r"[A-Za-z_][A-Za-z0-9_.]{0,255}:[A-Za-z_][A-Za-z0-9_.]{0,255}")


def _check_name(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise ValueError("must be 1 to 64 ASCII letters, digits, `-` and `_`")
    return text


def _check_use(text: str) -> str:
    if not _USE.fullmatch(text):
        raise ValueError("must be `module:attribute`")
    return text


def _check_plugin(text: str) -> str:
    if not _USE.fullmatch(text) and (":" in text or not text.isprintable()):
        raise ValueError("must be `module:attribute`, or the name of an entry point")
    return text


def _check_visible(text: str) -> str:
    if not any(each.isprintable() and not each.isspace() for each in text):
        raise ValueError("must not be blank")
    return text


_Text = Annotated[str, Field(min_length=1, max_length=256), AfterValidator(_check_visible)]
_LongText = Annotated[str, Field(min_length=1, max_length=4000), AfterValidator(_check_visible)]
_Name = Annotated[str, AfterValidator(_check_name)]
_Use = Annotated[str, AfterValidator(_check_use)]


class PluginEntry(Section):
    """A plugin: code of the operator's that registers providers when the host starts.

    Attributes:
        use: `module:attribute` of its `install`, or the name of an entry point in the group
            `deerflow.extensions`.
        name: What diagnostics call it; by default `use`.
        package: The distribution that has to bring the entry point; not for `module:attribute`.
        enabled: A plugin that is not enabled is not even imported.
        required: Whether the host refuses to start without it.
        config: Its own settings, handed over as a deep copy.
    """

    use: Annotated[_Text, AfterValidator(_check_plugin)]
    name: _Text | None = None
    package: _Text | None = None
    enabled: bool = True
    required: bool = False
    config: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _check_package(self) -> Self:
        if self.package is not None and ":" in self.use:
            raise ValueError("`package` goes with an entry point's name, not `module:attribute`")
        return self


class KnowledgeBase(Section):
    """What callers may search.

    Attributes:
        enabled: Without it no retrieval tool is built, and every scope is `disabled`.
        modes: The scopes that may be asked for; by default every one. Which datasets there are
            is a setting of their provider, because it has to hold for the scope `all` too.
    """

    enabled: bool = True
    modes: Annotated[list[Mode], Field(min_length=1)] | None = None


class ToolGroup(Section):
    """A name that tools are grouped by."""

    name: _Name


class ToolEntry(Section):
    """A tool of the agents.

    Attributes:
        name: What the model calls it.
        group: One of `tool_groups`.
        use: `module:attribute` of what builds the tool from a provider.
        provider: A name under `providers`, or one that a plugin registers.
        description: What the model is told about it, instead of the default.
        limit_chars: Code points of one answer.
        excerpt_chars: Code points of one excerpt.
    """

    name: _Name
    group: _Name
    use: _Use
    provider: _Name
    description: _LongText | None = None
    limit_chars: Annotated[int, Field(ge=1)] | None = None
    excerpt_chars: Annotated[int, Field(ge=1)] | None = None


class HostConfiguration(Section):
    """The whole file.

    Attributes:
        plugins: In the order in which they are loaded.
        providers: By name; `kind` says which settings the rest of an entry are.
    """

    plugins: list[PluginEntry] = Field(default_factory=list)
    providers: dict[_Name, dict[str, Any]] = Field(default_factory=dict)
    knowledge_base: KnowledgeBase = KnowledgeBase()
    tool_groups: list[ToolGroup] = Field(default_factory=list)
    tools: list[ToolEntry] = Field(default_factory=list)
