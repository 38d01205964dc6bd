"""Cases of the envelope: its members, its list, the closed source and the order of checks."""

from collections.abc import Iterator

from contract_vectors.case import Case, Theme, accept, joined, refuse
from contract_vectors.samples import copies, envelope, full_source, source, without

ROOT = "KnowledgeSourcesEnvelope"
SOURCE = "KnowledgeSource"
LIST = "/knowledge_sources"
VERSION = "/knowledge_sources_version"


def theme() -> Theme:
    """Return the cases of `envelope.json`."""
    description = "The envelope and its sources: members, closed and open objects, order of checks."
    cases = joined(_whole(), _members(), _source_members(), _unknown_keys(), _order(), _lists())
    return Theme("envelope", description, cases)


def _whole() -> Iterator[Case]:
    yield accept("envelope-empty-list", ROOT, envelope(), "A result may cite nothing.")
    yield accept("envelope-one-source", ROOT, envelope(source()), "The smallest useful envelope.")
    yield accept(
        "envelope-all-fields", ROOT, envelope(full_source()), "Every optional field at once."
    )
    yield accept(
        "envelope-two-sources", ROOT, envelope(source(), full_source()), "Sources may differ."
    )
    yield accept(
        "envelope-same-source-twice",
        ROOT,
        envelope(source(), source()),
        "Which record of an id wins is the message reader's matter, not the schema's.",
    )
    yield accept(
        "envelope-id-does-not-recompute",
        ROOT,
        envelope(source(id="0" * 32)),
        "The schema judges the id's form; recomputing belongs to verification.",
    )
    for name, document in (
        ("null", b"null"),
        ("true", b"true"),
        ("number", b"1"),
        ("string", b'"{}"'),
        ("list", b"[]"),
        ("list-of-envelope", [envelope()]),
    ):
        note = "Only an object is an envelope."
        yield refuse(f"envelope-root-{name}", ROOT, document, ("type", ""), note)
    for name, root in (("null", None), ("list", [source()]), ("string", "x")):
        note = "A source judged by itself must be an object."
        yield refuse(f"source-root-{name}", SOURCE, root, ("type", ""), note)


def _members() -> Iterator[Case]:
    yield refuse(
        "envelope-empty-object", ROOT, {}, ("required", VERSION), "The first missing member counts."
    )
    for name in ("knowledge_sources_version", "knowledge_sources"):
        note = "A missing member is named by the pointer."
        document = without(envelope(source()), name)
        yield refuse(f"envelope-without-{name}", ROOT, document, ("required", f"/{name}"), note)
    yield refuse(
        "envelope-version-null",
        ROOT,
        envelope(knowledge_sources_version=None),
        ("const", VERSION),
        "Null is never absence.",
    )
    for name, value in (
        ("null", None),
        ("false", False),
        ("string", "[]"),
        ("object", {}),
        ("native-snapshot", {"version": 1, "sources": []}),
        ("array-like-object", {"0": source(), "length": 1}),
        ("number", 0),
    ):
        note = "The list must be an array."
        document = envelope(knowledge_sources=value)
        yield refuse(f"envelope-list-{name}", ROOT, document, ("type", LIST), note)
    for name, record in (
        ("null", None),
        ("string", "source"),
        ("number", 1),
        ("list", [source()]),
        ("empty-list", []),
    ):
        note = "Each record must be an object."
        document = envelope(source(), record)
        yield refuse(f"envelope-record-{name}", ROOT, document, ("type", f"{LIST}/1"), note)


def _source_members() -> Iterator[Case]:
    yield refuse(
        "source-empty", SOURCE, {}, ("required", "/id"), "The first missing member counts."
    )
    for name in ("id", "provider", "title", "excerpt"):
        note = "A required field of a source is absent."
        document = without(full_source(), name)
        yield refuse(f"source-without-{name}", SOURCE, document, ("required", f"/{name}"), note)
    for name in ("dataset_name", "url", "page"):
        note = "An optional field may be absent."
        yield accept(f"source-without-{name}", SOURCE, without(full_source(), name), note)
    for name in ("id", "provider", "title", "excerpt", "dataset_name", "url", "page"):
        note = "Optional means absent; null is refused in every field."
        document = full_source(**{name: None})
        yield refuse(f"source-{name}-null", SOURCE, document, ("type", f"/{name}"), note)
    yield refuse(
        "envelope-source-without-title",
        ROOT,
        envelope(source(), without(source(), "title")),
        ("required", f"{LIST}/1/title"),
        "The pointer leads through the list to the missing member.",
    )
    yield refuse(
        "source-title-in-other-case",
        SOURCE,
        {**without(source(), "title"), "Title": "Handbook"},
        ("required", "/title"),
        "Keys are compared exactly; the missing member comes before the unknown key.",
    )


def _unknown_keys() -> Iterator[Case]:
    for name, key in (
        ("plain", "score"),
        ("empty", ""),
        ("proto", "__proto__"),
        ("constructor", "constructor"),
        ("prototype", "prototype"),
        ("to-string", "toString"),
        ("has-own-property", "hasOwnProperty"),
        ("slash", "a/b~c"),
        ("newline", "a\nb"),
        ("trailing-space", "title "),
        ("upper-case", "TITLE"),
        ("python-keyword", "class"),
        ("model-method", "model_dump"),
    ):
        record = source(**{key: "x"})
        note = "A source is closed, and the pointer stops at the record: the key is not echoed."
        problem = ("additionalProperties", "")
        yield refuse(f"source-unknown-key-{name}", SOURCE, record, problem, note)
        note = "An artifact carries other keys, whatever they are called."
        document = envelope(source(), **{key: {"any": [None]}})
        yield accept(f"envelope-open-key-{name}", ROOT, document, note)
    yield accept(
        "envelope-retrieval-sources-beside-list",
        ROOT,
        envelope(retrieval_sources=[]),
        "Telling the forms apart is the message reader's matter; the envelope is open.",
    )
    yield refuse(
        "envelope-source-unknown-key",
        ROOT,
        envelope(source(), source(rank=1)),
        ("additionalProperties", f"{LIST}/1"),
        "The pointer names the record that has the unknown key.",
    )
    yield refuse(
        "source-unknown-key-null",
        SOURCE,
        source(score=None),
        ("additionalProperties", ""),
        "An unknown key is refused even if its value is null.",
    )
    yield refuse(
        "source-members-under-proto",
        SOURCE,
        b'{"__proto__":{"id":"084ed617406f2c6e73dae2dcfc1d69d2","provider":"local",'
        b'"title":"Handbook","excerpt":"Ask before you deploy."}}',
        ("required", "/id"),
        "Members are never inherited from a value under __proto__.",
    )
    yield refuse(
        "envelope-members-under-proto",
        ROOT,
        b'{"__proto__":{"knowledge_sources_version":1,"knowledge_sources":[]}}',
        ("required", VERSION),
        "Members are never inherited from a value under __proto__.",
    )


def _order() -> Iterator[Case]:
    reverse = dict(reversed(list(full_source().items())))
    yield accept(
        "source-keys-in-reverse", SOURCE, reverse, "The order of keys in a document means nothing."
    )
    yield refuse(
        "order-fields-as-in-contract",
        SOURCE,
        {"excerpt": 1, "title": 1, "provider": 1, "id": 1},
        ("type", "/id"),
        "Fields are checked in the contract's order, not the document's.",
    )
    yield refuse(
        "order-missing-between-wrong",
        SOURCE,
        {"id": "084ed617406f2c6e73dae2dcfc1d69d2", "excerpt": "", "title": ""},
        ("required", "/provider"),
        "A missing member takes its turn in the contract's order.",
    )
    yield refuse(
        "order-fields-before-unknown-key",
        SOURCE,
        {"zzz": 1, **full_source(page=0)},
        ("minimum", "/page"),
        "An unknown key is reported after all fields.",
    )
    yield refuse(
        "order-unknown-key-before-next-record",
        ROOT,
        envelope(source(zzz=1), source(title="")),
        ("additionalProperties", f"{LIST}/0"),
        "A record is finished before the next one starts.",
    )
    yield refuse(
        "order-version-before-list",
        ROOT,
        {"knowledge_sources": None, "knowledge_sources_version": 2},
        ("const", VERSION),
        "The version comes first in the contract.",
    )
    yield refuse(
        "order-max-items-before-items",
        ROOT,
        envelope(*copies(101, None)),
        ("maxItems", LIST),
        "Items of a list that is too long are not looked at.",
    )
    yield refuse(
        "order-min-length-before-pattern",
        SOURCE,
        source(title=""),
        ("minLength", "/title"),
        "An empty string breaks length and pattern; the length is reported.",
    )
    yield refuse(
        "order-max-length-before-pattern",
        SOURCE,
        source(title="\n" * 513),
        ("maxLength", "/title"),
        "A long string that also breaks the pattern is reported by its length.",
    )


def _lists() -> Iterator[Case]:
    yield accept(
        "envelope-100-sources",
        ROOT,
        envelope(*copies(100, source())),
        "The greatest number of records.",
    )
    yield refuse(
        "envelope-101-sources",
        ROOT,
        envelope(*copies(101, source())),
        ("maxItems", LIST),
        "One record too many; a message reader would still read the first 100.",
    )
    yield refuse(
        "envelope-last-of-100-bad",
        ROOT,
        envelope(*copies(99, source()), source(page=0)),
        ("minimum", f"{LIST}/99/page"),
        "The last record is judged like the first.",
    )
