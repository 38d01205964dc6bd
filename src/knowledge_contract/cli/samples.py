"""The packaged sample documents, and what the demo asks about them."""

from importlib.resources import files
from pathlib import Path

QUESTIONS = (
    "When is the side door locked?",
    "旧报纸可以复印吗？",  # noqa: RUF001 - as it is written in Chinese
    "Wer darf die Drechselbank benutzen?",
)
"""The first one's best answer is the sentence that the demo tampers with."""

_SUFFIXES = (".md", ".txt")


def copy_samples(folder: Path) -> list[str]:
    """Write the documents into a folder, and return their names in order."""
    samples = files("knowledge_contract") / "_samples"
    found = [each for each in samples.iterdir() if each.name.endswith(_SUFFIXES)]
    for sample in found:
        (folder / sample.name).write_bytes(sample.read_bytes())
    return sorted(sample.name for sample in found)
