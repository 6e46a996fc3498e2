"""Pages that were read from an offline library: stored as such, first shown and taken, and never a visit of a site."""

import gzip
import sqlite3
import time
from contextlib import closing

import pytest

from desktop_rater.format.rating import LibraryName
from desktop_rater.operations.pages.stored_pages import find_stored_copy, store_page
from desktop_rater.pages import warc
from desktop_rater.pages.guard import Guard
from desktop_rater.pages.response import WebError, WebLimits, WebResponse
from desktop_rater.pages.web_client import Web
from desktop_rater.store import backups, pages, snapshots
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.open_store import open_reader, open_writer
from desktop_rater.ui.pages.browser import PagePassage
from desktop_rater.ui.pages.page_document import set_quote, take_evidence
from desktop_rater.ui.pages.page_states import page_notes
from tests.operations.bundles import noon
from tests.store.older import lay

URL = "https://en.wikipedia.example/wiki/Kelp"
SPRING, AUTUMN = (LibraryName(name="Wikipedia", date=f"2026-0{month}-01") for month in (3, 9))


@pytest.fixture(scope="module")
def web():
    with Web(Guard(), WebLimits(), time.monotonic, noon) as web:
        yield web


@pytest.fixture
def store(tmp_path):
    with open_writer(tmp_path / "store", command="a test") as store:
        yield store


def quiet(*_done):
    """Report no progress."""


def response(library=SPRING, words="Kelp grows in cold water.", fetched=""):
    body = f"<title>Kelp</title><article><p>{words}</p></article>".encode()
    fetched = fetched or f"{library.date}T00:00:00Z"
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    return WebResponse(
        url=URL, final_url=URL, status=200, headers=headers, raw=body, body=body, fetched=fetched, library=library
    )


def read(web, store, library=SPRING, bundle="b"):
    return store_page(store, web.read_response(response(library), quiet), bundle)


def test_the_file_names_the_library_and_is_the_same_each_time(web, store, tmp_path):
    stored, again = read(web, store), read(web, store)
    assert (stored.new, again.new, stored.page.snapshot) == (True, False, again.page.snapshot)
    path = snapshots.snapshot_path(store.folder, stored.page.snapshot or "")
    assert path is not None
    outline, reopened = warc.read_snapshot_outline(path), web.reopen(path, quiet)
    assert outline.library == reopened.library == SPRING
    assert (reopened.fetched, reopened.text) == ("2026-03-01T00:00:00Z", "Kelp grows in cold water.")
    other = tmp_path / "plain.warc.gz"
    other.write_bytes(warc.write_snapshot(response(None, fetched="2026-03-01T00:00:00Z")))
    assert warc.read_snapshot(other).library is None


def test_a_name_on_several_lines_stays_a_name_and_no_date_is_made_up(tmp_path):
    path = tmp_path / "page.warc.gz"
    odd = LibraryName(name="My\r\nlibrary-date: 2030-01-01")
    path.write_bytes(warc.write_snapshot(response(odd, fetched="2026-03-01T00:00:00Z")))
    assert warc.read_snapshot(path).library == LibraryName(name="My library-date: 2030-01-01")
    with pytest.raises(ValueError, match="is not a day"):
        LibraryName(name="Wikipedia", date="2026-02-30")
    content = warc.write_snapshot(response())
    path.write_bytes(gzip.decompress(content).replace(b"library-date: 2026-03-01", b"library-date: 2026-02-30"))
    with pytest.raises(WebError, match="date of its library"):
        warc.read_snapshot_outline(path)


def test_it_answers_for_its_url_after_the_pages_of_the_web_and_before_those_that_others_brought(web, store):
    read(web, store)
    newer = read(web, store, AUTUMN).page.snapshot
    copy = find_stored_copy(store, URL, bundle="another")
    assert copy is not None
    assert (copy.sha256, copy.origin.kind, copy.origin.library) == (newer, "library", "Wikipedia")
    assert (copy.origin.library_date, copy.fetched) == ("2026-09-01", "2026-09-01T00:00:00Z")
    assert not find_stored_copy(store, URL, bundle="b", brought=True)
    assert "From Wikipedia of 1 September 2026, offline library" in page_notes(
        web.reopen(copy.path, quiet), copy, offline=False
    )
    brought = pages.PageOrigin(kind="bundle", bundle="b", arrived="2026-11-20T12:00:00Z")
    fetched = store_page(store, web.read_response(response(None, fetched="2026-11-20T12:00:00Z"), quiet), "b").page
    pages.record_visits(store, [], origins=[(fetched.snapshot or "", brought)])
    kinds = [copy.origin.kind for copy in pages.copies_of_url(store, URL, "b")]
    assert kinds == ["fetched", "library", "library"]


def test_it_is_searched_and_is_no_visit_of_its_site(web, store):
    read(web, store)
    (hit,) = pages.search_pages(store, "b", "cold water")
    assert (hit.origin.kind, hit.origin.library) == ("library", "Wikipedia")
    assert pages.search_pages(store, "another", "cold water") == []
    assert pages.last_states(store, "b") == {}, "whether the site has the page is not known"


def test_evidence_names_the_library_of_the_page_that_it_is_taken_from(web, store):
    page = read(web, store).page
    piece, _ = take_evidence((), page, None, "supporting")
    assert (piece.library, piece.snapshot, piece.url) == (SPRING, page.snapshot, URL)
    fetched = store_page(store, web.read_response(response(None, fetched="2026-11-20T12:00:00Z"), quiet), "b").page
    again = set_quote((piece,), fetched, PagePassage("cold water"), piece.id)
    assert (again.library, again.snapshot) == (None, fetched.snapshot), "read on the web now"


def test_an_older_store_is_read_as_it_is_and_brought_up_to_date_after_a_backup(web, tmp_path):
    file = tmp_path / "store" / "store.sqlite3"
    old = lay(file, 9)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        values = "'ab', 'fetched', 'b', '', '', '2026-11-20T08:00:00Z'"
        connection.execute(
            f"INSERT INTO page_origins (snapshot, origin, bundle, rater, results, arrived) VALUES ({values})"
        )
    known = pages.PageOrigin(kind="fetched", bundle="b", arrived="2026-11-20T08:00:00Z")
    reader = open_reader(old)
    assert reader is not None
    with reader:
        assert pages.origins_of_snapshot(reader, "ab", "b") == [known]
    with open_writer(old, command="the window") as store:
        assert pages.origins_of_snapshot(store, "ab", "b") == [known]
        assert read(web, store).new
    assert [made.version for made in backups.list_backups(old, check_cancelled=lambda: None)] == [9]
    assert {fault.check for fault in examine_store(old).faults} <= {"hub files"}
