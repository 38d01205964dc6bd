"""The sampler and the strategies, on our contract and on a synthetic one.

Judged by the plain interpreter of `reference.py` and by python-jsonschema, never by generated
validators: those are what the sampler tests elsewhere.
"""

import hashlib
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from hypothesis import Phase, find, given, settings
from jsonschema import Draft202012Validator

from contract_codegen.errors import OutputError
from contract_codegen.loading import load_contract, parse_contract
from contract_codegen.model import Contract
from contract_codegen.parsing import ParseError, parse_document
from contract_codegen.python_identity import emit_identity
from contract_codegen.python_parsing import emit_parsing
from contract_codegen.sampling import emit_sampling
from contract_codegen.source import snake
from reference import Finding, judge

ROOT = Path(__file__).resolve().parents[2]
OURS = load_contract(ROOT / "contracts" / "knowledge_sources.v1.json")
SYNTHETIC = load_contract(Path(__file__).with_name("synthetic_contract.json"))
CONTRACTS = {"ours": OURS, "synthetic": SYNTHETIC}
DEFINITIONS = [
    pytest.param(label, each.name, id=f"{label} {each.name}")
    for label, contract in CONTRACTS.items()
    for each in contract.definitions
]
LABELS = [pytest.param(label, id=label) for label in CONTRACTS]
EXAMPLES = settings(max_examples=40, database=None)


class Package(NamedTuple):
    """A generated package, imported from a folder of its own."""

    contract: Contract
    sampler: ModuleType
    strategies: ModuleType
    identity: ModuleType

    def schema_accepts(self, name: str, document: object) -> bool:
        """Ask python-jsonschema."""
        schema = self.contract.schema
        if name != self.contract.root:
            schema = {**schema_parts(schema), "$ref": f"#/$defs/{name}"}
        return Draft202012Validator(schema).is_valid(document)

    def findings(self, name: str, document: object) -> tuple[Finding, ...]:
        """Ask the plain interpreter."""
        return judge(self.contract, name, document)


def seeded(seed: int | str) -> Random:
    """Return a generator of choices that every run repeats."""
    return Random(seed)  # noqa: S311 - test data, no secret


def schema_parts(schema: dict[str, Any]) -> dict[str, Any]:
    """Return what a definition needs of its document."""
    return {key: schema[key] for key in ("$schema", "$defs")}


@contextmanager
def importing_from(folder: Path) -> Iterator[None]:
    """Let `knowledge_wire` mean the package in a folder."""
    names = [name for name in sys.modules if name.partition(".")[0] == "knowledge_wire"]
    installed = {name: sys.modules.pop(name) for name in names}
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.partition(".")[0] == "knowledge_wire"]:
            del sys.modules[name]
        sys.modules.update(installed)


def generate(contract: Contract, folder: Path) -> None:
    """Write the sampler and what it needs as a package below `folder`."""
    files = emit_parsing(contract) | emit_identity(contract) | emit_sampling(contract)
    for path, text in {**files, "python/knowledge_wire/__init__.py": ""}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Package]:
    found: dict[str, Package] = {}
    for label, contract in CONTRACTS.items():
        folder = tmp_path_factory.mktemp(label)
        generate(contract, folder)
        with importing_from(folder / "python"):
            names = ("sampler", "strategies", "identity")
            modules = [importlib.import_module(f"knowledge_wire.{name}") for name in names]
        found[label] = Package(contract, *modules)
    return found


@pytest.mark.parametrize(("label", "name"), DEFINITIONS)
def test_every_sample_is_valid(packages: dict[str, Package], label: str, name: str) -> None:
    package, random = packages[label], seeded(name)

    for _ in range(150):
        document = package.sampler.sample(random, name)

        assert package.findings(name, document) == ()
        assert package.schema_accepts(name, document)
        assert parse_document(json.dumps(document)) == document


@pytest.mark.parametrize(("label", "name"), DEFINITIONS)
def test_every_mutation_breaks_the_rule_it_names_and_nothing_else(
    packages: dict[str, Package], label: str, name: str
) -> None:
    package, random = packages[label], seeded(name)

    for place, mutations in package.sampler.MUTATIONS[name].items():
        for mutation, rule in mutations:
            for _ in range(4):
                near_miss = package.sampler.near_miss_at(random, name, place, mutation)

                assert near_miss.rule == rule
                assert near_miss.mutation == f"/{'/'.join(place)} {mutation}"
                expected = (near_miss.pointer, rule)
                assert package.findings(name, near_miss.document) == (expected,), near_miss.mutation


@pytest.mark.parametrize(("label", "name"), DEFINITIONS)
def test_near_misses_are_refused_by_the_schema_or_by_the_parser(
    packages: dict[str, Package], label: str, name: str
) -> None:
    package, random = packages[label], seeded(name)

    for _ in range(150):
        near_miss = package.sampler.near_miss(random, name)
        text = json.dumps(near_miss.document)

        if near_miss.rule == "unicode":
            with pytest.raises(ParseError) as caught:
                parse_document(text)
            assert caught.value.problem == ("", "unicode")
        else:
            assert not package.schema_accepts(name, parse_document(text)), near_miss.mutation


@pytest.mark.parametrize("label", LABELS)
def test_near_misses_reach_every_entry_of_the_table(
    packages: dict[str, Package], label: str
) -> None:
    package = packages[label]
    name, random = package.contract.root, seeded(1)
    wanted = {
        (f"/{'/'.join(place)} {mutation}", rule)
        for place, mutations in package.sampler.MUTATIONS[name].items()
        for mutation, rule in mutations
    }

    for _ in range(2000 + 15 * len(wanted)):
        near_miss = package.sampler.near_miss(random, name)
        wanted.discard((near_miss.mutation, near_miss.rule))

    assert wanted == set()


TEXT = {"type", "unicode", "minLength", "maxLength", "pattern"}
INTEGER = {"type", "minimum", "maximum"}


def test_the_table_covers_every_rule_of_every_place(packages: dict[str, Package]) -> None:
    ours, synthetic = (packages[label].sampler.MUTATIONS for label in CONTRACTS)

    assert rules_of(ours["KnowledgeSource"]) == {
        "": {"type", "additionalProperties"},
        "id": {"required", *TEXT},
        "provider": {"required", *TEXT},
        "title": {"required", *TEXT},
        "excerpt": {"required", *TEXT},
        "dataset_name": TEXT,
        "url": TEXT,
        "page": INTEGER,
    }
    assert rules_of(ours["KnowledgeSourcesEnvelope"]) == {
        "": {"type"},
        "knowledge_sources_version": {"required", "const"},
        "knowledge_sources": {"required", "type", "maxItems"},
        **{
            f"knowledge_sources/*/{place}".removesuffix("/"): rules
            for place, rules in rules_of(ours["KnowledgeSource"]).items()
        },
    }
    assert rules_of(synthetic["Shape"]) == {
        "": {"type"},
        "kind": {"required", "oneOf"},
        "kind=circle": {"additionalProperties"},
        "kind=circle/size": {"required", "const"},
        'kind=square/=~ "': {"additionalProperties"},
        **{
            f'kind=square/=~ "/notes/{place}'.removesuffix("/"): rules
            for place, rules in rules_of(synthetic["Notes"]).items()
        },
        'kind=square/=~ "/colour': {"required", "enum"},
        'kind=square/=~ "/books': {"type", "maxItems"},
        **{
            f'kind=square/=~ "/books/*/{place}'.removesuffix("/"): rules
            for place, rules in rules_of(synthetic["Book"]).items()
        },
    }
    assert rules_of(synthetic["Notes"]) == {
        "": {"type"},
        "free": {"required", "type", "unicode", "maxLength"},
        "holds": {"type", "unicode", "maxLength", "pattern"},
        **dict.fromkeys(("starts", "ends", "digit", "dollar", "astral"), TEXT),
        **dict.fromkeys(("maybe", "some"), TEXT - {"minLength"}),
        "anything": {"type", "unicode", "maxLength"},
        "empty": {"type", "unicode", "maxLength"},
    }


def rules_of(places: dict[tuple[str, ...], tuple[tuple[str, str], ...]]) -> dict[str, set[str]]:
    return {"/".join(place): {rule for _, rule in pairs} for place, pairs in places.items()}


def test_samples_visit_bounds_spellings_and_hostile_characters(
    packages: dict[str, Package],
) -> None:
    random = seeded(5)
    sample = packages["ours"].sampler.sample

    sources = [sample(random, "KnowledgeSource") for _ in range(4000)]
    envelopes = [sample(random, "KnowledgeSourcesEnvelope") for _ in range(4000)]

    titles = [source["title"] for source in sources]
    assert {1, 2, 257, 511, 512} <= set(map(len, titles))
    assert any(len(title) <= 512 < len(title.encode("utf-16-le")) // 2 for title in titles)
    assert {9, 2048} <= {len(source["url"]) for source in sources if "url" in source}
    assert max(len(source["excerpt"]) for source in sources) == 100_000
    pages = [source["page"] for source in sources if "page" in source]
    assert {1, 1_000_000} <= set(pages)
    assert {int, float} == set(map(type, pages))
    used = {char for source in sources for char in source["excerpt"]}
    assert set("\t\n\r\x85\xa0\u202e\u2028\u3000\ufeff\u0301\x7f\U0001f600\U0010ffff") <= used
    assert {0, 1, 2, 3, 99, 100} <= {len(each["knowledge_sources"]) for each in envelopes}
    assert {"__proto__", "constructor", ""} <= {key for each in envelopes for key in each}


@pytest.mark.parametrize("label", LABELS)
def test_scrambles_are_mostly_refused_and_sometimes_no_json(
    packages: dict[str, Package], label: str
) -> None:
    package, random = packages[label], seeded(2)
    name = package.contract.root
    verdicts = {"json": 0, "unicode": 0, "refused": 0, "accepted": 0}

    for _ in range(2000):
        try:
            document = parse_document(json.dumps(package.sampler.scramble(random, name)))
        except ParseError as error:
            verdicts[error.problem.rule] += 1
        else:
            verdicts["refused" if package.findings(name, document) else "accepted"] += 1

    assert min(verdicts.values()) > 0
    assert verdicts["refused"] > 1000


DIGEST = """
import hashlib, json
from random import Random
from knowledge_wire import sampler
random, digest = Random(20), hashlib.sha256()
for name in sampler.MUTATIONS:
    for _ in range(60):
        documents = sampler.sample(random, name), sampler.near_miss(random, name)
        digest.update(repr((documents, sampler.scramble(random, name))).encode("ascii", "replace"))
print(digest.hexdigest())
"""


def test_equal_seeds_give_equal_documents_in_every_process(tmp_path: Path) -> None:
    generate(OURS, tmp_path)

    digests = [
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(tmp_path / "python")},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]

    assert digests[0] == digests[1]
    assert len(digests[0].strip()) == hashlib.sha256().digest_size * 2


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
    rules: set[str | None] = set()

    @settings(EXAMPLES, max_examples=300)
    @given(package.strategies.json_text(name))
    def check(raw: Any) -> None:
        rules.add(raw.rule)
        try:
            document = parse_document(raw.data)
        except ParseError as error:
            assert error.problem.rule == raw.rule  # noqa: PT017 - no refusal is fine too
        else:
            assert raw.rule is None
            assert package.findings(name, document) == ()

    check()
    assert rules == {"json", "unicode", None}


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


def test_emitting_twice_gives_the_same_bytes_under_the_contract_s_header() -> None:
    first, second = emit_sampling(OURS), emit_sampling(OURS)

    assert first == second
    assert all(
        OURS.digest in text[:200] and OURS.file_name in text[:200] for text in first.values()
    )
    assert all("contract_codegen" not in text for text in first.values())


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param({"pattern": "^a{3}b*$", "maxLength": 2}, "no text satisfies", id="pattern"),
        pytest.param({"minLength": 3, "maxLength": 2}, "no value lies between", id="bounds"),
    ],
)
def test_a_text_that_nothing_satisfies_stops_generation(
    change: dict[str, Any], reason: str
) -> None:
    schema = json.loads(json.dumps(SYNTHETIC.schema))
    guard = {"not": {"pattern": "[^ab]"}} if "pattern" in change else {}
    schema["$defs"]["Notes"]["properties"]["free"] = {
        "description": "Impossible.",
        "type": "string",
        **change,
        **guard,
    }

    with pytest.raises(OutputError, match=reason):
        emit_sampling(parse_contract(json.dumps(schema).encode(), file_name="impossible.json"))
