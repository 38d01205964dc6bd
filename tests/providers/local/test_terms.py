"""How text becomes terms, the same way in documents and queries."""

import time

import pytest

from knowledge_contract.providers.local.terms import QueryTerm, document_terms, query_terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        pytest.param("Straße", "strasse", id="sharp s"),
        pytest.param("CAFÉ cafe\u0301", "cafe cafe", id="accents, composed and not"),
        pytest.param("İstanbul", "istanbul", id="dotted capital"),
        pytest.param("図書館", "図書 書館 館", id="chinese characters"),
        pytest.param("がっこう", "がっ っこ こう う", id="voiced kana stay voiced"),
        pytest.param("ｶﾞｽ", "ガス ス", id="half-width kana"),
        pytest.param("도서관은", "도서 서관 관은 은", id="hangul"),
        pytest.param("AI模型v2", "ai 模型 型 v2", id="scripts mixed"),
        pytest.param("機器\n学習", "機器 器学 学習 習", id="broken inside a word"),
        pytest.param("葛\U000e0100城\ufe00", "葛城 城", id="chosen forms"),
        pytest.param("図\u200b書", "図書 書", id="blank without width"),
        pytest.param("ភាសា\u200bខ្មែរ", "ភាសា ខ្មែរ", id="blank without width that parts words"),
        pytest.param("ㅋㅋ", "\u110f\u110f \u110f", id="letters of hangul"),
        pytest.param("漢**字**で", "漢字 字で で", id="emphasis inside a word"),
        pytest.param("हिन्दी भाषा", "हिन्दी भाषा", id="marks inside words"),
        pytest.param("Ge\u00adbäude", "gebaude", id="soft hyphen"),
        pytest.param("Grün-\nfläche", "grun flache grunflache", id="hyphen at a line's end"),
        pytest.param("\ufb01nd Ⅷ", "find viii", id="compatibility characters"),
        pytest.param("“—” 。、", "", id="punctuation only"),
    ],
)
def test_document_text_becomes_terms(text: str, terms: str) -> None:
    assert document_terms(text) == terms


def test_ascii_text_is_left_to_the_index() -> None:
    assert document_terms("Don't STOP!") == "Don't STOP!"


def test_single_character_is_looked_for_as_a_prefix() -> None:
    assert query_terms("館") == [QueryTerm("館", is_prefix=True)]


def test_query_terms_are_unique_and_in_order() -> None:
    terms = query_terms("Tea tea 図書図書 snake_case")

    assert [term.text for term in terms] == ["tea", "図書", "書図", "snake", "case"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a" * 400_000, id="one word"),
        pytest.param("ä" * 400_000, id="one word that is not ASCII"),
        pytest.param("a-\n" * 130_000, id="hyphens"),
        pytest.param("漢\n" * 200_000, id="broken lines"),
        pytest.param("漢" + "*" * 400_000, id="asterisks"),
        pytest.param("漢" + " " * 400_000, id="blanks"),
        pytest.param("e" + "\u0301" * 100_000, id="marks"),
    ],
)
def test_hostile_text_takes_a_short_time(text: str) -> None:
    started = time.process_time()

    document_terms(text)

    assert time.process_time() - started < 5
