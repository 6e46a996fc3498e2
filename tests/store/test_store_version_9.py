"""A store of version 9, from before bundles could be removed, is seen as it is and brought up to date completely."""

import sqlite3
from contextlib import closing

import pytest

from desktop_rater.operations.rating.open_task import bundle_statuses
from desktop_rater.store import backups, bundle_events, bundles, hubs, keys, mailbox, pages, ratings, received, state
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.open_store import needs_migration, open_writer
from desktop_rater.text.urls import page_key
from tests.readers import reader_of
from tests.store.hub_items import PROJECT, states
from tests.store.older import lay


@pytest.fixture
def old(file):
    """A store as version 9 left it: two revisions of a bundle, ratings, signed results of others, and a hub."""
    return lay(file, 9)


def assert_all_is_there(store):
    assert [(row.revision, row.current) for row in bundle_events.list_revisions(store, "b")] == [(2, True), (1, False)]
    assert [(row.revision, row.complete, row.incomplete) for row in bundle_statuses(store)] == [(2, 1, 1)]
    assert [row.id for row in bundles.list_bundles(store)] == ["b"]
    assert ratings.read_revision(store, "b", "t-1", "r-30", 1).note == "first"
    assert ratings.read_revision(store, "b", "t-1", "r-30", 2).note == "second"
    assert state.get_state(store, "last-rater") == "r-30"
    assert {rating.rater for rating in received.stream_received(store, "b")} == {"r-04", "r-17"}
    assert [row.rater for row in keys.list_rater_keys(store)] == ["r-17"]
    assert len(keys.signatures_of_bundle(store, "b")) == 2
    assert [(hub.project, hub.current) for hub in hubs.list_hubs(store)] == [(PROJECT, True)]
    assert states(store) == ["verified", "queued"]
    assert len(mailbox.list_items(store, PROJECT)) == 2
    assert [arrival.state for arrival in mailbox.list_arrivals(store, PROJECT)] == ["taken", "fetched"]


def test_it_can_be_looked_at_as_it_is(old, file):
    before = file.read_bytes()
    with reader_of(old) as store:
        assert_all_is_there(store)
    assert needs_migration(old)
    assert file.read_bytes() == before


def test_everything_is_there_when_it_is_brought_up_to_date(old):
    with open_writer(old, command="the window") as store:
        assert_all_is_there(store)
    assert not needs_migration(old)
    # The fixture has the rows of what waits for the hub, without the files.
    assert {fault.check for fault in examine_store(old).faults} == {"hub files"}
    assert [made.version for made in backups.list_backups(old, check_cancelled=lambda: None)] == [9]


def test_the_sizes_of_its_tasks_are_counted_and_its_events_are_kept(old):
    with open_writer(old, command="the window") as store:
        sizes = store.db.execute("SELECT targets, responses FROM task_sizes ORDER BY key").fetchall()
        assert sizes == [(1, 1), (2, 1), (1, 1), (2, 1)]
        events = store.db.execute("SELECT what, revision FROM bundle_events ORDER BY key").fetchall()
        assert events == [("revision", 1), ("put away", 1), ("brought back", 1), ("revision", 2)]


@pytest.mark.parametrize("table", ["ratings", "bundle_events"])
def test_its_rows_still_can_not_be_deleted(old, table):
    with (
        open_writer(old, command="the window") as store,
        pytest.raises(sqlite3.IntegrityError, match="are never deleted"),
    ):
        store.db.execute(f"DELETE FROM {table}")


def test_its_pages_are_found_by_each_spelling_of_their_address(old, file):
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
