"""No file makes the host do anything but build, or refuse in lines."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from knowledge_contract.errors import ConfigurationError
from knowledge_contract.host import inspect_host
from knowledge_contract.host.yaml_file import parse_yaml

PIECES = (
    *("tools:", "plugins:", "providers:", "knowledge_base:", "tool_groups:", "use:", "name:", "x:"),
    *("\n", "\n  ", "\n    ", " ", "- ", "? ", ": ", "[", "]", "{", "}", ",", "&a ", "*a", "<<: "),
    *(
        "!!python/name:os.system ",
        "!!binary ",
        "!!set ",
        "!x ",
        "|",
        ">",
        "---\n",
        "...\n",
        "%YAML",
    ),
    *("1", "1e999", ".nan", "0x", "1:2:3", "2024-13-45", "yes", "null", "~", "'", '"', "#", "\t"),
    *("\\", "\\ud800", "\0", "\ufeff", "\u2028", "é", "\U0001f600", "{" * 99, "- " * 99),
)
KEYS = (
    *("tools", "plugins", "providers", "knowledge_base", "tool_groups", "use", "name", "group"),
    *(
        "provider",
        "kind",
        "folder",
        "config",
        "enabled",
        "required",
        "modes",
        "limit_chars",
        "a\nb",
    ),
)
VALUES = (
    *("local", "retriever", "knowledge_contract.tools:knowledge_search_tool", "json:loads", "kb"),
    *("", " ", ".", "nowhere:x", "a" * 300, "\u2028", True, False, None, 0, 1, -1, 1.5, 10**30),
)

_values = st.recursive(
    st.sampled_from(VALUES),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.binary(max_size=60) | st.lists(st.sampled_from(PIECES)).map("".join).map(str.encode))
def test_any_bytes_are_a_mapping_or_refused_in_lines(data: bytes) -> None:
    value: Any = {}
    problems: tuple[str, ...] = ()
    try:
        value = parse_yaml(data, file="f.yaml").value
    except ConfigurationError as error:
        problems = error.problems

    assert all(each.startswith("f.yaml:") for each in problems)
    assert "".join(problems).isprintable()
    assert type(value) is dict
    assert all(type(key) is str for key in value)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of its own for this module."""
    return tmp_path_factory.mktemp("hostile") / "config.yaml"


@given(document=st.dictionaries(st.sampled_from(KEYS), _values, max_size=5))
def test_any_values_are_a_host_or_refused_in_lines(document: Any, place: Path) -> None:
    place.write_text(yaml.safe_dump(document), encoding="utf-8")

    try:
        problems = inspect_host(place, environment={}).problems
    except ConfigurationError as error:
        problems = error.problems

    assert all(each.startswith(f"{place}:") for each in problems)
    assert "".join(problems).isprintable()
