"""The strict parser: what the vectors cannot carry, such as other kinds of buffers."""

import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge_wire.parsing import ParseError, parse_document, parse_response

TEXT = '{"a": [1, 2.5, "\u00e9\U0001f600", null, true]}'
VALUE = {"a": [1, 2.5, "\u00e9\U0001f600", None, True]}


class Claimed(str):
    """Text that answers for itself, and lies."""

    __slots__ = ()

    def isascii(self) -> bool:
        return True

    def startswith(self, *_: Any) -> bool:
        raise RuntimeError("asked")


BUFFERS: dict[str, Callable[[], Any]] = {
    "text": lambda: TEXT,
    "bytes": TEXT.encode,
    "bytearray": lambda: bytearray(TEXT.encode()),
    "memoryview": lambda: memoryview(TEXT.encode()),
    "every other byte": lambda: memoryview(b"".join(bytes([b, 0]) for b in TEXT.encode()))[::2],
    "backwards": lambda: memoryview(TEXT.encode()[::-1])[::-1],
    "a text that lies": lambda: Claimed(TEXT),
}


@pytest.mark.parametrize("make", BUFFERS.values(), ids=BUFFERS)
def test_every_buffer_gives_the_same_value(make: Callable[[], Any]) -> None:
    assert parse_document(make()) == VALUE


def assert_parsed_or_refused(data: bytes | str) -> None:
    try:
        value = parse_document(data)
    except ParseError as error:
        problem: tuple[str, str] | None = error.problem
    else:
        problem = None
        assert value == json.loads(data)

    assert problem in (None, ("", "json"), ("", "unicode"))


@given(st.binary(max_size=200))
def test_any_bytes_are_parsed_or_refused(data: bytes) -> None:
    assert_parsed_or_refused(data)


@given(st.text(st.characters(), max_size=60))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    assert_parsed_or_refused(text)
    assert_parsed_or_refused(json.dumps(text))


@pytest.mark.parametrize("limit", [1, 2, 63, 64, 200])
def test_depth_is_counted_with_the_root_as_one(limit: int) -> None:
    fits, exceeds = "[" * limit + "]" * limit, "[" * (limit + 1) + "]" * (limit + 1)

    parse_document(fits, depth_limit=limit)

    with pytest.raises(ParseError, match=f"nested deeper than {limit} levels"):
        parse_document(exceeds, depth_limit=limit)


def test_brackets_in_strings_are_no_depth() -> None:
    assert parse_document('["' + "[{" * 50_000 + '\\"["]') == ["[{" * 50_000 + '"[']


@pytest.mark.parametrize("brackets", ["[", '{"a":', "[{"], ids=["lists", "objects", "both"])
def test_a_tower_of_brackets_is_one_refusal(brackets: str) -> None:
    with pytest.raises(ParseError) as refusal:
        parse_document(brackets * 100_000)

    assert refusal.value.problem == ("", "json")


def test_a_response_keeps_lone_surrogates_and_a_document_does_not() -> None:
    data = b'{"text": "\\ud800"}'

    assert parse_response(data) == {"text": "\ud800"}
    with pytest.raises(ParseError) as refusal:
        parse_document(data)
    assert refusal.value.problem == ("", "unicode")


def test_a_good_document_is_never_called_deep_when_the_stack_is_full() -> None:
    def descend() -> object:
        try:
            return descend()
        except RecursionError:
            try:
                return parse_document("[[1]]")
            except RecursionError:
                return "no stack"

    assert descend() in ("no stack", [[1]])


def test_refusal_quotes_nothing_and_survives_pickling() -> None:
    with pytest.raises(ParseError) as refusal:
        parse_document('{"secret": 1, "secret": 2}')

    copied = pickle.loads(pickle.dumps(refusal.value))  # noqa: S301 - our own bytes

    assert "secret" not in str(refusal.value)
    assert (copied.problem, copied.reason) == (refusal.value.problem, refusal.value.reason)
