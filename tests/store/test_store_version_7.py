"""A store of version 7, from before there were hubs, is seen as it is and brought up to date with all in it."""

from __future__ import annotations

import pytest

from desktop_rater.store import backups, hubs, inbox, outbox, rater_keys, ratings, signatures, state
from desktop_rater.store.doctor import examine
from desktop_rater.store.opening import is_older, open_reader, open_writer
from desktop_rater.work.audit_desk import audits, load_audit
from desktop_rater.work.review_list import load_reviews
from tests.store.hub_items import NOW, PROJECT, connected, queued, states
from tests.store.older import lay


@pytest.fixture
def old(file):
    """A store as version 7 left it: two raters' results, a verdict of the lead, and ratings of its own user."""
    return lay(file, 7)


def assert_all_is_there(store):
    assert ratings.revision(store, "b", "t-1", "r-30", 1).note == "first"
    assert ratings.revision(store, "b", "t-1", "r-30", 2).note == "second"
    assert state.get(store, "last-rater") == "r-30"
    assert audits(store) == ["b"]
    audit = load_audit(store, "b")
    assert {rater for _task, rater in audit.ratings} == {"r-04", "r-17"}
    (verdict,) = load_reviews(store, audit).verdicts.values()
    assert (verdict.rater, verdict.kind) == ("r-17", "accepted")
    assert hubs.listed(store) == []
    assert hubs.current(store) is None
    assert outbox.due(store, PROJECT, now=NOW) == []
    assert inbox.listed(store, PROJECT) == []
    assert rater_keys.listed(store) == []
    assert signatures.of_bundle(store, "b") == {}  # nobody looked


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
        connected(store)
        queued(store)
        assert states(store) == ["queued"]
    assert not is_older(old)
    assert examine(old).sound
    assert [one.version for one in backups.listed(old, look=lambda: None)] == [7]
