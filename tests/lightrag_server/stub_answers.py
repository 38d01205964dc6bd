"""What the stub models answer: a pure function of what they are asked.

- Embeddings are hashed bags of words, CJK characters, their pairs, and emoji: texts that share
  words are near one another, others are not.
- An entity is a run of two or more capitalised words, or a name in CJK corner brackets. The first
  one of a sentence is related to every other one in it; the sentence describes all of them.
- A query that holds `NO_KEYWORDS` gets none, and one that holds `MODEL_FAILS` an error.
- One that holds `HOLD` is answered when the test says so.
"""

import hashlib
import json
import math
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

NO_KEYWORDS = "STUB_EMPTY_KEYWORDS"
MODEL_FAILS = "STUB_FAIL"
HOLD = "STUB_HOLD"

_DELIMITER, _COMPLETE = "<|#|>", "<|COMPLETE|>"
_UPPER = "A-ZÀ-ÖØ-Þ"
_ENTITY = re.compile(rf"「([^」\n]+)」|([{_UPPER}][\w’'-]*(?: [{_UPPER}][\w’'-]*)+)")
_LEADING = re.compile(r"^(?:The|A|An|In|At|On|When|After) ")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s*|\n+")
_WORD = re.compile(r"[^\W_]+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_EMOJI = re.compile(r"[\u2600-\u27bf\U0001f300-\U0001faff]")
_STOP = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at by did do does for from how in is it of on or that the to was were"
        " what when where which who why with",
    )
)
_KEYWORDS = 8

Message: TypeAlias = dict[str, str]


class StubModelError(Exception):
    """The model was told to fail."""


class Relation(NamedTuple):
    """One row of an extraction, in the order in which LightRAG reads it."""

    source: str
    target: str
    keywords: str
    description: str


def features(text: str) -> list[str]:
    """Return what a text is compared by."""
    found: list[str] = []
    for word in _WORD.findall(text.lower()):
        cjk = _CJK.findall(word)
        if cjk:
            found += [*cjk, *map("".join, pairwise(cjk))]
        elif word not in _STOP:
            found.append(word)
    return found + _EMOJI.findall(text)


def embed(text: str, dimensions: int) -> list[float]:
    """Return a vector of length 1."""
    vector = [0.0] * dimensions
    for feature in features(text) or ["(nothing)"]:
        digest = hashlib.blake2b(feature.encode(), digest_size=8).digest()
        number = int.from_bytes(digest, "big")
        vector[number % dimensions] += 1.0 if number >> 63 else -1.0
    norm = math.hypot(*vector) or 1.0
    return [each / norm for each in vector]


def chat(messages: Sequence[Message]) -> str:
    """Answer one of the prompts that LightRAG sends while it indexes and searches.

    Raises:
        StubModelError: The query asks for it.
    """
    system = "\n".join(each["content"] for each in messages if each["role"] == "system")
    user = next(each["content"] for each in reversed(messages) if each["role"] == "user")
    if "expert keyword extractor" in user:
        return _keywords(_between(user.rpartition("User Query:")[2], "", "---Output---"))
    if "extracting entities and relationships" in system:
        return _extraction(_between(user, "---Input Text---\n```", "```"))
    if "synthesize a list of descriptions" in user:
        listed = _between(user, "Description List:\n\n```", "```").splitlines()
        return " ".join(json.loads(line)["Description"] for line in listed if line.strip())
    return "Stub answer."


def _between(text: str, start: str, end: str) -> str:
    rest = text.partition(start)[2] if start else text
    return rest.rpartition(end)[0].strip()


def _keywords(query: str) -> str:
    if MODEL_FAILS in query:
        raise StubModelError
    words = [each for each in _unique(features(query)) if len(each) > 1 or _EMOJI.match(each)]
    high, low = words[:_KEYWORDS], _entities(query) or words[:_KEYWORDS]
    if NO_KEYWORDS in query:
        high, low = [], []
    answer = {"high_level_keywords": high, "low_level_keywords": low}
    return json.dumps(answer, ensure_ascii=False)


def _extraction(text: str) -> str:
    described: dict[str, str] = {}
    relations: list[Relation] = []
    for sentence in map(str.strip, _SENTENCE_END.split(text)):
        names = _entities(sentence)
        words = [each for each in features(sentence) if len(each) > 3][:2] or ["link"]
        for name in names:
            described.setdefault(name, sentence)
        relations += [Relation(names[0], other, ", ".join(words), sentence) for other in names[1:]]
    rows: list[tuple[str, ...]] = [
        ("entity", name, "Concept", sentence) for name, sentence in described.items()
    ]
    rows += [("relation", *each) for each in relations]
    return "\n".join([*map(_DELIMITER.join, rows), _COMPLETE])


def _entities(text: str) -> list[str]:
    names = (
        match[1] or _LEADING.sub("", match[2])
        for match in _ENTITY.finditer(text)
        # One word is left of "The Harbour".
        if match[1] or " " in _LEADING.sub("", match[2])
    )
    return _unique(names)


def _unique(items: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(items))
