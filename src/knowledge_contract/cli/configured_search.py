"""`search --config`: a question to a tool of a host, asked as one user and agent."""

import sys
from contextlib import redirect_stdout
from pathlib import Path

from langchain_core.tools import BaseTool

from knowledge_contract.cli.output import Format
from knowledge_contract.cli.search import write_message
from knowledge_contract.errors import InputError, ProviderError
from knowledge_contract.host import Host, load_host
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
) -> None:
    """Print the tool message of one question to a configured tool.

    Raises:
        InputError: the file cannot be read, or the tool is not among its tools.
        ConfigurationError: no host can start from it.
        ProviderError: the tool refuses, or cannot search now.
    """
    # What plugins print is no part of the answer.
    with redirect_stdout(sys.stderr):
        host = load_host(config)
    tool = _choose(host, tool_name)
    context = RetrievalContext(user_id=user_id, agent_name=agent_name)
    message = call_search(tool, query, context=context)
    text = str(message.content)
    if message.status == "error":
        raise ProviderError(text.removeprefix("Error: "))
    told = {
        "type": "tool",
        "name": tool.name,
        "content": text,
        "artifact": message.artifact,
    }
    write_message(told, form)


def _choose(host: Host, name: str | None) -> BaseTool:
    tools = {tool.name: tool for tool in host.tools}
    if name is None and len(tools) == 1:
        return next(iter(tools.values()))
    names = ", ".join(tools) or "none"
    if name is None:
        raise InputError(f"say which tool with --tool: {names}")
    if name not in tools:
        raise InputError(f"the configuration has no tool of this name; it has: {names}")
    return tools[name]
