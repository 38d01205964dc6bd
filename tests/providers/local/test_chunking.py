"""Chunks follow the document's structure and hold its text word for word."""

import time
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from knowledge_contract._text import normalize_text
from knowledge_contract.providers.local.chunking import chunk_blocks
from knowledge_contract.providers.local.markdown import read_markdown
from knowledge_contract.providers.local.plain import read_plain
from knowledge_contract.providers.local.records import Block, Chunk, Title

MARKDOWN_PIECES = st.sampled_from(
    [
        *(
            "# One\n\n",
            "## Two\n",
            "Word word. ",
            "漢字かな。",
            "\n\n",
            "\n",
            "- item\n",
            "1. one\n",
        ),
        *("```\ncode\n\ncode\n```\n", "|a|b|\n|-|-|\n|1|2|\n", "> quote\n", "    indented\n"),
        *("Title\n===\n", "***\n", "<div>\n", "[a]: http://b.example\n", "\u2028", "\t", "e\u0301"),
    ]
)


def blocks_of(markdown: str) -> Iterator[Block]:
    return (item for item in read_markdown(markdown) if isinstance(item, Block))


def chunks_of(markdown: str, chunk_chars: int = 1000) -> list[Chunk]:
    return list(chunk_blocks(blocks_of(markdown), chunk_chars=chunk_chars))


def texts_of(markdown: str, chunk_chars: int) -> list[str]:
    return [chunk.text for chunk in chunks_of(markdown, chunk_chars)]


def squeezed(text: str) -> str:
    return "".join(normalize_text(text).split())


@given(st.lists(MARKDOWN_PIECES, max_size=40).map("".join), st.integers(1, 60))
def test_markdown_chunks_are_verbatim_and_lose_nothing_but_rules(text: str, size: int) -> None:
    source = normalize_text(text)

    chunks = chunks_of(source, size)

    assert all(chunk.text in source and len(chunk.text) <= 3 * size for chunk in chunks)
    kept = "".join(squeezed(chunk.text) for chunk in chunks).replace("***", "")
    assert kept == squeezed(source).replace("***", "")


@given(st.text(alphabet="ab.。 \n\t!漢\u0301", max_size=300), st.integers(1, 40))
def test_plain_chunks_hold_the_whole_text_within_the_size(text: str, size: int) -> None:
    source = normalize_text(text)

    chunks = list(chunk_blocks(read_plain(source), chunk_chars=size))

    assert all(chunk.text in source and len(chunk.text) <= size for chunk in chunks)
    assert "".join(squeezed(chunk.text) for chunk in chunks) == squeezed(source)


def test_heading_starts_a_chunk_and_stays_with_its_text() -> None:
    text = "# A\n\n" + "Alpha beta. " * 5 + "\n\n## B\n\n" + "Gamma delta. " * 5

    assert texts_of(text, 100) == [
        "# A\n\n" + "Alpha beta. " * 4 + "Alpha beta.",
        "## B\n\n" + "Gamma delta. " * 4 + "Gamma delta.",
    ]


def test_short_sections_share_a_chunk() -> None:
    text = "# A\n\nOne.\n\n## B\n\nTwo."

    assert texts_of(text, 1000) == [text]


def test_chunk_knows_the_headings_it_stands_under() -> None:
    text = (
        "# A\n\n## B *b*\n\n" + "Long enough. " * 8 + "\n\n" + "More text. " * 9 + "\n\n# C\n\nEnd."
    )

    assert [chunk.headings for chunk in chunks_of(text, 110)] == ["A\nB b", "A\nB b", "C"]


def test_long_paragraph_is_cut_at_the_ends_of_sentences() -> None:
    assert texts_of("First one here. Second (two!) Third? Fourth.", 30) == [
        "First one here. Second (two!)",
        "Third? Fourth.",
    ]


def test_long_chinese_paragraph_is_cut_at_the_ends_of_sentences() -> None:
    assert texts_of("他说：「明天来。」我们等他。天黑了。", 9) == [
        "他说：「明天来。」",
        "我们等他。天黑了。",
    ]


def test_text_without_sentences_is_cut_between_words() -> None:
    assert texts_of("alpha beta gamma delta", 12) == ["alpha beta", "gamma delta"]


def test_letter_is_never_cut_from_its_marks() -> None:
    assert texts_of("aaae\u0301bbb", 4) == ["aaa", "e\u0301bb", "b"]


def test_text_made_of_marks_is_cut_in_a_short_time() -> None:
    started = time.process_time()

    pieces = texts_of("a" + "\u0301" * 40_000, 1200)

    assert time.process_time() - started < 2
    assert len(pieces) == 34


def test_hostile_front_matter_takes_a_short_time() -> None:
    front = "title: a" + " " * 400_000 + "b"
    started = time.process_time()

    (title, *_) = read_markdown(f"---\n{front}\n---\n")

    assert time.process_time() - started < 2
    assert title == Title(front.removeprefix("title: "))


def test_code_block_is_kept_whole_where_it_fits() -> None:
    code = "```py\n" + "print(1)\n\n" * 5 + "```"

    assert texts_of(f"Before it.\n\n{code}\n\nAfter it.", 40) == ["Before it.", code, "After it."]


def test_code_block_that_does_not_fit_is_cut_at_line_ends() -> None:
    pieces = texts_of("```\n" + "line of code\n" * 10 + "```", 40)

    assert all(piece.endswith(("code", "```")) for piece in pieces)
    assert len(pieces) > 1


def test_table_is_one_block() -> None:
    table = "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 4

    assert texts_of(f"Words before. \n\n{table}", 40) == ["Words before.", table.strip()]


def test_list_is_cut_between_items() -> None:
    assert texts_of("- one two\n- three four\n- five\n", 21) == [
        "- one two",
        "- three four\n- five",
    ]


def test_pages_never_share_a_chunk() -> None:
    blocks = [Block("One.", page=1), Block("Two.", page=1), Block("Three.", page=2)]

    chunks = list(chunk_blocks(blocks, chunk_chars=100))

    assert chunks == [Chunk("One.\n\nTwo.", 1, ""), Chunk("Three.", 2, "")]


def test_structure_is_the_same_across_windows_of_a_long_document() -> None:
    section = "## Part\n\n```\n# no heading\n\n" + "x\n" * 500 + "```\n\nSome words.\n\n"
    text = "# Long\n\n" + section * 200

    headings = [block.heading for block in blocks_of(text) if block.level]

    assert headings == ["Long", *["Part"] * 200]


def test_headings_without_text_are_bounded() -> None:
    assert max(map(len, texts_of("# a\n" * 1000 + "# " + "b" * 1000, 40))) <= 120


def test_comments_are_left_out_of_markdown() -> None:
    assert texts_of("One.\n\n<!-- hidden words -->\n\nTwo.", 100) == ["One.", "Two."]


def test_definitions_of_links_stay_part_of_the_text() -> None:
    assert texts_of("[a]: http://b.example", 100) == ["[a]: http://b.example"]


def test_heading_inside_code_is_no_title() -> None:
    items = list(read_markdown("```\n# no\n```\n\n# **Yes** [link](x) `code`"))

    assert [item.text for item in items if isinstance(item, Title)] == ["Yes link code"]
