"""Cases of the shared strings: types, lengths in code points, forms and final newlines."""

from collections.abc import Iterator

from contract_vectors.case import Case, Theme, accept, joined, refuse
from contract_vectors.samples import HEX, full_source, source

SOURCE = "KnowledgeSource"
ASTRAL = "\U0001f600"
ACUTE = "\u0301"


def theme() -> Theme:
    """Return the cases of `strings.json`."""
    description = "Strings of a source: types, lengths in code points, forms, final newlines."
    cases = joined(_types(), _lengths(), _excerpt_lengths(), _ids(), _providers(), _newlines())
    return Theme("strings", description, cases)


def _types() -> Iterator[Case]:
    for name in ("id", "provider", "title", "excerpt", "dataset_name", "url"):
        for kind, value in (
            ("number", 1),
            ("true", True),
            ("list", ["Handbook"]),
            ("object", {"text": "Handbook"}),
        ):
            note = "Nothing is converted to a string."
            document = full_source(**{name: value})
            yield refuse(f"{name}-{kind}", SOURCE, document, ("type", f"/{name}"), note)
        note = "An empty string never stands for an absent field."
        document = full_source(**{name: ""})
        yield refuse(f"{name}-empty", SOURCE, document, ("minLength", f"/{name}"), note)


def _lengths() -> Iterator[Case]:
    for name in ("title", "dataset_name"):
        pointer = f"/{name}"
        for kind, text, what in (
            ("1", "a", "The shortest text."),
            ("1-astral", ASTRAL, "One astral character is one code point."),
            ("512", "a" * 512, "The greatest length."),
            ("512-astral", ASTRAL * 512, "Length counts code points, not UTF-16 units or bytes."),
            ("512-combining", "e" + ACUTE * 511, "Combining characters count one by one."),
        ):
            yield accept(f"{name}-{kind}-ok", SOURCE, source(**{name: text}), what)
        for kind, text, what in (
            ("513", "a" * 513, "One code point too long."),
            ("513-astral", ASTRAL * 513, "One astral code point too long."),
            ("513-combining", "e" + ACUTE * 512, "One grapheme, yet too many code points."),
            ("513-trailing-blanks", "a" + " " * 512, "Readers never trim before they measure."),
        ):
            document = source(**{name: text})
            yield refuse(f"{name}-{kind}-over", SOURCE, document, ("maxLength", pointer), what)


def _excerpt_lengths() -> Iterator[Case]:
    yield accept("excerpt-1-ok", SOURCE, source(excerpt="x"), "The shortest excerpt.")
    yield accept(
        "excerpt-100000-astral-ok",
        SOURCE,
        source(excerpt=ASTRAL * 100_000),
        "The greatest length, where UTF-16 units and bytes would be far over it.",
    )
    yield refuse(
        "excerpt-100001-over",
        SOURCE,
        source(excerpt="a" * 100_001),
        ("maxLength", "/excerpt"),
        "One code point too long.",
    )
    yield refuse(
        "excerpt-100001-blank-over",
        SOURCE,
        source(excerpt=" " * 100_001),
        ("maxLength", "/excerpt"),
        "A hostile run of blanks is refused by its length, in linear time.",
    )
    yield refuse(
        "excerpt-100000-blank",
        SOURCE,
        source(excerpt=" " * 100_000),
        ("pattern", "/excerpt"),
        "A run of blanks of the greatest length is judged in linear time.",
    )
    yield accept(
        "excerpt-markdown-kept",
        SOURCE,
        source(excerpt="# [x](y) <b>\n```\n\t| a | b |\n"),
        "An excerpt is text; markup in it means nothing.",
    )


def _ids() -> Iterator[Case]:
    for name, text in (
        ("digits-only", "0" * 32),
        ("letters-only", "f" * 32),
        ("all-digits", HEX),
    ):
        yield accept(f"id-{name}", SOURCE, source(id=text), "Any 32 lower-case hex digits do.")
    yield refuse("id-31", SOURCE, source(id="a" * 31), ("minLength", "/id"), "One digit short.")
    yield refuse("id-33", SOURCE, source(id="a" * 33), ("maxLength", "/id"), "One digit too many.")
    for name, text in (
        ("upper-case", HEX.upper()),
        ("letter-g", "g" * 32),
        ("dashes", "01234567-89ab-4def-0123-456789ab"),
        ("leading-space", f" {HEX[1:]}"),
        ("trailing-space", f"{HEX[1:]} "),
        ("leading-newline", f"\n{HEX[1:]}"),
        ("prefix-0x", f"0x{HEX[2:]}"),
        ("full-width-digit", f"\uff11{HEX[1:]}"),
        ("arabic-indic-digit", f"\u0661{HEX[1:]}"),
        ("cyrillic-a", f"\u0430{HEX[1:]}"),
        ("astral-digit", f"\U0001d7ce{HEX[1:]}"),
        ("nul", f"{HEX[1:]}\0"),
    ):
        note = "Only the digits 0-9 and a-f of ASCII, and nothing beside them."
        yield refuse(f"id-{name}", SOURCE, source(id=text), ("pattern", "/id"), note)


def _providers() -> Iterator[Case]:
    for name, text in (
        ("one-letter", "a"),
        ("one-digit", "7"),
        ("dash-and-underscore", "a-_9"),
        ("trailing-dash", "local-"),
        ("64", "a" * 64),
    ):
        yield accept(f"provider-{name}", SOURCE, source(provider=text), "A legal short name.")
    yield refuse(
        "provider-65",
        SOURCE,
        source(provider="a" * 65),
        ("maxLength", "/provider"),
        "One character too long.",
    )
    for name, text in (
        ("upper-case", "Local"),
        ("leading-dash", "-local"),
        ("leading-underscore", "_local"),
        ("inner-space", "local docs"),
        ("leading-space", " local"),
        ("trailing-space", "local "),
        ("dot", "local.docs"),
        ("slash", "local/docs"),
        ("umlaut", "l\u00f6cal"),
        ("kelvin-sign", "\u212a"),
        ("dotless-i", "l\u0131ve"),
        ("full-width", "\uff41"),
        ("superscript-digit", "a\u00b2"),
        ("astral", f"a{ASTRAL}"),
        ("nul", "a\0"),
    ):
        document = source(provider=text)
        note = "A provider's name is lower-case ASCII, whatever case folding would make of it."
        yield refuse(f"provider-{name}", SOURCE, document, ("pattern", "/provider"), note)


def _newlines() -> Iterator[Case]:
    note = "`$` means the very end, not the place before a final newline."
    yield refuse("id-final-newline-32", SOURCE, source(id=f"{HEX[1:]}\n"), ("pattern", "/id"), note)
    yield refuse("id-final-newline-33", SOURCE, source(id=f"{HEX}\n"), ("maxLength", "/id"), note)
    for name, text in (
        ("provider", "local"),
        ("title", "Handbook"),
        ("dataset_name", "Policies"),
        ("url", "https://example.com/a"),
    ):
        for kind, ending in (
            ("newline", "\n"),
            ("carriage-return", "\r"),
            ("crlf", "\r\n"),
            ("two-newlines", "\n\n"),
            ("line-separator", "\u2028"),
        ):
            document = source(**{name: text + ending})
            yield refuse(f"{name}-final-{kind}", SOURCE, document, ("pattern", f"/{name}"), note)
        document = source(**{name: f"\n{text}"})
        what = "`^` means the very start, not the start of a line."
        yield refuse(f"{name}-leading-newline", SOURCE, document, ("pattern", f"/{name}"), what)
    for kind, ending in (("newline", "\n"), ("crlf", "\r\n"), ("line-separator", "\u2028")):
        document = source(excerpt=f"Ask.{ending}")
        note = "An excerpt keeps its line ends; readers never trim."
        yield accept(f"excerpt-final-{kind}", SOURCE, document, note)
