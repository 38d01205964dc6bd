"""What an import costs: gateways start cold, so the hot path loads next to nothing."""

import sys

import pytest

from fresh_interpreter import HEAVY, modules_after

DEVELOPER_TOOLS = {
    "contract_codegen",
    "datamodel_code_generator",
    "hypothesis",
    "jsonschema",
    "jsonschema_rs",
}
STANDARD_LIBRARY_MODULES = ("constants", "identity", "parsing", "types", "validators")


@pytest.mark.parametrize("module", STANDARD_LIBRARY_MODULES)
def test_wire_module_loads_only_light_parts_of_the_standard_library(module: str) -> None:
    loaded = modules_after(f"import knowledge_wire.{module}")

    roots = {name.partition(".")[0] for name in loaded}
    assert not loaded & HEAVY
    assert roots - sys.stdlib_module_names == {"knowledge_wire"}


def test_runtime_package_loads_only_light_parts_of_the_standard_library() -> None:
    loaded = modules_after("import knowledge_contract")

    assert not loaded & HEAVY
    assert {name for name in loaded if name.startswith("knowledge_")} == {"knowledge_contract"}
    assert {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names == {
        "knowledge_contract"
    }


def test_help_loads_neither_test_readers_nor_the_generator() -> None:
    loaded = modules_after(
        "import contextlib, io\n"
        "from knowledge_contract.cli import main\n"
        "sys.argv = ['knowledge-contract', '--help']\n"
        "with contextlib.redirect_stdout(io.StringIO()) as shown:\n"
        "    with contextlib.suppress(SystemExit):\n"
        "        main()\n"
        "assert 'validate' in shown.getvalue()"
    )

    assert "knowledge_contract.cli.app" in loaded
    assert not loaded & (DEVELOPER_TOOLS | {"knowledge_wire.validators", "pydantic", "rich"})
