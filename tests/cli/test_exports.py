"""The package's own names: few, sorted, and fetched only when they are used."""

import pickle

import pytest

import knowledge_contract
from knowledge_contract import ContractError


def test_every_name_exists_and_the_list_is_sorted() -> None:
    names = knowledge_contract.__all__

    assert names == sorted(names)
    assert all(hasattr(knowledge_contract, name) for name in names)
    assert set(names) <= set(dir(knowledge_contract))


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'sources'"):
        _ = knowledge_contract.sources


def test_contract_error_says_place_and_rule_and_survives_pickling() -> None:
    error = ContractError("knowledge_sources.v1", "/knowledge_sources/0/page", "minimum")

    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - pickled on this line

    assert str(copy) == str(error) == "knowledge_sources.v1: /knowledge_sources/0/page minimum"
    assert (copy.contract, copy.pointer, copy.rule) == (error.contract, error.pointer, error.rule)
