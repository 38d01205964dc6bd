"""Forwarding changes what it has to and nothing else, and once is enough."""

import pytest

from core.evidence import handle, native_record, proof, shared_record
from knowledge_contract.citation import native_handle
from knowledge_contract.delegation import forward_cited
from knowledge_contract.reading import read_message

TEA = shared_record("Green tea needs 80 °C.", dataset_name="Team", page=3)


def test_cutting_off_a_stray_changes_nothing_else() -> None:
    other = native_handle(f"{'e' * 32}-3", 1).replace("-3)", "\\-3)")
    kept = f"A && B \\- {handle(TEA)} &amp;\n\n```\na && b \\# {other}\n```\n\n"

    text, _ = forward_cited(f"{kept}[x](#knowledge\\-source\\-{'f' * 32})", [proof(TEA)])

    assert text.startswith(f"{kept}[x](#)\n\n[1]")


LABELS = {
    "a block of markup": "[citation:](#{})<div>see {}",
    "a fence": "[citation:~~~](#{})\nsee {}",
    "a comment": "x [citation:](#{})<!-- see {} -->",
    "an order of citations": "[citation:~~~](#{})\nsee {}\n~~~\n{}",
}


@pytest.mark.parametrize("case", LABELS)
def test_label_in_a_handles_place_hides_or_shows_no_citation_from_one_pass_only(case: str) -> None:
    records = [native_record(1, "Tea: 80."), native_record(2, "Mate: 70.")]
    given = [proof(each) for each in records]
    handles = [handle(each) for each in records]
    report = LABELS[case].format(f"knowledge-{'e' * 32}-3", *handles)

    text, artifact = forward_cited(report, given)

    assert forward_cited(text, given) == (text, artifact)
    message = {"type": "tool", "name": "task", "content": text, "artifact": artifact}
    assert read_message(message, binding="entry").refused == ()
