"""A store of the first version is brought up to date when it is opened for writing, and nothing of it is lost."""

import hashlib
import sqlite3

import pytest

from desktop_rater.store import bundles, pages, ratings, schema, snapshots, state, tasks
from desktop_rater.store.connection import WritingDatabase
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.open_store import open_writer
from tests.readers import head_of, reader_of
from tests.store.listed import count_tasks
from tests.store.older import lay

PAGE = b"a page that came with a bundle"
SHA = hashlib.sha256(PAGE).hexdigest()


@pytest.fixture
def old(folder, file):
    """A store as the first version left it."""
    (folder / "snapshots").mkdir(parents=True)
    (folder / "snapshots" / f"{SHA}.warc.gz").write_bytes(PAGE)
    return lay(file, 1)


def tables(file):
    connection = sqlite3.connect(file)
    found = dict(connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql NOT NULL"))
    connection.close()
    return {name: " ".join(sql.split()) for name, sql in found.items()}


def test_everything_is_there_after_the_first_opening(old, file):
    with open_writer(old, command="the window") as store:
        assert [row.tasks for row in bundles.list_bundles(store)] == [2]
        assert tasks.get_task(store, "november", "t-2").position == 1
        head = head_of(store, "november", "t-1", "r-17")
        assert (head.rating.revision, head.rating.answers.targets["s1"]) == (2, {"comment": "second"})
        assert count_tasks(store, "november", "r-17", text="cervantes") == 2
        assert state.get_state(store, "last-rater") == "r-17"
        assert ratings.evidence_urls(store, "november") == {"t-1": ["https://kelp.example/"]}
        assert snapshots.snapshot_path(old, SHA) is not None
        assert pages.last_states(store, "november") == {}
    assert examine_store(old).sound


def test_it_is_then_the_same_as_one_that_is_made_today(old, file, tmp_path):
    open_writer(old, command="the window").close()
    open_writer(tmp_path / "today", command="the window").close()
    assert tables(file) == tables(tmp_path / "today" / "store.sqlite3")
    connection = sqlite3.connect(file)
    assert connection.execute("PRAGMA user_version").fetchone() == (schema.schema_version(),)
    connection.close()


def test_work_goes_on_in_it(old, made):
    with open_writer(old, command="the window") as store:
        made.rated(store, "t-2")
        made.imported(store, made.tasks(3), bundle_id="december")
    assert examine_store(old).sound


def test_whoever_only_looks_sees_it_as_it_is_and_touches_nothing(old, file):
    before = file.read_bytes()
    with reader_of(old) as store:
        assert tasks.count_tasks_by_state(store, "november", "r-17").complete == 1
        assert count_tasks(store, "november", "r-17", state="blocked") == 0
        assert tasks.get_task(store, "november", "t-2").position == 1
        assert pages.last_states(store, "november") == {}
        assert bundles.find_gold(store, "november", "t-1") is None
    assert examine_store(old).sound
    assert file.read_bytes() == before


@pytest.mark.parametrize("statement", ["CREATE INDEX", "CREATE VIRTUAL TABLE", "CREATE TABLE visits", "PRAGMA user"])
def test_a_change_that_breaks_off_leaves_it_as_it_was(old, file, monkeypatch, statement):
    before = tables(file)
    execute = WritingDatabase.execute

    def break_off(self, sql, *parameters):
        if sql.strip().startswith(statement):
            raise KeyboardInterrupt
        return execute(self, sql, *parameters)

    with monkeypatch.context() as patched:
        patched.setattr(WritingDatabase, "execute", break_off)
        with pytest.raises(KeyboardInterrupt):
            open_writer(old, command="the window")
    assert tables(file) == before
    open_writer(old, command="the window").close()
    assert "visits" in tables(file)
