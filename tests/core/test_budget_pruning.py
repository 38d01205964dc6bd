"""Whatever the message and the limit: pruned text and artifact still say the same."""

import copy
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from core.hits import results
from core.long_messages import Known, Long, check_pruned, long_messages, notice, records_of
from core.mutated_messages import build_record, make_message, write_entry
from knowledge_contract.budget import RECEIPT_KEY, prune_message
from knowledge_contract.formatting import format_result
from knowledge_contract.reading import read_message
from knowledge_contract.retrieval import RetrievalResult

SEPARATOR = "\n\n"
EVERY = 600


def limits_of(text: str, seed: int) -> list[int]:
    """Return every limit of a short text, and of a longer one the edges and some more."""
    if len(text) <= EVERY:
        return list(range(len(text)))
    some = Random(seed).sample(range(len(text)), 100)  # noqa: S311 - which limits are tried
    return sorted({*range(20), 159, 160, 161, len(text) - 1, *some})


def keep_slowly(entries: list[Known], room: int, *, is_first: bool) -> list[int]:
    """Return which entries are kept greedily, in order, where skipped ones cost nothing."""
    kept = []
    for index, entry in enumerate(entries):
        cost = len(entry.text) + (0 if is_first else 2)
        if cost <= room:
            kept.append(index)
            room -= cost
            is_first = False
    return kept


def expected_text(long: Long, synopsis: str, limit: int) -> str:
    """Return what a message becomes that begins with a synopsis."""
    everything = list(range(len(long.entries)))
    room = limit - len(synopsis)
    kept = keep_slowly(long.entries, room, is_first=not synopsis)
    if kept != everything:
        reserve = 2 + len(notice(len(everything)))
        kept = keep_slowly(long.entries, room - reserve, is_first=not synopsis) or kept
    parts = [*([synopsis] if synopsis else []), *(long.entries[index].text for index in kept)]
    if kept == everything:
        return SEPARATOR.join(parts)
    told = SEPARATOR.join([*parts, notice(len(everything) - len(kept))])
    return told if len(told) <= limit else SEPARATOR.join(parts)


def synopsis_of(long: Long, text: str) -> str:
    """Return what stands before the entries, or before the notice if no entry does."""
    places = [place for each in long.entries if (place := text.find(each.text)) >= 0]
    if not places:
        text = text.removesuffix(notice(len(long.entries)))
    return text[: min(places, default=len(text))].removesuffix(SEPARATOR)


@settings(max_examples=30)
@given(long_messages(), st.integers(0, 10_000))
def test_text_and_artifact_agree_within_every_limit(long: Long, seed: int) -> None:
    untouched = copy.deepcopy(long.message)
    has_evidence = bool(read_message(long.message).evidence)

    for limit in limits_of(long.message["content"], seed):
        pruned = prune_message(long.message, limit_chars=limit)
        assert pruned["artifact"]["kept"] is long.message["artifact"]["kept"]
        if has_evidence:
            check_pruned(long.message, pruned, limit)
        else:
            assert len(pruned["content"]) <= limit
            assert pruned["artifact"] is long.message["artifact"]
    assert long.message == untouched


@settings(max_examples=30)
@given(long_messages().filter(lambda long: bool(records_of(long.message["artifact"]))))
def test_whole_entries_are_kept_greedily_and_the_rest_is_told(long: Long) -> None:
    for limit in limits_of(long.message["content"], 0):
        text = prune_message(long.message, limit_chars=limit)["content"]

        synopsis = synopsis_of(long, text)
        assert text == expected_text(long, synopsis, limit)
        assert len(synopsis) <= (min(1000, limit // 4) if limit >= 160 else 0)


@settings(max_examples=30)
@given(long_messages().filter(lambda long: bool(records_of(long.message["artifact"]))))
def test_exact_fit_keeps_every_entry_without_a_notice(long: Long) -> None:
    whole = SEPARATOR.join(each.text for each in long.entries)
    text = long.message["content"]

    for limit in range(len(whole), len(text)):
        pruned = prune_message(long.message, limit_chars=limit)
        assert pruned["content"].endswith(whole)
        artifact = dict(pruned["artifact"])
        # What stands outside is told there, and nowhere else.
        assert set(artifact.pop(RECEIPT_KEY, {})) <= {"outside_chars"}
        assert artifact == long.message["artifact"]


@settings(max_examples=30)
@given(results(), st.integers(0, 10_000))
def test_relations_are_cut_at_their_end_only(result: RetrievalResult, seed: int) -> None:
    result = result._replace(layout="relations")
    text, artifact = format_result(result, limit_chars=10**9, excerpt_chars=1000)
    message: dict[str, Any] = {
        "type": "tool",
        "name": "t",
        "content": text,
        "artifact": artifact,
    }

    for limit in limits_of(text, seed):
        pruned = prune_message(message, limit_chars=limit)
        shown = str(pruned["content"])
        if not result.hits or not text.startswith("[1]"):
            assert pruned["artifact"] is artifact
            continue
        check_pruned(message, pruned, limit)
        told = [at for count in range(1, 9) if (at := shown.rfind(notice(count))) >= 0]
        kept = shown[: max(told)].removesuffix(SEPARATOR) if told else shown
        assert text.startswith((kept, shown))
        assert pruned["artifact"]["knowledge_layout"] == "relations"


def edge_message() -> dict[str, Any]:
    records = [build_record("Guide", "Ask before. " * 4), build_record("Plan", "Wait.")]
    entries = [write_entry(index + 1, record) for index, record in enumerate(records)]
    edge = "[3] (no source to cite; evidence: [1], [2])\nA - B: needs."
    artifact = {
        "knowledge_layout": "relations",
        "knowledge_sources_version": 1,
        "knowledge_sources": records,
    }
    text = SEPARATOR.join([*entries, edge, "A note."])
    return {"type": "tool", "name": "t", "content": text, "artifact": artifact}


def test_edge_is_never_kept_without_the_positions_it_names() -> None:
    message = edge_message()

    for limit in range(len(message["content"])):
        text = prune_message(message, limit_chars=limit)["content"]
        assert "[3]" not in text or ("[1] [" in text and "[2] [" in text)
        assert "A note." not in text


def test_relations_end_before_an_entry_that_proves_nothing() -> None:
    message = edge_message()
    sources = message["artifact"]["knowledge_sources"]
    message["artifact"]["knowledge_sources"] = [{**sources[0], "title": "Other"}, sources[1]]

    pruned = prune_message(message, limit_chars=len(message["content"]) - 1)

    assert pruned["content"] == "2 more results left out to fit the limit."
    assert records_of(pruned["artifact"]) == []


def test_graph_without_documents_is_cut_at_its_end() -> None:
    edges = [f"[{at}] (no source to cite; no document evidence)\n{'A' * at * 9}" for at in (1, 2)]
    artifact = {"knowledge_layout": "relations"}
    message = {
        "type": "tool",
        "name": "t",
        "content": SEPARATOR.join(edges),
        "artifact": artifact,
    }

    pruned = prune_message(message, limit_chars=len(edges[0]) + 50)

    assert pruned["content"] == f"{edges[0]}\n\n{notice(1)}"
    assert pruned["artifact"] == {**artifact, RECEIPT_KEY: {"uncited": 1}}


@given(st.integers(0, 2**32), st.floats(0, 1))
@settings(max_examples=300)
def test_damaged_messages_keep_text_and_artifact_together(seed: int, share: float) -> None:
    message: Any = make_message(Random(seed))  # noqa: S311 - which damage is done
    if type(message) is not dict or not read_message(message).evidence:
        return
    content = message["content"]
    if type(content) is not str:
        return
    limit = int(share * max(0, len(content) - 1))

    pruned = prune_message(message, limit_chars=limit)

    text, artifact = pruned["content"], pruned["artifact"]
    reading = read_message(pruned, binding="entry")
    assert len(text) <= limit or pruned is message
    if pruned is not message:
        assert [each.record for each in reading.evidence] == records_of(artifact)
        assert reading.refused == ()
