"""A JSON body loses the reserved keys of its artifacts, and is only parsed if it must be."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.mutated_messages import build_record, write_entry
from knowledge_contract.boundary import (
    may_hold_reserved,
    strip_body,
    strip_reserved,
)
from knowledge_contract.reading import read_message
from knowledge_wire.constants import DOCUMENT_DEPTH, RESERVED_KEYS
from knowledge_wire.parsing import ParseError, Problem

RECORD = build_record("Guide", "Ask before you deploy.")
TEXT = write_entry(1, RECORD)
ENVELOPE = {"knowledge_sources_version": 1, "knowledge_sources": [RECORD]}
MIXED = {**ENVELOPE, "retrieval_sources": [RECORD]}
DEEP = 100_000


CLEAN_BODIES = [
    b'{"input": {"messages": [{"artifact": {"a": 1}}]}}',
    b'{ "a" : 1.0, "a": 2 } trailing',
    b"\xff\xfe",
    b"",
    '{"a": "\\u65e5 日本"}'.encode(),
    b'{"a": "knowledge sources"}',
    b'{"a": "caf\\u00e9 \\u001b[0m \\u0026 \\u003C \\u0041 \\u007b", "a": 1}',
]


@pytest.mark.parametrize("body", CLEAN_BODIES, ids=repr)
def test_body_that_cannot_spell_a_reserved_key_is_not_parsed(body: bytes) -> None:
    assert strip_body(body) is body


@pytest.mark.parametrize(
    "body",
    [
        b'{ "text": "about knowledge_sources" }',
        b'{ "text": "\\u0061" }',
        b'{ "retrieval_sources": [1], "artifact": { "a": 1 } }',
        b"[ ]\n",
        b'"knowledge_sources"',
    ],
    ids=repr,
)
def test_parsed_body_without_an_envelope_is_the_same_object(body: bytes) -> None:
    assert strip_body(body) is body


def test_changed_body_is_compact_utf8() -> None:
    body = '{"a": [1, "日本 \\u0041"], "artifact": {"retrieval_sources": [], "k": 1e2}}'.encode()

    assert strip_body(body) == '{"a":[1,"日本 A"],"artifact":{"k":100.0}}'.encode()


_SPELLINGS = (
    lambda letter: letter,
    lambda letter: f"\\u{ord(letter):04x}",
    lambda letter: f"\\u{ord(letter):04X}",
)


@given(key=st.sampled_from(RESERVED_KEYS), data=st.data())
def test_no_spelling_of_a_reserved_key_is_missed(key: str, data: st.DataObject) -> None:
    spelled = "".join(data.draw(st.sampled_from(_SPELLINGS))(letter) for letter in key)

    assert json.loads(f'"{spelled}"') == key
    assert may_hold_reserved(f'{{"{spelled}":1}}'.encode())


@pytest.mark.parametrize("key", RESERVED_KEYS)
def test_one_escaped_letter_of_a_reserved_key_is_enough(key: str) -> None:
    spelled = [
        key[:index] + spell(letter) + key[index + 1 :]
        for index, letter in enumerate(key)
        for spell in _SPELLINGS
    ]

    assert [each for each in spelled if not may_hold_reserved(each.encode())] == []


@pytest.mark.parametrize("root", [b"[%s]", b'{"x":[[%s]]}', b"%s"], ids=["list", "nested", "root"])
def test_escaped_names_are_no_way_round(root: bytes) -> None:
    escaped = (
        b'{"k":1,"\\u0061rtifact":{"knowledge\\u005fsources":[],"retrieval_source\\u0073":[]}}'
    )

    assert strip_body(root % escaped) == root % b'{"k":1}'


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        (b'{"artifact": {"knowledge_sources": []}', "json"),
        (b'{"artifact": {}, "artifact": {"knowledge_sources": []}}', "json"),
        (b'{"a": "knowledge_sources", "b": NaN}', "json"),
        (b'{"a": "\\u0061"} x', "json"),
        (b'\xef\xbb\xbf{"knowledge_sources": 1}', "json"),
        (b'"knowledge_sources \xff"', "unicode"),
        (b'{"knowledge_sources": "\\ud800"}', "unicode"),
        ('{"artifact": {"knowledge_sources": []}}'.encode("utf-16"), "unicode"),
        ('{"artifact": {"knowledge_sources": []}}'.encode("utf-16-le"), "json"),
        ('{"artifact": {"knowledge_sources": []}}'.encode("utf-32-be"), "json"),
        (
            b"[" * (DOCUMENT_DEPTH + 1) + b'"knowledge_sources"' + b"]" * (DOCUMENT_DEPTH + 1),
            "json",
        ),
        (b'["knowledge_sources",' + b"[" * DEEP, "json"),
    ],
    ids=[
        *("cut", "duplicate key", "NaN", "trailing text", "byte order mark", "not UTF-8"),
        *("lone surrogate", "UTF-16", "UTF-16-LE", "UTF-32-BE", "one level too deep", "brackets"),
    ],
)
def test_body_that_could_hide_a_key_is_parsed_strictly(body: bytes, rule: str) -> None:
    with pytest.raises(ParseError) as caught:
        strip_body(body)

    assert caught.value.problem == Problem("", rule)


def test_deepest_body_is_stripped() -> None:
    levels = DOCUMENT_DEPTH - 2
    body = b"[" * levels + b'{"artifact":{"knowledge_sources":1}}' + b"]" * levels

    assert strip_body(body) == b"[" * levels + b"{}" + b"]" * levels


_keys = st.sampled_from(
    (*RESERVED_KEYS, "artifact", "additional_kwargs", "resume", "kwargs", "data", "lc", "a", "b")
)
_message = {"type": "tool", "content": TEXT, "tool_call_id": "c1"}
_leaves = st.sampled_from((None, True, 0, 1, "artifact", "resume", "tool", TEXT, RECORD["id"]))
_planted = st.sampled_from(
    (
        {**_message, "artifact": ENVELOPE},
        {**_message, "artifact": {**MIXED, "k": 1}},
        {**_message, "additional_kwargs": {"artifact": ENVELOPE}},
        {**_message, "additional_kwargs": [["artifact", ENVELOPE]]},
        {"lc": 1, "type": "constructor", "kwargs": {**_message, "artifact": ENVELOPE}},
        {"type": "tool", "data": {**_message, "artifact": ENVELOPE}},
        {"artifact": {"lc": 1, "kwargs": ENVELOPE}},
        {**_message, **ENVELOPE},
        ENVELOPE,
    )
)
BODIES = st.recursive(
    _leaves | _planted,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys, inner, max_size=4),
    max_leaves=25,
)


def mappings_of(value: Any) -> list[dict[str, Any]]:
    found, pending = [], [value]
    while pending:
        current = pending.pop()
        if isinstance(current, dict):
            found.append(current)
            pending.extend(current.values())
        elif isinstance(current, list):
            pending.extend(current)
    return found


def strip_slowly(value: Any, role: str = "") -> Any:
    """Say the rule again, recursively and for JSON only."""
    if isinstance(value, list):
        roles = [role if role == "resume" else ""] * len(value)
        *names, last = value if 2 <= len(value) <= 3 else [None]
        texts = all(not isinstance(each, dict | list) for each in names)
        named = bool(names) and texts and isinstance(last, dict | list)
        if named and names[-1] in ("artifact", "resume") and not roles[-1]:
            roles[-1] = names[-1]
        entries = [strip_slowly(each, at) for each, at in zip(value, roles, strict=True)]
        if roles[-1:] == ["artifact"] and entries[-1] == {} and last != {}:
            entries[-1] = None
        return entries
    if not isinstance(value, dict):
        return value
    kept = {}
    for key, each in value.items():
        if role and key in RESERVED_KEYS:
            continue
        inner_role = role if role == "resume" else key if key in ("artifact", "resume") else ""
        if role == "artifact" and "lc" in value and key == "kwargs":
            inner_role = "artifact"
        new = strip_slowly(each, inner_role)
        if key != "artifact" or new != {} or each == {}:
            kept[key] = new
    return kept


@settings(max_examples=400)
@given(BODIES)
def test_stripped_body_holds_no_evidence_and_loses_nothing_else(body: Any) -> None:
    data = json.dumps(body).encode()

    stripped = strip_reserved(body)

    assert stripped == strip_slowly(body)
    assert (stripped is body) == (stripped == body)
    assert json.loads(data) == body
    assert json.loads(strip_body(data)) == stripped
    assert strip_reserved(stripped) is stripped
    for mapping in mappings_of(stripped):
        inner = mapping.get("data")
        assert not read_message(mapping).evidence
        assert not read_message({**_message, **(inner if isinstance(inner, dict) else {})}).evidence


def test_the_planted_bodies_would_be_read() -> None:
    assert read_message({**_message, "artifact": ENVELOPE}).evidence
