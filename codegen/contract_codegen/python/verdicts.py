"""Emit the specialised `is_x` functions.

Measured on CPython: patterns run literally cost a reader about half again of what these tests
cost. Each test below is exact, or is a safe accept with the exact test behind it:

- `isprintable()` is false for controls, separators and lone surrogates, and of all blanks only
  U+0020 is printable; it says nothing about length.
- A text that is not less than "!" starts with a character above U+0020: it is not empty, and
  if it is printable, or ASCII, it is not blank.
- `strip(blanks)` leaves something exactly if the text holds a character that is not blank
  (with the contract's own set: Python's own differs at U+FEFF).
- A text of one character class is matched by that class repeated, which is cheaper than a
  counted repetition; the length stands beside it. Lone surrogates are taken out of the class.
- Short names of free length (a provider's) repeat from record to record, so that their
  patterns are asked once for each of the last few names.
- Required members are subscripted inside one `try`, which costs nothing until one is missing.
"""

import unicodedata

from contract_codegen.model import (
    Boolean,
    Choices,
    Constant,
    Contract,
    Field,
    Integer,
    List,
    Named,
    Record,
    Scalar,
    Text,
    Type,
    Union,
)
from contract_codegen.patterns import (
    Charset,
    NotBlank,
    Pattern,
    Ranges,
    alphabet,
    characters,
    complement,
    exact_length,
)
from contract_codegen.patterns import union as join
from contract_codegen.source import quote, raw_class, snake, text_literal

_ALWAYS_UNPRINTABLE = frozenset({"Cc", "Zl", "Zp"})
"""General categories that Unicode's stability policy keeps fixed."""
_SURROGATES = ((0xD800, 0xDFFF),)
_FEW = 4
"""Up to so many excluded characters are looked for one by one."""
_SHORT_NAME = 64
"""Up to so many code points a text of free length counts as a name that repeats."""


def pattern_name(owner: str) -> str:
    """Return the name of a text's compiled pattern."""
    return f"_{snake(owner).upper()}"


def emit_scalar_verdicts(contract: Contract) -> list[str]:
    """Return an `is_x` for each named scalar, and the data it needs."""
    return [
        *(_data(name, text) for name, text in named_texts(contract)),
        *(_scalar(scalar) for scalar in contract.scalars),
    ]


def _scalar(scalar: Scalar) -> str:
    guarded = "str" if isinstance(scalar.type, Text) else "int | float"
    return (
        f"\ndef is_{snake(scalar.name)}(value: object) -> TypeGuard[{guarded}]:\n"
        f'    """Tell whether `value` is valid where the contract says {scalar.name}."""\n'
        f"    return {_wrapped(scalar.type, scalar.name, 'value')}\n\n"
    )


def named_texts(contract: Contract) -> list[tuple[str, Text]]:
    """Return every string by its own name, or by its record's and field's."""
    found = [(each.name, each.type) for each in contract.scalars if isinstance(each.type, Text)]
    for definition in contract.definitions:
        for field in definition.fields if isinstance(definition, Record) else ():
            inner = field.type.items if isinstance(field.type, List) else field.type
            if isinstance(inner, Text) and inner.scalar is None:
                found.append((f"{definition.name}_{field.name}", inner))
    return found


def _data(name: str, wire: Text) -> str:
    constant = snake(name).upper()
    match wire.meaning:
        case NotBlank(blanks=blanks) if not _is_printable_safe(wire.meaning):
            return f"_{constant}_BLANKS = (\n    {text_literal(characters(blanks), 4)}\n)\n"
        case Charset(first=first) if _is_one_class(wire):
            only = raw_class(_well_formed(first))
            return f'_{constant}_ONLY = re.compile(r"[{only}]*\\Z").match\n'
    if _repeats(wire):
        return (
            f"\n\n@lru_cache(maxsize=256)\ndef _matches_{snake(name)}(text: str) -> bool:\n"
            f"    return _matches({pattern_name(name)}, text)\n\n\n"
        )
    return ""


def _well_formed(ranges: Ranges) -> Ranges:
    return complement(join(complement(ranges), _SURROGATES))


def _repeats(wire: Text) -> bool:
    # A text of nearly fixed length is an id, and ids do not repeat.
    free = wire.max_length > 2 * wire.min_length and wire.max_length <= _SHORT_NAME
    return free and wire.pattern is not None and not isinstance(wire.meaning, NotBlank)


def _tests(wire: Type, owner: str, value: str) -> list[str]:
    """Return conditions that together hold exactly for valid values."""
    match wire:
        case Text():
            content = _content(wire, wire.scalar or owner, value, f"is_well_formed({value})")
            return [f"type({value}) is str", *_length(wire, value), *content]
        case Integer(minimum=least, maximum=most):
            number = f"(type({value}) is int or (type({value}) is float and {value}.is_integer()))"
            return [number, f"{least} <= {value} <= {most:_}"]
        case Boolean():
            return [f"type({value}) is bool"]
        case Constant(value=str(expected)):
            return [f"type({value}) is str", f"{value} == {quote(expected)}"]
        case Constant(value=expected):
            return [f"(type({value}) is int or type({value}) is float)", f"{value} == {expected}"]
        case Choices():
            return [f"type({value}) is str", f"{value} in _{owner.upper()}_VALUES"]
        case Named(name=name):
            return [f"is_{snake(name)}({value})"]
        case List():
            return _list_tests(wire, owner, value)


def encoded_tests(wire: Type, owner: str, value: str) -> list[str]:
    """Return conditions for a value that is encoded afterwards, which finds lone surrogates."""
    if not isinstance(wire, Text):
        return _tests(wire, owner, value)
    content = _content(wire, wire.scalar or owner, value, "")
    return [f"type({value}) is str", *_length(wire, value), *content]


def _length(wire: Text, value: str) -> list[str]:
    if wire.min_length == wire.max_length:
        return [f"len({value}) == {wire.max_length}"]
    least = exact_length(wire.pattern)[0] if wire.pattern is not None else 0
    if _is_one_class(wire):
        # Its repeated class also matches nothing at all.
        low = max(least, wire.min_length)
    else:
        # A pattern that consumes enough characters refuses what is too short.
        low = 0 if least >= wire.min_length else wire.min_length
    return [
        f"{low} <= len({value}) <= {wire.max_length:_}"
        if low
        else f"len({value}) <= {wire.max_length:_}"
    ]


def _is_one_class(wire: Text) -> bool:
    meaning = wire.meaning
    return isinstance(meaning, Charset) and meaning.first == meaning.rest


def _list_tests(wire: List, owner: str, value: str) -> list[str]:
    tests = [f"type({value}) is list", f"{wire.min_items} <= len({value}) <= {wire.max_items:_}"]
    match wire.items:
        case Named(name=name):
            return [*tests, f"all(map(is_{snake(name)}, {value}))"]
        case Text(scalar=str(name)) | Integer(scalar=str(name)):
            return [*tests, f"all(map(is_{snake(name)}, {value}))"]
    inner = " and ".join(_tests(wire.items, owner, "each"))
    return [*tests, f"all({inner} for each in {value})"]


def _content(wire: Text, name: str, value: str, well_formed: str) -> list[str]:
    constant = snake(name).upper()
    exact = f"_matches({pattern_name(name)}, {value})"
    match wire.meaning:
        case None:
            return [well_formed] if well_formed else []
        case Charset() if _is_one_class(wire):
            return [f"_{constant}_ONLY({value}) is not None"]
        case NotBlank() as meaning if _is_printable_safe(meaning):
            return [f'(({value} >= "!" and {value}.isprintable()) or {exact})']
        case NotBlank(excluded=excluded) if len(characters(excluded)) <= _FEW:
            accept = f'({value} >= "!" and {value}.isascii())'
            strip = f'{value}.strip(_{constant}_BLANKS) != ""'
            strip = f"({strip} and {well_formed})" if well_formed else strip
            return [
                *(f"{quote(char)} not in {value}" for char in characters(excluded)),
                f"(\n    {accept}\n    or {strip}\n)" if _is_ascii_safe(wire.meaning) else strip,
            ]
    if _repeats(wire):
        return [f"_matches_{snake(name)}({value})"]
    if wire.pattern is not None and _is_ascii_only(wire.pattern):
        # What an ASCII pattern matches from end to end is well-formed.
        return [f"{pattern_name(name)}.search({value}) is not None"]
    return [exact]


def _is_ascii_only(pattern: Pattern) -> bool:
    points = alphabet(pattern.body)
    anchored = pattern.anchored_start and pattern.anchored_end
    return anchored and bool(points) and points[-1][1] < 128


def _is_printable_safe(meaning: NotBlank) -> bool:
    """Tell whether a printable text that starts above U+0020 is always accepted.

    Only for one-line text: where line breaks are allowed, most texts are not printable.
    """
    excluded, blanks = characters(meaning.excluded), characters(meaning.blanks)
    return (
        "\n" in excluded
        and all(unicodedata.category(char) in _ALWAYS_UNPRINTABLE for char in excluded)
        and all(char == " " or not char.isprintable() for char in blanks)
    )


def _is_ascii_safe(meaning: NotBlank) -> bool:
    """Tell whether an ASCII text that starts above U+0020 is never blank."""
    return not any("!" <= char <= "\x7f" for char in characters(meaning.blanks))


def _wrapped(wire: Type, owner: str, value: str, indent: str = "    ") -> str:
    return wrap_tests(_tests(wire, owner, value), indent)


def wrap_tests(tests: list[str], indent: str) -> str:
    """Return tests as one condition, a line each."""
    if len(tests) == 1:
        return tests[0]
    joined = f"\n{indent}    and ".join(test.replace("\n", f"\n{indent}    ") for test in tests)
    return f"(\n{indent}    {joined}\n{indent})"


def emit_record_verdict(record: Record) -> str:
    """Return the public `is_x` of a record."""
    required = [field for field in record.fields if field.required]
    optional = [field for field in record.fields if not field.required]
    body = "    if type(value) is not dict:\n        return False\n"
    if required:
        reads = "".join(
            f"        item = value[{quote(field.name)}]\n{_refusal(record, field, '        ')}"
            for field in required
        )
        body += f"    try:\n{reads}    except KeyError:\n        return False\n"
    if record.closed:
        body += _closed_tail(record, optional, len(required))
    else:
        body += "".join(_optional(record, field, counts=False) for field in optional)
        body += "    return True\n"
    return f'{_signature(record.name)}    """Tell whether `value` is a {record.name}."""\n{body}\n'


def _signature(name: str) -> str:
    return f"\ndef is_{snake(name)}(value: object) -> TypeGuard[types.{name}]:\n"


def _closed_tail(record: Record, optional: list[Field], count: int) -> str:
    if not optional:
        return f"    return len(value) == {count}\n"
    text = f"    if len(value) == {count}:\n        return True\n    known = {count}\n"
    text += "".join(_optional(record, field, counts=True) for field in optional)
    return f"{text}    return len(value) == known\n"


def _optional(record: Record, field: Field, *, counts: bool) -> str:
    key = quote(field.name)
    refusal = _refusal(record, field, "        ")
    text = f"    if {key} in value:\n        item = value[{key}]\n{refusal}"
    return f"{text}        known += 1\n" if counts else text


def _refusal(record: Record, field: Field, indent: str) -> str:
    owner = f"{snake(record.name)}_{field.name}"
    condition = _wrapped(field.type, owner, "item", indent)
    if condition == "type(item) is bool":
        return f"{indent}if type(item) is not bool:\n{indent}    return False\n"
    return f"{indent}if not {condition}:\n{indent}    return False\n"


def emit_union_verdict(union: Union) -> str:
    """Return the public `is_x` of a union."""
    branches = "".join(
        f"        case {quote(value)}:\n            return is_{snake(record)}(value)\n"
        for value, record in union.branches
    )
    return (
        f"{_signature(union.name)}"
        f'    """Tell whether `value` is a {union.name}."""\n'
        "    kind = value.get(" + quote(union.tag) + ") if type(value) is dict else None\n"
        "    match kind if type(kind) is str else None:\n"
        f"{branches}"
        "    return False\n\n"
    )
