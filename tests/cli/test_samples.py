"""Sample documents, and what is asked about them."""

from pathlib import Path

from knowledge_contract.cli.samples import QUESTIONS, copy_samples


def test_samples_are_in_several_scripts(tmp_path: Path) -> None:
    names = copy_samples(tmp_path)

    text = "".join((tmp_path / name).read_text(encoding="utf-8") for name in names)
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    for word in ("Office", "Werkstatt", "Règlement", "图书室", "防災", "دليل"):
        assert word in text


def test_questions_are_in_several_languages() -> None:
    assert len(QUESTIONS) == 3
    assert not all(question.isascii() for question in QUESTIONS)
