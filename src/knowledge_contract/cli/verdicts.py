"""What a reader says about a document or a message, and the words for it."""

from collections.abc import Sequence
from typing import NamedTuple

from knowledge_wire.parsing import ParseError, Problem

_EXPLANATIONS = {
    "type": "not of the type that the contract names",
    "required": "missing, and the contract requires it",
    "additionalProperties": "holds a key that the contract does not know",
    "minItems": "fewer items than the contract asks for",
    "maxItems": "more items than the contract allows",
    "minLength": "shorter than the contract allows",
    "maxLength": "longer than the contract allows",
    "pattern": "not written in the form that the contract asks for",
    "minimum": "smaller than the contract allows",
    "maximum": "larger than the contract allows",
    "const": "not the one value that the contract allows",
    "enum": "not one of the values that the contract lists",
    "oneOf": "none of the kinds that the contract knows",
    "json": "not strict JSON",
    "unicode": "not well-formed Unicode",
    "id": "does not recompute: something that it covers was changed",
    "handle": "its handle does not stand in the text",
    "excerpt": "its excerpt does not stand in the text where the binding wants it",
    "duplicate": "an earlier record has the same id",
    "total": "lifts the excerpts over the total that the contract allows",
}


class Verdict(NamedTuple):
    """One reader's judgement of one document.

    Attributes:
        valid: Whether the document satisfies the definition.
        problems: Why not, in the contract's order where the reader keeps it.
        reason: What the strict parser said, when the document is not strict JSON.
    """

    valid: bool
    problems: tuple[Problem, ...] = ()
    reason: str | None = None

    def as_json(self) -> dict[str, object]:
        """Return the form that every reader in every language writes."""
        return {"valid": self.valid, "problems": problems_json(self.problems)}


class Found(NamedTuple):
    """One record that a tool message proves, as far as readers compare it."""

    id: str
    form: str
    binding: str


class Findings(NamedTuple):
    """What one reader says about one tool message.

    Attributes:
        evidence: In artifact order.
        refused: A problem for each record that is no evidence; of a message that is not strict
            JSON, the parser's.
        overflow: How many records were not looked at.
    """

    evidence: tuple[Found, ...]
    refused: tuple[Problem, ...]
    overflow: int

    def as_json(self) -> dict[str, object]:
        """Return the form that every reader in every language writes."""
        return {
            "evidence": [each._asdict() for each in self.evidence],
            "refused": problems_json(self.refused),
            "overflow": self.overflow,
        }


def verdict_of(problems: Sequence[Problem]) -> Verdict:
    """Return the verdict of a reader that lists problems."""
    return Verdict(not problems, tuple(problems))


def verdict_of_parse_error(error: ParseError) -> Verdict:
    """Return the verdict on what is not strict JSON; every reader shares it."""
    return Verdict(valid=False, problems=(error.problem,), reason=error.reason)


def problems_json(problems: Sequence[Problem]) -> list[dict[str, str]]:
    """Return problems as the wire writes them."""
    return [{"pointer": problem.pointer, "rule": problem.rule} for problem in problems]


def explain(problem: Problem, *, reason: str | None = None) -> str:
    """Return one line: place, rule, and the rule in words.

    >>> explain(Problem("/page", "minimum"))
    '/page minimum: smaller than the contract allows'
    """
    words = reason or _EXPLANATIONS.get(problem.rule, "refused by this reader's own rule")
    return f"{problem.pointer or '(document)'} {problem.rule}: {words}"


def explain_all(problems: Sequence[Problem], *, reason: str | None = None) -> str:
    """Return all problems of one document on one line."""
    return "; ".join(explain(problem, reason=reason) for problem in problems)


def verdict_lines(verdict: Verdict) -> list[str]:
    """Return the verdict in words, a line per problem."""
    if verdict.valid:
        return ["valid"]
    if not verdict.problems:
        return ["refused"]
    return [f"refused: {explain(p, reason=verdict.reason)}" for p in verdict.problems]


def summarize(verdict: Verdict) -> str:
    """Return the verdict with its first problem, without an explanation."""
    if verdict.valid:
        return "valid"
    if not verdict.problems:
        return "refused"
    first = verdict.problems[0]
    return f"refused at {first.pointer or '(document)'} by {first.rule}"
