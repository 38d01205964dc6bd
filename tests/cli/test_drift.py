"""`generate` and `check` on checkouts that are in step, drifted, broken or absent."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.program import Run
from contract_codegen.drift import write_outputs

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = shutil.ignore_patterns("__pycache__", ".*_cache")
VALIDATORS = "generated/python/knowledge_wire/validators.py"
CONTRACT = "contracts/knowledge_sources.v1.json"


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the generator reads, with everything written from it."""
    folder = tmp_path_factory.mktemp("original")
    for name in ("contracts", "codegen"):
        shutil.copytree(ROOT / name, folder / name, ignore=SKIPPED)
    write_outputs(folder)
    return folder


@pytest.fixture
def checkout(original: Path, tmp_path: Path) -> Path:
    """A checkout of one's own, in step with its contract."""
    return shutil.copytree(original, tmp_path / "checkout")


def replace_once(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_edited_missing_and_extra_files_are_named(run: Run, checkout: Path) -> None:
    replace_once(checkout / VALIDATORS, "already-parsed", "already-Parsed")
    (checkout / "generated/python/knowledge_wire/identity.py").unlink()
    (checkout / "generated/python/knowledge_wire/other.py").write_text("a = 1\n", encoding="utf-8")

    ending = run("check", "--root", str(checkout))

    assert ending.code == 1
    assert ending.err == "3 generated files differ: run `knowledge-contract generate`\n"
    assert ending.out.splitlines()[-3:] == [
        "missing: generated/python/knowledge_wire/identity.py",
        "extra: generated/python/knowledge_wire/other.py",
        f"edited: {VALIDATORS}",
    ]
    assert '-"""Judge already-Parsed values against the contract.' in ending.out
    assert '+"""Judge already-parsed values against the contract.' in ending.out


def test_edited_contract_is_drift_for_machines_too(run: Run, checkout: Path) -> None:
    replace_once(checkout / CONTRACT, "shared wire envelope", "shared Wire envelope")

    ending = run("check", "--root", str(checkout), "--format", "json")

    drift = json.loads(ending.out)["drift"]
    assert (ending.code, ending.err) == (1, "")
    assert {"path": VALIDATORS, "kind": "edited"}.items() <= {each["path"]: each for each in drift}[
        VALIDATORS
    ].items()
    assert all(each["diff"] for each in drift)


def test_generate_mends_drift(run: Run, checkout: Path) -> None:
    replace_once(checkout / VALIDATORS, "already-parsed", "already-Parsed")
    (checkout / "generated/python/knowledge_wire/other.py").write_text("a = 1\n", encoding="utf-8")

    endings = [
        run("generate", "--root", str(checkout)),
        run("check", "--root", str(checkout)),
        run("generate", "--root", str(checkout / "contracts")),
    ]

    assert endings == [
        (
            0,
            f"removed: generated/python/knowledge_wire/other.py\nwritten: {VALIDATORS}\n",
            "",
        ),
        (0, "generated files match the contract\n", ""),
        (0, "generated files were already up to date\n", ""),
    ]


@pytest.mark.parametrize("command", ["generate", "check"])
def test_unsupported_keyword_is_named_with_its_place(
    run: Run, checkout: Path, command: str
) -> None:
    replace_once(checkout / CONTRACT, '"maxItems": 100', '"maxItems": 100, "uniqueItems": true')

    ending = run(command, "--root", str(checkout))

    assert (ending.code, ending.out) == (1, "")
    assert ending.err.startswith(f"{CONTRACT}: /properties/knowledge_sources")
    assert "uniqueItems" in ending.err
    assert ending.err.count("\n") == 1


@pytest.mark.parametrize("command", ["generate", "check"])
def test_root_has_to_be_a_checkout(run: Run, tmp_path: Path, command: str) -> None:
    ending = run(command, "--root", str(tmp_path))

    assert ending == (2, "", f"no checkout of knowledge-contract at {tmp_path}\n")


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps a folder that somebody is in")
def test_folder_that_is_gone_is_named(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tmp_path.rmdir()

    ending = run("check", "--root", "generated")

    assert ending == (2, "", "the current folder does not exist any more\n")


def test_without_a_checkout_that_is_said(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src/knowledge_contract", tmp_path / "knowledge_contract")
    shutil.copytree(ROOT / "generated/python/knowledge_wire", tmp_path / "knowledge_wire")
    program = (
        "import sys\n"
        "sys.path = [p for p in sys.path if not p.endswith('codegen')]\n"
        "sys.argv = ['knowledge-contract', 'check']\n"
        "from knowledge_contract.cli import main\n"
        "main()\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        encoding="utf-8",
    )

    assert (done.returncode, done.stdout, done.stderr) == (
        2,
        "",
        "this works only in a checkout of knowledge-contract, which holds the generator\n",
    )
