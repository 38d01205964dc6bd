"""A chat model that plays a script: what `create_agent` needs, sync, async and streaming."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import PrivateAttr

__all__ = ["ScriptedModel", "Step", "call_tool"]

Step: TypeAlias = AIMessage | BaseException | Callable[[list[BaseMessage]], AIMessage]
"""An answer, an error to raise, or a function of the messages that the model was shown."""


def call_tool(name: str, *, call_id: str = "c1", **arguments: Any) -> AIMessage:
    """Return the answer of a model that calls one tool."""
    call = {"name": name, "args": arguments, "id": call_id, "type": "tool_call"}
    return AIMessage("", tool_calls=[call])


class ScriptedModel(BaseChatModel):
    """Plays `script` step by step; a script that is too short raises `IndexError`.

    Attributes:
        script: What it answers, in order. Copies and bound tools share one position.
    """

    script: Sequence[Any]
    _seen: list[list[BaseMessage]] = PrivateAttr(default_factory=list)

    @property
    def seen(self) -> list[list[BaseMessage]]:
        """The messages of each request so far."""
        return self._seen

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> Runnable[Any, AIMessage]:
        # A tool whose schema no provider could be sent must fail here, not in production.
        for tool in tools:
            convert_to_openai_tool(tool)
        return self

    def _next(self, messages: list[BaseMessage]) -> AIMessage:
        step: Step = self.script[len(self._seen)]
        self._seen.append(list(messages))
        if isinstance(step, BaseException):
            raise step
        answer = step if isinstance(step, AIMessage) else step(messages)
        # The agent names it and the reducer gives it an id: the script stays as it was.
        return answer.model_copy()

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002 - the base class's signature
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002 - as above
        **_: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._next(messages))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002 - the base class's signature
        run_manager: CallbackManagerForLLMRun | None = None,
        **_: Any,
    ) -> Iterator[ChatGenerationChunk]:
        answer = self._next(messages)
        parts = re.findall(r"\S+\s*|\s+", answer.text) or [""]
        for part in parts[:-1]:
            yield _emit(AIMessageChunk(content=part, id=answer.id), run_manager)
        last = AIMessageChunk(
            content=parts[-1],
            id=answer.id,
            tool_call_chunks=[
                tool_call_chunk(
                    name=call["name"], args=json.dumps(call["args"]), id=call["id"], index=index
                )
                for index, call in enumerate(answer.tool_calls)
            ],
            chunk_position="last",
        )
        yield _emit(last, run_manager)


def _emit(
    message: AIMessageChunk, run_manager: CallbackManagerForLLMRun | None
) -> ChatGenerationChunk:
    chunk = ChatGenerationChunk(message=message)
    if run_manager is not None:
        run_manager.on_llm_new_token(str(message.text), chunk=chunk)
    return chunk
