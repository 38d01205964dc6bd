"""Where something stands in a configuration, and what is wrong there."""

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from typing import NamedTuple

__all__ = ["Path", "Places", "Unusable", "find_near", "render_path", "suggest"]

Path = tuple[str | int, ...]
"""Keys and indices (from 0) from the root."""

_KEY_CHARS = 64


class Unusable(Exception):
    """An entry that cannot be used; never leaves the host.

    Attributes:
        sentence: What is wrong and what to do, without the refused value.
        path: Where, below the entry that is being read.
    """

    def __init__(self, sentence: str, *, path: Path = ()) -> None:
        self.sentence = sentence
        self.path = path
        super().__init__(sentence)


class Places(NamedTuple):
    """The lines of a file, by path.

    Attributes:
        file: As the operator wrote it.
        lines: The line (from 1) of each key and item.
        redact: Takes out of every message what none may quote.
    """

    file: str
    lines: Mapping[Path, int]
    redact: Callable[[str], str] = str

    def problem(self, path: Path, sentence: str) -> str:
        """Return one line that says where and what."""
        said = [self.redact(each) for each in (render_path(path), sentence) if each]
        return _one_line(": ".join([self.at(path), *said]))

    def at(self, path: Path) -> str:
        """Return the file and line of a path, or of what is nearest above it."""
        while path and path not in self.lines:
            path = path[:-1]
        return f"{self.file}:{self.lines.get(path, 1)}"


def render_path(path: Path) -> str:
    """Return a path as people write it.

    >>> render_path(("tools", 0, "provider"))
    'tools[0].provider'
    """
    text = ""
    for step in path:
        key = step if isinstance(step, int) else step[:_KEY_CHARS]
        text += f"[{key}]" if isinstance(key, int) else f".{key}" if text else key
    return text


def _one_line(text: str) -> str:
    # Keys and names are the operator's text, and may hold anything.
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


def find_near(word: str, known: Iterable[str], *, likeness: float = 0.6) -> list[str]:
    """Return the known word that was probably meant, if there is one.

    Args:
        word: What was written.
        known: What may be written.
        likeness: From 0 to 1; the share of letters that have to agree.
    """
    return get_close_matches(word[:_KEY_CHARS], sorted(known), n=1, cutoff=likeness)


def suggest(near: list[str]) -> str:
    """Return the end of a sentence that names what `find_near` found.

    >>> suggest(find_near("provder", ["provider", "group"]))
    '; did you mean `provider`?'
    """
    return f"; did you mean `{near[0]}`?" if near else ""
