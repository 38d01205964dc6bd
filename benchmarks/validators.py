"""Shape validation of one envelope: the generated validator against its peers.

Run: `just bench validators` (add `--assert` to fail on a missed goal).
"""

import argparse
import json
import re
from collections.abc import Callable
from functools import partial
from importlib.resources import files

import fastjsonschema
import jsonschema_rs
from jsonschema import Draft202012Validator

from harness import Goals, compare, report
from knowledge_wire.identity import source_id
from knowledge_wire.models import KnowledgeSourcesEnvelope
from knowledge_wire.validators import is_knowledge_sources_envelope

SHAPES = {
    "100 x 2 KB": (100, "Each deployment needs a second pair of eyes.\n", 2000),
    "5 x 800 B": (5, "Each deployment needs a second pair of eyes.\n", 800),
    "100 x 700 CJK": (100, "部署前请先询问。\n", 700),
}
GOALS_FOR = "100 x 2 KB"
PROVIDER = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")


def envelope_text(count: int, sentence: str, excerpt_chars: int) -> str:
    """Return a synthetic envelope as JSON."""
    excerpt = (sentence * (excerpt_chars // len(sentence) + 1))[:excerpt_chars]
    sources = []
    for index in range(count):
        source = {"provider": "local", "title": f"docs/guide {index}.md", "excerpt": excerpt}
        sources.append({"id": source_id(source), **source})
    return json.dumps({"knowledge_sources_version": 1, "knowledge_sources": sources})


def check_lean(envelope: object) -> bool:
    """Check what a careful person writes by hand: types and lengths, providers seen once.

    It leaves hexadecimal digits to whoever recomputes the id, and says nothing about blanks,
    controls, URLs or surrogates.
    """
    if type(envelope) is not dict or envelope.get("knowledge_sources_version") != 1:
        return False
    sources = envelope.get("knowledge_sources")
    if type(sources) is not list or len(sources) > 100:
        return False
    seen: set[str] = set()
    return all(_check_lean_source(source, seen) for source in sources)


def _check_lean_source(source: object, seen: set[str]) -> bool:
    if type(source) is not dict:
        return False
    get = source.get
    identifier, provider, title, excerpt = get("id"), get("provider"), get("title"), get("excerpt")
    if type(identifier) is not str or len(identifier) != 32:
        return False
    if type(provider) is not str:
        return False
    if provider not in seen:
        if PROVIDER.match(provider) is None:
            return False
        seen.add(provider)
    if type(title) is not str or not 0 < len(title) <= 512:
        return False
    if type(excerpt) is not str or not 0 < len(excerpt) <= 100_000:
        return False
    return len(source) == 4 or _check_lean_locators(source)


def _check_lean_locators(source: dict[str, object]) -> bool:
    known = 4
    for key, limit in (("dataset_name", 512), ("url", 2048)):
        if key in source:
            value = source[key]
            if type(value) is not str or not 0 < len(value) <= limit:
                return False
            known += 1
    if "page" in source:
        page = source["page"]
        if type(page) is not int or not 0 < page <= 1_000_000:
            return False
        known += 1
    return len(source) == known


def candidates() -> dict[str, Callable[[object], object]]:
    """Return all readers of the same shape."""
    text = files("knowledge_wire").joinpath("schemas/knowledge_sources.v1.json").read_text("utf-8")
    schema = json.loads(text)
    compiled: Callable[[object], object] = fastjsonschema.compile(schema)
    return {
        "knowledge_wire": is_knowledge_sources_envelope,
        "hand-written, lean": check_lean,
        "jsonschema-rs": jsonschema_rs.validator_for(schema).is_valid,
        "pydantic (generated model)": KnowledgeSourcesEnvelope.model_validate,
        "fastjsonschema": compiled,
        "jsonschema": Draft202012Validator(schema).is_valid,
    }


def main() -> int:
    """Print the tables; return 1 if a goal was asked for and missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assert", dest="must_meet", action="store_true", help="fail on a miss")
    parser.add_argument("--rounds", type=int, default=60, help="paired measurements per table")
    options = parser.parse_args()
    goals = Goals()
    readers = candidates()
    for shape, (count, sentence, excerpt_chars) in SHAPES.items():
        text = envelope_text(count, sentence, excerpt_chars)
        ratios = compare(
            readers,
            partial(json.loads, text),
            baseline="knowledge_wire",
            rounds=options.rounds,
            repeat={name: 1 if name == "jsonschema" else 5 for name in readers},
        )
        report(shape, ratios, "knowledge_wire")
        if shape == GOALS_FOR:
            goals.at_least("fastjsonschema / ours", ratios["fastjsonschema"].median, 3)
            goals.at_least("jsonschema / ours", ratios["jsonschema"].median, 40)
            goals.at_most("ours / lean", 1 / ratios["hand-written, lean"].median, 2)
    return 1 if options.must_meet and goals.missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
