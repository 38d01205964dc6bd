"""What configurations name: plugins, retrievers and tools of others, most of them broken."""

from typing import Any

from langchain_core.tools import StructuredTool

from counting_provider import CountingProvider
from knowledge_contract.errors import ProviderError

VALUE = "sk-value-of-the-operator"
"""What stands in some configurations and errors, and in no message."""


class Retriever:
    """Finds nothing."""

    def invoke(self, query: str, /) -> object:
        raise NotImplementedError(query)

    async def ainvoke(self, query: str, /) -> object:
        raise NotImplementedError(query)


def fails(registry: Any, config: Any) -> None:
    raise LookupError(f"{VALUE} {registry} {config}")


def needs(registry: Any, config: Any) -> None:
    """Never run."""


def newer(registry: Any, config: Any) -> None:
    """Never run."""


needs.requires_capabilities = ["search", "relation_search"]  # type: ignore[attr-defined]  # read by hosts
newer.extension_api_version = "9.0"  # type: ignore[attr-defined]  # read by hosts


def bare(registry: Any, _: Any) -> None:
    registry.register_provider(CountingProvider(name=f"no name {VALUE}"))


def twice(registry: Any, _: Any) -> None:
    registry.register_provider(CountingProvider())
    registry.register_provider(CountingProvider())


def broken() -> None:
    raise KeyError(VALUE)


class Quitting:
    """Ends the process instead of searching."""

    def invoke(self, query: str, /) -> object:
        del query
        raise SystemExit(0)

    async def ainvoke(self, query: str, /) -> object:
        del query
        raise SystemExit(0)


class Odd(BaseException):
    """What no `except Exception` catches."""


class Hollow:
    """Looks like a retriever until somebody looks."""

    @property
    def invoke(self) -> object:
        raise LookupError(VALUE)


def odd() -> None:
    raise Odd(VALUE)


def ends(*_: object, **__: object) -> None:
    raise SystemExit(0)


def refuses(*_: object, **__: object) -> None:
    raise ProviderError(VALUE)


def plain(provider: object, *, name: str) -> StructuredTool:
    return StructuredTool.from_function(lambda: "", name=name, description=repr(provider))


def boasting(provider: object, *, name: str) -> StructuredTool:
    tool = plain(provider, name=name)
    tool.metadata = {"knowledge_capabilities": {"operations": ["search", "relations_search"]}}
    return tool


PLUGINS: dict[str, Any] = {
    "text": "x",
    "fails": fails,
    "needs": needs,
    "newer": newer,
    "bare": bare,
    "twice": twice,
}
"""What the module `p` holds."""

SHOP: dict[str, Any] = {
    "retriever": Retriever(),
    "other": 1,
    "broken": broken,
    "odd": odd,
    "ends": ends,
    "hollow": Hollow(),
    "quitting": Quitting(),
    "refuses": refuses,
    "plain": plain,
    "boasting": boasting,
}
"""What the module `shop` holds."""
