"""`search --config`: a question to a tool of a host, asked as one user and agent."""

import sys
from contextlib import redirect_stdout
from pathlib import Path

from knowledge_contract.cli.output import Format
from knowledge_contract.cli.search import write_message
from knowledge_contract.cli.streams import write_problem
from knowledge_contract.errors import ConfigurationError, InputError
from knowledge_contract.host import Host, load_host
from knowledge_contract.host.assembly import ToolStatus
from knowledge_contract.host.foreign import run_foreign
from knowledge_contract.host.places import Unusable
from knowledge_contract.retrieval import RetrievalContext
from knowledge_contract.tools import call_search

__all__ = ["search_configured"]


def search_configured(  # noqa: PLR0913 - the command's options
    query: str,
    *,
    config: Path,
    tool_name: str | None,
    user_id: str | None,
    agent_name: str | None,
    form: Format,
) -> bool:
    """Print the tool message of one question to a configured tool.

    Returns:
        False where no host can start from the file, or where the tool refuses or cannot search
        now; why is said on standard error, behind the name that the file gives the provider.

    Raises:
        InputError: the file cannot be read, or the tool is not among its tools.
    """
    try:
        # What plugins print is no part of the answer.
        with redirect_stdout(sys.stderr):
            host = load_host(config)
    except ConfigurationError as error:
        for problem in error.problems:
            write_problem(problem)
        return False
    tool, _, provider, _ = _choose(host, tool_name)
    context = RetrievalContext(user_id=user_id, agent_name=agent_name)
    try:
        message = run_foreign(
            lambda: call_search(tool, query, context=context), "the search failed"
        )
    except Unusable as error:
        write_problem(f"{provider}: {error.sentence}")
        return False
    text = str(message.content)
    if message.status == "error":
        reason = text.removeprefix("Error: ")
        # Two providers of one kind speak under one name.
        is_named = reason.startswith(f"{provider}: ")
        write_problem(reason if is_named else f"{provider}: {reason}")
        return False
    told = {
        "type": "tool",
        "name": tool.name,
        "content": text,
        "artifact": message.artifact,
    }
    write_message(told, form)
    return True


def _choose(host: Host, name: str | None) -> ToolStatus:
    tools = {status.tool.name: status for status in host.statuses}
    if name is None and len(tools) == 1:
        return next(iter(tools.values()))
    names = ", ".join(tools) or "none"
    if name is None:
        raise InputError(f"say which tool with --tool: {names}")
    if name not in tools:
        raise InputError(f"the configuration has no tool of this name; it has: {names}")
    return tools[name]
