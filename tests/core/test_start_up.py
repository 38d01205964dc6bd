"""What importing the reader costs: gateways start cold, so it loads next to nothing."""

import sys

from fresh_interpreter import HEAVY, modules_after


def test_reader_loads_only_light_parts_of_the_standard_library() -> None:
    loaded = modules_after("import knowledge_contract.reading")

    roots = {name.partition(".")[0] for name in loaded}
    assert not loaded & HEAVY
    assert roots - sys.stdlib_module_names == {"knowledge_contract", "knowledge_wire"}


def test_scope_loads_only_light_parts_of_the_standard_library() -> None:
    loaded = modules_after("import knowledge_contract.scope")

    roots = {name.partition(".")[0] for name in loaded}
    assert not loaded & HEAVY
    assert roots - sys.stdlib_module_names == {"knowledge_contract", "knowledge_wire"}


def test_formatting_loads_only_light_parts_of_the_standard_library() -> None:
    loaded = modules_after("import knowledge_contract.formatting")

    roots = {name.partition(".")[0] for name in loaded}
    assert not loaded & HEAVY
    assert roots - sys.stdlib_module_names == {"knowledge_contract", "knowledge_wire"}


def test_reading_a_message_loads_nothing_more() -> None:
    setting_up = "from knowledge_contract.reading import read_message"
    reading = (
        "read_message({'type': 'tool', 'content': 'x', 'artifact': "
        "{'knowledge_sources_version': 1, 'knowledge_sources': [{}, None]}})"
    )

    assert modules_after(f"{setting_up}\nbefore = set(sys.modules)\n{reading}") == set()


def test_the_boundary_loads_no_faster_parser_before_a_body_needs_it() -> None:
    stripping = "from knowledge_contract.boundary import strip_body\nstrip_body(b'{\"a\": 1}')"

    assert "orjson" not in modules_after(stripping)
