"""Sample documents, and how they are cut."""

from knowledge_contract.cli.samples import (
    EXCERPT_CHARS,
    build_sources,
    cut_document,
    load_samples,
)
from knowledge_wire.identity import source_id
from knowledge_wire.validators import check_knowledge_source


def test_samples_are_in_several_scripts() -> None:
    titles = " ".join(sample.title for sample in load_samples())

    for word in ("Office", "Werkstatt", "Règlement", "图书室", "防災", "دليل"):
        assert word in titles


def test_every_paragraph_gives_a_source_that_satisfies_the_contract() -> None:
    for sample in load_samples():
        sources = build_sources(sample)

        assert len(sources) == len(sample.paragraphs) >= 3
        assert [check_knowledge_source(source) for source in sources] == [()] * len(sources)
        assert [source["id"] for source in sources] == [source_id(source) for source in sources]


def test_excerpt_is_an_exact_prefix_of_its_paragraph() -> None:
    for sample in load_samples():
        excerpts = [source["excerpt"] for source in build_sources(sample)]

        assert all(map(str.startswith, sample.paragraphs, excerpts))
        assert max(map(len, excerpts)) <= EXCERPT_CHARS


def test_sources_claim_no_place_that_the_document_lacks() -> None:
    sources = [source for sample in load_samples() for source in build_sources(sample)]

    assert {key for source in sources for key in source} == {
        "id",
        "provider",
        "title",
        "excerpt",
        "dataset_name",
    }


def test_headings_and_the_title_are_no_paragraphs() -> None:
    sample = cut_document(
        "a.md", "# Title\r\nA subtitle.\r\n\r\n## Part\r\n\r\nOne\r\ntwo.\n \n\nThree.\n"
    )

    assert sample == ("a.md", "Title", ("One\ntwo.", "Three."))
