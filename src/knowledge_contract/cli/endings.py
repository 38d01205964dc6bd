"""How a run ends: what was raised becomes one line and an exit code.

0 good; 1 refused, drifted or failed; 2 usage, or something that cannot be read or is not
installed; 129, 130, 141 and 143 are the shell's own codes for a terminal that is gone, an
interrupt, a closed pipe and a request to end.
"""

import contextlib
import errno
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from knowledge_contract.cli.exit_codes import (
    CLOSED_PIPE,
    HUNG_UP,
    INTERRUPTED,
    REFUSED,
    TERMINATED,
    USAGE,
)
from knowledge_contract.cli.streams import discard, output, prepare_streams, write_problem
from knowledge_contract.errors import ContractError, GenerationError, KnowledgeContractError

_REFUSALS = (ContractError, GenerationError)
_LAST_WORDS = {HUNG_UP: "hung up", INTERRUPTED: "interrupted", TERMINATED: "terminated"}


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; `settle` comes after it.

    Args:
        arguments: What stands behind the program's name; None for those of this process.
    """
    code = _run(arguments)
    if words := _LAST_WORDS.get(code):
        _tell(words)
    return code


def conclude(error: Exception) -> int:
    """Say in one line what was raised, quoting nothing, and return the exit code for it."""
    if isinstance(error, KnowledgeContractError):
        _tell(str(error))
        return REFUSED if isinstance(error, _REFUSALS) else USAGE
    if isinstance(error, BrokenPipeError):
        return CLOSED_PIPE
    if isinstance(error, OSError):
        discard(sys.stdout)
        _tell(f"input or output failed: {os.strerror(error.errno or errno.EIO)}")
        return USAGE
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(frame.filename).name}:{frame.lineno}"
    _tell(f"internal error: {type(error).__name__} at {place}; this is a defect, please report it")
    return USAGE


def settle(code: int) -> int:
    """Flush what is buffered while a failure to write can still be told."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        discard(sys.stdout)
        if error.errno in (errno.EPIPE, errno.EINVAL):
            return CLOSED_PIPE
        _tell(f"cannot write the output: {os.strerror(error.errno or errno.EIO)}")
        return USAGE
    return code


def _run(arguments: Sequence[str] | None) -> int:
    try:
        prepare_streams()
        # Typer would print the help nowhere and call that good.
        output()
        # A defect on the way to the commands is one line too.
        from knowledge_contract.cli.app import app  # noqa: PLC0415 - see above

        app(arguments, prog_name="knowledge-contract")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else USAGE
    except KeyboardInterrupt:
        return INTERRUPTED
    # The top level of the tool: the one place where every exception ends.
    except Exception as error:  # noqa: BLE001 - see above
        return conclude(error)
    return 0


def _tell(text: str) -> None:
    # With nobody to tell, the exit code still says it.
    with contextlib.suppress(BrokenPipeError):
        write_problem(text)
