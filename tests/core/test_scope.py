"""A scope is judged as a whole, made canonical, and never wider than asked for and allowed."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge_contract.scope import (
    ALL,
    Allowed,
    Refusal,
    Scope,
    admit_scope,
    canonical_json,
    read_mode,
)
from knowledge_wire.constants import SCOPE_BYTES, SCOPE_DOCUMENT_COUNT
from knowledge_wire.parsing import Problem
from knowledge_wire.strategies import knowledge_scope
from knowledge_wire.validators import is_knowledge_scope

EVERYTHING = Allowed()
HIDDEN = "ds-secret-7"


def selected(*datasets: str, **changes: Any) -> dict[str, Any]:
    return {"version": 1, "mode": "selected", "dataset_ids": list(datasets or ("a",)), **changes}


def narrowed(dataset: str, *documents: str) -> dict[str, Any]:
    return {"dataset_id": dataset, "document_ids": list(documents)}


def snapshot(result: Scope | Refusal) -> Any:
    assert isinstance(result, Scope), result
    return result.snapshot


def problem(result: Scope | Refusal) -> Problem:
    assert isinstance(result, Refusal), result
    return result.problem


def test_nothing_asked_for_is_all() -> None:
    assert snapshot(admit_scope(None, allowed=EVERYTHING)) == ALL


@pytest.mark.parametrize("mode", ["all", "disabled"])
def test_plain_mode_is_admitted_with_an_integer_version(mode: str) -> None:
    admitted = snapshot(admit_scope({"version": 1.0, "mode": mode}, allowed=EVERYTHING))

    assert canonical_json(admitted) == b'{"mode":"%s","version":1}' % mode.encode()


def test_ids_are_trimmed_and_unique_in_their_order() -> None:
    scope = selected(
        " b ",
        "a",
        "b\u3000",
        document_filters=[narrowed("\tb", "2", " 1", "2 "), narrowed("a", "1")],
    )

    assert snapshot(admit_scope(scope, allowed=EVERYTHING)) == selected(
        "b", "a", document_filters=[narrowed("b", "2", "1"), narrowed("a", "1")]
    )


def test_names_are_judged_and_then_dropped() -> None:
    display = {
        "datasets": [{"dataset_id": " a", "name": "Handbook"}],
        "documents": [{"dataset_id": "a", "document_id": "1 ", "name": "Tea"}],
    }
    scope = selected("a", document_filters=[narrowed("a", "1")], display=display)

    admitted = snapshot(admit_scope(scope, allowed=EVERYTHING))

    assert admitted == selected("a", document_filters=[narrowed("a", "1")])


def test_empty_list_of_filters_is_absent() -> None:
    assert snapshot(admit_scope(selected(document_filters=[]), allowed=EVERYTHING)) == selected()


def test_the_request_is_not_changed() -> None:
    scope = selected(" a", document_filters=[narrowed(" a", " 1", "1")], display={})
    before = json.dumps(scope)

    admit_scope(scope, allowed=EVERYTHING)

    assert json.dumps(scope) == before


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        pytest.param("all", Problem("", "type"), id="text"),
        pytest.param([], Problem("", "type"), id="list"),
        pytest.param({"version": True, "mode": "all"}, Problem("/version", "const"), id="true"),
        pytest.param({**ALL, "x": 1}, Problem("", "additionalProperties"), id="unknown key"),
        pytest.param(selected(" "), Problem("/dataset_ids/0", "pattern"), id="blank id"),
        pytest.param(
            selected(dataset_ids=[]), Problem("/dataset_ids", "minItems"), id="no dataset"
        ),
        pytest.param(
            selected("a", document_filters=[narrowed("b", "1")]),
            Problem("/document_filters/0/dataset_id", "form"),
            id="filter of another dataset",
        ),
        pytest.param(
            selected("a", document_filters=[narrowed("a", "1"), narrowed(" a", "2")]),
            Problem("/document_filters/1/dataset_id", "duplicate"),
            id="two filters of one dataset",
        ),
        pytest.param(
            selected("a", display={"datasets": [{"dataset_id": "b", "name": "x"}]}),
            Problem("/display/datasets/0", "form"),
            id="name of another dataset",
        ),
        pytest.param(
            selected(
                "a",
                "b",
                document_filters=[narrowed("a", "1")],
                display={
                    "documents": [{"dataset_id": "b", "document_id": "1", "name": "x"}],
                },
            ),
            Problem("/display/documents/0", "form"),
            id="name of another dataset's document",
        ),
    ],
)
def test_scope_that_cannot_be_honoured_is_refused(scope: object, expected: Problem) -> None:
    assert problem(admit_scope(scope, allowed=EVERYTHING)) == expected


@pytest.mark.parametrize(("more", "is_admitted"), [(0, True), (1, False)], ids=["at", "above"])
def test_documents_of_all_filters_are_counted_together(more: int, *, is_admitted: bool) -> None:
    half = SCOPE_DOCUMENT_COUNT // 2
    filters = [
        narrowed("a", *map(str, range(half))),
        narrowed("b", *map(str, range(half + more))),
    ]

    admitted = admit_scope(selected("a", "b", document_filters=filters), allowed=EVERYTHING)

    assert isinstance(admitted, Scope) is is_admitted
    assert is_admitted or problem(admitted) == Problem("/document_filters", "total")


@pytest.mark.parametrize(("more", "is_admitted"), [(0, True), (1, False)], ids=["at", "above"])
def test_bytes_of_the_whole_are_counted(more: int, *, is_admitted: bool) -> None:
    documents = [f"{number:03}{'é' * 100}" for number in range(317)]
    empty = len(canonical_json(selected("a", document_filters=[narrowed("a", *documents)])))
    documents[0] += "x" * (SCOPE_BYTES - empty + more)
    scope = selected("a", document_filters=[narrowed("a", *documents)])

    admitted = admit_scope(scope, allowed=EVERYTHING)

    assert len(canonical_json(scope)) == SCOPE_BYTES + more
    assert isinstance(admitted, Scope) is is_admitted
    assert is_admitted or problem(admitted) == Problem("", "total")


@pytest.mark.parametrize(
    ("scope", "allowed", "pointer"),
    [
        pytest.param(ALL, Allowed(modes=frozenset({"disabled"})), "/mode", id="mode"),
        pytest.param(None, Allowed(modes=frozenset({"selected"})), "/mode", id="the default mode"),
        pytest.param(selected(), Allowed(has_selector=False), "/mode", id="no selector"),
        pytest.param(
            selected("a", HIDDEN), Allowed(frozenset("a")), "/dataset_ids/1", id="dataset"
        ),
        pytest.param(selected(), Allowed(frozenset()), "/dataset_ids/0", id="no dataset at all"),
    ],
)
def test_what_the_operator_does_not_allow_is_refused(
    scope: object, allowed: Allowed, pointer: str
) -> None:
    assert problem(admit_scope(scope, allowed=allowed)) == Problem(pointer, "capability")


def test_stored_snapshot_wins_over_the_request() -> None:
    admitted = admit_scope(ALL, selected("a"), allowed=EVERYTHING)

    assert snapshot(admitted) == selected("a")


def test_stored_snapshot_that_is_no_longer_allowed_is_refused() -> None:
    admitted = admit_scope(ALL, selected("gone"), allowed=Allowed(frozenset("a")))

    assert problem(admitted).rule == "capability"


@pytest.mark.parametrize(
    "value",
    [
        admit_scope(selected(HIDDEN), allowed=EVERYTHING),
        admit_scope(selected(HIDDEN), allowed=Allowed(frozenset({HIDDEN + "x"}))),
        Allowed(frozenset({HIDDEN})),
    ],
    ids=["scope", "refusal", "allowed"],
)
def test_representation_names_no_id(value: object) -> None:
    assert HIDDEN not in f"{value!r} {value}"


@pytest.mark.parametrize(
    ("value", "mode"),
    [
        (None, "all"),
        (ALL, "all"),
        (selected(), "selected"),
        ({"version": 1, "mode": "disabled"}, "disabled"),
        ({"version": 2, "mode": "all"}, "disabled"),
        ("all", "disabled"),
        ([], "disabled"),
    ],
    ids=["none", "all", "selected", "disabled", "version", "text", "list"],
)
def test_scope_that_cannot_be_understood_reads_as_disabled(value: object, mode: str) -> None:
    assert read_mode(value) == mode


_ids = st.sampled_from(["a", "b", " a", "c ", "\u3000d", "é"])
_datasets = st.lists(_ids, min_size=1, max_size=5)


@st.composite
def scopes(draw: st.DrawFn) -> Any:
    """Return scopes whose parts often agree."""
    datasets = draw(_datasets)
    chosen = draw(st.lists(st.sampled_from(datasets), max_size=3, unique=True))
    filters = [narrowed(each, *draw(_datasets)) for each in chosen]
    return draw(
        st.one_of(
            st.just(selected(*datasets, document_filters=filters)),
            st.sampled_from([ALL, {"version": 1, "mode": "disabled"}]),
            knowledge_scope(),
        )
    )


_bounds = st.builds(
    Allowed,
    datasets=st.none() | st.frozensets(_ids.map(str.strip)),
    modes=st.frozensets(st.sampled_from(["all", "selected", "disabled"])),
    has_selector=st.booleans(),
)


def trimmed(ids: Any) -> set[str]:
    return {each.strip() for each in ids}


@given(scopes(), _bounds)
def test_admission_never_widens(scope: Any, allowed: Allowed) -> None:
    admitted = admit_scope(scope, allowed=allowed)

    if isinstance(admitted, Refusal):
        return
    found: Any = admitted.snapshot
    assert found["mode"] == scope["mode"]
    assert found["mode"] in allowed.modes
    if found["mode"] != "selected":
        return
    assert allowed.has_selector
    assert trimmed(found["dataset_ids"]) == trimmed(scope["dataset_ids"])
    assert allowed.datasets is None or set(found["dataset_ids"]) <= allowed.datasets
    asked = {
        each["dataset_id"].strip(): trimmed(each["document_ids"])
        for each in scope.get("document_filters", ())
    }
    kept = {
        each["dataset_id"]: set(each["document_ids"]) for each in found.get("document_filters", ())
    }
    assert kept == asked


@given(scopes())
def test_canonical_form_is_stable(scope: Any) -> None:
    admitted = admit_scope(scope, allowed=EVERYTHING)

    if isinstance(admitted, Refusal):
        return
    again = admit_scope(json.loads(canonical_json(admitted.snapshot)), allowed=EVERYTHING)
    backwards = admit_scope(dict(reversed(list(scope.items()))), allowed=EVERYTHING)
    assert is_knowledge_scope(admitted.snapshot)
    assert again == admitted
    assert canonical_json(snapshot(backwards)) == canonical_json(admitted.snapshot)
