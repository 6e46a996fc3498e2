"""A store that went back to a backup, or was saved from damage, exchanges with its hub as if it had never been gone."""

import shutil

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.operations.store.backup import back_up, find_backup, restore_backup
from desktop_rater.operations.store.salvage import salvage_in_place
from desktop_rater.store import mailbox, state
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.open_store import open_writer
from tests.operations.bundles import NOON, make, noon, task, write, writer
from tests.operations.hubs import PROJECT, Laptop, Team

RATER = "r-17"


@pytest.fixture
def team(tmp_path):
    team = Team.in_folder(tmp_path / "hub")
    team.publish(make(tmp_path / "b.zip", [task("t-1")]), RATER)
    return team


@pytest.fixture
def laptop(tmp_path, team):
    """It has the bundle, and nothing of it is rated."""
    laptop = Laptop(tmp_path / "store", RATER, team)
    laptop.sync()
    laptop.take()
    yield laptop
    laptop.close()


def backed_up(laptop):
    kept = back_up(laptop.store, now=noon, progress=Progress())
    assert kept is not None


def again(laptop, between):
    """The store is closed, something happens to it, and it is opened."""
    folder = laptop.store.folder
    laptop.close()
    between(folder)
    laptop.store = writer(folder)


def go_back(folder):
    restore_backup(folder, find_backup(folder, None), command="restore", now=noon, progress=Progress())


def test_what_went_after_the_backup_is_found_on_the_hub_and_not_sent_again(team, laptop):
    laptop.rate("b", "t-1")
    backed_up(laptop)
    laptop.sync()
    before = team.results(RATER)
    again(laptop, go_back)
    assert laptop.items() == []
    done = laptop.sync()
    assert ([one.bundle for one in done.there], done.uploaded, done.forks) == (["b"], (), ())
    assert laptop.items() == [("b", "verified")]
    assert team.results(RATER) == before


def test_what_was_rated_anew_after_going_back_lies_beside_what_went_before(team, laptop):
    """It is the fork of a second laptop: both stay, and it is said."""
    backed_up(laptop)
    laptop.rate("b", "t-1")
    laptop.sync()
    before = set(team.results(RATER))
    again(laptop, go_back)
    laptop.rate("b", "t-1", note="rated once more")
    assert laptop.sync().forks == ("b",)
    assert before < set(team.results(RATER))
    assert len(team.results(RATER)) == 2
    assert laptop.items() == [("b", "verified")]


def test_a_bundle_that_came_after_the_backup_comes_once_more(team, laptop, tmp_path):
    backed_up(laptop)
    team.publish(make(tmp_path / "c.zip", [task("t-2")]), RATER)
    laptop.sync()
    laptop.take()
    again(laptop, go_back)
    assert laptop.sync().fetched == 1
    assert [one.id for one in laptop.take().imported] == ["c"]
    assert examine_store(laptop.store.folder).sound


def test_one_that_had_come_and_was_not_imported_is_fetched_once_more(team, laptop, tmp_path):
    team.publish(make(tmp_path / "c.zip", [task("t-2")]), RATER)
    laptop.sync()
    backed_up(laptop)
    laptop.take()  # its file is not needed any more, and the backup thinks that it is there
    again(laptop, go_back)
    assert laptop.take().lost == 1
    laptop.sync()
    assert [one.id for one in laptop.take().imported] == ["c"]
    assert [one.state for one in mailbox.list_arrivals(laptop.store, PROJECT)] == ["taken", "taken"]


@pytest.mark.parametrize("harm", ["gone", "altered"])
def test_results_whose_file_was_lost_before_they_went_are_made_again_the_same(team, laptop, tmp_path, harm):
    laptop.rate("b", "t-1")
    shutil.move(tmp_path / "hub", tmp_path / "stick that is not in")
    laptop.sync()
    shutil.move(tmp_path / "stick that is not in", tmp_path / "hub")

    def lose(folder):
        for file in mailbox.list_files(folder, "outbox"):
            file.unlink() if harm == "gone" else file.write_bytes(b"x")

    again(laptop, lose)
    done = laptop.sync()
    assert done.whole
    assert [one.bundle for one in done.uploaded] == ["b"]
    assert len(team.results(RATER)) == 1
    assert examine_store(laptop.store.folder).sound


def test_a_copy_of_the_store_without_its_outbox_sends_what_it_has(team, laptop, tmp_path):
    """As from a backup's zip on another computer."""
    laptop.rate("b", "t-1")
    laptop.sync()
    laptop.close()
    (tmp_path / "other").mkdir()
    shutil.copy(tmp_path / "store" / "store.sqlite3", tmp_path / "other" / "store.sqlite3")
    other = Laptop(tmp_path / "other", RATER, team)
    try:
        done = other.sync()
        assert (done.uploaded, done.forks, done.whole) == ((), (), True)
        other.rate("b", "t-1", note="rated on the new one")
        assert [one.revision for one in other.sync().uploaded] == [2]
    finally:
        other.close()
    assert len(team.results(RATER)) == 2


def test_what_was_saved_of_a_damaged_store_knows_what_has_gone(team, laptop):
    laptop.rate("b", "t-1")
    laptop.sync()
    before = team.results(RATER)

    def damage(folder):
        with open_writer(folder, command="a backup") as store:
            back_up(store, now=lambda: NOON, progress=Progress())
        file = folder / "store.sqlite3"
        write(file, b"\0" * 100 + file.read_bytes()[100:])
        salvage_in_place(folder, now=NOON, progress=Progress())

    again(laptop, damage)
    assert laptop.items() == [("b", "verified")]
    done = laptop.sync()
    assert (done.uploaded, done.forks) == ((), ())
    assert team.results(RATER) == before
    laptop.take()
    laptop.rate("b", "t-1", note="rated after the rescue")
    (sent,) = laptop.sync().uploaded
    assert sent.revision == 2
    last = state.last_export(laptop.store, "b", RATER)
    assert last is not None
    assert last.supersedes is not None
