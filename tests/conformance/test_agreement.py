"""Every reader gives one verdict on every document; ids recompute alike; bounds hold.

Our two readers also agree on every rule and pointer. Documents pass through JSON text and the
strict parser first, as everywhere: whatever a reader's own parser forgives does not count.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import BaseModel, ValidationError

from knowledge_contract.cli.readers import Reader, ReaderName, open_readers
from knowledge_wire import models, strategies, validators
from knowledge_wire.identity import source_id
from knowledge_wire.parsing import ParseError, parse_document
from knowledge_wire.validators import CHECKS

pytestmark = pytest.mark.typescript

SCHEMA = json.loads(
    files("knowledge_wire").joinpath("schemas/knowledge_sources.v1.json").read_text("utf-8")
)
ROOT = SCHEMA["title"]
NAMES = sorted(CHECKS)
THOROUGH = {"KnowledgeSourcesEnvelope", "KnowledgeSource", "TaskArtifact", "KnowledgeScope"}
"""What travels by itself; of the other definitions, most stand inside of these."""


def schema_of(name: str) -> dict[str, Any]:
    return SCHEMA if name == ROOT else {"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]}


PYTHON_JSONSCHEMA = {name: Draft202012Validator(schema_of(name)).is_valid for name in NAMES}
RUST_JSONSCHEMA = {name: jsonschema_rs.validator_for(schema_of(name)).is_valid for name in NAMES}


def snake(name: str) -> str:
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in name).lstrip("_")


FAST = {name: getattr(validators, f"is_{snake(name)}") for name in NAMES}
VALID = {name: getattr(strategies, snake(name)) for name in NAMES}


def explored(name: str) -> settings:
    """Return how many documents of a definition are tried."""
    return settings() if name in THOROUGH else settings(max_examples=20)


def pydantic_accepts(name: str, document: object) -> bool:
    model: type[BaseModel] = getattr(models, name)
    try:
        model.model_validate(document)
    except ValidationError:
        return False
    return True


@pytest.fixture(scope="module")
def typescript() -> Iterator[Reader]:
    with open_readers(ReaderName.TYPESCRIPT) as cast:
        yield cast.readers[0]


def assert_agreement(name: str, document: object, typescript: Reader) -> tuple[Any, ...]:
    """Assert one verdict of all readers, and return its problems."""
    parsed = parse_document(json.dumps(document))
    problems = CHECKS[name](parsed)
    verdicts = {
        "validator, fast": FAST[name](parsed),
        "python-jsonschema": PYTHON_JSONSCHEMA[name](parsed),
        "jsonschema-rs": RUST_JSONSCHEMA[name](parsed),
        "pydantic": pydantic_accepts(name, parsed),
    }

    assert verdicts == dict.fromkeys(verdicts, not problems)
    assert typescript.judge(name, parsed).problems == problems
    return problems


@pytest.mark.parametrize("name", NAMES)
def test_valid_documents_are_valid_to_every_reader(name: str, typescript: Reader) -> None:
    @explored(name)
    @given(VALID[name]())
    def judge(document: object) -> None:
        assert assert_agreement(name, document, typescript) == ()

    judge()


@pytest.mark.parametrize("name", NAMES)
def test_near_misses_break_the_labelled_rule_to_every_reader(name: str, typescript: Reader) -> None:
    @explored(name)
    @given(strategies.near_misses(name))
    def judge(miss: strategies.NearMiss) -> None:
        if miss.rule == "unicode":
            # No schema can say it: the strict parser does, and the validator for live values.
            with pytest.raises(ParseError) as refusal:
                parse_document(json.dumps(miss.document))
            assert refusal.value.problem.rule == "unicode"
            assert CHECKS[name](miss.document)[0] == (miss.pointer, miss.rule)
        else:
            problems = assert_agreement(name, miss.document, typescript)
            assert problems[0] == (miss.pointer, miss.rule)

    judge()


@pytest.mark.parametrize("name", NAMES)
def test_any_json_gets_one_verdict(name: str, typescript: Reader) -> None:
    @settings(max_examples=30)
    @given(any_json())
    def judge(document: object) -> None:
        assert_agreement(name, document, typescript)

    judge()


def any_json() -> st.SearchStrategy[object]:
    keys = st.sampled_from([*SCHEMA["$defs"]["KnowledgeSource"]["properties"], "mode", "version"])
    leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts()
    finite = leaves.filter(lambda leaf: leaf not in (float("inf"), float("-inf")))
    return st.recursive(
        finite,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys | texts(), inner),
        max_leaves=12,
    )


def texts() -> st.SearchStrategy[str]:
    return st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@given(strategies.knowledge_source(ids="any"))
def test_id_recomputes_and_is_equal_in_both_languages(
    typescript: Reader, source: dict[str, Any]
) -> None:
    assert typescript.source_id is not None
    shuffled = dict(reversed(parse_document(json.dumps(source)).items()))

    computed = source_id(source)

    assert source_id({**source, "id": computed}) == computed
    assert typescript.source_id(shuffled) == source_id(shuffled) == computed


@given(strategies.knowledge_source(), strategies.knowledge_source(), st.data())
def test_any_changed_field_changes_the_id(
    source: dict[str, Any], other: dict[str, Any], data: st.DataObject
) -> None:
    optional = {"dataset_name", "url", "page"}
    key = data.draw(st.sampled_from(sorted((source.keys() | other.keys()) - {"id"})))
    changed = {**source, key: other[key]} if key in other else source.copy()
    if key not in other and key in optional:
        del changed[key]

    same = changed.get(key) == source.get(key)

    assert (source_id(changed) == source_id(source)) is same


@pytest.mark.parametrize("name", NAMES)
def test_raw_text_is_parsed_or_refused_with_its_label(name: str) -> None:
    @explored(name)
    @given(strategies.json_text(name))
    def parse(text: strategies.JsonText) -> None:
        if text.rule is None:
            parse_document(text.data)
        else:
            with pytest.raises(ParseError) as refusal:
                parse_document(text.data)
            assert refusal.value.problem == ("", text.rule)

    parse()


class Mark(str):
    """Text of another type, which may behave as it likes."""

    __slots__ = ()


LIVE: dict[str, Callable[[dict[str, Any]], object]] = {
    "a dict subclass": Counter,
    "a text subclass": lambda source: {**source, "title": Mark("Guide")},
    "a tuple": lambda source: tuple(source.items()),
    "bytes": lambda source: {**source, "excerpt": b"text"},
    "not a number": lambda source: {**source, "page": float("nan")},
    "infinity": lambda source: {**source, "page": float("inf")},
    "an integer subclass": lambda source: {**source, "page": True},
    "a key that is no text": lambda source: source | {1: "x"},
    "a lone surrogate": lambda source: {**source, "title": "\ud800"},
    "an object": lambda _: object(),
    "a class": lambda _: dict,
}


@pytest.mark.parametrize("change", LIVE.values(), ids=LIVE)
def test_live_values_that_no_parser_gives_are_refused_and_never_raise(
    change: Callable[[dict[str, Any]], object],
) -> None:
    source: dict[str, Any] = {"provider": "local", "title": "Guide", "excerpt": "Text."}
    value = change({"id": source_id(source), **source})

    assert validators.check_knowledge_source(value) != ()
    assert not validators.is_knowledge_source(value)
