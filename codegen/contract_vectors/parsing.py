"""Cases of parsing: what strict JSON is, whatever a definition would say of the value."""

from collections.abc import Iterator

from contract_vectors.case import Case, Theme, accept, joined, refuse
from contract_vectors.samples import envelope, source

ROOT = "KnowledgeSourcesEnvelope"
NOT_JSON = ("json", "")
MEMBERS = b'"knowledge_sources_version":1,"knowledge_sources":[]'
EMPTY = b"{" + MEMBERS + b"}"
RECORD = (
    b'{"id":"084ed617406f2c6e73dae2dcfc1d69d2","provider":"local","title":"Handbook",'
    b'"excerpt":"Ask before you deploy."@}'
)


def theme() -> Theme:
    """Return the cases of `parsing.json`."""
    description = "Parsing: encoding marks, numbers, duplicate keys, depth and JSON's grammar."
    cases = joined(
        _empty(),
        _stages(),
        _numbers(),
        _bad_numbers(),
        _keys(),
        _depth(),
        _grammar(),
        _strings(),
        _space(),
    )
    return Theme("parsing", description, cases)


def _stages() -> Iterator[Case]:
    deep = b"[" * 64 + b"]" * 64
    for name, data, rule, note in (
        ("utf8-before-grammar", b"{\xff", "unicode", "Bytes are decoded before anything is read."),
        ("utf8-before-bom", b"\xef\xbb\xbf\xff", "unicode", "All bytes are decoded first."),
        (
            "grammar-before-surrogate",
            _with(rb'"\ud800"') + b"}",
            "json",
            "Surrogates are looked for in a document that is JSON.",
        ),
        (
            "duplicate-before-surrogate",
            b"{" + MEMBERS + rb',"a":"\ud800","a":1}',
            "json",
            "A duplicate key is found while the document is read, surrogates after it.",
        ),
        (
            "duplicate-surrogate-keys",
            b"{" + MEMBERS + rb',"\ud800":1,"\ud800":1}',
            "json",
            "Two equal keys are two equal keys, whatever is in them.",
        ),
        (
            "depth-before-surrogate",
            _with(b'{"a":' + deep + rb',"b":"\ud800"}'),
            "json",
            "Depth is found while the document is read, surrogates after it.",
        ),
        (
            "number-before-surrogate",
            _with(rb'["\ud800",1e999]'),
            "json",
            "A number is found while the document is read, surrogates after it.",
        ),
    ):
        yield refuse(f"parse-{name}", ROOT, data, (rule, ""), note)


def _with(value: bytes) -> bytes:
    return EMPTY.removesuffix(b"}") + b',"extra":' + value + b"}"


def _record(members: bytes) -> bytes:
    record = RECORD.replace(b"@", members)
    return b'{"knowledge_sources_version":1,"knowledge_sources":[' + record + b"]}"


def _empty() -> Iterator[Case]:
    for name, data, note in (
        ("empty-input", b"", "No bytes are no document."),
        ("blank-input", b" \n\t\r\n", "Blanks alone are no document."),
        ("nul-input", b"\0", "NUL is not JSON."),
        ("bom", b"\xef\xbb\xbf" + EMPTY, "A byte order mark is refused, not skipped."),
        ("bom-only", b"\xef\xbb\xbf", "A byte order mark alone is no document."),
        ("bom-after-space", b" \xef\xbb\xbf" + EMPTY, "A byte order mark is no blank of JSON."),
        ("bom-at-end", EMPTY + b"\xef\xbb\xbf", "A byte order mark is no blank of JSON."),
        ("utf16-le", EMPTY.decode().encode("utf-16-le"), "Encodings are never guessed."),
        ("utf16-be", EMPTY.decode().encode("utf-16-be"), "Encodings are never guessed."),
        ("utf32-le", EMPTY.decode().encode("utf-32-le"), "Encodings are never guessed."),
        ("not-json", b"knowledge_sources_version: 1", "Another format is refused."),
        ("binary", bytes(range(0x20)), "Control bytes are not JSON."),
    ):
        yield refuse(f"parse-{name}", ROOT, data, NOT_JSON, note)


def _numbers() -> Iterator[Case]:
    for name, literal in (
        ("minus-zero", b"-0"),
        ("fraction", b"0.1"),
        ("1e308", b"1e308"),
        ("largest-double", b"1.7976931348623157e308"),
        ("309-digit-integer", b"1" + b"0" * 308),
        ("minus-309-digit-integer", b"-1" + b"0" * 308),
        ("underflow", b"1e-400"),
        ("400-digit-fraction", b"0." + b"3" * 400),
        ("leading-zero-exponent", b"1e007"),
        ("5000-digits-scaled", b"1" + b"0" * 5000 + b"e-5000"),
    ):
        note = "The number is finite as a double, however it is spelled."
        yield accept(f"parse-number-{name}", ROOT, _with(literal), note)


def _bad_numbers() -> Iterator[Case]:
    note = "NaN and Infinity are not JSON, not even in an unknown key."
    for name, literal in (
        ("nan", b"NaN"),
        ("infinity", b"Infinity"),
        ("minus-infinity", b"-Infinity"),
        ("inf", b"inf"),
    ):
        yield refuse(f"parse-{name}", ROOT, _with(literal), NOT_JSON, note)
    yield refuse("parse-nan-root", ROOT, b"NaN", NOT_JSON, note)
    yield refuse("parse-nan-page", ROOT, _record(b',"page":NaN'), NOT_JSON, note)
    note = "A number beyond the doubles would be infinite in some readers."
    for name, literal in (
        ("1e309", b"1e309"),
        ("1e400", b"1e400"),
        ("minus-1e400", b"-1e400"),
        ("just-beyond-doubles", b"1.7976931348623159e308"),
        ("309-digit-integer-beyond", b"2" + b"0" * 308),
        ("310-digit-integer", b"1" + b"0" * 309),
        ("400-digit-integer", b"9" * 400),
        ("minus-400-digit-integer", b"-" + b"9" * 400),
        ("5000-digit-integer", b"7" * 5000),
        ("5000-digit-decimal", b"7" * 5000 + b".5"),
    ):
        yield refuse(f"parse-number-{name}", ROOT, _with(literal), NOT_JSON, note)
    yield refuse("parse-page-1e400", ROOT, _record(b',"page":1e400'), NOT_JSON, note)
    note = "The grammar of a number is JSON's."
    for name, literal in (
        ("leading-zero", b"01"),
        ("minus-leading-zero", b"-01"),
        ("plus", b"+1"),
        ("no-integer-part", b".5"),
        ("no-fraction-digits", b"1."),
        ("no-exponent-digits", b"1e"),
        ("minus-only", b"-"),
        ("hexadecimal", b"0x10"),
        ("underscore", b"1_000"),
        ("full-width-digit", b"\xef\xbc\x91"),
        ("big-integer-suffix", b"1n"),
        ("comma-decimal", b"1,5"),
    ):
        yield refuse(f"parse-number-{name}", ROOT, _with(literal), NOT_JSON, note)


def _keys() -> Iterator[Case]:
    for name, data in (
        ("root", b"{" + MEMBERS + b',"knowledge_sources_version":2}'),
        ("root-same-value", b"{" + MEMBERS + b',"knowledge_sources_version":1}'),
        ("root-list", b"{" + MEMBERS + b',"knowledge_sources":[]}'),
        ("root-by-escape", b"{" + MEMBERS + rb',"knowledge\u005fsources":[]}'),
        ("unknown-key", b"{" + MEMBERS + b',"a":1,"a":1}'),
        ("empty-key", b"{" + MEMBERS + b',"":1,"":2}'),
        ("proto", b"{" + MEMBERS + b',"__proto__":1,"__proto__":2}'),
        ("far-apart", b"{" + MEMBERS + b',"a":1,"b":2,"c":3,"a":4}'),
        ("astral-by-escape", b"{" + MEMBERS + b',"\xf0\x9f\x98\x80":1,"\\ud83d\\ude00":2}'),
        ("nested", _with(b'[{"b":{"a":1,"a":1}}]')),
        ("nested-by-escape", _with(rb'{"a":1,"\u0061":2}')),
        ("record", _record(b',"title":"Other"')),
        ("record-same-value", _record(b',"title":"Handbook"')),
        ("record-by-escape", _record(rb',"\u0074itle":"Other"')),
        ("record-unknown", _record(b',"x":1,"x":1')),
    ):
        note = "A key that stands twice means different things to different readers."
        yield refuse(f"parse-duplicate-key-{name}", ROOT, data, NOT_JSON, note)
    note = "These keys differ; nothing folds or normalises them."
    for name, value in (
        ("in-two-objects", b'[{"a":1},{"a":1}]'),
        ("in-inner-object", b'{"a":{"a":1}}'),
        ("by-case", b'{"a":1,"A":1}'),
        ("by-normal-form", b'{"\xc3\xa9":1,"e\xcc\x81":1}'),
        ("by-blank", b'{"a":1,"a ":1}'),
        ("by-nul", rb'{"a":1,"a\u0000":1}'),
    ):
        yield accept(f"parse-keys-differ-{name}", ROOT, _with(value), note)


def _depth() -> Iterator[Case]:
    lists = _with(b"[" * 63 + b"]" * 63)
    yield accept("parse-depth-64", ROOT, lists, "The root counts as 1, the innermost list as 64.")
    objects = _with(b'{"a":' * 62 + b"{}" + b"}" * 62)
    yield accept("parse-depth-64-objects", ROOT, objects, "Objects and lists count alike.")
    lists = _with(b"[" * 64 + b"]" * 64)
    yield refuse("parse-depth-65", ROOT, lists, NOT_JSON, "One level too deep.")
    objects = _with(b'{"a":' * 64 + b"1" + b"}" * 64)
    yield refuse("parse-depth-65-objects", ROOT, objects, NOT_JSON, "One level too deep.")
    mixed = _with(b'[{"a":' * 32 + b"1" + b"}]" * 32)
    yield refuse("parse-depth-65-mixed", ROOT, mixed, NOT_JSON, "One level too deep.")
    value = b'{"knowledge_sources_version":' + b"[" * 63 + b"]" * 63 + b',"knowledge_sources":[]}'
    problem = ("const", "/knowledge_sources_version")
    yield refuse(
        "parse-depth-64-known-key", ROOT, value, problem, "Within the limit, the schema judges."
    )
    value = b'{"knowledge_sources_version":' + b"[" * 64 + b"]" * 64 + b',"knowledge_sources":[]}'
    note = "Beyond the limit, the parser speaks first."
    yield refuse("parse-depth-65-known-key", ROOT, value, NOT_JSON, note)
    note = "Many containers side by side are not deep."
    yield accept("parse-wide-not-deep", ROOT, _with(b"[" + b"[]," * 999 + b"[]]"), note)
    note = "Hostile nesting ends in a verdict, not in a crash."
    for name, data in (
        ("open-brackets", b"[" * 100_000),
        ("closed-brackets", b"[" * 50_000 + b"]" * 50_000),
        ("open-objects", b'{"a":' * 20_000),
        ("in-unknown-key", _with(b"[" * 50_000 + b"]" * 50_000)),
    ):
        yield refuse(f"parse-100-kb-{name}", ROOT, data, NOT_JSON, note)


def _grammar() -> Iterator[Case]:
    note = "Only JSON's grammar is read, nothing that parsers add to it."
    for name, data in (
        ("trailing-comma-object", b"{" + MEMBERS + b",}"),
        ("trailing-comma-list", _with(b"[1,]")),
        ("leading-comma", b"{," + MEMBERS + b"}"),
        ("double-comma", _with(b"[1,,2]")),
        ("missing-comma", EMPTY.replace(b",", b" ", 1)),
        ("missing-colon", EMPTY.replace(b":", b" ", 1)),
        ("colon-in-list", _with(b'["a":1]')),
        ("two-documents", EMPTY + EMPTY),
        ("two-documents-on-lines", EMPTY + b"\n" + EMPTY),
        ("garbage-after", EMPTY + b"x"),
        ("bracket-after", EMPTY + b"}"),
        ("nul-after", EMPTY + b"\0"),
        ("truncated-object", EMPTY.removesuffix(b"}")),
        ("truncated-list", EMPTY.removesuffix(b"]}")),
        ("truncated-key", b'{"knowledge_sources_ver'),
        ("wrong-bracket", EMPTY.replace(b"[]", b"[}")),
        ("line-comment", EMPTY + b" // note"),
        ("block-comment", b"/* note */" + EMPTY),
        ("hash-comment", EMPTY + b" # note"),
        ("single-quotes", EMPTY.replace(b'"', b"'")),
        ("bare-keys", EMPTY.replace(b'"', b"")),
        ("number-key", _with(b"{1:2}")),
        ("null-key", _with(b"{null:2}")),
        ("true-upper-case", _with(b"True")),
        ("none", _with(b"None")),
        ("undefined", _with(b"undefined")),
        ("missing-value", _with(b"")),
        ("closing-prefix", b")]}'\n" + EMPTY),
        ("tuple", _with(b"(1,2)")),
    ):
        yield refuse(f"parse-{name}", ROOT, data, NOT_JSON, note)


def _strings() -> Iterator[Case]:
    note = "A string's controls are escaped, and its escapes are JSON's."
    for name, value in (
        ("raw-newline", b'"a\nb"'),
        ("raw-tab", b'"a\tb"'),
        ("raw-nul", b'"a\0b"'),
        ("raw-unit-separator", b'"a\x1fb"'),
        ("unclosed", b'"abc'),
        ("unclosed-by-escape", b'"abc\\"'),
        ("escape-x", rb'"\x41"'),
        ("escape-quote", b'"\\\'"'),
        ("escape-upper-u", rb'"\U0001F600"'),
        ("escape-short", rb'"\u12"'),
        ("escape-not-hex", rb'"\u12G4"'),
        ("escape-sign", rb'"\u+123"'),
        ("escape-space", rb'"\u 123"'),
        ("escape-braces", rb'"\u{1F600}"'),
        ("line-continuation", b'"a\\\nb"'),
        ("raw-newline-in-key", b'{"a\nb":1}'),
    ):
        yield refuse(f"parse-string-{name}", ROOT, _with(value), NOT_JSON, note)
    note = "This is a legal string."
    for name, value in (
        ("every-escape", rb'"\"\\\/\b\f\n\r\t\u0041\u00e9"'),
        ("escaped-nul", rb'"a\u0000b"'),
        ("raw-delete", b'"a\x7fb"'),
        ("raw-line-separator", b'"a\xe2\x80\xa8b"'),
        ("raw-c1", b'"a\xc2\x85b"'),
        ("bom-inside", b'"a\xef\xbb\xbfb"'),
        ("comment-inside", b'"// NaN /* {"'),
        ("empty", b'""'),
    ):
        yield accept(f"parse-string-{name}", ROOT, _with(value), note)
    data = _record(b"").replace(b'"title"', rb'"\u0074itle"')
    note = "An escaped key is the key that it stands for."
    yield accept("parse-key-by-escape", ROOT, data, note)


def _space() -> Iterator[Case]:
    note = "Blanks of JSON may stand around every token."
    yield accept("parse-blanks-around", ROOT, b" \t\r\n" + EMPTY + b"\n\n", note)
    spread = EMPTY.replace(b":", b" :\t").replace(b",", b"\r\n,")
    yield accept("parse-blanks-between", ROOT, spread, note)
    for name, blank in (
        ("form-feed", b"\f"),
        ("vertical-tab", b"\v"),
        ("no-break-space", b"\xc2\xa0"),
        ("next-line", b"\xc2\x85"),
        ("line-separator", b"\xe2\x80\xa8"),
        ("ideographic-space", b"\xe3\x80\x80"),
    ):
        note = "JSON knows four blanks; this is none of them."
        yield refuse(f"parse-blank-{name}", ROOT, blank + EMPTY, NOT_JSON, note)
    note = "Parsing rules bind every definition."
    data = b'{"operations":[],"operations":[]}'
    yield refuse("parse-capabilities-duplicate", "KnowledgeCapabilities", data, NOT_JSON, note)
    data = b'{"version":1,"mode":"all","mode":"disabled"}'
    yield refuse("parse-scope-duplicate-mode", "KnowledgeScope", data, NOT_JSON, note)
    yield accept(
        "parse-source-in-envelope",
        ROOT,
        envelope(source(excerpt="\u2028 \x7f \\u0041")),
        "Line separators and DEL stand unescaped in JSON.",
    )
