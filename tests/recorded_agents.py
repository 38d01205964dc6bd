"""Agents that note what everybody was shown: the model, its tools, the traces and the store."""

from collections.abc import Sequence
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.tracers.base import BaseTracer
from langchain_core.tracers.schemas import Run
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import PrivateAttr

from knowledge_contract.retrieval import RetrievalContext
from scripted_model import ScriptedModel, call_tool

QUESTION = {"messages": [{"role": "user", "content": "How hot?"}]}


class RecordingModel(ScriptedModel):
    """Also notes the tools and settings of each request."""

    _offered: list[list[str]] = PrivateAttr(default_factory=list)
    _choices: list[Any] = PrivateAttr(default_factory=list)

    @property
    def offered(self) -> list[list[str]]:
        """The names of the tools of each request that had any."""
        return self._offered

    @property
    def choices(self) -> list[Any]:
        """The choice of a tool of each such request."""
        return self._choices

    def bind_tools(self, tools: Sequence[Any], **settings: Any) -> Runnable[Any, AIMessage]:
        self._offered.append([tool.name for tool in tools])
        self._choices.append(settings.get("tool_choice"))
        return super().bind_tools(tools, **settings)


class Tracer(BaseTracer):
    """Keeps every run that a trace would be sent."""

    def __init__(self) -> None:
        super().__init__()
        self.runs: list[Run] = []

    def _persist_run(self, run: Run) -> None:
        self.runs.append(run)


class Recorded:
    """One agent with one script; `ask` runs it once in a colour."""

    def __init__(
        self,
        tools: Sequence[BaseTool],
        *,
        middleware: Sequence[AgentMiddleware[Any, Any, Any]] = (),
        calls: Sequence[AIMessage] | None = None,
    ) -> None:
        first = call_tool(tools[0].name, query="tea") if tools else AIMessage("Nothing to ask.")
        script = [*(calls or [first]), AIMessage("It depends.")]
        self.model = RecordingModel(script=script)
        self.tracer = Tracer()
        self.store = InMemorySaver()
        self.agent: Any = create_agent(
            self.model,
            [*tools],
            middleware=[*middleware],
            context_schema=RetrievalContext,
            checkpointer=self.store,
        )

    def ask(self, context: Any, given: Any = QUESTION) -> list[BaseMessage]:
        """Return the messages of a synchronous run."""
        found: list[BaseMessage] = self.agent.invoke(given, self._config(), context=context)[
            "messages"
        ]
        return found

    async def ask_async(self, context: Any, given: Any = QUESTION) -> list[BaseMessage]:
        """Return the messages of an asynchronous run."""
        found = await self.agent.ainvoke(given, self._config(), context=context)
        messages: list[BaseMessage] = found["messages"]
        return messages

    def everything_shown(self) -> str:
        """Return all that left the run: requests, traces and checkpoints."""
        traces = [run.model_dump_json(fallback=repr) for run in self.tracer.runs]
        stored = repr(list(self.store.list(None)))
        return "\n".join([repr(self.model.seen), *traces, stored])

    def _config(self) -> dict[str, Any]:
        return {"callbacks": [self.tracer], "configurable": {"thread_id": "t1"}}


def answers(messages: Sequence[BaseMessage]) -> list[ToolMessage]:
    """Return what the tools said."""
    return [each for each in messages if isinstance(each, ToolMessage)]
