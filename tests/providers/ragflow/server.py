"""RAGFlow's reading half on loopback: shapes, codes and the order of its checks, no search.

The message texts are this file's own: a client must not depend on them.
"""

import json
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from providers.ragflow.profiles import NEWEST, Profile

KEY = "ragflow-test-key"
LIMIT = 100

Row = dict[str, Any]
Query = dict[str, list[str]]


class Asked(NamedTuple):
    """One request as it came over the socket."""

    method: str
    path: str
    query: Query
    body: Any


class _Reply(Exception):
    def __init__(self, body: object, status: int = 200) -> None:
        super().__init__(status)
        self.body = body
        self.status = status


def failure(code: int, message: str = "sk-no: see tenant 0123456789abcdef") -> _Reply:
    """Return an error as RAGFlow answers it, over HTTP 200."""
    return _Reply({"code": code, "message": message})


class Server:
    """Answers from rows that a test provides; `asked` remembers every request.

    Attributes:
        intercept: Called with each request before it is answered; a value that is not None is
            the answer instead: an object, or bytes as they are, or either with a status.
        most_in_flight: Requests that were under way at the same time, at most.
        crowded: The ending of a path whose requests wait for each other: first until four are
            under way, then a moment for a fifth, which only a client without a limit sends.
    """

    def __init__(
        self,
        *,
        datasets: Iterable[Row] = (),
        documents: Iterable[Row] = (),
        chunks: Iterable[Row] = (),
        profile: Profile = NEWEST,
        intercept: Callable[[Asked], Any] = lambda _: None,
    ) -> None:
        self.datasets = list(datasets)
        self.documents = list(documents)
        self.chunks = list(chunks)
        self.profile = profile
        self.intercept = intercept
        self.asked: list[Asked] = []
        self.base_url = ""
        self.most_in_flight = 0
        self.crowded: str | None = None
        self._in_flight = 0
        self._changed = threading.Condition()

    def requests(self, ending: str) -> list[Asked]:
        """Return the requests whose path ends so."""
        return [each for each in self.asked if each.path.endswith(ending)]

    def answer(self, asked: Asked, authorization: str | None) -> tuple[object, int]:
        """Return the body and status for a request."""
        with self._changed:
            self.asked.append(asked)
            self._in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self._in_flight)
            self._changed.notify_all()
            if self.crowded is not None and asked.path.endswith(self.crowded):
                self._changed.wait_for(lambda: self.most_in_flight >= 4, timeout=10)
                self._changed.wait_for(lambda: self._in_flight > 4, timeout=0.05)
        try:
            given = self.intercept(asked)
            if given is None:
                given = self._route(asked, authorization)
        except _Reply as reply:
            given = (reply.body, reply.status)
        finally:
            with self._changed:
                self._in_flight -= 1
        return given if isinstance(given, tuple) else (given, 200)

    def _route(self, asked: Asked, authorization: str | None) -> object:
        parts = [unquote(each) for each in asked.path.split("/")[1:]]
        match asked.method, parts:
            case "GET", ["api", "v1", "system", "version"]:
                return {"code": 0, "message": "success", "data": f"v{self.profile.version}"}
            case "GET", ["api", "v1", "datasets"]:
                self._authorize(authorization, is_retrieval=False)
                return self._list_datasets(asked.query)
            case "GET", ["api", "v1", "datasets", dataset_id, "documents"]:
                self._authorize(authorization, is_retrieval=False)
                return self._list_documents(dataset_id, asked.query)
            case "POST", ["api", "v1", "retrieval"]:
                self._authorize(authorization, is_retrieval=True)
                return self._retrieve(asked.body or {})
            case "GET", _:
                raise _Reply({"code": 404, "error": "Not Found", "message": "no such path"}, 404)
        raise _Reply({"code": 405, "message": "this server only reads"}, 405)

    def _authorize(self, header: str | None, *, is_retrieval: bool) -> None:
        words = (header or "").split()
        if words == ["Bearer", KEY]:
            return
        code = 109 if len(words) == 2 else 0
        if self.profile.refusal == "200":
            raise _Reply({"code": code, "data": False, "message": "no"})
        if self.profile.refusal == "401" or not is_retrieval:
            code = 401
        raise _Reply({"code": code, "data": None, "message": "no"}, 401)

    def _list_datasets(self, query: Query) -> object:
        known = {"id", "name", "page", "page_size", "orderby", "desc", "include_parsing_status"}
        if set(query) - (known | ({"ids"} if self.profile.has_dataset_ids else set())):
            raise failure(101)
        page, size = _whole(query, "page", 1), _whole(query, "page_size", 30)
        if size > LIMIT and self.profile.caps_rows:
            raise failure(101)
        rows = self.datasets
        for key in ("id", "name"):
            if key in query:
                value = query[key][0] if key == "name" else _uuid(query[key][0])
                rows = [each for each in rows if each[key] == value]
                if not rows:
                    raise failure(self.profile.missing_code)
        if "ids" in query:
            ids = [_uuid(value) for value in query["ids"]]
            rows = [each for each in rows if each["id"] in ids]
        shown = rows[(page - 1) * size : page * size]
        return {"code": 0, "data": shown, "total_datasets": len(rows)}

    def _rows_wanted(self, value: object) -> int:
        size = _lenient(value, 30)
        if size > LIMIT and self.profile.caps_rows:
            # Raised outside of the handler's own care, so that the catch-all answers.
            raise _Reply({"code": 100, "data": None, "message": "ValueError()"})
        return size

    def _list_documents(self, dataset_id: str, query: Query) -> object:
        if all(each["id"] != dataset_id for each in self.datasets):
            raise failure(self.profile.missing_code)
        page = _lenient(query.get("page", [""])[0], 1)
        size = self._rows_wanted(query.get("page_size", [""])[0])
        rows = [each for each in self.documents if each["dataset_id"] == dataset_id]
        ids = query.get("ids", []) if self.profile.has_document_ids else []
        if len(ids) > LIMIT and self.profile.caps_ids:
            raise failure(101)
        wanted = query.get("id", [])
        if wanted and all(each["id"] not in wanted for each in rows):
            raise failure(102)
        if ids or wanted:
            chosen = {*ids, *wanted}
            rows = [each for each in rows if each["id"] in chosen]
        shown = rows[(page - 1) * size : page * size]
        return {"code": 0, "message": "success", "data": {"total": len(rows), "docs": shown}}

    def _retrieve(self, body: Row) -> object:
        ids = body.get("dataset_ids")
        known = {each["id"]: each for each in self.datasets}
        if not isinstance(ids, list) or not ids or any(each not in known for each in ids):
            raise failure(102)
        models = [known[each].get("embedding_model") or "" for each in ids]
        if (any(models) and not all(models)) or len({each.split("@")[0] for each in models}) > 1:
            raise failure(102)
        if "question" not in body:
            raise failure(102)
        page, size = _lenient(body.get("page"), 1), self._rows_wanted(body.get("page_size"))
        if self.profile.counts_candidates and page * size > body.get("rerank_candidates_count", 64):
            raise failure(101)
        if not str(body["question"]).strip():
            return {"code": 0, "data": {"total": 0, "chunks": [], "doc_aggs": {}}}
        documents = body.get("document_ids", [])
        owned = {each["id"] for each in self.documents if each["dataset_id"] in ids}
        if not isinstance(documents, list) or any(each not in owned for each in documents):
            raise failure(102)
        if body.get("top_k", 1024) <= 0:
            raise failure(102)
        return self._found(body, ids, documents, page, size)

    def _found(
        self, body: Row, ids: list[str], documents: list[str], page: int, size: int
    ) -> object:
        hits = [
            each
            for each in self.chunks
            if each["dataset_id"] in ids
            and (not documents or each["document_id"] in documents)
            and each["similarity"] >= body.get("similarity_threshold", 0.2)
        ]
        hits.sort(key=lambda each: -each["similarity"])
        counts: dict[str, Row] = {}
        for each in hits:
            name = each["document_keyword"]
            entry = {"doc_name": name, "doc_id": each["document_id"], "count": 0}
            counts.setdefault(name, entry)["count"] += 1
        shown = [dict(each) for each in hits[(page - 1) * size : page * size]]
        if body.get("highlight", self.profile.highlights):
            for each in shown:
                each["highlight"] = f"<em>{each['content']}</em>"
        data = {"total": len(hits), "chunks": shown, "doc_aggs": list(counts.values())}
        return {"code": 0, "data": data}


def _whole(query: Query, name: str, default: int) -> int:
    """Return a number that the strict endpoint accepts."""
    value = query.get(name, [str(default)])[0]
    if not value.isdecimal() or int(value) < 1:
        raise failure(101)
    return int(value)


def _lenient(value: object, default: int) -> int:
    text = str(value)
    return int(text) if text.isdecimal() and int(text) >= 1 else default


def _uuid(value: str) -> str:
    try:
        return uuid.UUID(value).hex
    except ValueError:
        raise failure(101) from None


def _handler_for(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Small packets of a head and a body must not wait for each other.
        disable_nagle_algorithm = True

        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            query = parse_qs(parts.query, keep_blank_values=True)
            asked = Asked(self.command, parts.path, query, json.loads(raw) if raw else None)
            body, status = server.answer(asked, self.headers.get("Authorization"))
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_POST = do_PUT = do_PATCH = do_DELETE = do_GET  # noqa: N815 - the library's names

    return Handler


@contextmanager
def running(server: Server) -> Iterator[Server]:
    """Let a server listen on loopback for the time of a test."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler_for(server)) as listener:
        listener.daemon_threads = True
        listener.block_on_close = False
        thread = threading.Thread(target=listener.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        server.base_url = f"http://127.0.0.1:{listener.server_address[1]}"
        try:
            yield server
        finally:
            listener.shutdown()
            thread.join(10)
