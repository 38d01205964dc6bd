"""Errors to exit codes: every command runs inside this group."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from knowledge_contract.cli.endings import conclude
from knowledge_contract.errors import KnowledgeContractError


class GuardedGroup(TyperGroup):
    """A group whose commands end with one line on standard error, never with a traceback.

    Typer would take a closed pipe for itself, so it is met in here.
    """

    # The classes of contexts moved between releases of Typer, hence `Any`.
    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Read the arguments; help and version are printed in here."""
        with _guarded():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Run the chosen command and turn what it raises into an exit code."""
        with _guarded():
            return super().invoke(ctx)


@contextmanager
def _guarded() -> Iterator[None]:
    try:
        yield
    except typer.BadParameter as error:
        # What checks choices for Typer says so first.
        error.message = error.message.removeprefix("Value error, ")
        raise
    except (KnowledgeContractError, OSError) as error:
        raise typer.Exit(conclude(error)) from None
