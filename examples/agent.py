"""An agent that answers from a folder of documents, and proves what it cites.

python examples/agent.py handbook "How long is the notice period?" openai:gpt-5-mini
"""

import sys
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import ToolMessage

from knowledge_contract import (
    LocalProvider,
    RetrievalContext,
    ScopeMiddleware,
    knowledge_search_tool,
    read_message,
)

USAGE = """usage: python examples/agent.py FOLDER QUESTION MODEL
A model of OpenAI needs the package langchain-openai, others the one of their provider."""


def build_agent(model: Any, folder: Path) -> Any:
    """Return an agent over a folder; `model` is a chat model or what LangChain calls one."""
    tool = knowledge_search_tool(LocalProvider(folder))
    return create_agent(
        model, [tool], middleware=[ScopeMiddleware()], context_schema=RetrievalContext
    )


def ask(agent: Any, question: str) -> tuple[str, list[str]]:
    """Return the answer, and the titles of the documents whose text was proven to be shown."""
    context = RetrievalContext(user_id="me", agent_name="lead_agent")
    messages = agent.invoke({"messages": [("user", question)]}, context=context)["messages"]
    shown = [read_message(each) for each in messages if isinstance(each, ToolMessage)]
    titles = [str(found.record["title"]) for reading in shown for found in reading.evidence]
    return messages[-1].text, titles


if __name__ == "__main__":
    try:
        folder, question, model = sys.argv[1:]
    except ValueError:
        sys.exit(USAGE)
    if not Path(folder).is_dir():
        sys.exit(f"there is no such folder\n{USAGE}")
    answer, titles = ask(build_agent(model, Path(folder)), question)
    print(answer, *titles, sep="\n")
