"""Without LangChain, tools and middleware say in one line what to install."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("name", ["knowledge_search_tool", "ScopeMiddleware"])
@pytest.mark.parametrize("missing", ["langchain", "langchain_core", "langgraph"])
def test_missing_extra_is_named(name: str, missing: str) -> None:
    program = (
        "import sys\n"
        f"sys.modules[{missing!r}] = None\n"
        "from knowledge_contract.errors import UnavailableError\n"
        "try:\n"
        f"    from knowledge_contract import {name}\n"
        "except UnavailableError as error:\n"
        "    print(error)\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, encoding="utf-8"
    )

    assert done.stdout == "tools need LangChain: install knowledge-contract[langchain]\n"
