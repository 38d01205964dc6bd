"""The line protocol of readers: what is asked, and what counts as an answer."""

import base64
import json
from typing import Any, NamedTuple

from knowledge_contract.cli.line_process import LineProcess
from knowledge_contract.cli.verdicts import Findings, Found, Verdict
from knowledge_contract.errors import ReaderError
from knowledge_wire.parsing import ParseError, Problem, parse_document


class Id(NamedTuple):
    """An answer to a request of kind `id`."""

    value: str


class Declined(NamedTuple):
    """An answer of a reader that does not take this kind of request."""


Answer = Verdict | Id | Findings | Declined


def request_bytes(kind: str, definition: str, data: bytes) -> bytes:
    """Return a request for a reader with a parser of its own."""
    encoded = base64.b64encode(data).decode("ascii")
    return json.dumps({"kind": kind, "as": definition, "bytes": encoded}).encode()


def request_message(binding: str, data: bytes) -> bytes:
    """Return a request to read a tool message, given as the bytes of a JSON document."""
    encoded = base64.b64encode(data).decode("ascii")
    return json.dumps({"kind": "message", "binding": binding, "bytes": encoded}).encode()


def request_document(kind: str, definition: str, document: object) -> bytes:
    """Return a request with a document that the strict parser already accepted."""
    request = {"kind": kind, "as": definition, "document": document}
    return json.dumps(request, ensure_ascii=False, separators=(",", ":")).encode()


def ask(process: LineProcess, request: bytes, *, name: str) -> Answer:
    """Return what the program answers to one request.

    Raises:
        ReaderError: the program fails, or what it says is no answer.
    """
    line = process.ask(request)
    try:
        return parse_answer(parse_document(line))
    except ParseError as error:
        raise ReaderError(f"{name} wrote a line that is not strict JSON: {error.reason}") from None
    except ValueError as error:
        raise ReaderError(f"{name} wrote a line that is no answer: {error}") from None


def parse_answer(answer: Any) -> Answer:
    """Return the typed answer.

    Raises:
        ValueError: it is none; the message names the key or the type, never the content.

    >>> parse_answer({"declined": True})
    Declined()
    """
    match answer:
        case {"declined": True}:
            return Declined()
        case {"id": str(value)}:
            return Id(value)
        case {"valid": True, "problems": [_, *_]}:
            raise ValueError("`valid` is true, and `problems` is not empty")
        case {"valid": bool(valid), "problems": list(items)}:
            return Verdict(valid, tuple(_parse_problem(each, "problems") for each in items))
        case {"evidence": list(found), "refused": list(items), "overflow": overflow} if (
            type(overflow) is int and overflow >= 0
        ):
            refused = tuple(_parse_problem(each, "refused") for each in items)
            return Findings(tuple(map(_parse_found, found)), refused, overflow)
    raise ValueError(_why_no_answer(answer))


def _parse_problem(item: Any, key: str) -> Problem:
    match item:
        case {"pointer": str(pointer), "rule": str(rule)}:
            return Problem(pointer, rule)
    raise ValueError(f"an item of `{key}` has no string `pointer` or no string `rule`")


def _parse_found(item: Any) -> Found:
    match item:
        case {"id": str(value), "form": str(form), "binding": str(binding)}:
            return Found(value, form, binding)
    raise ValueError("an item of `evidence` has no string `id`, `form` or `binding`")


def _why_no_answer(answer: Any) -> str:
    match answer:
        case {"valid": bool()}:
            return "`problems` is not a list"
        case {"valid": _}:
            return "`valid` is neither true nor false"
        case {"evidence": list(), "refused": list()}:
            return "`overflow` is not a whole number, from 0"
        case {"evidence": list()}:
            return "`refused` is not a list"
        case {"evidence": _}:
            return "`evidence` is not a list"
        case {"id": _}:
            return "`id` is not a string"
        case {"declined": _}:
            return "`declined` is not true"
        case dict():
            return "it has no key `valid`, `id`, `evidence` or `declined`"
    return "it is not an object"
