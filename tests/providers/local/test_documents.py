"""What each kind of document gives: its title, its text, its pages, or why it gives nothing."""

from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter

from knowledge_contract.errors import UnavailableError
from knowledge_contract.providers.local import LocalProvider, Settings, Skipped
from knowledge_contract.providers.local.pdf import read_pdf
from knowledge_contract.providers.local.records import Block, Title, Unusable
from knowledge_contract.retrieval import RetrievalHit
from providers.local.pdf_files import build_pdf

HTML_TITLE = "<title>A &amp; B\n page</title>"


def provider_for(folder: Path, settings: Settings | None = None) -> LocalProvider:
    index_path = folder.parent / "index.sqlite3"
    return LocalProvider(folder, index_path=index_path, settings=settings)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    return folder


def hit_for(folder: Path, name: str, data: bytes | str) -> RetrievalHit:
    """Return the one hit for `needle` in a folder with one document."""
    content = data.encode() if isinstance(data, str) else data
    folder.joinpath(name).write_bytes(content)
    (hit,) = provider_for(folder).search_folder("needle").hits
    return hit


def skips(folder: Path, settings: Settings | None = None) -> tuple[Skipped, ...]:
    return provider_for(folder, settings).refresh().skipped


@pytest.mark.parametrize(
    ("name", "text", "title"),
    [
        pytest.param("a.md", "# Head *one*\n\nneedle", "Head one", id="heading"),
        pytest.param("a.md", "Head\n====\n\nneedle", "Head", id="underlined heading"),
        pytest.param("a.md", "---\ntitle: 'Front'\n---\n# Head\n\nneedle", "Front", id="yaml"),
        pytest.param("a.md", '+++\ntitle = "Front"\n+++\nneedle', "Front", id="toml"),
        pytest.param("a.md", "---\ntitle: |\n  x\n---\nneedle", "a.md", id="no plain value"),
        pytest.param("a.md", "---\ntitle: x\n\nneedle", "a.md", id="rule, not front matter"),
        pytest.param("a.md", "## Part\n\nneedle", "a.md", id="no heading of level 1"),
        pytest.param("a.txt", "# Head\n\nneedle", "a.txt", id="text has no headings"),
        pytest.param("a.html", HTML_TITLE + "<h1>H</h1>needle", "A & B page", id="title element"),
        pytest.param("a.htm", "<h2>First <i>h</i></h2><h1>x</h1>needle", "First h", id="html head"),
        pytest.param("a.html", "<title> </title><p>needle", "a.html", id="blank title"),
        pytest.param("a.html", "<svg><title>icon</title></svg>needle", "a.html", id="icon's title"),
    ],
)
def test_title_is_the_documents_own_or_its_path(
    folder: Path, name: str, text: str, title: str
) -> None:
    hit = hit_for(folder, name, text)

    assert (hit.title, hit.dataset_name, hit.url, hit.page) == (title, "docs", None, None)


@pytest.mark.parametrize(
    ("stored", "title"),
    [
        pytest.param("Guide", "Guide", id="own"),
        pytest.param("", "a.pdf", id="none"),
        pytest.param("Microsoft Word - Guide", "a.pdf", id="made by a program"),
        pytest.param("guide.docx", "a.pdf", id="file name"),
    ],
)
def test_title_of_a_pdf_is_its_own_or_its_path(folder: Path, stored: str, title: str) -> None:
    hit = hit_for(folder, "a.pdf", build_pdf(["hay", "needle"], title=stored))

    assert (hit.title, hit.page, hit.text) == (title, 2, "needle")


def test_documents_that_share_a_title_keep_it(folder: Path) -> None:
    for name in ("one", "two"):
        folder.joinpath(name).mkdir()
        folder.joinpath(name, "a.md").write_text(f"# Same\n\nneedle {name}", encoding="utf-8")

    hits = provider_for(folder).search_folder("needle").hits

    assert [hit.title for hit in hits] == ["Same", "Same"]


def test_html_gives_what_a_page_shows(folder: Path) -> None:
    page = (
        "<body><nav>menu</nav><!-- comment --><style>css</style><script>js</script>"
        "<p>needle  <b>b</b>old<br>next</p><ul><li>x<li>y</ul><p hidden>h</p>"
        '<p style="display: none">h</p><template><p>t</p></template><noscript>n</noscript>'
        "<table><tr><th>A<th>B<tr><td>1<td><p>2 &lt;</p></table><pre>a\n  b</pre>end"
    )

    hit = hit_for(folder, "a.html", page)

    assert hit.text == "needle bold\nnext\nx\ny\n\nA\tB\n1\t2 <\n\na\n  b\n\nend"


def test_readings_beside_characters_are_left_out(folder: Path) -> None:
    page = "<p>needle <ruby>図<rp>(</rp><rt>と</rt><rp>)</rp>書<rt>しょ</ruby>館"

    assert hit_for(folder, "a.html", page).text == "needle 図書館"


def test_pdf_that_takes_too_long_is_left_between_its_pages() -> None:
    moments = iter([0.0, 9.0, 11.0])
    read: list[Title | Block] = []

    with pytest.raises(Unusable, match="takes too long"):
        read.extend(
            read_pdf(
                BytesIO(build_pdf(["one", "two", "three"])),
                page_limit=3,
                limit_s=10,
                clock=lambda: next(moments),
            )
        )

    assert read == [Block("one", page=1)]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\xef\xbb\xbfneedle \xc3\xa9", id="utf-8 with mark"),
        pytest.param("needle é".encode("utf-16"), id="utf-16"),
        pytest.param(b"\xfe\xff" + "needle é".encode("utf-16-be"), id="utf-16 big-endian"),
        pytest.param(b"needle\x07 \xc3\xa9\r\n", id="controls and line ends"),
    ],
)
def test_text_is_decoded_and_normalised(folder: Path, data: bytes) -> None:
    hit = hit_for(folder, "a.txt", data)

    assert hit.text == "needle é"


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        pytest.param("a.txt", b"caf\xe9", "not UTF-8 or UTF-16", id="latin-1"),
        pytest.param("a.txt", "x\0y".encode("utf-16"), "binary", id="nul in utf-16"),
        pytest.param("a.md", b"\x7fELF\0\1", "binary", id="nul"),
        pytest.param("a.txt", b"\xff\xfea", "not UTF-8 or UTF-16", id="half a unit"),
        pytest.param("a.txt", b" \n\t\n", "no text", id="blank"),
        pytest.param("a.html", b"", "no text", id="empty page"),
        pytest.param("a.html", b"<script>x</script>", "no text", id="only a script"),
        pytest.param("a.html", b"<b>" * 501 + b"x", "nested too deeply", id="deep page"),
        pytest.param("a.pdf", b"", "damaged", id="empty pdf"),
        pytest.param("a.pdf", b"%PDF-1.4\nnothing", "damaged", id="not a pdf"),
        pytest.param("a.pdf", build_pdf(["x"])[:300], "damaged", id="half a pdf"),
        pytest.param("a.pdf", build_pdf(["", ""]), "no text", id="scanned pages"),
        pytest.param("a.exe", b"MZ", "not a kind of document that is read", id="other kind"),
        pytest.param(".a.md", b"x", "hidden", id="hidden"),
    ],
)
def test_file_without_usable_text_is_skipped_with_its_reason(
    folder: Path, name: str, data: bytes, reason: str
) -> None:
    folder.joinpath(name).write_bytes(data)

    assert skips(folder) == ((name, reason),)


def write_encrypted(path: Path, *, user_password: str) -> None:
    plain = path.with_name("plain")
    plain.write_bytes(build_pdf(["needle"]))
    writer = PdfWriter(clone_from=PdfReader(plain))
    writer.encrypt(user_password, "owner", algorithm="RC4-128")
    writer.write(path)
    plain.unlink()


def test_pdf_with_a_password_is_skipped(folder: Path) -> None:
    write_encrypted(folder / "a.pdf", user_password="secret")  # noqa: S106 - of this test

    assert skips(folder) == (("a.pdf", "encrypted"),)


def test_pdf_that_only_forbids_printing_is_read(folder: Path) -> None:
    write_encrypted(folder / "a.pdf", user_password="")

    (hit,) = provider_for(folder).search_folder("needle").hits

    assert (hit.text, hit.page) == ("needle", 1)


@pytest.mark.parametrize(
    ("name", "data", "settings"),
    [
        pytest.param("a.txt", b"x" * 11, Settings(text_limit_bytes=10), id="text"),
        pytest.param("a.pdf", b"x" * 11, Settings(pdf_limit_bytes=10), id="pdf"),
        pytest.param("a.pdf", build_pdf(["a", "b"]), Settings(page_limit=1), id="pages"),
        pytest.param("a.txt", b"a\n\nb", Settings(document_limit_chars=1), id="characters"),
    ],
)
def test_file_over_a_limit_is_skipped(
    folder: Path, name: str, data: bytes, settings: Settings
) -> None:
    folder.joinpath(name).write_bytes(data)

    assert skips(folder, settings) == ((name, "too large"),)


def test_file_at_its_limit_is_read(folder: Path) -> None:
    folder.joinpath("a.txt").write_bytes(b"x" * 10)

    assert skips(folder, Settings(text_limit_bytes=10, document_limit_chars=10)) == ()


@pytest.mark.parametrize("seed", range(8), ids=str)
def test_damaged_pdf_never_stops_the_others(folder: Path, seed: int) -> None:
    whole = bytearray(build_pdf(["needle one", "needle two"], title="T"))
    for step in range(12):
        whole[(seed * 7919 + step * 104_729) % len(whole)] = (seed * 31 + step * 17) % 256
    folder.joinpath("a.pdf").write_bytes(bytes(whole))
    folder.joinpath("b.txt").write_text("straw", encoding="utf-8")

    (hit,) = provider_for(folder).search_folder("straw").hits

    assert hit.title == "b.txt"


@pytest.mark.parametrize(
    ("name", "library", "data"),
    [
        pytest.param("a.pdf", "pypdf", build_pdf(["x"]), id="pdf"),
        pytest.param("a.html", "lxml", b"<p>x", id="html"),
    ],
)
def test_missing_library_fails_with_one_line_that_names_the_extra(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, library: str, data: bytes
) -> None:
    monkeypatch.setitem(__import__("sys").modules, library, None)
    folder.joinpath(name).write_bytes(data)

    with pytest.raises(UnavailableError, match=r"\Areading .+: install .+\[local\]\Z"):
        provider_for(folder).refresh()


@pytest.mark.parametrize("name", Settings.__slots__)
def test_bound_below_one_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Settings(**{name: 0})
