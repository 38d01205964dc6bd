"""Cases of messages as wholes: what is a tool message, its text, its artifact, its form."""

import json
from collections.abc import Iterator

from contract_vectors.case import Case, Theme, encode, joined
from contract_vectors.samples import Document, envelope, without
from contract_vectors.tool_messages import (
    ASK,
    LIST,
    cited,
    entry,
    handle,
    in_shared,
    reads,
    shared_message,
)

RECORD = cited()
TEXT = entry(RECORD)
MESSAGE = shared_message(TEXT, RECORD)
FOUND = [in_shared(RECORD)]
LOOSE = [in_shared(RECORD, "message")]
NO_HANDLE = [("handle", f"{LIST}/0")]


def theme() -> Theme:
    """Return the cases of `message-shapes.json`."""
    description = "Tool messages as wholes: type, text, artifact and form."
    cases = joined(_good(), _types(), _roots(), _texts(), _blocks(), _artifacts(), _forms())
    return Theme("message-shapes", description, joined(cases, _versions(), _parsing()))


def _changed(**changes: object) -> Document:
    return {**MESSAGE, **changes}


def _good() -> Iterator[Case]:
    for name, message in (
        ("plain", MESSAGE),
        ("other-keys", _changed(id="m1", tool_call_id="c1", status="error", data={}, lc=1)),
        ("without-name", without(MESSAGE, "name")),
        ("name-null", _changed(name=None)),
        ("name-number", _changed(name=7)),
        ("name-of-a-native-tool", _changed(name="task")),
        ("role-human", _changed(role="human")),
        ("keys-reversed", dict(reversed(MESSAGE.items()))),
        ("open-artifact", _changed(artifact={**envelope(RECORD), "__proto__": {}, "text": [1]})),
        ("depth-64", _changed(data=json.loads("[" * 63 + "]" * 63))),
    ):
        note = "Only type, content, name and artifact matter, and the name only to native records."
        yield reads(f"shape-{name}", message, FOUND, note)


def _types() -> Iterator[Case]:
    for name, value in (
        ("human", "human"),
        ("ai", "ai"),
        ("system", "system"),
        ("function", "function"),
        ("class-name", "ToolMessage"),
        ("chunk", "ToolMessageChunk"),
        ("upper-case", "TOOL"),
        ("blank-behind", "tool "),
        ("empty", ""),
        ("null", None),
        ("true", True),
        ("list", ["tool"]),
    ):
        yield reads(f"type-{name}", _changed(type=value), [], "Only the type `tool` is read.")
    bare = without(MESSAGE, "type")
    for name, message in (
        ("absent", bare),
        ("role-instead", {**bare, "role": "tool"}),
        ("role-beside-human", _changed(type="human", role="tool")),
    ):
        yield reads(f"type-{name}", message, [], "A role is no type.")


def _roots() -> Iterator[Case]:
    kwargs = without(MESSAGE, "type")
    for name, root in (
        ("null", None),
        ("true", True),
        ("number", 1),
        ("string", "tool"),
        ("list", [MESSAGE]),
        ("empty-object", {}),
        ("data-form", {"type": "tool", "data": kwargs}),
        ("constructor", {"lc": 1, "type": "constructor", "id": ["ToolMessage"], "kwargs": MESSAGE}),
        ("wrapped", {"message": MESSAGE}),
    ):
        yield reads(f"root-{name}", root, [], "Anything else than one message has no evidence.")


def _texts() -> Iterator[Case]:
    values: tuple[tuple[str, object], ...] = (
        ("null", None),
        ("number", 1),
        ("true", True),
        ("object", {"text": TEXT}),
    )
    note = "Content that is no string and no list is no text: nothing is read."
    for name, value in values:
        yield reads(f"content-{name}", _changed(content=value), [], note)
    yield reads("content-absent", without(MESSAGE, "content"), [], note)
    texts: tuple[tuple[str, object], ...] = (
        ("empty", ""),
        ("empty-list", []),
        ("excerpt-only", ASK),
    )
    note = "A text without the handle proves nothing."
    for name, value in texts:
        yield reads(f"content-{name}", _changed(content=value), [], note, refused=NO_HANDLE)


def _blocks() -> Iterator[Case]:
    head, text_type = f"[1] {handle(RECORD)}", {"type": "text"}
    whole, first, second = (
        {**text_type, "text": TEXT},
        {**text_type, "text": head},
        {**text_type, "text": ASK},
    )
    image = {"type": "image", "text": "no text", "url": "https://example.com/"}
    for name, blocks, evidence, note in (
        ("one", [whole], FOUND, "A text block is text."),
        ("string", [TEXT], FOUND, "A string among the blocks is text."),
        ("two", [first, second], FOUND, "Blocks are joined by LF."),
        ("string-and-block", [head, second], FOUND, "Blocks are joined by LF."),
        ("image-between", [first, image, second], FOUND, "Other blocks leave no trace."),
        ("null-between", [first, None, 7, [], second], FOUND, "What is no block leaves no trace."),
        (
            "empty-between",
            [first, {**text_type, "text": ""}, second],
            LOOSE,
            "An empty text is a line.",
        ),
        ("swapped", [second, first], LOOSE, "The order of blocks counts."),
        ("more-keys", [{**whole, "id": "b1", "annotations": []}], FOUND, "Blocks are open."),
    ):
        yield reads(f"blocks-{name}", _changed(content=blocks), evidence, note)
    for name, block in (
        ("without-type", {"text": TEXT}),
        ("type-upper-case", {"type": "Text", "text": TEXT}),
        ("type-null", {"type": None, "text": TEXT}),
        ("type-reasoning", {"type": "reasoning", "text": TEXT}),
        ("type-output", {"type": "output_text", "text": TEXT}),
        ("text-list", {"type": "text", "text": [TEXT]}),
        ("text-under-content", {"type": "text", "content": TEXT}),
        ("nested-list", [whole]),
    ):
        note = "Only blocks of type `text` with a string under `text` are text."
        yield reads(f"blocks-{name}", _changed(content=[block]), [], note, refused=NO_HANDLE)
    split = cited("First line.\nSecond line.")
    parts = [f"{handle(split)}\nFirst line.", "Second line."]
    yield reads(
        "blocks-excerpt-over-two",
        shared_message(parts, split),
        [in_shared(split)],
        "An excerpt may go on in the next block.",
    )


def _artifacts() -> Iterator[Case]:
    good = envelope(RECORD)
    for name, message in (
        ("absent", without(MESSAGE, "artifact")),
        ("null", _changed(artifact=None)),
        ("true", _changed(artifact=True)),
        ("string", _changed(artifact=json.dumps(good))),
        ("list", _changed(artifact=[good])),
        ("empty", _changed(artifact={})),
        ("nested", _changed(artifact={"artifact": good})),
        ("upper-case", {**without(MESSAGE, "artifact"), "Artifact": good}),
        ("flat", {**without(MESSAGE, "artifact"), **good}),
        ("additional-kwargs", _changed(artifact=None, additional_kwargs={"artifact": good})),
    ):
        note = "Evidence stands in the message's own artifact, an object, and nowhere else."
        yield reads(f"artifact-{name}", message, [], note)


def _forms() -> Iterator[Case]:
    records = [RECORD]
    for name, artifact in (
        ("null", envelope(knowledge_sources=None)),
        ("string", envelope(knowledge_sources="x")),
        ("true", envelope(knowledge_sources=True)),
        ("record-itself", envelope(knowledge_sources=RECORD)),
        ("by-position", envelope(knowledge_sources={"0": RECORD})),
        ("absent", {"knowledge_sources_version": 1, "sources": records}),
        ("other-case", {"knowledge_sources_version": 1, "knowledgeSources": records}),
        ("two-lists", envelope(RECORD, retrieval_sources=[])),
        ("two-full-lists", envelope(RECORD, retrieval_sources=records)),
        ("null-beside", envelope(RECORD, retrieval_sources=None)),
        ("object-beside", envelope(RECORD, retrieval_sources={})),
        ("empty-list", envelope()),
    ):
        note = "A combination that the table of forms lacks is no evidence, and no refusal."
        yield reads(f"form-{name}", _changed(artifact=artifact), [], note)


def _versions() -> Iterator[Case]:
    note = "A version is told as any number is, and only 1 is known."
    for name, literal in (("1.0", "1.0"), ("1e0", "1e0"), ("10e-1", "10e-1")):
        data = _with_version(literal)
        yield reads(f"version-{name}", data, FOUND, note)
    for name, literal in (
        ("0", "0"),
        ("2", "2"),
        ("1.5", "1.5"),
        ("minus-1", "-1"),
        ("true", "true"),
        ("string", '"1"'),
        ("null", "null"),
        ("list", "[1]"),
    ):
        yield reads(f"version-{name}", _with_version(literal), [], note)
    artifact = {"knowledge_sources": [RECORD]}
    yield reads("version-absent", _changed(artifact=artifact), [], note)


def _with_version(literal: str) -> bytes:
    data = encode(_changed(artifact=envelope(RECORD, knowledge_sources_version="?")))
    return data.replace(b'"?"', literal.encode())


def _parsing() -> Iterator[Case]:
    good = encode(MESSAGE)
    for name, data, rule in (
        ("empty", b"", "json"),
        ("cut", good[:-1], "json"),
        ("type-twice", b'{"type":"tool",' + good[1:], "json"),
        ("byte-order-mark", b"\xef\xbb\xbf" + good, "json"),
        ("depth-65", encode(_changed(data=json.loads("[" * 64 + "]" * 64))), "json"),
        ("not-a-number", good[:-1] + b',"data":NaN}', "json"),
        ("two-lines", good + b"\n" + good, "json"),
        ("broken-utf-8", good.replace(b"Ask", b"\xff"), "unicode"),
        ("surrogate-in-text", good.replace(b"[1]", rb"\ud800"), "unicode"),
        ("surrogate-in-another-key", good[:-1] + rb',"data":"\udc00"}', "unicode"),
    ):
        note = "A message that does not parse is refused as a whole, at the empty pointer."
        yield reads(f"parse-{name}", data, [], note, refused=[(rule, "")])
    escaped = good.replace(b"(#knowledge-source-", rb"\u0028\u0023knowledge\u002dsource-")
    yield reads("parse-escapes", escaped, FOUND, "Escapes are gone before anything is searched.")
    yield reads("parse-blanks", b" \r\n\t" + good + b"\n", FOUND, "Blanks around JSON are legal.")
