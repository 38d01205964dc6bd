"""Which outputs a budget acts upon, what takes their place, and what is said about it."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from langchain_core.messages import HumanMessage, ToolMessage, ToolMessageChunk

from core.mutated_messages import Failing, build_record, write_entry
from knowledge_contract.budget import (
    TRANSFORMS_KEY,
    BudgetSettings,
    apply_budget,
    prune_message,
    prune_messages,
)
from knowledge_contract.reading import read_message

SMALL = BudgetSettings(
    externalize_min_chars=300,
    preview_head_chars=100,
    preview_tail_chars=50,
    fallback_max_chars=1_000,
    fallback_head_chars=120,
    fallback_tail_chars=60,
)
PATH = "/mnt/outputs/search-1.txt"
LONG = "".join(f"Line {index} of what a tool said.\n" for index in range(60)).strip()


def output(content: Any, name: str | None = "search", artifact: Any = None) -> dict[str, Any]:
    return {"type": "tool", "name": name, "content": content, "artifact": artifact, "id": "m1"}


def evidence(*excerpts: str, report: str = "") -> dict[str, Any]:
    records = [build_record("Guide", excerpt) for excerpt in excerpts]
    entries = [write_entry(index + 1, record) for index, record in enumerate(records)]
    text = "\n\n".join([report, *entries] if report else entries)
    return output(text, "task", {"knowledge_sources_version": 1, "knowledge_sources": records})


class Kept:
    """A store that remembers what it was given."""

    def __init__(self, path: str | None = PATH) -> None:
        self.path = path
        self.texts: list[tuple[str, str | None]] = []

    def __call__(self, text: str, *, tool_name: str | None) -> str | None:
        self.texts.append((text, tool_name))
        return self.path


def full_disk(text: str, *, tool_name: str | None) -> str:
    raise OSError(28, f"No space left for {len(text)} characters of {tool_name}")


def test_output_without_evidence_is_stored_and_previewed() -> None:
    store = Kept()
    message = output(LONG, artifact={"own": 1})

    budgeted = apply_budget(message, SMALL, store=store)

    assert store.texts == [(LONG, "search")]
    assert budgeted == {
        **message,
        "content": (
            f"{LONG[:100]}\n[... shortened from {len(LONG)} characters ...]\n{LONG[-50:]}\n"
            f"Full text: {PATH}"
        ),
        "additional_kwargs": {TRANSFORMS_KEY: ["externalized"]},
    }
    assert budgeted["artifact"] is message["artifact"]
    assert apply_budget(budgeted, SMALL, store=store) is budgeted


TRUNCATED = f"{LONG[:120]}\n[... shortened from {len(LONG)} characters ...]\n{LONG[-60:]}"
STORES: dict[str, Any] = {
    "no store": None,
    "a store that keeps nothing": Kept(None),
    "a full disk": full_disk,
    "a path longer than the limit": Kept("/mnt/" + "x" * 300),
}


@pytest.mark.parametrize("store", STORES.values(), ids=STORES)
def test_output_that_is_not_stored_loses_its_middle(store: Any) -> None:
    budgeted = apply_budget(output(LONG), SMALL, store=store)

    assert budgeted["content"] == TRUNCATED
    assert budgeted["additional_kwargs"] == {TRANSFORMS_KEY: ["truncated"]}


def test_override_of_0_stores_nothing() -> None:
    store = Kept()
    settings = SMALL._replace(tool_overrides={"search": 0})

    budgeted = apply_budget(output(LONG), settings, store=store)

    assert store.texts == []
    assert budgeted["content"] == TRUNCATED


def test_store_that_fails_otherwise_is_heard() -> None:
    def broken(text: str, *, tool_name: str | None) -> str:
        raise LookupError(f"{tool_name}: {len(text)}")

    with pytest.raises(LookupError):
        apply_budget(output(LONG), SMALL, store=broken)


def test_evidence_is_pruned_and_never_stored() -> None:
    store = Kept()
    message = evidence("Ask. " * 30, "Wait. " * 20, "Go.")

    budgeted = apply_budget(message, SMALL, store=store)

    assert store.texts == []
    assert budgeted["additional_kwargs"] == {TRANSFORMS_KEY: ["pruned"]}
    assert budgeted["artifact"] == prune_message(message, limit_chars=300)["artifact"]
    assert budgeted["content"] == prune_message(message, limit_chars=300)["content"]


def test_report_beside_evidence_is_stored_without_handles() -> None:
    store = Kept()
    record = build_record("Guide", "Ask.")
    cited = f"{LONG} As [citation:Guide](#knowledge-source-{record['id']}) says."
    message = evidence("Ask.", report=cited)

    budgeted = apply_budget(message, SMALL, store=store)

    assert store.texts == [(f"{LONG} As Guide says.", "task")]
    assert budgeted["additional_kwargs"] == {TRANSFORMS_KEY: ["externalized", "pruned"]}
    assert f"\nFull text: {PATH}\n\n[1] " in budgeted["content"]
    assert budgeted["artifact"]["knowledge_sources"] is message["artifact"]["knowledge_sources"]
    assert budgeted["artifact"]["knowledge_omitted"]["outside_chars"] > 1_000
    assert [each.record for each in read_message(budgeted).evidence] == [record]


def test_report_that_the_synopsis_holds_is_not_stored() -> None:
    store = Kept()

    budgeted = apply_budget(evidence("Ask. " * 60, report="All is well."), SMALL, store=store)

    assert store.texts == []
    assert budgeted["content"].startswith("All is well.\n\n")


def test_report_is_pruned_where_its_store_fails() -> None:
    budgeted = apply_budget(evidence("Ask.", report=LONG), SMALL, store=full_disk)

    assert budgeted["additional_kwargs"] == {TRANSFORMS_KEY: ["pruned"]}
    assert "\u2026" in budgeted["content"]


UNREADABLE: dict[str, Any] = {
    "no artifact": None,
    "an empty artifact": {},
    "another version": {"knowledge_sources_version": 2, "knowledge_sources": [{"id": "x"}]},
    "malformed records only": {"knowledge_sources_version": 1, "knowledge_sources": [{"id": 1}]},
    "a list": [1],
}


@pytest.mark.parametrize("artifact", UNREADABLE.values(), ids=UNREADABLE)
def test_artifact_that_proves_nothing_stays_while_the_text_is_cut(artifact: Any) -> None:
    message = output(LONG, artifact=artifact)

    budgeted = apply_budget(message, SMALL)

    assert budgeted["content"] == TRUNCATED
    assert budgeted["artifact"] is artifact


def test_relations_of_a_later_version_are_not_taken_apart() -> None:
    artifact = {"knowledge_layout": "relations", "knowledge_sources_version": 2}
    edges = [f"[{at}] (no source to cite)\n{'A' * 100}" for at in range(1, 6)]
    message = output("\n\n".join(edges), artifact=artifact)

    budgeted = apply_budget(message, SMALL)

    assert budgeted["artifact"] is artifact
    assert budgeted["additional_kwargs"] == {TRANSFORMS_KEY: ["truncated"]}


HANDLES = {
    "shared": f"[citation:Guide](#knowledge-source-{'a' * 32})",
    "native": f"[citation:1](#knowledge-{'b' * 32}-12)",
    "sanitised": f"[see [1]](#user-content-knowledge-source-{'a' * 32})",
    "without a label": f"](#knowledge-source-{'a' * 32})",
}


@pytest.mark.parametrize("behind", [10, 150], ids=["near the end", "in the middle"])
@pytest.mark.parametrize("handle", HANDLES.values(), ids=HANDLES)
def test_cutting_never_leaves_a_part_of_a_handle(handle: str, behind: int) -> None:
    text = f"{'x' * 150} {handle} {'y' * behind}"

    for limit in range(len(text)):
        cut = prune_message(output(text), limit_chars=limit)["content"]
        assert len(cut) <= limit
        assert "#" not in cut.replace(handle, "")
        assert "[c" not in cut.replace(handle, "")
        assert "-" not in cut.replace(handle, "")


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "text", "text": "a" * 400}, {"type": "image", "url": "x"}],
        [{"type": "text", "text": 1}, "a" * 400],
        ("a" * 400,),
        b"a" * 400,
        None,
        7,
    ],
    ids=["an image", "a broken block", "a tuple", "bytes", "None", "a number"],
)
def test_content_that_is_not_only_text_stays(content: Any) -> None:
    message = output(content)

    assert apply_budget(message, SMALL) is message


def test_text_blocks_are_one_text() -> None:
    blocks = [{"type": "text", "text": LONG[:500]}, LONG[500:]]

    budgeted = apply_budget(output(blocks), SMALL)

    assert budgeted == apply_budget(output(f"{LONG[:500]}\n{LONG[500:]}"), SMALL)


OTHERS: dict[str, Any] = {
    "a human's": {"type": "human", "content": "x" * 400},
    "a role of another": {"role": "user", "content": "x" * 400},
    "a text": "x" * 400,
    "nothing": None,
    "a property that fails": Failing(output("x" * 400), "content"),
    "a message of LangChain": HumanMessage("x" * 400),
}


@pytest.mark.parametrize("message", OTHERS.values(), ids=OTHERS)
def test_what_is_no_tool_message_stays(message: Any) -> None:
    assert apply_budget(message, SMALL) is message


SPELT: dict[str, Callable[[dict[str, Any]], Any]] = {
    "a role": lambda given: {"role": "tool", **{key: given[key] for key in given if key != "type"}},
    "a chunk": lambda given: ToolMessageChunk(
        content=given["content"], artifact=given["artifact"], name=given["name"], tool_call_id="c1"
    ),
}


@pytest.mark.parametrize("spelling", SPELT)
def test_other_spellings_of_a_tool_message_are_pruned_too(spelling: str) -> None:
    given = evidence("Ask. " * 100, "Wait.")
    message = SPELT[spelling](given)

    budgeted = apply_budget(message, SMALL)

    pruned = apply_budget(given, SMALL)
    content = budgeted["content"] if isinstance(budgeted, dict) else budgeted.content
    artifact = budgeted["artifact"] if isinstance(budgeted, dict) else budgeted.artifact
    assert (content, artifact) == (pruned["content"], pruned["artifact"])
    assert type(budgeted) is type(message)


def test_limit_goes_by_the_tool_that_ran_where_it_is_known() -> None:
    named = output("x" * 400, name="read_file")

    assert apply_budget(named, SMALL) is named
    assert apply_budget(named, SMALL, tool_name="web") == {
        **apply_budget(output("x" * 400), SMALL),
        "name": "read_file",
    }


def test_message_of_langchain_keeps_its_id_and_shares_the_rest() -> None:
    plain = evidence("Ask. " * 100, "Wait.")
    extra = {"own": [1], TRANSFORMS_KEY: ["externalized"]}
    message = ToolMessage(
        plain["content"],
        artifact=plain["artifact"],
        name="search",
        id="m1",
        tool_call_id="c1",
        status="error",
        additional_kwargs=extra,
    )
    untouched = message.model_copy(deep=True)

    budgeted = apply_budget(message, SMALL)

    assert message == untouched
    assert type(budgeted) is ToolMessage
    assert (budgeted.id, budgeted.tool_call_id, budgeted.status) == ("m1", "c1", "error")
    assert budgeted.additional_kwargs == {"own": [1], TRANSFORMS_KEY: ["externalized", "pruned"]}
    assert budgeted.additional_kwargs["own"] is extra["own"]
    assert [each.record for each in read_message(budgeted).evidence] == [
        plain["artifact"]["knowledge_sources"][1]
    ]


def test_any_object_with_the_parts_of_a_message_will_do() -> None:
    message = SimpleNamespace(**output(LONG), additional_kwargs=None)

    budgeted = apply_budget(message, SMALL)

    assert (budgeted.content, budgeted.id) == (TRUNCATED, "m1")
    assert message.content == LONG


def test_history_is_pruned_message_by_message() -> None:
    short, long, human = output("Short."), output(LONG), HumanMessage("x" * 400)
    messages: list[Any] = [human, short, long]

    pruned = prune_messages(messages, SMALL)

    assert [new is old for new, old in zip(pruned, messages, strict=True)] == [True, True, False]
    assert pruned[2]["content"] == TRUNCATED
    assert messages[2] is long


def test_history_that_fits_is_the_same_object() -> None:
    messages = [output("Short."), output("x" * 400, "read_file")]

    assert prune_messages(messages, SMALL) is messages
