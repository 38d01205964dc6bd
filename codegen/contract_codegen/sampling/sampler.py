"""A fast seeded sampler: valid documents, near misses with a label, and damage without one.

Nothing here judges a document. Equal seeds give equal documents in every process.

    >>> from random import Random
    >>> sample(Random(1), "EXAMPLE") == sample(Random(1), "EXAMPLE")
    True
"""

from functools import cache
from random import Random
from typing import Any, NamedTuple

from contract_codegen.sampling.breaking import BREAKERS, Fresh, damage, junk
from contract_codegen.sampling.pools import odd_keys
from contract_codegen.sampling.shapes import (
    MUTATIONS,
    SHAPES,
    Boolean,
    Choices,
    Constant,
    Field,
    Integer,
    List,
    Place,
    Record,
    Shape,
    Text,
    Union,
)
from contract_codegen.sampling.text import Pick, build_text

__all__ = ["MUTATIONS", "NearMiss", "near_miss", "near_miss_at", "sample", "scramble"]

_LONG_TEXT = 4096
_LONG_LIST = 64


class NearMiss(NamedTuple):
    """A valid document with exactly one mutation.

    Attributes:
        document: Invalid, and for one reason only.
        pointer: Where; the missing member where one is missing.
        rule: Which rule is broken there.
        mutation: What was done, in words: a key of `MUTATIONS`' entries behind its place.
    """

    document: Any
    pointer: str
    rule: str
    mutation: str


class Spot(NamedTuple):
    """A value inside of a document: `container[key]`, which has a shape and a pointer."""

    container: Any
    key: Any
    shape: Shape
    pointer: str


def sample(random: Random, name: str) -> Any:
    """Return a valid document of a definition.

    Schema-valid only: where an id is derived from its record, it is any well-formed id.
    """
    return _build(_picker(random), SHAPES[name])


def near_miss(random: Random, name: str) -> NearMiss:
    """Return a valid document of a definition with one labelled mutation; costly ones are rare."""
    pick = _picker(random)
    light, heavy = entries_of(name)
    entries = heavy if heavy and pick(64) == 0 else light
    place, mutation = entries[pick(len(entries))]
    return near_miss_at(random, name, place, mutation)


def near_miss_at(random: Random, name: str, place: Place, mutation: str) -> NearMiss:
    """Return the near miss that an entry of `MUTATIONS` promises."""
    pick = _picker(random)
    return break_at(pick, lambda shape: _build(pick, shape), name, place, mutation)


def scramble(random: Random, name: str) -> Any:
    """Return a document with arbitrary damage; no verdict is promised, nor that it is JSON."""
    pick = _picker(random)
    return damage(pick, lambda shape: _build(pick, shape), _build(pick, SHAPES[name]))


def break_at(pick: Pick, fresh: Fresh, name: str, place: Place, mutation: str) -> NearMiss:
    """Return a near miss, whoever makes the choices and the valid values."""
    holder = [fresh(SHAPES[name])]
    spot = _walk(pick, fresh, Spot(holder, 0, SHAPES[name], ""), place)
    rule = dict(MUTATIONS[name][place])[mutation]
    if mutation == "absent":
        del spot.container[spot.key]
    else:
        value = spot.container[spot.key]
        spot.container[spot.key] = BREAKERS[mutation](pick, fresh, spot.shape, value)
    pointer = spot.pointer
    return NearMiss(holder[0], pointer, rule, f"/{'/'.join(place)} {mutation}")


def _picker(random: Random) -> Pick:
    # Three times as fast as `randrange`, and the same in every version of Python.
    draw = random.random
    return lambda count: int(draw() * count)


def _walk(pick: Pick, fresh: Fresh, spot: Spot, place: Place) -> Spot:
    """Go to a place, making what is absent; what is passed is new, so nobody else sees changes."""
    for step in place:
        value = spot.container[spot.key]
        match spot.shape:
            case Record(_, fields):
                field = next(field for field in fields if field.name == step)
                value[step] = fresh(field.shape)
                spot = Spot(value, step, field.shape, f"{spot.pointer}/{step}")
            case List(items):
                index = pick(max(len(value), 1))
                value[index : index + 1] = [fresh(items)]
                spot = Spot(value, index, items, f"{spot.pointer}/{index}")
            case Union(_, tag, branches) if step == tag:
                tags = Choices(tuple(each for each, _ in branches))
                spot = Spot(value, tag, tags, f"{spot.pointer}/{tag}")
            case Union(_, _, branches):
                record = dict(branches)[step.partition("=")[2]]
                spot.container[spot.key] = fresh(record)
                spot = spot._replace(shape=record)
    return spot


def _shape_at(shape: Shape, place: Place) -> Shape:
    for step in place:
        match shape:
            case Record(_, fields):
                shape = next(field.shape for field in fields if field.name == step)
            case List(items):
                shape = items
            case Union(_, tag, branches) if step != tag:
                shape = dict(branches)[step.partition("=")[2]]
    return shape


@cache
def entries_of(name: str) -> tuple[tuple[tuple[Place, str], ...], tuple[tuple[Place, str], ...]]:
    """Return what can be done to a definition: the cheap and the costly."""
    light: list[tuple[Place, str]] = []
    heavy: list[tuple[Place, str]] = []
    for place, mutations in MUTATIONS[name].items():
        costly = _is_long(_shape_at(SHAPES[name], place))
        for mutation, _ in mutations:
            hard = costly and mutation in ("too long", "too many")
            (heavy if hard else light).append((place, mutation))
    return tuple(light), tuple(heavy)


def _is_long(shape: Shape) -> bool:
    match shape:
        case Text(_, high):
            return high > _LONG_TEXT
        case List(_, _, high):
            return high > _LONG_LIST
    return False


def _build(pick: Pick, shape: Shape) -> Any:
    match shape:
        case Text():
            return build_text(pick, shape)
        case Record():
            return _build_record(pick, shape)
        case Integer():
            return _build_integer(pick, shape)
        case List():
            return _build_list(pick, shape)
        case Constant(value):
            return _spelled(pick, value) if isinstance(value, int) else value
        case Boolean():
            return pick(2) == 1
        case Choices(values):
            return values[pick(len(values))]
        case Union(_, _, branches):
            return _build_record(pick, branches[pick(len(branches))][1])


def _spelled(pick: Pick, value: int) -> int | float:
    """Return the number, at times as a double that equals it."""
    if pick(8) < 7:
        return value
    return -0.0 if value == 0 and pick(2) else float(value)


def _build_integer(pick: Pick, shape: Integer) -> int | float:
    low, high = shape
    span = high - low
    roll = pick(4)
    if roll == 0:
        value = (low, high, low + min(1, span), high - min(1, span), min(max(0, low), high))[
            pick(5)
        ]
    else:
        value = low + pick((span if roll == 1 else min(span, 50)) + 1)
    return _spelled(pick, value)


def _build_list(pick: Pick, shape: List) -> list[Any]:
    items, low, high = shape
    if pick(150) < 149:
        return [_build(pick, items) for _ in range(low + pick(min(high - low, 3) + 1))]
    some = [_build(pick, items) for _ in range(3)]
    count = (high, max(low, high - 1), low)[pick(3)]
    return (some * (count // len(some) + 1))[:count]


def _build_record(pick: Pick, shape: Record) -> dict[str, Any]:
    record = {
        field.name: _build(pick, field.shape)
        for field in _ordered(pick, shape.fields)
        if field.required or pick(2)
    }
    if not shape.closed and pick(4) == 0:
        keys = odd_keys(shape.name, tuple(field.name for field in shape.fields))
        for _ in range(1 + pick(2)):
            record[keys[pick(len(keys))]] = junk(pick)
    return record


def _ordered(pick: Pick, fields: tuple[Field, ...]) -> tuple[Field, ...]:
    if pick(4):
        return fields
    start = pick(len(fields)) if fields else 0
    return (*reversed(fields[start:]), *fields[:start])
