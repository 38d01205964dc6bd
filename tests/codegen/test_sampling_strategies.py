"""The Hypothesis strategies, on our contract and on a synthetic one; judged as the sampler is."""

from typing import Any

import pytest
from hypothesis import Phase, find, given, settings

from codegen.packages import CONTRACTS, Package, definitions_of
from contract_codegen.parsing import ParseError, parse_document
from contract_codegen.source import snake

DEFINITIONS = definitions_of(CONTRACTS)
LABELS = [pytest.param(label, id=label) for label in CONTRACTS]
EXAMPLES = settings(max_examples=15, database=None)


@pytest.mark.parametrize(("label", "name"), DEFINITIONS)
def test_strategies_give_valid_documents(
    packages: dict[str, Package], label: str, name: str
) -> None:
    package = packages[label]

    @EXAMPLES
    @given(getattr(package.strategies, snake(name))())
    def check(document: object) -> None:
        assert package.findings(name, document) == ()
        assert package.schema_accepts(name, document)

    check()


@pytest.mark.parametrize(("label", "name"), DEFINITIONS)
def test_strategies_give_near_misses_with_true_labels(
    packages: dict[str, Package], label: str, name: str
) -> None:
    package = packages[label]

    @EXAMPLES
    @given(package.strategies.near_misses(name))
    def check(near_miss: Any) -> None:
        expected = (near_miss.pointer, near_miss.rule)
        assert package.findings(name, near_miss.document) == (expected,)

    check()


@pytest.mark.parametrize("label", LABELS)
def test_raw_text_is_refused_exactly_where_its_label_says(
    packages: dict[str, Package], label: str
) -> None:
    package = packages[label]
    name = package.contract.root

    @settings(EXAMPLES, max_examples=100)
    @given(package.strategies.json_text(name))
    def check(raw: Any) -> None:
        try:
            document = parse_document(raw.data)
        except ParseError as error:
            assert error.problem.rule == raw.rule  # noqa: PT017 - no refusal is fine too
        else:
            assert raw.rule is None
            assert package.findings(name, document) == ()

    check()


@pytest.mark.parametrize("rule", [None, "json", "unicode"])
def test_raw_text_comes_with_every_label(packages: dict[str, Package], rule: str | None) -> None:
    package = packages["ours"]

    # Which examples come first depends on much else, so each label is searched for.
    found = find(
        package.strategies.json_text(package.contract.root),
        lambda raw: raw.rule == rule,
        settings=settings(EXAMPLES, max_examples=5_000),
    )

    assert found.rule == rule


@pytest.mark.parametrize("label", LABELS)
def test_ids_recompute_where_real_ones_are_asked_for(
    packages: dict[str, Package], label: str
) -> None:
    package = packages[label]
    identity = package.contract.identity
    strategy = getattr(package.strategies, snake(identity.definition))

    @EXAMPLES
    @given(strategy(), strategy(ids="any"))
    def check(real: dict[str, Any], other: dict[str, Any]) -> None:
        assert real[identity.id_field] == package.identity.source_id(real)
        assert other[identity.id_field] != package.identity.source_id(other)

    check()


def test_counterexamples_shrink_to_the_smallest_document(packages: dict[str, Package]) -> None:
    strategies = packages["ours"].strategies

    source = find(
        strategies.knowledge_source(ids="any"),
        lambda document: "page" in document,
        settings=settings(database=None, derandomize=True, phases=(Phase.generate, Phase.shrink)),
    )

    smallest = {"id": "0" * 32, "provider": "0", "title": "0", "excerpt": "0", "page": 1}
    assert source == smallest
