"""Errors to exit codes: every command runs inside this group."""

import errno
import os
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from knowledge_contract.cli.exit_codes import CLOSED_PIPE, INTERRUPTED, REFUSED, USAGE
from knowledge_contract.cli.streams import discard, write_problem
from knowledge_contract.errors import ContractError, GenerationError, KnowledgeContractError

_REFUSALS = (ContractError, GenerationError)


class GuardedGroup(TyperGroup):
    """A group whose commands end with one line on standard error, never with a traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run the chosen command and turn what it raises into an exit code.

        Args:
            ctx: Typer's own context; its class moved between releases of Typer.
        """
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            write_problem("interrupted")
            raise typer.Exit(INTERRUPTED) from None
        except KnowledgeContractError as error:
            write_problem(str(error))
            raise typer.Exit(REFUSED if isinstance(error, _REFUSALS) else USAGE) from None
        except BrokenPipeError:
            discard(sys.stdout)
            raise typer.Exit(CLOSED_PIPE) from None
        except OSError as error:
            discard(sys.stdout)
            write_problem(f"input or output failed: {os.strerror(error.errno or errno.EIO)}")
            raise typer.Exit(USAGE) from None
