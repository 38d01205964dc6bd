"""The reader `jsonschema`: the packaged schema through python-jsonschema.

Only its verdict is the contract's; pointer and rule are as near as its errors come.
"""

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from jsonschema import Draft202012Validator, ValidationError

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
    path = files("knowledge_wire") / "schemas" / "knowledge_sources.v1.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    if definition != schema["title"]:
        schema = {
            "$schema": schema["$schema"],
            "$ref": f"#/$defs/{definition}",
            "$defs": schema["$defs"],
        }
    return Draft202012Validator(schema)


def _problems(error: ValidationError) -> Iterator[Problem]:
    pointer = "".join(f"/{_escaped(step)}" for step in error.absolute_path)
    if error.validator == "required" and isinstance(error.instance, dict):
        names: Any = error.validator_value
        for name in names:
            if name not in error.instance:
                yield Problem(f"{pointer}/{_escaped(name)}", "required")
        return
    rule = str(error.validator)
    yield Problem(pointer, _RULES.get(rule, rule))


def _escaped(step: str | int) -> str:
    return str(step).replace("~", "~0").replace("/", "~1")
