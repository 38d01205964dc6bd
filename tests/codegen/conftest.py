"""The packages that several files of tests share."""

import pytest

from codegen.packages import CONTRACTS, Package, open_package


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Package]:
    """Return a generated package for each contract, by its label."""
    return {
        label: open_package(contract, tmp_path_factory.mktemp(label))
        for label, contract in CONTRACTS.items()
    }
