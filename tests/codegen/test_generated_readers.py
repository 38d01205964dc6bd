"""Readers generated from contracts unlike ours agree with each other and with the interpreter.

Our own contract uses a part of the supported subset; what no document of it reaches is tried
here, so that a change of the contract does not find the first fault.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import jsonschema_rs
import pytest
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from codegen.packages import (
    EMITTERS,
    HERE,
    SYNTHETIC,
    Package,
    definitions_of,
    open_package,
    seeded,
)
from contract_codegen.errors import OutputError
from contract_codegen.loading import parse_contract
from contract_codegen.model import Contract, Integer, Record, Text
from contract_codegen.parsing import ParseError, parse_document
from contract_codegen.python.models import emit_models
from contract_codegen.python.validators import emit_validators
from contract_codegen.source import snake


def parcels_with(edit: Callable[[dict[str, Any]], object]) -> Contract:
    """Return the contract of parcels, edited, with the limits that a parser in Python needs."""
    schema = json.loads((HERE / "parcels.v3.json").read_text(encoding="utf-8"))
    limits = {"document_depth": 64, "response_depth": 200}
    for name, value in limits.items():
        schema["x-limits"].setdefault(name, {"description": "Nesting.", "value": value})
    edit(schema)
    return parse_contract(json.dumps(schema).encode(), file_name="parcels.v3.json")


UNLIKE_OURS = {"synthetic": SYNTHETIC, "parcels": parcels_with(lambda _: None)}
DEFINITIONS = definitions_of(UNLIKE_OURS)
LABELS = [pytest.param(label, id=label) for label in UNLIKE_OURS]
FIELDS_OF_SCALARS = {
    (label, field.type.scalar): (record.name, field.name)
    for label, contract in UNLIKE_OURS.items()
    for record in contract.definitions
    if isinstance(record, Record)
    for field in record.fields
    if isinstance(field.type, Text | Integer) and field.type.scalar
}
"""A field for each named scalar, in whose place the interpreter judges it."""
SCALARS = [
    pytest.param(label, scalar.name, id=f"{label} {scalar.name}")
    for label, contract in UNLIKE_OURS.items()
    for scalar in contract.scalars
]


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Package]:
    return {
        label: open_package(contract, tmp_path_factory.mktemp(label), (*EMITTERS, emit_models))
        for label, contract in UNLIKE_OURS.items()
    }


def documents(package: Package, name: str, count: int) -> Iterator[Any]:
    """Return documents of four kinds, `count` of each; most are wrong in one place."""
    random = seeded(name)
    for _ in range(count):
        sample = package.sampler.sample(random, name)
        yield sample
        yield rearranged(random, sample)
        yield package.sampler.near_miss(random, name).document
        yield package.sampler.scramble(random, name)


def rearranged(random: Random, value: object) -> object:
    """Return the document with some texts in another order: same characters, other verdicts."""
    match value:
        case dict():
            return {key: rearranged(random, each) for key, each in value.items()}
        case list():
            return [rearranged(random, each) for each in value]
        case str() if random.random() < 1 / 4:
            turned = "".join(random.sample(value, len(value)))
            return random.choice([turned, turned[:-1], value + value[:1], value + "\n"])
    return value


def parsed_documents(package: Package, name: str, count: int) -> Iterator[object]:
    """Return those documents that strict parsing lets pass."""
    for document in documents(package, name, count):
        try:
            yield parse_document(json.dumps(document))
        except ParseError:
            continue


def model_accepts(model: Any, document: object) -> bool:
    """Ask pydantic."""
    try:
        model.model_validate(document)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize(("label", "name"), DEFINITIONS)
def test_validators_find_what_the_interpreter_finds(
    packages: dict[str, Package], label: str, name: str
) -> None:
    package = packages[label]
    check = package.modules["validators"].CHECKS[name]
    is_valid = getattr(package.modules["validators"], f"is_{snake(name)}")

    for document in documents(package, name, 600):
        findings = package.findings(name, document)

        assert check(document) == findings
        assert is_valid(document) is (not findings)


@pytest.mark.parametrize(("label", "name"), DEFINITIONS)
def test_schema_engines_and_models_give_the_interpreter_s_verdict(
    packages: dict[str, Package], label: str, name: str
) -> None:
    package = packages[label]
    python = Draft202012Validator(package.schema_of(name))
    rust = jsonschema_rs.validator_for(package.schema_of(name))
    model = getattr(package.modules["models"], name)
    seen = set()

    for document in parsed_documents(package, name, 300):
        valid = not package.findings(name, document)
        seen.add(valid)

        assert python.is_valid(document) is valid
        assert rust.is_valid(document) is valid
        assert model_accepts(model, document) is valid

    assert seen == {True, False}


@pytest.mark.parametrize(("label", "name"), SCALARS)
def test_named_scalars_are_judged_as_in_a_field(
    packages: dict[str, Package], label: str, name: str
) -> None:
    package, random = packages[label], seeded(name)
    record, field = FIELDS_OF_SCALARS[label, name]
    is_valid = getattr(package.modules["validators"], f"is_{snake(name)}")
    misses = (
        package.sampler.near_miss_at(random, record, place, mutation).document
        for place, mutations in package.sampler.MUTATIONS[record].items()
        for mutation, _ in mutations
        if place == (field,)
        for _ in range(60)
    )

    for document in (*documents(package, record, 300), *misses):
        if not isinstance(document, dict) or field not in document:
            continue
        problems = package.findings(record, document)
        valid = all(problem.pointer != f"/{field}" for problem in problems)

        assert is_valid(document[field]) is valid


@pytest.mark.parametrize("label", LABELS)
def test_proof_is_shape_and_recomputed_id(packages: dict[str, Package], label: str) -> None:
    package = packages[label]
    identity = package.contract.identity
    proves = getattr(package.modules["proof"], f"is_proven_{snake(identity.definition)}")
    verdicts = {True: 0, False: 0}

    for document in documents(package, identity.definition, 700):
        for each in (document, *signed(package, document)):
            valid = not package.findings(identity.definition, each)
            proven = valid and package.identity.source_id(each) == each[identity.id_field]
            verdicts[proven] += 1

            assert proves(each) is proven

    assert min(verdicts.values()) > 500


def signed(package: Package, document: object) -> list[dict[str, Any]]:
    """Return the document with the id that its recipe gives, if the recipe has values for it."""
    if not isinstance(document, dict):
        return []
    try:
        real = package.identity.source_id(document)
    except (KeyError, TypeError, ValueError, OverflowError):
        return []
    return [{**document, package.contract.identity.id_field: real}]


@pytest.mark.parametrize("label", LABELS)
def test_integral_doubles_have_the_id_of_their_integers(
    packages: dict[str, Package], label: str
) -> None:
    package = packages[label]
    source, source_id = package.contract.identity.vectors[0]
    name, id_field = package.contract.identity.definition, package.contract.identity.id_field
    doubled = {
        key: float(value) if isinstance(value, int) else value for key, value in source.items()
    }

    proven = getattr(package.modules["proof"], f"is_proven_{snake(name)}")

    assert package.identity.source_id(doubled) == source_id
    assert proven({**doubled, id_field: source_id})


def test_proof_of_an_open_record_ignores_unknown_keys(tmp_path: Path) -> None:
    contract = parcels_with(
        lambda schema: schema["$defs"]["Parcel"].update({"additionalProperties": True})
    )
    proves = open_package(contract, tmp_path).modules["proof"].is_proven_parcel
    source, source_id = contract.identity.vectors[0]

    assert proves({**source, "id": source_id, "colour": "red"})
    assert not proves({**source, "id": source_id, "second_shelf": "red"})


CODE = {"description": "Two letters.", "type": "string", "minLength": 2, "maxLength": 2}
CODE |= {"pattern": "^[a-c]{2}$"}


def closed(**properties: object) -> dict[str, object]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


@pytest.mark.parametrize(
    ("definitions", "emit", "name"),
    [
        pytest.param({"WellFormed": closed()}, emit_validators, "is_well_formed", id="an import"),
        pytest.param(
            {"Box": closed(lid=CODE), "BoxLid": CODE}, emit_validators, "_BOX_LID", id="a pattern"
        ),
        pytest.param({"Box": closed(keys=CODE)}, emit_validators, "_BOX_KEYS", id="a set of keys"),
        pytest.param({"Exactly3": closed()}, emit_models, "Exactly3", id="a model's constant"),
    ],
)
def test_names_that_meet_in_generated_code_stop_generation(
    definitions: dict[str, dict[str, object]],
    emit: Callable[[Contract], dict[str, str]],
    name: str,
) -> None:
    added = {
        key: {"description": "Added.", **definition, "title": key}
        for key, definition in definitions.items()
    }
    contract = parcels_with(lambda schema: schema["$defs"].update(added))

    with pytest.raises(OutputError, match=repr(name)):
        emit(contract)
