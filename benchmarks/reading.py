"""Reading a tool message: our reader against its peers, the floor, growth and hostile texts.

Run: `just bench reading` (add `--assert` to fail on a missed goal).

All peers do what a careful reader must: check each record's shape, recompute its id, and find
its handle and excerpt in the text. Theirs is an id over canonical JSON, as is usual.
"""

import argparse
import json
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from importlib.resources import files
from random import Random
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator
from pydantic import ValidationError

from harness import Goals, compare, growth, report
from knowledge_contract.reading import read_message
from knowledge_wire import models
from knowledge_wire.identity import source_id, source_preimage

OURS = "knowledge_contract"
PYDANTIC = "pydantic"
BOTH = "pydantic + jsonschema"
FLOOR = "floor"

LATIN = (
    *("each", "deployment", "needs", "a", "second", "pair", "of", "eyes", "before", "the"),
    *("change", "window", "opens", "and", "every", "service", "keeps", "its", "own", "runbook"),
    *("with", "owners", "alerts", "and", "a", "way", "back"),
)
CJK = "部署前请先询问值班同事每项服务都有自己的手册负责人和回退办法变更窗口开启之前需要第二双眼睛"


class Shape(NamedTuple):
    """A message: so many records of so many code points, behind so much other text."""

    sources: int
    excerpt_chars: int
    is_cjk: bool = False
    other_chars: int = 0


class Goal(NamedTuple):
    """What a shape must reach: times our cost for peers, times the floor for us."""

    both: float
    pydantic: float
    floor: float | None


SHAPES = {
    "5 x 800 B": (Shape(5, 800), Goal(16, 3.5, 3.2)),
    "100 x 2 KB": (Shape(100, 2000), Goal(18, 9, 2.5)),
    "100 x 700 CJK": (Shape(100, 700, is_cjk=True), Goal(10, 3, 2.3)),
    "1 MB (100 x 2 KB behind 800 KB)": (Shape(100, 2000, other_chars=800_000), Goal(40, 30, None)),
}


class Case(NamedTuple):
    """One fresh input: a message for us, one with the peers' ids, and the floor's bare parts."""

    message: dict[str, Any]
    peer_message: dict[str, Any]
    preimages: list[str]
    places: list[int]


def words(random: Random, chars: int, *, is_cjk: bool) -> str:
    """Return text of exactly so many characters."""
    if is_cjk:
        return "".join(random.choices(CJK, k=chars))
    return " ".join(random.choices(LATIN, k=chars // 3))[:chars].strip().ljust(chars, ".")


def json_id(record: dict[str, Any]) -> str:
    """Return the id that peers use: a hash over canonical JSON."""
    covered = {key: value for key, value in record.items() if key != "id"}
    text = json.dumps(covered, sort_keys=True, ensure_ascii=False)
    return sha256(text.encode()).hexdigest()[:32]


def message_text(shape: Shape, identify: Callable[[dict[str, Any]], str]) -> str:
    """Return a message as JSON; equal arguments give equal messages."""
    random = Random(1)  # noqa: S311 - synthetic text, no secret
    records, entries = [], []
    for index in range(shape.sources):
        excerpt = words(random, shape.excerpt_chars, is_cjk=shape.is_cjk)
        record = {"provider": "local", "title": f"docs/guide {index}.md", "excerpt": excerpt}
        record = {"id": identify(record), **record}
        records.append(record)
        entries.append(f"[{index + 1}] {handle(record)}\n{excerpt}")
    if shape.other_chars:
        entries.insert(0, words(random, shape.other_chars, is_cjk=shape.is_cjk))
    return json.dumps(as_message("\n\n".join(entries), records), ensure_ascii=False)


def handle(record: dict[str, Any]) -> str:
    """Return the handle that cites a record."""
    return f"[citation:{record['title']}{tail(record)}"


def tail(record: dict[str, Any]) -> str:
    """Return the part of a handle that readers look for: hostile texts hold no more."""
    return f"](#knowledge-source-{record['id']})"


def as_message(text: str, records: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a tool message."""
    artifact = {"knowledge_sources_version": 1, "knowledge_sources": records}
    return {"type": "tool", "name": "search", "content": text, "artifact": artifact}


def make_case(ours: str, theirs: str) -> Case:
    """Parse both messages anew and take the floor's parts out of a third."""
    message = json.loads(ours)
    records = json.loads(ours)["artifact"]["knowledge_sources"]
    places, at = [], 0
    for record in records:
        at = message["content"].index(f"{record['id']})\n", at) + len(record["id"]) + 2
        places.append(at)
    preimages = [source_preimage(record).decode() for record in records]
    return Case(message, json.loads(theirs), preimages, places)


def read_ours(case: Case) -> int:
    """Read with our reader."""
    return len(read_message(case.message).evidence)


def read_with_pydantic(case: Case) -> int:
    """Read with generated pydantic models, record by record, so that one bad refuses itself."""
    return sum(
        is_proven(record, case.peer_message["content"])
        for record in case.peer_message["artifact"]["knowledge_sources"]
        if is_model(record)
    )


SCHEMA = json.loads(
    files("knowledge_wire").joinpath("schemas/knowledge_sources.v1.json").read_text("utf-8")
)
VALIDATOR = Draft202012Validator({"$ref": "#/$defs/KnowledgeSource", "$defs": SCHEMA["$defs"]})


def read_with_both(case: Case) -> int:
    """Read with pydantic models and a JSON Schema validator."""
    return sum(
        is_proven(record, case.peer_message["content"])
        for record in case.peer_message["artifact"]["knowledge_sources"]
        if is_model(record) and VALIDATOR.is_valid(record)
    )


def is_model(record: object) -> bool:
    """Tell whether the pydantic model accepts a record."""
    try:
        models.KnowledgeSource.model_validate(record)
    except ValidationError:
        return False
    return True


def is_proven(record: dict[str, Any], text: str) -> bool:
    """Tell whether the id recomputes and the text shows handle and excerpt."""
    return (
        json_id(record) == record["id"]
        and f"](#knowledge-source-{record['id']})" in text
        and record["excerpt"] in text
    )


def touch_everything(case: Case) -> int:
    """Do what no reader can spare: encode and hash each preimage, compare each excerpt."""
    text = case.message["content"]
    found = 0
    for record, preimage, at in zip(
        case.message["artifact"]["knowledge_sources"], case.preimages, case.places, strict=True
    ):
        sha256(preimage.encode()).digest()
        found += text.startswith(record["excerpt"], at)
    return found


READERS: dict[str, Callable[[Case], int]] = {
    OURS: read_ours,
    PYDANTIC: read_with_pydantic,
    BOTH: read_with_both,
    FLOOR: touch_everything,
}


def compare_readers(goals: Goals, rounds: int) -> None:
    """Compare all readers on honest messages."""
    for name, (shape, goal) in SHAPES.items():
        make = partial(make_case, message_text(shape, source_id), message_text(shape, json_id))
        counts = {reader: read(make()) for reader, read in READERS.items()}
        if set(counts.values()) != {shape.sources}:
            raise SystemExit(f"{name}: the readers do not agree: {counts}")
        few = shape.sources < 10
        repeat = {OURS: 20, PYDANTIC: 20, BOTH: 2, FLOOR: 20} if few else {OURS: 3, FLOOR: 3}
        ratios = compare(READERS, make, baseline=OURS, rounds=rounds, repeat=repeat)
        report(name, ratios, OURS)
        goals.at_least(f"{name}: {BOTH} / ours", ratios[BOTH].median, goal.both)
        goals.at_least(f"{name}: {PYDANTIC} / ours", ratios[PYDANTIC].median, goal.pydantic)
        if goal.floor is not None:
            goals.at_most(f"{name}: ours / {FLOOR}", 1 / ratios[FLOOR].median, goal.floor)


def check_growth(goals: Goals, rounds: int) -> None:
    """Check that time follows the number of sources, and the length of the text."""

    def in_sources(count: int) -> Any:
        return json.loads(message_text(Shape(count, 2000), source_id))

    def in_content(chars: int) -> Any:
        return json.loads(message_text(Shape(20, 200, other_chars=chars), source_id))

    print("growth (exponent over the upper half)")
    sources = growth(read_message, in_sources, sizes=(5, 10, 20, 50, 100), rounds=rounds, repeat=4)
    goals.at_most("exponent in sources", sources, 1.08)
    sizes = (10_000, 100_000, 1_000_000, 3_000_000, 10_000_000)
    content = growth(read_message, in_content, sizes=sizes, rounds=max(5, rounds // 4))
    goals.at_most("exponent in content", content, 1.08)


def fill(piece: str, chars: int) -> str:
    """Return a piece repeated to a length."""
    return (piece * (chars // len(piece) + 1))[:chars]


def hostile_records(excerpts: list[str]) -> list[dict[str, Any]]:
    """Return records under their right ids."""
    records = []
    for index, excerpt in enumerate(excerpts):
        record = {"provider": "local", "title": f"docs/guide {index}.md", "excerpt": excerpt}
        records.append({"id": source_id(record), **record})
    return records


def plain_records() -> list[dict[str, Any]]:
    """Return a hundred records that the text never shows."""
    random = Random(2)  # noqa: S311 - synthetic text, no secret
    return hostile_records([words(random, 2000, is_cjk=False) for _ in range(100)])


def repeated_handles(chars: int) -> dict[str, Any]:
    """Return a message that repeats all wanted handles."""
    records = plain_records()
    return as_message(fill("".join(f"{tail(each)}\n" for each in records), chars), records)


def teasing_handles(chars: int) -> dict[str, Any]:
    """Return a message whose entries all break off in the middle of their excerpts."""
    records = plain_records()
    pieces = [f"{tail(each)}\n{each['excerpt'][:1000]}" for each in records]
    return as_message(fill("".join(pieces), chars), records)


def nested_entries(base_chars: int, chars: int) -> dict[str, Any]:
    """Return a message where one stretch of text is nearly the excerpt of every record.

    Each excerpt starts with the handle of the record before it, so that the text is compared
    with a hundred excerpts that differ near their ends only.
    """
    base = words(Random(3), base_chars, is_cjk=False)  # noqa: S311 - synthetic text, no secret
    records = hostile_records([f"{base}one end"])
    while len(records) < 100:
        records += hostile_records([f"{tail(records[-1])}\n{records[-1]['excerpt']}"])
    last = records[-1]
    nearly = last["excerpt"].replace("one end", "two end")
    return as_message(fill(f"{tail(last)}\n{nearly}\n", chars), records)


def foreign_handles(chars: int) -> dict[str, Any]:
    """Return a message of well-formed handles that nobody wants."""
    random = Random(4)  # noqa: S311 - synthetic text, no secret
    pieces = [f"](#knowledge-source-{random.getrandbits(128):032x})\n" for _ in range(1000)]
    return as_message(fill("".join(pieces), chars), plain_records())


def near_handles(chars: int) -> dict[str, Any]:
    """Return a message of handles that each lack one character."""
    records = plain_records()
    pieces = [f"](#knowledge-source-{each['id'][:-1]})\n" for each in records]
    return as_message(fill("".join(pieces), chars), records)


def bare_marks(chars: int) -> dict[str, Any]:
    """Return a message of marks without ids."""
    return as_message(fill("](#knowledge-source-", chars), plain_records())


def runs_of_one_letter(chars: int) -> dict[str, Any]:
    """Return a message of one letter, and excerpts that differ from it in one place."""
    records = hostile_records([f"{'a' * (1000 + index)}b{'a' * 999}" for index in range(100)])
    handles = "".join(f"{tail(each)}\n" for each in records)
    return as_message(handles + fill("a", chars - len(handles)), records)


def honest(chars: int) -> dict[str, Any]:
    """Return an honest message of a length: a fifth is evidence."""
    shape = Shape(100, chars // 500, other_chars=chars * 4 // 5)
    message: dict[str, Any] = json.loads(message_text(shape, source_id))
    return message


HOSTILE: dict[str, Callable[[int], dict[str, Any]]] = {
    "repeated handles": repeated_handles,
    "teasing handles": teasing_handles,
    "nested entries": partial(nested_entries, 0),
    "nested long entries": partial(nested_entries, 8000),
    "foreign handles": foreign_handles,
    "near handles": near_handles,
    "bare marks": bare_marks,
    "runs of one letter": runs_of_one_letter,
}
SIZES = (250_000, 500_000, 1_000_000, 2_000_000, 4_000_000)
MEGABYTE = 1_000_000


def read_one(name: str, messages: dict[str, Any]) -> object:
    """Read one of several messages, `entry` demanded."""
    return read_message(messages[name], binding="entry")


def parse_all(texts: dict[str, str]) -> dict[str, Any]:
    """Parse all messages anew."""
    return {name: json.loads(text) for name, text in texts.items()}


def parse_size(texts: dict[int, str], size: int) -> Any:
    """Parse the message of a size anew."""
    return json.loads(texts[size])


def check_hostile(goals: Goals, rounds: int) -> None:
    """Check what a hostile text costs where `entry` is demanded."""
    texts = {name: json.dumps(make(MEGABYTE)) for name, make in HOSTILE.items()}
    texts["honest"] = json.dumps(honest(MEGABYTE))
    readers = {name: partial(read_one, name) for name in texts}
    ratios = compare(
        readers, partial(parse_all, texts), baseline="honest", rounds=max(5, rounds // 4)
    )
    report("1 MB of hostile text, binding entry", ratios, "honest")
    worst = max(HOSTILE, key=lambda name: ratios[name].median)
    goals.at_most(f"{worst} / honest", ratios[worst].median, 50)
    for name, make in HOSTILE.items():
        exponent = growth(
            partial(read_message, binding="entry"),
            partial(parse_size, {size: json.dumps(make(size)) for size in SIZES}),
            sizes=SIZES,
            rounds=max(9, rounds // 4),
        )
        goals.at_most(f"{name}, per doubling", 2**exponent, 2.3)


def main() -> int:
    """Print the tables; return 1 if a goal was asked for and missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assert", dest="must_meet", action="store_true", help="fail on a miss")
    parser.add_argument("--rounds", type=int, default=40, help="paired measurements per table")
    options = parser.parse_args()
    goals = Goals()
    compare_readers(goals, options.rounds)
    check_growth(goals, options.rounds)
    check_hostile(goals, options.rounds)
    return 1 if options.must_meet and goals.missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
