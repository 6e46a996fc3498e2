"""The doctor finds what was altered, and touches nothing."""

import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.store import backups, bundles, doctor, ratings, snapshots, state
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.open_store import open_writer


@pytest.fixture
def closed(folder, made):
    """A store with a rated bundle, closed."""
    with open_writer(folder, command="the window") as store:
        made.imported(store, made.tasks(5, tools="google_flights"))
        made.rated(store, "t-00000", "t-00001")
        ratings.append_revision(store, "november", made.change("t-00001", "skipped", comment="the second revision"))
    return folder


def checks(report):
    return [finding.check for finding in report.faults]


def flip(file, old, new):
    content = file.read_bytes()
    assert old in content
    file.write_bytes(content.replace(old, new))


def test_a_store_as_it_should_be_is_sound(closed):
    before = {path: path.read_bytes() for path in closed.iterdir()}
    report = examine_store(closed)
    assert report.sound
    assert [note.check for note in report.notes] == ["sqlite", "backups", "journal"]
    assert report.notes[1].text == "There is no good backup yet."
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize("there", [False, True], ids=["not there", "empty"])
def test_a_store_that_is_not_there_yet_is_sound(folder, there):
    if there:
        folder.mkdir()
    assert examine_store(folder).sound
    assert folder.exists() == there


def test_a_store_in_use_is_sound_and_the_doctor_says_who_uses_it(folder, store, made):
    made.imported(store, made.tasks(3))
    report = examine_store(folder)
    assert report.sound
    assert any(note.check == "holder" and "`the window`" in note.text for note in report.notes)


def test_a_flipped_byte_in_an_answer_is_found(closed, file):
    flip(file, b"the second revision", b"the sEcond revision")
    report = examine_store(closed)
    assert checks(report) == ["ratings"]
    assert report.faults[0].text == (
        "Revision 2 of r-17's rating of november/t-00001 was altered: it is not what was saved."
    )


def test_a_flipped_byte_in_a_task_is_found(closed, file):
    flip(file, b'{"id": "t-00003",', b'{"id": "t-00004",')
    report = examine_store(closed)
    assert checks(report) == ["tasks"]
    assert "'t-00003'" in report.faults[0].text


@pytest.mark.parametrize(
    ("statements", "check"),
    [
        (["DROP TRIGGER ratings_never_go", "DELETE FROM ratings WHERE revision = 2"], "history"),
        (["DROP TRIGGER ratings_never_go", "DELETE FROM ratings WHERE task = 't-00001' AND revision = 1"], "history"),
        (["DROP TRIGGER ratings_never_change", "UPDATE ratings SET status = 'incomplete'"], "ratings"),
        (["DROP TRIGGER ratings_never_change", "UPDATE ratings SET rater = 'r-18' WHERE revision = 2"], "ratings"),
        (["DELETE FROM heads WHERE task = 't-00000'"], "history"),
        (["UPDATE heads SET revision = 1"], "history"),
        (["UPDATE heads SET status = 'incomplete'"], "heads"),
        (["UPDATE heads SET position = 4 WHERE task = 't-00000'"], "heads"),
        (["DELETE FROM finished_runs"], "heads"),
        (["DELETE FROM tasks WHERE id = 't-00003'"], "tasks"),
        (["DELETE FROM tasks WHERE id = 't-00003'"], "search"),
        (["DELETE FROM texts WHERE rowid = (SELECT max(rowid) FROM texts)"], "search"),
        (["UPDATE texts_content SET c0 = 'Who else?'"], "search"),
        (["UPDATE texts_data SET block = zeroblob(40) WHERE id > 10"], "search"),
        (["DELETE FROM bundles"], "database"),
        (["DROP TABLE texts_data"], "search"),
        (["DROP TABLE heads"], "history"),
    ],
)
def test_what_somebody_altered_in_the_tables_is_found(closed, damage, statements, check):
    damage(*statements)
    assert check in checks(examine_store(closed))


@pytest.mark.parametrize(
    ("statements", "fault"),
    [
        (
            ["CREATE TRIGGER spy AFTER INSERT ON ratings BEGIN DELETE FROM state; END"],
            "The trigger spy does not belong in a store.",
        ),
        (["DROP TRIGGER ratings_never_change"], "It has no trigger ratings_never_change."),
        (
            [
                "DROP TRIGGER ratings_never_go",
                "CREATE TRIGGER ratings_never_go BEFORE DELETE ON ratings BEGIN SELECT 1; END",
            ],
            "The trigger ratings_never_go was modified.",
        ),
        (
            ["ALTER TABLE state RENAME TO truth", "CREATE VIEW state AS SELECT key, 'else' AS value FROM truth"],
            "The view state does not belong in a store.",
        ),
        (["CREATE TABLE texts_of_mine (text TEXT)"], "The table texts_of_mine does not belong in a store."),
        (["DROP INDEX heads_by_status"], "It has no index heads_by_status."),
        (["ALTER TABLE visits ADD COLUMN lost TEXT"], "The table visits was modified."),
        (
            ["DROP INDEX bundle_events_by_bundle", "CREATE INDEX bundle_events_by_bundle ON bundle_events (reason)"],
            "The index bundle_events_by_bundle was modified.",
        ),
        (["CREATE VIEW sqlitely AS SELECT 1"], "The view sqlitely does not belong in a store."),
        (['CREATE VIEW "spy\u202e" AS SELECT 1'], r"The view 'spy\u202e' does not belong in a store."),
    ],
    ids=[
        *("foreign trigger", "no guard", "harmless guard", "view for a table", "table named as part of an index"),
        *("no index", "further column", "other index", "view", "unseen character"),
    ],
)
def test_what_somebody_altered_in_the_schema_is_named(closed, damage, statements, fault):
    damage(*statements)
    report = examine_store(closed)
    assert not report.sound
    assert any(found.check == "schema" and found.text.startswith(fault) for found in report.faults), report.faults


def test_many_faults_of_a_kind_are_counted(folder, made, damage):
    with open_writer(folder, command="the window") as store:
        made.imported(store, made.tasks(300))
    damage("UPDATE tasks SET line = x'00'")
    report = examine_store(folder)
    assert len(report.faults) == 21
    assert report.faults[-1].text == "… and 280 more of this kind."


@pytest.mark.parametrize("seed", range(12))
def test_damage_of_any_kind_is_a_fault_and_never_an_exception(folder, file, made, seed):
    with open_writer(folder, command="the window") as store:
        made.imported(store, made.tasks(200, response="Cervantes " * 40))
        made.rated(store, *(f"t-{number:05}" for number in range(50)))
    chance = random.Random(seed)
    content = bytearray(file.read_bytes())
    if seed % 3 == 0:
        del content[chance.randrange(len(content)) :]
    else:
        for page in chance.sample(range(len(content) // 4096), 12):
            content[page * 4096 : (page + 1) * 4096] = chance.randbytes(4096)
    file.write_bytes(content)
    assert not examine_store(folder).sound


def test_a_file_that_is_no_database_is_a_fault(folder, file):
    folder.mkdir()
    file.write_bytes(b"my holiday photos" * 100)
    assert checks(examine_store(folder)) == ["store"]


def test_a_snapshot_that_is_not_what_its_name_says_is_found(closed):
    page = b"a page"
    sha = "2ac4b6e1ea6a5bf6a1ca86bd8b8f0ad3f0f3cd2e2c7dda2cbb5b1a8ac1f1fbba"
    (closed / "snapshots").mkdir()
    (closed / "snapshots" / f"{sha}.warc.gz").write_bytes(page)
    report = examine_store(closed)
    assert checks(report) == ["snapshots"]
    assert sha in report.faults[0].text


def test_what_a_killed_run_left_is_noted_and_is_no_fault(folder, made):
    with open_writer(folder, command="the window") as store:
        key = bundles.begin_bundle_import(store, made.bundle())
        bundles.add_tasks(store, key, made.tasks(3))
        snapshots.snapshot_folder(folder).mkdir()
    (folder / "snapshots" / ".abc.part").write_bytes(b"half")
    (folder / "holder.json").write_text(
        '{"pid": 7, "host": "laptop", "command": "the window", "since": "2026-11-20T08:00:00Z"}', encoding="utf-8"
    )
    report = examine_store(folder)
    assert report.sound
    assert [note.check for note in report.notes] == ["sqlite", "holder", "leftovers", "backups", "journal", "leftovers"]


def test_half_a_salvaged_store_is_named_and_goes_at_the_next_start(closed):
    (closed / "salvage.part").mkdir()
    (closed / "salvage.part" / "store.sqlite3").write_bytes(b"half")
    said = [note.text for note in examine_store(closed).notes if note.check == "leftovers"]
    assert said == ["salvage.part was never finished. The next start removes it."]
    open_writer(closed, command="the window").close()
    assert not (closed / "salvage.part").exists()


def test_targets_that_were_moved_behind_the_programs_back_are_found(folder, made, damage):
    placed = '[{"id":"s1","response":"a","start":0,"end":9,"quote":"Cervantes"}]'
    with open_writer(folder, command="the window") as store:
        rows = [replace(row, targets=placed) for row in made.tasks(3)]
        made.imported(store, [*rows, made.task("bare")])
    assert examine_store(folder).sound
    damage(
        "UPDATE tasks SET targets = replace(targets, '9', '4') WHERE id = 't-00000'",
        "UPDATE tasks SET targets = NULL WHERE id = 't-00001'",
        "DELETE FROM placed WHERE key = (SELECT key FROM tasks WHERE id = 't-00002')",
        "UPDATE tasks SET targets = '[]' WHERE id = 'bare'",
    )
    assert [fault.text for fault in examine_store(folder).faults] == [
        f"The task {name!r} was modified: its targets are not where the import placed them."
        for name in ("t-00000", "t-00001", "t-00002", "bare")
    ]


def test_a_backup_that_was_altered_is_found_and_the_good_ones_are_counted(closed, made):
    for comment in ("before the backup", "and another"):
        with open_writer(closed, command="the window") as store:
            draft = backups.draft_backup(store, Progress())
            backups.store_backup(closed, draft, now=datetime(2026, 11, 20, 12, tzinfo=UTC))
            ratings.append_revision(store, "november", made.change(comment=comment))
    newest = backups.list_backups(closed)[0].path
    flip(newest, b"the second revision", b"the sEcond revision")
    report = examine_store(closed)
    assert checks(report) == ["backups"]
    assert newest.name in report.faults[0].text
    (note,) = [note.text for note in report.notes if note.check == "backups"]
    assert note == "1 good backup, the newest of 2026-11-20T12:00:00Z with 3 revisions."


KILLED = """
import os, sys
from pathlib import Path
from desktop_rater.store import state
from desktop_rater.store.open_store import open_writer
store = open_writer(Path(sys.argv[1]), command="the window")
state.put_state(store, "last-rater", "r-18")
os._exit(9)
"""


def test_a_store_that_was_copied_without_its_log_does_not_pass_for_sound(closed, folder):
    """SQLite finds nothing wrong with it: what stood in the log was never in the file."""
    subprocess.run([sys.executable, "-c", KILLED, str(closed)], check=False)
    assert examine_store(closed).sound
    (folder / "store.sqlite3-wal").unlink()
    assert checks(examine_store(closed)) == ["log"]
    with open_writer(closed, command="the window") as store:
        assert store.log_was_gone
        assert state.get_state(store, "last-rater") is None
    assert examine_store(closed).sound


def test_a_store_whose_log_was_put_away_misses_none(closed, file):
    with open_writer(closed, command="the window") as store:
        assert not store.log_was_gone
        assert file.with_name("store.sqlite3-wal").exists()
    assert not file.with_name("store.sqlite3-wal").exists()
    assert examine_store(closed).sound


def test_what_is_kept_aside_is_noted_with_its_size(closed):
    place = closed / "set-aside" / "2026-11-20T120000Z"
    place.mkdir(parents=True)
    (place / "store.sqlite3").write_bytes(bytes(1_500_000))
    (note,) = [note.text for note in examine_store(closed).notes if note.check == "aside"]
    assert "set-aside/2026-11-20T120000Z contains an earlier store, 1.5 MB." in note


def test_little_space_is_noted():
    assert [note.text for note in doctor.note_space(499_000_000)] == ["Only 499 MB are free on the disk of the store."]
    assert list(doctor.note_space(500_000_000)) == []


@pytest.mark.parametrize(
    ("version", "affected"),
    [((3, 6, 23), False), ((3, 7, 0), True), ((3, 40, 1), True), ((3, 51, 2), True), ((3, 51, 3), False)],
)
def test_the_versions_of_sqlite_with_the_reset_bug_are_noted(version, affected):
    (note,) = doctor.note_sqlite(version)
    assert ("damage a log" in note.text) == affected


def test_an_examination_can_be_stopped(closed):
    progress = Progress()
    progress.stop()
    with pytest.raises(Cancelled):
        examine_store(closed, progress)


def test_an_examination_is_stopped_in_the_middle_of_one_long_question(folder, made):
    with open_writer(folder, command="the window") as store:
        made.imported(store, made.tasks(3000, response="Cervantes " * 40))
    asked = []

    def publish(done, total):
        asked.append(done)
        if asked.count(7) == 12:  # the copying is done by then, and the index is being checked
            progress.stop()

    progress = Progress(publish)
    with pytest.raises(Cancelled):
        examine_store(folder, progress)
    assert 8 not in asked


def test_an_examination_says_how_far_it_is(closed):
    seen = []
    examine_store(closed, Progress(lambda done, total: seen.append((done, total))))
    assert seen[-1] == (15, 15)
    assert seen == sorted(seen)


def test_the_doctor_does_not_keep_anybody_from_writing(folder, store, made, file):
    """While it reads, the writer goes on, and what it writes then is no fault."""
    made.imported(store, made.tasks(50))

    def publish(done, total):
        made.rated(store, f"t-{chance.randrange(50):05}")

    chance = random.Random(3)
    assert examine_store(folder, Progress(publish)).sound
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT count(*) FROM ratings").fetchone()[0] > 5


@pytest.mark.parametrize(
    "name",
    [
        "store (ana's conflicted copy 2026-11-28).sqlite3",
        "store (conflicted copy 2026-11-28 123900).sqlite3",
        "store.sync-conflict-20261128-123900-ABCDEFG.sqlite3",
        "store-LAPTOP-7.sqlite3",
        "store 2.sqlite3",
    ],
)
def test_a_copy_that_a_synchronising_program_made_is_named(folder, file, store, name):
    store.close()
    shutil.copy(file, folder / name)
    report = examine_store(folder)
    assert report.sound
    (note,) = (note.text for note in report.notes if note.check == "copies")
    assert name in note
    assert "restore --join" in note


@pytest.mark.parametrize(
    ("place", "program"),
    [
        ("Dropbox (Personal)/work", "Dropbox"),
        ("OneDrive - The Company", "OneDrive"),
        ("Nextcloud", "Nextcloud"),
        ("Mobile Documents/com~apple~CloudDocs", "iCloud Drive"),
        ("GoogleDrive-ana@example.org", "Google Drive"),
    ],
)
def test_a_store_in_a_folder_that_is_synchronised_is_noted_with_the_way_out(tmp_path, place, program):
    folder = tmp_path / place / "store"
    open_writer(folder, command="test").close()
    (note,) = (note.text for note in examine_store(folder).notes if note.check == "folder")
    assert f"a folder of {program}" in note
    assert "a hub" in note


@pytest.mark.parametrize(
    ("marker", "program"), [(".stfolder", "Syncthing"), (".sync_0a1b2c.db", "Nextcloud"), (".dropbox.cache", "Dropbox")]
)
def test_so_is_one_that_is_known_by_what_the_program_keeps_there(tmp_path, marker, program):
    (tmp_path / "shared" / marker).mkdir(parents=True)
    folder = tmp_path / "shared" / "work" / "store"
    open_writer(folder, command="test").close()
    assert [program in note.text for note in examine_store(folder).notes if note.check == "folder"] == [True]


def test_a_folder_of_its_own_is_not(store, folder):
    assert [note for note in examine_store(folder).notes if note.check in {"folder", "copies"}] == []
