"""The demo shows the whole way, offline, in text and for machines."""

import json
import re

import pytest
from rich.cells import cell_len

from cli.program import Run
from knowledge_contract.cli.demo import TAMPERING, Demo, build_demo, tamper
from knowledge_contract.cli.demo_page import print_demo
from knowledge_contract.cli.samples import QUESTIONS
from knowledge_contract.reading import read_message
from knowledge_wire.identity import source_id
from knowledge_wire.parsing import Problem


@pytest.fixture(scope="module")
def demo() -> Demo:
    """Return the demo, built once."""
    return build_demo()


@pytest.fixture
def page(demo: Demo, capsys: pytest.CaptureFixture[str]) -> str:
    """Return the demo as people see it."""
    print_demo(demo)
    return capsys.readouterr().out


def test_demo_goes_as_it_should(run: Run) -> None:
    ending = run("demo", PATH="", FORCE_COLOR="1")

    assert ending.code == 0
    assert "Good evidence was accepted and bad records were refused" in ending.out
    assert "left out: typescript: install Node 20 or newer" in ending.out
    assert "\x1b" not in ending.out
    assert ending.err == ""


def test_page_shows_every_question_and_every_id_with_its_text(demo: Demo, page: str) -> None:
    ids = [source["id"] for source in demo.envelope["knowledge_sources"]]

    assert re.findall(r"^\? (.*)$", page, re.MULTILINE) == list(QUESTIONS)
    assert re.findall(r"\(#knowledge-source-([0-9a-f]{32})\)$", page, re.MULTILINE) == ids
    assert re.findall(r"^  evidence ([0-9a-f]{32}) shared/entry: ", page, re.MULTILINE) == ids
    assert "  The side door is now locked after six in the evening." in page


def test_page_fits_80_columns(page: str) -> None:
    assert max(map(cell_len, page.splitlines())) <= 80


def test_page_shows_what_was_refused(page: str) -> None:
    assert "  - The side door is now locked after six in the evening\n" in page
    assert "  + The side door is not locked after six in the evening\n" in page
    assert "  refused: /knowledge_sources/0/id id: " in page
    assert "  refused: /knowledge_sources/0 handle: " in page
    assert "  validators  refused: /knowledge_sources/1/url type\n" in page


def test_answers_are_proven_by_the_right_documents(demo: Demo) -> None:
    titles = [source["title"] for source in demo.envelope["knowledge_sources"]]

    assert all(answer.is_proven for answer in demo.answers)
    assert titles == ["Office handbook", "4-reading-room.zh.txt", "Werkstattordnung"]


def test_changed_record_is_no_evidence_with_its_old_id_or_a_new_one(demo: Demo) -> None:
    tampered = demo.tampered

    assert tampered.is_refused
    assert tampered.verification.reading.evidence == ()
    assert tampered.verification.reading.refused == (Problem("/knowledge_sources/0/id", "id"),)
    assert tampered.forged_verification.reading.evidence == ()
    assert tampered.forged_verification.reading.refused == (
        Problem("/knowledge_sources/0", "handle"),
    )


def test_documents_of_the_demo_are_valid_input_for_other_commands(run: Run) -> None:
    answer = json.loads(run("demo", "--format", "json", PATH="").out)

    message = answer["answers"][0]["message"]
    assert answer["as_expected"] is True
    assert len(answer["documents"]) == 6
    for each in answer["answers"]:
        reading = read_message(each["message"], binding="entry")
        assert [evidence.record["id"] for evidence in reading.evidence] == each["ids"]
    assert run("validate", stdin=json.dumps(answer["envelope"])).code == 0
    assert run("verify", "--binding", "entry", stdin=json.dumps(message)).code == 0
    assert run("id", stdin=json.dumps(answer["tampered"]["source"])).code == 1
    assert run("validate", stdin=json.dumps(answer["broken"]["envelope"])).code == 1


def test_tampering_changes_one_letter_and_keeps_the_id(demo: Demo) -> None:
    source = demo.envelope["knowledge_sources"][0]

    tampered = tamper(source)

    before, after = TAMPERING
    assert sum(map(str.__ne__, before, after)) == 1
    assert sum(map(str.__ne__, source["excerpt"], tampered["excerpt"])) == 1
    assert tampered["id"] == source["id"] != source_id(tampered)


def test_page_says_when_readers_disagree(demo: Demo, capsys: pytest.CaptureFixture[str]) -> None:
    odd = demo._replace(agree=False)

    print_demo(odd)

    assert odd.is_good is False
    assert capsys.readouterr().out.endswith("This is not as it should be: see above.\n")
