"""ZIM files: with an index of their own and without, damaged, and with a child process that is stopped or killed."""

import ast
import os
import signal
import sys
import time
from pathlib import Path

import pytest

import desktop_rater
from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.format.errors import RaterError
from desktop_rater.format.values import utc_now
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import WEB_LIMITS
from desktop_rater.pages.web_client import Web
from desktop_rater.plugins.library import zim
from desktop_rater.plugins.library.catalogue import Library
from desktop_rater.plugins.library.zim import article_url, describe_zim, find_passages, open_zim
from tests.plugins.library.zim_files import WIKI, write_zim, zim_library

NONE = Progress()


@pytest.fixture(scope="module")
def indexed(tmp_path_factory):
    return write_zim(tmp_path_factory.mktemp("zim") / "kelp.zim")


@pytest.fixture
def web():
    with Web(Guard(), WEB_LIMITS, time.monotonic, utc_now) as web:
        yield web


def test_a_zim_file_with_an_index_of_its_own_is_searched_by_it(indexed):
    library = zim_library(indexed)
    described = {"date": "2026-01-05", "licence": "CC-BY-SA-4.0", "origin": "en.wikipedia.org", "lang": "en"}
    assert describe_zim(library, NONE) == described
    found = find_passages(library, {"otter": "otters", "30": "30", "zebra": "zebra"}, 3, NONE)
    assert found is not None
    count, frequencies, passages = found
    assert (count, frequencies) == (40, {"otter": 4, "30": 1, "zebra": 0})
    assert "otter of forest 30" in passages[0].text
    assert (passages[0].place, passages[0].url) == ("Kelp/30", "https://en.wikipedia.org/wiki/Kelp/30")
    assert find_passages(library, {"zebra": "zebra"}, 3, NONE) == (40, {"zebra": 0}, [])
    # Where few articles have all words, others have some of them; those with a part that has most come first.
    _, _, paths = open_zim(indexed).search(["kelp", "otter"], NONE)
    assert len(paths) == 20
    assert set(paths[:4]) == {"Kelp/10", "Kelp/20", "Kelp/30", "Kelp/40"}


def test_of_a_zim_file_without_an_index_all_articles_are_listed_and_read(tmp_path, web):
    path = write_zim(tmp_path / "plain.zim", indexed=False, articles=1_200, metadata={"Title": "Tide tables"})
    library = zim_library(path, date="2026-02-01")
    assert describe_zim(library, NONE)["origin"] == ""
    assert find_passages(library, {"kelp": "kelp"}, 3, NONE) is None
    file = open_zim(path)
    articles = list(file.articles(NONE))
    assert {place for place, _ in articles} == {f"Kelp/{number}" for number in range(1, 1_201)}
    assert all(len(file.read(place, library, NONE).body) == size for place, size in articles[:50])
    response = file.read("Kelps", library, NONE)
    assert (response.url, response.fetched) == ("https://kelp.library.invalid/Kelp/1", "2026-02-01T00:00:00Z")
    assert web.read_response(response, NONE).page.title == "Kelp 1"


@pytest.mark.parametrize(
    ("metadata", "path", "url"),
    [
        (WIKI, "Giant kelp?", "https://en.wikipedia.org/wiki/Giant%20kelp%3F"),
        ({"Source": "https://de.wiktionary.org/"}, "A/Tang", "https://de.wiktionary.org/wiki/Tang"),
        ({"Source": "https://www.wikivoyage.org.evil.example"}, "Tang", "https://kelp.library.invalid/Tang"),
        ({"Scraper": "zimit 2.1"}, "kelp.example/a?b=c", "https://kelp.example/a?b=c"),
        ({}, "kelp.example/a", "https://kelp.library.invalid/kelp.example/a"),
    ],
)
def test_the_address_of_an_article_is_that_of_its_source_where_it_is_known(metadata, path, url):
    assert article_url(zim_library("kelp.zim"), metadata, path) == url


@pytest.mark.parametrize("cut", [0, 100, 5_000, -1])
def test_a_damaged_zim_file_is_named(indexed, tmp_path, cut):
    path = tmp_path / "cut.zim"
    path.write_bytes(indexed.read_bytes()[:cut])
    with pytest.raises(RaterError, match=r"cut\.zim can't be read"):
        describe_zim(zim_library(path), NONE)


def test_an_article_with_damaged_bytes_harms_no_other_request(indexed, tmp_path):
    content = bytearray(indexed.read_bytes())
    for place in range(1_000, len(content) - 1_000, 97):
        content[place] ^= 0xFF
    path = tmp_path / "bytes.zim"
    path.write_bytes(content)
    for _ in range(2):
        with pytest.raises(RaterError, match=r"bytes\.zim can't be read"):
            open_zim(path).read("Kelp/1", zim_library(path), NONE)


def test_a_missing_file_a_missing_article_and_one_that_is_too_large_are_named(indexed, tmp_path, monkeypatch):
    with pytest.raises(RaterError, match="No such file"):
        open_zim(tmp_path / "gone.zim")
    with pytest.raises(RaterError, match="Cannot find"):
        open_zim(indexed).read("Kelp/0", zim_library(indexed), NONE)
    with pytest.raises(RaterError, match="one ZIM file"):
        zim.zim_of(Library(id="k", name="K", kind="zim", sources=(str(indexed), str(indexed))))
    monkeypatch.setattr(zim, "find_spec", lambda _name: None)
    with pytest.raises(RaterError, match="libzim"):
        open_zim(indexed)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_dead_or_stuck_child_is_a_message_and_the_next_request_starts_another(indexed, monkeypatch):
    file = zim.ZimFile(indexed)
    assert file.metadata(NONE)
    child = file.child
    os.kill(child, signal.SIGKILL)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    assert file.search(["otter"], NONE)[2]
    os.kill(file.child, signal.SIGSTOP)
    monkeypatch.setattr(zim, "_ANSWER_SECONDS", 0.2)
    with pytest.raises(RaterError, match="gave no answer"):
        file.search(["otter"], NONE)
    monkeypatch.undo()
    progress = Progress()
    progress.stop()
    assert file.search(["otter"], NONE)[2]
    os.kill(file.child, signal.SIGSTOP)
    with pytest.raises(Cancelled):
        file.search(["otter"], progress)
    assert file.search(["otter"], NONE)[2]
    status = Path(f"/proc/{file.child}/status")
    if status.exists():
        assert "NoNewPrivs:\t1" in status.read_text("utf-8")


def test_no_module_but_the_child_imports_libzim():
    folder = Path(desktop_rater.__file__).parent
    importing = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            importing |= {path.stem for name in names if name.split(".")[0] == "libzim" or name.endswith("zim_child")}
    assert importing == {"zim_child"}
