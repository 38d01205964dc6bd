"""Whatever is wrong with a configuration is said on one line: file, line, key and what to do."""

import pytest

from host.broken_files import BROKEN, tool
from host.broken_providers import BROKEN_PROVIDERS
from host.conftest import Offer, Write
from host.foreign_modules import PLUGINS, SHOP, VALUE
from knowledge_contract.errors import ConfigurationError, InputError
from knowledge_contract.host import load_host
from knowledge_contract.host.yaml_file import SIZE_LIMIT_BYTES


@pytest.fixture(autouse=True)
def modules(offer: Offer) -> None:
    """Offer what the files name."""
    offer("p", **PLUGINS)
    offer("shop", **SHOP)


@pytest.mark.parametrize(("text", "where", "what"), [*BROKEN, *BROKEN_PROVIDERS])
def test_one_line_says_where_and_what(
    text: str, where: str, what: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BLANK", " ")

    with pytest.raises(ConfigurationError) as caught:
        load_host(write(text))

    line = f"config.yaml:{where}: {what}"
    assert caught.value.problems == (line,)
    assert str(caught.value) == line
    assert VALUE not in line


def test_everything_that_is_wrong_is_said_at_once(write: Write) -> None:
    text = tool(group="x", limit_chars="0").replace("provider:", "prov:") + "xyzzy: 1\n"

    with pytest.raises(ConfigurationError) as caught:
        load_host(write(text))

    assert [each.split(": ")[1] for each in caught.value.problems] == [
        "tools[0].prov",
        "xyzzy",
        "tools[0].limit_chars",
    ]
    assert str(caught.value) == f"{caught.value.problems[0]} (and 2 more)"


def test_long_file_is_refused_before_it_is_parsed(write: Write) -> None:
    with pytest.raises(ConfigurationError, match=r"^config\.yaml:1: longer than 262144 bytes$"):
        load_host(write("#" * (SIZE_LIMIT_BYTES + 1)))


def test_file_that_is_no_text_is_refused(write: Write) -> None:
    path = write("")
    path.write_bytes(b"tools: \xff\n")

    with pytest.raises(ConfigurationError, match=r"^config\.yaml:1: is not UTF-8$"):
        load_host(path)


def test_brackets_without_end_are_refused(write: Write) -> None:
    with pytest.raises(ConfigurationError, match=r"^config\.yaml:1: is nested too deep$"):
        load_host(write("- " * 5_000))


def test_missing_file_is_named_without_quoting_it(write: Write) -> None:
    path = write("").with_name(VALUE)

    with pytest.raises(InputError, match=r"^cannot read the configuration: ") as caught:
        load_host(path)

    assert VALUE not in str(caught.value)


def test_empty_file_is_a_host_without_tools(write: Write) -> None:
    host = load_host(write("# nothing yet\n"))

    assert (host.tools, host.problems) == ((), ())
    assert host.selector_reason == "no retrieval tool is configured"


def test_anchors_are_read_within_the_bounds(write: Write) -> None:
    text = tool(limit_chars="&few 500", excerpt_chars="*few")

    assert [each.name for each in load_host(write(text)).tools] == ["ks"]
