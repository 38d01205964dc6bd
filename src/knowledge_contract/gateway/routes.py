"""Which requests a middleware looks at: rules that rather match too much than too little."""

import posixpath
import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

__all__ = ["CompiledRoute", "Route", "compile_route"]

_PLACEHOLDER = re.compile(r"\{[A-Za-z_]\w*(?::([A-Za-z_]\w*))?\}")
# Starlette's convertors that take no slash; `path` does, and any other may be the application's.
_ONE_SEGMENT = frozenset({None, "str", "int", "float", "uuid"})
# Never part of a literal.
_ANY = "{}"
_SLASHES = re.compile("/+")
# The patterns of routers end in `$`, which also matches before a line feed at the end.
_END = r"(?=[/\n]|\Z)"


class Route(NamedTuple):
    """A path and all that lies below it, for some methods.

    `/threads` and `/threads/{thread_id}` both cover `/threads/7/runs/stream`; `/` covers every
    path. A route may begin at any segment of a path: `/threads` covers `/api/threads` too, because
    an application behind the middleware may be mounted below a prefix, or set a `root_path` of
    its own, which nobody in front of it can see. Case, doubled slashes, and a slash or line feed
    at the end make no difference, and dots as in `/a/../b` are matched both as they stand and
    resolved.
    So what a router behind the middleware takes for the route is covered, whichever of these it
    forgives; to cover too much is harmless. Percent-escapes are gone: servers decode the path.
    (An escaped slash becomes one; a router that reads `raw_path` instead needs the route `/`.)

    Attributes:
        path: As FastAPI and Starlette write it: `{name}` stands for one segment or a part of it,
            and so do the convertors `str`, `int`, `float` and `uuid`; `{name:path}`, or any other
            convertor, for any number of segments, none included.
        methods: Compared without case; None for every method, since any may have a body.
    """

    path: str
    methods: Collection[str] | None = None


class CompiledRoute(NamedTuple):
    """A route that was checked; made by `compile_route`."""

    pattern: re.Pattern[str]
    methods: frozenset[str] | None

    def covers(self, scope: Mapping[str, Any]) -> bool:
        """Tell whether an HTTP scope is one of the route's requests."""
        if self.methods is not None and scope["method"].upper() not in self.methods:
            return False
        path: str = scope["path"]
        return any(
            self.pattern.match(_SLASHES.sub("/", f"/{each}"))
            for each in {path, posixpath.normpath(path)}
        )


def compile_route(route: Route) -> CompiledRoute:
    """Check a route, and return it ready to be compared.

    Raises:
        TypeError: It is no `Route`, or its methods are a single string.
        ValueError: The path does not start with a slash or has other braces than placeholders,
            or there are no methods.
    """
    if not isinstance(route, Route):
        raise TypeError("a route must be a Route, as in Route('/threads')")
    if isinstance(route.methods, str):
        raise TypeError("the methods of a route must be a collection of names, not a string")
    if route.methods is not None and not route.methods:
        raise ValueError("a route needs a method")
    if not route.path.startswith("/"):
        raise ValueError("the path of a route must start with a slash")
    methods = route.methods
    return CompiledRoute(
        re.compile(_pattern(route.path), re.DOTALL | re.IGNORECASE),
        None if methods is None else frozenset(method.upper() for method in methods),
    )


def _pattern(path: str) -> str:
    """Return a pattern for the start of a path whose slashes are single.

    It is split where any number of segments may stand. Each part takes the first place where it
    fits and no other, so that a path is searched once for each part, however it is written.
    """
    segments = "".join(f"/{_compile_segment(each)}" for each in path.split("/") if each)
    # A slash before any number of segments may be the one behind them.
    parts = [part for part in segments.replace(f"/{_ANY}", f"{_END}{_ANY}").split(_ANY) if part]
    if parts and not segments.endswith(_ANY):
        parts[-1] += _END
    return "".join(f"(?>.*?{part})" for part in parts)


def _compile_segment(segment: str) -> str:
    """Return a pattern for one segment, with `_ANY` where it takes slashes.

    What stands between two placeholders is not compared: then there is one way to match it.
    """
    found = list(_PLACEHOLDER.finditer(segment))
    literals = [_literal(each) for each in _PLACEHOLDER.split(segment)[::2]]
    if not found:
        return literals[0]
    takes_slashes = any(each[1] not in _ONE_SEGMENT for each in found)
    return literals[0] + (_ANY if takes_slashes else "[^/]+") + literals[-1]


def _literal(text: str) -> str:
    if "{" in text or "}" in text:
        raise ValueError("a placeholder in the path of a route must look like {name}")
    return re.escape(text)
