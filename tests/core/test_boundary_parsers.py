"""A body has one verdict and one value, whether `orjson` is installed or not."""

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from knowledge_contract._bodies import parse_body, render_body
from knowledge_contract.boundary import strip_body
from knowledge_wire.constants import DOCUMENT_DEPTH
from knowledge_wire.parsing import ParseError, Problem, parse_document

_NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
_VALUES = st.recursive(
    st.none() | st.booleans() | _NUMBERS | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
# What a body may hold that the two parsers know under different names, or do not both know.
_PIECES = st.sampled_from(
    (
        *(b'{"a":1,"a":2}', b'{"a":1,"\\u0061":1}', b"18446744073709551615"),
        *(b"18446744073709551616", b"-9223372036854775809", b"1e999", b"1e16", b"1E5", b"-0"),
        *(b"1.0", b"0.10", b"NaN", b'"\\ud800"', b'"\\ud83d\\ude00"', b'"\xff"', b'"\x01"'),
        *(b'"\xed\xa0\x80"', b"\xef\xbb\xbf1", b" 1", b"01", b"[1,]", b'"\\/"', b'"\x7f"'),
        *(b"9" * 400, b"9" * 5000, b"1" + b"0" * 308, b"", b"[]", b"{}", b"\x00"),
        b"[" * (DOCUMENT_DEPTH - 1) + b"]" * (DOCUMENT_DEPTH - 1),
        b"[" * DOCUMENT_DEPTH + b"]" * DOCUMENT_DEPTH,
        *(b"[" * 300 + b"]" * 300, b"[" * 100_000),
    )
)


def judge(parse: Any, data: bytes) -> tuple[object, str]:
    """Return a body's problem, or its value with every type and sign to be seen."""
    try:
        value = parse(data)
    except ParseError as error:
        return error.problem, ""
    return value, repr(value)


@settings(max_examples=300)
@given(_PIECES | _VALUES.map(lambda value: json.dumps(value, ensure_ascii=False).encode("utf-8")))
@example(b"[1]")
def test_parsers_agree_on_every_body(piece: bytes) -> None:
    for data in (piece, b"[%s]" % piece, b'{"k":%s}' % piece):
        assert judge(parse_body, data) == judge(parse_document, data)


@settings(max_examples=200)
@given(
    value=_VALUES,
    ensure_ascii=st.booleans(),
    separators=st.sampled_from(((",", ":"), (", ", ": "))),
)
def test_written_body_is_read_as_the_value_it_was_written_from(
    *, value: Any, ensure_ascii: bool, separators: tuple[str, str]
) -> None:
    data = json.dumps(value, ensure_ascii=ensure_ascii, separators=separators).encode()

    written = render_body(parse_body(data))

    assert judge(parse_document, written) == judge(parse_document, data)


@pytest.mark.parametrize(
    "number",
    [b"18446744073709551616", b"-9223372036854775809", b"123456789012345678901234567890"],
    ids=["above 64 bits", "below 64 bits", "long"],
)
def test_integer_beyond_64_bits_survives_stripping(number: bytes) -> None:
    body = b'{"artifact":{"knowledge_sources":[],"k":%s}}' % number

    assert strip_body(body) == b'{"artifact":{"k":%s}}' % number


@pytest.mark.parametrize(
    "body",
    [
        b'{"artifact":{"knowledge_sources":[]},"a":1,"a":1}',
        b'{"artifact":{"knowledge_sources":[{"a":1,"a":1}]}}',
        b'{"artifact":{"knowledge_sources":[],"knowledge_sources":[]}}',
        b'{"artifact":{"knowledge_sources":%s}}' % (b"[" * 63 + b"]" * 63),
    ],
    ids=["beside", "in what is lost", "what is lost", "too deep in what is lost"],
)
def test_compact_body_is_judged_as_strictly_as_any(body: bytes) -> None:
    with pytest.raises(ParseError) as caught:
        strip_body(body)

    assert caught.value.problem == Problem("", "json")


_STRIPPED_ALONE = """
import sys
sys.modules["orjson"] = None
from knowledge_contract.boundary import strip_body
sys.stdout.buffer.write(strip_body(sys.stdin.buffer.read()))
"""


def test_body_is_stripped_without_the_faster_parser_too() -> None:
    text = {"artifact": {"knowledge_sources": [], "k": [1, 2.5, "日本"]}, "s": "\u2028\x7f\x01"}
    body = json.dumps(text, ensure_ascii=False, separators=(",", ":")).encode()

    alone = subprocess.run(
        [sys.executable, "-c", _STRIPPED_ALONE], input=body, capture_output=True, check=True
    )

    assert alone.stdout == strip_body(body)
    assert json.loads(alone.stdout) == {**text, "artifact": {"k": [1, 2.5, "日本"]}}
