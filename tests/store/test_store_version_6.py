"""A store of version 6, from before there were audits, is seen as it is and brought up to date with all in it."""

from __future__ import annotations

import pytest

from desktop_rater.store import backups, gold, ratings, received, reviews, state
from desktop_rater.store.doctor import examine
from desktop_rater.store.opening import is_older, open_reader, open_writer
from desktop_rater.work.audit_desk import audits
from desktop_rater.work.open_task import open_task
from tests.store.older import lay


@pytest.fixture
def old(file):
    """A store as version 6 left it: two tasks for practice, one with gold, three revisions, exported once."""
    return lay(file, 6)


def assert_all_is_there(store):
    assert ratings.revision(store, "kelp", "t-1", "r-17", 1).note == "first"
    opened = open_task(store, "kelp", "t-1", "r-17")
    assert opened.rating.note == "second"
    assert [target.quote for target in opened.task.targets or ()] == ["Kelp grows in forests.", "It is an alga."]
    assert gold.find(store, "kelp", "t-1") is not None
    assert state.get(store, "last-rater") == "r-17"
    assert audits(store) == []
    assert received.listed(store, "kelp") == []
    assert reviews.latest(store, "kelp", "verdict") == []


def test_it_can_be_looked_at_and_examined_as_it_is(old, file):
    before = file.read_bytes()
    store = open_reader(old)
    assert store is not None
    with store:
        assert_all_is_there(store)
    assert examine(old).sound
    assert is_older(old)
    assert file.read_bytes() == before


def test_everything_is_there_when_it_is_brought_up_to_date(old):
    with open_writer(old, command="the window") as store:
        assert_all_is_there(store)
    assert not is_older(old)
    assert examine(old).sound
    assert [one.version for one in backups.listed(old, look=lambda: None)] == [6]
