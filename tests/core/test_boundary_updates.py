"""What steers, echoes or is no authority's, by value; the framework's own objects elsewhere."""

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from core.mutated_messages import build_record
from knowledge_contract.boundary import (
    drop_echoed,
    evidence_ids,
    gate_result,
    refuse_steering,
)
from knowledge_wire.parsing import Problem

RECORD = build_record("Guide", "Ask before you deploy.")
ENVELOPE = {"knowledge_sources_version": 1, "knowledge_sources": [RECORD]}
MIXED = {**ENVELOPE, "retrieval_sources": [RECORD]}


@pytest.mark.parametrize(
    ("update", "problems"),
    [
        ({"messages": {"__overwrite__": []}}, [("/messages", "form")]),
        ({"messages": {"__overwrite__": [], "x": 1}}, [("/messages", "form")]),
        ({"messages": {"type": "__overwrite__", "value": []}}, [("/messages", "form")]),
        ({"messages": [{"type": "remove", "id": "__remove_all__"}]}, [("/messages/0", "form")]),
        ({"messages": {"type": "remove", "id": "__remove_all__"}}, [("/messages", "form")]),
        (
            {"messages": ["x", {"lc": 1, "kwargs": {"lc": 1, "kwargs": {"id": "__remove_all__"}}}]},
            [("/messages/1", "form")],
        ),
        (
            {"messages": [{"type": "remove", "data": {"id": "__remove_all__"}}]},
            [("/messages/0", "form")],
        ),
        ({"goto": "tools"}, [("/goto", "form")]),
        ({"update": {"messages": []}, "goto": ["a"], "resume": 1}, [("/goto", "form")]),
        (
            {"values": {"a/b~": {"__overwrite__": 1}}, "as_node": "x"},
            [
                ("/values/a~1b~0", "form"),
                ("/as_node", "form"),
            ],
        ),
        ({"secret": 1, "other": 2, "messages": []}, [("", "additionalProperties")]),
        ({"update": {"secret": 1}}, [("/update", "additionalProperties")]),
        ({"update": {"goto": "x"}}, [("/update", "additionalProperties")]),
        ({"update": {"update": {"messages": []}}}, [("/update", "additionalProperties")]),
        ({"update": [["messages", {"__overwrite__": 1}]]}, [("/update/0/1", "form")]),
        (
            {"update": [["secret", 1], 5]},
            [("/update/0", "additionalProperties"), ("/update/1", "type")],
        ),
        ({"update": {"__overwrite__": {}}}, [("/update", "form")]),
        ({"__overwrite__": {}}, [("", "form")]),
        ([["messages", {"__overwrite__": 1}]], [("/0/1", "form")]),
        (
            [[{"values": {}, "as_node": "x"}], {"secret": 1}],
            [
                ("/0/0/as_node", "form"),
                ("/1", "additionalProperties"),
            ],
        ),
        ([[[{"messages": []}]]], [("/0/0", "type")]),
        ("messages", [("", "type")]),
        ({"update": "x"}, [("/update", "type")]),
    ],
    ids=str,
)
def test_steering_is_refused_by_place_and_rule(
    update: Any, problems: list[tuple[str, str]]
) -> None:
    found = refuse_steering(update, state_keys=["messages", "a/b~"])

    assert [(each.pointer, each.rule) for each in found] == problems
    assert "secret" not in repr(found)


@pytest.mark.parametrize(
    "update",
    [
        None,
        {},
        [],
        {"messages": [{"type": "human", "content": "__overwrite__", "id": "m"}]},
        {"messages": {"type": "remove", "id": "m1"}},
        {"goto": [], "as_node": None, "graph": "", "resume": {"goto": "x"}, "update": None},
        {"messages": [{"content": [{"__overwrite__": 1}]}]},
        [["messages", []]],
    ],
    ids=str,
)
def test_ordinary_update_is_accepted(update: Any) -> None:
    assert refuse_steering(update, state_keys={"messages"}) == ()


def test_state_keys_win_over_the_names_of_a_command() -> None:
    update = {"goto": "x", "values": {"secret": 1}}

    assert refuse_steering(update, state_keys={"goto", "values"}) == ()


def test_cyclic_or_deep_update_is_judged() -> None:
    cyclic: dict[str, Any] = {}
    cyclic["update"] = cyclic
    echo: dict[str, Any] = {"lc": 1}
    echo["kwargs"] = echo

    assert refuse_steering(cyclic, state_keys=()) == (Problem("/update", "additionalProperties"),)
    assert refuse_steering({"m": echo}, state_keys=("m",)) == ()
    assert drop_echoed([echo], {"t1"}) == [echo]


def test_echo_at_any_nesting_is_dropped() -> None:
    echo: dict[str, Any] = {"id": "t1"}
    for _ in range(sys.getrecursionlimit() * 2):
        echo = {"lc": 1, "kwargs": echo}

    assert drop_echoed([echo], {"t1"}) == []


def test_nothing_is_dropped_where_nothing_is_stored() -> None:
    messages = [{"id": "t1"}]

    assert evidence_ids([]) == frozenset()
    assert drop_echoed(messages, frozenset()) is messages


def test_role_makes_a_stored_dict_a_tool_message() -> None:
    assert evidence_ids({"role": "tool", "id": "t1", "artifact": MIXED}) == {"t1"}


def test_tool_is_an_authority_by_identity_only() -> None:
    metadata = {"knowledge_capabilities": {"operations": ["sources"]}}
    tool, twin = (SimpleNamespace(name="search", metadata=metadata) for _ in range(2))
    result = {"artifact": ENVELOPE}

    assert gate_result(result, tool, authorities=[tool]) is result
    assert gate_result(result, twin, authorities=[tool]) == {}


@pytest.mark.parametrize("metadata", [None, {}, {"knowledge_capabilities": None}, 5, "sources"])
def test_authority_without_its_advertisement_is_stripped(metadata: object) -> None:
    tool = SimpleNamespace(metadata=metadata)

    assert gate_result([{"artifact": ENVELOPE}], tool, authorities=[tool]) == [{}]
