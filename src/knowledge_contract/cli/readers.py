"""Every reader that this installation may have, behind one small record.

A reader judges what the one strict parser parsed, so that no verdict depends on a parser.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from enum import StrEnum
from typing import Any, NamedTuple

from knowledge_contract.cli.output import BindingName
from knowledge_contract.cli.verdicts import Findings, Verdict, verdict_of
from knowledge_contract.errors import UnavailableError


class ReaderName(StrEnum):
    """What `--reader` takes."""

    VALIDATORS = "validators"
    MODELS = "models"
    JSONSCHEMA = "jsonschema"
    TYPESCRIPT = "typescript"
    ALL = "all"


class Reader(NamedTuple):
    """A reader that is ready.

    Attributes:
        name: What the user calls it.
        judge: Takes a definition's name and a parsed document.
        source_id: Takes a parsed source; None for a reader that computes no ids.
        read: Takes a parsed message and the binding that is demanded; None for a reader that
            reads no messages.
        is_exact: Whether its problems are the contract's own, rule and pointer, in order;
            of the others only `valid` counts.
    """

    name: str
    judge: Callable[[str, object], Verdict]
    source_id: Callable[[Any], str] | None = None
    read: Callable[[object, BindingName], Findings] | None = None
    is_exact: bool = False


class OpenReaders(NamedTuple):
    """The readers that opened, and why the others did not.

    Attributes:
        readers: In a fixed order; `validators` is always the first.
        left_out: Reader's name to one sentence.
    """

    readers: tuple[Reader, ...]
    left_out: Mapping[str, str]


@contextmanager
def open_readers(name: ReaderName) -> Iterator[OpenReaders]:
    """Open one reader, or for `all` every one that is available here, and close them again.

    Raises:
        UnavailableError: the one reader that was asked for is not available.
    """
    with ExitStack() as stack:
        if name is not ReaderName.ALL:
            yield OpenReaders((_open_asked(name, stack),), {})
            return
        readers: list[Reader] = []
        left_out: dict[str, str] = {}
        for available, opening in _OPENINGS.items():
            try:
                readers.append(stack.enter_context(opening()))
            except UnavailableError as error:
                left_out[available] = str(error)
        yield OpenReaders(tuple(readers), left_out)


def _open_asked(name: ReaderName, stack: ExitStack) -> Reader:
    try:
        return stack.enter_context(_OPENINGS[name]())
    except UnavailableError as error:
        raise UnavailableError(f"reader {name} is not available: {error}") from None


@contextmanager
def _validators() -> Iterator[Reader]:
    # Start-up: `--help` needs no validators.
    from knowledge_contract.cli.verify import findings_of  # noqa: PLC0415 - start-up, see above
    from knowledge_contract.reading import read_message  # noqa: PLC0415 - start-up, see above
    from knowledge_wire.identity import source_id  # noqa: PLC0415 - start-up, see above
    from knowledge_wire.validators import CHECKS  # noqa: PLC0415 - start-up, see above

    def judge(definition: str, document: object) -> Verdict:
        return verdict_of(CHECKS[definition](document))

    def read(message: object, binding: BindingName) -> Findings:
        return findings_of(read_message(message, binding=binding.value))

    yield Reader("validators", judge, source_id, read, is_exact=True)


@contextmanager
def _models() -> Iterator[Reader]:
    # Start-up: pydantic takes longer to import than most commands run.
    from knowledge_contract.cli.model_reader import judge  # noqa: PLC0415 - start-up, see above

    yield Reader("models", judge)


@contextmanager
def _jsonschema() -> Iterator[Reader]:
    try:
        # An optional extra.
        from knowledge_contract.cli.schema_reader import judge  # noqa: PLC0415 - optional extra
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("knowledge_"):
            raise
        raise UnavailableError("install the extra: knowledge-contract[testing]") from None
    yield Reader("jsonschema", judge)


@contextmanager
def _typescript() -> Iterator[Reader]:
    # Start-up: only this reader needs processes and threads.
    from knowledge_contract.cli.typescript_reader import (  # noqa: PLC0415 - start-up, see above
        running_reader,
    )

    with running_reader() as (judge, source_id):
        yield Reader("typescript", judge, source_id, is_exact=True)


_OPENINGS: Mapping[str, Callable[[], AbstractContextManager[Reader]]] = {
    "validators": _validators,
    "models": _models,
    "jsonschema": _jsonschema,
    "typescript": _typescript,
}
