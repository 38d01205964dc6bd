"""The words and marks of a tool's text that one module writes and another recognises."""

__all__ = ["LAYOUT_KEY", "RELATIONS", "SEPARATOR", "UNCITED", "omission_notice"]

SEPARATOR = "\n\n"
"""What parts entries: one blank line, which nothing outside proven excerpts holds."""

UNCITED = "no source to cite"
"""What the first line of an entry without a citation says, in its closing parentheses."""

LAYOUT_KEY = "knowledge_layout"
"""The artifact's key that names how entries depend on each other; not a reserved one."""

RELATIONS = "relations"
"""Entries name earlier ones by position, so that text is only ever cut at its end."""


def omission_notice(omitted: int) -> str:
    """Return the line that says how many entries, at least one, are missing."""
    return f"{omitted} more result{'s' if omitted > 1 else ''} left out to fit the limit."
