"""The one pass over shape and id gives the verdict of the two checks that it replaces."""

from random import Random
from typing import Any

import pytest

from core.slow_reader import id_slowly
from knowledge_wire import sampler
from knowledge_wire.identity import source_id
from knowledge_wire.proof import is_proven_knowledge_source
from knowledge_wire.validators import is_knowledge_source

NAME = "KnowledgeSource"


def is_proven_in_two_steps(value: object) -> bool:
    return is_knowledge_source(value) and source_id(value) == value["id"]


def signed(record: dict[str, Any]) -> dict[str, Any]:
    return {**record, "id": id_slowly(record)}


def seeded(index: int) -> Random:
    return Random(f"proof/{index}")  # noqa: S311 - test data, no secret


def test_sampled_record_is_proven_under_its_own_id_and_under_no_other() -> None:
    for index in range(5_000):
        record = sampler.sample(seeded(index), NAME)
        assert is_proven_knowledge_source(signed(record))
        assert not is_proven_knowledge_source(record)


def test_near_miss_gets_the_verdict_of_the_two_steps() -> None:
    proven = 0
    for index in range(10_000):
        document = sampler.near_miss(seeded(index), NAME).document
        assert not is_proven_knowledge_source(document)
        # The id is right wherever one can be computed, so that only the shape refuses.
        try:
            document = signed(document)
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
            continue
        verdict = is_proven_knowledge_source(document)
        assert verdict == is_proven_in_two_steps(document)
        proven += verdict
    # What was wrong with its id only is right again.
    assert 0 < proven < 5_000


def test_damaged_record_gets_the_verdict_of_the_two_steps() -> None:
    for index in range(10_000):
        document = sampler.scramble(seeded(index), NAME)
        assert is_proven_knowledge_source(document) == is_proven_in_two_steps(document)
        try:
            document = signed(document)
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
            continue
        assert is_proven_knowledge_source(document) == is_proven_in_two_steps(document)


RECORD = signed({"provider": "local", "title": "Guide", "excerpt": "Ask.", "page": 3})


class Text(str):
    """Text of another class, such as an enumeration's."""

    __slots__ = ()


class Table(dict[str, Any]):
    """A mapping of another class."""


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (RECORD, True),
        ({**RECORD, "page": 3.0}, True),
        (dict(reversed(RECORD.items())), True),
        ({**RECORD, "page": 3.5}, False),
        ({**RECORD, "page": True}, False),
        ({**RECORD, "page": "3"}, False),
        ({**RECORD, "page": None}, False),
        ({**RECORD, "page": float("nan")}, False),
        ({**RECORD, "page": float("inf")}, False),
        ({**RECORD, "page": 10**400}, False),
        ({**RECORD, "url": ""}, False),
        ({**RECORD, "url": None}, False),
        ({**RECORD, "dataset_name": ""}, False),
        ({**RECORD, "dataset_name": "\ud800"}, False),
        ({**RECORD, "excerpt": "Ask.\ud800"}, False),
        ({**RECORD, "id": "\ud800"}, False),
        ({**RECORD, "id": RECORD["id"].upper()}, False),
        ({**RECORD, "id": RECORD["id"] + "\n"}, False),
        ({**RECORD, "id": RECORD["id"].encode()}, False),
        ({**RECORD, "id": Text(RECORD["id"])}, False),
        ({**RECORD, "excerpt": Text("Ask.")}, False),
        ({**RECORD, "extra": 1}, False),
        (dict.fromkeys((*RECORD, 1)), False),
        (Table(RECORD), False),
        (list(RECORD.items()), False),
        (tuple(RECORD), False),
        ({}, False),
        (None, False),
        (RECORD["id"], False),
    ],
)
def test_live_value_is_proven_only_if_it_is_plain_and_right(
    value: object,
    expected: bool,  # noqa: FBT001 - expected value
) -> None:
    assert is_proven_knowledge_source(value) is expected
    assert is_proven_in_two_steps(value) is expected


def test_page_is_part_of_the_id_and_absence_is_not_a_page() -> None:
    without = {key: value for key, value in RECORD.items() if key != "page"}

    assert not is_proven_knowledge_source(without)
    assert is_proven_knowledge_source(signed(without))
