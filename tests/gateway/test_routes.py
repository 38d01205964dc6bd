"""A route covers all that a router behind the middleware could take for it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.convertors import PathConvertor, register_url_convertor
from starlette.routing import Match
from starlette.routing import Route as StarletteRoute

from gateway.exchanges import http_scope
from knowledge_contract.gateway import Route
from knowledge_contract.gateway.routes import compile_route


def covers(route: Route, path: str, **more: Any) -> bool:
    return compile_route(route).covers(http_scope(path=path, **more))


def covers_scope(pattern: str, scope: dict[str, Any]) -> bool:
    return compile_route(Route(pattern)).covers(scope)


COVERED = [
    ("/threads", "/threads"),
    ("/threads", "/threads/"),
    ("/threads/", "/threads"),
    ("/threads", "//threads//7"),
    ("/threads", "/threads\n"),
    ("/threads", "/threads/a\nb"),
    ("/threads", "/Threads/7/RUNS"),
    ("/threads/{thread_id}/runs", "/threads/7/runs"),
    ("/threads/{thread_id}/runs", "/threads/7/runs/stream"),
    ("/threads/{thread_id:int}/runs", "/threads//7//runs/"),
    ("/threads/{thread_id}/runs", "/threads/a b/runs"),
    ("/threads/{thread_id}/runs", "/threads/a\nb/runs"),
    ("/threads/{thread_id}/runs", "/threads/../runs"),
    ("/threads/{thread_id}/runs", "/threads/..//runs"),
    ("/threads/{thread_id}/runs", "/x/../threads/./7/runs"),
    ("/threads/{thread_id:path}/runs", "/threads/a/b/runs"),
    ("/threads/{thread_id:path}/runs", "/threads//runs"),
    ("/runs/{name}.json", "/runs/a.json"),
    ("/a+b", "/a+b"),
    ("/Übersicht", "/übersicht"),
    ("/threads", "/api/threads"),
    ("/threads", "/api//v1/threads/7"),
    ("/threads", "/x/../api/threads"),
    ("/threads", "threads"),
    ("/threads/{thread_id}/runs", "/threads/threads/7/runs"),
    ("/f/{name:path}/save", "/f/save"),
    ("/f/{name:path}/save", "/f/a/save/b/save"),
    ("/f/{name:anything}/save", "/f/a/b/save"),
    ("/f/x{name:anything}y/save", "/f/xa/by/save"),
    ("/{a}-{b}.json", "/a-b.json"),
    ("/{a}/{b:path}.json", "/a/b/c.json"),
    ("/a{name:path}", "/ab/c"),
    ("/", ""),
    ("/", "/"),
    ("/", "*"),
    ("/", "http://host/threads"),
]


@pytest.mark.parametrize(("route", "path"), COVERED, ids=repr)
def test_route_covers_every_way_to_its_path_and_what_lies_below(route: str, path: str) -> None:
    assert covers(Route(route), path)


@pytest.mark.parametrize(
    ("route", "path"),
    [
        ("/threads", "/"),
        ("/threads", "/threadsafe"),
        ("/threads", "/a-threads"),
        ("/threads/{thread_id}", "/threads"),
        ("/threads/{thread_id:uuid}/runs", "/threads/a/b/runs"),
        ("/f/{name:path}/save", "/save/f"),
        ("/f/{name:path}/save", "/f/saved"),
        ("/{a}-{b}.json", "/a-b.jsonl"),
        ("/threads/{thread_id}/runs", "/threads/7/history"),
        ("/runs/{name}.json", "/runs/ajson"),
        ("/a+b", "/aab"),
    ],
    ids=repr,
)
def test_route_covers_nothing_else(route: str, path: str) -> None:
    assert not covers(Route(route), path)


@pytest.mark.parametrize("route", ["/threads", "/api/threads"], ids=str)
@pytest.mark.parametrize("root_path", ["/api", "/api/"], ids=str)
def test_path_counts_with_and_without_the_root_path(route: str, root_path: str) -> None:
    assert covers(Route(route), "/api/threads/7", root_path=root_path)
    assert covers(Route("/threads"), "/threads", root_path=root_path)


def test_methods_are_compared_without_case() -> None:
    route = Route("/a", ["delete"])

    assert covers(route, "/a", method="DELETE")
    assert covers(route, "/a", method="delete")
    assert not covers(route, "/a", method="POST")


@pytest.mark.parametrize("method", ["POST", "GET", "HEAD", "DELETE", "OPTIONS", "QUERY", "x"])
def test_route_covers_every_method_unless_some_are_named(method: str) -> None:
    assert covers(Route("/a"), "/a", method=method)


@pytest.mark.parametrize(
    "route", ["/f/{name:path}/save", "/{a}-{b}.json", "/{a:path}.x/{b:path}/{c}/y"], ids=str
)
@pytest.mark.parametrize("repeated", ["/f", "/", "-", "/f/-.jsonl", ".x/", "\n"], ids=repr)
def test_long_path_is_compared_in_one_go(route: str, repeated: str) -> None:
    # Quadratic, each of these would take minutes.
    assert not covers(Route(route), repeated * 200_000 + "!")


PATTERNS = (
    *("/threads", "/threads/", "/threads/{id}", "/threads/{id}/runs", "/threads/{id:path}/runs"),
    *("/{any:path}", "/threads/{id:int}/runs", "/threads/{id}.json", "/{a}/{b:path}", "/"),
    *("/threads/{id:anything}/runs", "/{a:anything}.json", "/{a}.{b}", "/threads/{a}{b:path}/7"),
)
SEGMENTS = st.sampled_from(
    ("threads", "runs", "7", ".", "..", "", "a b", "7.json", ".json", "ü", "\n", "threads\n", "api")
)


class AnythingConvertor(PathConvertor):
    """An application's own, which takes slashes as `path` does."""


register_url_convertor("anything", AnythingConvertor())


def starlette_routes(pattern: str, scope: dict[str, Any]) -> bool:
    async def endpoint(_request: Any) -> None: ...

    match, _ = StarletteRoute(pattern, endpoint, methods=["POST"]).matches(scope)
    return match is Match.FULL


@given(
    pattern=st.sampled_from(PATTERNS),
    segments=st.lists(SEGMENTS, max_size=5),
    root_path=st.sampled_from(("", "/api", "/threads", "/")),
    known=st.booleans(),
)
def test_what_starlette_routes_is_covered(
    *, pattern: str, segments: list[str], root_path: str, known: bool
) -> None:
    path = "/" + "/".join(segments)
    routed = http_scope(path=path, root_path=root_path)
    # FastAPI sets a `root_path` of its own behind whatever stands in front of it.
    scope = routed if known else http_scope(path=path)

    assert covers_scope(pattern, scope) or not starlette_routes(pattern, routed)


@pytest.mark.parametrize(
    ("pattern", "path", "root_path"),
    [
        ("/threads", "/threads\n", ""),
        ("/threads/{id}/runs", "/threads/../runs", ""),
        ("/threads/{id:path}/runs", "/threads//runs", ""),
        ("/threads/{id}", "/api/threads/7", "/api"),
    ],
    ids=repr,
)
def test_starlette_routes_paths_that_a_plain_comparison_would_miss(
    pattern: str, path: str, root_path: str
) -> None:
    scope = http_scope(path=path, root_path=root_path)

    assert starlette_routes(pattern, scope)
    assert covers_scope(pattern, scope)
