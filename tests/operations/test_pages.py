"""A page is kept once per content, found again without the network, and comes with bundles."""

import gzip
import zipfile

import pytest
from msgspec.structs import replace

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.format.errors import BundleError
from desktop_rater.format.strict_json import sha256
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.pages import stored_pages
from desktop_rater.operations.pages.open_page import fetch_page, import_pages, open_stored_page
from desktop_rater.operations.pages.stored_pages import store_page
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.pages import warc
from desktop_rater.pages.response import WebResponse
from desktop_rater.store import pages, snapshots
from desktop_rater.store.doctor import examine_store

from .bundles import NOON, RATER, make, rating, take_in, task, write_lines, writer
from .keeping import files, kept


def test_a_page_opens_again_when_the_network_is_gone(store, web, server, clock):
    was = kept(store, web, server.url("/chain/2"))
    assert was.new
    server.close()
    clock.minutes = 30
    copy = stored_pages.find_stored_copy(store, server.url("/chain/2"))
    assert copy is not None
    assert (copy.sha256, copy.fetched, copy.url) == (was.page.snapshot, "2026-11-20T12:00:00Z", server.url("/chain/2"))
    again = web.reopen(copy.path, Progress())
    assert again.stored
    assert (again.url, again.final_url, again.redirects) == (was.page.url, was.page.final_url, was.page.redirects)
    assert (again.text, again.html, again.whole_html) == (was.page.text, was.page.html, was.page.whole_html)
    assert (again.snapshot, again.fetched) == (was.page.snapshot, was.page.fetched)


def test_a_page_is_found_by_where_its_redirects_led(store, web, server):
    was = kept(store, web, server.url("/chain/1"))
    copy = stored_pages.find_stored_copy(store, server.url("/page"))
    assert copy is not None
    assert copy.sha256 == was.page.snapshot
    assert stored_pages.find_stored_copy(store, server.url("/other")) is None


def test_a_page_that_shows_the_same_is_stored_once(store, web, server, clock):
    first = kept(store, web, server.url())
    clock.minutes = 5
    second = kept(store, web, f"{server.url()}#again")
    assert (first.new, second.new) == (True, False)
    assert second.page.snapshot == first.page.snapshot
    assert len(files(store)) == 1
    assert pages.last_states(store, "b")[server.url()].fetched == "2026-11-20T12:05:00Z"


def test_another_way_to_the_same_page_is_another_snapshot(store, web, server):
    ways = [server.url(), server.url("/chain/1"), server.url("/chain/2")]
    assert [kept(store, web, url).new for url in ways] == [True, True, True]


def test_a_page_that_has_changed_is_stored_again_and_both_open(store, web, server):
    first = kept(store, web, server.url("/text")).page
    other = web.open(server.url("/json"), Progress())
    changed = replace(other.page, url=first.url, fetched="2026-11-20T12:01:00Z")
    assert store_page(store, replace(other, page=changed), "b").new
    latest = stored_pages.find_stored_copy(store, first.url)
    assert latest is not None
    assert latest.sha256 == changed.snapshot
    older = stored_pages.find_stored_copy(store, first.url, first.snapshot)
    assert older is not None
    assert web.reopen(older.path, Progress()).text == first.text


def test_a_page_that_changes_to_and_fro_is_stored_once_for_each_content(store, web, server, clock):
    url = server.url("/turning")
    ways = {path: web.open(server.url(path), Progress()) for path in ("/text", "/json")}
    names = []
    for minute, path in enumerate(("/text", "/json", "/text", "/text", "/json", "/text")):
        page = replace(ways[path].page, url=url, final_url=url, fetched=f"2026-11-20T12:0{minute}:00Z")
        names.append(store_page(store, replace(ways[path], page=page), "b").page.snapshot)
        copy = stored_pages.find_stored_copy(store, url)
        assert copy is not None
        assert copy.sha256 == names[-1], "what was seen last stands in for the page"
    assert len(set(names)) == len(files(store)) == 2


def test_a_stored_page_whose_file_is_gone_is_stored_again(store, web, server):
    fetched = web.open(server.url(), Progress())  # once: a server's answer names the time
    first = store_page(store, fetched, "b")
    files(store)[0].unlink()
    assert stored_pages.find_stored_copy(store, server.url()) is None
    again = store_page(store, fetched, "b")
    assert again.new
    assert again.page.snapshot == first.page.snapshot
    assert stored_pages.find_stored_copy(store, server.url()) is not None


def test_fetching_a_page_whose_file_was_altered_makes_it_open_again(store, web, server, clock):
    first = kept(store, web, server.url())
    files(store)[0].write_bytes(b"half of a page")
    assert stored_pages.find_stored_copy(store, server.url()) is None
    clock.minutes = 5
    again = kept(store, web, server.url())
    assert again.new
    copy = stored_pages.find_stored_copy(store, server.url())
    assert copy is not None
    assert copy.sha256 == again.page.snapshot != first.page.snapshot
    assert web.reopen(copy.path, Progress()).text == first.page.text


@pytest.mark.parametrize("path", ["/missing", "/error", "/image", "/bomb/64", "/nested", "/zip"])
def test_what_shows_no_page_is_noted_and_not_stored(store, web, server, path):
    done = kept(store, web, server.url(path))
    assert (done.new, done.page.snapshot) == (False, None)
    assert files(store) == []
    assert pages.last_states(store, "b")[server.url(path)].state == done.page.state != "ok"


def test_no_cookie_of_a_site_is_ever_on_disk(store, web, server):
    kept(store, web, server.url("/cookie"))
    kept(store, web, server.url("/cookie-and-on"))
    for file in files(store):
        assert b"track=me" not in gzip.decompress(file.read_bytes())


def test_a_page_that_was_shown_is_found_by_its_words(store, web, server):
    kept(store, web, server.url())
    (hit,) = stored_pages.search_stored_pages(store, "b", "canberra")
    assert (hit.url, hit.sha256) == (server.url(), files(store)[0].name.partition(".")[0])
    assert stored_pages.count_unindexed(store) == 0


def test_a_copy_that_was_altered_is_not_shown(store, web, server):
    page = kept(store, web, server.url()).page
    file = files(store)[0]
    file.write_bytes(gzip.compress(gzip.decompress(file.read_bytes()).replace(b"Canberra", b"Sydneyyy")))
    again = web.reopen(file, Progress())
    assert (again.state, again.shows) == ("broken", False)
    assert "changed after it was stored" in again.why
    assert page.snapshot is not None


def test_reading_a_stored_page_can_be_stopped(store, web, server):
    kept(store, web, server.url("/pdf"))
    progress = Progress()
    progress.stop()
    with pytest.raises(Cancelled):
        web.reopen(files(store)[0], progress)


def test_without_a_network_the_command_shows_the_stored_copy(store, web, server):
    was, _ = fetch_page(store, web, server.url(), bundle_id="b", progress=Progress())
    server.close()
    page, copy = fetch_page(store, web, server.url(), bundle_id="b", progress=Progress())
    assert copy is not None
    assert (page.stored, page.text, copy.origin.kind) == (True, was.text, "fetched")
    assert pages.last_states(store, "b")[server.url()].state == "unreachable"
    assert not fetch_page(store, web, server.url("/other"), bundle_id="b", progress=Progress()).page.shows
    assert open_stored_page(store, web, server.url("/other"), Progress()).page.state == "unreachable"
    assert open_stored_page(None, web, server.url(), Progress()).page.state == "unreachable"


# -- bundles that bring their pages


def fetched_to(folder, web, *urls):
    """A folder of stored pages, as an engineer collects them."""
    folder.mkdir()
    for number, url in enumerate(urls):
        (folder / f"{number}.warc.gz").write_bytes(web.open(url, Progress()).warc)
    return folder


def test_the_pages_of_a_bundle_open_and_are_found_without_any_network(tmp_path, web, server):
    collected = fetched_to(tmp_path / "pages", web, server.url("/chain/1"), server.url("/pdf"))
    server.close()
    with writer(tmp_path / "store") as store:
        take_in(store, make(tmp_path / "b.zip", [task("t-1")], snapshots=collected))
        states = pages.last_states(store, "b")
        assert {states[server.url(path)].state for path in ("/chain/1", "/page", "/pdf")} == {"ok"}
        copy = stored_pages.find_stored_copy(store, server.url(), bundle="b")
        assert copy is not None
        assert (copy.origin.kind, copy.origin.bundle) == ("bundle", "b")
        assert stored_pages.find_stored_copy(store, server.url(), bundle="another") is None
        assert "Canberra" in web.reopen(copy.path, Progress()).text
        assert stored_pages.search_stored_pages(store, "b", "canberra") == []
        assert stored_pages.count_unindexed(store) == 2
        done = stored_pages.index_unread(store, web, Progress())
        assert (done.read, done.broken, stored_pages.count_unindexed(store)) == (2, (), 0)
        assert len(stored_pages.search_stored_pages(store, "b", "canberra")) == 2
        assert stored_pages.search_stored_pages(store, "another", "canberra") == []
    assert examine_store(tmp_path / "store").sound


def test_a_page_that_was_read_online_opens_as_it_was_read_whatever_a_bundle_brings(tmp_path, web, server, clock):
    """A file with the same bytes and other headers shows another text, so it never stands in for one's own fetch."""
    fetched = web.open(server.url(), Progress())
    collected = tmp_path / "pages"
    collected.mkdir()
    honest = warc.read_snapshot(write_to(tmp_path / "own.warc.gz", fetched.warc))
    headers = (("Content-Type", "text/html; charset=utf-16"),)
    other = warc.write_snapshot(replace(honest, headers=headers, raw=honest.body))
    (collected / "other.warc.gz").write_bytes(other)
    with writer(tmp_path / "store") as store:
        take_in(store, make(tmp_path / "b.zip", [task("t-1")], snapshots=collected))
        stored_pages.index_unread(store, web, Progress())
        clock.minutes = 5
        own = kept(store, web, server.url())
        assert own.page.snapshot != sha256(other)
        copy = stored_pages.find_stored_copy(store, server.url(), bundle="b")
        assert copy is not None
        assert (copy.sha256, copy.origin.kind) == (own.page.snapshot, "fetched")
        assert web.reopen(copy.path, Progress()).text == fetched.page.text
        clock.minutes = 10
        assert not kept(store, web, server.url()).new


def write_to(path, content):
    path.write_bytes(content)
    return path


def test_a_page_that_can_not_be_read_is_no_reason_to_refuse_a_bundle(tmp_path, web, server):
    collected = fetched_to(tmp_path / "pages", web, server.url())
    (collected / "odd.warc.gz").write_bytes(b"no WARC at all")
    with writer(tmp_path / "store") as store:
        assert take_in(store, make(tmp_path / "b.zip", [task("t-1")], snapshots=collected)).outcome == "imported"
        assert len(files(store)) == 2
        assert len(pages.recorded_snapshots(store)) == 1
        assert stored_pages.find_stored_copy(store, server.url(), bundle="b") is not None


def test_pages_that_an_earlier_version_stored_are_taken_up(store, web, server):
    """It stored the files of a bundle and noted nothing of them."""
    fetched = web.open(server.url(), Progress())
    assert fetched.page.snapshot is not None
    snapshots.store_snapshot(store.folder, fetched.page.snapshot, [fetched.warc])
    assert stored_pages.find_stored_copy(store, server.url()) is None
    assert stored_pages.find_stored_copy(store, server.url(), fetched.page.snapshot) is not None
    assert stored_pages.index_unread(store, web, Progress()).read == 1
    assert stored_pages.find_stored_copy(store, server.url()) is not None
    assert len(stored_pages.search_stored_pages(store, "b", "canberra")) == 1


def test_a_page_that_shows_nothing_is_read_once(store, web):
    gone = WebResponse(
        url="https://x.example/", final_url="https://x.example/", status=404, fetched="2026-11-20T12:00:00Z"
    )
    content = warc.write_snapshot(gone)
    snapshots.store_snapshot(store.folder, sha256(content), [content])
    assert len(stored_pages.index_unread(store, web, Progress()).broken) == 1
    assert stored_pages.index_unread(store, web, Progress()).broken == ()


def exported(store, tmp_path, *snapshot_names):
    rows = [pages.find_snapshot_row(store, name) for name in snapshot_names]
    urls = ["https://kelp.example/" if row is None else row.url for row in rows]
    evidence = [
        {"id": f"e{at}", "target": "s1", "stance": "supporting", "url": url, "snapshot": name}
        for at, (url, name) in enumerate(zip(urls, snapshot_names, strict=True))
    ]
    lines = write_lines(tmp_path / "r.jsonl", [rating("t-1", evidence=evidence), rating("t-2")])
    rate_from_file(store, "b", lines, RATER, progress=Progress(), now=lambda: NOON)
    out = tmp_path / "results.zip"
    assert export_results(store, "b", RATER, out, progress=Progress()).written
    return out


def test_a_page_that_was_altered_holds_back_no_ratings_and_comes_back_with_results(store, web, server, tmp_path):
    named, altered = kept(store, web, server.url()).page, kept(store, web, server.url("/pdf")).page
    whole = exported(store, tmp_path, named.snapshot, altered.snapshot).rename(tmp_path / "whole.zip")
    file = snapshots.snapshot_path(store.folder, altered.snapshot or "")
    assert file is not None
    file.write_bytes(b"half of a page")
    done = export_results(store, "b", RATER, tmp_path / "results.zip", progress=Progress())
    assert (done.written, done.altered) == (True, (altered.snapshot,))
    with zipfile.ZipFile(done.out) as zipped:
        inside = [name for name in zipped.namelist() if name.startswith("snapshots/")]
        assert inside == [f"snapshots/{named.snapshot}.warc.gz"]
    assert not check_results(done.out, Progress()).broken

    taken = import_pages(store, whole, Progress(), NOON)
    assert (taken.new, taken.known) == (1, 1)
    assert web.reopen(file, Progress()).text == altered.text


def test_results_carry_the_pages_that_evidence_names_and_no_others(store, web, server, tmp_path):
    named, other = kept(store, web, server.url()), kept(store, web, server.url("/pdf"))
    out = exported(store, tmp_path, named.page.snapshot)
    with zipfile.ZipFile(out) as zipped:
        inside = [name for name in zipped.namelist() if name.startswith("snapshots/")]
        assert inside == [f"snapshots/{named.page.snapshot}.warc.gz"]
        path = snapshots.snapshot_path(store.folder, named.page.snapshot)
        assert path is not None
        assert zipped.read(inside[0]) == path.read_bytes()
    assert other.new
    checked = check_results(out, Progress())
    assert (checked.complete, checked.notes) == (2, ())


def test_the_qa_lead_sees_the_page_that_the_results_claim_and_whose_claim_it_is(store, web, server, tmp_path):
    page = kept(store, web, server.url()).page
    out = exported(store, tmp_path, page.snapshot)
    server.close()
    with writer(tmp_path / "lead") as lead:
        taken = import_pages(lead, out, Progress(), NOON)
        assert (taken.bundle, taken.new, taken.known, taken.broken) == ("b", 1, 0, ())
        copy = stored_pages.find_stored_copy(lead, server.url(), page.snapshot)
        assert copy is not None
        assert (copy.origin.kind, copy.origin.rater, copy.alone) == ("results", RATER, True)
        assert stored_pages.find_stored_copy(lead, server.url(), bundle="b") is None
        assert stored_pages.find_stored_copy(lead, server.url(), bundle="b", rater="r-18") is None
        assert stored_pages.find_stored_copy(lead, server.url(), bundle="b", rater=RATER) == copy
        again = web.reopen(copy.path, Progress())
        assert (again.text, again.html, again.fetched) == (page.text, page.html, page.fetched)
        again = import_pages(lead, out, Progress(), NOON)
        assert (again.new, again.known) == (0, 1)
    assert examine_store(tmp_path / "lead").sound


def test_a_page_that_is_altered_on_the_way_is_found_out(store, web, server, tmp_path):
    page = kept(store, web, server.url()).page
    out = exported(store, tmp_path, page.snapshot)
    bad = tmp_path / "bad.zip"
    with zipfile.ZipFile(out) as was, zipfile.ZipFile(bad, "w", zipfile.ZIP_DEFLATED) as made:
        for name in was.namelist():
            content = was.read(name)
            made.writestr(name, content[:-1] + b"x" if name.startswith("snapshots/") else content)
    with writer(tmp_path / "lead") as lead:
        with pytest.raises(BundleError, match="altered or damaged"):
            import_pages(lead, bad, Progress(), NOON)
        assert snapshots.list_snapshots(lead.folder) == []


def test_evidence_whose_page_is_not_there_is_noted_by_the_check(store, tmp_path):
    checked = check_results(exported(store, tmp_path, "a" * 64), Progress())
    assert checked.notes == (f"Evidence refers to the snapshot {'a' * 64}, which is missing.",)
