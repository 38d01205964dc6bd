"""The demo shows the whole way, offline, in text and for machines."""

import json
import re

import pytest

from cli.program import Run
from knowledge_contract.cli.demo import TAMPERING, build_demo, tamper
from knowledge_contract.cli.demo_page import print_demo
from knowledge_wire.identity import source_id


def test_demo_goes_as_it_should(run: Run) -> None:
    ending = run("demo", PATH="")

    assert ending.code == 0
    assert "Good evidence was accepted and bad records were refused" in ending.out
    assert "left out: typescript: install Node 20 or newer" in ending.out
    assert ending.err == ""


def test_demo_shows_every_id(run: Run) -> None:
    ending = run("demo", PATH="")

    sources = build_demo().envelope["knowledge_sources"]
    assert [source["id"] for source in sources] == re.findall(
        r"^  ([0-9a-f]{32})  ", ending.out, re.MULTILINE
    )


def test_demo_is_plain_text_when_nobody_watches(run: Run) -> None:
    ending = run("demo", PATH="", FORCE_COLOR="1")

    assert "\x1b" not in ending.out


def test_envelope_of_the_demo_is_valid_input(run: Run) -> None:
    answer = json.loads(run("demo", "--format", "json", PATH="").out)

    assert answer["as_expected"] is True
    assert run("validate", stdin=json.dumps(answer["envelope"])).code == 0
    assert run("id", stdin=json.dumps(answer["tampered"]["source"])).code == 1
    assert run("validate", stdin=json.dumps(answer["broken"]["envelope"])).code == 1


def test_tampering_changes_one_letter_and_keeps_the_id() -> None:
    source = build_demo().envelope["knowledge_sources"][0]

    tampered = tamper(source)

    before, after = TAMPERING
    assert sum(map(str.__ne__, before, after)) == 1
    assert sum(map(str.__ne__, source["excerpt"], tampered["excerpt"])) == 1
    assert tampered["id"] == source["id"] != source_id(tampered)


def test_page_says_when_readers_disagree(capsys: pytest.CaptureFixture[str]) -> None:
    demo = build_demo()._replace(agree=False)

    print_demo(demo)

    assert demo.is_good is False
    assert capsys.readouterr().out.endswith("This is not as it should be: see above.\n")
