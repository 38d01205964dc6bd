"""Run code of others: whatever it raises becomes one sentence about it, and ends nothing."""

from collections.abc import Callable
from typing import TypeVar

from knowledge_contract.errors import KnowledgeContractError
from knowledge_contract.host.places import Unusable

__all__ = ["is_ours", "name_error", "run_foreign"]

_Result = TypeVar("_Result")
_PACKAGE = "knowledge_contract."


def run_foreign(work: Callable[[], _Result], failed: str) -> _Result:
    """Return what foreign code returns.

    The words of an error are kept only where this package raised it: those of others may quote a
    credential. An interrupt from the keyboard passes, and so does a request to end the process.

    Args:
        work: Calls, imports or looks at something foreign.
        failed: The start of the sentence, such as "building it failed".

    Raises:
        Unusable: it raised anything else, whatever its type.
    """
    try:
        return work()
    except KeyboardInterrupt:
        raise
    # Foreign code may also try to end the process, or raise what no `Exception` is.
    except BaseException as error:
        if not is_ours(error):
            raise Unusable(f"{failed} with {name_error(error)}") from None
        if isinstance(error, Unusable | SystemExit):
            raise
        if isinstance(error, KnowledgeContractError | ValueError):
            raise Unusable(" ".join(str(error).split())) from None
        raise Unusable(f"{failed} with {name_error(error)}") from None


def is_ours(error: BaseException) -> bool:
    """Tell whether a line of this package raised an error that is being handled."""
    trace = error.__traceback__
    if trace is None:
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    return str(trace.tb_frame.f_globals.get("__name__", "")).startswith(_PACKAGE)


def name_error(error: BaseException) -> str:
    """Return the name of an error's type, where it is a name: a class may bear any text."""
    name = type(error).__name__
    return name if name.isidentifier() else "an error"
