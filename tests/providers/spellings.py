"""How a server, a log or a trace may spell a key."""

import json

__all__ = ["spellings"]


def spellings(key: str) -> tuple[str, ...]:
    """Return a key as it is, in JSON, in a URL, and as httpcore logs a header."""
    in_url = key.replace("/", "%2F").replace('"', "%22")
    return (key, json.dumps(key)[1:-1], in_url, repr(key.encode())[2:-1])
