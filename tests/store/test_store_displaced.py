"""Files of a store that another program replaces, moves or deletes while the store is open."""

import shutil
import signal
import subprocess
import sys
from contextlib import closing

import pytest

from desktop_rater.store import connection as connection_module
from desktop_rater.store import ratings, snapshots
from desktop_rater.store.connection import connect_immutable
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.errors import StoreDisplaced, StoreError
from desktop_rater.store.open_store import open_reader, open_writer
from desktop_rater.store.restore import moved_stores
from tests.readers import reader_of
from tests.store.going_back import PAGE, SHA

NAME = "store.sqlite3"
ANSWERING = """
import os, signal, sys
from pathlib import Path
from desktop_rater.store import ratings
from desktop_rater.store.open_store import open_writer
from tests.store.conftest import Made

store = open_writer(Path(sys.argv[1]), command="the window")
for comment in sys.argv[2:]:
    if comment == "merge":
        store.merge_wal()
    else:
        ratings.append_revision(store, "november", Made.change(comment=comment))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def rated(folder, made):
    """A closed store with five tasks and a page, and one answer to the first task."""
    with open_writer(folder, command="test") as store:
        made.imported(store, made.tasks(5))
        snapshots.store_snapshot(folder, SHA, [PAGE])
        answer(store, made, "before")
    return folder


@pytest.fixture
def other(rated, tmp_path, made):
    """The file of another laptop, which went on from the same store."""
    copy = shutil.copytree(rated, tmp_path / "other laptop")
    with open_writer(copy, command="test") as store:
        answer(store, made, "of the other laptop")
    return copy / NAME


def answer(store, made, comment):
    ratings.append_revision(store, "november", made.change(comment=comment))


def comments(file):
    with closing(connect_immutable(file)) as db:
        query = "SELECT json_extract(body, '$.answers.targets.s1.comment') FROM ratings ORDER BY key"
        return [comment for (comment,) in db.execute(query)]


def replaced(folder, other):
    shutil.copy(other, folder / "incoming")
    (folder / "incoming").replace(folder / NAME)


def replaced_with_its_log(folder, other):
    replaced(folder, other)
    (folder / f"{NAME}-wal").unlink()
    (folder / f"{NAME}-shm").unlink()


def moved(folder, _other):
    (folder / NAME).rename(folder.parent / "elsewhere.sqlite3")


def deleted(folder, _other):
    for file in folder.glob(f"{NAME}*"):
        file.unlink()


def folder_deleted(folder, _other):
    shutil.rmtree(folder)


def folder_renamed(folder, _other):
    folder.rename(folder.with_name("renamed"))


def folder_replaced(folder, other):
    folder_renamed(folder, other)
    shutil.copytree(other.parent, folder)


def log_deleted(folder, _other):
    (folder / f"{NAME}-wal").unlink()


def shared_memory_deleted(folder, _other):
    (folder / f"{NAME}-shm").unlink()


def log_replaced(folder, _other):
    (folder / "incoming").write_bytes(b"of somebody else")
    (folder / "incoming").replace(folder / f"{NAME}-wal")


CHANGES = [replaced, replaced_with_its_log, moved, deleted, folder_deleted, folder_renamed, folder_replaced]
CHANGES += [log_deleted, shared_memory_deleted, log_replaced]
POSIX = pytest.mark.posix("Windows does not let other programs replace, move or delete open files")


@POSIX
@pytest.mark.parametrize("change", CHANGES)
def test_everything_written_is_in_a_new_store_beside_it_where_it_goes_on(rated, other, made, change):
    with open_writer(rated, command="the window") as store:
        answer(store, made, "first")
        store.merge_wal()
        answer(store, made, "second")
        change(rated, other)
        answer(store, made, "third")
        answer(store, made, "fourth")
    assert comments(store.folder / NAME) == ["before", "first", "second", "third", "fourth"]
    assert store.moved_from == rated
    assert store.displacement.startswith(("Another program ", f"{rated} was moved to "))
    assert moved_stores(rated) == [store.folder]
    assert examine_store(store.folder).faults == ()
    pages = snapshots.snapshot_path(store.folder, SHA)
    assert (pages is not None) == (change is not folder_deleted)


@POSIX
@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("change", [deleted, folder_renamed, folder_replaced])
def test_the_rater_signs_there_with_the_same_key(rated, other, made, monkeypatch, tmp_path, change, own):
    """The settings and the key files of the default store lie in the user's folder, those of others inside them."""
    beside = rated if own else tmp_path / "configuration"
    if not own:
        monkeypatch.setattr("desktop_rater.paths.default_store", lambda: rated)
        monkeypatch.setattr("desktop_rater.paths.user_config_path", lambda *_names, **_options: beside)
    (beside / "keys").mkdir(parents=True)
    (beside / "keys" / "november.json").write_text("sealed")
    (beside / "settings.json").write_text("{}")
    (other.parent / "keys").mkdir()
    (other.parent / "keys" / "november.json").write_text("of somebody else")
    with open_writer(rated, command="the window") as store:
        answer(store, made, "first")
        change(rated, other)
        answer(store, made, "second")
        assert store.folder != rated
        assert (store.folder / "keys" / "november.json").read_text() == "sealed"
        assert (store.folder / "settings.json").read_text() == "{}"


@POSIX
@pytest.mark.parametrize("change", [replaced, replaced_with_its_log, folder_replaced])
def test_the_file_that_took_its_place_stays_as_it_is(rated, other, made, change):
    with open_writer(rated, command="the window") as store:
        answer(store, made, "first")
        change(rated, other)
        answer(store, made, "second")
    assert (rated / NAME).read_bytes() == other.read_bytes()
    with open_writer(rated, command="the window"):
        pass
    assert comments(rated / NAME) == ["before", "of the other laptop"]


@POSIX
def test_a_log_of_somebody_else_is_not_deleted(rated, other, made):
    with open_writer(rated, command="the window") as store:
        answer(store, made, "first")
        log_replaced(rated, other)
        answer(store, made, "second")
    logs = [*rated.glob("store.sqlite3-wal"), *rated.glob("set-aside/*/store.sqlite3-wal")]
    assert [log.read_bytes() for log in logs] == [b"of somebody else"]


@POSIX
def test_what_was_written_last_is_moved_when_the_store_is_closed(rated, other, made):
    with open_writer(rated, command="the window") as store:
        answer(store, made, "first")
        replaced(rated, other)
    (beside,) = moved_stores(rated)
    assert comments(beside / NAME) == ["before", "first"]


@POSIX
def test_a_store_that_wrote_nothing_is_not_copied(rated, other):
    with open_writer(rated, command="the window"):
        replaced(rated, other)
    assert moved_stores(rated) == []
    assert comments(rated / NAME) == ["before", "of the other laptop"]


@POSIX
def test_a_store_that_was_moved_moves_again(rated, other, made):
    with open_writer(rated, command="the window") as store:
        for number in range(3):
            answer(store, made, f"answer {number}")
            deleted(store.folder, other)
    assert len(moved_stores(rated)) == 1, "the deleted ones are no stores"
    (beside,) = moved_stores(rated)
    assert comments(beside / NAME) == ["before", "answer 0", "answer 1", "answer 2"]


@POSIX
def test_where_nothing_can_be_written_beside_it_the_answer_is_refused_until_there_is_room(rated, other, made):
    parent = rated.parent
    with open_writer(rated, command="the window") as store:
        answer(store, made, "first")
        parent.rename(parent.with_name(f"{parent.name} renamed"))
        parent.write_text("a file in the place of the folder")
        for _ in range(2):
            with pytest.raises(StoreDisplaced, match="was moved to"):
                answer(store, made, "second")
        parent.unlink()
        answer(store, made, "second")
    assert comments(store.folder / NAME) == ["before", "first", "second"]


@POSIX
def test_a_folder_that_comes_back_to_its_place_is_written_to_as_before(rated, made):
    with open_writer(rated, command="the window") as store:
        answer(store, made, "first")
        away = rated.rename(rated.with_name("away"))
        away.rename(rated)
        answer(store, made, "second")
        assert store.moved_from is None
    assert comments(rated / NAME) == ["before", "first", "second"]


def kill_after(folder, *answers):
    killed = subprocess.run([sys.executable, "-c", ANSWERING, str(folder), *answers], check=False)
    assert killed.returncode == -signal.SIGKILL


@POSIX
@pytest.mark.parametrize("answers", [("first",), ("first", "merge", "second"), ("first", "merge", "second", "third")])
def test_the_log_of_a_killed_program_is_not_replayed_over_another_file(rated, other, made, answers):
    kill_after(rated, *answers)
    log = (rated / f"{NAME}-wal").read_bytes()
    replaced(rated, other)
    with pytest.raises(StoreError, match="belongs to another file"):
        open_reader(rated)
    assert "belongs to another file" in examine_store(rated).faults[0].text
    with open_writer(rated, command="the window") as store:
        assert store.foreign_log is not None
        assert (store.foreign_log / f"{NAME}-wal").read_bytes() == log
        answer(store, made, "here")
    assert comments(rated / NAME) == ["before", "of the other laptop", "here"]
    assert examine_store(rated).faults == ()


@POSIX
def test_the_log_is_not_replayed_over_an_earlier_state_of_its_own_file(rated, made):
    earlier = shutil.copy(rated / NAME, rated.parent / "earlier")
    kill_after(rated, "first", "merge", "second", "third", "fourth")
    shutil.copy(earlier, rated / NAME)
    with open_writer(rated, command="the window") as store:
        assert store.foreign_log is not None
    assert comments(rated / NAME) == ["before"]


@POSIX
def test_the_log_of_a_deleted_file_is_not_replayed_over_a_new_one(rated, made):
    kill_after(rated, "first")
    (rated / NAME).unlink()
    with open_writer(rated, command="the window") as store:
        assert store.foreign_log is not None
        made.imported(store, made.tasks(1))
    assert comments(rated / NAME) == []


@POSIX
@pytest.mark.parametrize("answers", [("first",), ("first", "merge"), ("first", "merge", "second", "third")])
def test_a_killed_store_may_be_copied_with_its_log(rated, tmp_path, made, answers):
    kill_after(rated, *answers)
    given = [comment for comment in answers if comment != "merge"]
    copy = shutil.copytree(rated, tmp_path / "copy")
    reader = reader_of(copy)
    reader.close()
    kill_after(copy, "after the copy")
    with open_writer(copy, command="the window") as store:
        assert store.foreign_log is None
        answer(store, made, "last")
    assert comments(copy / NAME) == ["before", *given, "after the copy", "last"]


def test_a_reader_beside_a_writer_sees_each_answer(rated, made):
    with open_writer(rated, command="the window") as store:
        for number in range(30):
            answer(store, made, f"{number}")
            if number % 7 == 0:
                store.merge_wal()
            with reader_of(rated) as reader:
                head = ratings.rating_head(reader, "november", "t-00000", "r-17")
            assert head is not None
            assert head.rating.answers.targets["s1"]["comment"] == f"{number}"


@POSIX
def test_a_file_that_is_replaced_while_it_is_being_opened_is_noticed(rated, other, made, monkeypatch):
    def enable(connection, original=connection_module._enable_wal):
        original(connection)
        replaced(rated, other)

    with monkeypatch.context() as patched:
        patched.setattr(connection_module, "_enable_wal", enable)
        store = open_writer(rated, command="the window")
    with store:
        answer(store, made, "first")
        assert store.moved_from == rated
    assert comments(store.folder / NAME) == ["before", "first"]
    assert comments(rated / NAME) == ["before", "of the other laptop"]


@POSIX
def test_a_moved_store_that_is_replaced_before_another_answer_is_moved_again_when_it_is_closed(rated, other, made):
    with open_writer(rated, command="the window") as store:
        answer(store, made, "first")
        replaced(rated, other)
        store.keep_place()
        replaced(store.folder, other)
    assert comments(store.folder / NAME) == ["before", "first"]
    assert len(moved_stores(rated)) == 2
