"""Refuse to package a distribution without the TypeScript reader."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

READER = "src/knowledge_contract/_web/reader.mjs"


class CustomBuildHook(BuildHookInterface[Any]):
    """Stop a standard build whose TypeScript reader was not built; editable builds pass."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  # hatchling's signature
        """Stop with one line that names the missing file and the command that makes it."""
        if version == "editable" or Path(self.root, READER).is_file():
            return
        self.app.abort(f"{READER} is missing: run `uv run just setup` (needs Node) first")
