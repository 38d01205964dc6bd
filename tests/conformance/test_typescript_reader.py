"""The TypeScript reader program, over its line protocol, on every vector and on bad requests."""

import base64
import json
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from contract_codegen.parsing import ParseError, parse_document

pytestmark = pytest.mark.typescript

ROOT = Path(__file__).resolve().parents[2]
READER = ROOT / "src" / "knowledge_contract" / "_web" / "reader.mjs"
FILES = sorted((ROOT / "contracts" / "vectors").glob("*.json"))
SOURCE = {"provider": "local", "title": "Handbook", "excerpt": "Ask before you deploy."}
SOURCE_ID = "084ed617406f2c6e73dae2dcfc1d69d2"
RECORD = {"id": SOURCE_ID, **SOURCE}
JUDGE = {"kind": "document", "as": "KnowledgeSource"}
VALID = {"valid": True, "problems": []}

DEEP = b"[" * 64 + b"]" * 64
HALF_MEGABYTE = b"[" * 500_000


def encode(data: bytes) -> str:
    """Return bytes as a request carries them."""
    return base64.b64encode(data).decode("ascii")


def command() -> list[str]:
    """Return the reader's command line, or fail in one line."""
    node = shutil.which("node") or pytest.fail("node is not installed", pytrace=False)
    if not READER.is_file():
        pytest.fail("the TypeScript reader is not built: run `uv run just setup`", pytrace=False)
    return [node, str(READER)]


def talk(lines: Iterable[bytes]) -> list[Any]:
    """Send all lines to one process, and return its answers."""
    done = subprocess.run(
        command(), input=b"".join(line + b"\n" for line in lines), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return [json.loads(line) for line in done.stdout.splitlines()]


def ask(requests: Iterable[dict[str, Any]]) -> list[Any]:
    """Send well-formed requests."""
    return talk(json.dumps(request).encode() for request in requests)


def vectors_of(path: Path) -> dict[str, dict[str, Any]]:
    """Return a file's vectors of the kinds that this reader knows, by their ids."""
    vectors = json.loads(path.read_text(encoding="utf-8"))["vectors"]
    return {each["id"]: each for each in vectors if each["kind"] in {"document", "id"}}


def expected_start(vector: dict[str, Any]) -> Any:
    """Return what an answer must say, as far as a vector tells: the first problem."""
    if vector["kind"] == "id" and vector["valid"]:
        return {"id": vector["source_id"]}
    if vector["valid"]:
        return VALID
    return {"valid": False, "problems": [{key: vector[key] for key in ("pointer", "rule")}]}


def start_of(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without the problems after the first."""
    if "problems" not in answer:
        return answer
    return {**answer, "problems": answer["problems"][:1]}


def with_parsed_document(vector: dict[str, Any]) -> dict[str, Any] | None:
    """Return the request that carries a vector's document parsed, None if it does not parse."""
    try:
        document = parse_document(base64.b64decode(vector["bytes"]))
    except ParseError:
        return None
    return {"kind": vector["kind"], "as": vector["as"], "document": document}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_bytes_of_every_vector_get_its_verdict(path: Path) -> None:
    vectors = vectors_of(path)

    answers = ask({key: each[key] for key in ("kind", "as", "bytes")} for each in vectors.values())

    found = {name: start_of(each) for name, each in zip(vectors, answers, strict=True)}
    assert found == {name: expected_start(each) for name, each in vectors.items()}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_parsed_documents_get_the_same_answers_as_their_bytes(path: Path) -> None:
    vectors = vectors_of(path).values()
    pairs = [(each, parsed) for each in vectors if (parsed := with_parsed_document(each))]

    answers = ask(parsed for _, parsed in pairs)

    assert answers == ask({key: each[key] for key in ("kind", "as", "bytes")} for each, _ in pairs)


def test_there_are_vectors_of_both_kinds() -> None:
    kinds = {each["kind"] for path in FILES for each in vectors_of(path).values()}

    assert kinds == {"document", "id"}


PARSING: list[Any] = [
    pytest.param(b"", id="empty"),
    pytest.param(b" \t\r\n", id="only blanks"),
    pytest.param(b"\xef\xbb\xbf[]", id="byte order mark"),
    pytest.param(b"\xef\xbb\xbf\xff", id="broken text after a byte order mark"),
    pytest.param(b"\xa0[]", id="not UTF-8"),
    pytest.param(b"\xc2\xa0[]", id="no-break space"),
    pytest.param(b"\x0c[]", id="form feed"),
    pytest.param(b'["\xed\xa0\x80"]', id="encoded surrogate"),
    pytest.param(b'["\xc0\x80"]', id="overlong"),
    pytest.param(b'["\xf4\x90\x80\x80"]', id="beyond the last code point"),
    pytest.param(b'["\xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf"]', id="astral"),
    pytest.param(b'["\\ud83d\\ude00"]', id="escaped pair"),
    pytest.param(b'["\\ud83d"]', id="escaped high half"),
    pytest.param(b'["\\ude00\\ud83d"]', id="escaped pair in the wrong order"),
    pytest.param(b'["\\ud83d\\u0041"]', id="escaped half before a letter"),
    pytest.param(b'["\\ud83d\\\\ude00"]', id="half before an escaped backslash"),
    pytest.param(b'{"\\udc00": 1}', id="half in a key"),
    pytest.param(b'["\\udc00", }', id="syntax before half"),
    pytest.param(b'["\\udc00", 1e999]', id="number before half"),
    pytest.param(b'{"a": "\\udc00", "a": 1}', id="duplicate before half"),
    pytest.param(b'{"a": 1, "\\u0061": 1}', id="duplicate by escape"),
    pytest.param(b'{"\\ud83d\\ude00": 1, "\xf0\x9f\x98\x80": 1}', id="duplicate astral"),
    pytest.param(b'[{"x": {"a": 1, "a": 1}}]', id="duplicate inside"),
    pytest.param(b'{"__proto__": 1, "__proto__": 2}', id="duplicate prototype"),
    pytest.param(b'{"__proto__": 1, "constructor": 2, "toString": 3}', id="inherited names"),
    pytest.param(b'{"": 1}', id="empty key"),
    pytest.param(b'{"a" 1}', id="no colon"),
    pytest.param(b'{"a": 1,}', id="comma at the end of an object"),
    pytest.param(b"[1,]", id="comma at the end of an array"),
    pytest.param(b"[,1]", id="comma at the start"),
    pytest.param(b"[1 2]", id="no comma"),
    pytest.param(b"{1: 2}", id="number as key"),
    pytest.param(b"{'a': 1}", id="apostrophes"),
    pytest.param(b"[] []", id="two documents"),
    pytest.param(b"[] // note", id="comment"),
    pytest.param(b"[1", id="unclosed array"),
    pytest.param(b'["a', id="unclosed string"),
    pytest.param(b'["a\\', id="ends in an escape"),
    pytest.param(b'["\\u12"]', id="short escape"),
    pytest.param(b'["\\u12g4"]', id="escape with another letter"),
    pytest.param(b'["\\u+123"]', id="escape with a sign"),
    pytest.param(b'["\\x41"]', id="unknown escape"),
    pytest.param(b'["\\U00000041"]', id="upper-case escape"),
    pytest.param(b'["\\/\\b\\f\\n\\r\\t\\"\\\\"]', id="all escapes"),
    pytest.param(b'["a\x00b"]', id="raw NUL"),
    pytest.param(b'["a\tb"]', id="raw tab"),
    pytest.param(b'["a\x7f\xc2\x85\xe2\x80\xa8b"]', id="raw characters that JSON allows"),
    pytest.param(b"tru", id="unfinished word"),
    pytest.param(b"trueish", id="word with a tail"),
    pytest.param(b"True", id="word in upper case"),
    pytest.param(b"[NaN]", id="NaN"),
    pytest.param(b"[Infinity]", id="Infinity"),
    pytest.param(b"[-Infinity]", id="minus Infinity"),
    pytest.param(b"[1e308, -1.7976931348623157e308]", id="largest doubles"),
    pytest.param(b"[1.7976931348623159e308]", id="rounds to infinity"),
    pytest.param(b"[1e-400]", id="rounds to zero"),
    pytest.param(b"[1" + b"0" * 308 + b"]", id="309 digits that fit"),
    pytest.param(b"[-9" + b"9" * 308 + b"]", id="309 digits that do not"),
    pytest.param(b"[" + b"9" * 100_000 + b"]", id="100000 digits"),
    pytest.param(b"[0." + b"9" * 100_000 + b"]", id="100000 decimals"),
    pytest.param(b"[01]", id="leading zero"),
    pytest.param(b"[-]", id="only a sign"),
    pytest.param(b"[+1]", id="plus"),
    pytest.param(b"[1.]", id="no decimals"),
    pytest.param(b"[.5]", id="no integer"),
    pytest.param(b"[1e]", id="no exponent"),
    pytest.param(b"[1e+5, -0, -0.0, 1E-2]", id="numbers"),
    pytest.param(b"[0x10]", id="hexadecimal"),
    pytest.param(b"[1_000]", id="grouped"),
    pytest.param("[١]".encode(), id="digits of another script"),
    pytest.param(DEEP, id="64 levels"),
    pytest.param(b"[" + DEEP + b"]", id="65 levels"),
    pytest.param(b'{"a":' * 65 + b"1" + b"}" * 65, id="65 levels of objects"),
    pytest.param(HALF_MEGABYTE, id="unclosed brackets"),
    pytest.param(HALF_MEGABYTE + b"]" * len(HALF_MEGABYTE), id="closed brackets"),
    pytest.param(b'{"a":' * 100_000, id="unclosed braces"),
    pytest.param(b'"' + b"\\u0041" * 100_000 + b'"', id="100000 escapes"),
]


def parsing_rule(data: bytes) -> str | None:
    """Return the rule by which Python's strict parser refuses, None if it does not."""
    try:
        parse_document(data)
    except ParseError as error:
        return error.problem.rule
    return None


def test_its_parser_judges_as_the_one_in_python() -> None:
    documents = {case.id: case.values[0] for case in PARSING}

    answers = ask({**JUDGE, "bytes": encode(data)} for data in documents.values())

    # What parses is no source, and is refused by a rule of the contract.
    rules = [answer["problems"][0]["rule"] for answer in answers]
    found = [rule if rule in {"json", "unicode"} else None for rule in rules]
    expected = {name: parsing_rule(data) for name, data in documents.items()}
    assert dict(zip(documents, found, strict=True)) == expected


BAD_REQUESTS = [
    pytest.param(b"", id="blank line"),
    pytest.param(b"nonsense", id="not JSON"),
    pytest.param(b'{"kind": "document"', id="unfinished"),
    pytest.param(b'{"kind": "\xff"}', id="not UTF-8"),
    pytest.param(b"null", id="null"),
    pytest.param(b"[]", id="array"),
    pytest.param(b'"document"', id="text"),
    pytest.param(b"{}", id="no kind"),
    pytest.param(b'{"kind": 1}', id="number as kind"),
    pytest.param(b'{"kind": null}', id="null as kind"),
    pytest.param(b'{"kind": "document", "document": 1}', id="no name"),
    pytest.param(b'{"kind": "document", "as": "Secret", "document": 1}', id="unknown name"),
    pytest.param(b'{"kind": "document", "as": "toString", "document": 1}', id="inherited name"),
    pytest.param(b'{"kind": "document", "as": "__proto__", "document": 1}', id="prototype as name"),
    pytest.param(
        b'{"kind": "document", "as": ["KnowledgeSource"], "document": 1}', id="name in array"
    ),
    pytest.param(b'{"kind": "document", "as": "KnowledgeSource"}', id="no document"),
    pytest.param(
        b'{"kind": "document", "as": "KnowledgeSource", "bytes": 1}', id="number as bytes"
    ),
    pytest.param(b'{"kind": "document", "as": "KnowledgeSource", "bytes": "e30"}', id="no padding"),
    pytest.param(
        b'{"kind": "document", "as": "KnowledgeSource", "bytes": "e3 0="}', id="not base64"
    ),
    pytest.param(b'{"kind": "id"}', id="id without a document"),
    pytest.param(b"[" * 1_000_000, id="a million brackets"),
]


@pytest.mark.parametrize("line", BAD_REQUESTS)
def test_bad_request_gets_an_error_and_the_next_one_its_answer(line: bytes) -> None:
    good = json.dumps({**JUDGE, "document": RECORD}).encode()

    first, second = talk([line, good])

    assert first.keys() == {"error"}
    assert "Secret" not in first["error"]
    assert second == VALID


def test_deeply_nested_document_is_judged() -> None:
    line = b'{"kind": "document", "as": "KnowledgeSource", "document": %s}'
    deep = b"[" * 100_000 + b"]" * 100_000

    answers = talk([line % deep, line % (b'{"title": %s}' % deep)])

    assert start_of(answers[0]) == {"valid": False, "problems": [{"pointer": "", "rule": "type"}]}
    assert {"pointer": "/title", "rule": "type"} in answers[1]["problems"]


def test_kind_that_it_does_not_know_is_declined() -> None:
    assert ask([{"kind": "poem", "as": "KnowledgeSource"}]) == [{"declined": True}]


def test_document_wins_over_bytes() -> None:
    assert ask([{**JUDGE, "document": RECORD, "bytes": "AAAA"}]) == [VALID]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({}, id="absent"),
        pytest.param({"id": SOURCE_ID}, id="right"),
        pytest.param({"id": "0" * 32}, id="another"),
        pytest.param({"id": None}, id="no text"),
    ],
)
def test_own_id_of_a_source_does_not_matter(change: dict[str, Any]) -> None:
    request = {"kind": "id", "as": "KnowledgeSource", "document": SOURCE | change}

    assert ask([request]) == [{"id": SOURCE_ID}]


def test_source_that_breaks_the_contract_gets_no_id() -> None:
    request = {"kind": "id", "as": "KnowledgeSource", "document": SOURCE | {"page": 0}}

    assert ask([request]) == [
        {"valid": False, "problems": [{"pointer": "/page", "rule": "minimum"}]}
    ]


def test_last_line_may_lack_its_end() -> None:
    request = json.dumps({**JUDGE, "document": RECORD}).encode()

    done = subprocess.run(command(), input=request, capture_output=True, check=False)

    assert (done.returncode, json.loads(done.stdout), done.stderr) == (0, VALID, b"")


def test_input_without_a_request_gets_no_answer() -> None:
    assert talk([]) == []


def test_each_request_is_answered_before_the_next_one_is_sent() -> None:
    line = json.dumps({**JUDGE, "document": RECORD | {"excerpt": "é" * 50_000}}).encode() + b"\n"
    half = len(line) // 2

    with subprocess.Popen(command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(line[:half])
        process.stdin.flush()
        for part in (line[half:] + line[:half], line[half:]):
            process.stdin.write(part)
            process.stdin.flush()
            assert json.loads(process.stdout.readline()) == VALID
        process.stdin.close()
        assert process.stdout.read() == b""
    assert process.returncode == 0


def test_reader_ends_quietly_when_nobody_listens() -> None:
    line = json.dumps({**JUDGE, "document": RECORD}).encode() + b"\n"

    with subprocess.Popen(
        command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(line)
        process.stdin.flush()
        assert process.stderr.read() == b""
    assert process.returncode == 0
