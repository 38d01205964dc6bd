"""No spelling, nesting or form of a forged body gets through; clean bodies arrive whole."""

import copy
import itertools
import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from core.forged_lives import escape, lives_of, proven
from core.forged_messages import FURTHER, JSON_FORMS
from gateway.exchanges import JSON_TYPE, post
from knowledge_wire.constants import RESERVED_KEYS

STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def escape_letters(text: str) -> str:
    """Escape every other letter, and every slash, of a string without escapes."""
    if "\\" in text:
        return text
    spelled = [
        f"\\u{ord(each):04X}" if each.isalpha() and index % 2 else each
        for index, each in enumerate(text)
    ]
    return "".join(spelled).replace("/", "\\/")


def mix(value: Any) -> str:
    """Spell a document with its strings raw, escaped and partly escaped in turn."""
    spellings: tuple[Callable[[str], str], ...] = (str, escape, escape_letters)
    turns = itertools.cycle(spellings)
    text = json.dumps(value, ensure_ascii=False)
    return STRING.sub(lambda found: next(turns)(found[0]), text)


ENCODINGS: dict[str, Callable[[Any], str]] = {
    "raw": lambda value: json.dumps(value, ensure_ascii=False),
    "escaped": lambda value: escape(json.dumps(value)),
    "slashes": lambda value: json.dumps(value, indent="\t").replace("/", "\\/"),
    "mixed": mix,
}


class Nesting(NamedTuple):
    """How a message stands in a body, and how to find it again."""

    wrap: Callable[[Any], Any]
    unwrap: Callable[[Any], Any]


NESTINGS = {
    "run input": Nesting(
        lambda message: {"input": {"messages": [message]}},
        lambda body: body["input"]["messages"][0],
    ),
    "single message": Nesting(lambda message: message, lambda body: body),
    "command": Nesting(
        lambda message: {"command": {"update": {"messages": [message]}, "goto": []}},
        lambda body: body["command"]["update"]["messages"][0],
    ),
    "pairs": Nesting(
        lambda message: {"update": [["messages", [message]]]},
        lambda body: body["update"][0][1][0],
    ),
    "overwrite": Nesting(
        lambda message: {"values": {"messages": {"__overwrite__": [message]}}},
        lambda body: body["values"]["messages"]["__overwrite__"][0],
    ),
    "batch": Nesting(
        lambda message: [{"input": None}, {"input": [[message]]}],
        lambda body: body[1]["input"][0][0],
    ),
    "supersteps": Nesting(
        lambda message: {"supersteps": [{"updates": [{"values": message, "as_node": "a"}]}]},
        lambda body: body["supersteps"][0]["updates"][0]["values"],
    ),
}

FORGING = {
    name: form
    for name, form in {**JSON_FORMS, "pairs": FURTHER["additional_kwargs as pairs"]}.items()
    if any(proven(each) for each in lives_of(copy.deepcopy(form)))
}


class Forged(NamedTuple):
    """A body, and how to find its message again."""

    body: bytes
    unwrap: Callable[[Any], Any]


def forged_bodies() -> dict[str, Forged]:
    """Return forty bodies: each form that forges, in turn through nestings and encodings."""
    bodies = {}
    for index in range(40):
        form = list(FORGING)[index % len(FORGING)]
        nesting = list(NESTINGS)[index % len(NESTINGS)]
        encoding = list(ENCODINGS)[(index + index // len(ENCODINGS)) % len(ENCODINGS)]
        text = ENCODINGS[encoding](NESTINGS[nesting].wrap(FORGING[form]))
        name = f"{index}: {form}, {nesting}, {encoding}"
        bodies[name] = Forged(text.encode(), NESTINGS[nesting].unwrap)
    return bodies


FORGED = forged_bodies()


def evidence_in(message: Any) -> list[object]:
    return [each for each in lives_of(message) if proven(each)]


@pytest.mark.parametrize("name", FORGED)
def test_forged_body_is_no_evidence_now_nor_after_three_round_trips(name: str) -> None:
    body, unwrap = FORGED[name]

    answer = post(body[:50], body[50:])

    assert evidence_in(unwrap(json.loads(body)))
    assert evidence_in(unwrap(json.loads(answer.seen[0].body))) == []


def test_the_table_uses_every_form_nesting_and_encoding() -> None:
    used = [name.partition(": ")[2] for name in FORGED]

    assert len(set(used)) == 40
    assert len(FORGING) >= 18
    for name in (*FORGING, *NESTINGS, *ENCODINGS):
        assert any(name in each for each in used), name


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", JSON_FORMS)
def test_no_form_in_any_encoding_gets_through(name: str, encoding: str) -> None:
    wrap, unwrap = NESTINGS["run input"]

    answer = post(ENCODINGS[encoding](wrap(JSON_FORMS[name])).encode())

    assert evidence_in(unwrap(json.loads(answer.seen[0].body))) == []


def without_reserved(form: Any) -> Any:
    if isinstance(form, dict):
        kept = {key: each for key, each in form.items() if key not in RESERVED_KEYS}
        return {key: without_reserved(each) for key, each in kept.items()}
    return [without_reserved(each) for each in form] if isinstance(form, list | tuple) else form


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_clean_bodies_arrive_as_the_very_same_bytes(encoding: str) -> None:
    for nesting in NESTINGS.values():
        for name, form in FORGING.items():
            body = ENCODINGS[encoding](nesting.wrap(without_reserved(form))).encode()
            headers = [JSON_TYPE, (b"content-length", b"%d" % len(body))]

            answer = post(body[:50], body[50:], headers=headers)

            assert answer.seen[0].body == body, name
            assert answer.seen[0].scope["headers"] == headers
