"""What an operator sets for LightRAG."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias

from knowledge_contract.errors import ProviderConfigurationError
from knowledge_contract.providers._base_url import is_loopback, parse_base_url
from knowledge_contract.retrieval import DEFAULT_LIMIT_CHARS
from knowledge_wire.constants import EXCERPT_MAX_LENGTH, EXCERPT_TOTAL_CHARS

__all__ = [
    "NAME",
    "TIMEOUT_MAX_S",
    "TOP_K_MAX",
    "LightragRelationsSettings",
    "LightragSettings",
    "Mode",
    "is_loopback",
]

NAME = "lightrag"
"""The provider's name, which goes into ids."""

TIMEOUT_MAX_S = 600.0
TOP_K_MAX = 1000
"""What the server accepts at most, for `top_k` and `chunk_top_k`."""

Mode: TypeAlias = Literal["naive", "local", "global", "hybrid", "mix"]
"""How LightRAG searches. Its mode `bypass` retrieves nothing, so that it is none of these."""

_KEY_CHARS = 4096


@dataclass(frozen=True, kw_only=True, slots=True)
class LightragSettings:
    """How LightRAG is asked, and how much of what it finds is shown.

    A setting out of its range is a `ProviderConfigurationError` that names it and never quotes
    it.

    Attributes:
        base_url: Address of the API; no user name or password in it. Over `http` the key can be
            read on the way.
        api_key: Sent as `X-API-Key` and nowhere else, and kept out of every text, error, log
            record and representation; None or a blank one for a server that asks for none.
        mode: How the server searches; all but `naive` cost it a call of its language model.
        timeout_s: Seconds for one request, more than 0 and at most 600.
        top_k: What the server looks up in its indexes, 1 to 1000; not the number of hits.
        chunk_top_k: The most chunks of one answer, 1 to 1000; None leaves it to the server.
        excerpt_chars: Code points of one excerpt.
        limit_chars: Code points of the text of `knowledge_search`.
    """

    modes: ClassVar[tuple[str, ...]] = ("naive", "local", "global", "hybrid", "mix")

    base_url: str = "http://localhost:9621"
    api_key: str | None = field(default=None, repr=False)
    mode: Mode = "mix"
    timeout_s: float = 30.0
    top_k: int = 60
    chunk_top_k: int | None = None
    excerpt_chars: int = 800
    limit_chars: int = DEFAULT_LIMIT_CHARS

    def __post_init__(self) -> None:
        changed = {
            "base_url": parse_base_url(NAME, self.base_url),
            "api_key": _api_key(self.api_key),
        }
        for name, value in changed.items():
            # The one way to set a field of a frozen record.
            object.__setattr__(self, name, value)
        if self.mode not in self.modes:
            raise _refuse(f"mode must be one of {', '.join(self.modes)}")
        _check_numbers(self)


@dataclass(frozen=True, kw_only=True, slots=True)
class LightragRelationsSettings(LightragSettings):
    """The same for relations: entities and relations are searched together, and fewer of them."""

    modes: ClassVar[tuple[str, ...]] = ("hybrid",)

    mode: Literal["hybrid"] = "hybrid"
    top_k: int = 20


def _refuse(what: str) -> ProviderConfigurationError:
    return ProviderConfigurationError(f"{NAME}: {what}")


def _api_key(key: object) -> str | None:
    if key is None:
        return None
    text = key.strip() if isinstance(key, str) else None
    if text is None or len(text) > _KEY_CHARS or not _is_visible(text):
        raise _refuse(f"the key must be at most {_KEY_CHARS} characters of visible ASCII")
    return text or None


def _is_visible(text: str) -> bool:
    return text.isascii() and text.isprintable() and " " not in text


def _check_numbers(settings: LightragSettings) -> None:
    _check_whole("top_k", settings.top_k, TOP_K_MAX)
    if settings.chunk_top_k is not None:
        _check_whole("chunk_top_k", settings.chunk_top_k, TOP_K_MAX)
    _check_whole("excerpt_chars", settings.excerpt_chars, EXCERPT_MAX_LENGTH)
    _check_whole("limit_chars", settings.limit_chars, EXCERPT_TOTAL_CHARS)
    timeout_s: object = settings.timeout_s
    is_number = isinstance(timeout_s, int | float) and not isinstance(timeout_s, bool)
    if not (is_number and 0 < settings.timeout_s <= TIMEOUT_MAX_S):
        raise _refuse(f"timeout_s must be more than 0 and at most {TIMEOUT_MAX_S:g}")


def _check_whole(name: str, value: object, most: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise _refuse(f"{name} must be a whole number from 1 to {most}")
