"""Which requests a middleware looks at: rules that rather match too much than too little."""

import posixpath
import re
from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple

__all__ = ["BODY_METHODS", "CompiledRoute", "Route", "compile_route"]

BODY_METHODS: Final = ("POST", "PUT", "PATCH")

_PLACEHOLDER = re.compile(r"\{[A-Za-z_]\w*(?::([A-Za-z_]\w*))?\}")


class Route(NamedTuple):
    """A path and all that lies below it, for some methods.

    `/threads` and `/threads/{thread_id}` both cover `/threads/7/runs/stream`; `/` covers every
    path. Case, doubled slashes, and a slash or line feed at the end make no difference, dots as
    in `/a/../b` are matched both as they stand and resolved, and the path counts with and without
    `root_path`.
    So what a router behind the middleware takes for the route is covered, whichever of these it
    forgives. Percent-escapes are gone: servers decode the path. (An escaped slash becomes one; a
    router that reads `raw_path` instead needs the route `/`.)

    Attributes:
        path: As FastAPI and Starlette write it: `{name}` stands for one segment or a part of it,
            `{name:path}` for any number of segments, none included.
        methods: Compared without case.
    """

    path: str
    methods: Collection[str] = BODY_METHODS


class CompiledRoute(NamedTuple):
    """A route that was checked; made by `compile_route`."""

    pattern: re.Pattern[str]
    methods: frozenset[str]

    def covers(self, scope: Mapping[str, Any]) -> bool:
        """Tell whether an HTTP scope is one of the route's requests."""
        if scope["method"].upper() not in self.methods:
            return False
        return any(self.pattern.fullmatch(path) for path in _paths(scope))


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
    if not route.methods:
        raise ValueError("a route needs a method")
    if not route.path.startswith("/"):
        raise ValueError("the path of a route must start with a slash")
    segments = [_compile_segment(each) for each in route.path.split("/") if each]
    # The patterns of routers end in `$`, which also matches before a line feed at the end.
    below = "/*" + "/+".join(segments) + r"(?:/.*|\n)?" if segments else ".*"
    return CompiledRoute(
        re.compile(below, re.DOTALL | re.IGNORECASE),
        frozenset(method.upper() for method in route.methods),
    )


def _compile_segment(segment: str) -> str:
    parts: list[str] = []
    end = 0
    for found in _PLACEHOLDER.finditer(segment):
        parts += [_literal(segment[end : found.start()]), ".*" if found[1] == "path" else "[^/]+"]
        end = found.end()
    return "".join([*parts, _literal(segment[end:])])


def _literal(text: str) -> str:
    if "{" in text or "}" in text:
        raise ValueError("a placeholder in the path of a route must look like {name}")
    return re.escape(text)


def _paths(scope: Mapping[str, Any]) -> set[str]:
    """Return every path that a router could read in a scope."""
    path: str = scope["path"]
    paths = {path, posixpath.normpath(path)}
    return paths | {each.removeprefix(scope.get("root_path", "")) for each in paths}
