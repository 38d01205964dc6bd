"""What a person lets an agent search in one turn: taken off the request, judged, made canonical.

A host calls `take_scope` on a run's messages and `admit_scope` on what it found, before the graph
runs; the admitted snapshot goes into `RetrievalContext.scope`, and into the host's own store for
a resume. It never stands in state, `configurable` or a message, so that neither the model nor a
trace meets it. Refusals are data: a pointer, a rule and a sentence that quotes nothing.

Source:
    contracts/README.md, "Scope".
"""

import copy
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, cast

from knowledge_contract._injection import holds_key, is_human
from knowledge_wire.constants import (
    SCOPE_ALL_MODE,
    SCOPE_ALL_VERSION,
    SCOPE_BYTES,
    SCOPE_DISABLED_MODE,
    SCOPE_DOCUMENT_COUNT,
    SCOPE_ID_BLANKS,
    SCOPE_SELECTED_MODE,
)
from knowledge_wire.parsing import Problem
from knowledge_wire.types import KnowledgeScope, ScopeSelected
from knowledge_wire.validators import check_knowledge_scope, is_knowledge_scope

__all__ = [
    "ALL",
    "MODES",
    "SCOPE_KEY",
    "Allowed",
    "Mode",
    "Refusal",
    "Scope",
    "Taken",
    "admit_scope",
    "canonical_json",
    "drop_scopes",
    "find_injected",
    "read_mode",
    "take_scope",
]

SCOPE_KEY = "knowledge_scope"
"""Where a request carries its scope: `additional_kwargs` of the current human message."""

_KWARGS = "additional_kwargs"

Mode = Literal["all", "selected", "disabled"]

MODES: frozenset[Mode] = frozenset((SCOPE_ALL_MODE, SCOPE_SELECTED_MODE, SCOPE_DISABLED_MODE))
"""Every mode of the contract."""

ALL: KnowledgeScope = {"version": SCOPE_ALL_VERSION, "mode": SCOPE_ALL_MODE}
"""The scope of a run that asked for none."""


class Scope(NamedTuple):
    """An admitted scope.

    Attributes:
        snapshot: What runs and what is stored for a resume: canonical, without display names.
    """

    snapshot: KnowledgeScope

    def __repr__(self) -> str:
        # Representations end in logs, and ids are the caller's.
        return f"Scope(mode={self.snapshot['mode']!r})"


class Refusal(NamedTuple):
    """Why a scope was not admitted; a gateway answers 422 with it.

    Attributes:
        problem: Where and by which rule: a schema keyword, or `form`, `duplicate`, `total` or
            `capability`. The pointer is relative to the scope.
        sentence: The same for a person, on one line, without any value of the request.
    """

    problem: Problem
    sentence: str


class Allowed(NamedTuple):
    """What the operator lets callers choose.

    Attributes:
        datasets: The only datasets that may be selected; None for every one. What `all` reaches
            is bounded by the provider's own settings.
        modes: The modes that may be asked for.
        has_selector: Whether anything may be selected: two providers in use have no common
            namespace for ids.
    """

    datasets: frozenset[str] | None = None
    modes: frozenset[Mode] = MODES
    has_selector: bool = True

    def __repr__(self) -> str:
        modes = sorted(self.modes)
        return f"Allowed(modes={modes!r}, has_selector={self.has_selector!r})"


class Taken(NamedTuple):
    """What `take_scope` found.

    Attributes:
        messages: The messages without it; the same object if there was none.
        requested: What the caller asked for, not judged yet; None for nothing.
    """

    messages: Any
    requested: object | None

    def __repr__(self) -> str:
        return f"Taken(messages={len(self.messages)}, requested={self.requested is not None})"


def take_scope(messages: list[Any]) -> Taken | Refusal:
    """Return a run's messages without the scope that the current one carries, and that scope.

    Exactly one place is read: the last human message's own `additional_kwargs`, of an object or
    of a dict with `type` or `role`. The key anywhere else, also behind underscores (as a host's
    run-time key would be named), in another message or deeper, is refused, since it would reach
    the graph. Nothing is changed in place.

    Args:
        messages: What the caller sends as this run's input, as LangChain objects or dicts.
    """
    current = next((i for i in reversed(range(len(messages))) if is_human(messages[i])), None)
    requested: object | None = None
    given = messages
    if current is not None and SCOPE_KEY in (kwargs := _kwargs(messages[current])):
        requested = kwargs[SCOPE_KEY]
        if requested is None:
            return Refusal(Problem("", "type"), "the scope is not an object")
        messages = [*messages]
        messages[current] = _without_scope(messages[current])
    refusal = find_injected(messages)
    if refusal is not None:
        return refusal
    return Taken(messages if requested is not None else given, requested)


def find_injected(value: object) -> Refusal | None:
    """Return a refusal if a caller's value holds a scope where none may stand, at any depth.

    For messages, and for a run's `config`, `context`, `metadata` and `Command`: a scope comes only
    from `admit_scope`. Objects are looked into as dicts are: messages, models, dataclasses, named
    tuples, `Command` and `Send`. What a tool or a model said, and what an artifact holds, is not
    looked at; what a person's message says is.
    """
    if holds_key(value, SCOPE_KEY):
        return Refusal(Problem("", "form"), "a scope may stand only on the current human message")
    return None


def drop_scopes(messages: list[Any]) -> list[Any]:
    """Return messages without the scope that any of them carries; the same list if none does.

    For what goes to a model: a thread that another host wrote may hold some.
    """
    if not any(SCOPE_KEY in _kwargs(message) for message in messages):
        return messages
    return [
        _without_scope(message) if SCOPE_KEY in _kwargs(message) else message
        for message in messages
    ]


def _kwargs(message: object) -> Mapping[str, Any]:
    if isinstance(message, Mapping):
        found = message.get(_KWARGS)
    else:
        found = getattr(message, _KWARGS, None)
    return found if isinstance(found, Mapping) else {}


def _without_scope(message: Any) -> Any:
    kept = {key: value for key, value in _kwargs(message).items() if key != SCOPE_KEY}
    if isinstance(message, Mapping):
        rest = {key: value for key, value in message.items() if key != _KWARGS}
        return {**rest, _KWARGS: kept} if kept else rest
    if hasattr(message, "model_copy"):
        return message.model_copy(update={_KWARGS: kept})
    clone = copy.copy(message)
    setattr(clone, _KWARGS, kept)
    return clone


def admit_scope(
    requested: object | None, stored: object | None = None, *, allowed: Allowed
) -> Scope | Refusal:
    """Return the scope that a run gets, never wider than what was asked for and is allowed.

    A stored snapshot wins over whatever the caller sends: a resume and a regeneration search what
    the first run searched. It is judged again, because the operator may allow less by now.
    Datasets outside the operator's are refused, never left out in silence.

    Args:
        requested: What `take_scope` found; None where the caller asked for nothing (`all`).
        stored: The snapshot of the run that is resumed, from the host's own store.
        allowed: The operator's bounds.

    Example:
        >>> admit_scope({"version": 1, "mode": "disabled"}, allowed=Allowed())
        Scope(mode='disabled')
        >>> admit_scope({"version": 1, "mode": "none"}, allowed=Allowed()).problem
        Problem(pointer='/mode', rule='oneOf')
    """
    wanted = stored if stored is not None else requested
    judged = _canonical(ALL if wanted is None else wanted)
    if isinstance(judged, Refusal):
        return judged
    return _bounded(judged, allowed)


def canonical_json(scope: Mapping[str, Any]) -> bytes:
    """Return a scope as UTF-8 JSON with sorted keys and no blanks: what its size is measured by.

    >>> canonical_json({"version": 1, "mode": "all"})
    b'{"mode":"all","version":1}'
    """
    return json.dumps(
        scope, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    ).encode()


def read_mode(snapshot: object) -> Mode | None:
    """Return the mode of a context's scope; None means `all`, and so does the result here.

    Anything that is no `KnowledgeScope` reads as `disabled`: nobody searches by a scope that
    cannot be understood.
    """
    if snapshot is None:
        return SCOPE_ALL_MODE
    return snapshot["mode"] if is_knowledge_scope(snapshot) else SCOPE_DISABLED_MODE


def _canonical(value: object) -> Scope | Refusal:
    problems = check_knowledge_scope(value)
    if problems:
        return Refusal(problems[0], "the scope does not satisfy the contract")
    scope = cast("KnowledgeScope", value)
    if scope["mode"] != SCOPE_SELECTED_MODE:
        return Scope({"version": SCOPE_ALL_VERSION, "mode": scope["mode"]})  # type: ignore[misc,arg-type]  # each kind has both
    whole = _trimmed(scope)
    refusal = next(_disagreements(whole), None)
    if refusal is not None:
        return refusal
    if len(canonical_json(whole)) > SCOPE_BYTES:
        return Refusal(Problem("", "total"), f"the scope takes more than {SCOPE_BYTES} bytes")
    # Names come from the caller: they may be shown, never acted on.
    whole.pop("display", None)
    return Scope(whole)


def _trimmed(scope: ScopeSelected) -> ScopeSelected:
    """Return a copy with trimmed ids, each once, in their order; the display is only trimmed."""
    whole: ScopeSelected = {
        "version": SCOPE_ALL_VERSION,
        "mode": SCOPE_SELECTED_MODE,
        "dataset_ids": _unique(scope["dataset_ids"]),
    }
    if scope.get("document_filters"):
        whole["document_filters"] = [
            {
                "dataset_id": _trim(each["dataset_id"]),
                "document_ids": _unique(each["document_ids"]),
            }
            for each in scope["document_filters"]
        ]
    if "display" in scope:
        whole["display"] = cast("Any", _trimmed_names(scope["display"]))
    return whole


def _trimmed_names(display: Mapping[str, Any]) -> dict[str, Any]:
    return {
        kind: [{key: _trim(text) for key, text in label.items()} for label in labels]
        for kind, labels in display.items()
    }


def _trim(text: str) -> str:
    return text.strip(SCOPE_ID_BLANKS)


def _unique(ids: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(map(_trim, ids)))


def _disagreements(scope: ScopeSelected) -> Iterator[Refusal]:
    """Yield what no schema says: the parts of a scope have to agree."""
    datasets = set(scope["dataset_ids"])
    documents: dict[str, set[str]] = {}
    count = 0
    for index, each in enumerate(scope.get("document_filters", ())):
        place = f"/document_filters/{index}"
        if each["dataset_id"] not in datasets:
            problem = Problem(f"{place}/dataset_id", "form")
            yield Refusal(problem, "a document filter names a dataset that is not selected")
        if each["dataset_id"] in documents:
            problem = Problem(f"{place}/dataset_id", "duplicate")
            yield Refusal(problem, "a dataset has more than one document filter")
        documents[each["dataset_id"]] = set(each["document_ids"])
        count += len(each["document_ids"])
        if count > SCOPE_DOCUMENT_COUNT:
            problem = Problem("/document_filters", "total")
            yield Refusal(problem, f"more than {SCOPE_DOCUMENT_COUNT} documents are selected")
    yield from _strange_names(scope, datasets, documents)


def _strange_names(
    scope: ScopeSelected, datasets: set[str], documents: Mapping[str, set[str]]
) -> Iterator[Refusal]:
    display = scope.get("display", {})
    for index, dataset in enumerate(display.get("datasets", ())):
        if dataset["dataset_id"] not in datasets:
            problem = Problem(f"/display/datasets/{index}", "form")
            yield Refusal(problem, "a display name belongs to a dataset that is not selected")
    for index, document in enumerate(display.get("documents", ())):
        if document["document_id"] not in documents.get(document["dataset_id"], ()):
            problem = Problem(f"/display/documents/{index}", "form")
            yield Refusal(problem, "a display name belongs to a document that is not selected")


def _bounded(scope: Scope, allowed: Allowed) -> Scope | Refusal:
    snapshot = scope.snapshot
    mode = snapshot["mode"]
    if mode not in allowed.modes:
        return Refusal(Problem("/mode", "capability"), "the operator does not allow this mode")
    if snapshot["mode"] != SCOPE_SELECTED_MODE:
        return scope
    if not allowed.has_selector:
        sentence = "nothing can be selected here: the scope is all or disabled"
        return Refusal(Problem("/mode", "capability"), sentence)
    if allowed.datasets is not None:
        for index, dataset in enumerate(snapshot["dataset_ids"]):
            if dataset not in allowed.datasets:
                problem = Problem(f"/dataset_ids/{index}", "capability")
                return Refusal(problem, "a selected dataset is not available")
    return scope
