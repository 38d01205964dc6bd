"""No server outlives the tests that started it, however they end."""

import subprocess
import sys
from pathlib import Path

from lightrag_server import offline

FOLDER = Path(offline.__file__).parent

SERVING = """
import threading
from offline import end_with_parent
end_with_parent()
print("ready", flush=True)
threading.Event().wait()
"""
STARTING = f"""
import subprocess, sys, threading
subprocess.Popen([sys.executable, "-c", {SERVING!r}], stdin=subprocess.PIPE)
threading.Event().wait()
"""


def start(program: str) -> subprocess.Popen[bytes]:
    """Start a program, and wait until a server in it, or below it, is ready."""
    process = subprocess.Popen(
        [sys.executable, "-c", program], cwd=FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == b"ready"
    return process


def test_server_ends_when_its_input_ends() -> None:
    with start(SERVING) as server:
        server.communicate(timeout=30)

        assert server.returncode == 0


def test_server_ends_when_its_parent_is_killed() -> None:
    with start(STARTING) as parent:
        parent.kill()

        # Comes back when nobody holds the output any more, the server below neither.
        output, _ = parent.communicate(timeout=30)
        assert output == b""
