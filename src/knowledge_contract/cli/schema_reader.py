"""The reader `jsonschema`: the packaged schema through python-jsonschema.

Only its verdict is the contract's; pointer and rule are as near as its errors come.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator, ValidationError

from knowledge_contract.cli.pointers import pointer_to
from knowledge_contract.cli.schema import load_schema
from knowledge_contract.cli.verdicts import Verdict, verdict_of
from knowledge_wire.parsing import Problem

# The contract words one rule twice for engines whose `$` also matches before a final newline.
_RULES = {"not": "pattern"}


def judge(definition: str, document: object) -> Verdict:
    """Return the verdict on a parsed document."""
    problems: dict[str, Problem] = {}
    for error in _validator(definition).iter_errors(document):
        for problem in _problems(error):
            problems.setdefault(problem.pointer, problem)
    return verdict_of(list(problems.values()))


@cache
def _validator(definition: str) -> Draft202012Validator:
    schema = load_schema()
    if definition != schema["title"]:
        schema = {
            "$schema": schema["$schema"],
            "$ref": f"#/$defs/{definition}",
            "$defs": schema["$defs"],
        }
    return Draft202012Validator(schema)


def _problems(error: ValidationError) -> Iterator[Problem]:
    if error.validator == "required" and isinstance(error.instance, dict):
        names: Any = error.validator_value
        for name in names:
            if name not in error.instance:
                yield Problem(pointer_to([*error.absolute_path, name]), "required")
        return
    rule = str(error.validator)
    yield Problem(pointer_to(error.absolute_path), _RULES.get(rule, rule))
