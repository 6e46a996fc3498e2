"""A store of version 8, from before the events of bundles, is seen as it is and brought up to date with all in it."""

import pytest

from desktop_rater.operations.bundles.revisions import go_to_revision, put_bundle_away
from desktop_rater.operations.rating.open_task import bundle_statuses
from desktop_rater.store import backups, bundle_events, bundles, hubs, keys, mailbox, ratings, received, state
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.open_store import needs_migration, open_writer
from tests.operations.bundles import noon
from tests.readers import reader_of
from tests.store.hub_items import PROJECT, states
from tests.store.older import lay


@pytest.fixture
def old(file):
    """A store as version 8 left it: two revisions of a bundle, ratings, signed results of others, and a hub."""
    return lay(file, 8)


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
    assert [made.version for made in backups.list_backups(old, check_cancelled=lambda: None)] == [8]


def test_its_earlier_revision_can_be_gone_back_to_and_the_bundle_put_away(old):
    with open_writer(old, command="the window") as store:
        go_to_revision(store, "b", 1, now=noon)
        assert [(row.revision, row.complete) for row in bundle_statuses(store)] == [(1, 2)]
        put_bundle_away(store, "b", now=noon)
        assert bundle_statuses(store) == []
