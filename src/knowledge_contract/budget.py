"""Keep tool outputs small before they reach a model, without parting text and evidence.

A message that holds evidence loses whole entries, each with its record. Any other text is
stored in full where the host can, and shown as a preview with the file's path; else it loses
its middle. Nothing here reads or writes a file: the host passes a store.

Source:
    contracts/README.md, "Producing".
"""

import copy
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from knowledge_contract._budget_settings import BudgetSettings
from knowledge_contract._cutting import cut_middle
from knowledge_contract._messages import block_text
from knowledge_contract._pruning import Plan, make_plan, prune, synopsis_limit
from knowledge_contract._receipts import RECEIPT_KEY
from knowledge_contract.reading import read_message

__all__ = [
    "RECEIPT_KEY",
    "TRANSFORMS_KEY",
    "BudgetSettings",
    "Store",
    "apply_budget",
    "prune_message",
    "prune_messages",
]

TRANSFORMS_KEY = "budget_transforms"
"""The key in `additional_kwargs` of the list of what was done to a message, oldest first:
`externalized`, `pruned` (whole entries) or `truncated` (any other text)."""

# What LangChain makes a tool message of.
_TOOL_KINDS = frozenset({"tool", "ToolMessageChunk"})

_T = TypeVar("_T")


class Store(Protocol):
    """Keeps a text that is too long to show."""

    def __call__(self, text: str, *, tool_name: str | None) -> str | None:
        """Return the path under which the model's tools can read it; None if it was not kept.

        Raises:
            OSError: It could not be kept; the budget then does without.
        """


class _Output(NamedTuple):
    """What a budget looks at in a tool message."""

    name: str | None
    text: str
    artifact: object
    extra: Mapping[str, object]


class _Result(NamedTuple):
    """What takes its place, and what was done."""

    text: str
    artifact: object
    transforms: tuple[str, ...]


def apply_budget(
    message: _T,
    settings: BudgetSettings,
    *,
    store: Store | None = None,
    tool_name: str | None = None,
) -> _T:
    """Return a tool message within its tool's limit; the same object if it is already.

    A message with evidence is pruned as by `prune_message`. It is not stored: a file would show
    handles that no record backs. Only the text outside its entries is, without handles, where
    the synopsis cannot hold it; the synopsis then ends with the file's path.

    Any other message over the threshold is stored in full, and its start, its end and the path
    take its place. Without a store, or where the store fails, it loses its middle.

    The message is never changed. A copy shares all but the content, now one text, what changed
    of the artifact, and `additional_kwargs`, which tells what was done (`TRANSFORMS_KEY`).

    Args:
        message: A dict, or any object with `type`, `content`, `artifact` and `name`; what is no
            tool message, or holds more than text, comes back as it is. A dict may say `role`
            for `type`, and chunks of tool messages count, as LangChain takes both.
        settings: The limits.
        store: Keeps full texts; an `OSError` of its own means that it could not.
        tool_name: Whose limit it is, where the caller knows which tool ran; None goes by the
            message's name, which the tool may have written itself.
    """
    output = _read(message)
    if output is None:
        return message
    limit_of = output.name if tool_name is None else tool_name
    limit = settings.limit_chars(limit_of)
    if limit is None or len(output.text) <= limit:
        return message
    is_stored = 0 < settings.store_chars(limit_of) < len(output.text)
    keep = store if is_stored else None
    plan = _plan(output)
    if plan is not None:
        return _replaced(message, output, _pruned(output, plan, limit, keep))
    result = _externalized(output, settings, limit, keep) if keep is not None else None
    return _replaced(message, output, result or _truncated(output, settings, limit))


def prune_messages(messages: Sequence[_T], settings: BudgetSettings) -> Sequence[_T]:
    """Return the messages of a model's request, each within its limit, without storing anything.

    Returns:
        The same object if no message changed, else a list that shares those that did not.
    """
    pruned = [apply_budget(message, settings) for message in messages]
    is_same = all(new is old for new, old in zip(pruned, messages, strict=True))
    return messages if is_same else pruned


def prune_message(message: _T, *, limit_chars: int) -> _T:
    """Return a tool message within a limit; the same object if it is already, or is no text.

    Where the message proves evidence, whole entries are kept greedily in order, so that a long
    one that does not fit leaves room for shorter ones; relations stop at the first that does
    not fit. Nothing is renumbered. What is left out is told in a notice, if that fits, and in
    the artifact under `RECEIPT_KEY`; both count what earlier cuts left out, the tool's own too.
    A limit from 160 on leaves up to a quarter of it, at most 1,000, to a synopsis of the text
    outside entries; relations have none.

    Afterwards reading the message gives exactly the records in its artifact, each with its
    handle and excerpt in an entry of its own, and outside excerpts there is no other handle.

    Where it proves nothing (no artifact, another version, only malformed records), the text
    loses its middle and the artifact stays.

    Args:
        message: As for `apply_budget`.
        limit_chars: Code points of the whole text, at least 0.

    Raises:
        ValueError: The limit is negative.

    Source:
        contracts/README.md, "Producing".
    """
    if limit_chars < 0:
        raise ValueError("limit_chars must be at least 0")
    output = _read(message)
    if output is None or len(output.text) <= limit_chars:
        return message
    plan = _plan(output)
    if plan is not None:
        return _replaced(message, output, _pruned(output, plan, limit_chars, None))
    return _replaced(message, output, _truncated(output, BudgetSettings(), limit_chars))


def _plan(output: _Output) -> Plan | None:
    if type(output.artifact) is not dict:
        return None
    parts = {"type": "tool", "name": output.name, "content": output.text}
    reading = read_message({**parts, "artifact": output.artifact})
    return make_plan(output.text, output.artifact, reading.evidence, name=output.name)


def _pruned(output: _Output, plan: Plan, limit: int, store: Store | None) -> _Result:
    artifact = cast("dict[str, Any]", output.artifact)
    ending, room = "", synopsis_limit(limit)
    pruned = prune(plan, artifact, limit)
    if store is not None and room and plan.outside and pruned.outside_chars:
        ending = _stored(store, plan.outside, output.name, room) or ""
    if ending:
        pruned = prune(plan, artifact, limit, ending=ending)
    done = ("externalized", "pruned") if ending else ("pruned",)
    return _Result(pruned.text, pruned.artifact, done)


def _externalized(
    output: _Output, settings: BudgetSettings, limit: int, store: Store
) -> _Result | None:
    ending = _stored(store, output.text, output.name, limit)
    if ending is None:
        return None
    preview = cut_middle(
        output.text,
        limit_chars=limit - len(ending) - 1,
        head_chars=settings.preview_head_chars,
        tail_chars=settings.preview_tail_chars,
    )
    return _Result(f"{preview}\n{ending}", output.artifact, ("externalized",))


def _truncated(output: _Output, settings: BudgetSettings, limit: int) -> _Result:
    text = cut_middle(
        output.text,
        limit_chars=limit,
        head_chars=settings.fallback_head_chars,
        tail_chars=settings.fallback_tail_chars,
    )
    return _Result(text, output.artifact, ("truncated",))


def _stored(store: Store, text: str, tool_name: str | None, room: int) -> str | None:
    """Return the line with the path of a stored text; None if it was not kept or has no room."""
    try:
        path = store(text, tool_name=tool_name)
    except OSError:
        # A full disk must not end a run that only wanted to save room.
        return None
    line = f"Full text: {path}"
    return line if path is not None and len(line) < room else None


def _read(message: object) -> _Output | None:
    """Return a tool message's parts; None if it is none, or holds anything but text."""
    try:
        kind, content = _get(message, "type"), _get(message, "content")
        if kind is None and type(message) is dict:
            kind = message.get("role")
        if type(kind) is not str or kind not in _TOOL_KINDS:
            return None
        name, artifact = _get(message, "name"), _get(message, "artifact")
        extra = _get(message, "additional_kwargs")
    except Exception:  # noqa: BLE001 - a foreign property may raise anything; such a message stays
        return None
    text = _text(content)
    if text is None:
        return None
    kept = extra if isinstance(extra, Mapping) else {}
    return _Output(name if type(name) is str else None, text, artifact, kept)


def _get(message: object, name: str) -> object:
    return message.get(name) if type(message) is dict else getattr(message, name, None)


def _text(content: object) -> str | None:
    if type(content) is str:
        return content
    if type(content) is not list:
        return None
    texts = [text for each in content if (text := block_text(each)) is not None]
    return "\n".join(texts) if len(texts) == len(content) else None


def _replaced(message: _T, output: _Output, result: _Result) -> _T:
    done = output.extra.get(TRANSFORMS_KEY)
    log = [*(done if type(done) is list else []), *result.transforms]
    extra = {**output.extra, TRANSFORMS_KEY: log}
    changes: dict[str, object] = {"content": result.text, "additional_kwargs": extra}
    if result.artifact is not output.artifact:
        changes["artifact"] = result.artifact
    anything: Any = message
    if type(anything) is dict:
        return cast("_T", {**anything, **changes})
    if hasattr(type(anything), "model_copy"):
        return cast("_T", anything.model_copy(update=changes))
    clone = copy.copy(message)
    for name, value in changes.items():
        # Frozen dataclasses too.
        object.__setattr__(clone, name, value)
    return clone
