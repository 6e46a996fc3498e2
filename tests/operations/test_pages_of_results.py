"""Results carry the pages that their evidence names to another store."""

import zipfile

import pytest

from desktop_rater.format.bundle_errors import BundleError
from desktop_rater.format.change import Progress
from desktop_rater.operations.audit.check_results import check_results
from desktop_rater.operations.pages import stored_pages
from desktop_rater.operations.pages.open_page import import_pages
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.store import pages, snapshots
from desktop_rater.store.doctor import examine_store

from .bundles import NOON, RATER, rating, write_lines, writer
from .keeping import kept


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
    done = export_results(store, "b", RATER, out, progress=Progress())
    assert done.written
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
