"""What an artifact says of all that budgets left out of its message.

Source:
    contracts/README.md, "Budgets".
"""

from collections.abc import Mapping
from typing import Any

from knowledge_contract.reading import Form
from knowledge_wire.constants import NATIVE_ID_MAX_LENGTH, RECORD_COUNT, SOURCE_ID_MAX_LENGTH

__all__ = ["RECEIPT_KEY", "build_receipt", "count_left_out"]

RECEIPT_KEY = "knowledge_omitted"
"""The artifact's key for what pruning dropped; not a reserved one, and it proves nothing."""

_LONGEST_ID = max(SOURCE_ID_MAX_LENGTH, NATIVE_ID_MAX_LENGTH)
_COUNT_MAX = 1_000_000_000
_FORMS: tuple[Form, ...] = ("native", "shared")


def build_receipt(
    earlier: object,
    gone: Mapping[Form, list[str]],
    *,
    uncited: int = 0,
    outside_chars: int = 0,
    results: int = 0,
) -> dict[str, Any]:
    """Return what was left out, earlier cuts included; absent is what would be empty or 0.

    Args:
        earlier: The receipt that the artifact holds; whatever is odd in it is ignored.
        gone: Ids of records that go now; of each form the first `RECORD_COUNT` are named.
        uncited: Entries without a record that go now.
        outside_chars: Code points of other text that go now.
        results: Entries left out in all; written where it is more than is named and counted.
    """
    receipt: dict[str, Any] = {}
    counted = 0
    for form in _FORMS:
        known = _ids(earlier, form)
        ids = list(dict.fromkeys([*known, *gone[form]])) if known else gone[form]
        if ids:
            receipt[form] = ids[:RECORD_COUNT]
            counted += len(receipt[form])
    for key, more in (("uncited", uncited), ("outside_chars", outside_chars)):
        count = min(_count(earlier, key) + more, _COUNT_MAX)
        if count:
            receipt[key] = count
    if results > counted + receipt.get("uncited", 0):
        receipt["results"] = min(results, _COUNT_MAX)
    return receipt


def count_left_out(receipt: object) -> int:
    """Return how many entries a receipt says are missing; 0 if it is none."""
    if type(receipt) is not dict:
        return 0
    named = sum(len(_ids(receipt, form)) for form in _FORMS)
    return max(_count(receipt, "results"), named + _count(receipt, "uncited"))


def _ids(receipt: object, form: Form) -> list[str]:
    named = receipt.get(form) if type(receipt) is dict else None
    if type(named) is not list:
        return []
    ids = [each for each in named[:RECORD_COUNT] if type(each) is str]
    return [each for each in ids if len(each) <= _LONGEST_ID]


def _count(receipt: object, key: str) -> int:
    counted = receipt.get(key) if type(receipt) is dict else None
    return min(counted, _COUNT_MAX) if type(counted) is int and counted > 0 else 0
