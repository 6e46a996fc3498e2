"""A store of version 6, from before there were audits, is seen as it is and brought up to date with all in it."""

import pytest

from desktop_rater.operations.audit.load_audit import audited_bundles
from desktop_rater.operations.rating.open_task import open_task
from desktop_rater.store import backups, bundles, ratings, received, reviews, state
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.open_store import needs_migration, open_writer
from tests.readers import reader_of
from tests.store.older import lay


@pytest.fixture
def old(file):
    """A store as version 6 left it: two tasks for practice, one with gold, three revisions, exported once."""
    return lay(file, 6)


def assert_all_is_there(store):
    assert ratings.read_revision(store, "kelp", "t-1", "r-17", 1).note == "first"
    opened = open_task(store, "kelp", "t-1", "r-17")
    assert opened.rating.note == "second"
    assert [target.quote for target in opened.task.targets or ()] == ["Kelp grows in forests.", "It is an alga."]
    assert bundles.find_gold(store, "kelp", "t-1") is not None
    assert state.get_state(store, "last-rater") == "r-17"
    assert audited_bundles(store) == []
    assert received.list_results(store, "kelp") == []
    assert reviews.latest_reviews(store, "kelp", "verdict") == []


def test_it_can_be_looked_at_and_examined_as_it_is(old, file):
    before = file.read_bytes()
    with reader_of(old) as store:
        assert_all_is_there(store)
    assert examine_store(old).sound
    assert needs_migration(old)
    assert file.read_bytes() == before


def test_everything_is_there_when_it_is_brought_up_to_date(old):
    with open_writer(old, command="the window") as store:
        assert_all_is_there(store)
    assert not needs_migration(old)
    assert examine_store(old).sound
    assert [one.version for one in backups.list_backups(old, check_cancelled=lambda: None)] == [6]
