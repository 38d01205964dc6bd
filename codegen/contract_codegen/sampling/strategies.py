"""Hypothesis strategies: valid documents, near misses with a label, and raw text.

Valid documents are built from the contract's bounds and shrink to the smallest ones.
Needs `hypothesis` (the extra `testing`).
"""

import json
from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise
from typing import Any, Literal, NamedTuple, TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from contract_codegen.parsing import DOCUMENT_DEPTH, is_well_formed
from contract_codegen.sampling.pools import odd_keys, palette, without_surrogates
from contract_codegen.sampling.sampler import NearMiss, break_at, entries_of
from contract_codegen.sampling.shapes import (
    SHAPES,
    Boolean,
    Characters,
    Choices,
    Constant,
    Either,
    Field,
    Integer,
    List,
    Node,
    Ranges,
    Record,
    Repeat,
    Shape,
    Text,
    Then,
    Union,
)
from contract_codegen.sampling.text import FREE, Pick

__all__ = ["JsonText", "NearMiss", "json_text", "near_misses"]

Ids: TypeAlias = Literal["real", "any"]
_Signer: TypeAlias = Callable[[str, dict[str, Any]], dict[str, Any]]

_SHORT = 20
_LONG = 4096
_FEW = 1000
_ABSENT = object()


class JsonText(NamedTuple):
    """A document as text or bytes.

    Attributes:
        data: What a reader receives.
        rule: `json` or `unicode` where strict parsing refuses it, else None.
    """

    data: bytes | str
    rule: str | None


@st.composite
def near_misses(draw: DrawFn, name: str) -> NearMiss:
    """Return valid documents of a definition, each with one labelled mutation."""
    light, heavy = entries_of(name)
    entries = heavy if heavy and draw(st.integers(0, 31)) == 31 else light
    place, mutation = draw(st.sampled_from(entries))
    return break_at(_picker(draw), lambda shape: draw(_values(shape)), name, place, mutation)


@st.composite
def json_text(draw: DrawFn, name: str) -> JsonText:
    """Return documents of a definition as text or bytes, some of them no strict JSON."""
    document = draw(_values(SHAPES[name]))
    text = json.dumps(
        document, ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from([None, 1]))
    )
    trap, rule = draw(st.sampled_from(_TRAPS))
    data = trap(text)
    if isinstance(data, str) and draw(st.booleans()) and is_well_formed(data):
        return JsonText(data.encode(), rule)
    return JsonText(data, rule)


def _picker(draw: DrawFn) -> Pick:
    return lambda count: draw(st.integers(0, count - 1)) if count > 1 else 0


@cache
def _values(shape: Shape, signer: _Signer | None = None) -> SearchStrategy[Any]:
    match shape:
        case Text():
            return _texts(shape)
        case Integer(low, high):
            bounds = sorted({low, high, min(low + 1, high), max(low, high - 1)}, key=abs)
            return st.builds(_spelled, st.integers(low, high) | st.sampled_from(bounds), _SPELLINGS)
        case Boolean():
            return st.booleans()
        case Constant(int(value)):
            return st.builds(_spelled, st.just(value), _SPELLINGS)
        case Constant(value):
            return st.just(value)
        case Choices(values):
            return st.sampled_from(values)
        case List(items, low, high):
            return _lists(_values(items, signer), low, high)
        case Record():
            return _records(shape, signer)
        case Union(_, _, branches):
            return st.one_of([_values(record, signer) for _, record in branches])


_SPELLINGS = st.sampled_from([False] * 7 + [True])


def _spelled(value: int, as_double: bool) -> int | float:  # noqa: FBT001 - drawn, never written
    return float(value) if as_double else value


class _Piece(NamedTuple):
    text: str
    ranges: Ranges
    least: int
    most: int | None

    def fitted(self, gap: int) -> "_Piece":
        """Return the piece longer or shorter by at most `gap`; more of it repeats what it has."""
        length = max(self.least, len(self.text) + gap)
        length = length if self.most is None else min(self.most, length)
        source = self.text or palette(self.ranges)[0][:1]
        return self._replace(text=(source * (length // len(source) + 1))[:length])


def _texts(shape: Text) -> SearchStrategy[str]:
    low, high = shape.min_length, shape.max_length
    # Drawn apart from the pieces, so that a long text shrinks to the short one it repeats.
    as_drawn: list[int | None] = [None] * (100 if high > _LONG else 12)
    bounds = (min(max(low, length), high) for length in (low, high, high - 1, high // 2 + 1))
    texts = st.builds(
        lambda pieces, target: _joined(pieces, target, low, high),
        _pieces(FREE if shape.node is None else shape.node),
        st.sampled_from([*as_drawn, *bounds]),
    )
    return texts.filter(lambda text: low <= len(text) <= high)


def _joined(pieces: tuple[_Piece, ...], target: int | None, low: int, high: int) -> str:
    drawn = sum(len(piece.text) for piece in pieces)
    gap = (min(max(low, drawn), high) if target is None else target) - drawn
    texts: list[str] = []
    for piece in reversed(pieces):
        fitted = piece.fitted(gap)
        gap -= len(fitted.text) - len(piece.text)
        texts.append(fitted.text)
    return "".join(reversed(texts))


def _pieces(node: Node) -> SearchStrategy[tuple[_Piece, ...]]:
    match node:
        case Characters(ranges):
            return _runs(ranges, 1, 1)
        case Repeat(Characters(ranges), least, most):
            return _runs(ranges, least, most)
        case Repeat(inner, least, most):
            most = least + 3 if most is None else min(most, least + 3)
            return st.lists(_pieces(inner), min_size=least, max_size=most).map(_flat)
        case Then(nodes):
            return st.tuples(*map(_pieces, nodes)).map(_flat)
        case Either(branches):
            return st.one_of([_pieces(branch) for branch in branches])


def _flat(parts: Iterable[tuple[_Piece, ...]]) -> tuple[_Piece, ...]:
    return tuple(piece for part in parts for piece in part)


def _runs(ranges: Ranges, least: int, most: int | None) -> SearchStrategy[tuple[_Piece, ...]]:
    if least == most and _size(ranges) == 1:
        return st.just((_Piece(chr(ranges[0][0]) * least, ranges, least, most),))
    size = least + _SHORT if most is None else min(most, least + _SHORT)
    alphabets = (_alphabet(ranges), *palette(ranges)[1:])
    texts = st.one_of([st.text(each, min_size=least, max_size=size) for each in alphabets])
    return texts.map(lambda text: (_Piece(text, ranges, least, most),))


def _alphabet(ranges: Ranges) -> SearchStrategy[str] | str:
    """Return the characters in the form that Hypothesis draws fastest."""
    safe = without_surrogates(ranges)
    if _size(safe) <= _FEW:
        return _written(safe)
    lowest, highest = safe[0][0], safe[-1][1]
    missing = without_surrogates(_between(safe))
    if _size(missing) > _FEW:
        spans = [st.characters(min_codepoint=low, max_codepoint=high) for low, high in safe]
        return st.one_of(spans)
    return st.characters(
        min_codepoint=lowest,
        max_codepoint=highest,
        codec="utf-8",
        exclude_characters=_written(missing),
    )


def _between(ranges: Ranges) -> Ranges:
    return tuple((left[1] + 1, right[0] - 1) for left, right in pairwise(ranges))


def _written(ranges: Ranges) -> str:
    return "".join(chr(point) for low, high in ranges for point in range(low, high + 1))


def _size(ranges: Ranges) -> int:
    return sum(high - low + 1 for low, high in ranges)


def _lists(items: SearchStrategy[Any], low: int, high: int) -> SearchStrategy[list[Any]]:
    few = st.lists(items, min_size=low, max_size=min(high, low + 5))
    # Drawn apart from the items, so that a long list shrinks to the short one it repeats.
    counts = st.sampled_from([0] * 30 + [high, max(low, high - 1)])
    return st.builds(_repeated, few, counts)


def _repeated(items: list[Any], count: int) -> list[Any]:
    if len(items) >= count or not items:
        return items
    return (items * (count // len(items) + 1))[:count]


def _members(field: Field, signer: _Signer | None) -> SearchStrategy[Any]:
    values = _values(field.shape, signer)
    # `fixed_dictionaries` has optional keys too, but they hardly shrink to absence.
    return values if field.required else st.one_of(st.just(_ABSENT), values)


def _present(record: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if value is not _ABSENT}


def _records(shape: Record, signer: _Signer | None) -> SearchStrategy[dict[str, Any]]:
    fields = {field.name: _members(field, signer) for field in shape.fields}
    records: SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(fields).map(_present)
    if not shape.closed:
        names = tuple(field.name for field in shape.fields)
        keys = st.sampled_from(odd_keys(shape.name, names)) | st.text(max_size=3)
        others = st.dictionaries(keys.filter(lambda key: key not in names), _JSON, max_size=2)
        records = st.builds(lambda record, other: {**record, **other}, records, others)
    if signer is None:
        return records
    return records.map(lambda record: signer(shape.name, record))


_JSON: SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=4,
)


def _member(value: str, key: str = "a strict parser reads this") -> Callable[[str], str]:
    """Return a text's change: one more member in front of the others."""
    return lambda text: f'{{"{key}":{value}{_comma(text)}{text[1:]}'


def _comma(text: str) -> str:
    return "" if text[1:].strip() == "}" else ","


def _bytes_member(raw: bytes) -> Callable[[str], bytes]:
    mark = "a strict parser decodes this"
    return lambda text: _member(f'"{mark}"')(text).encode().replace(mark.encode(), raw)


_NOT_JSON = (
    *("NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1" + "0" * 400, "1" * 5000),
    *("01", "+1", ".5", "1.", "0x1", "1_0", "tru", "True", "undefined", "'a'", '"\t"', "/**/1"),
    *(r'"\x41"', r'"\u12"', '"a', "[1,]", "[1 2]", '{"a":1,}', '{"a":1,"a":1}', "{1:1}"),
    *("[" * DOCUMENT_DEPTH + "]" * DOCUMENT_DEPTH, "[" * 100_000),
)
_LONE = (r"\ud800", r"\udfff", r"\ude00\ud83d", r"\ud83d\ud83d\ude00", "\ud800")
_NOT_UTF_8 = (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\x80")

_Trap: TypeAlias = tuple[Callable[[str], bytes | str], str | None]

_FINE: tuple[_Trap, ...] = (
    (lambda text: text, None),
    (lambda text: f"\r\n\t {text} \n", None),
)
_TRAPS: tuple[_Trap, ...] = (
    # As many chances as all traps together.
    *_FINE * 24,
    (lambda _: "", "json"),
    (lambda _: " ", "json"),
    (lambda text: f"\ufeff{text}", "json"),
    (lambda text: text[:-1], "json"),
    (lambda text: text + text, "json"),
    (lambda text: f"{text},", "json"),
    (lambda text: f"{text}\0", "json"),
    (lambda text: f"\xa0{text}", "json"),
    (lambda text: text.encode("utf-16"), "unicode"),
    *((_member(value), "json") for value in _NOT_JSON),
    *((_member(f'"{escape}"'), "unicode") for escape in _LONE),
    *((_member("1", key=escape), "unicode") for escape in _LONE),
    *((_bytes_member(raw), "unicode") for raw in _NOT_UTF_8),
)
