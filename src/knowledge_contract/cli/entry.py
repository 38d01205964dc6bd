"""The console entry point: signals, then the run, then the exit.

Next to nothing is imported up here, so that an early interrupt finds no time for a traceback.
"""

import signal
import sys
from collections.abc import Callable, Mapping
from types import FrameType

_Handler = Callable[[int, FrameType | None], object] | signal.Handlers


def main() -> None:
    """Run the command line with the arguments of this process, and exit."""
    handlers = _handlers()
    # Before the command runs, and after it, there is nothing to clean up.
    _install(dict.fromkeys(handlers, signal.SIG_DFL))
    # Start-up: see the module.
    from knowledge_contract.cli.endings import run, settle  # noqa: PLC0415 - start-up, see above

    _install(handlers)
    code = run()
    _install(dict.fromkeys(handlers, signal.SIG_DFL))
    sys.exit(settle(code))


def _handlers() -> dict[int, _Handler]:
    """Return what unwinds the command, so that its `finally` clauses end what it started."""
    handlers: dict[int, _Handler] = {
        signal.SIGINT: signal.default_int_handler,
        signal.SIGTERM: _end,
    }
    # Windows has none.
    if hasattr(signal, "SIGHUP"):
        handlers[signal.SIGHUP] = _end
    # What `nohup` or a shell's `&` had ignored stays so.
    return {
        number: handler
        for number, handler in handlers.items()
        if signal.getsignal(number) is not signal.SIG_IGN
    }


def _install(handlers: Mapping[int, _Handler]) -> None:
    for number, handler in handlers.items():
        signal.signal(number, handler)


def _end(number: int, _frame: FrameType | None) -> None:
    # A closing terminal sends several: none of them cuts the cleaning up short.
    _install({each: signal.SIG_IGN for each, handler in _handlers().items() if handler is _end})
    # The shell's own code.
    raise SystemExit(128 + number)
