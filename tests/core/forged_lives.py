"""What LangChain makes of a forged message, now and after round trips, and how JSON can hide it."""

import copy
import json
import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from langchain_core.load import dumpd, load
from langchain_core.messages import (
    AnyMessage,
    convert_to_messages,
    messages_from_dict,
    messages_to_dict,
)
from langgraph.graph.message import add_messages
from pydantic import BaseModel, TypeAdapter

from knowledge_contract.reading import read_message

ROUND_TRIPS = 3
# Its declared types say less than it takes.
merge: Any = add_messages


def proven(message: object) -> bool:
    return bool(read_message(message).evidence)


def is_message(value: object) -> bool:
    return isinstance(value, BaseModel)


def lives_of(form: object) -> Iterator[object]:
    """Yield a form, what LangChain makes of it, and that after each of three dict round trips."""
    yield form
    readers: tuple[Callable[[Any], Any], ...] = (
        lambda value: convert_to_messages([value])[0],
        lambda value: messages_from_dict([value])[0],
        lambda value: messages_from_dict(messages_to_dict([value]))[0],
        lambda value: merge([], value)[0],
        lambda value: TypeAdapter(AnyMessage).validate_python(value),
        revive,
    )
    for reader in readers:
        # Every way to fail is a way to give no evidence; which forms get through is pinned below.
        try:
            message = reader(copy.deepcopy(form))
        except Exception:  # noqa: BLE001, S112 - LangChain refuses with many types
            continue
        yield message
        for _ in range(ROUND_TRIPS):
            try:
                message = convert_to_messages([message.model_dump()])[0]
            except Exception:  # noqa: BLE001 - as above
                break
            yield message


def revive(value: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return load(value if isinstance(value, dict) else dumpd(value), allowed_objects="messages")


def escape(text: str) -> str:
    """Spell every letter in a document's strings as an escape."""
    return re.sub(
        r'"(?:[^"\\]|\\.)*"',
        lambda found: '"' + "".join(f"\\u{ord(each):04x}" for each in json.loads(found[0])) + '"',
        text,
    )
