"""What a text costs in searches and in characters, counted instead of timed."""

import dis
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, ClassVar

_SCANS = frozenset({"finditer", "findall", "search", "split", "sub", "subn"})
# Where they stop is known before: at the end of what they compare.
_COMPARISONS = frozenset({"startswith", "endswith"})
_CONTAINS = dis.opmap["CONTAINS_OP"]


def count_searches(action: Callable[[], object], text: str) -> int:
    """Return how many calls and operators may have gone through the whole of a text.

    Counted are the methods of the very object (comparisons at a place aside), each scan with a
    pattern, and each `in`, these two wherever a function holds the text under any name.
    """
    found = 0

    def profile(frame: FrameType, event: str, called: Any) -> None:
        nonlocal found
        if event != "c_call" or called.__name__ in _COMPARISONS:
            return
        owner = getattr(called, "__self__", None)
        found += owner is text or (called.__name__ in _SCANS and holds(frame))

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal found
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        if event == "opcode" and frame.f_code.co_code[frame.f_lasti] == _CONTAINS:
            found += holds(frame)
        return trace

    def holds(frame: FrameType) -> bool:
        return any(value is text for value in frame.f_locals.values())

    tracing = sys.gettrace()
    sys.setprofile(profile)
    sys.settrace(trace)
    try:
        action()
    finally:
        sys.settrace(tracing)
        sys.setprofile(None)
    return found


class Measured(str):
    """A text that counts the characters that go through its operations and those of its parts."""

    __slots__ = ()

    characters: ClassVar[int] = 0


def _measured(name: str) -> Callable[..., Any]:
    original = getattr(str, name)

    def method(self: str, *arguments: Any) -> Any:
        result = original(self, *arguments)
        is_text = type(result) is str
        Measured.characters += len(result) if is_text else len(self)
        return Measured(result) if is_text else result

    return method


for _name in ("__add__", "__contains__", "__getitem__", "count", "find", "index", "partition"):
    setattr(Measured, _name, _measured(_name))
for _name in ("removeprefix", "replace", "rfind", "rindex", "rpartition", "split", "strip"):
    setattr(Measured, _name, _measured(_name))


def count_characters(action: Callable[[str], object], text: str) -> int:
    """Return how many characters an action goes through, and one for each of its calls.

    A scan with a pattern counts as the longest text that the function has under a name. What
    `str.join` puts together is not counted.
    """
    calls = 0

    def profile(frame: FrameType, event: str, called: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")
        if event == "c_call" and called.__name__ in _SCANS:
            texts = (value for value in frame.f_locals.values() if isinstance(value, str))
            calls += max(map(len, texts), default=0)

    Measured.characters = 0
    measured = Measured(text)
    sys.setprofile(profile)
    try:
        action(measured)
    finally:
        sys.setprofile(None)
    return calls + Measured.characters
