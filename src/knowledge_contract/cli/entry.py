"""The console entry point: what was raised becomes one line and an exit code.

0 good; 1 refused, drifted or failed; 2 usage, or something that cannot be read or is not
installed; 130 and 141 are the shell's own codes for an interrupt and a closed pipe.
"""

import errno
import os
import sys
import traceback
from pathlib import Path

from knowledge_contract.cli.exit_codes import CLOSED_PIPE, INTERRUPTED, USAGE
from knowledge_contract.cli.streams import discard, prepare_streams, write_problem


def main() -> None:
    """Run the command line with the arguments of this process, and exit."""
    prepare_streams()
    sys.exit(_settle(_run()))


def _run() -> int:
    try:
        # Start-up: an interrupt while Typer is being imported ends quietly too.
        from knowledge_contract.cli.app import app  # noqa: PLC0415 - start-up, see above

        app(prog_name="knowledge-contract")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else USAGE
    except KeyboardInterrupt:
        return INTERRUPTED
    # The top level of the tool: a defect of ours is one line too, and quotes nothing.
    except Exception as error:  # noqa: BLE001 - the one place where every exception ends
        write_problem(_describe_defect(error))
        return USAGE
    return 0


def _describe_defect(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(frame.filename).name}:{frame.lineno}"
    return f"internal error: {type(error).__name__} at {place}; this is a defect, please report it"


def _settle(code: int) -> int:
    """Flush what is buffered while a failure to write can still be told."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        discard(sys.stdout)
        if error.errno in (errno.EPIPE, errno.EINVAL):
            return CLOSED_PIPE
        write_problem(f"cannot write the output: {os.strerror(error.errno or errno.EIO)}")
        return USAGE
    return code
