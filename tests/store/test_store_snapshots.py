"""Snapshots are kept by the hash of their bytes, whole or not at all."""

import hashlib

import pytest

from desktop_rater.store import snapshots
from desktop_rater.store.errors import StoreError
from desktop_rater.store.open_store import open_writer

PAGE = b"a page as it was fetched"
SHA = hashlib.sha256(PAGE).hexdigest()


def test_a_snapshot_is_found_by_its_hash(store, folder):
    kept = snapshots.store_snapshot(folder, SHA, [PAGE[:5], PAGE[5:]])
    assert kept == folder / "snapshots" / f"{SHA}.warc.gz" == snapshots.snapshot_path(folder, SHA)
    assert kept.read_bytes() == PAGE
    assert snapshots.list_snapshots(folder) == [kept]


def test_a_snapshot_that_is_there_is_not_written_again(store, folder):
    snapshots.store_snapshot(folder, SHA, [PAGE])

    def unread():
        pytest.fail("nobody needs these bytes")
        yield b""

    snapshots.store_snapshot(folder, SHA, unread())


def test_a_snapshot_that_was_altered_gives_way_to_the_bytes_that_it_should_hold(store, folder):
    file = snapshots.store_snapshot(folder, SHA, [PAGE])
    file.write_bytes(PAGE[:-1])
    assert (snapshots.snapshot_path(folder, SHA), snapshots.intact_snapshot(folder, SHA)) == (file, None)
    snapshots.store_snapshot(folder, SHA, [PAGE])
    assert snapshots.intact_snapshot(folder, SHA) == file
    assert file.read_bytes() == PAGE


@pytest.mark.parametrize("sha", ["0" * 64, "../../etc/passwd", "", "g" * 64, SHA.upper()])
def test_bytes_that_are_not_what_their_name_says_leave_nothing(store, folder, sha):
    with pytest.raises(StoreError, match="does not match its name"):
        snapshots.store_snapshot(folder, sha, [PAGE])
    assert list((folder / "snapshots").iterdir()) == []
    assert snapshots.snapshot_path(folder, sha) is None


def test_a_download_that_breaks_off_leaves_nothing(store, folder):
    def broken():
        yield PAGE[:5]
        raise KeyError("the line went dead")

    with pytest.raises(KeyError):
        snapshots.store_snapshot(folder, SHA, broken())
    assert list((folder / "snapshots").iterdir()) == []


def test_what_a_killed_run_left_unfinished_goes_at_the_next_start(folder):
    (folder / "snapshots").mkdir(parents=True)
    half = folder / "snapshots" / ".tmp123.part"
    half.write_bytes(PAGE[:5])
    assert snapshots.list_snapshots(folder) == []
    open_writer(folder, command="the window").close()
    assert not half.exists()


def test_without_any_snapshot_the_list_is_empty(folder):
    assert snapshots.list_snapshots(folder) == []
    assert snapshots.snapshot_path(folder, SHA) is None
