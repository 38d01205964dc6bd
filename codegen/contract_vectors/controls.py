"""Cases of controls: refused in one line, kept in an excerpt, NUL nowhere in shared text."""

from collections.abc import Iterator

from contract_vectors.case import Case, Theme, accept, joined, refuse
from contract_vectors.samples import native, old_native, selected, source

SOURCE = "KnowledgeSource"
CONTROLS = (*range(0x20), 0x7F, *range(0x80, 0xA0), 0x2028, 0x2029)
"""What text of one line may not hold: C0, DEL, C1 and the two Unicode line ends."""


def theme() -> Theme:
    """Return the cases of `controls.json`."""
    description = "Controls: each in a title, NUL in excerpts, neighbours that are no controls."
    return Theme(
        "controls", description, joined(_title(), _neighbours(), _excerpt(), _native(), _scope())
    )


def _title() -> Iterator[Case]:
    note = "Text of one line holds no control and no line end."
    for code in CONTROLS:
        document = source(title=f"a{chr(code)}b")
        yield refuse(f"title-control-u{code:04x}", SOURCE, document, ("pattern", "/title"), note)
    for code in (0x00, 0x09, 0x0A, 0x1B, 0x7F, 0x85, 0x9F, 0x2028, 0x2029):
        problem = ("pattern", "/dataset_name")
        document = source(dataset_name=f"a{chr(code)}b")
        yield refuse(f"dataset-name-control-u{code:04x}", SOURCE, document, problem, note)
        document = source(title=chr(code))
        name = f"title-control-u{code:04x}-alone"
        yield refuse(name, SOURCE, document, ("pattern", "/title"), note)
        document = source(title=f"{chr(code)}a")
        name = f"title-control-u{code:04x}-first"
        yield refuse(name, SOURCE, document, ("pattern", "/title"), note)
        document = source(title=f" {chr(code)}a")
        name = f"title-control-u{code:04x}-after-blank"
        yield refuse(name, SOURCE, document, ("pattern", "/title"), note)


def _neighbours() -> Iterator[Case]:
    for code in (0x20, 0x7E, 0xA0, 0xA1, 0x2027, 0x202A, 0x202E, 0x2066, 0xE0001, 0x10FFFF):
        document = source(title=f"a{chr(code)}b")
        note = "This character is no control of the contract's; labels drop it if they must."
        yield accept(f"title-neighbour-u{code:04x}", SOURCE, document, note)


def _excerpt() -> Iterator[Case]:
    note = "NUL separates the fields of the id, so that no excerpt may hold one."
    for name, text in (
        ("alone", "\0"),
        ("first", "\0a"),
        ("inside", "a\0b"),
        ("last", "a\0"),
        ("after-blank", " \0a"),
    ):
        document = source(excerpt=text)
        yield refuse(f"excerpt-nul-{name}", SOURCE, document, ("pattern", "/excerpt"), note)
    every = "".join(map(chr, CONTROLS[1:]))
    yield accept(
        "excerpt-all-other-controls",
        SOURCE,
        source(excerpt=every),
        "Every control but NUL may stand in an excerpt; producers clean text, readers don't.",
    )
    for name, character in (("delete", "\x7f"), ("bell", "\x07"), ("c1", "\x80")):
        document = source(excerpt=character)
        note = "A control that is no blank counts as a character."
        yield accept(f"excerpt-{name}-alone", SOURCE, document, note)
    yield accept(
        "excerpt-backslash-u0000-spelled-out",
        SOURCE,
        source(excerpt="\\u0000"),
        "A backslash and five characters are no NUL.",
    )
    yield refuse(
        "title-nul-after-512",
        SOURCE,
        source(title="a" * 511 + "\0"),
        ("pattern", "/title"),
        "A title of the greatest length is searched to its end.",
    )


def _native() -> Iterator[Case]:
    every = "".join(map(chr, CONTROLS)) + "x"
    note = "Native text has no rule about controls; persisted records stay readable."
    for field in ("dataset_id", "document_id", "chunk_id", "dataset_name", "document_name", "text"):
        document = native(**{field: every})
        yield accept(f"native-{field}-all-controls", "NativeSource", document, note)
    for field in ("document_name", "text"):
        document = old_native(**{field: every})
        yield accept(f"old-{field}-all-controls", "NativeSourceRead", document, note)


def _scope() -> Iterator[Case]:
    every = "".join(map(chr, CONTROLS)) + "x"
    note = "A scope's ids are the provider's; the schema only asks for some text."
    yield accept("scope-id-all-controls", "KnowledgeScope", selected(dataset_ids=[every]), note)
