"""Which records a gate let through while a task's agent ran.

A message cannot say whether the tool that made it may write evidence. The gate knows, because it
sees the tool as an object; while a task runs, it notes what it lets through, and the task takes
nothing else for evidence. The note lies beside the run, where no message and no state reaches it.
"""

from collections.abc import Iterator, Mapping
from contextvars import ContextVar, Token
from typing import Any, Self

from knowledge_contract._accumulator import copy_record
from knowledge_contract.reading import Evidence
from knowledge_wire.constants import RECORD_COUNT

__all__ = ["GateLog", "note_passed"]


class GateLog:
    """The records that passed the gates of one task, nested ones apart.

    Inside `with`, gates write into it: in the same context and in what is started from it.
    """

    def __init__(self) -> None:
        self._records: dict[str, list[Any]] = {}
        self._token: Token[GateLog | None] | None = None

    def __enter__(self) -> Self:
        self._token = _LOG.set(self)
        return self

    def __exit__(self, *_: object) -> None:
        if self._token is not None:
            _LOG.reset(self._token)

    def add(self, record: Mapping[str, Any]) -> None:
        """Note a record; its content counts, because a native id says nothing of it."""
        same_id = self._records.setdefault(str(record.get("id")), [])
        if record not in same_id:
            # Tools of the same run can reach the message, and change what it holds.
            same_id.append(copy_record(record))

    def has(self, evidence: Evidence) -> bool:
        """Whether this very record passed a gate."""
        return evidence.record in self._records.get(str(evidence.record["id"]), ())


_LOG: ContextVar[GateLog | None] = ContextVar("knowledge_contract_gate_log", default=None)


def note_passed(artifact: object) -> None:
    """Note the records of an artifact that passed a gate; outside of tasks nothing happens."""
    log = _LOG.get()
    if log is None or type(artifact) is not dict:
        return
    for record in _records(artifact):
        log.add(record)


def _records(artifact: dict[str, Any]) -> Iterator[dict[str, Any]]:
    own = artifact.get("knowledge_sources")
    if type(own) is dict:
        own = own.get("sources")
    for records in (own, artifact.get("retrieval_sources")):
        if type(records) is list:
            # Readers look at no more.
            yield from (each for each in records[:RECORD_COUNT] if type(each) is dict)
