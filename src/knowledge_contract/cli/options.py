"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

from knowledge_contract.cli.output import Format

__all__ = ["File", "Form", "Lines", "LinesForm", "Root"]

File = Annotated[
    str,
    typer.Argument(metavar="FILE", help="What to read; `-` is standard input."),
]
Root = Annotated[
    Path | None,
    typer.Option(
        "--root",
        metavar="DIR",
        help="A checkout, or a folder in one.",
        show_default="the checkout around this program or around the current folder",
    ),
]
Lines = Annotated[
    bool, typer.Option("--jsonl", help="One document a line in, one answer a line out.")
]
Form = Annotated[Format, typer.Option("--format", help="For people, or for machines.")]
LinesForm = Annotated[
    Format | None,
    typer.Option(
        "--format", help="For people, or for machines.", show_default="json with --jsonl, else text"
    ),
]
