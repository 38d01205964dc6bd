"""Plugins by the names that their distributions give them."""

from pathlib import Path

import pytest

from host.conftest import Offer, Write
from host.test_plugins import registering
from knowledge_contract.host import load_host


@pytest.fixture
def distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install two distributions whose entry points share a name."""
    for name, module in (("first-ext", "first_ext"), ("second-ext", "second_ext")):
        folder = tmp_path / "site" / f"{module}-1.0.dist-info"
        folder.mkdir(parents=True)
        (folder / "METADATA").write_text(f"Name: {name}\nVersion: 1.0\n", encoding="utf-8")
        points = f"[deerflow.extensions]\nshared = {module}:install\n{module} = {module}:install\n"
        if name == "first-ext":
            points += "with_extra = first_ext:install [http]\nof_nothing = first_ext\n"
        (folder / "entry_points.txt").write_text(points, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path / "site")


@pytest.mark.usefixtures("distribution")
@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("{use: first_ext}", "first"),
        ("{use: shared, package: second-ext}", "second"),
        ("{use: shared}", "several entry points"),
        ("{use: first_ext, package: second-ext}", "no entry point of this package"),
        ("{use: shared, package: Second.Ext}", "second"),
        ("{use: with_extra}", "first"),
        ("{use: of_nothing}", "its entry point is not `module:attribute`"),
    ],
    ids=["name", "package", "ambiguous", "other package", "spelling", "extra", "module alone"],
)
def test_entry_points_are_found_by_name(
    entry: str, expected: str, write: Write, offer: Offer
) -> None:
    offer("first_ext", install=registering("first"))
    offer("second_ext", install=registering("second"))

    host = load_host(write(f"plugins: [{entry}]\n"))

    (status,) = host.plugins
    assert status.providers == (expected,) or expected in status.reason
