"""A store in one file, for another disk and for another computer."""

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.format.errors import BundleError
from desktop_rater.operations.store.backup import export_backup
from desktop_rater.store import bundles, snapshots
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.open_store import open_writer
from tests.operations.bundles import make, task
from tests.readers import reader_of
from tests.store.going_back import PAGE, SHA, restored, revisions
from tests.store.killed_at import noon


def test_a_zip_brings_ratings_and_pages_to_another_computer(folder, backup, tmp_path):
    with open_writer(folder, command="the window") as store:
        written = export_backup(store, tmp_path / "all.zip", now=noon, progress=Progress())
    assert (written.ratings, written.pages, written.left_out) == (7, 1, ())
    there = tmp_path / "other" / "store"
    done = restored(there, tmp_path / "all.zip")
    assert (done.ratings, done.replaced, revisions(there)) == (7, None, 7)
    kept = snapshots.snapshot_path(there, SHA)
    assert kept is not None
    assert kept.read_bytes() == PAGE
    assert examine_store(there).sound
    assert not list(tmp_path.glob(".*.part*"))


def test_a_page_that_was_altered_is_left_out_and_named(folder, backup, tmp_path):
    page = snapshots.snapshot_path(folder, SHA)
    assert page is not None
    page.write_bytes(b"something else")
    with reader_of(folder) as reader:
        written = export_backup(reader, tmp_path / "all.zip", now=noon, progress=Progress())
    assert (written.pages, written.left_out) == (0, (page.name,))


def test_every_cut_of_a_zip_is_refused_and_nothing_changes(folder, backup, tmp_path):
    with open_writer(folder, command="the window") as store:
        export_backup(store, tmp_path / "all.zip", now=noon, progress=Progress())
    whole = (tmp_path / "all.zip").read_bytes()
    cut = tmp_path / "cut.zip"
    for part in range(20):
        cut.write_bytes(whole[: len(whole) * part // 20])
        with pytest.raises(BundleError):
            restored(folder, cut)
    assert revisions(folder) == 7
    assert not list(folder.glob(".*.part*"))


def test_a_bundle_is_no_backup(folder, backup, tmp_path):
    with pytest.raises(BundleError, match="is not allowed in this file"):
        restored(folder, make(tmp_path / "b.zip", [task("t-1")]))
    assert revisions(folder) == 7


def test_a_zip_inside_the_store_is_refused(folder, backup):
    with open_writer(folder, command="the window") as store:
        with pytest.raises(BundleError, match="inside the store"):
            export_backup(store, folder / "all.zip", now=noon, progress=Progress())
        assert bundles.list_bundles(store)
