"""What a caller sends loses the reserved keys of its artifacts, and nothing else."""

import copy
import dataclasses
import json
import sys
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType, SimpleNamespace
from typing import Any, NamedTuple

import pydantic.dataclasses
import pytest
from pydantic import BaseModel, ConfigDict

from core.mutated_messages import build_record, write_entry
from knowledge_contract.boundary import (
    strip_reserved,
)
from knowledge_wire.constants import RESERVED_KEYS

RECORD = build_record("Guide", "Ask before you deploy.")
TEXT = write_entry(1, RECORD)
ENVELOPE = {"knowledge_sources_version": 1, "knowledge_sources": [RECORD]}
MIXED = {**ENVELOPE, "retrieval_sources": [RECORD]}
DEEP = 100_000


class Open(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)

    artifact: Any = None
    resume: Any = None


@dataclasses.dataclass(frozen=True, slots=True)
class Frozen:
    artifact: Any = None
    resume: Any = None
    computed: int = dataclasses.field(default=7, init=False)


@dataclasses.dataclass
class Mutable:
    artifact: Any = None
    resume: Any = None


@pydantic.dataclasses.dataclass(frozen=True, slots=True)
class Validated:
    artifact: Any = None
    resume: Any = None


class Named(NamedTuple):
    artifact: Any = None
    resume: Any = None


OBJECT_TYPES: list[Callable[..., Any]] = [Open, Frozen, Mutable, Validated, Named, SimpleNamespace]


@pytest.mark.parametrize("key", RESERVED_KEYS)
def test_each_reserved_key_is_removed_from_an_artifact(key: str) -> None:
    assert strip_reserved({"artifact": {key: 1, "text": "hi"}}) == {"artifact": {"text": "hi"}}


CASES: dict[str, tuple[Any, Any]] = {
    "emptied in a mapping": ({"a": 1, "artifact": MIXED}, {"a": 1}),
    "in a list": ([[{"artifact": MIXED}]], [[{}]]),
    "in a tuple": (({"artifact": MIXED}, 1), ({}, 1)),
    "in a deque": (deque([{"artifact": MIXED}], maxlen=3), deque([{}], maxlen=3)),
    "in an artifact": ({"artifact": {"k": {"artifact": MIXED}}}, {"artifact": {"k": {}}}),
    "emptied twice": ({"artifact": {"artifact": MIXED}, "a": 1}, {"a": 1}),
    "below resume": ({"resume": {"a": [{"b": MIXED}]}}, {"resume": {"a": [{"b": {}}]}}),
    "resume itself": ({"resume": MIXED}, {"resume": {}}),
    "artifact below resume": ({"resume": {"artifact": MIXED, "a": 1}}, {"resume": {"a": 1}}),
    "resume in an artifact": (
        {"artifact": {"resume": {"a": MIXED}, **MIXED}},
        {"artifact": {"resume": {"a": {}}}},
    ),
    "pair": ([["artifact", {**MIXED, "k": 1}]], [["artifact", {"k": 1}]]),
    "emptied pair": ([("artifact", MIXED)], [("artifact", None)]),
    "pair below resume": ({"resume": ["artifact", MIXED]}, {"resume": ["artifact", {}]}),
    "resumed pair": ([("resume", [MIXED])], [("resume", [{}])]),
    "pending write": ([("id", "__resume__", {"a": MIXED})], [("id", "__resume__", {"a": {}})]),
    "constructor as artifact": (
        {"artifact": {"lc": 1, "kwargs": {"lc": 1, "kwargs": {**MIXED, "a": 1}}}},
        {"artifact": {"lc": 1, "kwargs": {"lc": 1, "kwargs": {"a": 1}}}},
    ),
    "read-only mapping": (MappingProxyType({"artifact": MIXED, "a": 1}), {"a": 1}),
    "ordered mapping": (OrderedDict(artifact=OrderedDict(MIXED), a=1), {"a": 1}),
    "keys of other types": ({1: {None: {"artifact": MIXED}}}, {1: {None: {}}}),
}


@pytest.mark.parametrize("name", CASES)
def test_reserved_keys_are_removed(name: str) -> None:
    value, expected = CASES[name]
    before = repr(value)

    stripped = strip_reserved(value)

    assert stripped == expected
    assert repr(value) == before
    assert strip_reserved(stripped) is stripped


@pytest.mark.parametrize(
    "value",
    [
        {"artifact": {"a": MIXED}},
        {"artifact": [MIXED]},
        {"artifact": json.dumps(MIXED)},
        {"Artifact": MIXED},
        {"knowledge_sources": [RECORD], "artifact": {"ok": 1}},
        {"artifact": {}},
        {"artifact": None},
        {"content": ["artifact", "x", MIXED]},
        {"content": ["artifact", [MIXED]]},
        {"artifact": {"kwargs": MIXED}},
        [],
        "artifact",
        b"artifact",
        None,
        object(),
        Open,
    ],
    ids=[
        "nested in an artifact",
        "artifact is a list",
        "artifact is text",
        "another key",
        "reserved keys at the top",
        "empty artifact",
        "no artifact",
        "words in a list",
        "a pair in a list",
        "kwargs in an artifact",
        "empty list",
        "text",
        "bytes",
        "nothing",
        "a plain object",
        "a class",
    ],
)
def test_value_without_an_envelope_comes_back_as_the_same_object(value: object) -> None:
    assert strip_reserved(value) is value


@pytest.mark.parametrize("make", OBJECT_TYPES)
def test_attribute_loses_the_keys_and_the_object_keeps_its_type(make: Callable[..., Any]) -> None:
    value = make(artifact={**MIXED, "k": 1}, resume=[{"a": MIXED}])
    before = copy.deepcopy(value)

    stripped = strip_reserved(value)

    assert stripped == make(artifact={"k": 1}, resume=[{"a": {}}])
    assert type(stripped) is type(value)
    assert value == before


@pytest.mark.parametrize("make", OBJECT_TYPES)
def test_emptied_attribute_becomes_none(make: Callable[..., Any]) -> None:
    assert strip_reserved([make(artifact=MIXED)]) == [make(artifact=None)]


@pytest.mark.parametrize("make", OBJECT_TYPES)
def test_object_without_an_envelope_stays_the_same(make: Callable[..., Any]) -> None:
    value = [make(artifact={"a": 1}, resume={"b": 2}), MIXED]

    assert strip_reserved(value) is value


def test_shared_empty_containers_are_no_cycle() -> None:
    value: Any = [(), (), {"artifact": {**MIXED, "k": ()}}]

    assert strip_reserved(value) == [(), (), {"artifact": {"k": ()}}]


class Generous(Mapping[str, Any]):
    """Gives a new object at each look."""

    def __getitem__(self, key: str) -> Any:
        return {"artifact": {**MIXED, "k": key}}

    def __iter__(self) -> Iterator[str]:
        return iter(("a", "b"))

    def __len__(self) -> int:
        return 2


def test_mapping_that_makes_its_members_is_stripped() -> None:
    expected = {"a": {"artifact": {"k": "a"}}, "b": {"artifact": {"k": "b"}}}

    assert strip_reserved([Generous()]) == [expected]


def test_extra_fields_are_fields() -> None:
    value = Open.model_validate({"artifact": {"a": 1}, "more": {"artifact": MIXED}})

    stripped = strip_reserved(value)

    assert stripped == Open.model_validate({"artifact": {"a": 1}, "more": {}})
    assert stripped.artifact is value.artifact


def test_only_containers_on_the_way_to_a_change_are_copied() -> None:
    clean, forged = {"a": [1]}, {"artifact": {"k": [2], **MIXED}}
    value = {"clean": clean, "forged": [forged, clean]}

    stripped: Any = strip_reserved(value)

    assert stripped["clean"] is clean
    assert stripped["forged"][1] is clean
    assert stripped["forged"][0]["artifact"]["k"] is forged["artifact"]["k"]


def test_order_of_keys_stays() -> None:
    stripped: Any = strip_reserved({"b": 1, "artifact": {"z": 1, **MIXED, "a": 2}, "a": 3})

    assert list(stripped) == ["b", "artifact", "a"]
    assert list(stripped["artifact"]) == ["z", "a"]


def test_one_object_in_two_roles_is_judged_in_each() -> None:
    shared = {**MIXED, "k": 1}

    stripped = strip_reserved({"artifact": shared, "other": shared, "resume": [shared]})

    assert stripped == {"artifact": {"k": 1}, "other": shared, "resume": [{"k": 1}]}


def test_shared_parts_stay_shared() -> None:
    shared = {"artifact": {**MIXED, "k": 1}}

    stripped = strip_reserved([shared, shared])

    assert stripped == [{"artifact": {"k": 1}}] * 2
    assert stripped[0] is stripped[1]


def test_shared_parts_cost_no_more_than_once() -> None:
    value: Any = {"artifact": MIXED}
    for _ in range(2_000):
        value = {"a": value, "resume": value, "artifact": value}

    stripped: Any = strip_reserved(value)

    assert list(stripped) == ["a", "resume", "artifact"]


WRAPPERS: dict[str, tuple[int, Callable[[Any], Any], Callable[[Any], Any]]] = {
    "list": (DEEP, lambda value: [value], lambda value: value[0]),
    "tuple": (DEEP, lambda value: (value,), lambda value: value[0]),
    "mapping": (DEEP, lambda value: {"a": value}, lambda value: value["a"]),
    "artifact": (DEEP, lambda value: {"artifact": value}, lambda value: value["artifact"]),
    "dataclass": (10_000, Mutable, lambda value: value.artifact),
    "named tuple": (10_000, Named, lambda value: value.artifact),
    "model": (10_000, lambda value: Open(artifact=value), lambda value: value.artifact),
}


@pytest.mark.parametrize("name", WRAPPERS)
def test_depth_has_no_bound(name: str) -> None:
    levels, wrap, unwrap = WRAPPERS[name]
    value: Any = {"artifact": MIXED, "leaf": 1}
    for _ in range(levels):
        value = wrap(value)

    stripped: Any = strip_reserved(value)

    for _ in range(levels):
        stripped = unwrap(stripped)
    assert stripped == {"leaf": 1}


def cyclic_list() -> Any:
    value: list[Any] = []
    value.append({"a": value})
    return value


def cyclic_resume() -> Any:
    value: dict[str, Any] = {}
    value["resume"] = value
    return value


def cyclic_object() -> Any:
    value = Mutable()
    value.artifact = {"k": [value]}
    return value


@pytest.mark.parametrize("make", [cyclic_list, cyclic_resume, cyclic_object])
def test_cyclic_value_is_refused_in_one_line(make: Callable[[], Any]) -> None:
    with pytest.raises(ValueError, match=r"^the value contains itself$"):
        strip_reserved(make())


def test_work_is_linear() -> None:
    def calls(messages: int) -> int:
        value = [{"type": "tool", "artifact": {**MIXED, "k": 1}} for _ in range(messages)]
        counted = Counter[str]()
        sys.setprofile(lambda _frame, event, _argument: counted.update((event,)))
        try:
            strip_reserved(value)
        finally:
            sys.setprofile(None)
        return counted["call"] + counted["c_call"]

    assert calls(2_000) < 11 * calls(200)
