"""`host check` shows what a configuration gives; `search --config` asks one of its tools."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from cli.program import PROGRAM, Run
from host.foreign_modules import SHOP
from knowledge_contract.host import KINDS
from knowledge_contract.reading import read_message
from loopback import serve

KEY = "sk-key-of-the-example"

TOOLS = """\
tool_groups: [{name: kb}]
tools:
  - {name: knowledge_search, group: kb, provider: handbook,
     use: "deerflow.knowledge.tools:knowledge_search_tool"}
"""
FOLDER = "providers: {handbook: {kind: local, folder: docs, index: index.sqlite3}}\n"
BOTH = """\
plugins:
  - use: example_plugin:install
    name: Example
    required: true
    config: {base_url: "URL", api_key_env: EXAMPLE_KEY, user_ids: [ada, bo], agent_names: [lead]}
  - {use: "nowhere:install"}
  - {use: "never:install", enabled: false}
providers: {handbook: {kind: local, folder: docs, index: index.sqlite3}}
tool_groups: [{name: kb}]
tools:
  - {name: knowledge_search, group: kb, provider: example,
     use: "deerflow.knowledge.tools:knowledge_search_tool"}
  - {name: relations, group: kb, provider: example,
     use: "deerflow.knowledge.tools:entity_relations_search_tool"}
  - {name: search_handbook, group: kb, provider: handbook,
     use: "knowledge_contract.tools:knowledge_search_tool"}
  - {name: other, group: kb, provider: elsewhere,
     use: "knowledge_contract.tools:knowledge_search_tool"}
"""


@pytest.fixture
def shop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Offer retrievers in a module."""
    module = ModuleType("shop")
    vars(module).update(SHOP)
    monkeypatch.setitem(sys.modules, "shop", module)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, with documents in it."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "tea.md").write_text("# Tea room\n\nGreen tea.\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(text: str) -> None:
    Path("config.yaml").write_text(text, encoding="utf-8")


NOT_FOUND = (
    "config.yaml:6: plugins[1]: plugin nowhere:install: "
    "the module nowhere cannot be found: install it, or correct the name"
)
LEFT_OUT = (
    "config.yaml:17: tools[3].provider: no provider has this name; "
    "not loaded: nowhere:install, never:install"
)
OFF = "2 providers are in use (example, handbook), and their ids have no common space"


@pytest.mark.usefixtures("folder")
def test_everything_is_shown(run: Run) -> None:
    write(BOTH.replace("URL", "http://127.0.0.1:1"))

    ending = run("host", "check", "--config", "config.yaml", EXAMPLE_KEY=KEY)

    assert ending.out.splitlines() == [
        "plugin Example: loaded",
        f"plugin nowhere:install: skipped: {NOT_FOUND}",
        "plugin never:install: disabled",
        "provider example: search, sources, relations_search; for 2 users, agents lead",
        "provider handbook: search, sources; for everybody",
        "tool knowledge_search: search, sources; group kb, from example",
        "tool relations: sources, relations_search; group kb, from example",
        "tool search_handbook: search, sources; group kb, from handbook",
        f"left out: {LEFT_OUT}",
        f"scopes: all, disabled; selector off: {OFF}",
    ]
    # What was skipped is said once.
    assert (ending.code, ending.err) == (0, "")
    assert KEY not in ending.out


@pytest.mark.usefixtures("folder")
def test_everything_is_shown_to_machines(run: Run) -> None:
    write(BOTH.replace("URL", "http://127.0.0.1:1"))

    ending = run("host", "check", "--config", "config.yaml", "--format", "json", EXAMPLE_KEY=KEY)

    said = json.loads(ending.out)
    assert list(said) == [
        *("good", "problems", "plugins", "providers", "tools", "left_out", "scope")
    ]
    assert (said["good"], said["problems"], said["left_out"]) == (True, [], [LEFT_OUT])
    assert said["plugins"][0] == {
        "name": "Example",
        "state": "loaded",
        "providers": ["example"],
        "reason": "",
    }
    assert said["providers"][0] == {
        "name": "example",
        "operations": ["search", "sources", "relations_search"],
        "binding": {"users": 2, "agents": ["lead"]},
    }
    assert said["tools"][2] == {
        "name": "search_handbook",
        "group": "kb",
        "provider": "handbook",
        "operations": ["search", "sources"],
    }
    assert said["scope"] == {"modes": ["all", "disabled"], "selector": False, "reason": OFF}
    assert "ada" not in ending.out


@pytest.mark.usefixtures("folder")
def test_what_is_missing_is_said_line_by_line(run: Run) -> None:
    write(BOTH.replace("required: true", "required: true\n    xyzzy: 1").replace("kind", "knd"))
    shape = run("host", "check", "--config", "config.yaml")
    write(BOTH.replace("kind", "knd"))
    parts = run("host", "check", "--config", "config.yaml", EXAMPLE_KEY=" ")

    assert (shape.code, shape.out) == (1, "")
    assert shape.err == "config.yaml:5: plugins[0].xyzzy: unknown key\n"
    assert parts.code == 1
    assert parts.out.startswith("plugin Example: failed\n")
    assert parts.err.splitlines() == [
        "config.yaml:2: plugins[0]: plugin Example: example: the variable EXAMPLE_KEY is not set",
        "config.yaml:8: providers.handbook.kind: is missing: one of " + ", ".join(sorted(KINDS)),
    ]


def test_what_a_plugin_prints_is_no_part_of_the_answer(run: Run, folder: Path) -> None:
    (folder / "chatty_plugin.py").write_text(
        "def install(registry, config):\n    print('hello')\n", encoding="utf-8"
    )
    write("plugins: [{use: 'chatty_plugin:install'}]\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)

        ending = run("host", "check", "--config", "config.yaml", "--format", "json")

    assert json.loads(ending.out)["plugins"][0]["state"] == "loaded"
    assert ending.err == "hello\n"


@pytest.mark.usefixtures("folder")
def test_problems_are_told_to_machines(run: Run) -> None:
    write("tool: []\n")

    ending = run("host", "check", "--config", "config.yaml", "--format", "json")

    assert (ending.code, ending.err) == (1, "")
    assert json.loads(ending.out) == {
        "good": False,
        "problems": ["config.yaml:1: tool: unknown key; did you mean `tools`?"],
    }


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("host", "check", "--config", "nowhere.yaml"), "cannot read the configuration: "),
        (("host", "check", "--config", "."), "cannot read the configuration: "),
        (("host", "check"), "Missing option '--config'"),
        (("search", "tea"), "give either --docs or --config"),
        (("search", "tea", "--docs", "docs", "--config", "x"), "give either --docs or --config"),
        (("search", "tea", "--docs", "docs", "--user", "ada"), "go with --config"),
        (("search", "tea", "--config", "config.yaml", "--rehash"), "go with --docs"),
        (("search", "tea", "--config", "config.yaml", "--limit-chars", "8000"), "go with --docs"),
        (("search", "tea", "--config", "nowhere.yaml"), "cannot read the configuration: "),
    ],
    ids=["file", "folder", "no file", "neither", "both", "user", "rehash", "limit", "search"],
)
@pytest.mark.usefixtures("folder")
def test_wrong_usage_says_what_to_do(run: Run, arguments: tuple[str, ...], what: str) -> None:
    write(FOLDER + TOOLS)

    ending = run(*arguments)

    assert (ending.code, ending.out) == (2, "")
    assert what in ending.err


@pytest.mark.usefixtures("folder")
def test_configured_folder_is_searched(run: Run) -> None:
    write(FOLDER + TOOLS)

    text = run("search", "green", "--config", "config.yaml")
    message = run("search", "green", "--config", "config.yaml", "--format", "json")

    told = json.loads(message.out)
    assert (text.code, text.err) == (0, "")
    assert text.out == f"{told['content']}\n"
    assert [each.record["title"] for each in read_message(told).evidence] == ["Tea room"]


@pytest.mark.usefixtures("folder")
def test_bound_tool_answers_its_users_alone(run: Run) -> None:
    search = ("search", "tea", "--config", "config.yaml", "--tool", "knowledge_search")
    with serve() as server:
        write(BOTH.replace("URL", server.url))

        bound = run(*search, "--user", "ada", "--agent", "lead", EXAMPLE_KEY=KEY)
        others = [
            run(*search, *who, EXAMPLE_KEY=KEY)
            for who in ((), ("--user", "eve", "--agent", "lead"), ("--user", "ada"))
        ]

    assert (bound.code, bound.out.splitlines()[1:]) == (0, ["Of tea."])
    assert len(server.requests) == 1
    assert [(each.code, each.out) for each in others] == [(1, "")] * 3
    assert [each.err.splitlines()[-1] for each in others] == [
        "example: only bound users may search, and this run names no user",
        "example: this user may not search here",
        "example: this agent may not search here",
    ]


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ((), "say which tool with --tool: knowledge_search, relations, search_handbook"),
        (("--tool", "x"), "the configuration has no tool of this name; it has: knowledge_search, "),
    ],
    ids=["none", "other"],
)
@pytest.mark.usefixtures("folder")
def test_tool_has_to_be_one_of_the_configuration(
    run: Run, arguments: tuple[str, ...], what: str
) -> None:
    write(BOTH.replace("URL", "http://127.0.0.1:1"))

    ending = run("search", "tea", "--config", "config.yaml", *arguments, EXAMPLE_KEY=KEY)

    assert (ending.code, ending.out) == (2, "")
    assert what in ending.err


@pytest.mark.usefixtures("folder")
def test_broken_configuration_cannot_be_searched(run: Run) -> None:
    write(FOLDER + TOOLS + "xyzzy: 1\n")

    ending = run("search", "tea", "--config", "config.yaml")

    assert (ending.code, ending.err) == (1, "config.yaml:6: xyzzy: unknown key\n")


TWO = """\
providers:
  first: {kind: retriever, use: "shop:retriever", user_ids: [ada]}
  second: {kind: retriever, use: "shop:retriever", user_ids: [ada]}
tool_groups: [{name: kb}]
tools:
  - {name: a, group: kb, provider: first, use: "knowledge_contract.tools:knowledge_search_tool"}
  - {name: b, group: kb, provider: second, use: "knowledge_contract.tools:knowledge_search_tool"}
"""


@pytest.mark.usefixtures("folder", "shop")
def test_refusals_of_two_providers_of_one_kind_can_be_told_apart(run: Run) -> None:
    write(TWO)

    endings = [run("search", "tea", "--config", "config.yaml", "--tool", each) for each in "ab"]

    why = "retriever: only bound users may search, and this run names no user\n"
    assert [(each.code, each.err) for each in endings] == [
        (1, f"first: {why}"),
        (1, f"second: {why}"),
    ]


@pytest.mark.usefixtures("folder", "shop")
def test_provider_that_ends_the_process_is_no_success(run: Run) -> None:
    write(TWO.replace("shop:retriever", "shop:quitting"))
    search = ("search", "tea", "--config", "config.yaml", "--tool", "a", "--user", "ada")

    ending = run(*search)

    assert (ending.code, ending.out) == (1, "")
    assert ending.err == "first: the search failed with SystemExit\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
@pytest.mark.parametrize("command", [("host", "check"), ("search", "tea")], ids=["check", "search"])
def test_pipe_is_refused_at_once(run: Run, folder: Path, command: tuple[str, ...]) -> None:
    os.mkfifo(folder / "pipe.yaml")

    ending = run(*command, "--config", "pipe.yaml")

    assert (ending.code, ending.err) == (
        2,
        "cannot read the configuration: it is no regular file\n",
    )


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_request_to_end_is_not_taken_for_the_plugin_s(folder: Path) -> None:
    program = "import signal\ndef install(*_): signal.raise_signal(signal.SIGTERM)\n"
    (folder / "slow_plugin.py").write_text(program, encoding="utf-8")
    write("plugins: [{use: 'slow_plugin:install'}]\n")

    done = subprocess.run(
        [*PROGRAM, "host", "check", "--config", "config.yaml"],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (143, b"")
