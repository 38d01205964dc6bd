"""Packages generated from several contracts, imported beside the installed one."""

import importlib
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from jsonschema import Draft202012Validator

from contract_codegen.loading import load_contract
from contract_codegen.model import Contract
from contract_codegen.outputs import PACKAGE
from contract_codegen.python.constants import emit_constants
from contract_codegen.python.identity import emit_identity
from contract_codegen.python.parsing import emit_parsing
from contract_codegen.python.proof import emit_proof
from contract_codegen.python.types import emit_types
from contract_codegen.python.validators import emit_validators
from contract_codegen.sampling import emit_sampling
from reference import Finding, judge

HERE = Path(__file__).parent
OURS = load_contract(HERE.parents[1] / "contracts" / "knowledge_sources.v1.json")
SYNTHETIC = load_contract(HERE / "synthetic_contract.json")
CONTRACTS = {"ours": OURS, "synthetic": SYNTHETIC}
"""What the sampler is tested on."""
EMITTERS: tuple[Callable[[Contract], dict[str, str]], ...] = (
    emit_parsing,
    emit_constants,
    emit_types,
    emit_identity,
    emit_validators,
    emit_proof,
    emit_sampling,
)
"""What writes Python, but for the models: their generator is slow."""


class Package(NamedTuple):
    """A generated package and what judges it from outside."""

    contract: Contract
    modules: dict[str, ModuleType]

    @property
    def identity(self) -> ModuleType:
        """The recipe of ids."""
        return self.modules["identity"]

    @property
    def sampler(self) -> ModuleType:
        """Seeded documents."""
        return self.modules["sampler"]

    @property
    def strategies(self) -> ModuleType:
        """Hypothesis strategies."""
        return self.modules["strategies"]

    def schema_of(self, name: str) -> dict[str, Any]:
        """Return a definition as a schema of its own."""
        schema = self.contract.schema
        if name == self.contract.root:
            return schema
        return {key: schema[key] for key in ("$schema", "$defs")} | {"$ref": f"#/$defs/{name}"}

    def schema_accepts(self, name: str, document: object) -> bool:
        """Ask python-jsonschema."""
        return Draft202012Validator(self.schema_of(name)).is_valid(document)

    def findings(self, name: str, document: object) -> tuple[Finding, ...]:
        """Ask the plain interpreter."""
        return judge(self.contract, name, document)


def definitions_of(contracts: dict[str, Contract]) -> list[Any]:
    """Return parameters of a test: each contract's label, with each of its definitions."""
    return [
        pytest.param(label, each.name, id=f"{label} {each.name}")
        for label, contract in contracts.items()
        for each in contract.definitions
    ]


def seeded(seed: int | str) -> Random:
    """Return a generator of choices that every run repeats."""
    return Random(seed)  # noqa: S311 - test data, no secret


def write_package(
    contract: Contract,
    folder: Path,
    emitters: Iterable[Callable[[Contract], dict[str, str]]] = EMITTERS,
) -> list[str]:
    """Write what emitters give below `folder`, and return the names of its modules."""
    files = {f"{PACKAGE}/__init__.py": ""}
    for emit in emitters:
        files |= emit(contract)
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return [Path(path).stem for path in files if not path.endswith("__init__.py")]


def open_package(
    contract: Contract,
    folder: Path,
    emitters: Iterable[Callable[[Contract], dict[str, str]]] = EMITTERS,
) -> Package:
    """Write a package below `folder` and import every module of it."""
    names = write_package(contract, folder, emitters)
    with _importing_from((folder / PACKAGE).parent):
        modules = {name: importlib.import_module(f"knowledge_wire.{name}") for name in names}
    return Package(contract, modules)


@contextmanager
def _importing_from(folder: Path) -> Iterator[None]:
    """Let `knowledge_wire` mean the package in a folder."""
    installed = {name: sys.modules.pop(name) for name in _imported()}
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in _imported():
            del sys.modules[name]
        sys.modules.update(installed)


def _imported() -> list[str]:
    return [name for name in sys.modules if name.partition(".")[0] == "knowledge_wire"]
