r"""Regular expressions that every engine reads alike.

Python, Rust, ECMAScript (with the `u` flag) and PCRE-like engines agree on a small language:
literals, escaped punctuation, `\uXXXX`, character classes, groups, alternation inside groups,
greedy quantifiers, and anchors at both ends of the whole pattern.
`parse_pattern` refuses everything else, so that a verdict never depends on the engine.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from contract_codegen.errors import UnsupportedKeyword

Ranges: TypeAlias = tuple[tuple[int, int], ...]
"""Sorted, disjoint, non-adjacent inclusive ranges of code points."""

LAST_CODE_POINT = 0x10FFFF
_FEW = 512
"""A set of blanks that a person would write out is smaller than this."""
_SURROGATES = range(0xD800, 0xE000)
_OUTSIDE_CLASS = frozenset("^$\\.*+?()[]{}|/")
_INSIDE_CLASS = frozenset("^$\\.*+?()[]{}|/-")
_MUST_ESCAPE_IN_CLASS = frozenset("[$^")
_SET_OPERATORS = ("&&", "--", "~~", "||")


@dataclass(frozen=True, slots=True)
class CharacterClass:
    """One character out of `ranges`."""

    ranges: Ranges


@dataclass(frozen=True, slots=True)
class Repeat:
    """`node`, at least `least` and at most `most` times; None means without bound."""

    node: "Node"
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class Sequence:
    """Its nodes, one after the other."""

    nodes: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of its branches."""

    branches: tuple["Node", ...]


Node: TypeAlias = CharacterClass | Repeat | Sequence | Choice


@dataclass(frozen=True, slots=True)
class Pattern:
    """A parsed pattern; `anchored_start` and `anchored_end` tell its outermost anchors."""

    source: str
    anchored_start: bool
    anchored_end: bool
    body: Sequence


@dataclass(frozen=True, slots=True)
class NotBlank:
    """No character of `excluded`, and at least one that is not in `blanks` (disjoint sets)."""

    blanks: Ranges
    excluded: Ranges
    kind: Literal["not-blank"] = "not-blank"


@dataclass(frozen=True, slots=True)
class Charset:
    """The first character out of `first`, all others out of `rest`; lengths stand elsewhere."""

    first: Ranges
    rest: Ranges
    kind: Literal["charset"] = "charset"


@dataclass(frozen=True, slots=True)
class General:
    """Nothing simpler than the pattern itself."""

    kind: Literal["general"] = "general"


Meaning: TypeAlias = NotBlank | Charset | General


def merge(ranges: list[tuple[int, int]]) -> Ranges:
    """Return the same code points as sorted, disjoint, non-adjacent ranges."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)


def complement(ranges: Ranges) -> Ranges:
    """Return every other code point; surrogates count, as engines match them one by one."""
    gaps: list[tuple[int, int]] = []
    start = 0
    for low, high in ranges:
        if start < low:
            gaps.append((start, low - 1))
        start = high + 1
    if start <= LAST_CODE_POINT:
        gaps.append((start, LAST_CODE_POINT))
    return tuple(gaps)


def union(*sets: Ranges) -> Ranges:
    """Return the code points of all sets."""
    return merge([pair for ranges in sets for pair in ranges])


def disjoint(left: Ranges, right: Ranges) -> bool:
    """Tell whether two sets share no code point."""
    return not any(a <= d and c <= b for a, b in left for c, d in right)


def count(ranges: Ranges) -> int:
    """Return how many code points a set holds."""
    return sum(high - low + 1 for low, high in ranges)


def characters(ranges: Ranges) -> str:
    """Return the code points as one string, for sets small enough to write out."""
    return "".join(chr(point) for low, high in ranges for point in range(low, high + 1))


def alphabet(node: Node) -> Ranges:
    """Return every code point that the node can consume."""
    match node:
        case CharacterClass(ranges):
            return ranges
        case Repeat(inner):
            return alphabet(inner)
        case Sequence(nodes):
            return union(*map(alphabet, nodes))
        case Choice(branches):
            return union(*map(alphabet, branches))


def meaning_of(pattern: Pattern) -> Meaning:
    """Return the simplest exact statement of what the pattern accepts.

    Lengths are left to `minLength` and `maxLength`: a `Charset` is only returned where the
    pattern itself bounds no length, or where the caller's bounds are the pattern's own.
    """
    match pattern:
        case Pattern(
            anchored_start=False, anchored_end=False, body=Sequence((CharacterClass(ranges),))
        ):
            blanks = complement(ranges)
            return NotBlank(blanks=blanks, excluded=()) if count(blanks) <= _FEW else General()
        case Pattern(
            anchored_start=True,
            anchored_end=True,
            body=Sequence(
                (
                    Repeat(CharacterClass(blanks), 0, None),
                    CharacterClass(visible),
                    Repeat(CharacterClass(rest), 0, None),
                )
            ),
        ):
            excluded = complement(rest)
            fits = disjoint(blanks, excluded) and count(union(blanks, excluded)) <= _FEW
            if fits and visible == complement(union(blanks, excluded)):
                return NotBlank(blanks=blanks, excluded=excluded)
        case Pattern(
            anchored_start=True,
            anchored_end=True,
            body=Sequence((CharacterClass(first), Repeat(CharacterClass(rest), 0, None))),
        ):
            return Charset(first=first, rest=rest)
        case Pattern(
            anchored_start=True, anchored_end=True, body=Sequence((Repeat(CharacterClass(one)),))
        ):
            return Charset(first=one, rest=one)
    return General()


def exact_length(pattern: Pattern) -> tuple[int, int | None]:
    """Return the least and the greatest length in code points that the pattern can consume."""
    return _length(pattern.body)


def _length(node: Node) -> tuple[int, int | None]:
    match node:
        case CharacterClass():
            return 1, 1
        case Repeat(inner, least, most):
            low, high = _length(inner)
            return low * least, None if most is None or high is None else high * most
        case Sequence(nodes):
            sizes = [_length(inner) for inner in nodes]
            highs = [high for _, high in sizes]
            top = None if None in highs else sum(high or 0 for high in highs)
            return sum(low for low, _ in sizes), top
        case Choice(branches):
            sizes = [_length(inner) for inner in branches]
            highs = [high for _, high in sizes]
            top = None if None in highs else max(high or 0 for high in highs)
            return min(low for low, _ in sizes), top


def parse_pattern(source: str, pointer: str) -> Pattern:
    """Parse a portable pattern.

    Raises:
        UnsupportedKeyword: engines would differ on `source`; the message names the construct.
    """
    return _Parser(source, pointer).parse()


class _Parser:
    """A recursive-descent parser; its state is the position in `source`."""

    def __init__(self, source: str, pointer: str) -> None:
        self._source = source
        self._pointer = pointer
        self._at = 0

    def parse(self) -> Pattern:
        start = self._take("^")
        body = self._sequence()
        end = self._take("$")
        if self._at != len(self._source):
            raise self._error("an anchor, `|` or `)` outside a group")
        return Pattern(self._source, start, end, body)

    def _error(self, what: str) -> UnsupportedKeyword:
        return UnsupportedKeyword(
            self._pointer, "pattern", f"{what} at character {self._at} is not portable"
        )

    def _peek(self) -> str:
        return self._source[self._at : self._at + 1]

    def _take(self, expected: str) -> bool:
        if self._source.startswith(expected, self._at):
            self._at += len(expected)
            return True
        return False

    def _next(self) -> str:
        char = self._peek()
        if not char:
            raise self._error("an unfinished construct")
        self._at += 1
        return char

    def _sequence(self) -> Sequence:
        nodes: list[Node] = []
        while (char := self._peek()) and char not in "$)|":
            nodes.append(self._quantified(self._atom()))
        return Sequence(tuple(nodes))

    def _atom(self) -> Node:
        char = self._next()
        match char:
            case "[":
                return self._class()
            case "(":
                return self._group()
            case "\\":
                return _one(self._escape(_OUTSIDE_CLASS))
            case _ if char in "^.*+?{}]":
                raise self._error(f"an unescaped {char!r}")
            case _ if not _is_plain(char):
                raise self._error("a raw quotation mark or control character")
        return _one(ord(char))

    def _group(self) -> Node:
        if self._peek() == "?":
            raise self._error("a group with `(?` (look-around, flags, names)")
        branches = [self._sequence()]
        while self._take("|"):
            branches.append(self._sequence())
        if not self._take(")"):
            raise self._error("an anchor inside a group, or an unclosed group")
        return branches[0] if len(branches) == 1 else Choice(tuple(branches))

    def _quantified(self, node: Node) -> Node:
        least: int
        most: int | None
        match self._peek():
            case "*":
                least, most = 0, None
            case "+":
                least, most = 1, None
            case "?":
                least, most = 0, 1
            case "{":
                least, most = self._braces()
            case _:
                return node
        self._at += 1
        if self._peek() and self._peek() in "*+?{":
            raise self._error("a lazy, possessive or doubled quantifier")
        return Repeat(node, least, most)

    def _braces(self) -> tuple[int, int | None]:
        end = self._source.find("}", self._at)
        low, comma, high = self._source[self._at + 1 : end].partition(",")
        numbers = [low, high] if high else [low]
        if end < 0 or not all(part.isascii() and part.isdigit() for part in numbers):
            raise self._error("a quantifier other than {n}, {n,} or {n,m}")
        self._at = end
        return int(low), int(high) if high else None if comma else int(low)

    def _escape(self, allowed: frozenset[str]) -> int:
        char = self._next()
        if char == "u":
            digits = self._source[self._at : self._at + 4]
            if len(digits) != 4 or any(digit not in "0123456789abcdefABCDEF" for digit in digits):
                raise self._error("`\\u` without four hexadecimal digits")
            self._at += 4
            if int(digits, 16) in _SURROGATES:
                raise self._error("a surrogate")
            return int(digits, 16)
        if char not in allowed:
            raise self._error(f"the escape `\\{char}`")
        return ord(char)

    def _class(self) -> CharacterClass:
        negated = self._take("^")
        ranges: list[tuple[int, int]] = []
        while not self._take("]"):
            low = self._member()
            if self._peek() == "-" and self._source[self._at + 1 : self._at + 2] != "]":
                self._at += 1
                high = self._member()
                if high < low:
                    raise self._error("a range that ends before it starts")
                ranges.append((low, high))
            else:
                ranges.append((low, low))
        if not ranges:
            raise self._error("an empty class")
        members = merge(ranges)
        return CharacterClass(complement(members) if negated else members)

    def _member(self) -> int:
        if self._source[self._at : self._at + 2] in _SET_OPERATORS:
            raise self._error("a set operator in a class")
        char = self._next()
        if char == "\\":
            return self._escape(_INSIDE_CLASS)
        if char in _MUST_ESCAPE_IN_CLASS or char == "-":
            raise self._error(f"an unescaped {char!r} in a class")
        if not _is_plain(char):
            raise self._error("a raw quotation mark or control character")
        return ord(char)


def _is_plain(char: str) -> bool:
    # A quotation mark would end the literal that a pattern is written into; `\u0022` does not.
    return char.isprintable() and char != '"'


def _one(point: int) -> CharacterClass:
    return CharacterClass(((point, point),))
