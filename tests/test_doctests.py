"""Examples in docstrings print what they say."""

import doctest
import importlib
import pkgutil

import pytest

import knowledge_contract
import knowledge_wire

MODULES = sorted(
    module.name
    for package in (knowledge_contract, knowledge_wire)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if not module.name.endswith("__main__")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_a_module_are_true(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name))

    assert results.failed == 0


def test_some_module_has_an_example() -> None:
    finder = doctest.DocTestFinder()
    found = [test for name in MODULES for test in finder.find(importlib.import_module(name))]

    assert any(test.examples for test in found)
