"""What all tests share: how Hypothesis explores, what is left out where, and who runs together."""

import os

import pytest
from hypothesis import HealthCheck, settings

from web_build import READER, why_no_web

# Here, because pytest takes plugins only from the top.
pytest_plugins = ["lightrag_server.fixtures"]

# No deadline: how long an example takes says more about the machine than about the code.
settings.register_profile("developer", deadline=None)
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ci" if os.environ.get("CI") else "developer")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what cannot run here, and keep groups together."""
    skip_without_reader(items)
    if config.getoption("loadgroup", default=False):
        name_groups(items)


def name_groups(items: list[pytest.Item]) -> None:
    """Write each test's group into its id, where pytest-xdist looks for it.

    pytest-xdist 3.8 means to do so itself, but writes it where pytest 9.2 no longer looks, and
    groups are scattered without a word (pytest-dev/pytest-xdist#1386).
    """
    for item in items:
        groups = sorted({str(mark.args[0]) for mark in item.iter_markers("xdist_group")})
        suffix = f"@{'_'.join(groups)}"
        if groups and not item.nodeid.endswith(suffix):
            item._id = type(item.id).parse(item.nodeid + suffix)  # noqa: SLF001 - no other way


def skip_without_reader(items: list[pytest.Item]) -> None:
    """Skip what needs the TypeScript parts where they cannot run; `just test` lists it."""
    reason = why_no_web()
    if reason is None and not READER.is_file():
        reason = "the TypeScript reader is not built: run `just setup`"
    if reason is None:
        return
    for item in items:
        if item.get_closest_marker("typescript"):
            item.add_marker(pytest.mark.skip(reason=reason))
