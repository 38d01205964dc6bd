"""A refresh reads what changed, forgets what is gone, and says what it left out."""

import hashlib
import os
from pathlib import Path

import pytest

from knowledge_contract.providers.local import LocalProvider, Progress
from providers.local.folders import check_soundness, make_folder, provider_for, run_sql
from providers.local.pdf_files import build_pdf

LATER_NS = 10_000_000_000


def texts(provider: LocalProvider, query: str) -> list[str]:
    return [hit.text for hit in provider.search_index(query).hits]


def chunk_rows(provider: LocalProvider) -> dict[str, int]:
    rows = "SELECT path, chunks.id FROM files JOIN chunks ON file_id = files.id"
    return dict(run_sql(provider.index_path, rows))


def test_first_refresh_indexes_all_and_the_second_nothing(tmp_path: Path) -> None:
    provider = provider_for(make_folder(tmp_path, {"a.txt": "one", "b/c.md": "two"}))

    first, second = provider.refresh(), provider.refresh()

    assert first == (2, 0, 0, (), 0, ())
    assert second == (0, 2, 0, (), 0, ())


def test_only_what_changed_is_written_anew(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, {"a.txt": "one", "b.txt": "two", "c.txt": "three"})
    provider = provider_for(folder)
    provider.refresh()
    before = chunk_rows(provider)
    folder.joinpath("b.txt").write_text("four", encoding="utf-8")
    folder.joinpath("c.txt").unlink()
    folder.joinpath("d.txt").write_text("five", encoding="utf-8")

    summary = provider.refresh()

    after = chunk_rows(provider)
    assert summary[:3] == (2, 1, 1)
    assert after["a.txt"] == before["a.txt"]
    assert sorted(after) == ["a.txt", "b.txt", "d.txt"]
    assert [texts(provider, word) for word in ("two", "three", "four")] == [[], [], ["four"]]
    check_soundness(provider.index_path)


def test_change_that_keeps_size_and_time_is_found(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, {"a.txt": "one"})
    provider = provider_for(folder)
    provider.refresh()
    path = folder / "a.txt"
    before = path.stat()
    path.write_text("two", encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    summary = provider.refresh()

    assert (summary.indexed, texts(provider, "two")) == (1, ["two"])


def test_new_time_with_the_same_content_is_no_change(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, {"a.txt": "one"})
    provider = provider_for(folder)
    provider.refresh()
    before = chunk_rows(provider)
    os.utime(folder / "a.txt", ns=(1, 1))

    summary = provider.refresh()

    assert (summary[:3], chunk_rows(provider)) == ((0, 1, 0), before)


def test_file_that_was_young_when_it_was_read_is_read_again(tmp_path: Path) -> None:
    provider = provider_for(make_folder(tmp_path, {"a.txt": "one"}))
    provider.refresh()
    (before,) = run_sql(provider.index_path, "SELECT read_at_ns FROM files")

    provider.refresh()

    (after,) = run_sql(provider.index_path, "SELECT read_at_ns FROM files")
    assert after > before


def settle(provider: LocalProvider) -> None:
    """Make the index believe that every file was read long after its last change."""
    later = "UPDATE files SET read_at_ns = read_at_ns + ?"
    run_sql(provider.index_path, later, LATER_NS)


def test_settled_file_is_not_read_again(tmp_path: Path) -> None:
    provider = provider_for(make_folder(tmp_path, {"a.txt": "one"}))
    provider.refresh()
    settle(provider)
    before = run_sql(provider.index_path, "SELECT * FROM files")

    summary = provider.refresh()

    assert summary[:3] == (0, 1, 0)
    assert run_sql(provider.index_path, "SELECT * FROM files") == before


def test_rehash_finds_what_times_do_not_show(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, {"a.txt": "one"})
    provider = provider_for(folder)
    provider.refresh()
    path = folder / "a.txt"
    path.write_text("two", encoding="utf-8")
    status = path.stat()
    forged = (status.st_mtime_ns, status.st_ctime_ns)
    run_sql(provider.index_path, "UPDATE files SET mtime_ns = ?, ctime_ns = ?", *forged)
    settle(provider)

    refreshed = provider.refresh()
    rehashed = provider.rehash()

    assert (refreshed.indexed, rehashed.indexed) == (0, 1)
    assert texts(provider, "two") == ["two"]


def test_hash_is_of_the_text_that_was_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_folder(tmp_path, {"a.txt": "one"})
    provider = provider_for(folder)
    provider.search_index("create the index")
    digest = hashlib.sha256

    def write_meanwhile(content: bytes) -> object:
        folder.joinpath("a.txt").write_text("two", encoding="utf-8")
        return digest(content)

    with monkeypatch.context() as patch:
        patch.setattr(hashlib, "sha256", write_meanwhile)
        provider.refresh()

    assert texts(provider, "one") == ["one"]
    assert provider.rehash().indexed == 1
    assert texts(provider, "two") == ["two"]


def test_file_that_needed_too_much_memory_is_read_by_the_next_rehash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_folder(tmp_path, {})
    folder.joinpath("a.pdf").write_bytes(build_pdf(["needle"]))
    provider = provider_for(folder)

    def fail(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr("pypdf.PdfReader", fail)
        summary = provider.refresh()
    settle(provider)

    assert summary.skipped == (("a.pdf", "too large"),)
    assert [provider.refresh().skipped_count, provider.rehash().skipped_count] == [1, 0]


def test_removed_file_is_forgotten_though_the_clock_was_set_back(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, {"a.txt": "one", "b.txt": "two"})
    provider = provider_for(folder)
    provider.refresh()
    run_sql(provider.index_path, "UPDATE files SET read_at_ns = read_at_ns + ?", 3600 * 10**9)
    folder.joinpath("a.txt").unlink()

    summary = provider.refresh()

    assert (summary.removed, texts(provider, "one")) == (1, [])


def test_emptied_document_is_forgotten_and_named(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, {"a.txt": "one"})
    provider = provider_for(folder)
    provider.refresh()
    folder.joinpath("a.txt").write_text("", encoding="utf-8")

    summary = provider.refresh()

    assert (summary.skipped, texts(provider, "one")) == ((("a.txt", "no text"),), [])


def test_skipped_files_are_named_by_every_refresh(tmp_path: Path) -> None:
    provider = provider_for(make_folder(tmp_path, {"a.txt": "\0", "b.pdf": "no"}))

    first, second = provider.refresh(), provider.refresh()

    assert first.skipped == second.skipped == (("a.txt", "binary"), ("b.pdf", "damaged"))


def test_hidden_linked_and_special_files_are_skipped_with_reasons(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, {".git/a.md": "needle", "b/.c.txt": "needle", "d.txt": "hay"})
    outside = tmp_path / "outside"
    outside.mkdir()
    outside.joinpath("secret.txt").write_text("needle", encoding="utf-8")
    folder.joinpath("away").symlink_to(outside)
    folder.joinpath("away.txt").symlink_to(outside / "secret.txt")
    folder.joinpath("b/loop").symlink_to(folder)
    folder.joinpath("broken.txt").symlink_to("nowhere")
    os.mkfifo(folder / "pipe.txt")
    provider = provider_for(folder)

    summary = provider.refresh()

    assert sorted(summary.skipped) == [
        (".git", "hidden"),
        ("away", "symbolic link"),
        ("away.txt", "symbolic link"),
        ("b/.c.txt", "hidden"),
        ("b/loop", "symbolic link"),
        ("broken.txt", "symbolic link"),
        ("pipe.txt", "not a regular file"),
    ]
    assert (summary.indexed, texts(provider, "needle")) == (1, [])


def test_name_that_is_no_text_is_skipped(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, {})
    try:
        os.close(os.open(os.fsencode(folder) + b"/\xff.txt", os.O_CREAT | os.O_WRONLY))
    except OSError:
        pytest.skip("this file system keeps no such name")

    assert provider_for(folder).refresh().skipped == (("?.txt", "name is not text"),)


@pytest.mark.parametrize("replacement", ["gone", "link", "pipe", "folder"])
def test_file_that_changes_its_kind_meanwhile_is_skipped(tmp_path: Path, replacement: str) -> None:
    folder = make_folder(tmp_path, {"a.txt": "one", "b.txt": "two"})
    tmp_path.joinpath("secret.txt").write_text("needle", encoding="utf-8")
    path = folder / "b.txt"

    def replace(progress: Progress) -> None:
        if progress.path != "a.txt":
            return
        path.unlink()
        if replacement == "link":
            path.symlink_to(tmp_path / "secret.txt")
        elif replacement == "pipe":
            os.mkfifo(path)
        elif replacement == "folder":
            path.mkdir()

    provider = provider_for(folder)
    summary = provider.refresh(progress=replace)

    assert [skipped.path for skipped in summary.skipped] == ["b.txt"]
    assert texts(provider, "needle") == []


@pytest.mark.parametrize("moment", ["a.txt", "b/c.txt"], ids=["before it", "within it"])
def test_folder_that_becomes_a_link_is_not_followed(tmp_path: Path, moment: str) -> None:
    folder = make_folder(tmp_path, {"a.txt": "one", "b/c.txt": "two", "b/d.txt": "three"})
    outside = tmp_path / "outside"
    outside.mkdir()
    outside.joinpath("d.txt").write_text("needle", encoding="utf-8")

    def replace(progress: Progress) -> None:
        if progress.path == moment:
            folder.joinpath("b").rename(tmp_path / "aside")
            folder.joinpath("b").symlink_to(outside)

    provider = provider_for(folder)
    summary = provider.refresh(progress=replace)

    path = "b" if moment == "a.txt" else "b/d.txt"
    assert summary.skipped == ((path, "cannot be opened"),)
    assert texts(provider, "needle") == []


def test_file_that_could_not_be_opened_is_tried_again(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, {"a.txt": "one", "b.txt": "two"})
    provider = provider_for(folder)
    path, aside = folder / "b.txt", tmp_path / "aside"

    def take_away(progress: Progress) -> None:
        if progress.done == 1:
            path.rename(aside)

    provider.refresh(progress=take_away)
    aside.rename(path)
    settle(provider)

    summary = provider.refresh()

    assert (summary.skipped, texts(provider, "two")) == ((), ["two"])


def test_progress_counts_every_document_in_order(tmp_path: Path) -> None:
    provider = provider_for(make_folder(tmp_path, {"b.txt": "x", "a/c.md": "x", "z.bin": "x"}))
    seen: list[Progress] = []

    provider.refresh(progress=seen.append)

    assert seen == [(1, 2, "b.txt"), (2, 2, "a/c.md")]


def test_only_the_first_thousand_skipped_files_are_listed(tmp_path: Path) -> None:
    folder = make_folder(tmp_path, {f"{number:04}.bin": "" for number in range(1001)})

    summary = provider_for(folder).refresh()

    assert (len(summary.skipped), summary.skipped_count) == (1000, 1001)
