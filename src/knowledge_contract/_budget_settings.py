"""How long tool outputs may be: the settings of a budget, checked when they are made."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple, Self

__all__ = ["BudgetSettings"]


class _Fields(NamedTuple):
    enabled: bool
    externalize_min_chars: int
    preview_head_chars: int
    preview_tail_chars: int
    fallback_max_chars: int
    fallback_head_chars: int
    fallback_tail_chars: int
    exempt_tools: Collection[str]
    tool_overrides: Mapping[str, int]


class BudgetSettings(_Fields):
    """How long a tool's output may be, in code points.

    A tool's limit is the smallest positive one of `externalize_min_chars`, or the tool's own
    number in `tool_overrides`, and `fallback_max_chars`. Text over it is acted upon.

    Attributes:
        enabled: False leaves every message as it is.
        externalize_min_chars: Over this, text without evidence is stored; 0 stores nothing.
        preview_head_chars: Of a stored text's start.
        preview_tail_chars: Of a stored text's end.
        fallback_max_chars: The most of any text, stored or not; 0 sets no such bound.
        fallback_head_chars: Of the start of a text that is neither evidence nor stored.
        fallback_tail_chars: Of its end.
        exempt_tools: Tools whose outputs stay as they are; those that read a stored file must
            be among them, or what they read is stored again.
        tool_overrides: By tool, what takes the place of `externalize_min_chars`; 0 turns it off
            for that tool.

    Raises:
        ValueError: A number is negative or no whole number, or a name is no text.
    """

    __slots__ = ()

    def __new__(  # noqa: PLR0913, PLR0917 - one table of a host's configuration; copies and pickles pass it by place
        cls,
        enabled: bool = True,  # noqa: FBT001, FBT002 - as above
        externalize_min_chars: int = 12_000,
        preview_head_chars: int = 2_000,
        preview_tail_chars: int = 1_000,
        fallback_max_chars: int = 30_000,
        fallback_head_chars: int = 8_000,
        fallback_tail_chars: int = 3_000,
        exempt_tools: Collection[str] = ("read_file", "read_file_tool"),
        tool_overrides: Mapping[str, int] | None = None,
    ) -> Self:
        """Return settings that were checked."""
        self = super().__new__(
            cls,
            enabled,
            externalize_min_chars,
            preview_head_chars,
            preview_tail_chars,
            fallback_max_chars,
            fallback_head_chars,
            fallback_tail_chars,
            exempt_tools,
            _own(tool_overrides),
        )
        _check(self)
        return self

    @classmethod
    def _make(cls, iterable: Iterable[Any]) -> Self:  # type: ignore[override]  # the base's is generic in its class
        # `_replace` comes through here: what it makes is checked too.
        return cls(*iterable)

    def limit_chars(self, tool_name: str | None) -> int | None:
        """Return the code points that a tool's output may have; None if there is no limit."""
        if not self.enabled or tool_name in self.exempt_tools:
            return None
        limits = (self.store_chars(tool_name), self.fallback_max_chars)
        return min((limit for limit in limits if limit > 0), default=None)

    def store_chars(self, tool_name: str | None) -> int:
        """Return the code points over which a tool's output is stored; 0 if it never is."""
        if tool_name is None:
            return self.externalize_min_chars
        return self.tool_overrides.get(tool_name, self.externalize_min_chars)


def _own(overrides: Any) -> Any:
    """Return a copy: what was checked must not change afterwards."""
    if overrides is None:
        return {}
    return dict(overrides) if isinstance(overrides, Mapping) else overrides


def _check(settings: _Fields) -> None:
    if type(settings.enabled) is not bool:
        raise ValueError("enabled must be true or false")
    for name, value in settings._asdict().items():
        if name.endswith("_chars"):
            _check_chars(name, value)
    _check_names("exempt_tools", settings.exempt_tools)
    overrides: object = settings.tool_overrides
    if not isinstance(overrides, Mapping):
        raise ValueError("tool_overrides must map names of tools to code points")  # noqa: TRY004 - one error for what a configuration holds
    _check_names("tool_overrides", list(overrides))
    for value in overrides.values():
        _check_chars("each value of tool_overrides", value)


def _check_chars(name: str, value: object) -> None:
    if type(value) is not int or value < 0:
        raise ValueError(f"{name} must be a whole number of code points, at least 0")


def _check_names(name: str, names: object) -> None:
    # One name by itself would be read as a collection of letters.
    if not isinstance(names, list | tuple | set | frozenset) or not all(
        type(each) is str for each in names
    ):
        raise ValueError(f"{name} must hold names of tools, as text")
