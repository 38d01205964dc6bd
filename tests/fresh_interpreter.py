"""What a statement loads in an interpreter that has loaded nothing else."""

import subprocess
import sys

HEAVY = frozenset(
    {
        "asyncio",
        "dataclasses",
        "hypothesis",
        "inspect",
        "markdown_it",
        "pydantic",
        "typer",
        "typing_extensions",
    }
)
"""What gateways that start cold have no time for."""


def modules_after(statement: str) -> set[str]:
    """Return the modules that the statement loads."""
    program = (
        "import sys\n"
        "before = set(sys.modules)\n"
        f"{statement}\n"
        "print('\\n'.join(['', *sorted(set(sys.modules) - before)]))"
    )
    child = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, encoding="utf-8"
    )
    return set(child.stdout.split())
