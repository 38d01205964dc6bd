"""Small rules of the boundary, each on the least message or update that shows it."""

from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from knowledge_contract.boundary import drop_echoed, gate_result, refuse_steering
from knowledge_wire.parsing import Problem


class Overwrite(NamedTuple):
    """Known by its name alone."""

    value: list[object]


class Renamed(NamedTuple):
    """Known by its type alone."""

    value: list[object]
    type: str = "__overwrite__"


class LeastCommand(NamedTuple):
    """A command with no more than commands are known by."""

    update: object = None
    resume: object = None
    goto: object = ()


class LeastUpdate(NamedTuple):
    """A state update with no more than such are known by."""

    values: object = None
    as_node: object = None


@pytest.mark.parametrize("overwrite", [Overwrite([]), Renamed([])], ids=["name", "type"])
def test_overwrite_object_is_refused_by_its_name_or_its_type(overwrite: object) -> None:
    problems = refuse_steering({"messages": overwrite}, state_keys={"messages"})

    assert problems == (Problem("/messages", "form"),)


@pytest.mark.parametrize("overwrite", [Overwrite([]), Renamed([])], ids=["name", "type"])
def test_overwrite_object_is_refused_as_the_whole_update(overwrite: object) -> None:
    assert refuse_steering(overwrite, state_keys={"value", "type"}) == (Problem("", "form"),)


@pytest.mark.parametrize(
    ("update", "pointer"),
    [(LeastCommand(goto="tools"), "/goto"), (LeastUpdate(as_node="tools"), "/as_node")],
    ids=["Command", "StateUpdate"],
)
def test_object_that_is_a_command_steers_even_where_its_fields_are_state_keys(
    update: object, pointer: str
) -> None:
    problems = refuse_steering(update, state_keys={"goto", "as_node", "update", "values"})

    assert problems == (Problem(pointer, "form"),)


def test_mapping_like_a_command_is_a_state_where_its_keys_are_state_keys() -> None:
    update = {"update": None, "resume": None, "goto": "home"}

    assert refuse_steering(update, state_keys={"goto"}) == ()


def test_steering_behind_a_state_key_is_refused() -> None:
    problems = refuse_steering({"messages": [], "goto": "tools"}, state_keys={"messages"})

    assert problems == (Problem("/goto", "form"),)


def test_echo_behind_a_part_that_contains_itself_is_dropped() -> None:
    endless: dict[str, Any] = {}
    endless["data"] = endless
    echo = {"lc": 1, "data": {"id": "stored"}, "kwargs": endless}

    assert drop_echoed([echo], {"stored"}) == []


def test_id_in_broken_bytes_counts_as_the_text_that_it_becomes() -> None:
    assert drop_echoed([{"id": b"a\xff"}], {"a\N{REPLACEMENT CHARACTER}"}) == []


def test_keyword_arguments_without_a_constructor_hold_no_id() -> None:
    messages = [{"type": "human", "kwargs": {"id": "stored"}}]

    assert drop_echoed(messages, {"stored"}) is messages


def test_authority_without_metadata_advertises_nothing() -> None:
    authority = SimpleNamespace(name="search")
    result: dict[str, Any] = {"artifact": {"knowledge_sources": []}}

    assert gate_result(result, authority, authorities=[authority]) == {}
