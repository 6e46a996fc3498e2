"""Pages that the live view rendered: stored with text and picture, and marked as what they are wherever they go."""

import gzip
import time

import pytest

from desktop_rater.operations.pages.stored_pages import find_stored_copy, store_page
from desktop_rater.pages import warc
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import Rendering, WebLimits
from desktop_rater.pages.web_client import Web
from desktop_rater.store import pages, snapshots
from desktop_rater.store.open_store import open_writer
from tests.operations.bundles import noon

URL = "https://bridges.example/harbour"
HTML = '<!doctype html><html lang="en"><head><title>Bridges</title></head><body><p>{}</p></body></html>'
PICTURE = b"\x89PNG\r\n\x1a\n and its pixels"


@pytest.fixture(scope="module")
def web():
    with Web(Guard(), WebLimits(), time.monotonic, noon) as web:
        yield web


@pytest.fixture
def store(tmp_path):
    with open_writer(tmp_path / "store", command="a test") as store:
        yield store


def file_of(store, page):
    """The file in which a page is stored."""
    path = snapshots.snapshot_path(store.folder, page.snapshot or "")
    assert path is not None
    return path


def quiet(*_done):
    """Report no progress."""


def rendered(web, words="It was opened in 1932.", **more):
    rendering = Rendering(url=URL, html=HTML.format(words), picture=PICTURE, **more)
    return web.read_rendering(rendering, quiet)


def test_text_and_picture_are_read_from_the_file_again(web, store):
    stored = store_page(store, rendered(web), "b").page
    path = file_of(store, stored)
    again = web.reopen(path, quiet)
    assert (again.text, again.title, again.rendered, again.stored) == (stored.text, "Bridges", True, True)
    assert web.read_picture(path, quiet) == PICTURE
    assert warc.read_snapshot_outline(path).final_url == URL, "what checks results finds the address"


def test_its_origin_says_that_it_was_rendered_here(web, store):
    stored = store_page(store, rendered(web), "b").page
    copy = find_stored_copy(store, URL, bundle="another")
    assert copy is not None
    assert (copy.sha256, copy.origin.kind, copy.fetched) == (stored.snapshot, "rendered", stored.fetched)
    assert not find_stored_copy(store, URL, bundle="b", brought=True), "nobody else brought it"
    (hit,) = pages.search_pages(store, "b", "opened 1932")
    assert hit.origin.kind == "rendered"


def test_each_rendering_is_kept_because_its_picture_is_its_own(web, store):
    first = store_page(store, rendered(web), "b").page.snapshot
    other = web.read_rendering(Rendering(url=URL, html=HTML.format("It was opened in 1932."), picture=b""), quiet)
    assert store_page(store, other, "b").page.snapshot != first
    path = file_of(store, other.page)
    assert web.read_picture(path, quiet) == b""


def test_a_page_that_was_cut_says_so_whenever_it_is_read(web, store):
    page = store_page(store, rendered(web, cut=True), "b").page
    again = web.reopen(file_of(store, page), quiet)
    assert page.why == again.why == "The page is longer than what was stored."


def test_scripts_and_loads_in_what_an_engine_hands_over_are_cleaned_away(web):
    words = 'Seen. <script>alert(1)</script><img src="https://track.example/x"><b onclick="x()">bold</b>'
    page = rendered(web, words).page
    assert page.text == "Seen. bold"
    assert not any(part in page.whole_html for part in ("script", "img", "onclick", "track"))


def test_without_a_text_nothing_is_stored(web, store):
    fetched = rendered(web, "")
    assert (fetched.warc, fetched.page.shows) == (b"", False)
    assert store_page(store, fetched, "b").page.snapshot is None


def test_a_file_of_another_program_is_not_rendered_whatever_it_says(web, tmp_path):
    packed = rendered(web).warc
    place = tmp_path / "page.warc.gz"
    place.write_bytes(packed)
    assert warc.read_snapshot(place).rendered
    plain = gzip.decompress(packed).replace(b"software: Desktop Rater ", b"software: Another thing ")
    place.write_bytes(plain)
    assert not warc.read_snapshot(place).rendered


def test_a_picture_that_is_too_large_is_not_read(web, store, monkeypatch):
    stored = store_page(store, rendered(web), "b").page
    monkeypatch.setattr(warc, "MAX_PICTURE_BYTES", len(PICTURE) - 1)
    assert web.read_picture(file_of(store, stored), quiet) == b""
