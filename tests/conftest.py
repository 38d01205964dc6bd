"""What all tests share: how Hypothesis explores, and what a machine without Node leaves out."""

import os

import pytest
from hypothesis import HealthCheck, settings

from web_build import READER, why_no_web

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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs the TypeScript parts where they cannot run; `just test` lists it."""
    reason = why_no_web()
    if reason is None and not READER.is_file():
        reason = "the TypeScript reader is not built: run `just setup`"
    if reason is None:
        return
    for item in items:
        if item.get_closest_marker("typescript"):
            item.add_marker(pytest.mark.skip(reason=reason))
