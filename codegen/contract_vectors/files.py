"""The vector files: made, written, compared."""

import difflib
import json
from pathlib import Path

from contract_vectors import (
    artifacts,
    blanks,
    capabilities,
    controls,
    envelope,
    ids,
    message_bindings,
    message_mixed,
    message_native,
    message_shapes,
    message_shared,
    native,
    numbers,
    parsing,
    scopes,
    strings,
    urls,
    wellformed,
)
from contract_vectors.case import Theme

THEMES = (
    envelope.theme,
    strings.theme,
    blanks.theme,
    controls.theme,
    wellformed.theme,
    urls.theme,
    numbers.theme,
    parsing.theme,
    native.theme,
    artifacts.theme,
    capabilities.theme,
    scopes.theme,
    ids.theme,
    message_shapes.theme,
    message_shared.theme,
    message_bindings.theme,
    message_native.theme,
    message_mixed.theme,
)
_LONGEST_DIFF_LINE = 200


def render_files() -> dict[str, str]:
    """Return the text of every vector file by its name."""
    return {f"{theme.name}.json": _render(theme) for theme in (make() for make in THEMES)}


def _render(theme: Theme) -> str:
    document = {
        "description": theme.description,
        "vectors": [case.vector() for case in theme.cases],
    }
    return json.dumps(document, ensure_ascii=True, indent=1) + "\n"


def write_files(folder: Path) -> None:
    """Write every vector file and remove JSON files that no theme makes."""
    files = render_files()
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.json"):
        if path.name not in files:
            path.unlink()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def find_drift(folder: Path) -> list[str]:
    """Return lines that say how the folder differs from the cases; none if it does not."""
    files = render_files()
    present = {path.name: path.read_bytes() for path in sorted(folder.glob("*.json"))}
    lines = [f"extra file: {name}" for name in present if name not in files]
    for name, text in files.items():
        if name not in present:
            lines.append(f"missing file: {name}")
        elif present[name] != text.encode():
            lines.append(f"edited file: {name}")
            lines.extend(_diff(name, present[name].decode("utf-8", "replace"), text))
    return lines


def _diff(name: str, present: str, made: str) -> list[str]:
    diff = difflib.unified_diff(
        present.splitlines(), made.splitlines(), name, f"{name} (from the cases)", lineterm=""
    )
    return [line[:_LONGEST_DIFF_LINE] for line in diff]
