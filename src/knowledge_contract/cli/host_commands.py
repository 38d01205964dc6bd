"""The commands about a host: parse arguments, call, exit."""

from pathlib import Path
from typing import Annotated

import typer

from knowledge_contract.cli.exit_codes import REFUSED
from knowledge_contract.cli.guard import GuardedGroup
from knowledge_contract.cli.options import Form
from knowledge_contract.cli.output import Format

__all__ = ["host"]

host = typer.Typer(
    cls=GuardedGroup,
    help="Look at the configuration of a host.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@host.command("check", epilog="Example: knowledge-contract host check --config config.yaml")
def check_host(
    *,
    config: Annotated[
        Path,
        typer.Option("--config", metavar="FILE", help="The configuration.", show_default=False),
    ],
    form: Form = Format.TEXT,
) -> None:
    """Load a configuration and show what it gives: plugins, providers, tools, bindings.

    Plugins are run as a host would, so that one which hangs hangs this too; environment variables
    are looked up, and nothing is searched. Every problem is named with its line. Users are
    counted, never named.
    """
    # Start-up: a host loads LangChain.
    from knowledge_contract.cli import host as command  # noqa: PLC0415 - start-up, see above

    raise typer.Exit(0 if command.check_host(config, form) else REFUSED)
