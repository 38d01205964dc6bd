"""What a sampler must know of a text: its parts, and the characters that break its pattern."""

import re

from contract_codegen import model
from contract_codegen import patterns as source
from contract_codegen.sampling.pools import ALL_CHARACTERS, ORDINARY, PUNCTUATION
from contract_codegen.sampling.pools import without_surrogates as safe
from contract_codegen.sampling.shapes import Characters, Either, Node, Ranges, Repeat, Text, Then

_ANYTHING = Repeat(Characters(ALL_CHARACTERS), 0, None)
_TRIED = " " + PUNCTUATION + ORDINARY + "\n\xe9"
_MOST_REFUSED = 8
_LONGEST_TRIED = 4096


def shape_of_text(text: model.Text) -> Text:
    """Return the shape of a string of the contract."""
    if text.pattern is None:
        return Text(text.min_length, text.max_length)
    pattern = text.pattern
    expression = pattern.source[:-1] + r"\Z" if pattern.anchored_end else pattern.source
    foreign, alone = _breaking_characters(text, pattern)
    is_not_blank = isinstance(text.meaning, source.NotBlank)
    return Text(
        min_length=text.min_length,
        max_length=text.max_length,
        node=_node_of(pattern),
        expression=expression,
        foreign=safe(foreign),
        alone=safe(alone),
        refused="" if is_not_blank else _refused(expression, text),
    )


def _node_of(pattern: source.Pattern) -> Node:
    start = () if pattern.anchored_start else (_ANYTHING,)
    end = () if pattern.anchored_end else (_ANYTHING,)
    nodes = (*start, *(_converted(node) for node in pattern.body.nodes), *end)
    return nodes[0] if len(nodes) == 1 else Then(nodes)


def _converted(node: source.Node) -> Node:
    match node:
        case source.CharacterClass(ranges):
            return Characters(safe(ranges))
        case source.Repeat(inner, least, most):
            return Repeat(_converted(inner), least, most)
        case source.Sequence(nodes):
            return Then(tuple(map(_converted, nodes)))
        case source.Choice(branches):
            return Either(tuple(map(_converted, branches)))


def _breaking_characters(text: model.Text, pattern: source.Pattern) -> tuple[Ranges, Ranges]:
    """Return the characters that break it anywhere, and those that break it alone."""
    match text.meaning:
        case source.NotBlank(blanks, excluded):
            return excluded, source.union(blanks, excluded)
        case source.Charset(first, rest):
            return source.complement(source.union(first, rest)), source.complement(first)
    unused = source.complement(source.alphabet(pattern.body))
    anchored = pattern.anchored_start and pattern.anchored_end
    needs_some = source.exact_length(pattern)[0] > 0
    return (unused if anchored else ()), (unused if anchored or needs_some else ())


def _refused(expression: str, text: model.Text) -> str:
    length = max(text.min_length, 1)
    if text.max_length == 0 or length > _LONGEST_TRIED:
        return ""
    matches = re.compile(expression).search
    return "".join(char for char in _TRIED if not matches(char * length))[:_MOST_REFUSED]
