"""Cases of bindings: where a shared excerpt stands, and what a caller may demand."""

from collections.abc import Iterator

from contract_vectors.case import Case, Theme, joined
from contract_vectors.samples import Document
from contract_vectors.tool_messages import (
    ASK,
    LIST,
    cited,
    entries,
    entry,
    handle,
    in_shared,
    reads,
    shared_message,
)

RECORD = cited()
TEA = cited("Tea needs 80 \u00b0C.", title="Tea")
YES = cited("Yes", title="Minutes")
HANDLE = handle(RECORD)
REFUSED = [("excerpt", f"{LIST}/0")]


def theme() -> Theme:
    """Return the cases of `message-bindings.json`."""
    description = "Bindings: an excerpt below its own handle, elsewhere in the text, or nowhere."
    cases = joined(_below(), _elsewhere(), _nowhere(), _spelling(), _occurrences())
    return Theme("message-bindings", description, joined(cases, _neighbours(), _demanded()))


def _both(name: str, text: str, record: Document, note: str) -> Iterator[Case]:
    """Yield a case of binding `message`, accepted or, when `entry` is demanded, refused."""
    message = shared_message(text, record)
    yield reads(f"elsewhere-{name}", message, [in_shared(record, "message")], note)
    yield reads(f"elsewhere-{name}-firm", message, [], note, refused=REFUSED, binding="entry")


def _below() -> Iterator[Case]:
    for name, record in (
        ("one-character", cited("x")),
        ("astral", cited("\U0001f600")),
        ("lines", cited("a\n\nb\n")),
        ("blanks-around", cited("\n \ufeffAsk.\u3000\n")),
        ("carriage-returns", cited("a\r\nb\rc")),
        ("combining", cited("\u0301a")),
        ("like-a-handle", cited(f"](#knowledge-source-{'0' * 32})")),
        ("like-an-entry", cited(f"[1] {handle(TEA)}\n{TEA['excerpt']}")),
        ("fence", cited("```\n~~~")),
        ("controls", cited("\x01\x7f\x9b\u202e")),
        ("noncharacters", cited("\uffff\U0010ffff")),
        ("pattern-characters", cited(r"(a+)+$ \Q.*\E [^]] $& $1 \1")),
    ):
        message = shared_message(f"{entry(record)}\n\nend", record)
        note = "The excerpt stands right below its handle, character by character."
        yield reads(f"below-{name}", message, [in_shared(record)], note, binding="entry")
    for name, text in (
        ("at-the-end", f"{HANDLE}\n{ASK}"),
        ("then-more", f"{HANDLE}\n{ASK}And more."),
        ("then-a-handle", f"{HANDLE}\n{ASK}{HANDLE}"),
        ("twice", f"{HANDLE}\n{ASK}\n\n{HANDLE}\n{ASK}"),
    ):
        message = shared_message(text, RECORD)
        note = "What follows the excerpt is of no account."
        yield reads(f"below-{name}", message, [in_shared(RECORD)], note, binding="entry")


def _elsewhere() -> Iterator[Case]:
    note = "The binding `entry` takes one LF between handle and excerpt, and nothing else."
    for name, text in (
        ("before", f"{ASK}\n{HANDLE}"),
        ("before-and-line-end", f"{ASK}\n{HANDLE}\n"),
        ("on-the-same-line", f"{HANDLE}{ASK}"),
        ("behind-a-blank", f"{HANDLE} {ASK}"),
        ("blank-before-line-end", f"{HANDLE} \n{ASK}"),
        ("full-stop-before-line-end", f"{HANDLE}.\n{ASK}"),
        ("blank-line", f"{HANDLE}\n\n{ASK}"),
        ("line-between", f"{HANDLE}\nURL: https://example.com/\n{ASK}"),
        ("indented", f"{HANDLE}\n  {ASK}"),
        ("quoted", f"{HANDLE}\n> {ASK}"),
        ("crlf", f"{HANDLE}\r\n{ASK}"),
        ("cr", f"{HANDLE}\r{ASK}"),
        ("line-separator", f"{HANDLE}\u2028{ASK}"),
        ("nul", f"{HANDLE}\0\n{ASK}"),
        ("below-a-sanitised-handle", f"{HANDLE}\n{HANDLE.replace('#', '#user-content-')}\n{ASK}"),
        ("below-another-handle", f"{HANDLE}\n{handle(TEA)}\n{ASK}"),
    ):
        yield from _both(name, text, RECORD, note)
    note = "A short excerpt may stand anywhere by chance."
    for name, record, text in (
        ("inside-a-word", YES, f"{handle(YES)}\nNo.\n\nYesterday was fine."),
        ("in-the-label", cited("book"), f"{handle(cited('book'))}\nNo."),
        ("in-the-handle", cited("](#know"), f"{handle(cited('](#know'))}\nNo."),
        ("in-another-entry", YES, f"{handle(YES)}\nNo.\n\n[2] {handle(TEA)}\nYes, tea."),
    ):
        yield from _both(name, text, record, note)


def _nowhere() -> Iterator[Case]:
    note = "The excerpt has to stand in the text as it is."
    for name, shown in (
        ("absent", ""),
        ("cut", "Ask before you\u2026"),
        ("one-character-short", ASK[:-1]),
        ("other-case", ASK.lower()),
        ("two-blanks", ASK.replace(" ", "  ")),
        ("no-break-space", ASK.replace(" ", "\xa0")),
        ("line-broken", ASK.replace(" ", "\n")),
        ("soft-hyphen", ASK.replace("deploy", "de\xadploy")),
        ("html", ASK.replace(" ", "&#32;")),
        ("reversed", ASK[::-1]),
        ("split-by-the-handle", f"Ask before {HANDLE} you deploy."),
    ):
        message = shared_message(f"{HANDLE}\n{shown}", RECORD)
        yield reads(f"nowhere-{name}", message, [], note, refused=REFUSED)


def _spelling() -> Iterator[Case]:
    note = "No reader normalises, trims or repairs."
    for name, record, shown in (
        ("composed", cited("caf\u00e9"), "cafe\u0301"),
        ("decomposed", cited("cafe\u0301"), "caf\u00e9"),
        ("crlf-for-lf", cited("a\nb"), "a\r\nb"),
        ("lf-for-crlf", cited("a\r\nb"), "a\nb"),
        ("trimmed-end", cited("Ask.\n"), "Ask."),
        ("trimmed-start", cited(" Ask."), "Ask."),
        ("replacement-character", cited("a\U0001f600"), "a\ufffd"),
        ("full-width", cited("A1"), "\uff21\uff11"),
        ("sharp-s", cited("Stra\u00dfe"), "Strasse"),
        ("ligature", cited("\ufb01t"), "fit"),
        ("nul-inside", cited("ab"), "a\0b"),
    ):
        message = shared_message(f"{handle(record)}\n{shown}", record)
        yield reads(f"spelling-{name}", message, [], note, refused=REFUSED)


def _occurrences() -> Iterator[Case]:
    note = "Every occurrence of a handle may be followed by the excerpt."
    for name, text in (
        ("second", f"See {HANDLE}.\n\n{HANDLE}\n{ASK}"),
        ("last-of-five", f"{f'{HANDLE} ' * 4}{HANDLE}\n{ASK}"),
        ("below-itself", f"{HANDLE}\n{HANDLE}\n{ASK}"),
        ("excerpt-before-and-below", f"{ASK}\n{HANDLE}\nNo.\n\n{HANDLE}\n{ASK}"),
        ("first", f"{HANDLE}\n{ASK}\n\n{HANDLE}\nNo."),
    ):
        message = shared_message(text, RECORD)
        yield reads(f"occurrence-{name}", message, [in_shared(RECORD)], note, binding="entry")


def _neighbours() -> Iterator[Case]:
    quoting = cited(f"As {HANDLE} says.")
    around = cited(f"See:\n{entry(RECORD)}", title="Around")
    twin = cited(ASK, title="Twin")
    longer = cited(f"{ASK} Twice.", title="Longer")
    for name, text, records in (
        ("quoted-before", entries(quoting, RECORD), [quoting, RECORD]),
        ("nested", entry(around), [around, RECORD]),
        ("nested-first", entry(around), [RECORD, around]),
        ("back-to-back", entry(RECORD) + entry(TEA), [RECORD, TEA]),
        ("same-excerpt", entries(RECORD, twin), [RECORD, twin]),
        ("prefix-of-another", entries(longer, RECORD), [longer, RECORD]),
    ):
        message = shared_message(text, *records)
        note = "Entries may quote, hold or resemble each other."
        found = [in_shared(record) for record in records]
        yield reads(f"neighbours-{name}", message, found, note, binding="entry")
    yield reads(
        "neighbours-share-a-line",
        shared_message(f"{HANDLE} {handle(twin)}\n{ASK}", RECORD, twin),
        [in_shared(RECORD, "message"), in_shared(twin)],
        "Of two handles on a line the last is followed by the excerpt.",
    )
    yield reads(
        "neighbours-swapped",
        shared_message(f"{HANDLE}\n{TEA['excerpt']}\n\n{handle(TEA)}\n{ASK}", RECORD, TEA),
        [in_shared(RECORD, "message"), in_shared(TEA, "message")],
        "An excerpt below another record's handle binds to the message only.",
    )


def _demanded() -> Iterator[Case]:
    moved = f"{HANDLE}\n\n{ASK}"
    yield reads(
        "demanded-one-of-three",
        shared_message(f"{moved}\n\n{entry(TEA)}", RECORD, TEA, YES),
        [in_shared(TEA)],
        "Only the records that do not meet the demand are refused.",
        refused=[("excerpt", f"{LIST}/0"), ("handle", f"{LIST}/2")],
        binding="entry",
    )
    yield reads(
        "demanded-twice",
        shared_message(moved, RECORD, RECORD),
        [],
        "A second record of a refused id is refused alike.",
        refused=[("excerpt", f"{LIST}/0"), ("excerpt", f"{LIST}/1")],
        binding="entry",
    )
    yield reads(
        "demanded-nowhere",
        shared_message(f"{HANDLE}\nNo.", RECORD),
        [],
        "The rule is the same whether the excerpt stands elsewhere or nowhere.",
        refused=REFUSED,
        binding="entry",
    )
