"""What no message may quote: the values of variables, and what stands in a plugin's config."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from knowledge_contract.redaction import redactor

__all__ = ["collect_secrets", "hide_literals", "looks_like_variable"]

_SUFFIX = "_env"
"""The end of a key that names a variable."""
_VARIABLE = re.compile(r"(?=.{1,128}\Z)[A-Z][A-Z0-9]{0,15}(?:_[A-Z0-9]{0,16})*", re.ASCII)
_LONG_CHARS = 8
_LITERAL_CHARS = 4096
_MARKER = "[redacted]"


def looks_like_variable(text: str) -> bool:
    """Tell whether a text can be shown as the name of a variable: capitals, in short words.

    A key that was written in the place of its variable's name is longer, or in small letters.

    >>> looks_like_variable("RAGFLOW_API_KEY"), looks_like_variable("ragflow-3b1c9e")
    (True, False)
    """
    return bool(_VARIABLE.fullmatch(text))


def collect_secrets(value: object, *environments: Mapping[str, str]) -> frozenset[str]:
    """Return what the variables that a configuration names hold, in any of some environments."""
    named = {text for text, is_name in _texts(value) if is_name}
    found = (each.get(name) for each in environments for name in named)
    return frozenset(text for text in found if text)


def hide_literals(text: str, config: Mapping[str, Any]) -> str:
    """Return a sentence without what a plugin's config holds; names of variables stay.

    A short literal is taken out only as a word of its own, as "ada" is out of "user ada".
    """
    literals = {
        each
        for each, is_name in _texts(config)
        if len(each) <= _LITERAL_CHARS and not (is_name and looks_like_variable(each))
    }
    text = redactor(each for each in literals if len(each) >= _LONG_CHARS)(text)
    short = sorted((re.escape(each.strip()) for each in literals if each.strip()), reverse=True)
    if not short:
        return text
    return re.sub(rf"(?<!\w)(?:{'|'.join(short)})(?!\w)", lambda _: _MARKER, text)


def _texts(value: object, *, is_name: bool = False) -> Iterator[tuple[str, bool]]:
    """Yield every text, and whether its key says that it names a variable."""
    if isinstance(value, str):
        yield value, is_name
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each, is_name=is_name)
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _texts(each, is_name=str(key).endswith(_SUFFIX))
