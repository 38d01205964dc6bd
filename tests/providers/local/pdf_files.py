"""PDF files for the tests, written without a library: text in Helvetica, line by line.

Run as a program, it writes the PDF files of the library anew; their text stands beside them.
"""

from collections.abc import Sequence
from pathlib import Path

FOLDER = Path(__file__).parent / "library" / "pdf"
_PAGE_BREAK = "\n=====\n"
_FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"


def build_pdf(pages: Sequence[str], *, title: str = "") -> bytes:
    """Return a file with one page for each text."""
    kids = " ".join(f"{4 + 2 * index} 0 R" for index in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>".encode(),
        _FONT,
    ]
    for index, text in enumerate(pages):
        content = _content(text)
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * index} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>".encode(),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        ]
    objects.append(b"<< /Title (" + _escape(title) + b") >>")
    return _assemble(objects)


def library_files() -> dict[str, bytes]:
    """Return the library's PDF files by name; their first line of text is the title."""
    files = {}
    for source in sorted(FOLDER.parent.parent.joinpath("pdf_texts").glob("*.txt")):
        title, _, body = source.read_text(encoding="utf-8").partition("\n\n")
        files[f"{source.stem}.pdf"] = build_pdf(body.strip("\n").split(_PAGE_BREAK), title=title)
    return files


def _content(text: str) -> bytes:
    lines = b"\n".join(b"(" + _escape(line) + b") Tj T*" for line in text.split("\n"))
    return b"BT /F1 11 Tf 15 TL 60 780 Td\n" + lines + b"\nET"


def _escape(text: str) -> bytes:
    data = text.encode("cp1252")
    for special in (b"\\", b"(", b")"):
        data = data.replace(special, b"\\" + special)
    return data


def _assemble(objects: Sequence[bytes]) -> bytes:
    data = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    trailer = b"<< /Size %d /Root 1 0 R /Info %d 0 R >>" % (size, len(objects))
    return data + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n%s\nstartxref\n%d\n%%%%EOF\n"
        % (size, table, trailer, len(data))
    )


if __name__ == "__main__":
    for name, data in library_files().items():
        FOLDER.joinpath(name).write_bytes(data)
