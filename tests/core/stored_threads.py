"""Threads in a SQLite file, and what another process finds in them.

Run as a program, `stored_threads.py FILE THREAD ...` prints what it reads as JSON.
"""

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from langchain_core.messages import BaseMessage, ToolMessage, convert_to_messages
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import CheckpointTuple
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph.message import add_messages

from knowledge_contract.reading import read_message

# What LangGraph names the writes of no task: they belong to the checkpoint itself.
NO_TASK = "00000000-0000-0000-0000-000000000000"


class Found(NamedTuple):
    """What a thread holds; records come with the form that they were read in.

    Attributes:
        latest: The evidence of its latest messages.
        again: The same after one round trip of these messages through dicts.
        anywhere: The ids of the evidence in all its checkpoints and pending writes, whatever
            the key.
        artifacts: Those of its latest tool messages, evidence or not.
    """

    latest: list[tuple[dict[str, Any], str]]
    again: list[tuple[dict[str, Any], str]]
    anywhere: list[str]
    artifacts: list[Any]

    @property
    def is_nothing(self) -> bool:
        return not (self.latest or self.again or self.anywhere)


class Both(NamedTuple):
    """What the process that wrote a thread found in it, and what a new one found."""

    store: Found
    reload: Found


def config_of(thread: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}


def read_thread(saver: SqliteSaver, thread: str) -> Found:
    """Return what a thread holds, read through the saver, without any graph."""
    checkpoints = list(saver.list(config_of(thread)))
    messages = messages_of(checkpoints[0])
    again = convert_to_messages(
        # What replaces a channel's value skips its reducer, so that a dict stays one.
        [each if isinstance(each, dict) else each.model_dump() for each in messages]
    )
    kept = [[each.checkpoint["channel_values"], each.pending_writes] for each in checkpoints]
    ids = {str(record["id"]) for record, _ in evidence_of(parts_of(kept))}
    artifacts = [each.artifact for each in again if isinstance(each, ToolMessage)]
    return Found(evidence_of(messages), evidence_of(again), sorted(ids), artifacts)


def messages_of(latest: CheckpointTuple) -> list[Any]:
    """Return the messages of a thread as `get_state` gives them.

    What a command wrote on a thread that has nothing left to do stays a write of no task.
    """
    messages: Any = latest.checkpoint["channel_values"].get("messages", [])
    for task, channel, value in latest.pending_writes or []:
        if task == NO_TASK and channel == "messages":
            messages = add_messages(messages, value)
    return list(messages)


def evidence_of(messages: Iterable[object]) -> list[tuple[dict[str, Any], str]]:
    """Return every record that is evidence, with its form."""
    return [
        (dict(each.record), each.form)
        for message in messages
        for each in read_message(message, binding="entry").evidence
    ]


def parts_of(root: object) -> Iterator[object]:
    """Yield whatever could be a message at any depth of a value, the deepest last."""
    pending = [root]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            yield value
            pending.extend(value.values())
        elif isinstance(value, list | tuple):
            pending.extend(value)
        elif isinstance(value, BaseMessage):
            yield value
            pending.append(value.__dict__)


def read_in_a_new_process(path: Path, threads: Iterable[str]) -> dict[str, Found]:
    """Return what each thread of a file holds to a process that never saw it written."""
    command = [sys.executable, "-W", "error", __file__, str(path), *threads]
    done = subprocess.run(command, check=True, capture_output=True, encoding="utf-8", timeout=120)
    return {
        thread: Found(
            [(record, form) for record, form in latest],
            [(record, form) for record, form in again],
            *others,
        )
        for thread, (latest, again, *others) in json.loads(done.stdout).items()
    }


def read_twice(saver: SqliteSaver, path: Path, threads: Iterable[str]) -> dict[str, Both]:
    """Return what each thread holds, here and in a new process."""
    store = {thread: read_thread(saver, thread) for thread in threads}
    reload = read_in_a_new_process(path, store)
    return {thread: Both(store[thread], reload[thread]) for thread in store}


def main() -> int:
    """Print what the threads that were named hold."""
    path, *threads = sys.argv[1:]
    with SqliteSaver.from_conn_string(path) as saver:
        found = {thread: read_thread(saver, thread) for thread in threads}
    sys.stdout.write(json.dumps(found))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
