"""Cases of the scope object: three kinds told apart by `mode`, and what each may carry."""

from collections.abc import Iterator
from typing import Any

from contract_vectors.case import Case, Theme, accept, joined, refuse
from contract_vectors.samples import copies, selected, without

ROOT = "KnowledgeScope"
ASTRAL = "\U0001f600"
FILTER = {"dataset_id": "ds-1", "document_ids": ["doc-1"]}
DATASET = {"dataset_id": "ds-1", "name": "Policies"}
DOCUMENT = {"dataset_id": "ds-1", "document_id": "doc-1", "name": "travel.pdf"}
DISPLAY = {"datasets": [DATASET], "documents": [DOCUMENT]}


def theme() -> Theme:
    """Return the cases of `scope.json`."""
    description = "Scopes: the mode decides, each kind is closed, lists and labels are bounded."
    cases = joined(
        _good(), _modes(), _branches(), _members(), _ids(), _filters(), _labels(), _display()
    )
    return Theme("scope", description, cases)


def _scope(mode: object, **changes: object) -> dict[str, Any]:
    return {"version": 1, "mode": mode, **changes}


def _good() -> Iterator[Case]:
    for name, document, note in (
        ("all", _scope("all"), "Everything that the operator allows."),
        ("disabled", _scope("disabled"), "No retrieval."),
        ("selected", selected(), "One dataset."),
        (
            "selected-full",
            selected(document_filters=[FILTER], display=DISPLAY),
            "Every optional field at once.",
        ),
        ("selected-no-filters", selected(document_filters=[]), "The list of filters may be empty."),
        ("selected-no-names", selected(display={}), "Nothing in the display is required."),
        ("keys-reversed", {"mode": "all", "version": 1}, "The order of keys means nothing."),
        (
            "same-dataset-twice",
            selected(dataset_ids=["ds-1", "ds-1"]),
            "The server makes ids unique when it admits a scope; the schema does not.",
        ),
        (
            "filter-of-another-dataset",
            selected(document_filters=[{**FILTER, "dataset_id": "ds-9"}]),
            "Whether a filter belongs to a selected dataset is the server's matter.",
        ),
        (
            "two-filters-of-one-dataset",
            selected(document_filters=[FILTER, FILTER]),
            "One filter for each dataset is the server's matter.",
        ),
        (
            "2000-documents-in-two-filters",
            selected(document_filters=copies(2, {**FILTER, "document_ids": copies(1000, "d")})),
            "The total over all filters is a named limit beside the schema.",
        ),
    ):
        yield accept(f"scope-{name}", ROOT, document, note)


def _modes() -> Iterator[Case]:
    for name, root in (("null", None), ("list", [_scope("all")]), ("string", "all"), ("1", 1)):
        note = "A scope is an object."
        yield refuse(f"scope-root-{name}", ROOT, root, ("type", ""), note)
    for name, document in (
        ("empty", {}),
        ("version-only", {"version": 1}),
        ("selected-without-mode", without(selected(), "mode")),
        ("wrong-version", {"version": 2}),
        ("mode-key-upper-case", {"version": 1, "Mode": "all"}),
        ("mode-under-proto", {"version": 1, "__proto__": {"mode": "all"}}),
    ):
        note = "Without a mode no kind can be told; this comes before all else."
        yield refuse(f"scope-{name}", ROOT, document, ("required", "/mode"), note)
    for name, mode in (
        ("unknown", "none"),
        ("empty", ""),
        ("upper-case", "ALL"),
        ("trailing-space", "all "),
        ("final-newline", "all\n"),
        ("null", None),
        ("true", True),
        ("number", 0),
        ("list", ["all"]),
        ("object", {"const": "all"}),
        ("constructor", "constructor"),
        ("to-string", "toString"),
        ("proto", "__proto__"),
    ):
        note = "The mode is one of three strings; no table answers to another name."
        yield refuse(f"scope-mode-{name}", ROOT, _scope(mode), ("oneOf", "/mode"), note)


def _branches() -> Iterator[Case]:
    for mode in ("all", "disabled"):
        for name, value in (
            ("dataset_ids", ["ds-1"]),
            ("document_filters", []),
            ("display", {}),
            ("extra", None),
            ("__proto__", {}),
        ):
            note = "This kind carries nothing but its version and mode."
            document = _scope(mode, **{name: value})
            problem = ("additionalProperties", "")
            yield refuse(f"scope-{mode}-with-{name}", ROOT, document, problem, note)
        note = "A kind still needs its version."
        problem = ("required", "/version")
        yield refuse(f"scope-{mode}-without-version", ROOT, {"mode": mode}, problem, note)
    for definition, mode in (
        ("ScopeAll", "all"),
        ("ScopeDisabled", "disabled"),
        ("ScopeSelected", "selected"),
    ):
        document = selected() if mode == "selected" else _scope(mode)
        yield accept(f"kind-{mode}", definition, document, "A kind judged by itself.")
        for kind, other in (("other", "other"), ("null", None), ("final-newline", f"{mode}\n")):
            note = "Judged by itself, a kind's mode is a constant."
            problem = ("const", "/mode")
            changed = {**document, "mode": other}
            yield refuse(f"kind-{mode}-mode-{kind}", definition, changed, problem, note)
        problem = ("required", "/version")
        note = "Judged by itself, a kind's fields come in the contract's order."
        yield refuse(f"kind-{mode}-empty", definition, {}, problem, note)
        note = "Judged by itself, a kind is an object."
        yield refuse(f"kind-{mode}-null", definition, None, ("type", ""), note)


def _members() -> Iterator[Case]:
    for name, document, rule, pointer in (
        ("without-version", without(selected(), "version"), "required", "/version"),
        ("without-dataset-ids", _scope("selected"), "required", "/dataset_ids"),
        ("version-null", selected(version=None), "const", "/version"),
        ("dataset-ids-null", selected(dataset_ids=None), "type", "/dataset_ids"),
        ("dataset-ids-string", selected(dataset_ids="ds-1"), "type", "/dataset_ids"),
        ("dataset-ids-object", selected(dataset_ids={"0": "a"}), "type", "/dataset_ids"),
        ("dataset-ids-0", selected(dataset_ids=[]), "minItems", "/dataset_ids"),
        ("dataset-ids-101", selected(dataset_ids=copies(101, "d")), "maxItems", "/dataset_ids"),
        ("filters-null", selected(document_filters=None), "type", "/document_filters"),
        ("filters-object", selected(document_filters=FILTER), "type", "/document_filters"),
        (
            "filters-101",
            selected(document_filters=copies(101, FILTER)),
            "maxItems",
            "/document_filters",
        ),
        ("display-null", selected(display=None), "type", "/display"),
        ("display-list", selected(display=[]), "type", "/display"),
        ("unknown-key", selected(user="u"), "additionalProperties", ""),
        ("unknown-key-proto", {**selected(), "__proto__": {}}, "additionalProperties", ""),
        ("unknown-key-constructor", selected(constructor=1), "additionalProperties", ""),
    ):
        note = "A selection is closed, and its lists are bounded."
        yield refuse(f"selected-{name}", ROOT, document, (rule, pointer), note)
    document = selected(dataset_ids=copies(100, "d"), document_filters=copies(100, FILTER))
    yield accept("selected-100-of-each", ROOT, document, "The greatest number of each.")


def _ids() -> Iterator[Case]:
    note = "A scope's id: its length in code points, and some text."
    for name, text in (("256", "a" * 256), ("256-astral", ASTRAL * 256), ("newline", "a\n")):
        yield accept(f"scope-id-{name}-ok", ROOT, selected(dataset_ids=[text]), note)
    for name, value, rule in (
        ("empty", "", "minLength"),
        ("257", "a" * 257, "maxLength"),
        ("space", " ", "pattern"),
        ("newline-alone", "\n", "pattern"),
        ("null", None, "type"),
        ("number", 7, "type"),
        ("true", True, "type"),
        ("list", ["ds-1"], "type"),
    ):
        document = selected(dataset_ids=["ds-1", value])
        yield refuse(f"scope-id-{name}", ROOT, document, (rule, "/dataset_ids/1"), note)


def _filters() -> Iterator[Case]:
    name = "DocumentFilter"
    yield accept("filter-one", name, FILTER, "One document of one dataset.")
    many = {**FILTER, "document_ids": copies(1000, "d")}
    yield accept("filter-1000", name, many, "The greatest number of documents.")
    for slug, document, rule, pointer in (
        ("1001", {**FILTER, "document_ids": copies(1001, "d")}, "maxItems", "/document_ids"),
        ("0", {**FILTER, "document_ids": []}, "minItems", "/document_ids"),
        ("null", {**FILTER, "document_ids": None}, "type", "/document_ids"),
        ("dataset-null", {**FILTER, "dataset_id": None}, "type", "/dataset_id"),
        ("dataset-empty", {**FILTER, "dataset_id": ""}, "minLength", "/dataset_id"),
        ("dataset-257", {**FILTER, "dataset_id": "a" * 257}, "maxLength", "/dataset_id"),
        ("without-dataset", without(FILTER, "dataset_id"), "required", "/dataset_id"),
        ("without-documents", without(FILTER, "document_ids"), "required", "/document_ids"),
        ("document-blank", {**FILTER, "document_ids": ["\u3000"]}, "pattern", "/document_ids/0"),
        ("unknown-key", {**FILTER, "mode": "all"}, "additionalProperties", ""),
        ("root-list", [FILTER], "type", ""),
    ):
        note = "A filter names one dataset and at least one document."
        yield refuse(f"filter-{slug}", name, document, (rule, pointer), note)
    problem = ("additionalProperties", "/document_filters/1")
    document = selected(document_filters=[FILTER, {**FILTER, "x": 1}])
    note = "The pointer leads through the selection."
    yield refuse("selected-filter-unknown-key", ROOT, document, problem, note)


def _labels() -> Iterator[Case]:
    for definition, slug, label in (
        ("DatasetLabel", "dataset-label", DATASET),
        ("DocumentLabel", "document-label", DOCUMENT),
    ):
        yield accept(f"{slug}-plain", definition, label, "A name for the person who selects.")
        long = dict.fromkeys(label, ASTRAL * 256)
        note = "The greatest length of every field, in code points."
        yield accept(f"{slug}-256-astral-ok", definition, long, note)
        yield accept(
            f"{slug}-final-newline", definition, {**label, "name": "a\n"}, "A name may have lines."
        )
        note = "A label has every field, each with some text, and nothing else."
        for field in label:
            for kind, value, rule in (
                ("null", None, "type"),
                ("empty", "", "minLength"),
                ("257", "a" * 257, "maxLength"),
                ("blank", "\ufeff", "pattern"),
                ("number", 1, "type"),
            ):
                problem = (rule, f"/{field}")
                document = {**label, field: value}
                yield refuse(f"{slug}-{field}-{kind}", definition, document, problem, note)
            problem = ("required", f"/{field}")
            document = without(label, field)
            yield refuse(f"{slug}-without-{field}", definition, document, problem, note)
        document = {**label, "url": "https://example.com/"}
        problem = ("additionalProperties", "")
        yield refuse(f"{slug}-unknown-key", definition, document, problem, note)
        yield refuse(f"{slug}-root-string", definition, "Policies", ("type", ""), note)


def _display() -> Iterator[Case]:
    definition = "ScopeDisplay"
    yield accept("display-empty", definition, {}, "No name need be shown.")
    greatest = {"datasets": copies(20, DATASET), "documents": copies(50, DOCUMENT)}
    yield accept("display-greatest", definition, greatest, "The greatest number of names.")
    for name, document, rule, pointer in (
        ("21-datasets", {"datasets": copies(21, DATASET)}, "maxItems", "/datasets"),
        ("51-documents", {"documents": copies(51, DOCUMENT)}, "maxItems", "/documents"),
        ("datasets-null", {"datasets": None}, "type", "/datasets"),
        ("documents-null", {"documents": None}, "type", "/documents"),
        ("dataset-null", {"datasets": [None]}, "type", "/datasets/0"),
        ("dataset-string", {"datasets": ["Policies"]}, "type", "/datasets/0"),
        ("document-as-dataset", {"datasets": [DOCUMENT]}, "additionalProperties", "/datasets/0"),
        ("dataset-as-document", {"documents": [DATASET]}, "required", "/documents/0/document_id"),
        ("unknown-key", {"users": []}, "additionalProperties", ""),
        ("root-null", None, "type", ""),
    ):
        note = "The display is closed, and its lists are bounded."
        yield refuse(f"display-{name}", definition, document, (rule, pointer), note)
    problem = ("pattern", "/display/datasets/0/name")
    shown = {"datasets": [{**DATASET, "name": " "}]}
    note = "The pointer leads through the selection."
    yield refuse("selected-display-blank-name", ROOT, selected(display=shown), problem, note)
