"""A bundle is removed whole, but never one whose work is nowhere else."""

import hashlib
import sqlite3

import pytest

from desktop_rater.format.change import Progress
from desktop_rater.operations.bundles.revisions import NotRemoved, check_removal, remove_bundle
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.open_task import bundle_statuses
from desktop_rater.paths import sample_bundle_path
from desktop_rater.store.bundle_events import BundleEvent
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.open_store import open_writer
from desktop_rater.store.pages import PageOrigin, SnapshotRow, VisitRow, copies_of_url, record_visits
from desktop_rater.store.removal import remove_bundle as remove_rows
from desktop_rater.store.snapshots import snapshot_path, store_snapshot
from tests.operations.bundles import RATER, make, noon, rating, save_ratings, take_in, task

URL = "https://kelp.example/a"
TABLES = (
    *(
        "bundles",
        "tasks",
        "task_sizes",
        "texts",
        "ratings",
        "work_done",
        "heads",
        "finished_runs",
        "leaving",
        "exports",
    ),
)


@pytest.fixture
def store(folder, tmp_path):
    """Two bundles, each rated; of the first one, everything was exported."""
    with open_writer(folder, command="the window") as store:
        for name in ("b", "c"):
            take_in(store, make(tmp_path / f"{name}.zip", [task("t-1"), task("t-2", "One is one.", "Two is two.")]))
            save_ratings(store, name, tmp_path / "ratings.jsonl", [rating("t-1")])
        export(store, tmp_path)
        yield store


def export(store, tmp_path):
    export_results(store, "b", RATER, tmp_path / "r.zip", partial=True, progress=Progress())


def counts(store):
    return {name: store.db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in TABLES}


def stored_page(store, text, *bundles):
    """A page that was fetched for the first of the bundles, and looked at for all of them."""
    data = text.encode()
    sha256 = hashlib.sha256(data).hexdigest()
    store_snapshot(store.folder, sha256, [data])
    moment = "2026-11-20T11:00:00Z"
    row = SnapshotRow(sha256=sha256, url=URL, final_url=URL, fetched=moment, status=200, media_type="text/html")
    visits = [
        VisitRow(bundle=name, url=URL, final_url=URL, state="ok", status=200, fetched=moment, snapshot=sha256)
        for name in bundles
    ]
    origin = PageOrigin(kind="fetched", bundle=bundles[0], arrived=moment)
    record_visits(store, visits, [row], {sha256: text}, [(sha256, origin)])
    return sha256


def test_a_removed_bundle_leaves_nothing_but_the_event_and_the_store_is_sound(store, folder):
    mine, shared = stored_page(store, "only b", "b"), stored_page(store, "both", "b", "c")
    before = counts(store)
    check = check_removal(store, "b")
    assert (check.holdings.tasks, check.holdings.ratings, check.holdings.pages, check.refusal) == (2, 1, 1, "")
    removed = remove_bundle(store, "b", now=noon)
    assert removed.message.startswith("b is removed: 2 tasks, 1 rating, 1 stored page, ")
    assert [row.id for row in bundle_statuses(store, put_away=True)] == ["c"]
    assert store.db.execute("SELECT bundle, what FROM bundle_events").fetchall() == [("b", "removed")]
    after = counts(store)
    assert after.pop("exports") == 0
    assert before.pop("exports") == 1
    assert {name: 2 * count for name, count in after.items() if name != "leaving"} == {
        name: count for name, count in before.items() if name != "leaving"
    }
    assert snapshot_path(store.folder, mine) is None
    assert [copy.row.sha256 for copy in copies_of_url(store, URL, "c")] == [shared]
    assert copies_of_url(store, URL, "c")[0].origin.kind == "fetched"
    assert store.db.execute("SELECT count(*) FROM page_texts WHERE page_texts MATCH 'only'").fetchone() == (0,)
    store.close()
    assert examine_store(folder).faults == ()


def test_ratings_that_have_not_left_are_named_and_the_bundle_stays(store, tmp_path):
    with pytest.raises(NotRemoved, match=f"Neither exported nor sent: t-1 by {RATER}."):
        remove_bundle(store, "c", now=noon)
    save_ratings(store, "b", tmp_path / "more.jsonl", [rating("t-2", {"factual": "yes"})])
    with pytest.raises(NotRemoved, match=f"t-2 by {RATER}"):  # begun after the export
        remove_bundle(store, "b", now=noon)
    assert [row.id for row in bundle_statuses(store)] == ["b", "c"]


def test_the_sample_can_be_removed_whatever_was_tried_in_it(store, tmp_path):
    take_in(store, sample_bundle_path())
    sample = next(row for row in bundle_statuses(store) if row.id not in {"b", "c"})
    name = store.db.execute("SELECT id FROM tasks ORDER BY key DESC LIMIT 1").fetchone()[0]
    save_ratings(store, sample.id, tmp_path / "tried.jsonl", [{"task": name, "note": "tried"}])
    assert remove_bundle(store, sample.id, now=noon).holdings.ratings == 1


def test_a_removed_bundle_can_come_back_and_its_ratings_are_safe_again(store, folder, tmp_path):
    remove_bundle(store, "b", now=noon)
    take_in(store, tmp_path / "b.zip")
    save_ratings(store, "b", tmp_path / "again.jsonl", [rating("t-1")])
    with pytest.raises(sqlite3.IntegrityError, match="are never deleted"):
        store.db.execute("DELETE FROM ratings")
    export(store, tmp_path)
    remove_bundle(store, "b", now=noon)
    assert store.db.execute("SELECT count(*) FROM bundle_events").fetchone() == (1,)


def test_a_removal_that_fails_changes_nothing(store):
    before = counts(store)
    store.db.execute("CREATE TEMP TRIGGER late BEFORE DELETE ON visits BEGIN SELECT RAISE(ABORT, 'late'); END")
    stored_page(store, "only b", "b")
    with pytest.raises(Exception, match="late"):
        remove_rows(store, BundleEvent(bundle="b", what="removed", revision=1, moment="2026-11-20T12:00:00Z"))
    assert counts(store) == before
    assert store.db.execute("SELECT count(*) FROM bundle_events").fetchone() == (0,)
