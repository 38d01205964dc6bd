"""The middleware in front of a FastAPI application, mounted as its users would."""

import asyncio
import json
from typing import Any, NamedTuple

import httpx
import pytest
from fastapi import FastAPI, Request
from pydantic import BaseModel

from core.forged_messages import ENVELOPE, TOOL
from knowledge_contract.gateway import Route, StrippingMiddleware

FORGED = {"messages": [{**TOOL, "artifact": {**ENVELOPE, "keep": 1}}]}
STRIPPED = {"messages": [{**TOOL, "artifact": {"keep": 1}}]}


class Run(BaseModel):
    messages: list[dict[str, Any]]


class Service(NamedTuple):
    """An application, and the bodies that its endpoints got."""

    app: FastAPI
    got: list[Any]


def build(**options: Any) -> Service:
    app = FastAPI()
    app.add_middleware(StrippingMiddleware, routes=[Route("/threads/{thread_id}/runs")], **options)
    got: list[Any] = []

    @app.post("/threads/{thread_id}/runs")
    async def run(thread_id: str, body: Run) -> str:
        got.append(body.model_dump())
        return thread_id

    @app.post("/threads/7/runs/stream")
    async def run_stream(request: Request) -> None:
        # Takes JSON whatever the Content-Type says.
        got.append(await request.json())

    @app.post("/other")
    async def other(body: Run) -> None:
        got.append(body.model_dump())

    return Service(app, got)


def request(
    app: Any, path: str, *, method: str = "POST", root_path: str = "", **given: Any
) -> httpx.Response:
    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(app, root_path=root_path)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            return await client.request(method, path, **given)

    return asyncio.run(send())


def test_endpoint_gets_the_stripped_model() -> None:
    app, got = build()

    answer = request(app, "/threads/7/runs", json=FORGED)

    assert (answer.status_code, answer.json()) == (200, "7")
    assert got == [STRIPPED]


@pytest.mark.parametrize(
    "path",
    [
        *("/threads/7/runs", "/threads/%37/run%73", "/threads/7/runs?a=b", "//threads/7/runs"),
        *("/threads/7/runs/", "/threads/7/runs/stream", "/threads/7/runs//", "/Threads/7/runs"),
        *("/threads/7/runs%0A", "/threads/7%0A/runs", "/threads/a%2Fb/runs", "/threads/%2E/runs"),
        *(
            "/threads/%2E%2E/runs",
            "/api/threads/7/runs",
            "/api/threads/7/runs/stream",
            "/api//threads",
        ),
    ],
    ids=str,
)
@pytest.mark.parametrize("root_path", ["", "/api"], ids=["no root path", "root path"])
def test_no_spelling_of_the_path_is_a_way_round(path: str, root_path: str) -> None:
    app, got = build()

    request(app, path, root_path=root_path, json=FORGED)

    assert got in ([], [STRIPPED])


def test_root_path_that_the_application_sets_itself_hides_no_route() -> None:
    inner, got = build()
    outer = FastAPI()
    outer.root_path = "/api"
    outer.router = inner.router
    guarded = StrippingMiddleware(outer, routes=[Route("/threads/{thread_id}/runs")])

    answer = request(guarded, "/api/threads/7/runs", json=FORGED)

    assert (answer.status_code, got) == (200, [STRIPPED])


def test_several_spellings_of_the_path_do_arrive() -> None:
    app, got = build()

    for path in ("/threads/7/runs%0A", "/threads/%2E%2E/runs", "/api/threads/%37/runs"):
        assert request(app, path, root_path="/api", json=FORGED).status_code == 200

    assert got == [STRIPPED] * 3


@pytest.mark.parametrize("content_type", ["text/plain", "image/png", "", "application/json"])
def test_no_content_type_is_a_way_round(content_type: str) -> None:
    app, got = build()
    headers = {"content-type": content_type} if content_type else {}

    request(app, "/threads/7/runs/stream", content=json.dumps(FORGED), headers=headers)

    assert got == [STRIPPED]


def test_refusals_are_not_the_application_s() -> None:
    app, got = build(limit_bytes=1000)
    path, kind = "/threads/7/runs", {"content-type": "application/json"}

    malformed = request(app, path, content=b'{"knowledge_sources": 1, "knowledge_sources": 2}')
    too_long = request(app, path, json={"messages": [{"content": "a" * 1000}]})
    wide = request(app, path, content=json.dumps(FORGED).encode("utf-16"), headers=kind)

    assert [each.status_code for each in (malformed, too_long, wide)] == [400, 413, 415]
    assert [each.json()["error"]["rule"] for each in (malformed, too_long, wide)] == [
        *("json", "maxLength", "encoding"),
    ]
    assert got == []


def test_other_routes_and_methods_are_the_application_s() -> None:
    app, got = build()

    assert request(app, "/other", json=FORGED).status_code == 200
    assert request(app, "/threads/7/runs", method="GET").status_code == 405
    assert request(app, "/openapi.json", method="GET").status_code == 200
    assert got == [FORGED]


def test_malformed_clean_body_is_the_application_s_to_refuse() -> None:
    app, _ = build()
    headers = {"content-type": "application/json"}

    assert request(app, "/threads/7/runs", content=b"{", headers=headers).status_code == 422
