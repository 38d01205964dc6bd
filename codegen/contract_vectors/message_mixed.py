"""Cases of the mixed form in a message: two lists, each read by itself, under one total."""

from collections.abc import Iterator

from contract_vectors.case import Case, Theme, joined
from contract_vectors.samples import Document, artifact, copies, snapshot, without
from contract_vectors.tool_messages import (
    MIXED_LIST,
    NATIVE_LIST,
    cited,
    entries,
    entry,
    handle,
    in_native,
    in_shared,
    numbered,
    reads,
    tool_message,
)

SHARED = cited()
NATIVE = numbered(1)
TEXT = entries(SHARED, NATIVE)
BOTH = [in_native(NATIVE), in_shared(SHARED)]
SHARED_ONLY = [in_shared(SHARED)]
NATIVE_PART = {"knowledge_sources": snapshot(NATIVE)}


def theme() -> Theme:
    """Return the cases of `message-mixed.json`."""
    description = "The mixed form in a message: native records first, then shared ones."
    cases = joined(_good(), _parts(), _nothing(), _swapped(), _refused(), _overflow(), _total())
    return Theme("message-mixed", description, cases)


def _mixed(text: str, *records: object, **changes: object) -> Document:
    return tool_message(text, artifact(*records, **changes))


def _good() -> Iterator[Case]:
    whole = _mixed(TEXT, SHARED, **NATIVE_PART)
    for binding in ("message", "entry"):
        yield reads(f"mixed-{binding}", whole, BOTH, "Native records come first.", binding=binding)
    for name, message, evidence, note in (
        ("task", {**whole, "name": "task"}, BOTH, "The tool may be either of two."),
        ("other-tool", {**whole, "name": "search"}, SHARED_ONLY, "Native records need their tool."),
        ("no-tool", without(whole, "name"), SHARED_ONLY, "Shared records need no tool."),
        ("native-absent", _mixed(TEXT, SHARED), SHARED_ONLY, "The native part may be absent."),
        (
            "native-only",
            _mixed(TEXT, **NATIVE_PART),
            [in_native(NATIVE)],
            "The shared list may be empty.",
        ),
        (
            "version-1.0",
            _mixed(TEXT, SHARED, **NATIVE_PART, knowledge_sources_version=1.0),
            BOTH,
            "A version is a number.",
        ),
        (
            "open",
            _mixed(TEXT, SHARED, **NATIVE_PART, report="text", retrieval_sources_version=2),
            BOTH,
            "The artifact is open.",
        ),
        (
            "same-text",
            _mixed(entries(SHARED, numbered(2, SHARED["excerpt"])), SHARED, **_one_native(2)),
            [in_native(numbered(2)), in_shared(SHARED)],
            "The same text in both forms is two records.",
        ),
    ):
        yield reads(f"mixed-{name}", message, evidence, note)


def _one_native(position: int) -> Document:
    return {"knowledge_sources": snapshot(numbered(position, SHARED["excerpt"]))}


def _parts() -> Iterator[Case]:
    for name, part in (
        ("version-2", snapshot(NATIVE, version=2)),
        ("version-true", snapshot(NATIVE, version=True)),
        ("version-absent", {"sources": [NATIVE]}),
        ("sources-null", snapshot(sources=None)),
        ("sources-object", snapshot(sources={})),
        ("empty", {}),
        ("no-snapshot", {"knowledge_sources": [NATIVE]}),
    ):
        message = _mixed(TEXT, SHARED, knowledge_sources=part)
        note = "A native part that is not known takes nothing from the shared records."
        yield reads(f"mixed-native-{name}", message, SHARED_ONLY, note)


def _nothing() -> Iterator[Case]:
    for name, changes in (
        ("version-2", {"knowledge_sources_version": 2}),
        ("version-true", {"knowledge_sources_version": True}),
        ("version-string", {"knowledge_sources_version": "1"}),
        ("version-null", {"knowledge_sources_version": None}),
        ("shared-null", {"retrieval_sources": None}),
        ("shared-object", {"retrieval_sources": {"0": SHARED}}),
        ("shared-snapshot", {"retrieval_sources": snapshot(SHARED)}),
        ("native-null", {"knowledge_sources": None}),
        ("native-list", {"knowledge_sources": [NATIVE]}),
        ("native-empty-list", {"knowledge_sources": []}),
        ("native-string", {"knowledge_sources": "x"}),
        ("parts-exchanged", {"knowledge_sources": [SHARED], "retrieval_sources": snapshot(NATIVE)}),
    ):
        message = _mixed(TEXT, SHARED, **{**NATIVE_PART, **changes})
        note = "Another combination is no evidence, and no refusal, in either list."
        yield reads(f"mixed-{name}", message, [], note)
    bare = without(artifact(SHARED, **NATIVE_PART), "knowledge_sources_version")
    note = "The mixed form needs its version, for the native part too."
    yield reads("mixed-version-absent", tool_message(TEXT, bare), [], note)


def _swapped() -> Iterator[Case]:
    yield reads(
        "mixed-records-exchanged",
        _mixed(TEXT, NATIVE, knowledge_sources=snapshot(SHARED)),
        [],
        "Each list holds records of its own form.",
        refused=[("minLength", f"{NATIVE_LIST}/0/id"), ("maxLength", f"{MIXED_LIST}/0/id")],
    )
    yield reads(
        "mixed-native-record-among-shared",
        _mixed(TEXT, NATIVE, SHARED, **NATIVE_PART),
        BOTH,
        "A native record in the shared list is refused, wherever else it stands.",
        refused=[("maxLength", f"{MIXED_LIST}/0/id")],
    )
    yield reads(
        "mixed-native-list-as-envelope",
        tool_message(TEXT, {"knowledge_sources_version": 1, "knowledge_sources": [NATIVE, SHARED]}),
        SHARED_ONLY,
        "A list under `knowledge_sources` is the shared form, whatever it holds.",
        refused=[("maxLength", "/knowledge_sources/0/id")],
    )


def _refused() -> Iterator[Case]:
    tea = cited("Tea needs 80 \u00b0C.", title="Tea")
    yield reads(
        "mixed-refused-in-both",
        _mixed(
            TEXT,
            None,
            SHARED,
            tea,
            SHARED,
            knowledge_sources=snapshot(numbered(2), NATIVE, {}, NATIVE),
        ),
        BOTH,
        "Refusals come in order too, those of native records first.",
        refused=[
            ("handle", f"{NATIVE_LIST}/0"),
            ("required", f"{NATIVE_LIST}/2/id"),
            ("duplicate", f"{NATIVE_LIST}/3"),
            ("type", f"{MIXED_LIST}/0"),
            ("handle", f"{MIXED_LIST}/2"),
            ("duplicate", f"{MIXED_LIST}/3"),
        ],
    )
    for name, text, evidence, refused in (
        (
            "native-moved",
            f"{entry(SHARED)}\n\n{handle(NATIVE)}",
            SHARED_ONLY,
            [("excerpt", f"{NATIVE_LIST}/0")],
        ),
        (
            "shared-moved",
            f"{entry(NATIVE)}\n\n{handle(SHARED)}\n\n{SHARED['excerpt']}",
            [in_native(NATIVE)],
            [("excerpt", f"{MIXED_LIST}/0")],
        ),
        (
            "both-moved",
            f"{handle(NATIVE)}{handle(SHARED)}",
            [],
            [("excerpt", f"{NATIVE_LIST}/0"), ("excerpt", f"{MIXED_LIST}/0")],
        ),
    ):
        message = _mixed(text, SHARED, **NATIVE_PART)
        note = "A demanded binding holds for both lists."
        yield reads(f"mixed-{name}", message, evidence, note, refused=refused, binding="entry")


def _overflow() -> Iterator[Case]:
    yield reads(
        "mixed-overflow",
        _mixed(
            TEXT,
            *copies(99, None),
            SHARED,
            SHARED,
            knowledge_sources=snapshot(NATIVE, *copies(99, None), NATIVE, NATIVE),
        ),
        BOTH,
        "Each list has its first hundred, and overflow is counted over both.",
        refused=[
            *(("type", f"{NATIVE_LIST}/{index}") for index in range(1, 100)),
            *(("type", f"{MIXED_LIST}/{index}") for index in range(99)),
        ],
        overflow=3,
    )


def _total() -> Iterator[Case]:
    long = [numbered(position, "n" * 200_000) for position in range(1, 5)]
    # A code point is two units of UTF-16, and four bytes.
    astral = numbered(5, "\U0001f600" + "n" * 199_989)
    over, fitting = numbered(6, "n" * 11), numbered(6, "n" * 5)
    unshown, late = numbered(8, "n" * 6), numbered(7, "n" * 6)
    shown = [cited("s" * 6), cited("\U0001f600sss"), cited("ss"), cited("s")]
    beyond, absent = cited("s", title="Beyond"), cited("Not in the text.")
    six, four, two, one = shown
    forged, hidden = {**absent, "id": "0" * 32}, cited("s" * 6, title="Hidden")
    native_records = [*long, astral, over, fitting, {**long[0], "text": "n" * 6}, unshown, late]
    handles = [*shown, beyond, absent, *long, astral, fitting, late]
    yield reads(
        "mixed-total",
        _mixed(
            "".join(map(handle, handles)) + "\n" + "s" * 6 + "\U0001f600sss",
            *(six, six, forged, hidden, absent, four, four, two, one, beyond),
            knowledge_sources=snapshot(*native_records),
        ),
        [
            *(in_native(record, "message") for record in [*long, astral, fitting]),
            *(in_shared(record, "message") for record in (four, one)),
        ],
        "Both lists share 1,000,000 code points; every other rule is judged first.",
        refused=[
            ("total", f"{NATIVE_LIST}/5"),
            ("duplicate", f"{NATIVE_LIST}/7"),
            ("handle", f"{NATIVE_LIST}/8"),
            ("total", f"{NATIVE_LIST}/9"),
            ("total", f"{MIXED_LIST}/0"),
            ("total", f"{MIXED_LIST}/1"),
            ("id", f"{MIXED_LIST}/2/id"),
            ("handle", f"{MIXED_LIST}/3"),
            ("excerpt", f"{MIXED_LIST}/4"),
            ("duplicate", f"{MIXED_LIST}/6"),
            ("total", f"{MIXED_LIST}/7"),
            ("total", f"{MIXED_LIST}/9"),
        ],
    )
