"""A query is words: nothing in it is an operator, an error, or a surprise."""

from pathlib import Path

import pytest

from knowledge_contract.formatting import format_result
from knowledge_contract.providers.local import LocalProvider, Settings
from providers.local.folders import make_folder, provider_for

NO_TERM = ("The query holds no word to search for.",)


def titles(provider: LocalProvider, query: str) -> list[str | None]:
    return [hit.title for hit in provider.search_folder(query).hits]


@pytest.mark.parametrize(
    "query",
    [
        pytest.param('"needle', id="open quote"),
        pytest.param("needle AND (", id="operator and parenthesis"),
        pytest.param("NOT needle", id="negation"),
        pytest.param("NEAR(needle, 2)", id="near"),
        pytest.param("title:needle", id="column"),
        pytest.param("{body} : ^needle*", id="column set, start, prefix"),
        pytest.param("needle\0 -- ; DROP TABLE terms", id="nul and sql"),
        pytest.param("needle\ud800", id="lone surrogate"),
        pytest.param("ＮＥＥＤＬＥ", id="full width"),
        pytest.param("needle " * 1500, id="ten kilobytes"),
        pytest.param("needle " + " ".join(f"w{n}" for n in range(2000)), id="many words"),
    ],
)
def test_syntax_in_a_query_is_words(tmp_path: Path, query: str) -> None:
    provider = provider_for(make_folder(tmp_path, {"a.txt": "needle", "b.txt": "hay"}))

    assert titles(provider, query) == ["a.txt"]


@pytest.mark.parametrize("query", ["", "  \n", '"', "*", "( ) : ^ - +", "。、！", "\0", "\ud800"])
def test_query_without_a_word_gives_nothing_and_says_so(tmp_path: Path, query: str) -> None:
    provider = provider_for(make_folder(tmp_path, {"a.txt": "needle"}))

    assert provider.search_folder(query) == ("local", (), "search", NO_TERM)


def test_word_that_is_an_operator_is_found(tmp_path: Path) -> None:
    provider = provider_for(make_folder(tmp_path, {"a.txt": "this or that", "b.txt": "hay"}))

    assert titles(provider, "OR") == ["a.txt"]


def test_query_that_was_cut_says_so(tmp_path: Path) -> None:
    provider = provider_for(make_folder(tmp_path, {"a.txt": "w70"}))

    result = provider.search_folder(" ".join(f"w{number}" for number in range(80)))

    assert result.hits == ()
    assert result.notes == ("Only the first 64 terms of the query were searched for.",)


def test_nothing_found_is_said_by_the_text(tmp_path: Path) -> None:
    provider = provider_for(make_folder(tmp_path, {"a.txt": "hay"}))

    text, artifact = format_result(
        provider.search_folder("needle"), limit_chars=100, excerpt_chars=10
    )

    assert (text, artifact) == ("No relevant content was found.", None)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        pytest.param("白鹤", "昨天看到白鹤三只", id="two characters"),
        pytest.param("鹤", "昨天看到白鹤", id="last character"),
        pytest.param("昨", "昨天看到白鹤", id="first character"),
        pytest.param("도서관", "도서관은 아홉 시에 연다", id="with a particle"),
        pytest.param("カーテン", "ｶｰﾃﾝを閉める", id="other width"),
        pytest.param("strasse", "Die Straße", id="sharp s"),
        pytest.param("ZOË", "zoe", id="accents and case"),
        pytest.param(
            "Prüfbericht", "der Prüf-\nbericht liegt vor", id="hyphenated at a line's end"
        ),
    ],
)
def test_words_are_found_in_every_spelling(tmp_path: Path, query: str, text: str) -> None:
    provider = provider_for(make_folder(tmp_path, {"a.txt": text, "b.txt": "白昼夢 그 Zaun"}))

    assert titles(provider, query) == ["a.txt"]


def test_title_weighs_more_than_heading_and_heading_more_than_text(tmp_path: Path) -> None:
    filler = "word " * 30
    files = {
        "a.md": f"# Other\n\n## Part\n\nneedle {filler}",
        "b.md": f"# Other one\n\n## Needle\n\nneedle {filler}",
        "c.md": f"# Needle\n\n## Part\n\nneedle {filler}",
        **{f"{number}.md": filler for number in range(9)},
    }
    provider = provider_for(make_folder(tmp_path, files))

    assert titles(provider, "needle") == ["Needle", "Other one", "Other"]


def test_ties_go_by_path_whatever_the_order_of_indexing(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, {"c.txt": "needle", "a.txt": "needle"})
    provider = provider_for(folder)
    provider.refresh()
    folder.joinpath("b.txt").write_text("needle", encoding="utf-8")

    assert titles(provider, "needle") == ["a.txt", "b.txt", "c.txt"]


def test_hits_are_limited_by_the_setting(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, {f"{number}.txt": "needle" for number in range(5)})
    settings = Settings(hit_limit=3)

    provider = LocalProvider(folder, index_path=tmp_path / "index", settings=settings)

    assert len(provider.search_folder("needle").hits) == 3
