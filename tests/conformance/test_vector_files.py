"""The conformance vectors: well-formed, made from their source, and right.

The verdicts are hand-written. Here two judges that are not ours confirm them: python-jsonschema
judges the documents, and a recipe of a few lines recomputes the ids. Messages have a file of
their own, `test_message_vectors.py`.
"""

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from contract_codegen.parsing import ParseError, parse_document
from contract_vectors.__main__ import main
from contract_vectors.files import find_drift, render_files, write_files

CONTRACTS = Path(__file__).parents[2] / "contracts"
FOLDER = CONTRACTS / "vectors"
FILES = sorted(FOLDER.glob("*.json"))
RULES = {
    "type", "required", "additionalProperties", "minLength", "maxLength", "pattern", "minItems",
    "maxItems", "minimum", "maximum", "const", "enum", "oneOf", "json", "unicode",
}  # fmt: skip
PARSE_RULES = {"json", "unicode"}
MEMBERS = {
    "accepted": ["id", "kind", "as", "bytes", "valid", "note"],
    "refused": ["id", "kind", "as", "bytes", "valid", "rule", "pointer", "note"],
    "id": ["id", "kind", "as", "bytes", "valid", "source_id", "preimage", "note"],
    "message": ["id", "kind", "bytes", "binding", "evidence", "refused", "overflow", "note"],
}
FEWEST_VECTORS = 250
FEWEST_IDS = 25
MOST_BYTES = 6_000_000
LONGEST_NOTE = 100

Vector = dict[str, Any]


def _read(path: Path) -> list[Vector]:
    vectors: list[Vector] = json.loads(path.read_text(encoding="utf-8"))["vectors"]
    return vectors


VECTORS = [vector for path in FILES for vector in _read(path)]
DOCUMENTS = [vector for vector in VECTORS if vector["kind"] == "document"]
IDS = [vector for vector in VECTORS if vector["kind"] == "id"]


def _name(vector: Vector) -> str:
    return str(vector["id"])


@cache
def _contract() -> dict[str, Any]:
    text = (CONTRACTS / "knowledge_sources.v1.json").read_text(encoding="utf-8")
    contract: dict[str, Any] = json.loads(text)
    return contract


@cache
def _validator(definition: str) -> Draft202012Validator:
    contract = _contract()
    if definition == contract["title"]:
        return Draft202012Validator(contract)
    reference = {"$ref": f"#/$defs/{definition}", "$defs": contract["$defs"]}
    return Draft202012Validator(reference)


def _definitions() -> set[str]:
    schemas = _contract()["$defs"].items()
    objects = {name for name, schema in schemas if "oneOf" in schema or "properties" in schema}
    return objects | {_contract()["title"]}


def _bytes(vector: Vector) -> bytes:
    return base64.b64decode(vector["bytes"], validate=True)


def test_there_are_enough_vectors() -> None:
    assert len(VECTORS) >= FEWEST_VECTORS
    assert len(IDS) >= FEWEST_IDS


def test_every_id_is_unique_over_all_files() -> None:
    counts = Counter(map(_name, VECTORS))

    assert [name for name, count in counts.items() if count > 1] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_vector_file_is_ascii_with_line_feeds_and_two_members(path: Path) -> None:
    data = path.read_bytes()

    assert data.isascii()
    assert b"\r" not in data
    assert data.endswith(b"}\n")
    assert list(json.loads(data)) == ["description", "vectors"]


def test_the_folder_stays_small_enough_to_ship() -> None:
    assert sum(path.stat().st_size for path in FILES) < MOST_BYTES


def test_vectors_have_the_members_of_their_kind_in_order() -> None:
    strange = [vector["id"] for vector in VECTORS if list(vector) != MEMBERS[_sort(vector)]]

    assert strange == []


def _sort(vector: Vector) -> str:
    if vector["kind"] != "document":
        return str(vector["kind"])
    return "accepted" if vector["valid"] else "refused"


def test_notes_are_one_short_sentence() -> None:
    strange = [
        vector["id"]
        for vector in VECTORS
        if not vector["note"].endswith(".")
        or len(vector["note"]) > LONGEST_NOTE
        or not vector["note"].isprintable()
    ]

    assert strange == []


def test_vectors_judge_by_definitions_of_the_contract() -> None:
    assert {vector["as"] for vector in [*DOCUMENTS, *IDS]} <= _definitions()
    assert {vector["as"] for vector in IDS} == {_contract()["x-identity"]["definition"]}


def test_every_definition_has_accepted_and_refused_documents() -> None:
    verdicts = {(vector["as"], vector["valid"]) for vector in DOCUMENTS}

    assert verdicts == {(name, valid) for name in _definitions() for valid in (True, False)}


def test_every_rule_occurs_and_no_other() -> None:
    assert {vector["rule"] for vector in DOCUMENTS if not vector["valid"]} == RULES


def test_every_field_of_a_source_or_record_is_refused_for_being_null() -> None:
    nulls = {(v["as"], v["pointer"].removeprefix("/")) for v in DOCUMENTS if _is_null_there(v)}

    for name in ("KnowledgeSource", "NativeSource", "NativeSourceRead", "TaskArtifact"):
        fields = _contract()["$defs"][name]["properties"]
        assert {field for field in fields if (name, field) not in nulls} == set()


def _is_null_there(vector: Vector) -> bool:
    if vector["valid"] or vector["rule"] in PARSE_RULES or not vector["pointer"]:
        return False
    value = parse_document(_bytes(vector))
    for part in vector["pointer"].removeprefix("/").split("/"):
        if isinstance(value, list):
            value = value[int(part)]
        elif part in value:
            value = value[part]
        else:
            return False
    return value is None


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_strict_parser_and_jsonschema_confirm_every_verdict(path: Path) -> None:
    documents = [vector for vector in _read(path) if vector["kind"] == "document"]

    assert [vector["id"] for vector in documents if not _is_confirmed(vector)] == []


def _is_confirmed(vector: Vector) -> bool:
    try:
        document = parse_document(_bytes(vector))
    except ParseError as error:
        return error.problem == (vector.get("pointer"), vector.get("rule"))
    if vector.get("rule") in PARSE_RULES:
        return False
    validator = _validator(vector["as"])
    if vector["valid"]:
        return validator.is_valid(document)
    return _finding(vector) in set(_findings(validator, document))


def _finding(vector: Vector) -> tuple[str, str, str]:
    # jsonschema names the parent of a missing member, and of a tag that no branch knows.
    if vector["rule"] not in {"required", "oneOf"}:
        return vector["pointer"], vector["rule"], ""
    parent, _, member = vector["pointer"].rpartition("/")
    return parent, vector["rule"], member if vector["rule"] == "required" else ""


def _findings(validator: Draft202012Validator, document: object) -> Iterator[tuple[str, str, str]]:
    pending = list(validator.iter_errors(document))
    while pending:
        error = pending.pop()
        pending.extend(error.context or ())
        pointer = "".join(f"/{part}" for part in error.absolute_path)
        if error.validator == "required":
            for name in error.validator_value:
                if name not in error.instance:
                    yield pointer, "required", name
        else:
            # Where Python's `$` passes before a final newline, the pattern's `not` twin speaks.
            rule = "pattern" if error.validator == "not" else str(error.validator)
            yield pointer, rule, ""


def test_every_id_and_its_preimage_recompute() -> None:
    assert [vector["id"] for vector in IDS if _recompute(_bytes(vector)) != _claimed(vector)] == []


def _claimed(vector: Vector) -> tuple[str, str]:
    return vector["preimage"], vector["source_id"]


def _recompute(data: bytes) -> tuple[str, str]:
    source = json.loads(data)
    page = str(int(source["page"])) if "page" in source else ""
    optional = [source.get("dataset_name", ""), source.get("url", ""), page]
    fields = [source["provider"], source["title"], *optional, source["excerpt"]]
    preimage = "\0".join(["knowledge_sources.v1", *fields]).encode()
    return preimage.hex(), hashlib.sha256(preimage).hexdigest()[:32]


def test_every_source_with_its_id_satisfies_the_contract() -> None:
    sources = [{**parse_document(_bytes(v)), "id": v["source_id"]} for v in IDS]

    assert [each for each in sources if not _validator("KnowledgeSource").is_valid(each)] == []


def test_different_preimages_give_different_ids() -> None:
    pairs = {(vector["preimage"], vector["source_id"]) for vector in IDS}

    assert len({preimage for preimage, _ in pairs}) == len({digest for _, digest in pairs})


def test_ids_agree_with_the_examples_in_the_contract() -> None:
    known = {vector["source_id"] for vector in IDS}

    assert {example["id"] for example in _contract()["x-identity"]["vectors"]} <= known


def test_the_worked_example_of_the_readme_is_a_vector() -> None:
    readme = "".join((CONTRACTS / "README.md").read_text(encoding="utf-8").split())
    example = next(vector for vector in IDS if vector["id"] == "id-worked-example")

    assert example["preimage"] in readme
    assert example["source_id"] in readme


def test_the_files_are_those_of_the_authoring_source() -> None:
    assert find_drift(FOLDER) == []
    assert [path.name for path in FILES] == sorted(render_files())


def test_check_tells_edited_missing_and_extra_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path)
    (tmp_path / "ids.json").write_text("{}\n", encoding="utf-8")
    (tmp_path / "url.json").unlink()
    (tmp_path / "other.json").write_text("{}\n", encoding="utf-8")

    code = main(["--check", "--folder", str(tmp_path)])

    lines = capsys.readouterr().err.splitlines()
    assert code == 1
    assert {"edited file: ids.json", "missing file: url.json", "extra file: other.json"} <= set(
        lines
    )


def test_writing_restores_the_folder(tmp_path: Path) -> None:
    write_files(tmp_path)
    (tmp_path / "other.json").write_text("{}\n", encoding="utf-8")
    (tmp_path / "ids.json").unlink()

    assert main(["--folder", str(tmp_path)]) == 0
    assert main(["--check", "--folder", str(tmp_path)]) == 0
