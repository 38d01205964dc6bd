"""The provider as tools and programs see it."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from knowledge_contract.errors import InputError, ProviderError, UnavailableError
from knowledge_contract.providers.local import LocalProvider, knowledge_search
from knowledge_contract.retrieval import RetrievalContext, RetrievalProvider
from knowledge_wire.validators import check_knowledge_capabilities
from providers.local.folders import make_folder, provider_for


def test_local_provider_is_a_retrieval_provider(tmp_path: Path) -> None:
    provider: RetrievalProvider = provider_for(make_folder(tmp_path, {}))

    assert provider.name == "local"
    assert provider.capabilities == {"operations": ["search", "sources"]}
    assert check_knowledge_capabilities(provider.capabilities) == ()


@pytest.mark.parametrize("scope", [None, {"version": 1, "mode": "all"}], ids=["absent", "all"])
def test_async_search_gives_what_the_folder_says_now(tmp_path: Path, scope: object) -> None:
    folder = make_folder(tmp_path, {"a.txt": "hay"})
    provider = provider_for(folder)
    provider.refresh()
    folder.joinpath("a.txt").write_text("needle", encoding="utf-8")

    result = asyncio.run(provider.search("needle", context=RetrievalContext(scope=scope)))

    assert result == provider.search_index("needle")
    assert [hit.text for hit in result.hits] == ["needle"]


@pytest.mark.parametrize(
    "scope",
    [{"version": 1, "mode": "disabled"}, {"version": 1, "mode": "selected"}, "all"],
    ids=["disabled", "selected", "no scope at all"],
)
def test_other_scopes_are_refused(tmp_path: Path, scope: object) -> None:
    provider = provider_for(make_folder(tmp_path, {"a.txt": "needle"}))

    with pytest.raises(ProviderError, match="only the scope `all`"):
        asyncio.run(provider.search("needle", context=RetrievalContext(scope=scope)))


def test_direct_search_is_cited_text(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, {"a.md": "# Guide\n\nAsk before you deploy."})

    text = knowledge_search("deploy", folder=folder, index_path=tmp_path / "index")

    head, _, excerpt = text.partition("\n")
    assert head.startswith("[1] docs [citation:Guide](#knowledge-source-")
    assert excerpt == "# Guide\n\nAsk before you deploy."


def test_direct_search_keeps_its_limits(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, {f"{number}.txt": "needle " * 100 for number in range(9)})

    text = knowledge_search(
        "needle", folder=folder, index_path=tmp_path / "i", limit_chars=500, excerpt_chars=50
    )

    assert 300 < len(text) <= 500


@pytest.mark.parametrize("name", ["absent", "a.txt"], ids=["absent", "a file"])
def test_folder_that_is_none_is_refused(tmp_path: Path, name: str) -> None:
    tmp_path.joinpath("a.txt").touch()

    with pytest.raises(InputError, match=r"\Athe folder of documents [a-z ]+\Z"):
        LocalProvider(tmp_path / name, index_path=tmp_path / "index")


def test_folder_that_vanished_is_refused_and_nothing_is_forgotten(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, {"a.txt": "needle"})
    provider = provider_for(folder)
    provider.refresh()
    folder.rename(tmp_path / "elsewhere")

    with pytest.raises(InputError):
        provider.refresh()

    assert len(provider.search_index("needle").hits) == 1


def test_default_place_without_platformdirs_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "platformdirs", None)

    with pytest.raises(UnavailableError, match=r"\Athe index's .+: install .+\[local\]\Z"):
        LocalProvider(tmp_path)


def test_markdown_and_text_are_searched_without_the_extra(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, {"a.md": "# Needle", "b.txt": "needle"})
    program = (
        "import sys; from pathlib import Path\n"
        "for name in ('pypdf', 'lxml', 'platformdirs'): sys.modules[name] = None\n"
        "from knowledge_contract.providers.local import LocalProvider\n"
        "provider = LocalProvider(Path(sys.argv[1]), index_path=Path(sys.argv[2]))\n"
        "print(len(provider.search_folder('needle').hits), 'asyncio' in sys.modules)"
    )

    command = [sys.executable, "-c", program, str(folder), str(tmp_path / "index")]
    done = subprocess.run(command, capture_output=True, check=True)

    assert done.stdout == b"2 False\n"
