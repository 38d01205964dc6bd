"""Broken configurations, each with the one line that it gets."""

import pytest

NULL = "holds nothing: give a value, or leave the key out"
GROUPS = "tool_groups: [{name: kb}]\n"
USE = "knowledge_contract.tools:knowledge_search_tool"
PROVIDER = "providers: {shelf: {kind: retriever, use: 'shop:retriever'}}\n"
BOMB = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]\n" for old, new in ("ab", "bc", "cd", "de")
)


def tool(**changes: str) -> str:
    entry = {"name": "ks", "group": "kb", "use": USE, "provider": "shelf", **changes}
    lines = "\n    ".join(f"{key}: {value}" for key, value in entry.items())
    return f"{PROVIDER}{GROUPS}tools:\n  - {lines}\n"


def plugin(**changes: str) -> str:
    lines = "\n    ".join(f"{key}: {value}" for key, value in {"use": "p:i", **changes}.items())
    return f"plugins:\n  - {lines}\n    required: true\n"


BROKEN = [
    pytest.param(
        "tools:\n\t- a\n", "2", "is not one YAML document that can be read at column 1", id="tab"
    ),
    pytest.param(
        "tools: [\n",
        "2",
        "is not one YAML document that can be read at column 1",
        id="unclosed list",
    ),
    pytest.param(
        "tools: []\n---\ntools: []\n",
        "2",
        "is not one YAML document that can be read at column 1",
        id="two documents",
    ),
    pytest.param("- tools\n", "1", "must hold keys, such as `tools:`", id="no mapping"),
    pytest.param(
        "tools: *sk-value-of-the-operator\n",
        "1",
        "is not one YAML document that can be read at column 8",
        id="unknown alias",
    ),
    pytest.param(
        "tools: []\nplugins: []\ntools: []\n", "3: tools", "the key stands twice", id="key twice"
    ),
    pytest.param(
        plugin(config="{a: 1, a: 2}"),
        "3: plugins[0].config.a",
        "the key stands twice",
        id="key twice below",
    ),
    pytest.param(
        "providers: {1: {}}\n",
        "1: providers",
        "a key must be text: put it in quotes",
        id="key that is a number",
    ),
    pytest.param(
        "providers:\n  on: {}\n",
        "2: providers",
        "a key must be text: put it in quotes",
        id="key that is a boolean",
    ),
    pytest.param(
        "knowledge_base: {<<: {enabled: true}}\n",
        "1: knowledge_base",
        "merge keys (`<<`) are not read: write the keys out",
        id="merge key",
    ),
    pytest.param(
        "tools: !!python/name:os.system sk-value-of-the-operator\n",
        "1: tools",
        "is of a type that is not read here",
        id="tag",
    ),
    pytest.param(
        "tools: !!set {a}\n", "1: tools", "is of a type that is not read here", id="tagged list"
    ),
    pytest.param(BOMB, "5: e", "the file holds more than 20000 values", id="alias bomb"),
    pytest.param("tools: &a [*a]\n", "1: tools", "nested more than 32 deep", id="alias of itself"),
    pytest.param(
        'tools: ["\\ud800"]\n', "1: tools[0]", "is no well-formed Unicode", id="broken text"
    ),
    pytest.param('"\\ud800": 1\n', "1", "a key is no well-formed Unicode", id="broken key"),
    pytest.param(
        "tools: " + "9" * 5000, "1: tools", "is of a type that is not read here", id="huge number"
    ),
    pytest.param(
        "tools: 2024-99-99\n",
        "1: tools",
        "is of a type that is not read here",
        id="date that is none",
    ),
    pytest.param(
        "tools: " + "[" * 40 + "]" * 40, "1: tools", "nested more than 32 deep", id="deep"
    ),
    pytest.param(
        "tool: []\n", "1: tool", "unknown key; did you mean `tools`?", id="misspelt section"
    ),
    pytest.param(
        tool().replace("provider:", "provder:"),
        "7: tools[0].provder",
        "unknown key; did you mean `provider`?",
        id="misspelt key of a tool",
    ),
    pytest.param(
        "knowledge_base: {xyzzy: sk-value-of-the-operator}\n",
        "1: knowledge_base.xyzzy",
        "unknown key",
        id="unknown key without a likeness",
    ),
    pytest.param("tools:\n", "1: tools", NULL, id="null list"),
    pytest.param(
        PROVIDER.replace("kind", "user_ids: , kind"),
        "1: providers.shelf.user_ids",
        NULL,
        id="null users",
    ),
    pytest.param(
        PROVIDER.replace("kind", "user_ids: [a], agent_names: null, kind"),
        "1: providers.shelf.agent_names",
        NULL,
        id="null agents",
    ),
    pytest.param(
        "providers:\n  shelf:\n    kind: ragflow\n    api_key_env: HOME\n    datasets:\n",
        "5: providers.shelf.datasets",
        NULL,
        id="null datasets",
    ),
    pytest.param("knowledge_base: {modes: }\n", "1: knowledge_base.modes", NULL, id="null modes"),
    pytest.param(plugin(config=""), "3: plugins[0].config", NULL, id="null config"),
    pytest.param(
        tool(description="' '"), "8: tools[0].description", "must not be blank", id="blank text"
    ),
    pytest.param(
        plugin(enabled="'yes'"),
        "3: plugins[0].enabled",
        "must be true or false",
        id="text for true",
    ),
    pytest.param(tool(name="7"), "4: tools[0].name", "must be text", id="number for a text"),
    pytest.param(
        tool().replace("    group: kb\n", ""), "4: tools[0].group", "is missing", id="missing key"
    ),
    pytest.param(
        tool(name="two words"),
        "4: tools[0].name",
        "must be 1 to 64 ASCII letters, digits, `-` and `_`",
        id="name with a blank",
    ),
    pytest.param(
        tool(use="knowledge_contract.tools"),
        "6: tools[0].use",
        "must be `module:attribute`",
        id="use without an attribute",
    ),
    pytest.param(
        tool(limit_chars="0"), "8: tools[0].limit_chars", "must be at least 1", id="limit of 0"
    ),
    pytest.param(
        "knowledge_base: {modes: [all, none]}\n",
        "1: knowledge_base.modes[1]",
        "must be 'all', 'selected' or 'disabled'",
        id="unknown mode",
    ),
    pytest.param(
        "tool_groups:\n  - name: kb\n  - name: kb\n",
        "3: tool_groups[1].name",
        "the group's name is taken, at config.yaml:2",
        id="group twice",
    ),
    pytest.param(
        tool(group="kbs"),
        "5: tools[0].group",
        "no such group in tool_groups; did you mean `kb`?",
        id="unknown group",
    ),
    pytest.param(
        tool(provider="shelv"),
        "7: tools[0].provider",
        "no provider has this name; did you mean `shelf`?",
        id="unknown provider",
    ),
    pytest.param(
        tool() + tool().split("tools:\n")[1],
        "8: tools[1].name",
        "the tool's name is taken, at config.yaml:4",
        id="tool twice",
    ),
    pytest.param(
        tool(use="knowledge_contract.tolls:x"),
        "6: tools[0].use",
        ("the module knowledge_contract.tolls cannot be found: install it, or correct the name"),
        id="unknown module",
    ),
    pytest.param(
        tool(use="knowledge_contract.tools:x"),
        "6: tools[0].use",
        "the module knowledge_contract.tools has no x",
        id="unknown attribute",
    ),
    pytest.param(
        tool(use="builtins:dict"),
        "6: tools[0].use",
        "building it failed with TypeError",
        id="use that fails",
    ),
    pytest.param(
        tool(use="shop:plain"),
        "6: tools[0].use",
        "builds a tool that does not say what it retrieves (knowledge_capabilities)",
        id="tool without metadata",
    ),
    pytest.param(
        tool(use="shop:boasting"),
        "6: tools[0].use",
        "builds a tool that says more than its provider promises",
        id="tool that says too much",
    ),
    pytest.param(
        tool(use="shop:ends"),
        "6: tools[0].use",
        "building it failed with SystemExit",
        id="tool that ends the process",
    ),
    pytest.param(
        tool(use="shop:refuses"),
        "6: tools[0].use",
        "building it failed with ProviderError",
        id="tool with words of its own",
    ),
    pytest.param(
        tool(use="deerflow.knowledge.tolls:x"),
        "6: tools[0].use",
        "the module deerflow.knowledge.tolls cannot be found: install it, or correct the name",
        id="alias of no module",
    ),
    pytest.param(
        tool(use=USE.replace("knowledge_s", "entity_relations_s")),
        "6: tools[0].use",
        "the provider does not promise relations_search",
        id="operation that is not promised",
    ),
    pytest.param(
        plugin(use="nowhere:install"),
        "2: plugins[0]",
        (
            "plugin nowhere:install: the module nowhere cannot be found: install it, or "
            "correct the name"
        ),
        id="unknown plugin",
    ),
    pytest.param(
        plugin(use="nowhere install:x"),
        "2: plugins[0].use",
        "must be `module:attribute`, or the name of an entry point",
        id="plugin's use",
    ),
    pytest.param(
        plugin(package="p"),
        "2: plugins[0]",
        "`package` goes with an entry point's name, not `module:attribute`",
        id="package of a module",
    ),
    pytest.param(
        plugin(use="p:other"),
        "2: plugins[0]",
        "plugin p:other: the module p has no other",
        id="plugin without an attribute",
    ),
    pytest.param(
        plugin(use="p:text"),
        "2: plugins[0]",
        "plugin p:text: it has to name a function `install(registry, config)`",
        id="plugin that is no function",
    ),
    pytest.param(
        plugin(use="p:fails"),
        "2: plugins[0]",
        "plugin p:fails: `install` failed with LookupError",
        id="plugin that fails",
    ),
    pytest.param(
        plugin(use="p:needs"),
        "2: plugins[0]",
        (
            "plugin p:needs: this host lacks what it needs: relation_search; did you mean "
            "`relations_search`?"
        ),
        id="plugin that lacks something",
    ),
    pytest.param(
        plugin(use="p:newer"),
        "2: plugins[0]",
        "plugin p:newer: it is made for another version of this host, which has 0.1.0",
        id="plugin of another version",
    ),
    pytest.param(
        plugin(use="p:bare"),
        "2: plugins[0]",
        "plugin p:bare: the provider's name is no ProviderName of the contract",
        id="plugin with a provider without a name",
    ),
    pytest.param(
        plugin(use="p:twice"),
        "2: plugins[0]",
        "plugin p:twice: a provider `shelf` is registered already, at config.yaml:2",
        id="plugin with one provider twice",
    ),
    pytest.param(
        plugin(use="nowhere"),
        "2: plugins[0]",
        "plugin nowhere: no entry point in deerflow.extensions has this name: install it",
        id="no entry point",
    ),
    pytest.param(
        plugin(
            use="example_plugin:install",
            config="{base_ulr: x, api_key_env: K, user_ids: [a], base_url: x}",
        ),
        "3: plugins[0].config",
        "plugin example_plugin:install: base_ulr: unknown key; did you mean `base_url`?",
        id="plugin's own key",
    ),
    pytest.param(
        plugin(
            use="example_plugin:install", config="{base_url: x, api_key_env: BLANK, user_ids: [a]}"
        ),
        "2: plugins[0]",
        "plugin example_plugin:install: example: the variable BLANK is not set",
        id="plugin's variable",
    ),
]
