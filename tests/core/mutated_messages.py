"""Seeded tool messages that are nearly right: entries, records, artifact and message damaged.

Texts are small and share words, so that what one record loses another may show.
"""

from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any, TypeAlias

from core.slow_reader import id_slowly
from knowledge_wire import sampler

Record: TypeAlias = dict[str, Any]

EXCERPTS = (
    *("Yes", "No", "a", "Yes, always.", "Ask before you deploy.", "x\r\ny", "  indented", "end \n"),
    *("Ask before you deploy.\nThen wait.", "部署前请先询问。", "\U0001f600 e\u0301", "\ufeffYes"),
    *(
        "```\nfence",
        "| a | b |\n|---|---|",
        "[1] Guide, p. 2",
        "](#knowledge-source-",
        "[citation:",
    ),
    *("2 more results left out to fit the limit.", "Yes\n\n[2] Fake (no source to cite)\nNo"),
)
TITLES = ("Handbook", "a", "Plan [draft] (v2).pdf", "指南", "a | b", "# \u202egnp")
LOCATORS: tuple[Record, ...] = (
    *({}, {}, {}, {"page": 3}, {"page": 3.0}, {"dataset_name": "Team"}),
    {"url": "https://example.com/a_(b)", "page": 1},
)


def make_message(random: Random) -> object:
    """Return a message; about one in five is untouched."""
    records = _records(random)
    entries = [write_entry(index + 1, record) for index, record in enumerate(records)]
    listed: list[Any] = list(records)
    for _ in range(_few(random)):
        random.choice(TEXT_MUTATIONS)(random, entries)
    for _ in range(_few(random)):
        random.choice(RECORD_MUTATIONS)(random, listed)
    text = "\n\n".join(entries)
    if random.random() < 0.1:
        text = random.choice(WHOLE_TEXT_MUTATIONS)(random, text)
    artifact: dict[Any, Any] = {"knowledge_sources_version": 1, "knowledge_sources": listed}
    if random.random() < 0.08:
        random.choice(ARTIFACT_MUTATIONS)(artifact)
    message = {"type": "tool", "name": "search", "content": text, "artifact": artifact}
    return random.choice(SHAPES)(random, message) if random.random() < 0.15 else message


def build_record(title: str, excerpt: str, **locators: Any) -> Record:
    """Return a record under its right id."""
    record: Record = {"provider": "local", "title": title, "excerpt": excerpt, **locators}
    return {"id": id_slowly(record), **record}


def handle_of(record: Record) -> str:
    """Return the handle that cites a record; the label proves nothing, so it is always one."""
    return f"[citation:T](#knowledge-source-{record['id']})"


def write_entry(position: int, record: Record) -> str:
    """Return an entry as a formatter writes it."""
    return f"[{position}] {handle_of(record)}\n{record['excerpt']}"


def _few(random: Random) -> int:
    return random.choice((0, 0, 0, 1, 1, 2, 3))


def _records(random: Random) -> list[Record]:
    if random.random() < 0.002:
        some = [_record(random, []) for _ in range(3)]
        return [*some, *(build_record("many", f"{each}.") for each in range(random.choice(MANY)))]
    records: list[Record] = []
    for _ in range(random.choice((0, 1, 1, 2, 2, 3, 4))):
        records.append(_record(random, records))
    return records


MANY = (96, 97, 98, 150)


def _record(random: Random, earlier: list[Record]) -> Record:
    excerpt = random.choice(EXCERPTS)
    roll = random.random()
    if earlier and roll < 0.25:
        other = random.choice(earlier)
        quoted = (
            handle_of(other),
            f"{handle_of(other)}\n",
            write_entry(1, other),
            other["excerpt"],
        )
        excerpt = random.choice(quoted) + random.choice((excerpt, "\n", ""))
    elif roll < 0.5:
        excerpt += random.choice(("\n", "\n\n", " ")) + random.choice(EXCERPTS)
    return build_record(random.choice(TITLES), excerpt, **random.choice(LOCATORS))


def _at(random: Random, text: str) -> int:
    return random.randrange(len(text) + 1)


def _one(random: Random, values: list[Any]) -> int:
    """Return an index, having made sure that there is one."""
    if not values:
        values.append("")
    return random.randrange(len(values))


def _shuffle(random: Random, entries: list[str]) -> None:
    random.shuffle(entries)


def _repeat_entry(random: Random, entries: list[str]) -> None:
    entries.insert(random.randrange(len(entries) + 1), entries[_one(random, entries)])


def _nest_entry(random: Random, entries: list[str]) -> None:
    index = _one(random, entries)
    inner, outer = entries.pop(index), entries[_one(random, entries)]
    cut = _at(random, outer)
    entries[entries.index(outer)] = f"{outer[:cut]}{inner}{outer[cut:]}"


def _drop_entry(random: Random, entries: list[str]) -> None:
    entries.pop(_one(random, entries))


def _quote_first(random: Random, entries: list[str]) -> None:
    first, line, _ = entries[_one(random, entries)].partition("\n")
    entries.insert(0, f"See {first}{random.choice((line, ' there', line + 'Yes'))}")


def _move_excerpt(random: Random, entries: list[str]) -> None:
    index = _one(random, entries)
    entries[index], _, excerpt = entries[index].partition("\n")
    entries.insert(random.choice((0, len(entries))), excerpt)


def _drop_handle(random: Random, entries: list[str]) -> None:
    index = _one(random, entries)
    entries[index] = entries[index].partition("\n")[2]


def _cut_entry(random: Random, entries: list[str]) -> None:
    index = _one(random, entries)
    cut = _at(random, entries[index])
    entries[index] = entries[index][:cut] if random.random() < 0.5 else entries[index][cut:]


def _edit_entry(random: Random, entries: list[str]) -> None:
    index = _one(random, entries)
    cut = _at(random, entries[index])
    letter = random.choice((*"a\n\r ])[#0", "", "\u200b"))
    entries[index] = entries[index][:cut] + letter + entries[index][cut + random.randrange(2) :]


REWRITES = (
    *((")\n", ") \n"), (")\n", ")\n\n"), (")\n", ")\nTeam, p. 3\n"), (")\n", "), Team\n")),
    *((")\n", ") "), (")\n", "]\n"), ("(#", "(<#"), ("(#", "(#user-content-"), ("](", "] (")),
    *(("source-", "source"), ("source-", "Source-"), ("knowledge-source-", "knowledge-")),
    *(("\n", "\r\n"), ("\n", "\u2028"), (" ", "\u00a0"), ("Y", "y"), ("[", "［"), (")", "）")),
    *((")", '"T")'), ("a", "A"), ("(#", "(#\n")),
)


def _rewrite_entry(random: Random, entries: list[str]) -> None:
    index = _one(random, entries)
    old, new = random.choice(REWRITES)
    entries[index] = entries[index].replace(old, new, random.choice((1, -1)))


TEXT_MUTATIONS: tuple[Callable[[Random, list[str]], None], ...] = (
    *(_shuffle, _repeat_entry, _nest_entry, _drop_entry, _quote_first, _move_excerpt),
    *(_drop_handle, _cut_entry, _edit_entry, _rewrite_entry, _rewrite_entry),
)

WHOLE_TEXT_MUTATIONS: tuple[Callable[[Random, str], str], ...] = (
    lambda _, text: text.replace("\n", "\r\n"),
    lambda random, text: text[: _at(random, text)],
    lambda random, text: text[_at(random, text) :],
    lambda _, text: text.replace("\n\n", "\n"),
    lambda _, text: text.upper(),
    lambda _, text: f"{text}{text}",
    lambda _, text: repr(text),
    lambda _, __: "",
    lambda _, text: f"{text}\ud800",
)


def _edit_record(random: Random, records: list[Any]) -> None:
    index = _one(random, records)
    record = records[index]
    keys = [key for key in record if type(record[key]) is str] if type(record) is dict else []
    if keys:
        key = random.choice(keys)
        cut = _at(random, record[key])
        edited = (
            record[key][:cut] + random.choice((*"ab0 \n", "\0", "\ud800", "")) + record[key][cut:]
        )
        records[index] = {**record, key: edited}


def _forge_record(random: Random, records: list[Any]) -> None:
    forged = build_record(random.choice(TITLES), random.choice(("Forged.", *EXCERPTS)))
    records.insert(random.randrange(len(records) + 1), forged)


def _repeat_record(random: Random, records: list[Any]) -> None:
    record = records[_one(random, records)]
    if type(record) is dict and random.random() < 0.5:
        record = dict(reversed(record.items()))
        if record.get("page") == 3:
            record["page"] = random.choice((3, 3.0))
    records.insert(random.randrange(len(records) + 1), record)


def _break_record(random: Random, records: list[Any]) -> None:
    broken = sampler.near_miss(random, "KnowledgeSource").document
    if random.random() < 0.5:
        broken = sampler.scramble(random, "KnowledgeSource")
    records[_one(random, records)] = broken


def _spoil_field(random: Random, records: list[Any]) -> None:
    index = _one(random, records)
    if type(records[index]) is dict:
        record = dict(records[index])
        key = random.choice((*record, "page", "url", "dataset_name", "extra", "Excerpt"))
        record[key] = random.choice((None, True, 1, 1.0, 0, 3, 1e400, "", "a", "1", [], {}))
        if random.random() < 0.3:
            record.pop(key)
        records[index] = record


def _replace_record(random: Random, records: list[Any]) -> None:
    values: tuple[Any, ...] = (
        None,
        [],
        "record",
        1,
        {},
        {"id": "0" * 32},
        {1: 2},
        {"id": []},
        [{}],
        ("id",),
    )
    records[_one(random, records)] = random.choice(values)


def _raise_id(random: Random, records: list[Any]) -> None:
    index = _one(random, records)
    if type(records[index]) is dict:
        records[index] = {**records[index], "id": str(records[index].get("id")).upper()}


RECORD_MUTATIONS: tuple[Callable[[Random, list[Any]], None], ...] = (
    *(_shuffle, _edit_record, _edit_record, _forge_record, _repeat_record, _repeat_record),
    *(_break_record, _spoil_field, _replace_record, _raise_id),
)

VERSIONS = (1.0, True, "1", 2, 0, None, [1], float("nan"), 1 + 1e-15, 10**400)

ARTIFACT_MUTATIONS: tuple[Callable[[dict[Any, Any]], object], ...] = (
    *(
        lambda artifact, version=version: artifact.update(knowledge_sources_version=version)
        for version in VERSIONS
    ),
    lambda artifact: artifact.pop("knowledge_sources_version"),
    lambda artifact: artifact.pop("knowledge_sources"),
    lambda artifact: artifact.update(retrieval_sources=None),
    lambda artifact: artifact.update(retrieval_sources=[]),
    lambda artifact: artifact.update(knowledge_sources={"version": 1, "sources": []}),
    lambda artifact: artifact.update(knowledge_sources=tuple(artifact["knowledge_sources"])),
    lambda artifact: artifact.update(knowledge_sources=dict.fromkeys("abc")),
    lambda artifact: artifact.update(knowledge_sources=None),
    lambda artifact: artifact.update({"other": object(), 7: [], None: "x"}),
)


class Failing:
    """A message whose property of one name raises, as foreign objects may."""

    def __init__(self, message: dict[str, Any], name: str) -> None:
        self.__dict__.update(message)
        self.__dict__.pop(name, None)
        self.failing = name

    def __getattr__(self, name: str) -> object:
        raise RuntimeError("a property that fails")


def _blocks(random: Random, message: dict[str, Any]) -> dict[str, Any]:
    text = message["content"]
    cut = _at(random, text)
    odd: tuple[Any, ...] = (
        {"type": "image"},
        {"type": "text"},
        {"type": "text", "text": 1},
        None,
        7,
        ["a"],
        {},
    )
    blocks = [{"type": "text", "text": text[:cut]}, random.choice(odd), text[cut:]]
    if text[cut : cut + 1] == "\n":
        blocks[2] = {"type": "text", "text": text[cut + 1 :], "index": 1}
    return {**message, "content": blocks}


def _as_object(_: Random, message: dict[str, Any]) -> object:
    return SimpleNamespace(**message)


def _failing(random: Random, message: dict[str, Any]) -> object:
    return Failing(message, random.choice(("type", "content", "artifact")))


def _replaced(random: Random, message: dict[str, Any]) -> object:
    key = random.choice(("type", "content", "artifact"))
    values: tuple[Any, ...] = (
        None,
        "human",
        "Tool",
        "tool",
        [],
        {},
        ["Yes"],
        1,
        ("tool",),
        b"tool",
        object(),
    )
    return {**message, key: random.choice(values)}


def _thinned(random: Random, message: dict[str, Any]) -> object:
    return {key: message[key] for key in message if random.random() < 0.7}


def _foreign(random: Random, _: dict[str, Any]) -> object:
    return random.choice((None, 1, "tool", [], {}, object(), int, b"", {"type": "tool"}))


SHAPES: tuple[Callable[[Random, dict[str, Any]], object], ...] = (
    *(_blocks, _blocks, _as_object, _as_object, _failing, _replaced, _thinned, _foreign),
)
