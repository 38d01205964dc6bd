"""Cases of native records in a message: tool, version, record, handle and binding."""

from collections.abc import Iterator

from contract_vectors.case import Case, Theme, joined
from contract_vectors.samples import HEX, copies, old_native, snapshot, without
from contract_vectors.tool_messages import (
    NATIVE_LIST,
    cited,
    entries,
    entry,
    handle,
    in_native,
    native_message,
    numbered,
    reads,
    tool_message,
)

RECORD = numbered(1)
TEXT = entry(RECORD)
FOUND = [in_native(RECORD)]
LOOSE = [in_native(RECORD, "message")]
HANDLE = handle(RECORD)
BOOK = "Book early."
MOST = 2100


def theme() -> Theme:
    """Return the cases of `message-native.json`."""
    description = (
        "Native records in a message: by which tool, of which version, below which handle."
    )
    cases = joined(_tools(), _snapshots(), _records(), _broken(), _handles(), _below())
    return Theme(
        "message-native", description, joined(cases, _often(), _loose(), _repeated(), _overflow())
    )


def _tools() -> Iterator[Case]:
    for name in ("knowledge_search", "task"):
        note = "Native records count from the tools that the contract names."
        yield reads(f"native-tool-{name}", native_message(TEXT, RECORD, name=name), FOUND, note)
    for slug, value in (
        ("other", "search"),
        ("upper-case", "Task"),
        ("blank-behind", "task "),
        ("empty", ""),
        ("null", None),
        ("list", ["task"]),
    ):
        note = "From any other tool they are no evidence, and no refusal."
        yield reads(f"native-tool-{slug}", native_message(TEXT, RECORD, name=value), [], note)
    nameless = without(native_message(TEXT, RECORD), "name")
    yield reads("native-tool-absent", nameless, [], "A message without a name is by no known tool.")


def _snapshots() -> Iterator[Case]:
    for name, value in (("2", 2), ("true", True), ("null", None), ("text", "x")):
        artifact = {"knowledge_sources": snapshot(RECORD), "knowledge_sources_version": value}
        note = "A version key beside a native snapshot is ignored."
        yield reads(f"native-beside-{name}", tool_message(TEXT, artifact), FOUND, note)
    for name, part in (
        ("version-1.0", snapshot(RECORD, version=1.0)),
        ("open", snapshot(RECORD, omitted_count=3, x={})),
    ):
        message = tool_message(TEXT, {"knowledge_sources": part})
        note = "A snapshot is open, and its version a number."
        yield reads(f"native-{name}", message, FOUND, note)
    for name, part in (
        ("version-0", snapshot(RECORD, version=0)),
        ("version-2", snapshot(RECORD, version=2)),
        ("version-true", snapshot(RECORD, version=True)),
        ("version-string", snapshot(RECORD, version="1")),
        ("version-null", snapshot(RECORD, version=None)),
        ("version-absent", {"sources": [RECORD]}),
        ("sources-absent", {"version": 1}),
        ("sources-null", snapshot(sources=None)),
        ("sources-object", snapshot(sources={"0": RECORD})),
        ("sources-empty", snapshot()),
        ("empty", {}),
    ):
        note = "A snapshot of another version or shape is no evidence, and no refusal."
        message = tool_message(TEXT, {"knowledge_sources": part, "knowledge_sources_version": 1})
        yield reads(f"native-{name}", message, [], note)


def _records() -> Iterator[Case]:
    for name, record in (
        ("old", old_native()),
        ("unknown-keys", old_native(score=0.5, vector=[1])),
        ("shared-keys", old_native(provider="ragflow", title="x", excerpt=1)),
        ("long-name", old_native(document_name="n" * 1024)),
        ("pages-1.0", old_native(pages=[1.0])),
        ("name-of-a-path", old_native(document_name="a/b.pdf")),
    ):
        message = native_message(TEXT, record)
        note = "What an older release stored stays readable."
        yield reads(f"native-record-{name}", message, FOUND, note, binding="entry")
    nul = numbered(1, "a\0b")
    yield reads(
        "native-record-nul",
        native_message(entry(nul), nul),
        FOUND,
        "Native text may hold U+0000.",
        binding="entry",
    )


def _broken() -> Iterator[Case]:
    good = numbered(2)
    for name, record, rule, place in (
        ("null", None, "type", ""),
        ("list", [RECORD], "type", ""),
        ("empty", {}, "required", "/id"),
        ("shared", cited(), "minLength", "/id"),
        ("id-without-ordinal", old_native(id=HEX), "minLength", "/id"),
        ("id-ordinal-0", old_native(id=f"{HEX}-0"), "pattern", "/id"),
        ("id-ordinal-01", old_native(id=f"{HEX}-01"), "pattern", "/id"),
        ("id-ordinal-1000", old_native(id=f"{HEX}-1000"), "maxLength", "/id"),
        ("id-upper-case", old_native(id=f"{HEX.upper()}-1"), "pattern", "/id"),
        ("id-null", old_native(id=None), "type", "/id"),
        ("provider", old_native(provider="local"), "const", "/provider"),
        ("text-absent", without(old_native(), "text"), "required", "/text"),
        ("text-null", old_native(text=None), "type", "/text"),
        ("text-blank", old_native(text=" \n"), "pattern", "/text"),
        ("name-absent", without(old_native(), "document_name"), "required", "/document_name"),
        ("name-long", old_native(document_name="n" * 1025), "maxLength", "/document_name"),
        ("locator-null", old_native(chunk_id=None), "type", "/chunk_id"),
        ("truncated-number", old_native(truncated=1), "type", "/truncated"),
        ("page-0", old_native(pages=[3, 0]), "minimum", "/pages/1"),
        ("two-problems", old_native(text="", provider="x"), "const", "/provider"),
    ):
        message = native_message(entries(RECORD, good), record, good)
        note = "A record that cannot be read is refused alone."
        refused = [(rule, f"{NATIVE_LIST}/0{place}")]
        yield reads(f"native-broken-{name}", message, [in_native(good)], note, refused=refused)


def _handles() -> Iterator[Case]:
    refused = [("handle", f"{NATIVE_LIST}/0")]
    for name, link in (
        ("absent", "[citation:1]"),
        ("sanitised", f"[citation:1](#user-content-knowledge-{HEX}-1)"),
        ("not-closed", f"[citation:1](#knowledge-{HEX}-1"),
        ("not-opened", f"[citation:1]#knowledge-{HEX}-1)"),
        ("ordinal-10", f"[citation:1](#knowledge-{HEX}-10)"),
        ("ordinal-01", f"[citation:1](#knowledge-{HEX}-01)"),
        ("ordinal-absent", f"[citation:1](#knowledge-{HEX})"),
        ("ordinal-open", f"[citation:1](#knowledge-{HEX}-)"),
        ("shared-form", f"[citation:1](#knowledge-source-{HEX})"),
        ("shared-form-and-ordinal", f"[citation:1](#knowledge-source-{HEX}-1)"),
        ("upper-case", f"[citation:1](#knowledge-{HEX.upper()}-1)"),
        ("other-retrieval", f"[citation:1](#knowledge-{'0' * 32}-1)"),
        ("angle-brackets", f"[citation:1](<#knowledge-{HEX}-1>)"),
    ):
        message = native_message(f"{link}\n{BOOK}", RECORD)
        note = "The id is matched to its end, and the handle is closed."
        yield reads(f"native-handle-{name}", message, [], note, refused=refused)
    ten, hundred = numbered(10, "Ten."), numbered(100, "Hundred.")
    yield reads(
        "native-handle-prefixes",
        native_message(entries(hundred, ten, RECORD), RECORD, ten, hundred),
        [in_native(RECORD), in_native(ten), in_native(hundred)],
        "The ordinal 1 is not the start of 10, nor 10 that of 100.",
        binding="entry",
    )
    yield reads(
        "native-handle-of-ten-only",
        native_message(entries(ten, hundred), RECORD, ten),
        [in_native(ten)],
        "The ordinal 1 is not the start of 10.",
        refused=refused,
    )
    yield reads(
        "native-handle-in-a-fence",
        native_message(f"```\n<!-- [x](y\n![7{HANDLE[HANDLE.index(']') :]}\n{BOOK}", RECORD),
        FOUND,
        "Tool text is no Markdown, and a label is of no account.",
        binding="entry",
    )


def _below() -> Iterator[Case]:
    for name, gap in (
        ("none", ""),
        ("names", " Policies / travel.pdf"),
        ("full", "n" * MOST),
        ("full-astral", "\U0001f600" * MOST),
        ("carriage-return", "\r"),
        ("line-separator", "\u2028\u0085\x0b\x0c"),
        ("nul", "\0"),
        ("other-handle", f" {handle(numbered(2))}"),
        ("own-handle", f" {HANDLE}"),
    ):
        message = native_message(entry(RECORD, gap), RECORD)
        note = "Up to 2,100 characters without LF may stand behind a native handle."
        yield reads(f"native-gap-{name}", message, FOUND, note, binding="entry")
    cut = numbered(1, "Book\u2026", truncated=True)
    for name, text, record in (
        ("then-more", f"{TEXT} And more.", RECORD),
        ("cut", entry(cut), cut),
        ("second-occurrence", f"See {HANDLE}.\n\n{TEXT}", RECORD),
        ("third-occurrence", f"{HANDLE}\n{HANDLE}\n\n{TEXT}", RECORD),
        ("below-itself", f"{HANDLE}\n{TEXT}", RECORD),
        ("lines", entry(numbered(1, "a\n\nb\n")), numbered(1, "a\n\nb\n")),
        ("blanks-around", entry(numbered(1, "\n a \n")), numbered(1, "\n a \n")),
    ):
        message = native_message(text, record)
        note = "The record's text stands on the line below one of its handles."
        yield reads(f"native-below-{name}", message, FOUND, note, binding="entry")


def _often() -> Iterator[Case]:
    note = (
        "1 + floor(4 x text / record's text) occurrences of a handle are compared, in code points."
    )
    record = numbered(1, "\U0001f600" + "n" * 1999)
    text = f"{HANDLE} \n" * 5 + entry(record)
    # Six are compared from five quarters of the record's text on.
    room = 2500 - len(text)
    for name, tail, binding in (
        ("last-compared", "-" * room, "entry"),
        ("first-not-compared", "\U0001f600" * (room - 1), "message"),
    ):
        message = native_message(text + tail, record)
        yield reads(f"native-often-{name}", message, [in_native(record, binding)], note)
    message = native_message(f"{HANDLE} \n" * 40 + TEXT, RECORD)
    yield reads("native-often-short-record", message, FOUND, note, binding="entry")


def _loose() -> Iterator[Case]:
    for name, text in (
        ("text-absent", HANDLE),
        ("line-end-only", f"{HANDLE}\n"),
        ("text-before", f"{BOOK}\n{HANDLE}\n"),
        ("same-line", f"{HANDLE} {BOOK}"),
        ("blank-line", f"{HANDLE}\n\n{BOOK}"),
        ("line-between", f"{HANDLE}\nPolicies\n{BOOK}"),
        ("indented", f"{HANDLE}\n {BOOK}"),
        ("gap-2101", entry(RECORD, "n" * (MOST + 1))),
        ("gap-2101-astral", entry(RECORD, "\U0001f600" * (MOST + 1))),
        ("other-case", f"{HANDLE}\n{BOOK.upper()}"),
        ("cut", f"{HANDLE}\n{BOOK[:-1]}"),
        ("carriage-return-only", f"{HANDLE}\r{BOOK}"),
    ):
        message = native_message(text, RECORD)
        note = "A native record needs its handle only; `entry` also its text below."
        refused = [("excerpt", f"{NATIVE_LIST}/0")]
        yield reads(f"native-loose-{name}", message, LOOSE, note)
        yield reads(
            f"native-loose-{name}-firm", message, [], note, refused=refused, binding="entry"
        )


def _repeated() -> Iterator[Case]:
    other = numbered(1, "Book late.")
    again = [("duplicate", f"{NATIVE_LIST}/1")]
    for name, records in (("same", [RECORD, RECORD]), ("other-text", [RECORD, other])):
        message = native_message(f"{TEXT}\n\n{entry(other)}", *records)
        note = "The first valid record of an id wins."
        yield reads(f"native-duplicate-{name}", message, FOUND, note, refused=again)
    yield reads(
        "native-duplicate-broken-first",
        native_message(TEXT, {**RECORD, "pages": [0]}, RECORD),
        FOUND,
        "A broken record is no valid one.",
        refused=[("minimum", f"{NATIVE_LIST}/0/pages/0")],
    )
    yield reads(
        "native-duplicate-refused-first",
        native_message(TEXT, other, RECORD),
        FOUND,
        "Native ids are no hashes: the next record of a refused id may be evidence.",
        refused=[("excerpt", f"{NATIVE_LIST}/0")],
        binding="entry",
    )
    yield reads(
        "native-duplicate-accepted-first",
        native_message(TEXT, other, RECORD),
        LOOSE,
        "Without a demand the first record wins, and its text may be missing.",
        refused=again,
    )


def _overflow() -> Iterator[Case]:
    many = [numbered(position, f"Rule {position}.") for position in range(1, 102)]
    yield reads(
        "native-101-records",
        native_message(entries(*many), *many),
        [in_native(record) for record in many[:100]],
        "The first hundred records are looked at.",
        overflow=1,
        binding="entry",
    )
    yield reads(
        "native-bad-records-count",
        native_message(TEXT, *copies(100, None), RECORD),
        [],
        "Bad records count among the first hundred.",
        refused=[("type", f"{NATIVE_LIST}/{index}") for index in range(100)],
        overflow=1,
    )
