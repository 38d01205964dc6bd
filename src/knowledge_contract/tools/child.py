"""One run of an agent inside a tool of another: what it shares with its parent, and what not.

It is nested in the parent's run, so that callbacks and cancellation reach it. Its checkpoints are
kept in memory and end with the call: LangGraph would lend it, and every graph inside it, the
parent's database. What it asks people is asked by the tool, in its place: only the tool's own
answers are still there when the parent resumes.
"""

import copy
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing, closing
from typing import Any, NamedTuple

import langgraph.errors
from langchain.tools import ToolRuntime
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.constants import CONFIG_KEY_CHECKPOINTER
from langgraph.errors import GraphInterrupt
from langgraph.pregel import Pregel
from langgraph.types import Command, Interrupt, interrupt
from pydantic import ValidationError

from knowledge_contract.retrieval import RetrievalContext

__all__ = ["Child", "build_child"]

# Where LangGraph keeps the answers that the parent was resumed with. A child that saw them would
# take the answer to its second question for one to its first, because it starts anew.
_PARENTS_ANSWERS = ("__pregel_resume_map", "__pregel_resuming", "__pregel_scratchpad")
_NOTHING: tuple[Interrupt, ...] = ()
_ANY_THREAD = "task"


class _AsIs:
    """Keeps values as they are: they outlive no process, and a state may hold anything."""

    def dumps_typed(self, obj: Any) -> tuple[str, Any]:
        return "object", obj

    def loads_typed(self, data: tuple[str, Any]) -> Any:
        return data[1]


class Child(NamedTuple):
    """An agent that runs once for each call.

    Attributes:
        name: What `agent_name` is in its run-time context.
        graph: Compiled, without a checkpointer of its own.
    """

    name: str
    graph: Any

    def frames(self, prompt: str, runtime: ToolRuntime[Any, Any]) -> Generator[Any, None, None]:
        """Yield the frames of a run in mode `values`; what it asks interrupts the parent.

        Raises:
            GraphInterrupt: a question is still open.
        """
        given, asked, options = _first(prompt), _NOTHING, self._options(runtime)
        while True:
            try:
                with closing(self.graph.stream(given, **options)) as frames:
                    yield from frames
            except GraphInterrupt as stop:
                asked = _asked(stop)
            except ValidationError as error:
                _check_refused(error, asked)
            else:
                return
            given = _answer(asked)

    async def frames_async(
        self, prompt: str, runtime: ToolRuntime[Any, Any]
    ) -> AsyncGenerator[Any, None]:
        """As `frames`, on an event loop."""
        given, asked, options = _first(prompt), _NOTHING, self._options(runtime)
        while True:
            try:
                async with aclosing(self.graph.astream(given, **options)) as frames:
                    async for frame in frames:
                        yield frame
            except GraphInterrupt as stop:
                asked = _asked(stop)
            except ValidationError as error:
                _check_refused(error, asked)
            else:
                return
            given = _answer(asked)

    def _options(self, runtime: ToolRuntime[Any, Any]) -> dict[str, Any]:
        parents: dict[str, Any] = dict(runtime.config.get("configurable") or {})
        for key in _PARENTS_ANSWERS:
            parents.pop(key, None)
        own = (self.graph.config or {}).get("configurable") or {}
        saver = InMemorySaver(serde=_AsIs())
        # What is given here goes before what the graph was configured with.
        both = {"thread_id": _ANY_THREAD, **parents, **own, CONFIG_KEY_CHECKPOINTER: saver}
        return {
            "config": {"configurable": both},
            "context": _renamed(runtime.context, self.name),
            # Only a question needs a checkpoint.
            "durability": "exit",
            "stream_mode": "values",
        }


def build_child(name: str, graph: object) -> Child:
    """Return an agent that can run inside a tool.

    Raises:
        TypeError: the graph is no compiled graph of this process.
        ValueError: it has breakpoints.
    """
    if not isinstance(graph, Pregel):
        raise TypeError(f"the graph of the agent {name} must be a compiled graph, unwrapped")
    if graph.interrupt_before_nodes or graph.interrupt_after_nodes:
        # It would stop there again after each resume.
        raise ValueError(f"the graph of the agent {name} must not have breakpoints")
    child = copy.copy(graph)
    # False, too, would keep away the saver that a run is lent.
    child.checkpointer = None
    return Child(name, child)


def _first(prompt: str) -> Any:
    return {"messages": [HumanMessage(prompt)]}


def _renamed(context: Any, name: str) -> Any:
    """Return a run-time context in which the child's own name stands."""
    if isinstance(context, RetrievalContext):
        return context._replace(agent_name=name)
    own = getattr(context, "knowledge", None)
    if not isinstance(own, RetrievalContext):
        return context
    renamed = own._replace(agent_name=name)
    if isinstance(context, tuple):
        return context._replace(knowledge=renamed)  # type: ignore[attr-defined]  # a named tuple's
    clone = copy.copy(context)
    # Frozen dataclasses too, and without running their checks again.
    object.__setattr__(clone, "knowledge", renamed)
    return clone


def _asked(stop: GraphInterrupt) -> tuple[Interrupt, ...]:
    """Return a child's questions in an order that is the same in each run."""
    found: Any = stop.args[0] if stop.args else ()
    if not found:
        # A breakpoint in a graph inside the child, which no answer would get it past.
        raise RuntimeError("a graph inside the agent has breakpoints")
    return tuple(sorted(found, key=lambda each: repr(each.value)))


def _check_refused(error: ValidationError, asked: tuple[Interrupt, ...]) -> None:
    """Pass on an error, unless the child refused an answer: then it can be asked again."""
    # Older releases of LangGraph refuse none.
    is_refused = getattr(langgraph.errors, "is_invalid_resume", None)
    if not asked or is_refused is None or not is_refused(error):
        raise error


def _answer(asked: tuple[Interrupt, ...]) -> Any:
    return Command(resume={each.id: _ask(each) for each in asked})


def _ask(question: Interrupt) -> Any:
    # Older releases of LangGraph know no schema of an answer.
    schema = getattr(question, "response_schema", None)
    if schema is None:
        return interrupt(question.value)
    return interrupt(question.value, response_schema=schema)
