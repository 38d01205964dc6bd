"""Install a plugin from its folder, and print what to add to the host's configuration."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

GROUP = "deerflow.extensions"
CALLED_FROM = "EXTENSION_CALLED_FROM"
"""The variable that names the folder where the recipe was called: relative paths start there."""

_USE = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*:[A-Za-z_][A-Za-z0-9_.]*")


def main(arguments: list[str]) -> int:
    """Install the one folder that was named; return the exit code."""
    if len(arguments) != 1:
        return refuse("usage: just extension-install FOLDER")
    folder = Path(os.environ.get(CALLED_FROM, "."), arguments[0])
    points, reason = read_entry_points(folder)
    if reason:
        return refuse(reason)
    program = os.environ.get("UV", "uv")
    command = [program, "pip", "install", "--python", sys.executable, str(folder.resolve())]
    try:
        done = subprocess.run(command, check=False)
    except OSError:
        return refuse("uv cannot be run: install it, or name it in the variable UV")
    if done.returncode:
        return done.returncode
    print(render_block(points), end="")
    print("Then look at it: knowledge-contract host check --config FILE", file=sys.stderr)
    return 0


def read_entry_points(folder: Path) -> tuple[dict[str, str], str]:
    """Return a distribution's entry points for hosts, and why there are none."""
    try:
        text = (folder / "pyproject.toml").read_text(encoding="utf-8")
        document: dict[str, Any] = tomllib.loads(text)
    except OSError:
        return {}, "the folder holds no pyproject.toml that can be read"
    except ValueError:
        return {}, "the folder's pyproject.toml is not TOML"
    found: Any = document
    for key in ("project", "entry-points", GROUP):
        found = found.get(key) if isinstance(found, dict) else None
    if not isinstance(found, dict) or not found:
        return {}, f'the folder\'s pyproject.toml has no [project.entry-points."{GROUP}"]'
    points = {name: read_use(value) for name, value in found.items()}
    if not all(points.values()):
        return {}, f"an entry point in {GROUP} is not `module:attribute`"
    return points, ""


def read_use(value: object) -> str:
    r"""Return what an entry point names, without extras; nothing if it is no `module:attribute`.

    >>> read_use("example_plugin:install [http]"), read_use("a:b\n- use: c:d")
    ('example_plugin:install', '')
    """
    use = re.sub(r" *\[[A-Za-z0-9_., -]*\]$", "", value) if isinstance(value, str) else ""
    return use if _USE.fullmatch(use) else ""


def render_block(points: dict[str, str]) -> str:
    """Return the lines to merge into a configuration.

    >>> print(render_block({"example": "example_plugin:install"}), end="")
    plugins:
      - use: example_plugin:install
        enabled: true
        required: true
        config: {}
    """
    entries = "".join(
        f"  - use: {use}\n    enabled: true\n    required: true\n    config: {{}}\n"
        for use in points.values()
    )
    return f"plugins:\n{entries}"


def refuse(reason: str) -> int:
    """Say why nothing was installed."""
    print(reason, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
