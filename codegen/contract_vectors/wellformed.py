"""Cases of Unicode: lone surrogates, broken UTF-8, and no normalisation."""

from collections.abc import Iterator

from contract_vectors.case import Case, Theme, accept, encode, joined, refuse
from contract_vectors.samples import native, selected, source

ROOT = "KnowledgeSourcesEnvelope"
SOURCE = "KnowledgeSource"
BROKEN = ("unicode", "")


def theme() -> Theme:
    """Return the cases of `unicode.json`."""
    description = "Unicode: lone surrogates, broken UTF-8, characters that no reader may change."
    cases = joined(_surrogates(), _unknown(), _pairs(), _bytes(), _kept())
    return Theme("unicode", description, cases)


def _source(field: str, text: bytes) -> bytes:
    return encode(source(**{field: "@"})).replace(b'"@"', b'"' + text + b'"')


def _surrogates() -> Iterator[Case]:
    for name, text in (
        ("high", rb"a\ud83db"),
        ("high-at-end", rb"a\ud83d"),
        ("low", rb"a\ude00b"),
        ("low-at-start", rb"\ude00a"),
        ("alone", rb"\ud800"),
        ("upper-case-digits", rb"a\uDBFFb"),
        ("last-low", rb"a\udfff"),
        ("pair-reversed", rb"\ude00\ud83d"),
        ("two-high-one-low", rb"\ud83d\ud83d\ude00"),
        ("one-high-two-low", rb"\ud83d\ude00\ude00"),
        ("high-then-letter-escape", rb"\ud83d\u0041"),
        ("high-then-newline-then-low", rb"\ud83d\n\ude00"),
        ("half-escaped", b"\\ud83d\xf0\x9f\x98\x80"),
    ):
        note = "An escape that is half a pair makes text that is not Unicode."
        yield refuse(f"surrogate-{name}", SOURCE, _source("excerpt", text), BROKEN, note)
    for field in ("id", "provider", "title", "dataset_name", "url"):
        data = _source(field, rb"\udc00")
        note = "The parser refuses the document before any field is judged."
        yield refuse(f"surrogate-in-{field}", SOURCE, data, BROKEN, note)


def _unknown() -> Iterator[Case]:
    start = b'{"knowledge_sources_version":1,"knowledge_sources":[],'
    for name, member in (
        ("value", rb'"extra":"\ud83d"'),
        ("nested-value", rb'"extra":{"a":[1,{"b":"\udead"}]}'),
        ("key", rb'"\ud83d":1'),
        ("nested-key", rb'"extra":[{"\udead":null}]'),
    ):
        note = "Well-formed Unicode is asked of the whole document, unknown keys included."
        data = start + member + b"}"
        yield refuse(f"surrogate-in-unknown-{name}", ROOT, data, BROKEN, note)
    yield refuse(
        "surrogate-as-root-string",
        ROOT,
        rb'"\ud800"',
        BROKEN,
        "The parser speaks before the definition does.",
    )
    yield refuse(
        "surrogate-in-native-text",
        "NativeSource",
        b'{"text":"' + rb"\ud800" + b'"}',
        BROKEN,
        "Native records are parsed by the same rules.",
    )
    yield refuse(
        "surrogate-in-scope",
        "KnowledgeScope",
        rb'{"version":1,"mode":"selected","dataset_ids":["\ud800"]}',
        BROKEN,
        "Scopes are parsed by the same rules.",
    )


def _pairs() -> Iterator[Case]:
    for name, text, note in (
        ("pair", rb"\ud83d\ude00", "An escaped pair is one character."),
        ("pair-upper-case", rb"\uD83D\uDE00", "Hex digits of an escape have no case."),
        ("pair-first-astral", rb"\ud800\udc00", "The first character beyond the BMP."),
        ("pair-last-astral", rb"\udbff\udfff", "The last code point is a noncharacter, and legal."),
        ("two-pairs", rb"\ud83d\ude00\ud83d\ude00", "Pairs may follow one another."),
        ("spelled-out", rb"\\ud83d", "An escaped backslash does not start an escape."),
        ("below-surrogates", rb"\ud7ff", "The last code point before the surrogates."),
        ("above-surrogates", rb"\ue000", "The first code point after the surrogates."),
        ("replacement-character", rb"\ufffd", "U+FFFD is an ordinary character."),
    ):
        yield accept(f"escaped-{name}", SOURCE, _source("excerpt", text), note)
    note = "512 escaped pairs are 512 code points."
    data = _source("title", rb"\ud83d\ude00" * 512)
    yield accept("title-512-escaped-pairs", SOURCE, data, note)
    note = "513 escaped pairs are 513 code points."
    data = _source("title", rb"\ud83d\ude00" * 513)
    yield refuse("title-513-escaped-pairs", SOURCE, data, ("maxLength", "/title"), note)


def _bytes() -> Iterator[Case]:
    for name, text in (
        ("byte-ff", b"a\xffb"),
        ("byte-fe", b"\xfe"),
        ("lone-continuation", b"a\x80b"),
        ("latin-1", b"caf\xe9"),
        ("truncated-two-bytes", b"a\xc3"),
        ("truncated-three-bytes", b"a\xe2\x82"),
        ("truncated-four-bytes", b"a\xf0\x9f\x98"),
        ("overlong-slash", b"\xc0\xaf"),
        ("overlong-nul", b"a\xc0\x80"),
        ("overlong-three-bytes", b"\xe0\x80\xaf"),
        ("overlong-four-bytes", b"\xf0\x80\x80\xaf"),
        ("beyond-last-code-point", b"\xf4\x90\x80\x80"),
        ("five-bytes", b"\xf8\x88\x80\x80\x80"),
        ("surrogate-high", b"\xed\xa0\xbd"),
        ("surrogate-low", b"\xed\xb8\x80"),
        ("cesu-8-pair", b"\xed\xa0\xbd\xed\xb8\x80"),
    ):
        note = "Bytes that are not UTF-8 are refused, never replaced."
        yield refuse(f"utf8-{name}", SOURCE, _source("excerpt", text), BROKEN, note)
    cut = _source("excerpt", b"price: \xe2\x82\xac").removesuffix(b'\xac"}')
    note = "The input ends inside a character."
    yield refuse("utf8-input-cut-in-character", SOURCE, cut, BROKEN, note)
    data = b'{"knowledge_sources_version":1,"knowledge_sources":[],"caf\xe9":1}'
    note = "Unknown keys must be UTF-8 too."
    yield refuse("utf8-broken-in-unknown-key", ROOT, data, BROKEN, note)
    data = b'{"knowledge_sources_version":1,"knowledge_sources":[]}'
    for name, document in (
        ("utf16-le-with-bom", b"\xff\xfe" + data.decode().encode("utf-16-le")),
        ("utf16-be-with-bom", b"\xfe\xff" + data.decode().encode("utf-16-be")),
        ("utf32-le-with-bom", b"\xff\xfe\0\0" + data.decode().encode("utf-32-le")),
    ):
        note = "Another encoding's byte order mark is not UTF-8; encodings are never guessed."
        yield refuse(name, ROOT, document, BROKEN, note)


def _kept() -> Iterator[Case]:
    for name, text in (
        ("nfc", "caf\u00e9"),
        ("nfd", "cafe\u0301"),
        ("ligature", "\ufb01"),
        ("combining-first", "\u0301a"),
        ("private-use", "\ue000"),
        ("noncharacter-bmp", "\ufdd0\uffff"),
        ("noncharacter-astral", "\U0001ffff"),
        ("unassigned", "\u0378"),
        ("right-to-left", "\u05e9\u05dc\u05d5\u05dd"),
        ("han", "\u77e5\u8bc6"),
        ("emoji-family", "\U0001f468\u200d\U0001f469\u200d\U0001f467"),
    ):
        note = "Text is kept as it is: no normalisation, no judgement of characters."
        yield accept(f"text-{name}", SOURCE, source(title=text, excerpt=text), note)
    note = "Readers never compose: 256 letters with an accent each are 512 code points."
    yield accept("title-256-decomposed", SOURCE, source(title="e\u0301" * 256), note)
    note = "Composing would make it fit, and is not done."
    document = source(title="e\u0301" * 256 + "e")
    yield refuse("title-257-decomposed", SOURCE, document, ("maxLength", "/title"), note)
    note = "Native names may hold any characters."
    yield accept("native-name-astral", "NativeSource", native(document_name="\U00020000"), note)
    note = "A scope's id may hold any characters."
    yield accept("scope-id-astral", "KnowledgeScope", selected(dataset_ids=["\U00020000"]), note)
