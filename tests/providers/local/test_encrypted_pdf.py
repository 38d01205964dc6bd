"""PDFs that open without a password are read, whatever they are encrypted with."""

import io
from pathlib import Path

import pypdf
import pytest

from knowledge_contract.providers.local import LocalProvider
from providers.local.pdf_files import build_pdf


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_pdf_that_only_restricts_printing_is_read(algorithm: str, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(build_pdf(["The kettle is blue."], title="Tea")))
    writer.encrypt(user_password="", owner_password="o", algorithm=algorithm)  # noqa: S106 - opens nothing
    writer.write(folder / "tea.pdf")
    provider = LocalProvider(folder, index_path=tmp_path / "index.sqlite3")

    hits = provider.search_folder("kettle").hits

    assert [hit.text for hit in hits] == ["The kettle is blue."]
