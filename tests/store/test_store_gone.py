"""A store whose file went away while its backups stayed: nobody gets an empty one in its place without a word."""

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.operations.store.salvage import salvage_in_place
from desktop_rater.store import backups
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.errors import StoreDamaged
from desktop_rater.store.open_store import open_reader, open_writer
from tests.operations.bundles import make, noon, rating, save_ratings, take_in, task
from tests.store.going_back import files, restored, revisions


@pytest.fixture
def gone(folder, tmp_path):
    """One rating, backed up; then somebody removed the file."""
    with open_writer(folder, command="test") as store:
        take_in(store, make(tmp_path / "b.zip", [task("t-1"), task("t-2")]))
        save_ratings(store, "b", tmp_path / "ratings.jsonl", [rating("t-1")])
        backups.store_backup(folder, backups.draft_backup(store, Progress()), now=noon())
    for file in folder.glob("store.sqlite3*"):
        file.unlink()
    return folder


@pytest.mark.parametrize(
    "opened", [lambda folder: open_writer(folder, command="the window"), open_reader], ids=["to write", "to look"]
)
def test_it_is_damage_and_no_new_store(gone, opened):
    before = files(gone)
    with pytest.raises(StoreDamaged, match="The store's file is missing"):
        opened(gone)
    assert files(gone) == before


def test_the_doctor_says_so(gone):
    assert [one.check for one in examine_store(gone).faults] == ["store"]


def test_the_newest_good_backup_comes_back(gone):
    assert restored(gone).replaced is None
    assert revisions(gone) == 1
    assert examine_store(gone).faults == ()


def test_what_the_backups_hold_is_saved_where_nothing_is_left_to_set_aside(gone):
    saved = salvage_in_place(gone, now=noon(), progress=Progress())
    assert (saved.aside, saved.revisions) == (None, 1)
    assert saved.report == gone / "salvage.txt"
    assert saved.report.is_file()
    assert revisions(gone) == 1
    assert examine_store(gone).faults == ()


def test_a_folder_without_backups_is_a_new_store(folder):
    (folder / "backups").mkdir(parents=True)
    open_writer(folder, command="the window").close()
    assert revisions(folder) == 0
