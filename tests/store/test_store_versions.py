"""Stores of the versions 6 to 9 are seen as they are, and brought up to date with all in them."""

import sqlite3
from contextlib import closing

import pytest

from desktop_rater.audit.verdicts import Verdict
from desktop_rater.format.change import Progress
from desktop_rater.operations.audit.load_audit import audited_bundles, load_audit
from desktop_rater.operations.bundles.revisions import go_to_revision, put_bundle_away
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.open_task import bundle_statuses, open_task
from desktop_rater.rubric import RubricError
from desktop_rater.store import (
    backups,
    bundle_events,
    bundles,
    hubs,
    keys,
    mailbox,
    pages,
    ratings,
    received,
    reviews,
    state,
)
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.open_store import needs_migration, open_writer
from desktop_rater.text.urls import page_key
from tests.operations.bundles import RATER, make, noon, rating, save_ratings, take_in, task
from tests.readers import reader_of
from tests.store.hub_items import NOW, PROJECT, connected, queued, states
from tests.store.older import lay


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
ALL = {6: all_of_version_6, 7: all_of_version_7, 8: all_of_version_8, 9: all_of_version_8}
# These have the rows of what waits for the hub, without the files.
FAULTS = {8: {"hub files"}, 9: {"hub files"}}


@pytest.mark.parametrize("version", ALL)
def test_it_can_be_looked_at_and_examined_as_it_is(file, version):
    old = lay(file, version)
    before = file.read_bytes()
    with reader_of(old) as store:
        ALL[version](store)
    assert version in FAULTS or examine_store(old).sound
    assert needs_migration(old)
    assert file.read_bytes() == before


@pytest.mark.parametrize("version", ALL)
def test_everything_is_there_when_it_is_brought_up_to_date(file, version):
    old = lay(file, version)
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
