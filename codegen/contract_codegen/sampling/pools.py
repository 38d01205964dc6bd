"""What tests should not forget: characters, keys and values that readers have tripped over."""

from functools import cache

from contract_codegen.sampling.shapes import SHAPES, Choices, List, Ranges, Record, Shape, Union

__all__ = [
    "ALL_CHARACTERS",
    "ASTRAL",
    "FRACTIONS",
    "HOSTILE",
    "HUGE",
    "JUNK",
    "LONE_SURROGATES",
    "field_names",
    "odd_keys",
    "palette",
    "variants",
    "without_surrogates",
]

ALL_CHARACTERS: Ranges = ((0, 0xD7FF), (0xE000, 0x10FFFF))

ORDINARY = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ,.-"
PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
BLANKS = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
    "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)
ALMOST_BLANK = "\xad\u034f\u115f\u180e\u200b\u200c\u200d\u2060\u2800\u3164\uffa0"
CONTROLS = "\x00\x01\x07\x08\x0e\x1b\x7f\x80\x84\x86\x9f"
BIDI = "\u05d0\u0627\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
COMBINING = "\u0301\u0308\u0345\u0f71\u20dd\u302a\ufe0f"
CASES = "\xb2\xb5\xdf\xe9\u0130\u0131\u0149\u017f\u01c5\u0663\u1e9e\u212a\u2126\uff11\uff21"
SCRIPTS = "\u03a9\u0416\u0905\u0e01\u3042\u6f22\uac00"
EDGES = "\ud7ff\ue000\ufdd0\ufffd\ufffe\uffff"
ASTRAL = "\U0001f600\U00010000\U0001d4b3\U0001f1e9\U0001f468\U0002f800\U000e0001\U0010ffff"
HOSTILE = PUNCTUATION + BLANKS + ALMOST_BLANK + CONTROLS + BIDI + COMBINING + CASES + SCRIPTS
HOSTILE += EDGES + ASTRAL

# A low half before a high one is no pair in any encoding.
LONE_SURROGATES = ("\ud800", "\udbff", "\udc00", "\udfff", "\ude00\ud83d")

FRACTIONS = (0.5, 1.5, -0.5, 1.0000000000000002, 1000000.5, 5e-324, -1e-7)
HUGE = (2**53, 2**53 + 1, 2**63, 2**64, 10**40, 1e16, 1e300)
JUNK: tuple[object, ...] = (
    *(None, True, False, 0, 1, -1, 2, 1.0, -0.0),
    *FRACTIONS,
    *HUGE,
    *("", " ", "0", "1", "1.0", "true", "null", "a", "\n", "\x00", "\ufeff", "\U0001f600", "é"),
    *("__proto__", "constructor", "[object Object]", "x" * 300),
)

_ODD_KEYS = (
    *("__proto__", "constructor", "", "prototype", "toString", "hasOwnProperty", "length", "0"),
    *("valueOf", "then", "$ref", "__class__", "model_config", "self", "a/b", "a~b", "~1", " "),
    *("\x00", "\n", "\ufeff", "\xa0", "\U0001f600", "e\u0301", "\u202e", "k" * 300),
)

_MOST_EDGES = 24


def without_surrogates(ranges: Ranges) -> Ranges:
    """Return the ranges less what no well-formed text holds."""
    kept: list[tuple[int, int]] = []
    for low, high in ranges:
        for first, last in ALL_CHARACTERS:
            overlap = max(low, first), min(high, last)
            if overlap[0] <= overlap[1]:
                kept.append(overlap)
    return tuple(kept)


@cache
def palette(ranges: Ranges) -> tuple[str, str, str]:
    """Return the ordinary, the hostile and the astral characters to draw from.

    None of the three is empty: what `ranges` does not offer is replaced by what it does.
    """
    safe = without_surrogates(ranges)
    edges = "".join(chr(low) + chr(high) for low, high in safe[:_MOST_EDGES])
    hostile = _within(HOSTILE, safe) + edges
    return _within(ORDINARY, safe) or hostile, hostile, _within(ASTRAL, safe) or hostile


def _within(pool: str, ranges: Ranges) -> str:
    return "".join(char for char in pool if any(a <= ord(char) <= b for a, b in ranges))


@cache
def field_names() -> tuple[str, ...]:
    """Return every field name of the contract, sorted."""
    names: set[str] = set()
    for shape in SHAPES.values():
        names.update(_names_in(shape))
    return tuple(sorted(names))


def _names_in(shape: Shape) -> set[str]:
    match shape:
        case Record():
            inner = [_names_in(field.shape) for field in shape.fields]
            return {field.name for field in shape.fields}.union(*inner)
        case Union():
            return {shape.tag}.union(*(_names_in(record) for _, record in shape.branches))
        case List():
            return _names_in(shape.items)
    return set()


@cache
def odd_keys(record_name: str, taken: tuple[str, ...]) -> tuple[str, ...]:
    """Return keys that a record does not know, some of them known elsewhere or nearly its own."""
    near = [variant for name in taken for variant in (name.upper(), f"{name} ", f"{name}s")]
    every = (*_ODD_KEYS, record_name, *field_names(), *near)
    return tuple(dict.fromkeys(key for key in every if key not in taken))


def variants(shape: Choices) -> tuple[str, ...]:
    """Return strings that look like a choice and are none."""
    every = [
        variant
        for value in shape.values
        for variant in (
            *(value.upper(), value.capitalize(), value[:-1], f"{value}\n", f" {value}"),
            *(f"{value}\x00", f"{value}\u0301", f"\ufeff{value}", f"{value}{value}"),
        )
    ]
    return tuple(dict.fromkeys(text for text in (*every, "") if text not in shape.values))
