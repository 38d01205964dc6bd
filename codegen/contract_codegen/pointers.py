"""JSON Pointers (RFC 6901)."""

from collections.abc import Iterable


def child(pointer: str, key: str) -> str:
    """Return the pointer to a member of what `pointer` names."""
    return f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"


def describe_keys(keys: Iterable[str]) -> str:
    """Return keys of a contract for a message, sorted and quoted."""
    return ", ".join(repr(key) for key in sorted(keys))
