"""Gather the evidence of an agent's run from the frames it streams, reading each message once.

Source:
    contracts/README.md, "Reading".
"""

from collections.abc import Callable, Iterable, Mapping
from operator import is_
from typing import Any

from knowledge_contract.reading import Binding, Evidence, Form, read_message
from knowledge_wire.constants import EXCERPT_TOTAL_CHARS, RECORD_COUNT

__all__ = ["EvidenceAccumulator", "copy_record", "excerpt_of"]

_STRANGER = object()
"""Equal to nothing that compares in earnest."""


class EvidenceAccumulator:
    """Keeps the first 100 sources that an agent's tools proved, whatever becomes of its history.

    Feed it each frame of a stream in mode `values`. A frame begins as the one before it did:
    that part is compared, by identity and from the first other object on by `==`, and only what
    follows is read. A compaction or an edit changes the beginning; reading then starts again at
    the first difference. The outcome equals reading every message of every frame in order.

    The first source of an id wins, shared and native ids apart. At most `RECORD_COUNT` are kept,
    of at most `EXCERPT_TOTAL_CHARS` code points of excerpts together, which is what one artifact
    may carry. A source that does not fit is counted once and never comes in later; a smaller one
    after it still may.

    It does not see a message that is changed in place, nor what only differs where Python's `==`
    sees no difference (`True` and `1`). It holds the last frame's messages, and copies of the kept
    records: what was proven stays as it was. Not safe for use by several threads at once.

    Args:
        binding: What is demanded of a source, as for `read_message`.
        is_admitted: Called once for each source that is read; what it refuses is as good as
            absent. None admits all.
    """

    def __init__(
        self,
        *,
        binding: Binding = "message",
        is_admitted: Callable[[Evidence], bool] | None = None,
    ) -> None:
        self._binding: Binding = binding
        self._is_admitted = is_admitted
        self._frame: list[object] = []
        self._kept: dict[tuple[Form, str], Evidence] = {}
        self._left_out: set[tuple[Form, str]] = set()
        self._room_chars = EXCERPT_TOTAL_CHARS

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What was kept, in the order in which it was first seen."""
        return tuple(self._kept.values())

    @property
    def overflow(self) -> int:
        """How many proven sources were left out for want of room, each counted once."""
        return len(self._left_out)

    def observe(self, messages: Iterable[object] | None) -> None:
        """Take in the messages of one frame, all of them in order; None is an empty frame.

        Args:
            messages: Dicts or objects as `read_message` takes them; all else has no evidence.
        """
        frame = messages if type(messages) is list else list(messages or ())
        start = _common_length(self._frame, frame)
        # All of it, because the next frame may hold these very copies of what was read before.
        self._frame = frame.copy()
        for message in frame[start:]:
            for evidence in read_message(message, binding=self._binding).evidence:
                self._take(evidence)

    def _take(self, evidence: Evidence) -> None:
        if self._is_admitted is not None and not self._is_admitted(evidence):
            return
        key = (evidence.form, str(evidence.record["id"]))
        if key in self._kept or key in self._left_out:
            return
        size = len(excerpt_of(evidence))
        if len(self._kept) == RECORD_COUNT or size > self._room_chars:
            self._left_out.add(key)
            return
        self._room_chars -= size
        self._kept[key] = evidence._replace(record=copy_record(evidence.record))


def copy_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record as it is now, whatever other code does to the one it came from."""
    return {key: [*value] if type(value) is list else value for key, value in record.items()}


def excerpt_of(evidence: Evidence) -> str:
    """Return a source's excerpt, whichever its form."""
    return str(evidence.record["excerpt" if evidence.form == "shared" else "text"])


def _common_length(old: list[object], new: list[object]) -> int:
    """Return how many messages at the beginning are the same."""
    length = min(len(old), len(new))
    if all(map(is_, old, new)):
        return length
    # In C up to here, because nearly every frame only adds to the one before.
    for index in range(list(map(is_, old, new)).index(False), length):
        if old[index] is not new[index] and not _is_equal(old[index], new[index]):
            return index
    return length


def _is_equal(old: object, new: object) -> bool:
    """Compare two messages; one that fails, or that claims to equal anything, equals nothing."""
    try:
        return type(old) is type(new) and (old == new) is True and (new == _STRANGER) is not True
    except Exception:  # noqa: BLE001 - a foreign `__eq__` may raise anything
        return False
