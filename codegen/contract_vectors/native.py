"""Cases of native records and snapshots, as they are written and as they are read."""

from collections.abc import Iterator

from contract_vectors.case import Case, Theme, accept, joined, refuse
from contract_vectors.samples import HEX, copies, native, old_native, snapshot, without

WRITE = "NativeSource"
READ = "NativeSourceRead"
ASTRAL = "\U0001f600"
SAMPLES = ((WRITE, "native", native), (READ, "old", old_native))


def theme() -> Theme:
    """Return the cases of `native.json`."""
    description = "Native records and snapshots: complete when written, lenient when read."
    cases = joined(
        _whole(),
        _members(),
        _nulls(),
        _keys(),
        _ids(),
        _lengths(),
        _values(),
        _lists(),
        _snapshots(),
    )
    return Theme("native", description, cases)


def _whole() -> Iterator[Case]:
    yield accept("native-record", WRITE, native(), "A complete record.")
    yield accept("native-record-read", READ, native(), "What is written today is readable.")
    yield accept("old-record", READ, old_native(), "What an older release stored is readable.")
    yield refuse(
        "old-record-written",
        WRITE,
        old_native(),
        ("required", "/dataset_id"),
        "A record without locators is not written any more.",
    )
    for definition, slug, _ in SAMPLES:
        for name, document in (("null", None), ("list", [native()]), ("string", "x")):
            note = "A record is an object."
            yield refuse(f"{slug}-root-{name}", definition, document, ("type", ""), note)


def _members() -> Iterator[Case]:
    for name in native():
        note = "A written record has every field."
        document = without(native(), name)
        yield refuse(f"native-without-{name}", WRITE, document, ("required", f"/{name}"), note)
    for name in ("id", "provider", "document_name", "text"):
        note = "Reading asks for what is shown and cited."
        document = without(native(), name)
        yield refuse(f"old-without-{name}", READ, document, ("required", f"/{name}"), note)
    for name in ("dataset_id", "document_id", "chunk_id", "dataset_name", "truncated", "pages"):
        note = "Reading does without this field."
        yield accept(f"old-without-{name}", READ, without(native(), name), note)


def _nulls() -> Iterator[Case]:
    for definition, slug, _ in SAMPLES:
        for name in native():
            rule = "const" if name == "provider" else "type"
            note = "Null is refused in every field, in both forms."
            document = native(**{name: None})
            problem = (rule, f"/{name}")
            yield refuse(f"{slug}-{name}-null", definition, document, problem, note)


def _keys() -> Iterator[Case]:
    for name, key in (
        ("plain", "similarity"),
        ("empty", ""),
        ("proto", "__proto__"),
        ("constructor", "constructor"),
    ):
        document = native(**{key: 1})
        problem = ("additionalProperties", "")
        note = "A written record is closed."
        yield refuse(f"native-unknown-key-{name}", WRITE, document, problem, note)
        note = "Reading ignores unknown keys."
        yield accept(f"old-unknown-key-{name}", READ, document, note)


def _ids() -> Iterator[Case]:
    for definition, slug, sample in SAMPLES:
        for name, ending in (("1", "1"), ("10", "10"), ("999", "999")):
            document = sample(id=f"{HEX}-{ending}")
            note = "Positions run from 1 to 999."
            yield accept(f"{slug}-id-{name}", definition, document, note)
        for name, text, rule in (
            ("0", f"{HEX}-0", "pattern"),
            ("leading-zero", f"{HEX}-01", "pattern"),
            ("1000", f"{HEX}-1000", "maxLength"),
            ("no-position", f"{HEX}-", "minLength"),
            ("shared-form", HEX, "minLength"),
            ("31-digits", f"{HEX[1:]}-10", "pattern"),
            ("33-digits", f"{HEX}a-1", "pattern"),
            ("upper-case", f"{HEX.upper()}-1", "pattern"),
            ("plus", f"{HEX}+1", "pattern"),
            ("en-dash", f"{HEX}\u20131", "pattern"),
            ("arabic-indic-digit", f"{HEX}-\u0661", "pattern"),
            ("letter-position", f"{HEX}-a", "pattern"),
            ("final-newline", f"{HEX}-1\n", "pattern"),
            ("final-newline-longest", f"{HEX}-99\n", "pattern"),
            ("final-newline-over", f"{HEX}-999\n", "maxLength"),
            ("empty", "", "minLength"),
        ):
            note = "A native id is 32 hex digits, a dash and a position from 1 to 999."
            problem = (rule, "/id")
            yield refuse(f"{slug}-id-{name}", definition, sample(id=text), problem, note)


def _lengths() -> Iterator[Case]:
    limits = {"dataset_id": 256, "document_id": 256, "chunk_id": 256}
    names = ("dataset_name", "document_name")
    for definition, slug, sample in SAMPLES:
        name_limit = 512 if definition == WRITE else 1024
        for field, limit in {**limits, **dict.fromkeys(names, name_limit)}.items():
            document = sample(**{field: ASTRAL * limit})
            note = "The greatest length, in code points."
            yield accept(f"{slug}-{field}-{limit}-astral-ok", definition, document, note)
            document = sample(**{field: "a" * (limit + 1)})
            problem = ("maxLength", f"/{field}")
            note = "One code point too long."
            yield refuse(f"{slug}-{field}-{limit + 1}-over", definition, document, problem, note)
            document = sample(**{field: ""})
            problem = ("minLength", f"/{field}")
            note = "An empty string never stands for an absent field."
            yield refuse(f"{slug}-{field}-empty", definition, document, problem, note)
        for field in names:
            document = sample(**{field: "travel\n"})
            note = "A native name may hold line ends."
            yield accept(f"{slug}-{field}-final-newline", definition, document, note)
        document = sample(text="")
        note = "An empty text is no evidence."
        yield refuse(f"{slug}-text-empty", definition, document, ("minLength", "/text"), note)
    for field in limits:
        document = native(**{field: " "})
        note = "A locator has no rule but its length."
        yield accept(f"native-{field}-blank", WRITE, document, note)
    yield accept(
        "native-text-200000-astral-ok",
        WRITE,
        native(text=ASTRAL * 200_000),
        "The greatest length, in code points.",
    )
    yield refuse(
        "old-text-200001-over",
        READ,
        old_native(text="a" * 200_001),
        ("maxLength", "/text"),
        "One code point too long.",
    )


def _values() -> Iterator[Case]:
    for definition, slug, sample in SAMPLES:
        for name, value in (
            ("other", "lightrag"),
            ("upper-case", "RAGFLOW"),
            ("final-newline", "ragflow\n"),
            ("empty", ""),
            ("number", 1),
            ("list", ["ragflow"]),
        ):
            problem = ("const", "/provider")
            note = "The provider of a native record is this constant."
            document = sample(provider=value)
            yield refuse(f"{slug}-provider-{name}", definition, document, problem, note)
        for name, value in (("0", 0), ("1", 1), ("string", "false"), ("list", [])):
            problem = ("type", "/truncated")
            note = "Only true and false are booleans."
            document = sample(truncated=value)
            yield refuse(f"{slug}-truncated-{name}", definition, document, problem, note)
        note = "The schema does not tie the flag to an ellipsis."
        yield accept(f"{slug}-truncated-true", definition, sample(truncated=True), note)
        for field in ("dataset_id", "document_name", "text"):
            document = sample(**{field: 1})
            note = "Nothing is converted to a string."
            yield refuse(
                f"{slug}-{field}-number", definition, document, ("type", f"/{field}"), note
            )


def _lists() -> Iterator[Case]:
    for definition, slug, sample in SAMPLES:
        note = "A record may have no pages."
        yield accept(f"{slug}-pages-0-items", definition, sample(pages=[]), note)
        note = "The greatest number of pages."
        yield accept(f"{slug}-pages-100-items", definition, sample(pages=copies(100, 1)), note)
        problem = ("maxItems", "/pages")
        note = "One page too many."
        yield refuse(
            f"{slug}-pages-101-items", definition, sample(pages=copies(101, 1)), problem, note
        )
        for name, value in (("number", 1), ("string", "1"), ("object", {})):
            problem = ("type", "/pages")
            note = "Pages are a list, even if there is one."
            yield refuse(f"{slug}-pages-{name}", definition, sample(pages=value), problem, note)


def _snapshots() -> Iterator[Case]:
    for definition, slug, sample in (
        ("NativeSnapshot", "snapshot", native),
        ("NativeSnapshotRead", "old-snapshot", old_native),
    ):
        yield accept(f"{slug}-empty", definition, snapshot(), "A snapshot may hold nothing.")
        note = "The smallest useful snapshot."
        yield accept(f"{slug}-one", definition, snapshot(sample()), note)
        note = "The greatest number of records."
        yield accept(f"{slug}-100", definition, snapshot(*copies(100, sample())), note)
        for name, document, rule, pointer in (
            ("101", snapshot(*copies(101, sample())), "maxItems", "/sources"),
            ("root-list", [sample()], "type", ""),
            ("root-null", None, "type", ""),
            ("without-version", {"sources": []}, "required", "/version"),
            ("without-sources", {"version": 1}, "required", "/sources"),
            ("sources-null", snapshot(sources=None), "type", "/sources"),
            ("sources-object", snapshot(sources={}), "type", "/sources"),
            ("record-null", snapshot(None), "type", "/sources/0"),
            ("record-bad", snapshot(sample(), sample(text="")), "minLength", "/sources/1/text"),
        ):
            note = "A snapshot has a version and a list of at most 100 records."
            yield refuse(f"{slug}-{name}", definition, document, (rule, pointer), note)
    document = snapshot(native(x=1), x=1)
    note = "Unknown keys are ignored at every level when reading."
    yield accept("old-snapshot-unknown-keys", "NativeSnapshotRead", document, note)
    problem = ("additionalProperties", "/sources/0")
    note = "A written record is closed within its snapshot."
    yield refuse("snapshot-record-unknown-key", "NativeSnapshot", document, problem, note)
    problem = ("additionalProperties", "")
    note = "A written snapshot is closed."
    yield refuse("snapshot-unknown-key", "NativeSnapshot", snapshot(x=1), problem, note)
    problem = ("required", "/sources/0/dataset_id")
    note = "A snapshot that is written holds complete records."
    yield refuse("snapshot-of-old", "NativeSnapshot", snapshot(old_native()), problem, note)
