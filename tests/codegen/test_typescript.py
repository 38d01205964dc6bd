"""What the TypeScript emitters write, for the released contract and for a very different one."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from contract_codegen.constants import list_constants
from contract_codegen.errors import OutputError
from contract_codegen.loading import load_contract, parse_contract
from contract_codegen.model import Contract
from contract_codegen.patterns import parse_pattern
from contract_codegen.typescript import emit_typescript
from contract_codegen.typescript.source import regex

pytestmark = pytest.mark.typescript

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "src" / "web" / "node_modules" / ".bin"
PARCELS = ROOT / "tests" / "codegen" / "parcels.v3.json"
RELEASED = load_contract(ROOT / "contracts" / "knowledge_sources.v1.json")
STRICT = [
    "--strict",
    "--noUncheckedIndexedAccess",
    "--exactOptionalPropertyTypes",
    "--noPropertyAccessFromIndexSignature",
    "--noUnusedLocals",
    "--verbatimModuleSyntax",
    "--isolatedModules",
    "--erasableSyntaxOnly",
    "--noEmit",
    *("--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler"),
    *("--types", ""),
]

PARCEL = {"id": "0" * 12, "shelf": "A1", "weight": 1}
ARRIVAL = {"kind": "arrival", "parcel": PARCEL}
LOSS = {"kind": "loss", "level": 3}

JUDGE = """
import { readFileSync } from "node:fs";
import { CHECKS } from "./contract.mjs";
const cases = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(cases.map(([name, value]) => CHECKS[name](value).map(
  ({ pointer, rule }) => [pointer, rule]))));
"""


def parcels_with(old: str, new: str) -> Contract:
    """Return the contract of parcels with some of its text replaced."""
    text = PARCELS.read_text(encoding="utf-8")
    assert old in text
    return parse_contract(text.replace(old, new).encode(), file_name=PARCELS.name)


def run(*command: str | Path, stdin: str = "") -> str:
    """Run a tool; what it printed belongs to the failure."""
    done = subprocess.run(
        command,
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def compile_contract(contract: Contract, folder: Path) -> Path:
    """Type-check the emitted modules, bundle them, and return the folder that holds both."""
    if not TOOLS.is_dir():
        pytest.fail("src/web/node_modules is missing: run `uv run just setup`", pytrace=False)
    for path, text in emit_typescript(contract).items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())
    index = folder / "typescript" / "index.ts"
    run(TOOLS / "tsc", *STRICT, index)
    bundle = folder / "contract.mjs"
    run(TOOLS / "esbuild", index, "--bundle", "--format=esm", f"--outfile={bundle}")
    return folder


def run_script(folder: Path, script: str, stdin: str = "") -> Any:
    """Run a module next to the bundle, and return the JSON that it printed."""
    path = folder / "script.mjs"
    path.write_text(script, encoding="utf-8")
    node = shutil.which("node") or pytest.fail("node is missing", pytrace=False)
    return json.loads(run(node, path, stdin=stdin))


@pytest.fixture(scope="module")
def parcels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_contract(load_contract(PARCELS), tmp_path_factory.mktemp("parcels"))


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_contract(RELEASED, tmp_path_factory.mktemp("released"))


def test_same_contract_gives_the_same_bytes() -> None:
    again = load_contract(ROOT / "contracts" / "knowledge_sources.v1.json")

    assert emit_typescript(again) == emit_typescript(RELEASED)


@pytest.mark.parametrize("path", sorted(emit_typescript(RELEASED)))
def test_module_names_its_contract_and_no_date(path: str) -> None:
    text = emit_typescript(RELEASED)[path]

    assert text.startswith(f"// Generated from contracts/{RELEASED.file_name}\n")
    assert RELEASED.digest in text.splitlines()[1]
    assert re.search(r"\b20\d\d-\d\d", text) is None
    assert text.isascii()
    assert text.endswith("\n")
    assert "\r" not in text


@pytest.mark.parametrize("path", sorted(emit_typescript(RELEASED)))
def test_lines_fit_the_page_unless_a_pattern_cannot_be_broken(path: str) -> None:
    lines = emit_typescript(RELEASED)[path].splitlines()

    assert [line for line in lines if len(line) > 100 and not line.endswith("/u;")] == []


def test_module_of_limits_holds_every_constant(released: Path) -> None:
    script = 'import * as all from "./contract.mjs"; console.log(JSON.stringify({ ...all }));'

    values = run_script(released, script)

    for constant in list_constants(RELEASED):
        expected = constant.value
        assert values[constant.name] == (
            list(expected) if isinstance(expected, tuple) else expected
        )


def test_validator_repeats_no_bound_that_has_a_name() -> None:
    text = emit_typescript(RELEASED)["typescript/validator.ts"]

    calls = re.findall(r"judge(?:Text|Integer|List)\(\s*value,\s*at,\s*problems,([^)]*)\)", text)

    assert calls
    assert {number for call in calls for number in re.findall(r"(?<![\w$])\d+", call)} <= {"0"}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("^a/b$", r"/^a\/b$/u", id="slash"),
        pytest.param(r"^a\/b$", r"/^a\/b$/u", id="escaped slash"),
        pytest.param(r"^\\/$", r"/^\\\/$/u", id="slash after a backslash"),
        pytest.param("^[/é]$", r"/^[\/\u{e9}]$/u", id="class"),
        pytest.param("^😀+$", r"/^\u{1f600}+$/u", id="astral"),
    ],
)
def test_pattern_becomes_a_literal_that_the_unicode_flag_allows(source: str, expected: str) -> None:
    assert regex(parse_pattern(source, "")) == expected


JUDGEMENTS: list[Any] = [
    pytest.param("Parcel", PARCEL, [], id="smallest"),
    pytest.param("Parcel", PARCEL | {"weight": 0}, [], id="zero"),
    pytest.param("Parcel", PARCEL | {"weight": -0.0}, [], id="minus zero"),
    pytest.param("Parcel", PARCEL | {"weight": 2**53 - 1}, [], id="largest integer"),
    pytest.param(
        "Parcel", PARCEL | {"weight": 2**53}, [["/weight", "maximum"]], id="integer too large"
    ),
    pytest.param("Parcel", PARCEL | {"weight": -1}, [["/weight", "minimum"]], id="negative"),
    pytest.param("Parcel", PARCEL | {"weight": 0.5}, [["/weight", "type"]], id="fraction"),
    pytest.param("Parcel", PARCEL | {"weight": True}, [["/weight", "type"]], id="true for 1"),
    pytest.param("Parcel", PARCEL | {"shelf": "A1\n"}, [["/shelf", "pattern"]], id="newline"),
    pytest.param("Parcel", PARCEL | {"shelf": "A"}, [["/shelf", "minLength"]], id="short"),
    pytest.param("Parcel", PARCEL | {"shelf": "A1234"}, [["/shelf", "maxLength"]], id="long"),
    pytest.param("Parcel", PARCEL | {"shelf": "\ud800"}, [["/shelf", "unicode"]], id="half"),
    pytest.param("Parcel", PARCEL | {"second_shelf": None}, [["/second_shelf", "type"]], id="null"),
    pytest.param("Parcel", {"x": 1} | PARCEL, [["", "additionalProperties"]], id="unknown key"),
    pytest.param("Parcel", [], [["", "type"]], id="array for object"),
    pytest.param(
        "Parcel",
        {"shelf": 1, "a": 1, "b": 2},
        [
            ["/id", "required"],
            ["/shelf", "type"],
            ["/weight", "required"],
            ["", "additionalProperties"],
        ],
        id="several problems in order",
    ),
    pytest.param("Move", LOSS, [], id="branch"),
    pytest.param("Move", LOSS | {"level": 3.0}, [], id="1.0 is 1"),
    pytest.param("Move", LOSS | {"level": "3"}, [["/level", "const"]], id="text for a number"),
    pytest.param("Move", {}, [["/kind", "required"]], id="no tag"),
    pytest.param("Move", {"kind": "Loss"}, [["/kind", "oneOf"]], id="unknown tag"),
    pytest.param("Move", {"kind": ["loss"]}, [["/kind", "oneOf"]], id="tag in an array"),
    pytest.param("Move", "loss", [["", "type"]], id="text for a union"),
    pytest.param("Move", ARRIVAL | {"fragile": 1}, [["/fragile", "type"]], id="1 for true"),
    pytest.param("Move", ARRIVAL | {"size": "medium"}, [["/size", "enum"]], id="unknown choice"),
    pytest.param("Move", ARRIVAL | {"size": ["small"]}, [["/size", "enum"]], id="choice in array"),
    pytest.param("ParcelBox", {"moves": [LOSS], "x": 1}, [], id="open object"),
    pytest.param("ParcelBox", {"moves": []}, [["/moves", "minItems"]], id="too few"),
    pytest.param("ParcelBox", {"moves": [LOSS] * 4}, [["/moves", "maxItems"]], id="too many"),
    pytest.param("ParcelBox", {"moves": {"0": LOSS}}, [["/moves", "type"]], id="object for array"),
    pytest.param(
        "ParcelBox",
        {"moves": [LOSS, 1, {"kind": "arrival"}], "grid": [0, 3, 1]},
        [["/moves/1", "type"], ["/moves/2/parcel", "required"], ["/grid", "maxItems"]],
        id="items in order",
    ),
    pytest.param(
        "ParcelBox",
        {"moves": [LOSS], "grid": [3, "1"]},
        [["/grid/0", "maximum"], ["/grid/1", "type"]],
        id="nested arrays",
    ),
    pytest.param("ParcelBox", {"moves": [LOSS], "marks": ["😀😀😀", "/x"]}, [], id="astral fits"),
    pytest.param(
        "ParcelBox",
        {"moves": [LOSS], "marks": ["😀😀😀😀", "x\n"]},
        [["/marks/0", "maxLength"], ["/marks/1", "pattern"]],
        id="astral too long",
    ),
]


def test_contract_with_other_names_and_bounds_is_judged_by_its_own_rules(parcels: Path) -> None:
    cases = [case.values for case in JUDGEMENTS]

    verdicts = run_script(parcels, JUDGE, json.dumps([case[:2] for case in cases]))

    expected = {case.id: case.values[2] for case in JUDGEMENTS}
    assert dict(zip(expected, verdicts, strict=True)) == expected


def test_contract_with_another_recipe_gives_its_own_ids(parcels: Path) -> None:
    script = """
import { createHash } from "node:crypto";
import { sourceId, sourcePreimage } from "./contract.mjs";
const sha256 = (bytes) => createHash("sha256").update(bytes).digest();
const source = { shelf: "A1", weight: 7 };
const preimage = Buffer.from(sourcePreimage(source)).toString();
console.log(JSON.stringify([sourceId(source, sha256), preimage]));
"""

    assert run_script(parcels, script) == ["5b94c4452438", "parcels.v3|7|A1|"]


def test_values_that_only_javascript_has_are_judged_without_an_exception(released: Path) -> None:
    script = """
import { CHECKS } from "./contract.mjs";
const source = { id: "0".repeat(32), provider: "local", title: "T", excerpt: "E" };
const of = (change) => CHECKS.KnowledgeSource({ ...source, ...change });
const envelope = (list) => CHECKS.KnowledgeSourcesEnvelope(
  { knowledge_sources_version: 1, knowledge_sources: list });
const bare = Object.assign(Object.create(null), source);
const inherited = Object.create(source);
const answers = {
  "not a number": of({ page: NaN }),
  "infinity": of({ page: Infinity }),
  "big integer": of({ page: 1n }),
  "undefined": of({ page: undefined }),
  "wrapped text": of({ title: new String("T") }),
  "symbol": of({ title: Symbol("T") }),
  "hole": envelope([source, , source]),
  "very long hole": envelope(new Array(4294967295)),
  "no prototype": CHECKS.KnowledgeSource(bare),
  "inherited fields": CHECKS.KnowledgeSource(inherited),
  "own __proto__": CHECKS.KnowledgeSource(
    JSON.parse(JSON.stringify(source).replace("{", '{"__proto__": {"url": 1},'))),
  "function": CHECKS.KnowledgeSource(() => source),
};
const show = (_, each) => each?.rule ? `${each.pointer} ${each.rule}` : each;
console.log(JSON.stringify(answers, show));
"""

    assert run_script(released, script) == {
        "not a number": ["/page type"],
        "infinity": ["/page type"],
        "big integer": ["/page type"],
        "undefined": ["/page type"],
        "wrapped text": ["/title type"],
        "symbol": ["/title type"],
        "hole": ["/knowledge_sources/1 type"],
        "very long hole": ["/knowledge_sources maxItems"],
        "no prototype": [],
        "inherited fields": [
            f"/{name} required" for name in ("id", "provider", "title", "excerpt")
        ],
        "own __proto__": [" additionalProperties"],
        "function": [" type"],
    }


def test_longest_texts_of_any_width_are_judged(released: Path) -> None:
    script = """
import { CHECKS } from "./contract.mjs";
const rule = (excerpt) => CHECKS.KnowledgeSource(
  { id: "0".repeat(32), provider: "local", title: "T", excerpt })[0]?.rule ?? "valid";
console.log(JSON.stringify([
  rule("x".repeat(100000)), rule("x".repeat(100001)),
  rule("😀".repeat(100000)), rule("😀".repeat(100001)), rule("😀".repeat(4000000)),
  rule(" ".repeat(100000)), rule(" ".repeat(99999) + "\\u0000"),
]));
"""

    assert run_script(released, script) == [
        *("valid", "maxLength"),
        *("valid", "maxLength", "maxLength"),
        *("pattern", "pattern"),
    ]


@pytest.mark.parametrize("name", ["DefinitionName", "SourceFields"])
def test_definition_with_a_name_that_is_taken_is_refused(name: str) -> None:
    contract = parcels_with("Arrival", name)

    with pytest.raises(OutputError, match=name):
        emit_typescript(contract)


def test_limit_with_the_name_of_a_bound_is_refused() -> None:
    contract = parcels_with('"box_count"', '"shelf_max_length"')

    with pytest.raises(OutputError, match="SHELF_MAX_LENGTH"):
        emit_typescript(contract)


def test_definition_with_the_name_of_a_field_elsewhere_is_refused() -> None:
    contract = parcels_with("Shelf", "ArrivalSize")

    with pytest.raises(OutputError, match="ArrivalSize"):
        emit_typescript(contract)


@pytest.mark.parametrize("name", ["List", "Text"])
def test_definition_may_have_the_name_of_a_helper(name: str, tmp_path: Path) -> None:
    compile_contract(parcels_with("Loss", name), tmp_path)


def test_spelling_of_the_contract_changes_nothing_but_its_digest() -> None:
    other = replace(RELEASED, digest="0" * 64)

    def lines(contract: Contract) -> Iterator[str]:
        for text in emit_typescript(contract).values():
            yield text.replace(contract.digest, "")

    assert list(lines(other)) == list(lines(RELEASED))
