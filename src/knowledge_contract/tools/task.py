"""The tool `task`: hand a question to another agent, and bring its evidence home.

The child runs as a graph of its own (`child`): its messages stay out of the parent's state, and
out of its streams unless they show subgraphs; its checkpoints stay out of the parent's database.
What its tools proved is gathered from every frame, so that a compaction of its history loses
nothing, and only what its report cites comes back.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing, closing
from dataclasses import dataclass
from typing import Annotated, Any, Self

from langchain.tools import ToolRuntime
from langchain_core.tools import StructuredTool, ToolException
from langgraph.errors import GraphBubbleUp, GraphRecursionError, ParentCommand
from pydantic import BaseModel, Field, WithJsonSchema, create_model

from knowledge_contract.citation import shared_handle
from knowledge_contract.delegation import (
    DEFAULT_APPENDIX_CHARS,
    EvidenceAccumulator,
    forward_cited,
)
from knowledge_contract.reading import Evidence
from knowledge_contract.tools.capabilities import build_metadata
from knowledge_contract.tools.child import Child, build_child
from knowledge_contract.tools.gated import GateLog
from knowledge_wire.constants import SOURCE_ID_MIN_LENGTH

__all__ = ["Publish", "SubAgent", "build_task_tool"]

_logger = logging.getLogger(__name__)

TASK_TOOL_NAME = "task"
"""The name by which readers of native evidence know forwarded records."""

Publish = Callable[[tuple[Evidence, ...]], object]
"""Takes all that a child's tools proved, cited or not."""

_EXAMPLE = shared_handle("0" * SOURCE_ID_MIN_LENGTH, "Title")

_UNGATED = "a task's agent showed evidence that no AuthorityMiddleware let through"

_Answer = tuple[str, dict[str, Any] | None]


@dataclass(frozen=True, kw_only=True, slots=True)
class SubAgent:
    """An agent that can be given a task.

    Attributes:
        graph: A compiled graph over `messages`, as `create_agent` makes it, without breakpoints;
            a checkpointer of its own is not used. Its tools stand behind `AuthorityMiddleware`
            (`evidence_middleware`): only what that lets through is evidence. What runs in a
            thread that was started without its context is not noted, and stays behind.
        description: What it is good at, for the model that chooses; one sentence.
    """

    graph: Any
    description: str


def build_task_tool(
    agents: Mapping[str, SubAgent],
    *,
    publish: Publish | None = None,
    appendix_chars: int = DEFAULT_APPENDIX_CHARS,
) -> StructuredTool:
    """Return the tool `task`, by which a model hands a question to one of several agents.

    Its answer is the child's report with the cited evidence behind it, and the artifact that
    proves it, native and shared records apart (`forward_cited`). A child that fails is an error
    message, never the end of the parent's run. The child runs in the parent's run-time context
    with its own name as `agent_name`.

    The parent trusts this tool, so that the tool must not trust the child's messages: records
    count that `AuthorityMiddleware` let through in the child, each with its handle and its
    excerpt in an entry of its own. A child without that middleware brings home its words only.

    What the child asks people (`interrupt`) interrupts the parent, one question at a time. When
    the parent is resumed, the child runs from the start again, and gets the answers in the order
    of its questions: what it asks must not depend on chance. A refused answer is asked again.

    Args:
        agents: By the name that the model chooses and that becomes `agent_name`.
        publish: Called once with the whole evidence before the tool ends, also when the child
            fails or is cancelled, but not when it is interrupted: then it runs again. It is
            called where the tool runs, so it must not block; what it raises is logged by type
            and goes no further.
        appendix_chars: Code points of the entries behind a report.

    Raises:
        TypeError: a graph is not compiled, is remote, or is wrapped in another runnable.
        ValueError: there is no agent, a graph has breakpoints, or `appendix_chars` is negative.
    """
    if not agents:
        raise ValueError("agents must hold at least one agent")
    if appendix_chars < 0:
        raise ValueError("appendix_chars must be at least 0")
    children = {name: build_child(name, agent.graph) for name, agent in agents.items()}

    run, run_async = _make_runs(children, publish, appendix_chars)
    return StructuredTool.from_function(
        func=run,
        coroutine=run_async,
        name=TASK_TOOL_NAME,
        description=_describe(agents),
        args_schema=_arguments(agents),
        response_format="content_and_artifact",
        handle_tool_error=True,
        metadata=build_metadata({"operations": ["sources"]}),
    )


def _make_runs(
    children: Mapping[str, Child], publish: Publish | None, appendix_chars: int
) -> tuple[Callable[..., _Answer], Callable[..., Awaitable[_Answer]]]:
    """Return the tool's function in both colours."""

    # Functions of their own: LangChain reads the annotations, and injects by them.
    def run(
        description: str, prompt: str, subagent_type: str, runtime: ToolRuntime[Any, Any]
    ) -> _Answer:
        del description
        child, task = _find(children, subagent_type), _Task(publish, appendix_chars)
        with task, closing(child.frames(prompt, runtime)) as frames:
            for frame in frames:
                task.observe(frame)
            task.report()
        return task.end()

    async def run_async(
        description: str, prompt: str, subagent_type: str, runtime: ToolRuntime[Any, Any]
    ) -> _Answer:
        del description
        child, task = _find(children, subagent_type), _Task(publish, appendix_chars)
        with task:
            async with aclosing(child.frames_async(prompt, runtime)) as frames:
                async for frame in frames:
                    task.observe(frame)
                task.report()
        return task.end()

    return run, run_async


def _find(children: Mapping[str, Child], name: str) -> Child:
    if name not in children:
        raise ToolException(f"Error: there is no such agent; there are: {', '.join(children)}.")
    return children[name]


def _describe(agents: Mapping[str, SubAgent]) -> str:
    listed = "".join(f"\n- {name}: {agent.description}" for name, agent in agents.items())
    return (
        "Hand a task to another agent, and get its report. It sees nothing but the prompt. To cite "
        "a source of the report, copy its link unchanged, right behind what it supports, as in "
        f"{_EXAMPLE}; never make up or change a link. Agents:{listed}"
    )


def _arguments(agents: Mapping[str, SubAgent]) -> type[BaseModel]:
    # Part of the type, because LangChain copies fields without their extra schema; and no
    # `Literal`, because an unknown name is to be answered by the tool.
    name = Annotated[str, WithJsonSchema({"type": "string", "enum": [*agents]})]
    return create_model(
        "Task",
        description=(str, Field(description="The task in a few words, for people who watch.")),
        prompt=(str, Field(description="The whole task: the agent sees nothing else.")),
        subagent_type=(name, Field(description="The agent's name.")),
    )


class _Task:
    """One child's run: gathers its frames, and publishes its evidence however it ends."""

    def __init__(self, publish: Publish | None, appendix_chars: int) -> None:
        self._publish = publish
        self._appendix_chars = appendix_chars
        self._gates = GateLog()
        # Forwarding writes an entry for each, so that none may come in with less.
        self._seen = EvidenceAccumulator(binding="entry", is_admitted=self._is_admitted)
        self._has_refused = False
        self._messages: list[Any] = []
        self._answer: _Answer | None = None
        self._failure: str | None = None

    def __enter__(self) -> Self:
        self._gates.__enter__()
        return self

    def _is_admitted(self, evidence: Evidence) -> bool:
        is_gated = self._gates.has(evidence)
        if not is_gated and not self._has_refused:
            self._has_refused = True
            _logger.warning(_UNGATED)
        return is_gated

    def observe(self, frame: Any) -> None:
        """Take in one frame of the child's stream in mode `values`."""
        found = frame.get("messages") if isinstance(frame, Mapping) else None
        messages = list(found or ())
        self._seen.observe(messages)
        self._messages = messages or self._messages

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: object
    ) -> bool:
        self._gates.__exit__(kind, error, trace)
        if error is not None and _will_run_again(error):
            return False
        self._publish_once()
        if kind is None or not issubclass(kind, Exception):
            return False
        # Its words may quote a document, an address or a credential.
        _logger.warning("a task's agent failed with %s", kind.__name__)
        self._failure = (
            "Error: the agent took too many steps; give it a smaller task."
            if issubclass(kind, GraphRecursionError)
            else "Error: the agent failed; try again, or go on without it."
        )
        return True

    def _publish_once(self) -> None:
        if self._publish is None:
            return
        try:
            self._publish(self._seen.evidence)
        except Exception as error:  # noqa: BLE001 - the operator's code must not cost the report
            _logger.warning("publishing a task's evidence failed with %s", type(error).__name__)

    def report(self) -> None:
        """Take the last message as the child's report."""
        report = _report(self._messages)
        if report.strip():
            self._answer = forward_cited(
                report, self._seen.evidence, appendix_chars=self._appendix_chars
            )

    def end(self) -> _Answer:
        """Return the tool's text and artifact.

        Raises:
            ToolException: the child failed, or ended without a report.
        """
        if self._failure is not None:
            raise ToolException(self._failure)
        if self._answer is None:
            raise ToolException("Error: the agent ended without a report.")
        return self._answer


def _will_run_again(error: BaseException) -> bool:
    """Whether the parent's run stops here, and starts the task again when it is resumed.

    A command to the parent does not: it would put a child's messages into the parent's state.
    """
    return isinstance(error, GraphBubbleUp) and not isinstance(error, ParentCommand)


def _report(messages: list[Any]) -> str:
    last = messages[-1] if messages else None
    text = getattr(last, "text", "") if getattr(last, "type", None) == "ai" else ""
    return text if isinstance(text, str) else ""
