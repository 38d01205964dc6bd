"""What a body says it is opens no door, and bodies that are no JSON pass as they come."""

import asyncio
import sys
from typing import Any

import pytest

from gateway.exchanges import CLEAN, FORGED, STRIPPED, http_scope, in_halves, post, problem, unused
from knowledge_contract.gateway import StrippingMiddleware

LIMIT = 64


ENCODERS = ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be")


@pytest.mark.parametrize("content_type", ["application/json", "text/plain", None], ids=str)
@pytest.mark.parametrize("encoding", ENCODERS)
@pytest.mark.parametrize("text", [CLEAN.decode(), " [1]"], ids=["object", "blank and list"])
def test_wide_json_is_refused_whatever_it_says_it_is(
    text: str, encoding: str, content_type: str | None
) -> None:
    headers = [(b"content-type", content_type.encode())] if content_type else []

    answer = post(*in_halves(text.encode(encoding)), headers=headers)

    assert problem(answer) == (415, "encoding", "")


@pytest.mark.parametrize(
    "parameters",
    [
        *("charset=utf-16", 'CHARSET="UTF-16LE"', "charset=utf-7", "charset=latin-1"),
        *("charset=utf-8; charset=utf-7", "charset*=utf-8''utf-7", "charset*0=utf-; charset*1=7"),
        *('x=";charset=utf-7;"', "a=b;charset = utf-7"),
    ],
    ids=str,
)
def test_other_charset_is_refused(parameters: str) -> None:
    for name in ("application/json", "text/plain"):
        answer = post(CLEAN, headers=[(b"content-type", f"{name};{parameters}".encode())])

        assert problem(answer) == (415, "encoding", "")


@pytest.mark.parametrize(
    "charset", ["utf-8", '"UTF-8"', "utf8", "US-ASCII", " utf-8 ", "", '""'], ids=str
)
def test_charset_that_utf8_includes_is_taken(charset: str) -> None:
    answer = post(
        FORGED, headers=[(b"content-type", f"application/json;charset={charset}".encode())]
    )

    assert answer.seen[0].body == STRIPPED


@pytest.mark.parametrize(
    ("values", "is_refused"),
    [
        (["gzip"], True),
        (["br"], True),
        (["Deflate"], True),
        (["identity, gzip"], True),
        (["identity", "zstd"], True),
        (["unheard-of"], True),
        (["identity"], False),
        ([" identity "], False),
        ([""], False),
    ],
    ids=str,
)
def test_content_encoding_is_refused(values: list[str], is_refused: object) -> None:
    coded = [(b"content-encoding", value.encode()) for value in values]

    answers = [
        post(FORGED, headers=[(b"content-type", name), *coded])
        for name in (b"application/json", b"application/octet-stream")
    ]

    assert [answer.status == 415 for answer in answers] == [is_refused, is_refused]


@pytest.mark.parametrize(
    "types",
    [
        *([], [""], ["json"], ["APPLICATION/JSON"], ["application/merge-patch+json; a=b"]),
        *(["text/json"], ["text/plain", "application/json"], ["text/plain"], ["text/event-stream"]),
        *(["multipart/form-data; boundary=x"], ["application/x-www-form-urlencoded"]),
    ],
    ids=str,
)
def test_content_type_is_no_way_round(types: list[str]) -> None:
    headers = [(b"content-type", each.encode()) for each in types]

    answers = [
        post(*in_halves(b" \r\n\t" + FORGED), headers=headers),
        post(FORGED, headers=headers),
    ]

    assert [answer.seen[0].body for answer in answers] == [STRIPPED, STRIPPED]


@pytest.mark.parametrize("types", [[], [""], ["json"], ["text/x-json", "text/plain"]], ids=str)
def test_body_that_says_json_or_nothing_must_be_json_however_it_starts(types: list[str]) -> None:
    headers = [(b"content-type", each.encode()) for each in types]

    assert problem(post(b"knowledge_sources", headers=headers)) == (400, "json", "")


def test_byte_order_mark_hides_no_bracket() -> None:
    answer = post(b"\xef\xbb\xbf" + FORGED, headers=[(b"content-type", b"text/plain")])

    assert problem(answer) == (400, "json", "")


STRIPPABLE = [each for each in map(chr, range(sys.maxunicode + 1)) if not each.strip()]


@pytest.mark.parametrize("blank", STRIPPABLE, ids=ascii)
def test_nothing_that_python_strips_hides_a_bracket(blank: str) -> None:
    # Cut within the blank: chunks end anywhere.
    data = (blank * 2).encode() + FORGED
    text = [(b"content-type", b"text/plain; charset=utf-8")]

    answers = [post(data[:1], data[1:], headers=text), post(data, headers=text)]

    json_blanks = " \t\r\n"
    for answer in answers:
        if blank in json_blanks:
            assert answer.seen[0].body == STRIPPED
        else:
            assert problem(answer) == (400, "json", "")


@pytest.mark.parametrize("blank", STRIPPABLE, ids=ascii)
def test_charset_is_checked_behind_every_blank(blank: str) -> None:
    text = [(b"content-type", b"text/plain; charset=utf-7")]

    assert problem(post(blank.encode() + FORGED, headers=text)) == (415, "encoding", "")


OTHERS = {
    "form": (b"application/x-www-form-urlencoded", b"a=knowledge_sources&b=\\u0041"),
    "multipart": (b"multipart/form-data; boundary=x", b'--x\r\n\r\n{"knowledge_sources": \x00'),
    "text": (b"text/plain; charset=latin-1", b"  knowledge_sources \xff \\u0041"),
    "binary": (b"application/octet-stream", b"\x00\x01\\u0041knowledge_sources"),
    "blanks": (b"text/plain", b" \r\n"),
    "JSON behind a prefix": (b"text/plain", b")]}'\n" + FORGED),
    "JSON behind a line": (b"text/plain", b"1\n" + FORGED),
    "empty": (b"text/plain", b""),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_content_types_pass_untouched_and_without_limits(name: str) -> None:
    content_type, body = OTHERS[name]
    headers = [(b"content-type", content_type), (b"content-length", b"%d" % (10 * LIMIT))]
    rest = [b"{" * LIMIT] * 9 if body.strip() else []

    answer = post(*in_halves(body), *rest, headers=headers, limit_bytes=LIMIT)

    assert answer.seen[0].body == body + b"".join(rest)
    assert answer.seen[0].scope["headers"] == headers
    assert answer.seen[0].after == "http.disconnect"


def test_other_content_type_is_passed_on_while_it_arrives() -> None:
    log: list[str] = []

    async def receive() -> Any:
        log.append("asked")
        return {"type": "http.request", "body": b"\x01", "more_body": log.count("asked") < 3}

    async def app(_scope: Any, receive: Any, _send: Any) -> None:
        log.append("called")
        while (await receive())["more_body"]:
            log.append("got")

    scope = http_scope([(b"content-type", b"application/octet-stream")])
    asyncio.run(StrippingMiddleware(app)(scope, receive, unused))

    assert log == ["asked", "called", "got", "asked", "got", "asked"]
