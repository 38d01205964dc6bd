"""Cases of the capabilities that a tool advertises."""

from collections.abc import Iterator

from contract_vectors.case import Case, Theme, accept, joined, refuse

ROOT = "KnowledgeCapabilities"
ALL = (
    "search",
    "sources",
    "catalog",
    "documents",
    "dataset_filter",
    "document_filter",
    "relations_search",
)


def theme() -> Theme:
    """Return the cases of `capabilities.json`."""
    description = "Capabilities: a closed set of operations in a closed object."
    return Theme("capabilities", description, joined(_good(), _shape(), _operations()))


def _good() -> Iterator[Case]:
    for operation in ALL:
        note = "Each operation may stand alone: none implies another."
        document = {"operations": [operation]}
        yield accept(f"operation-{operation}", ROOT, document, note)
    yield accept("operations-none", ROOT, {"operations": []}, "A tool may advertise nothing.")
    yield accept("operations-all", ROOT, {"operations": list(ALL)}, "The greatest number.")
    document = {"operations": list(reversed(ALL))}
    yield accept("operations-reversed", ROOT, document, "Their order means nothing.")
    document = {"operations": ["search", "search"]}
    note = "The schema counts operations; it does not ask that they differ."
    yield accept("operations-repeated", ROOT, document, note)


def _shape() -> Iterator[Case]:
    for name, document, rule, pointer in (
        ("root-null", None, "type", ""),
        ("root-list", ["search"], "type", ""),
        ("root-string", "search", "type", ""),
        ("missing", {}, "required", "/operations"),
        ("null", {"operations": None}, "type", "/operations"),
        ("string", {"operations": "search"}, "type", "/operations"),
        ("object", {"operations": {"search": True}}, "type", "/operations"),
        ("8", {"operations": [*ALL, "search"]}, "maxItems", "/operations"),
        ("unknown-key", {"operations": [], "version": 1}, "additionalProperties", ""),
        ("proto", {"operations": [], "__proto__": []}, "additionalProperties", ""),
        ("constructor", {"operations": [], "constructor": 1}, "additionalProperties", ""),
        ("key-upper-case", {"Operations": []}, "required", "/operations"),
    ):
        note = "One list of at most seven operations, and nothing else."
        yield refuse(f"capabilities-{name}", ROOT, document, (rule, pointer), note)


def _operations() -> Iterator[Case]:
    for name, value in (
        ("unknown", "write"),
        ("empty", ""),
        ("upper-case", "Search"),
        ("final-newline", "search\n"),
        ("trailing-space", "search "),
        ("plural", "searches"),
        ("constructor", "constructor"),
        ("to-string", "toString"),
        ("proto", "__proto__"),
        ("null", None),
        ("number", 0),
        ("true", True),
        ("list", ["search"]),
        ("object", {"search": "search"}),
    ):
        note = "Whatever is not in the set breaks it, of any type."
        document = {"operations": ["sources", value]}
        yield refuse(f"operation-{name}", ROOT, document, ("enum", "/operations/1"), note)
