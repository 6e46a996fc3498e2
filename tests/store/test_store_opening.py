"""A store is made, found again, and never touched where it is not ours or too new."""

import os
import sqlite3
import stat

import pytest

from desktop_rater.store import bundles, schema, state
from desktop_rater.store.connection import stored_version
from desktop_rater.store.errors import StoreDamaged, StoreError, StoreTooNew
from desktop_rater.store.open_store import open_reader, open_writer
from tests.readers import reader_of


def listing(folder):
    return {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.iterdir() if path.is_file()}


def without_lock(files):
    return {name: content for name, content in files.items() if name != "lock"}


def foreign(path, *statements):
    path.parent.mkdir(exist_ok=True)
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.posix("Windows has access control lists, not modes")
def test_the_first_start_makes_a_store_that_only_its_owner_can_open(folder):
    open_writer(folder, command="the window").close()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert sorted(path.name for path in folder.iterdir()) == ["journal.jsonl", "lock", "store.sqlite3"]


def test_what_was_put_in_is_there_at_the_next_start(folder, made):
    with open_writer(folder, command="the window") as store:
        made.imported(store, made.tasks(3))
        state.put_state(store, "last-rater", "r-17")
    with open_writer(folder, command="the window") as store:
        assert [row.id for row in bundles.list_bundles(store)] == ["november"]
        assert state.get_state(store, "last-rater") == "r-17"


def test_looking_at_a_store_that_is_not_there_makes_nothing(folder):
    assert open_reader(folder) is None
    assert not folder.exists()


def test_looking_at_an_empty_folder_makes_nothing(folder):
    folder.mkdir()
    assert open_reader(folder) is None
    assert list(folder.iterdir()) == []


def test_a_reader_beside_the_writer_sees_each_commit_and_can_write_nothing(folder, store, made):
    with reader_of(folder) as reader:
        assert bundles.list_bundles(reader) == []
        made.imported(store, made.tasks(2))
        assert [row.tasks for row in bundles.list_bundles(reader)] == [2]
        with pytest.raises(StoreError, match="not writable"):
            state.put_state(reader, "last-rater", "r-17")


def test_a_reader_can_hold_on_to_one_moment(folder, store, made):
    with reader_of(folder) as reader:
        with reader.snapshot_isolation():
            assert bundles.list_bundles(reader) == []
            made.imported(store, made.tasks(2))
            assert bundles.list_bundles(reader) == []
        assert len(bundles.list_bundles(reader)) == 1


def test_a_store_of_a_newer_version_is_refused_untouched(folder, file):
    open_writer(folder, command="the window").close()
    foreign(file, f"PRAGMA user_version = {schema.schema_version() + 1}")
    before = listing(folder)
    with pytest.raises(StoreTooNew, match="newer version"):
        open_writer(folder, command="the window")
    with pytest.raises(StoreTooNew, match="newer version"):
        open_reader(folder)
    assert listing(folder) == before


def test_a_store_that_a_newer_version_left_in_its_log_is_refused_untouched(folder, file, tmp_path):
    """The newer version was killed: what it wrote stands in the WAL only."""
    open_writer(folder, command="the window").close()
    newer = sqlite3.connect(file)
    newer.execute(f"PRAGMA user_version = {schema.schema_version() + 1}")
    kept = tmp_path / "killed"
    kept.mkdir()
    for name in ("store.sqlite3", "store.sqlite3-wal"):
        (kept / name).write_bytes((folder / name).read_bytes())
    newer.close()
    before = listing(kept)
    with pytest.raises(StoreTooNew):
        open_writer(kept, command="the window")
    after = listing(kept)
    assert {name: after[name] for name in before} == before


@pytest.mark.parametrize(
    ("statements", "kind"),
    [
        (["CREATE TABLE photos (name TEXT)"], StoreError),
        (["PRAGMA application_id = 7", "CREATE TABLE photos (name TEXT)"], StoreError),
    ],
    ids=["no application", "another application"],
)
def test_a_database_of_another_program_is_refused_untouched(folder, file, statements, kind):
    foreign(file, *statements)
    before = listing(folder)
    for open_it in (lambda: open_writer(folder, command="the window"), lambda: open_reader(folder)):
        with pytest.raises(kind, match="not a store"):
            open_it()
    assert without_lock(listing(folder)) == before


@pytest.mark.parametrize("content", [b"not a database at all" * 100, b"x", b""], ids=["text", "a byte", "nothing"])
def test_a_file_that_is_no_database_is_refused_untouched(folder, file, content):
    folder.mkdir()
    file.write_bytes(content)
    before = listing(folder)
    for open_it in (lambda: open_writer(folder, command="the window"), lambda: open_reader(folder)):
        with pytest.raises(StoreDamaged):
            open_it()
    assert without_lock(listing(folder)) == before


@pytest.mark.parametrize(
    ("statements", "name"),
    [
        (["CREATE TRIGGER spy AFTER INSERT ON ratings BEGIN DELETE FROM state; END"], "The trigger spy"),
        (
            [
                "DROP TRIGGER ratings_never_go",
                "CREATE TRIGGER ratings_never_go AFTER INSERT ON ratings BEGIN DELETE FROM state; END",
            ],
            "The trigger ratings_never_go",
        ),
        (
            ["ALTER TABLE state RENAME TO truth", "CREATE VIEW state AS SELECT key, 'else' AS value FROM truth"],
            "The view state",
        ),
    ],
    ids=["foreign", "in the place of a guard", "view"],
)
def test_a_store_in_which_somebody_left_a_program_is_read_but_not_written(folder, file, made, damage, statements, name):
    with open_writer(folder, command="the window") as store:
        made.imported(store, made.tasks(2))
    damage(*statements)
    before = file.read_bytes()
    with pytest.raises(StoreDamaged, match=name) as refused:
        open_writer(folder, command="the window")
    assert "doctor --salvage" in refused.value.hint
    assert file.read_bytes() == before
    with reader_of(folder) as reader:
        assert [bundle.id for bundle in bundles.list_bundles(reader)] == ["november"]


def test_a_refused_store_can_be_opened_by_the_program_that_knows_it(folder, file):
    """The lock is let go of when opening fails."""
    open_writer(folder, command="the window").close()
    foreign(file, f"PRAGMA user_version = {schema.schema_version() + 1}")
    with pytest.raises(StoreTooNew):
        open_writer(folder, command="the window")
    foreign(file, f"PRAGMA user_version = {schema.schema_version()}")
    open_writer(folder, command="the window").close()


def test_a_store_whose_making_was_killed_is_made_anew(folder):
    folder.mkdir()
    (folder / "store.sqlite3.new").write_bytes(b"half a database")
    assert open_reader(folder) is None
    with open_writer(folder, command="the window") as store:
        assert bundles.list_bundles(store) == []
    assert not (folder / "store.sqlite3.new").exists()


def test_a_writer_keeps_what_sqlite_promises(store):
    pragma = {
        name: store.db.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous", "foreign_keys", "trusted_schema", "cell_size_check", "busy_timeout")
    }
    assert pragma == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "trusted_schema": 0,
        "cell_size_check": 1,
        "busy_timeout": 5000,
    }


def test_all_tables_refuse_values_of_another_kind(store):
    rows = store.db.execute("SELECT name, strict FROM pragma_table_list WHERE type = 'table' AND schema = 'main'")
    strict = {name: is_strict for name, is_strict in rows if not name.startswith(("sqlite_", "_sqlite"))}
    assert len(strict) == 28
    assert [name for name, is_strict in strict.items() if not is_strict] == []


def test_a_transaction_takes_the_right_to_write_when_it_begins(store, file):
    """A plain BEGIN would let a foreign program write in between, and ours fail without waiting."""
    other = sqlite3.connect(file, timeout=0)
    with store.writing("It is not saved."), pytest.raises(sqlite3.OperationalError, match="locked"):
        other.execute("BEGIN IMMEDIATE")
    other.execute("BEGIN IMMEDIATE")
    other.close()


def test_a_path_with_odd_characters_is_a_path(tmp_path):
    folder = tmp_path / ("100 % mode=ro #1 ü" if os.name == "nt" else "100 % ?mode=ro #1 ü")
    open_writer(folder, command="the window").close()
    reader = reader_of(folder)
    reader.close()


def test_closing_twice_is_closing_once(folder):
    store = open_writer(folder, command="the window")
    store.close()
    store.close()


def test_closing_puts_everything_into_the_one_file(folder, made):
    with open_writer(folder, command="the window") as store:
        made.imported(store, made.tasks(2))
    assert not (folder / "store.sqlite3-wal").exists()


def test_what_went_wrong_first_is_told_and_not_what_closing_adds(store, monkeypatch):
    def fail():
        raise StoreError("The log was not put away.")

    with monkeypatch.context() as patched:
        patched.setattr(store, "_remove_wal", fail)
        with pytest.raises(ZeroDivisionError), store:
            raise ZeroDivisionError


def test_a_log_that_can_not_be_put_away_keeps_no_connection(store, monkeypatch):
    def fail():
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(store, "_remove_wal", fail)
    with pytest.raises(sqlite3.OperationalError):
        store.close()
    with pytest.raises(sqlite3.ProgrammingError):
        store.db.execute("SELECT 1")


@pytest.mark.posix("the limit of Windows is another one")
@pytest.mark.parametrize("name", ["x" * 200, "é" * 100], ids=["ASCII", "two bytes each"])
def test_a_path_that_is_too_long_for_sqlite_is_called_so(tmp_path, name):
    folder = tmp_path / name / name / name / "store"
    for opened in (lambda: open_writer(folder, command="test"), lambda: stored_version(folder / "store.sqlite3")):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "store.sqlite3").write_bytes(bytes(4096))
        with pytest.raises(StoreError, match="The path of the store is too long") as caught:
            opened()
        assert "512" in caught.value.message


@pytest.mark.posix("the limit of Windows is another one")
def test_a_path_that_sqlite_just_takes_is_used(tmp_path):
    room = 512 - len("-journal") - len("/store.sqlite3.new") - len(os.fsencode(tmp_path))
    folder = tmp_path / ("x" * 200) / ("y" * (room - 202))
    open_writer(folder, command="test").close()
    with pytest.raises(StoreError, match="too long"):
        open_writer(folder.with_name(f"{folder.name}y"), command="test")
