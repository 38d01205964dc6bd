"""JSON Pointers (RFC 6901), for readers whose libraries name places in other ways."""

from collections.abc import Iterable


def pointer_to(steps: Iterable[str | int]) -> str:
    """Return the pointer that follows keys and indices from the document's root.

    >>> pointer_to(["a/b", 0])
    '/a~1b/0'
    """
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)
