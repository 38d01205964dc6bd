"""Cases of blanks: every character of the blank sets, and those that only look blank."""

from collections.abc import Callable, Iterator

from contract_vectors.case import Case, Theme, accept, joined, refuse
from contract_vectors.samples import Document, native, old_native, selected, source

SPACES = (
    "\u0020\u00a0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u202f\u205f\u3000\ufeff"
)
"""Blank in every text."""

LINE_ENDS = "\u0009\u000a\u000b\u000c\u000d\u0085\u2028\u2029"
"""Blank too in text of several lines; forbidden in text of one line."""

LOOK_ALIKES = (
    ("soft-hyphen", "\u00ad"),
    ("mongolian-vowel-separator", "\u180e"),
    ("zero-width-space", "\u200b"),
    ("zero-width-joiner", "\u200d"),
    ("right-to-left-mark", "\u200f"),
    ("word-joiner", "\u2060"),
    ("braille-blank", "\u2800"),
    ("hangul-filler", "\u3164"),
    ("variation-selector", "\ufe0f"),
    ("tag-space", "\U000e0020"),
)


def theme() -> Theme:
    """Return the cases of `blanks.json`."""
    description = "Blanks: each alone, each before text, and characters that only look blank."
    cases = joined(
        _each("title", SPACES, "KnowledgeSource", source),
        _each("excerpt", SPACES + LINE_ENDS, "KnowledgeSource", source),
        _each("document_name", SPACES + LINE_ENDS, "NativeSource", native),
        _together(),
        _look_alikes(),
    )
    return Theme("blanks", description, cases)


def _each(
    field: str, blanks: str, definition: str, sample: Callable[..., Document]
) -> Iterator[Case]:
    pointer = f"/{field}"
    for blank in blanks:
        name = f"{field}-blank-u{ord(blank):04x}"
        document = sample(**{field: blank})
        note = "A blank alone is no text."
        yield refuse(f"{name}-alone", definition, document, ("pattern", pointer), note)
        document = sample(**{field: f"{blank}x"})
        note = "A blank may stand before visible text."
        yield accept(f"{name}-before-text", definition, document, note)


def _together() -> Iterator[Case]:
    everything = SPACES + LINE_ENDS
    for case_id, definition, pointer, document, blanks in (
        ("title", "KnowledgeSource", "/title", source, SPACES),
        ("dataset-name", "KnowledgeSource", "/dataset_name", source, SPACES),
        ("excerpt", "KnowledgeSource", "/excerpt", source, everything),
        ("native-dataset-name", "NativeSource", "/dataset_name", native, everything),
        ("native-document-name", "NativeSource", "/document_name", native, everything),
        ("native-text", "NativeSource", "/text", native, everything),
        ("old-dataset-name", "NativeSourceRead", "/dataset_name", old_native, everything),
        ("old-document-name", "NativeSourceRead", "/document_name", old_native, everything),
        ("old-text", "NativeSourceRead", "/text", old_native, everything),
    ):
        yield from _field_together(case_id, definition, pointer, document, blanks)
    yield refuse(
        "scope-id-all-blanks",
        "KnowledgeScope",
        selected(dataset_ids=[everything]),
        ("pattern", "/dataset_ids/0"),
        "Many different blanks are still no text.",
    )
    yield accept(
        "scope-id-blanks-around-text",
        "KnowledgeScope",
        selected(dataset_ids=[f"{everything}x{everything}"]),
        "The server trims ids when it admits a scope; the schema does not.",
    )
    label = {"dataset_id": "ds-1", "name": everything}
    yield refuse(
        "scope-label-all-blanks",
        "DatasetLabel",
        label,
        ("pattern", "/name"),
        "Many different blanks are still no text.",
    )
    yield accept(
        "scope-label-blanks-around-text",
        "DatasetLabel",
        {**label, "name": f"{everything}x{everything}"},
        "Blanks may stand around text.",
    )


def _field_together(
    case_id: str, definition: str, pointer: str, sample: Callable[..., Document], blanks: str
) -> Iterator[Case]:
    field = pointer.removeprefix("/")
    note = "Many different blanks are still no text."
    document = sample(**{field: blanks})
    yield refuse(f"{case_id}-all-blanks", definition, document, ("pattern", pointer), note)
    document = sample(**{field: f"{blanks}x{blanks}"})
    note = "Blanks may stand around text, and readers never trim."
    yield accept(f"{case_id}-blanks-around-text", definition, document, note)


def _look_alikes() -> Iterator[Case]:
    for name, character in LOOK_ALIKES:
        note = "The blank set is closed: what only looks blank is text."
        for field in ("title", "excerpt"):
            document = source(**{field: character})
            yield accept(f"{field}-{name}-alone", "KnowledgeSource", document, note)
    for code in (0x1C, 0x1D, 0x1E, 0x1F):
        document = source(excerpt=chr(code))
        note = "Python's `strip` calls this blank; the contract does not."
        yield accept(f"excerpt-u{code:04x}-alone", "KnowledgeSource", document, note)
    for name, text in (("nul", "\0"), ("unit-separator", "\x1f"), ("zero-width-space", "\u200b")):
        document = native(document_name=text)
        note = "Native names have one rule: some character outside the blank set."
        yield accept(f"native-document-name-{name}-alone", "NativeSource", document, note)
