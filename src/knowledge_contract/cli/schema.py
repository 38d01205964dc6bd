"""The contract's schema, as the package carries it."""

import json
from importlib.resources import files
from typing import Any

from knowledge_wire.constants import CONTRACT_FILE


def load_schema() -> dict[str, Any]:
    """Return the whole schema, parsed."""
    path = files("knowledge_wire") / "schemas" / CONTRACT_FILE
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return schema
