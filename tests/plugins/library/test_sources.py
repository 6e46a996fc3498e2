"""Archives, ZIM files and e-books as libraries, by commands."""

import pytest

from tests.pages.epub_files import chapter, epub
from tests.plugins.library.test_archives import crawl
from tests.plugins.library.zim_files import write_zim


@pytest.mark.parametrize("indexed", [True, False])
def test_a_zim_file_is_a_library(run, tmp_path, indexed):
    path = write_zim(tmp_path / "kelp.zim", indexed=indexed)
    added = run("library", "add", "Wiki", path, "--json").json
    assert (added["documents"], added["date"], added["licence"], added["lang"]) == (
        40,
        "2026-01-05",
        "CC-BY-SA-4.0",
        "en",
    )
    assert bool(added["passages"]) != indexed
    (first, *_) = run("library", "search", "Does the sea otter of forest 30 eat zebras?", "--json").json["results"]
    assert (first["place"], first["title"]) == ("Kelp/30", "Kelp 30")
    assert "otter of forest 30" in first["text"]
    assert run("library", "update", "Wiki").status == 0


def test_a_web_archive_and_an_e_book_are_libraries(run, tmp_path):
    (tmp_path / "crawl.warc.gz").write_bytes(crawl() + b"\x1f\x8b\x08damaged")
    added = run("library", "add", "Crawl", tmp_path / "crawl.warc.gz", "--json").json
    assert (added["documents"], added["kind"]) == (6, "archive")
    (tmp_path / "books").mkdir()
    (tmp_path / "books" / "kelp.epub").write_bytes(epub([chapter(1, "An abalone clings to rocks below the kelp.")]))
    assert run("library", "add", "Books", tmp_path / "books").status == 0
    results = run("library", "search", "kelp forest 4", "--json").json["results"]
    assert results[0]["title"] == "4"
    results = run("library", "search", "abalone", "--json").json["results"]
    assert (results[0]["title"], results[0]["library"]) == ("Kelp & tides", "Books")
    for content, status in ((crawl(), 0), (crawl()[:-9], 1)):  # redirects are left out, damage is a fault
        (tmp_path / "crawl.warc.gz").write_bytes(content)
        updated = run("library", "update", "Crawl")
        assert updated.status == status
        assert "left out: 1 redirects: https://kelp.example/old" in updated.err
        assert ("It is incomplete" in updated.err) == bool(status)
