"""Cases of shared records in a message: contract, id, handle, duplicates and overflow."""

from collections.abc import Iterator

from contract_vectors.case import Case, Theme, joined
from contract_vectors.samples import HEX, Document, copies, native, without
from contract_vectors.tool_messages import (
    ASK,
    LIST,
    cited,
    entries,
    entry,
    handle,
    in_shared,
    numbered,
    reads,
    shared_message,
)

RECORD = cited()
FULL = cited("Tea needs 80 \u00b0C.", title="Tea", dataset_name="Home", page=3)
LINKED = cited("Book early.", title="Travel", url="https://example.com/a?b=c#d")
TEXT = entries(RECORD, FULL, LINKED)
ID = RECORD["id"]
CLOSED = f"](#knowledge-source-{ID})"


def theme() -> Theme:
    """Return the cases of `message-shared.json`."""
    description = "Shared records in a message: refused one by one, first by what costs least."
    cases = joined(_whole(), _tampered(), _broken(), _first_problem(), _open_handles())
    return Theme(
        "message-shared",
        description,
        joined(cases, _closed_handles(), _forged(), _duplicates(), _overflow()),
    )


def _whole() -> Iterator[Case]:
    found = [in_shared(RECORD), in_shared(FULL), in_shared(LINKED)]
    for binding in ("message", "entry"):
        yield reads(
            f"three-by-{binding}",
            shared_message(TEXT, RECORD, FULL, LINKED),
            found,
            "Evidence comes in the order of the artifact.",
            binding=binding,
        )
    yield reads(
        "three-reversed",
        shared_message(TEXT, LINKED, FULL, RECORD),
        found[::-1],
        "The order in the text is of no account.",
        binding="entry",
    )
    yield reads(
        "page-1.0",
        shared_message(TEXT, {**FULL, "page": 3.0}),
        [in_shared(FULL)],
        "A page is a number, however it is spelled.",
    )
    yield reads(
        "text-without-records",
        shared_message(TEXT),
        [],
        "Text alone is no evidence.",
    )


def _tampered() -> Iterator[Case]:
    for name, changes in (
        ("excerpt", {"excerpt": "Ask before you deploy!"}),
        ("excerpt-blank-behind", {"excerpt": ASK + " "}),
        ("title", {"title": "handbook"}),
        ("provider", {"provider": "lightrag"}),
        ("page-added", {"page": 1}),
        ("dataset-added", {"dataset_name": "Home"}),
        ("url-added", {"url": "https://example.com/"}),
        ("id", {"id": "0" * 32}),
        ("id-of-another", {"id": FULL["id"]}),
    ):
        message = shared_message(f"{TEXT}\n{ASK}! ", {**RECORD, **changes}, FULL)
        refused = [("id", f"{LIST}/0/id")]
        note = "The id covers every field, and no neighbour suffers."
        yield reads(f"tampered-{name}", message, [in_shared(FULL)], note, refused=refused)
    for name in ("page", "dataset_name"):
        message = shared_message(TEXT, without(FULL, name))
        refused = [("id", f"{LIST}/0/id")]
        note = "The id covers every field, also one that is gone."
        yield reads(f"tampered-{name}-removed", message, [], note, refused=refused)


def _broken() -> Iterator[Case]:
    for name, record, rule, place in (
        ("null", None, "type", ""),
        ("true", True, "type", ""),
        ("string", ID, "type", ""),
        ("list", [RECORD], "type", ""),
        ("empty", {}, "required", "/id"),
        ("without-id", without(RECORD, "id"), "required", "/id"),
        ("without-excerpt", without(RECORD, "excerpt"), "required", "/excerpt"),
        ("id-null", {**RECORD, "id": None}, "type", "/id"),
        ("id-upper-case", {**RECORD, "id": "A" * 32}, "pattern", "/id"),
        ("id-short", {**RECORD, "id": "0" * 31}, "minLength", "/id"),
        ("id-native", {**RECORD, "id": f"{HEX}-1"}, "maxLength", "/id"),
        ("native", native(), "maxLength", "/id"),
        ("excerpt-null", {**RECORD, "excerpt": None}, "type", "/excerpt"),
        ("excerpt-nul", cited("Ask\0deploy."), "pattern", "/excerpt"),
        ("excerpt-blank", cited(" \n\u3000"), "pattern", "/excerpt"),
        ("title-blank", cited(title=" "), "pattern", "/title"),
        ("title-two-lines", cited(title="Hand\nbook"), "pattern", "/title"),
        ("page-null", {**RECORD, "page": None}, "type", "/page"),
        ("page-true", {**RECORD, "page": True}, "type", "/page"),
        ("page-string", {**RECORD, "page": "1"}, "type", "/page"),
        ("page-0", cited(page=0), "minimum", "/page"),
        ("url-script", cited(url="javascript:alert(1)"), "pattern", "/url"),
        ("unknown-key", {**RECORD, "score": 1}, "additionalProperties", ""),
        ("proto-key", {**RECORD, "__proto__": {}}, "additionalProperties", ""),
    ):
        message = shared_message(entries(RECORD, FULL) + "\n \n\u3000", record, FULL)
        note = "A record that breaks the contract is refused alone, even with the right id."
        refused = [(rule, f"{LIST}/0{place}")]
        yield reads(f"broken-{name}", message, [in_shared(FULL)], note, refused=refused)


def _first_problem() -> Iterator[Case]:
    yield reads(
        "broken-twice",
        shared_message(TEXT, {**RECORD, "x": 1, "page": 0, "title": ""}),
        [],
        "Of one record only the first problem is told, in the order of the contract.",
        refused=[("minLength", f"{LIST}/0/title")],
    )
    yield reads(
        "broken-and-tampered",
        shared_message(TEXT, {**RECORD, "id": "0" * 32, "x": 1}),
        [],
        "A record is judged before its id is computed.",
        refused=[("additionalProperties", f"{LIST}/0")],
    )
    yield reads(
        "tampered-without-handle",
        shared_message("", {**RECORD, "title": "Tea"}, RECORD),
        [],
        "The id is computed before the text is searched.",
        refused=[("id", f"{LIST}/0/id"), ("handle", f"{LIST}/1")],
    )
    yield reads(
        "broken-between-good",
        shared_message(TEXT, RECORD, None, FULL, {}, LINKED),
        [in_shared(RECORD), in_shared(FULL), in_shared(LINKED)],
        "Pointers count the records of the artifact, not those that are good.",
        refused=[("type", f"{LIST}/1"), ("required", f"{LIST}/3/id")],
        binding="entry",
    )


def _open_handles() -> Iterator[Case]:
    note = "Only the closed handle with the whole id counts."
    for name, link in (
        ("absent", "[citation:Handbook]"),
        ("sanitised", f"[x](#user-content-knowledge-source-{ID})"),
        ("not-closed", f"[x](#knowledge-source-{ID}"),
        ("not-opened", f"[x]#knowledge-source-{ID})"),
        ("bare", f"#knowledge-source-{ID}"),
        ("parentheses-only", f"(#knowledge-source-{ID})"),
        ("blank-between", f"[x] (#knowledge-source-{ID})"),
        ("blank-inside", f"[x](#knowledge-source-{ID} )"),
        ("angle-brackets", f"[x](<#knowledge-source-{ID}>)"),
        ("link-title", f'[x](#knowledge-source-{ID} "x")'),
        ("reference", f"[x]: #knowledge-source-{ID}"),
        ("html", f'<a href="#knowledge-source-{ID}">x</a>'),
        ("address-before", f"[x](https://example.com/#knowledge-source-{ID})"),
        ("no-hash", f"[x](knowledge-source-{ID})"),
        ("upper-case-id", f"[x](#knowledge-source-{ID.upper()})"),
        ("upper-case-prefix", f"[x](#Knowledge-Source-{ID})"),
        ("one-digit-less", f"[x](#knowledge-source-{ID[:-1]})"),
        ("one-digit-more", f"[x](#knowledge-source-{ID}0)"),
        ("ordinal-behind", f"[x](#knowledge-source-{ID}-1)"),
        ("native-prefix", f"[x](#knowledge-{ID})"),
        ("native-form", f"[x](#knowledge-{ID}-1)"),
        ("plural-prefix", f"[x](#knowledge-sources-{ID})"),
        ("percent-encoded", f"[x](#knowledge%2Dsource%2D{ID})"),
        ("character-reference", f"[x](&#35;knowledge-source-{ID})"),
        ("line-end-inside", f"[x](#knowledge-source-\n{ID})"),
        ("zero-width-inside", f"[x](#knowledge-source-{ID[:16]}\u200b{ID[16:]})"),
        ("full-width-brackets", f"[x]\uff08#knowledge-source-{ID}\uff09"),
        ("anchor", "[x](#knowledge-source-3)"),
        ("of-another", handle(FULL)),
    ):
        message = shared_message(f"[1] {link}\n{ASK}", RECORD)
        yield reads(f"handle-{name}", message, [], note, refused=[("handle", f"{LIST}/0")])


def _closed_handles() -> Iterator[Case]:
    note = "Tool text is no Markdown: what stands around a closed handle is of no account."
    for name, text in (
        ("label-absent", f"{CLOSED}\n{ASK}"),
        ("label-empty", f"[{CLOSED}\n{ASK}"),
        ("label-of-another", f"[citation:Tea{CLOSED}\n{ASK}"),
        ("label-with-brackets", f"[a]] [b]({CLOSED}\n{ASK}"),
        ("image", f"![x{CLOSED}\n{ASK}"),
        ("escaped", f"\\[x\\{CLOSED}\n{ASK}"),
        ("in-code", f"``[x{CLOSED}\n{ASK}``"),
        ("in-a-fence", f"```\n[x{CLOSED}\n{ASK}\n```"),
        ("behind-an-open-fence", f"```\n~~~~\n<!--\n[x{CLOSED}\n{ASK}"),
        ("indented", f"        [x{CLOSED}\n{ASK}"),
        ("in-html", f"<script>[x{CLOSED}\n{ASK}</script>"),
        ("behind-a-native-prefix", f"](#knowledge-](#knowledge-source-[x{CLOSED}\n{ASK}"),
        ("behind-nul", f"\0\0[x{CLOSED}\n{ASK}\0"),
        ("behind-astral-text", "\U0001f600" * 3 + f"[x{CLOSED}\n{ASK}"),
        ("behind-carriage-returns", f"a\r\nb\r\n[x{CLOSED}\n{ASK}\r\n"),
    ):
        message = shared_message(text, RECORD)
        yield reads(f"handle-{name}", message, [in_shared(RECORD)], note, binding="entry")
        # Readers that expect entries in order have another way of searching for the rest.
        yield reads(
            f"handle-{name}-behind-a-refused-record",
            shared_message(text, FULL, RECORD),
            [in_shared(RECORD)],
            note,
            refused=[("handle", f"{LIST}/0")],
            binding="entry",
        )


def _forged() -> Iterator[Case]:
    forged = cited("Never ask.")
    for name, text, rule in (
        ("no-trace", TEXT, "handle"),
        ("excerpt-only", f"{TEXT}\nNever ask.", "handle"),
        ("handle-only", f"{TEXT}\n{handle(forged)}", "excerpt"),
        ("excerpt-of-another", f"{TEXT}\n{handle(forged)}\n{ASK}", "excerpt"),
    ):
        message = shared_message(text, forged, RECORD)
        note = "A forged record with the right id fails where the text lacks it."
        refused = [(rule, f"{LIST}/0")]
        yield reads(f"forged-{name}", message, [in_shared(RECORD)], note, refused=refused)


def _duplicates() -> Iterator[Case]:
    again = [("duplicate", f"{LIST}/1")]
    for name, records, refused in (
        ("twice", [RECORD, RECORD], again),
        ("keys-reversed", [RECORD, dict(reversed(RECORD.items()))], again),
        ("thrice", [RECORD, RECORD, RECORD], [*again, ("duplicate", f"{LIST}/2")]),
        (
            "behind-a-broken-one",
            [{**RECORD, "x": 1}, RECORD],
            [("additionalProperties", LIST + "/0")],
        ),
        ("behind-a-tampered-one", [{**RECORD, "title": "Tea"}, RECORD], [("id", LIST + "/0/id")]),
        ("broken-itself", [RECORD, {**RECORD, "x": 1}], [("additionalProperties", LIST + "/1")]),
        ("tampered-itself", [RECORD, {**RECORD, "title": "Tea"}], [("id", LIST + "/1/id")]),
    ):
        message = shared_message(entry(RECORD), *records)
        note = "The first valid record of an id wins."
        yield reads(f"duplicate-{name}", message, [in_shared(RECORD)], note, refused=refused)
    yield reads(
        "duplicate-page-1.0",
        shared_message(TEXT, FULL, {**FULL, "page": 3.0}),
        [in_shared(FULL)],
        "A number's spelling makes no other record.",
        refused=again,
    )
    yield reads(
        "duplicate-of-a-refused-one",
        shared_message(TEXT.replace(CLOSED, "]"), RECORD, RECORD),
        [],
        "What was refused is no earlier evidence.",
        refused=[("handle", f"{LIST}/0"), ("handle", f"{LIST}/1")],
    )


def _overflow() -> Iterator[Case]:
    many = [cited(f"Rule {number}.") for number in range(101)]
    yield reads(
        "101-records",
        shared_message(entries(*many), *many),
        [in_shared(record) for record in many[:100]],
        "The first hundred records are looked at.",
        overflow=1,
        binding="entry",
    )
    yield reads(
        "100-bad-records-before-good-ones",
        shared_message(TEXT, *copies(100, None), RECORD, FULL),
        [],
        "Bad records count among the first hundred.",
        refused=[("type", f"{LIST}/{index}") for index in range(100)],
        overflow=2,
    )
    yield reads(
        "100-records",
        shared_message(entry(RECORD), *copies(100, _tampered_record())),
        [],
        "A hundred records are none too many.",
        refused=[("id", f"{LIST}/{index}/id") for index in range(100)],
    )
    yield reads(
        "overflow-is-not-judged",
        shared_message(TEXT, RECORD, *copies(99, None), *copies(50, numbered(1))),
        [in_shared(RECORD)],
        "Of what lies beyond the first hundred only the number is told.",
        refused=[("type", f"{LIST}/{index}") for index in range(1, 100)],
        overflow=50,
    )


def _tampered_record() -> Document:
    return {**RECORD, "title": "Tea"}
