"""A store of version 4 is seen as it is, and brought up to date whole or not at all, whenever that breaks off."""

import itertools
import shutil
import signal
import sqlite3

import pytest

from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.operations.rating.open_task import next_unfinished, open_task
from desktop_rater.store import backups, bundles, export_forms, ratings, schema, state, tasks
from desktop_rater.store.connection import stored_version
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.errors import StoreDamaged
from desktop_rater.store.open_store import needs_migration, open_writer
from tests.readers import head_of, reader_of
from tests.store.killed_at import killer
from tests.store.listed import count_tasks
from tests.store.older import lay

EACH = 6  # not every step: that takes too long


@pytest.fixture
def old(file):
    """A store as version 4 left it: two tasks, three revisions, exported once."""
    return lay(file, 4)


def assert_all_is_there(store):
    assert [(row.id, row.tasks) for row in bundles.list_bundles(store)] == [("kelp", 2)]
    head = head_of(store, "kelp", "t-1", "r-17")
    assert (head.rating.revision, head.rating.note) == (2, "second")
    assert ratings.read_revision(store, "kelp", "t-1", "r-17", 1).note == "first"
    opened = open_task(store, "kelp", "t-1", "r-17")
    assert [target.quote for target in opened.task.targets or ()] == ["Kelp grows in forests.", "It is an alga."]
    assert tasks.count_tasks_by_state(store, "kelp", "r-17").complete == 2
    assert next_unfinished(store, "kelp", "r-17", -1) is None
    assert count_tasks(store, "kelp", "r-17", text="forests") == 1
    assert count_tasks(store, "kelp", "r-17", state="blocked") == 0
    (kelp,) = bundles.list_bundles(store)
    assert [len(batch) for batch in export_forms.stream_export(store, kelp, "r-17", "", 10, as_rated=False)] == [2]
    assert state.last_export(store, "kelp", "r-17") is not None
    assert bundles.find_gold(store, "kelp", "t-1") is None
    assert state.get_state(store, "last-rater") == "r-17"


def test_it_can_be_looked_at_and_examined_as_it_is(old, file):
    before = file.read_bytes()
    with reader_of(old) as store:
        assert_all_is_there(store)
    assert examine_store(old).sound
    assert needs_migration(old)
    assert file.read_bytes() == before


def test_whoever_only_looks_can_write_nothing_not_even_beside_it(old):
    with reader_of(old) as store:
        for table in ("gold", "tasks"):
            with pytest.raises(sqlite3.OperationalError, match="readonly"):
                store.db.execute(f"DELETE FROM {table}")


def test_what_is_wrong_with_it_is_found_before_it_is_brought_up_to_date(old, damage):
    damage("UPDATE tasks SET line = CAST(replace(line, 'Kelp', 'Moss') AS BLOB) WHERE id = 't-1'")
    assert [fault.text for fault in examine_store(old).faults] == [
        "The task 't-1' was modified: its line is not the one that was imported."
    ]


def test_everything_is_there_when_it_is_brought_up_to_date(old):
    with open_writer(old, command="the window") as store:
        assert_all_is_there(store)
    assert not needs_migration(old)
    assert examine_store(old).sound
    assert [one.version for one in backups.list_backups(old, check_cancelled=lambda: None)] == [4]


def test_from_then_on_the_places_of_its_targets_are_guarded(old, damage):
    open_writer(old, command="the window").close()
    damage("""UPDATE tasks SET targets = replace(targets, '"start":0', '"start":1') WHERE id = 't-1'""")
    assert [fault.check for fault in examine_store(old).faults] == ["tasks"]
    store = reader_of(old)
    with store, pytest.raises(StoreDamaged, match="targets are not where"):
        open_task(store, "kelp", "t-1", "r-17")


def test_each_stage_is_told_of(old):
    stages = []

    def updating(stage):
        stages.append(stage)
        return Progress()

    open_writer(old, command="the window", updating=updating).close()
    assert list(dict.fromkeys(stages)) == ["check", "copy", "update"]
    stages.clear()
    open_writer(old, command="the window", updating=updating).close()
    assert stages == []


class Full:
    """A store that is large enough for each stage to be reported on."""

    def __init__(self, folder, file):
        connection = sqlite3.connect(file)
        connection.executemany(
            "INSERT INTO state (key, value) VALUES (?, ?)", ((f"k{number}", "x" * 900) for number in range(2_000))
        )
        connection.execute(
            """
            WITH RECURSIVE count(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM count WHERE n < 30000)
            INSERT INTO tasks (key, bundle, id, title, line_sha256, targets, line)
            SELECT (1 << 32) + n, 1, 'x' || n, '', line_sha256, '[]', line FROM count, tasks WHERE id = 't-2'
            """
        )
        connection.execute("UPDATE bundles SET tasks = 30001")
        connection.execute(
            "INSERT INTO texts (rowid, prompt, responses, tools) SELECT key, '', '', '' FROM tasks WHERE id LIKE 'x%'"
        )
        connection.commit()
        connection.close()


@pytest.mark.parametrize("stage", ["copy", "check", "update"])
def test_cancelled_at_any_stage_it_is_as_it_was(old, file, stage):
    Full(old, file)
    before = file.read_bytes()
    stopped = []

    def updating(now):
        progress = Progress()
        if now == stage and (backups.list_backups(old) or list((old / "backups").glob("*")) or stage == "copy"):
            stopped.append(now)
            progress.stop()
        return progress

    with pytest.raises(Cancelled):
        open_writer(old, command="the window", updating=updating)
    assert stopped == [stage]
    assert file.read_bytes() == before
    assert stored_version(file) == 4
    assert not list(old.glob("backups/.*"))
    with open_writer(old, command="the window") as store:
        assert tasks.get_task(store, "kelp", "x29999").position == 29_999
    assert len(backups.list_backups(old)) == 1, "the backup of the start that was cancelled is good for this one"


@pytest.mark.posix("Windows has no signals to send to a process")
def test_killed_at_any_step_it_opens_with_everything_in_it(old, folder, file, tmp_path):
    as_it_was = folder.rename(tmp_path / "as it was")
    versions = []
    with killer() as run:
        for step in itertools.count(1, EACH):
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(as_it_was, folder)
            ended = run("bring_up_to_date", step, folder)
            versions.append(stored_version(file))
            with reader_of(folder) as looking:
                assert_all_is_there(looking)
            assert examine_store(folder).sound
            with open_writer(folder, command="the window") as store:
                assert_all_is_there(store)
            assert all(one.good for one in backups.list_backups(folder, check_cancelled=lambda: None))
            assert len(backups.list_backups(folder)) == 1
            if ended != -signal.SIGKILL:
                break
    assert ended == 0
    assert step > 20
    assert set(versions) == {4, schema.schema_version()}
    assert versions == [4] * versions.count(4) + versions[versions.count(4) :], "from one step on it is the new one"
