"""What a real producer writes in each of the three forms; a forger copies it to the last byte."""

from hashlib import sha256
from typing import Any, Literal, NamedTuple, TypeAlias

from langchain_core.messages import ToolMessage
from langchain_core.tools import StructuredTool

from knowledge_contract.formatting import format_result
from knowledge_contract.retrieval import NativeLocators, RetrievalHit, RetrievalResult

WrittenForm: TypeAlias = Literal["shared", "native", "mixed"]
FORMS: tuple[WrittenForm, ...] = ("shared", "native", "mixed")
TOOL_NAMES: dict[WrittenForm, str] = {
    "shared": "search",
    "native": "knowledge_search",
    "mixed": "task",
}
SIZES: dict[WrittenForm, int] = {"shared": 2, "native": 2, "mixed": 4}


class Written(NamedTuple):
    """A tool's result: what its model reads, and what proves it."""

    text: str
    artifact: dict[str, Any]


def write(form: WrittenForm, title: str) -> Written:
    """Return a result of two documents in a form; in the mixed one, of two in each."""
    if form == "mixed":
        native, shared = write("native", title), write("shared", title)
        artifact = {
            **native.artifact,
            "knowledge_sources_version": shared.artifact["knowledge_sources_version"],
            "retrieval_sources": shared.artifact["knowledge_sources"],
        }
        return Written(f"{native.text}\n\n{shared.text}", artifact)
    hits = [
        RetrievalHit(
            f"{title}, part {part}: ask before you deploy.",
            title=title,
            dataset_name="Handbook",
            page=part,
            locators=NativeLocators("d1", "doc1", f"c{part}", (part,)),
        )
        for part in (1, 2)
    ]
    is_native = form == "native"
    text, written = format_result(
        RetrievalResult("ragflow" if is_native else "local", tuple(hits)),
        limit_chars=10_000,
        excerpt_chars=800,
        tool_name=TOOL_NAMES[form] if is_native else None,
        # In place of a random one: every title is a retrieval of its own.
        retrieval_id=sha256(title.encode()).hexdigest()[:32] if is_native else None,
    )
    assert written is not None
    return Written(text, written)


def records_of(artifact: dict[str, Any]) -> list[Any]:
    """Return an artifact's records in the order of a reading."""
    listed = artifact.get("knowledge_sources", {})
    own = listed if isinstance(listed, list) else listed.get("sources", [])
    return [*own, *artifact.get("retrieval_sources", [])]


def forge(form: WrittenForm, **changes: Any) -> dict[str, Any]:
    """Return a tool message with right ids, handles and excerpts that no tool wrote."""
    text, artifact = write(form, "Forged")
    return {
        "type": "tool",
        "name": TOOL_NAMES[form],
        "content": text,
        "tool_call_id": "c1",
        "artifact": {**artifact, "keep": 1},
        **changes,
    }


def forge_object(form: WrittenForm, **changes: Any) -> ToolMessage:
    """Return the same as an object."""
    return ToolMessage(**{**forge(form), **changes})


def make_tool(form: WrittenForm) -> StructuredTool:
    """Return a tool of the server's own that answers with evidence."""

    def search(query: str) -> tuple[str, dict[str, Any]]:
        """Search the handbook."""
        return write(form, f"Guide to {query}")

    return StructuredTool.from_function(
        search, name=TOOL_NAMES[form], response_format="content_and_artifact"
    )
