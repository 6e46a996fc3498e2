"""Stores of the versions 1, 4 and 6 to 9 are seen as they are, and brought up to date whole or not at all."""

import hashlib
import itertools
import shutil
import signal
import sqlite3
from contextlib import closing

import pytest

from desktop_rater.audit.results import Verdict
from desktop_rater.format.change import Cancelled, Progress
from desktop_rater.operations.audit.load_audit import audited_bundles, load_audit
from desktop_rater.operations.bundles.revisions import go_to_revision, put_bundle_away
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.open_task import bundle_statuses, next_unfinished, open_task
from desktop_rater.rubric import RubricError
from desktop_rater.store import (
    backups,
    bundle_events,
    bundles,
    export_forms,
    hubs,
    keys,
    mailbox,
    pages,
    ratings,
    received,
    reviews,
    schema,
    snapshots,
    state,
    tasks,
)
from desktop_rater.store.connection import stored_version
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.errors import StoreDamaged
from desktop_rater.store.open_store import needs_migration, open_writer
from desktop_rater.store.sqlite_tools import Database
from desktop_rater.text.urls import page_key
from tests.operations.bundles import RATER, make, noon, rating, save_ratings, take_in, task
from tests.readers import head_of, reader_of
from tests.store.hub_items import NOW, PROJECT, connected, queued, states
from tests.store.killed_at import killer
from tests.store.listed import count_tasks
from tests.store.older import lay

PAGE = b"a page that came with a bundle"
SHA = hashlib.sha256(PAGE).hexdigest()
EACH = 6  # not every step: that takes too long


def lay_with_pages(file, version):
    """A store of that version; the first one has the page of its bundle."""
    folder = lay(file, version)
    if version == 1:
        (folder / "snapshots").mkdir()
        (folder / "snapshots" / f"{SHA}.warc.gz").write_bytes(PAGE)
    return folder


@pytest.fixture
def first(file):
    """A store as the first version left it."""
    return lay_with_pages(file, 1)


@pytest.fixture
def old(file):
    """A store as version 4 left it."""
    return lay(file, 4)


def all_of_version_1(store):
    """Two tasks, one of them rated twice, and a page that came with the bundle; from before there were visits."""
    assert [row.tasks for row in bundles.list_bundles(store)] == [2]
    assert tasks.get_task(store, "november", "t-2").position == 1
    head = head_of(store, "november", "t-1", "r-17")
    assert (head.rating.revision, head.rating.answers.targets["s1"]) == (2, {"comment": "second"})
    assert tasks.count_tasks_by_state(store, "november", "r-17").complete == 1
    assert count_tasks(store, "november", "r-17", state="blocked") == 0
    assert count_tasks(store, "november", "r-17", text="cervantes") == 2
    assert state.get_state(store, "last-rater") == "r-17"
    assert ratings.evidence_urls(store, "november") == {"t-1": ["https://kelp.example/"]}
    assert snapshots.snapshot_path(store.folder, SHA) is not None
    assert pages.last_states(store, "november") == {}
    assert bundles.find_gold(store, "november", "t-1") is None


def all_of_version_4(store):
    """Two tasks, three revisions, exported once."""
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


def all_of_version_6(store):
    """Two tasks for practice, one with gold, three revisions, exported once; from before there were audits."""
    assert ratings.read_revision(store, "kelp", "t-1", "r-17", 1).note == "first"
    opened = open_task(store, "kelp", "t-1", "r-17")
    assert opened.rating.note == "second"
    assert [target.quote for target in opened.task.targets or ()] == ["Kelp grows in forests.", "It is an alga."]
    assert bundles.find_gold(store, "kelp", "t-1") is not None
    assert state.get_state(store, "last-rater") == "r-17"
    assert audited_bundles(store) == []
    assert received.list_results(store, "kelp") == []
    assert reviews.latest_reviews(store, "kelp", "verdict") == []


def own_and_received(store):
    assert ratings.read_revision(store, "b", "t-1", "r-30", 1).note == "first"
    assert ratings.read_revision(store, "b", "t-1", "r-30", 2).note == "second"
    assert state.get_state(store, "last-rater") == "r-30"
    assert {rating.rater for rating in received.stream_received(store, "b")} == {"r-04", "r-17"}


def all_of_version_7(store):
    """Two raters' results, a verdict of the lead, and ratings of its own user; from before there were hubs."""
    own_and_received(store)
    assert audited_bundles(store) == ["b"]
    (verdict,) = (one.read(Verdict) for one in reviews.latest_reviews(store, "b", "verdict"))
    assert (verdict.rater, verdict.kind) == ("r-17", "accepted")
    with pytest.raises(RubricError, match="span-factuality@1") as refused:
        load_audit(store, "b")
    assert "Make the bundle again" in refused.value.hint
    assert hubs.list_hubs(store) == []
    assert hubs.current_hub(store) is None
    assert mailbox.due_items(store, PROJECT, now=NOW) == []
    assert mailbox.list_arrivals(store, PROJECT) == []
    assert keys.list_rater_keys(store) == []
    assert keys.signatures_of_bundle(store, "b") == {}  # nobody looked


def all_of_version_8(store):
    """Two revisions of a bundle, ratings, signed results of others, and a hub; from before the events of bundles."""
    own_and_received(store)
    assert [(row.revision, row.current) for row in bundle_events.list_revisions(store, "b")] == [(2, True), (1, False)]
    assert [(row.revision, row.complete, row.incomplete) for row in bundle_statuses(store)] == [(2, 1, 1)]
    assert [row.id for row in bundles.list_bundles(store)] == ["b"]
    assert [row.rater for row in keys.list_rater_keys(store)] == ["r-17"]
    assert len(keys.signatures_of_bundle(store, "b")) == 2
    assert [(hub.project, hub.current) for hub in hubs.list_hubs(store)] == [(PROJECT, True)]
    assert states(store) == ["verified", "queued"]
    assert len(mailbox.list_items(store, PROJECT)) == 2
    assert [arrival.state for arrival in mailbox.list_arrivals(store, PROJECT)] == ["taken", "fetched"]


# Version 9 is from before bundles could be removed.
ALL = {
    1: all_of_version_1,
    4: all_of_version_4,
    6: all_of_version_6,
    7: all_of_version_7,
    8: all_of_version_8,
    9: all_of_version_8,
}
# These have the rows of what waits for the hub, without the files.
FAULTS = {8: {"hub files"}, 9: {"hub files"}}


@pytest.mark.parametrize("version", ALL)
def test_it_can_be_looked_at_and_examined_as_it_is(file, version):
    old = lay_with_pages(file, version)
    before = file.read_bytes()
    with reader_of(old) as store:
        ALL[version](store)
    assert version in FAULTS or examine_store(old).sound
    assert needs_migration(old)
    assert file.read_bytes() == before


@pytest.mark.parametrize("version", ALL)
def test_everything_is_there_when_it_is_brought_up_to_date(file, version):
    old = lay_with_pages(file, version)
    with open_writer(old, command="the window") as store:
        ALL[version](store)
    assert not needs_migration(old)
    assert {fault.check for fault in examine_store(old).faults} == FAULTS.get(version, set())
    assert [one.version for one in backups.list_backups(old, check_cancelled=lambda: None)] == [version]


def test_version_7_is_brought_up_to_date_with_hubs(file):
    with open_writer(lay(file, 7), command="the window") as store:
        connected(store)
        queued(store)
        assert states(store) == ["queued"]
    assert examine_store(file.parent).sound


def test_beside_a_bundle_of_an_earlier_rubric_another_is_rated_and_exported(file, tmp_path):
    new = make(tmp_path / "new.zip", [task("t-1")])
    with open_writer(lay(file, 7), command="the window") as store:
        take_in(store, new)
        save_ratings(store, "new", tmp_path / "r.jsonl", [rating("t-1")])
        exported = export_results(store, "new", RATER, tmp_path / "new-results.zip", progress=Progress())
        assert (exported.written, exported.complete) == (True, 1)
        rows = {row.id: (row.tasks, row.complete) for row in bundle_statuses(store)}
    assert rows == {"b": (2, 2), "new": (1, 1)}


def test_in_version_8_an_earlier_revision_can_be_gone_back_to_and_the_bundle_put_away(file):
    with open_writer(lay(file, 8), command="the window") as store:
        go_to_revision(store, "b", 1, now=noon)
        assert [(row.revision, row.complete) for row in bundle_statuses(store)] == [(1, 2)]
        put_bundle_away(store, "b", now=noon)
        assert bundle_statuses(store) == []


def test_the_sizes_of_tasks_of_version_9_are_counted_and_its_events_are_kept(file):
    with open_writer(lay(file, 9), command="the window") as store:
        sizes = store.db.execute("SELECT targets, responses FROM task_sizes ORDER BY key").fetchall()
        assert sizes == [(1, 1), (2, 1), (1, 1), (2, 1)]
        events = store.db.execute("SELECT what, revision FROM bundle_events ORDER BY key").fetchall()
        assert events == [("revision", 1), ("put away", 1), ("brought back", 1), ("revision", 2)]
        for table in ("ratings", "bundle_events"):
            with pytest.raises(sqlite3.IntegrityError, match="are never deleted"):
                store.db.execute(f"DELETE FROM {table}")


def test_pages_of_version_9_are_found_by_each_spelling_of_their_address(file):
    old = lay(file, 9)
    earlier = "https://kelp.example:443/wiki/长城%2e"
    columns = "url, page, final_url, final_page, fetched, status"
    values = f"'{earlier}', '{earlier}', '{earlier}', '{earlier}', '2026-11-20T08:00:00Z', 200"
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(
            f"INSERT INTO visits (bundle, state, snapshot, {columns}) VALUES ('b', 'ok', 'ab', {values})"
        )
        connection.execute(
            f"INSERT INTO snapshots (sha256, media_type, content, title, site, {columns})"
            f" VALUES ('ab', 'text/html', 'c', '', '', {values})"
        )
    with open_writer(old, command="the window") as store:
        for url in (earlier, "https://kelp.example/wiki/长城.", "https://kelp.example/wiki/%e9%95%bf%E5%9F%8E."):
            assert [copy.row.sha256 for copy in pages.copies_of_url(store, url, "b")] == ["ab"]
        assert list(pages.last_states(store, "b")) == [page_key(earlier)]


def tables(file):
    connection = sqlite3.connect(file)
    found = dict(connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql NOT NULL"))
    connection.close()
    return {name: " ".join(sql.split()) for name, sql in found.items()}


def test_one_of_version_1_is_then_the_same_as_one_that_is_made_today(first, file, tmp_path):
    open_writer(first, command="the window").close()
    open_writer(tmp_path / "today", command="the window").close()
    assert tables(file) == tables(tmp_path / "today" / "store.sqlite3")
    connection = sqlite3.connect(file)
    assert connection.execute("PRAGMA user_version").fetchone() == (schema.schema_version(),)
    connection.close()


def test_work_goes_on_in_one_of_version_1(first, made):
    with open_writer(first, command="the window") as store:
        made.rated(store, "t-2")
        made.imported(store, made.tasks(3), bundle_id="december")
    assert examine_store(first).sound


@pytest.mark.parametrize("statement", ["CREATE INDEX", "CREATE VIRTUAL TABLE", "CREATE TABLE visits", "PRAGMA user"])
def test_a_change_that_breaks_off_leaves_one_of_version_1_as_it_was(first, file, monkeypatch, statement):
    before = tables(file)
    execute = Database.execute

    def break_off(self, sql, *parameters):
        if sql.strip().startswith(statement):
            raise KeyboardInterrupt
        return execute(self, sql, *parameters)

    with monkeypatch.context() as patched:
        patched.setattr(Database, "execute", break_off)
        with pytest.raises(KeyboardInterrupt):
            open_writer(first, command="the window")
    assert tables(file) == before
    open_writer(first, command="the window").close()
    assert "visits" in tables(file)


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
                all_of_version_4(looking)
            assert examine_store(folder).sound
            with open_writer(folder, command="the window") as store:
                all_of_version_4(store)
            assert all(one.good for one in backups.list_backups(folder, check_cancelled=lambda: None))
            assert len(backups.list_backups(folder)) == 1
            if ended != -signal.SIGKILL:
                break
    assert ended == 0
    assert step > 20
    assert set(versions) == {4, schema.schema_version()}
    assert versions == [4] * versions.count(4) + versions[versions.count(4) :], "from one step on it is the new one"
