"""The sampler, on our contract and on a synthetic one.

Judged by the plain interpreter of `reference.py` and by python-jsonschema, never by generated
validators: those are what the sampler tests elsewhere.
"""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from codegen.packages import (
    CONTRACTS,
    OURS,
    SYNTHETIC,
    Package,
    definitions_of,
    seeded,
    write_package,
)
from contract_codegen.errors import OutputError
from contract_codegen.loading import parse_contract
from contract_codegen.parsing import ParseError, parse_document
from contract_codegen.sampling import emit_sampling
from contract_codegen.source import replace_once

DEFINITIONS = definitions_of(CONTRACTS)
LABELS = [pytest.param(label, id=label) for label in CONTRACTS]


@pytest.mark.parametrize(("label", "name"), DEFINITIONS)
def test_every_sample_is_valid(packages: dict[str, Package], label: str, name: str) -> None:
    package, random = packages[label], seeded(name)

    for _ in range(60):
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
            for _ in range(2):
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

    for _ in range(60):
        near_miss = package.sampler.near_miss(random, name)
        text = json.dumps(near_miss.document)

        if near_miss.rule == "unicode":
            with pytest.raises(ParseError) as caught:
                parse_document(text)
            assert caught.value.problem == ("", "unicode")
        else:
            assert not package.schema_accepts(name, parse_document(text)), near_miss.mutation


@pytest.mark.parametrize(
    ("label", "name"),
    [
        pytest.param("ours", "KnowledgeSourcesEnvelope", id="ours"),
        pytest.param("synthetic", "Shape", id="synthetic"),
    ],
)
def test_near_misses_reach_every_entry_of_the_table(
    packages: dict[str, Package], label: str, name: str
) -> None:
    package, random = packages[label], seeded(1)
    wanted = {
        (f"/{'/'.join(place)} {mutation}", rule)
        for place, mutations in package.sampler.MUTATIONS[name].items()
        for mutation, rule in mutations
    }

    for _ in range(1500 + 12 * len(wanted)):
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
    write_package(OURS, tmp_path)

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


def test_emitting_twice_gives_the_same_bytes_under_the_contract_s_header() -> None:
    first, second = emit_sampling(OURS), emit_sampling(OURS)

    assert first == second
    assert all(
        OURS.digest in text[:200] and OURS.file_name in text[:200] for text in first.values()
    )
    assert all("contract_codegen" not in text for text in first.values())


def test_a_text_that_nothing_satisfies_stops_generation() -> None:
    schema = json.loads(json.dumps(SYNTHETIC.schema))
    schema["$defs"]["Notes"]["properties"]["free"] = {
        "description": "Impossible.",
        "type": "string",
        "pattern": "^a{3}b*$",
        "maxLength": 2,
        "not": {"pattern": "[^ab]"},
    }
    contract = parse_contract(json.dumps(schema).encode(), file_name="impossible.json")

    with pytest.raises(OutputError, match="no text satisfies"):
        emit_sampling(contract)


@pytest.mark.parametrize("template", ["", "mark, mark"], ids=["gone", "twice"])
def test_a_template_that_lost_its_mark_stops_generation(template: str) -> None:
    with pytest.raises(OutputError, match="must hold once 'mark'"):
        replace_once(template, "mark", "text")
