"""The reader `typescript`: the packaged program in one long-lived Node process."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from typing import Any

from knowledge_contract.cli.line_process import started_process
from knowledge_contract.cli.line_protocol import Id, ask, request_document
from knowledge_contract.cli.verdicts import Verdict
from knowledge_contract.errors import ReaderError, UnavailableError

_NAME = "the TypeScript reader (Node 20 or newer)"
_TIMEOUT_S = 60.0
_ANSWER_LIMIT_BYTES = 16 * 2**20
"""A scope whose every item is refused makes about 8 MB of problems: the longest answer."""

Judge = Callable[[str, object], Verdict]
Identify = Callable[[Any], str]


@contextmanager
def running_reader() -> Iterator[tuple[Judge, Identify]]:
    """Start Node, yield the two questions that it answers, and end it.

    Raises:
        UnavailableError: Node is not installed, or the program is not built.
    """
    node = shutil.which("node")
    if node is None:
        raise UnavailableError("install Node 20 or newer: `node` is not on the path")
    program = files("knowledge_contract") / "_web" / "reader.mjs"
    if not program.is_file():
        raise UnavailableError("its program is not built: run `just setup` in a checkout")
    with (
        as_file(program) as path,
        started_process(
            [node, str(path)],
            name=_NAME,
            timeout_s=_TIMEOUT_S,
            answer_limit_bytes=_ANSWER_LIMIT_BYTES,
            is_ours=True,
        ) as process,
    ):

        def judge(definition: str, document: object) -> Verdict:
            request = request_document("document", definition, document)
            answer = ask(process, request, name=_NAME)
            if isinstance(answer, Verdict):
                return answer
            raise ReaderError(f"{_NAME} gave no verdict")

        def identify(source: Any) -> str:
            request = request_document("id", "KnowledgeSource", source)
            answer = ask(process, request, name=_NAME)
            if isinstance(answer, Id):
                return answer.value
            raise ReaderError(f"{_NAME} gave no id")

        yield judge, identify
