"""Which terms come with the extras and the developer tools, as CONTRIBUTING lists them."""

import re
from importlib.metadata import Distribution, distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COPYLEFT = re.compile(r"\b(?:A?GPL|LGPL|MPL|EPL|CDDL|EUPL)\b|Mozilla Public|General Public")


def terms(distribution: Distribution) -> str:
    """Return what a distribution says of its licence, without the licence's whole text."""
    fields = ("License-Expression", "License", "Classifier")
    said = [line for field in fields for line in distribution.metadata.get_all(field, [])]
    return "\n".join(line.partition("\n")[0] for line in said)


def test_every_dependency_with_copyleft_is_listed() -> None:
    _, _, section = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## Licences")
    listed = set(re.findall(r"^- `([^`]+)`", section, re.MULTILINE))

    found = {each.name for each in distributions() if COPYLEFT.search(terms(each))}

    assert found == listed
