"""Let a report stand on a page with others: what it defines or opens stays its own.

In CommonMark a definition (`[1]: ...`) counts on the whole page, and raw HTML reaches as far as
it likes: it makes anchors, and swallows what follows. So definitions become text, the links that
go by them are written out, and raw HTML becomes text. Everything else stays as it was written.
"""

import re
from functools import cache
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline, html_inline, image, link
from markdown_it.token import Token

__all__ = ["LINE_ENDS", "escape_markup", "isolate"]

LINE_ENDS = re.compile("\r\n|[\r\n]")

_MARKUP = re.compile(r"[\\`*_{}\[\]<>()#+\-.!|~&=:@$^]")
_ROUNDS = 4
"""How often a report is read again, because what became text may uncover more."""
_PROBE = "probe"
_PROBED = [(0, ""), (1, _PROBE), (0, "")]
_FOUND = "found"


class _Edit(NamedTuple):
    """Text in the place of what stands between two offsets."""

    start: int
    end: int
    new: str


class _Found(NamedTuple):
    """A span of a block's content: a link or an image by a definition, or raw HTML.

    Attributes:
        start: Where it starts.
        label_end: Where the bracket stands that closes its label; `start` for raw HTML.
        end: Where it ends.
        target: What stands behind the label instead; None for raw HTML.
    """

    start: int
    label_end: int
    end: int
    target: str | None


def isolate(report: str) -> str:
    """Return a report that neither changes nor swallows what else stands on a page.

    Line ends become LF. A report that resists is shown as it was typed, all of its markup
    escaped.
    """
    text = LINE_ENDS.sub("\n", report).replace("\0", "\ufffd")
    for _ in range(_ROUNDS):
        edits = _edits(text)
        if edits is None:
            break
        if not edits:
            return _contained(text)
        text = _applied(text, edits)
    return "\n".join(escape_markup(line.strip(" \t")) for line in text.split("\n"))


def escape_markup(line: str) -> str:
    """Return a line as text that Markdown shows as it is."""
    return _MARKUP.sub(r"\\\g<0>", line)


def _edits(text: str) -> list[_Edit] | None:
    """Return what has to change; None where a place cannot be found."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    env: dict[str, Any] = {}
    parser = _parser()
    edits: list[_Edit] = []
    for token in parser.parse(text, env):
        first, last = token.map or (0, 0)
        if token.type == "definition":
            edits += _escaped(lines[first : first + 1], starts[first], "[")[:1]
        elif token.type == "html_block":
            edits += _escaped(lines[first:last], starts[first], "<")
        elif token.type == "inline" and ("<" in token.content or "references" in env):
            found = _found(parser, token, env)
            places = _places(token, lines, starts) if found else []
            if places is None:
                return None
            edits += [each for one in found for each in _edit(one, places)]
    return edits


def _escaped(lines: list[str], start: int, mark: str) -> list[_Edit]:
    """Return edits that make text of every such mark."""
    spelt = {"[": "\\[", "<": "&lt;"}[mark]
    found = re.finditer(re.escape(mark), "\n".join(lines))
    return [_Edit(start + each.start(), start + each.end(), spelt) for each in found]


def _found(parser: MarkdownIt, token: Token, env: dict[str, Any]) -> list[_Found]:
    own = {**env, _FOUND: []}
    parser.inline.parse(token.content, parser, own, [])
    return [each for content, each in own[_FOUND] if content == token.content]


def _edit(found: _Found, places: list[int]) -> list[_Edit]:
    if found.target is None:
        start = places[found.start]
        return [_Edit(start, start + 1, "&lt;")]
    # One behind the last character, because a line may end there.
    end = places[found.end - 1] + 1
    return [_Edit(places[found.label_end] + 1, end, found.target)]


def _places(token: Token, lines: list[str], starts: list[int]) -> list[int] | None:
    """Return where each character of a block's content stands in the text."""
    first = token.map[0] if token.map else 0
    places: list[int] = []
    for number, content in enumerate(token.content.split("\n"), start=first):
        # Tabs that belong in part to a container are blanks in the content.
        bare = content.lstrip(" \t")
        at = lines[number].rfind(bare) if number < len(lines) else -1
        if at < 0:
            return None
        blanks = len(content) - len(bare)
        begin = starts[number] + at
        places += [begin] * blanks
        places += range(begin, begin + len(bare) + 1)
    return places


def _applied(text: str, edits: list[_Edit]) -> str:
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits):
        # A link in the label of another, or in what another goes by.
        if edit.start >= at:
            pieces += [text[at : edit.start], edit.new]
            at = edit.end
    return "".join([*pieces, text[at:]])


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"inline_definitions": True})
    parser.disable(["inline", "text_join"])
    parser.inline.ruler.at("link", _link)
    parser.inline.ruler.at("image", _image)
    parser.inline.ruler.at("html_inline", _html)
    return parser


def _link(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the parser's own signature
    return _noted(state, silent, link, "link_open", "href", 0)


def _image(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the parser's own signature
    return _noted(state, silent, image, "image", "src", 1)


def _noted(  # noqa: PLR0913, PLR0917 - one rule of the parser and how it is told
    state: StateInline,
    silent: bool,  # noqa: FBT001 - the parser's own
    rule: Any,
    kind: str,
    key: str,
    opening: int,
) -> bool:
    """Run a rule, and note what it found if that goes by a definition."""
    start, count = state.pos, len(state.tokens)
    if not rule(state, silent):
        return False
    if not silent and state.src[state.pos - 1] == "]":
        token = next(each for each in state.tokens[count:] if each.type == kind)
        label_end = state.md.helpers.parseLinkLabel(state, start + opening, not opening)
        target = _target(str(token.attrGet(key)), str(token.attrGet("title") or ""))
        _note(state, _Found(start, label_end, state.pos, target))
    return True


def _html(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the parser's own signature
    start = state.pos
    if not html_inline(state, silent):
        return False
    if not silent:
        _note(state, _Found(start, start, state.pos, None))
    return True


def _note(state: StateInline, found: _Found) -> None:
    # The label of an image is read on its own, and has offsets of its own.
    if _FOUND in state.env:
        state.env[_FOUND].append((state.src, found))


def _target(href: str, title: str) -> str:
    """Return the destination and title of a link, written out."""
    spelt = f"<{href.replace('&', '&amp;')}>"
    if not title:
        return f"({spelt})"
    quoted = re.sub(r"[\\\"&<]", r"\\\g<0>", " ".join(title.split()))
    return f'({spelt} "{quoted}")'


def _contained(report: str) -> str:
    """Return a report after which Markdown goes on as before it."""
    last = _parser().parse(f"{report}\n\n{_PROBE}\n")[-3:]
    if [(token.level, token.content) for token in last] == _PROBED:
        return report
    return "\n".join(f"> {line}" for line in report.split("\n"))
