"""The commands: parse arguments, call, exit. What they do stands in a module each."""

from pathlib import Path
from typing import Annotated

import typer

from knowledge_contract.cli.definitions import DEFAULT_DEFINITION, find_definition
from knowledge_contract.cli.documents import STANDARD_INPUT
from knowledge_contract.cli.exit_codes import REFUSED
from knowledge_contract.cli.guard import GuardedGroup
from knowledge_contract.cli.host_commands import host
from knowledge_contract.cli.options import File, Form, Lines, LinesForm, Root
from knowledge_contract.cli.output import BindingName, Format
from knowledge_contract.cli.readers import ReaderName
from knowledge_contract.cli.streams import write_line
from knowledge_contract.retrieval import DEFAULT_EXCERPT_CHARS, DEFAULT_LIMIT_CHARS

app = typer.Typer(
    cls=GuardedGroup,
    help=(
        "One contract for retrieved evidence and citations: judge documents, compute ids, "
        "prove readers, keep generated code in step.\n\n"
        "Exit codes: 0 good; 1 refused, drifted or failed; 2 usage, or something that cannot "
        "be read or is not installed."
    ),
    epilog="Example: knowledge-contract demo",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Start-up: rich would make `--help` twice as slow.
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(host, name="host")


def _print_version(value: bool) -> None:  # noqa: FBT001 - Typer calls it with the flag
    if value:
        # Start-up: reading the distribution's metadata is slow.
        from knowledge_contract import __version__  # noqa: PLC0415 - start-up, see above

        write_line(f"knowledge-contract {__version__}")
        raise typer.Exit


@app.callback()
def knowledge_contract(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Take the options that stand before a command."""


@app.command(epilog="Example: knowledge-contract generate")
def generate(*, root: Root = None, form: Form = Format.TEXT) -> None:
    """Write the code that comes from the contract.

    Removes the files below generated/ that nothing generates. Works in a checkout, which holds
    the generator.
    """
    # Start-up: only this command and the next need the generator.
    from knowledge_contract.cli import drift  # noqa: PLC0415 - start-up, see above

    _exit(is_good=drift.generate(root, form))


@app.command(epilog="Example: knowledge-contract check")
def check(*, root: Root = None, form: Form = Format.TEXT) -> None:
    """Show how generated code has drifted.

    Prints a unified diff and names edited, missing and extra files. Works in a checkout,
    which holds the generator.
    """
    # Start-up: only this command and the one before need the generator.
    from knowledge_contract.cli import drift  # noqa: PLC0415 - start-up, see above

    _exit(is_good=drift.check(root, form))


@app.command(
    epilog="Example: knowledge-contract validate source.json --as KnowledgeSource --reader all"
)
def validate(
    file: File = STANDARD_INPUT,
    *,
    definition: Annotated[
        str, typer.Option("--as", metavar="NAME", help="The definition to judge by.")
    ] = DEFAULT_DEFINITION,
    reader: Annotated[
        ReaderName, typer.Option("--reader", help="Who judges; `all` also compares.")
    ] = ReaderName.VALIDATORS,
    lines: Lines = False,
    form: LinesForm = None,
) -> None:
    """Judge a document by the contract.

    What is not strict JSON is refused with the rule `json` or `unicode`, an empty line too.
    A valid form is not yet evidence: ids are the business of `id`.
    """
    # Start-up: `--help` needs no readers.
    from knowledge_contract.cli import validate as command  # noqa: PLC0415 - start-up, see above

    name = find_definition(definition)
    if lines:
        is_good = command.validate_lines(file, name, reader, form or Format.JSON)
    else:
        is_good = command.validate_document(file, name, reader, form or Format.TEXT)
    _exit(is_good=is_good)


@app.command("id", epilog="Example: knowledge-contract id sources.jsonl --jsonl")
def identify(file: File = STANDARD_INPUT, *, lines: Lines = False, form: LinesForm = None) -> None:
    """Compute the id of a source object.

    An id that the source already holds has to be the computed one. The source is checked first.
    """
    # Start-up: `--help` needs no validators.
    from knowledge_contract.cli import identify as command  # noqa: PLC0415 - start-up, see above

    if lines:
        is_good = command.identify_lines(file, form or Format.JSON)
    else:
        is_good = command.identify_document(file, form or Format.TEXT)
    _exit(is_good=is_good)


@app.command(epilog='Example: knowledge-contract search "parental leave" --docs handbook')
def search(  # noqa: PLR0913 - each option is a parameter
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Words, in any language.")],
    *,
    docs: Annotated[
        Path | None,
        typer.Option(
            "--docs", metavar="DIR", help="Markdown, text, HTML and PDF files.", show_default=False
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config", metavar="FILE", help="A host's configuration.", show_default=False
        ),
    ] = None,
    index: Annotated[
        Path | None,
        typer.Option(
            "--index",
            metavar="PATH",
            help="With --docs: the index's file.",
            show_default="one for each folder, in your cache directory",
        ),
    ] = None,
    rehash: Annotated[
        bool,
        typer.Option(
            "--rehash", help="With --docs: read every file again, whatever its times say."
        ),
    ] = False,
    limit_chars: Annotated[
        int | None,
        typer.Option(
            "--limit-chars",
            metavar="N",
            min=0,
            help="With --docs: longest answer.",
            show_default=str(DEFAULT_LIMIT_CHARS),
        ),
    ] = None,
    excerpt_chars: Annotated[
        int | None,
        typer.Option(
            "--excerpt-chars",
            metavar="N",
            min=1,
            help="With --docs: longest excerpt.",
            show_default=str(DEFAULT_EXCERPT_CHARS),
        ),
    ] = None,
    tool: Annotated[
        str | None,
        typer.Option("--tool", metavar="NAME", help="With --config.", show_default="the only one"),
    ] = None,
    user: Annotated[
        str | None,
        typer.Option("--user", metavar="ID", help="With --config: who asks.", show_default=False),
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(
            "--agent", metavar="NAME", help="With --config: for whom.", show_default=False
        ),
    ] = None,
    form: Form = Format.TEXT,
) -> None:
    """Search a folder, or with a configured tool, and print text that can be cited.

    `--format json` prints the tool message: what a model reads, and the artifact that `verify`
    proves it by. A folder's index is brought up to date first; an interrupt leaves it usable, and
    the next search goes on from there. Files that are left out are named with the reason.
    """
    if (docs is None) == (config is None):
        raise typer.BadParameter("give either --docs or --config")
    if config is not None:
        if rehash or any(each is not None for each in (index, limit_chars, excerpt_chars)):
            raise typer.BadParameter(
                "--index, --rehash, --limit-chars and --excerpt-chars go with --docs"
            )
        # Start-up: a host loads LangChain.
        from knowledge_contract.cli import configured_search  # noqa: PLC0415 - start-up, see above

        is_good = configured_search.search_configured(
            query, config=config, tool_name=tool, user_id=user, agent_name=agent, form=form
        )
        _exit(is_good=is_good)
    if docs is not None:
        if any(each is not None for each in (tool, user, agent)):
            raise typer.BadParameter("--tool, --user and --agent go with --config")
        # Start-up: `--help` needs no provider.
        from knowledge_contract.cli import search as command  # noqa: PLC0415 - start-up, see above

        command.search(
            query,
            docs=docs,
            index=index,
            rehash=rehash,
            limit_chars=DEFAULT_LIMIT_CHARS if limit_chars is None else limit_chars,
            excerpt_chars=DEFAULT_EXCERPT_CHARS if excerpt_chars is None else excerpt_chars,
            form=form,
        )


@app.command(epilog="Example: knowledge-contract verify messages.jsonl --jsonl --binding entry")
def verify(
    file: File = STANDARD_INPUT,
    *,
    binding: Annotated[
        BindingName,
        typer.Option("--binding", help="Where an excerpt has to stand to be evidence."),
    ] = BindingName.MESSAGE,
    lines: Lines = False,
    form: LinesForm = None,
) -> None:
    """Read the evidence that a tool message proves.

    Evidence satisfies the contract, has an id that recomputes, and its handle and exact excerpt
    stand in the text: anywhere (binding `message`), or the excerpt right below its own handle
    (`entry`). Exits with 1 when a record is refused or not looked at. A message without an
    envelope, or with one of another version, has no evidence, and that is no refusal.
    """
    # Start-up: `--help` needs no reader.
    from knowledge_contract.cli import verify as command  # noqa: PLC0415 - start-up, see above

    if lines:
        is_good = command.verify_lines(file, binding.value, form or Format.JSON)
    else:
        is_good = command.verify_document(file, binding.value, form or Format.TEXT)
    _exit(is_good=is_good)


@app.command(epilog="Example: knowledge-contract strip request.json --check")
def strip(
    file: File = STANDARD_INPUT,
    *,
    lines: Annotated[
        bool, typer.Option("--jsonl", help="One document a line in, one line out.")
    ] = False,
    is_check: Annotated[
        bool,
        typer.Option("--check", help="Write no document: exit with 1 unless it is clean."),
    ] = False,
    form: Annotated[
        Format | None,
        typer.Option(
            "--format",
            help="For people, or for machines; only with --check.",
            show_default="json with --jsonl, else text",
        ),
    ] = None,
) -> None:
    """Take the reserved keys out of the artifacts of a JSON document.

    A filter: a clean document comes out byte for byte, any other as compact JSON. What is not
    strict JSON is always refused: no byte of it comes out, an empty line with --jsonl, and the
    exit code is 1. That something was stripped is no failure, but with --check it is. Only
    evidence is looked for, never what steers a graph.
    """
    # Start-up: `--help` needs no boundary.
    from knowledge_contract.cli import strip as command  # noqa: PLC0415 - start-up, see above

    if form is not None and not is_check:
        raise typer.BadParameter("--format needs --check: without it a document is written")
    if is_check and lines:
        is_good = command.check_lines(file, form or Format.JSON)
    elif is_check:
        is_good = command.check_document(file, form or Format.TEXT)
    else:
        is_good = command.strip_lines(file) if lines else command.strip_document(file)
    _exit(is_good=is_good)


@app.command(epilog='Example: knowledge-contract conformance --command "ruby my_reader.rb"')
def conformance(
    *,
    reader: Annotated[
        ReaderName | None,
        typer.Option("--reader", help="A reader of ours.", show_default="all that are available"),
    ] = None,
    command: Annotated[
        str | None,
        typer.Option(
            "--command",
            metavar="CMD",
            help="Any program: a JSON object a line in (kind, as or binding, bytes in base64), "
            "and a verdict, an id, the evidence of a message or a decline a line out.",
            show_default=False,
        ),
    ] = None,
    has_strict_rules: Annotated[
        bool,
        typer.Option(
            "--strict-rules",
            help="Another first rule or pointer fails too. It always does for validators and "
            "typescript; for others it is listed as `differs`.",
        ),
    ] = False,
    timeout_s: Annotated[
        float,
        typer.Option(
            "--timeout", metavar="SECONDS", min=0.01, max=3600, help="Longest wait for one answer."
        ),
    ] = 10.0,
    form: Form = Format.TEXT,
) -> None:
    """Run the vectors on a reader, or any program.

    A program answers {"valid": ..., "problems": [{"pointer": ..., "rule": ...}]},
    {"id": "..."} or what `verify --format json` prints; {"declined": true} says that it does
    not take this kind. It has to pass at least one vector, write nothing else, and end well
    when its input ends.
    """
    # Start-up: `--help` needs no readers.
    from knowledge_contract.cli import conformance as cases  # noqa: PLC0415 - start-up, see above

    if command is None:
        chosen = reader or ReaderName.ALL
        is_good = cases.check_readers(chosen, form, has_strict_rules=has_strict_rules)
    elif reader is None:
        is_good = cases.check_command(
            command, form, timeout_s=timeout_s, has_strict_rules=has_strict_rules
        )
    else:
        raise typer.BadParameter("--reader and --command exclude each other")
    _exit(is_good=is_good)


@app.command(epilog="Example: knowledge-contract demo --format json")
def demo(*, form: Form = Format.TEXT) -> None:
    """Show the whole way on sample documents.

    Offline: questions find cited text, the text proves its evidence, every available reader
    judges it; then a changed letter, a forged id and a broken record are refused.
    """
    # Start-up: `--help` needs no readers.
    from knowledge_contract.cli.demo import run_demo  # noqa: PLC0415 - start-up, see above

    _exit(is_good=run_demo(form))


def _exit(*, is_good: bool) -> None:
    raise typer.Exit(0 if is_good else REFUSED)
