"""The commands `generate` and `check`: they need the generator, which only a checkout has."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from knowledge_contract.cli.output import Format
from knowledge_contract.cli.streams import write_json, write_line, write_problem
from knowledge_contract.errors import GenerationError, InputError, UnavailableError

_NO_CHECKOUT = "this works only in a checkout of knowledge-contract, which holds the generator"


def generate(root: Path | None, form: Format) -> bool:
    """Write everything that is generated from the contract, and say what changed.

    Raises:
        UnavailableError: there is no generator here.
        InputError: there is no checkout at `root`.
        GenerationError: the contract is refused, or a file cannot be read or written.
    """
    drift = _generator()
    changes = _run(drift.write_outputs, root)
    if form is Format.JSON:
        write_json({"changes": [{"path": c.path, "kind": _done(c.kind)} for c in changes]})
        return True
    for change in changes:
        write_line(f"{_done(change.kind)}: {change.path}")
    if not changes:
        write_line("generated files were already up to date")
    return True


def check(root: Path | None, form: Format) -> bool:
    """Compare what is stored with what would be written; return whether it is the same.

    Raises:
        UnavailableError: there is no generator here.
        InputError: there is no checkout at `root`.
        GenerationError: the contract is refused, or a file cannot be read or written.
    """
    drift = _generator()
    changes = _run(drift.compare_outputs, root)
    if form is Format.JSON:
        write_json({"drift": [{"path": c.path, "kind": c.kind, "diff": c.diff} for c in changes]})
        return not changes
    for change in changes:
        for line in change.diff.splitlines():
            write_line(line)
    for change in changes:
        write_line(f"{change.kind}: {change.path}")
    if not changes:
        write_line("generated files match the contract")
        return True
    count = "1 generated file differs"
    if len(changes) > 1:
        count = f"{len(changes)} generated files differ"
    write_problem(f"{count}: run `knowledge-contract generate`")
    return False


def _done(kind: str) -> str:
    # Writing takes away what nothing generates.
    return "removed" if kind == "extra" else kind


def _run(action: Callable[[Path], Any], root: Path | None) -> Any:
    # Only a checkout has it.
    from contract_codegen.errors import CodegenError, ContractFileError  # noqa: PLC0415 - as above
    from contract_codegen.outputs import CONTRACT_PATH  # noqa: PLC0415 - as above

    checkout = _checkout(root)
    try:
        return action(checkout)
    except ContractFileError as error:
        raise GenerationError(f"{CONTRACT_PATH.as_posix()}: {error}") from None
    except CodegenError as error:
        raise GenerationError(str(error)) from None


def _checkout(root: Path | None) -> Path:
    from contract_codegen.drift import find_checkout  # noqa: PLC0415 - only a checkout has it

    for start in [root] if root else [Path(__file__).parent, Path()]:
        checkout: Path | None = find_checkout(_resolved(start))
        if checkout is not None:
            return checkout
    if root:
        raise InputError(f"no checkout of knowledge-contract at {root}")
    raise UnavailableError(_NO_CHECKOUT)


def _resolved(start: Path) -> Path:
    try:
        return start.resolve()
    except FileNotFoundError:
        raise InputError("the current folder does not exist any more") from None


def _generator() -> ModuleType:
    try:
        from contract_codegen import drift  # noqa: PLC0415 - only a checkout has it
    except ModuleNotFoundError as error:
        if error.name == "contract_codegen":
            raise UnavailableError(_NO_CHECKOUT) from None
        raise UnavailableError(
            f"the generator cannot find {error.name}: run `uv sync` in the checkout"
        ) from None
    return drift
