"""What a message is to a reader: type, name, text and artifact, of dicts and of objects alike.

By duck typing, so that no framework is imported. Nothing here raises for any message.
"""

from typing import TypeAlias

__all__ = ["ToolMessage", "block_text", "read_tool_message"]


ToolMessage: TypeAlias = tuple[str | None, str, dict[str, object]]
"""The parts of a tool message that carry evidence: its tool's name, its text, its artifact.

A bare tuple, because one is made for every message of a thread; the artifact is exactly a dict.
"""


def read_tool_message(message: object) -> ToolMessage | None:
    """Return the parts of a tool message with an artifact; None for every other value."""
    if type(message) is dict:
        get = message.get
        kind, artifact = get("type"), get("artifact")
        if type(kind) is not str or kind != "tool" or type(artifact) is not dict:
            return None
        content, name = get("content"), get("name")
    else:
        # An object's own attributes may be properties that fail; that message has no evidence.
        try:
            kind = getattr(message, "type", None)
            artifact = getattr(message, "artifact", None)
            if type(kind) is not str or kind != "tool" or type(artifact) is not dict:
                return None
            content, name = getattr(message, "content", None), getattr(message, "name", None)
        except Exception:  # noqa: BLE001 - a foreign property may raise anything; readers never do
            return None
    text = _text(content)
    if text is None:
        return None
    return name if type(name) is str else None, text, artifact


def _text(content: object) -> str | None:
    if type(content) is str:
        return content
    if type(content) is not list:
        return None
    return "\n".join(block for each in content if (block := block_text(each)) is not None)


def block_text(block: object) -> str | None:
    """Return the text of one block of a message's content; None if it is no text."""
    if type(block) is str:
        return block
    if type(block) is not dict:
        return None
    kind, text = block.get("type"), block.get("text")
    return text if type(kind) is str and kind == "text" and type(text) is str else None
