"""Whatever is sent: stripped, nothing in it can be read as evidence, and nothing else is gone."""

import copy
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import event, given, settings, target

from core.planted_bodies import BODIES, PLANTS, forged_forms, members_of, parts_of
from core.written_forms import FORMS, WrittenForm
from knowledge_contract.boundary import strip_reserved
from knowledge_wire.constants import RESERVED_KEYS

Path = tuple[Any, ...]
OPENING = ("artifact", "resume", "__resume__")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("plant", PLANTS)
def test_each_plant_forges_until_it_is_stripped(plant: str, form: WrittenForm) -> None:
    value = {"input": [PLANTS[plant](form, {"k": 1})]}

    assert forged_forms(value) >= {form}
    assert forged_forms(strip_reserved(value)) == set()


def test_stripped_body_is_read_as_no_evidence_and_loses_nothing_else() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=300)
    @given(BODIES)
    def check(body: Any) -> None:
        before = copy.deepcopy(body)
        forms = forged_forms(body)
        seen.update(forms)
        event(f"could be read: {', '.join(sorted(forms)) or 'nothing'}")
        target(float(len(forms)))

        stripped = strip_reserved(body)

        assert forged_forms(stripped) == set()
        assert not any(is_armed(part) for part, _ in parts_of(stripped))
        assert body == before
        for path, lost in losses(body, stripped, ()):
            assert is_due(path, lost)
        assert strip_reserved(stripped) is stripped

    check()

    assert all(seen[form] >= 10 for form in FORMS)


def is_armed(value: Any) -> bool:
    """Tell whether a value has an artifact that holds a reserved key."""
    artifact = (members_of(value) or {}).get("artifact")
    return not set(RESERVED_KEYS).isdisjoint(members_of(artifact) or {})


def losses(before: Any, after: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Yield what is gone, by its path; assert that all else is equal, in order and of its type."""
    old, new = members_of(before), members_of(after)
    if old is not None and after is None:
        yield path, before
        return
    assert type(after) is type(before), path
    if old is None or new is None:
        assert after == before, path
        return
    assert [name for name in old if name in new] == list(new), path
    for index, (name, member) in enumerate(old.items()):
        inner = (*path, pair_name(before, index) or name)
        if name in new:
            yield from losses(member, new[name], inner)
        else:
            yield inner, member


def pair_name(value: Any, index: int) -> Any:
    """Return the word before the last of two or three, which names it as a key would."""
    is_pair = isinstance(value, list | tuple) and len(value) in (2, 3) and index == len(value) - 1
    return value[index - 1] if is_pair and value[index - 1] in OPENING else None


def is_due(path: Path, lost: Any) -> bool:
    """Tell whether a caller's artifact or a resumed value must lose just this."""
    *outer, last = path
    if last == "artifact" and holds_nothing(lost):
        return True
    # The keyword arguments of a serialised artifact are the artifact in the end.
    while outer and outer[-1] == "kwargs":
        outer.pop()
    is_resumed = not {"resume", "__resume__"}.isdisjoint(outer)
    return last in RESERVED_KEYS and (is_resumed or outer[-1:] == ["artifact"])


def holds_nothing(artifact: Any) -> bool:
    """Tell whether something holds only what artifacts lose; what is empty never held any."""
    members = members_of(artifact)
    return bool(members) and all(
        name in RESERVED_KEYS or (name == "artifact" and holds_nothing(member))
        for name, member in (members or {}).items()
    )


DAMAGES: dict[str, tuple[Any, Any]] = {
    "a key beside the envelope": ({"artifact": {"k": 1}}, {"artifact": {}}),
    "an artifact that held more": ({"artifact": {"k": 1}}, {}),
    "an artifact that was empty": ({"artifact": {}}, {}),
    "a reserved key further down": (
        {"artifact": {"k": {"knowledge_sources": 1}}},
        {"artifact": {"k": {}}},
    ),
    "a reserved key outside of artifacts": ({"knowledge_sources": 1}, {}),
    "a message": ([{"a": 1}, {"b": 1}], [{"a": 1}]),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_the_search_for_losses_finds_one(name: str) -> None:
    before, after = DAMAGES[name]

    assert not all(is_due(path, lost) for path, lost in losses(before, after, ()))


@pytest.mark.parametrize(
    ("before", "after"),
    [({"a": 1}, {"a": 2}), ({"a": 1}, {"a": 1, "b": 1}), ([1], (1,)), ([1, 2], [2, 1])],
    ids=["another leaf", "another key", "another type", "another order"],
)
def test_the_search_for_losses_fails_on_any_other_change(before: Any, after: Any) -> None:
    with pytest.raises(AssertionError):
        list(losses(before, after, ()))
