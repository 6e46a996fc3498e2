"""A store of version 7, from before there were hubs, is seen as it is and brought up to date with all in it."""

import pytest

from desktop_rater.audit.verdicts import Verdict
from desktop_rater.format.change import Progress
from desktop_rater.operations.audit.load_audit import audited_bundles, load_audit
from desktop_rater.operations.rating.export import export_results
from desktop_rater.operations.rating.open_task import bundle_statuses
from desktop_rater.operations.rating.save import rate_from_file
from desktop_rater.rubric import RubricError
from desktop_rater.store import backups, hubs, keys, mailbox, ratings, received, reviews, state
from desktop_rater.store.doctor import examine_store
from desktop_rater.store.open_store import needs_migration, open_writer
from tests.operations.bundles import RATER, make, noon, rating, take_in, task, write_lines
from tests.readers import reader_of
from tests.store.hub_items import NOW, PROJECT, connected, queued, states
from tests.store.older import lay


@pytest.fixture
def old(file):
    """A store as version 7 left it: two raters' results, a verdict of the lead, and ratings of its own user."""
    return lay(file, 7)


def assert_all_is_there(store):
    assert ratings.read_revision(store, "b", "t-1", "r-30", 1).note == "first"
    assert ratings.read_revision(store, "b", "t-1", "r-30", 2).note == "second"
    assert state.get_state(store, "last-rater") == "r-30"
    assert audited_bundles(store) == ["b"]
    assert {rating.rater for rating in received.stream_received(store, "b")} == {"r-04", "r-17"}
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


def test_it_can_be_looked_at_and_examined_as_it_is(old, file):
    before = file.read_bytes()
    with reader_of(old) as store:
        assert_all_is_there(store)
    assert examine_store(old).sound
    assert needs_migration(old)
    assert file.read_bytes() == before


def test_beside_a_bundle_of_an_earlier_rubric_another_is_rated_and_exported(old, tmp_path):
    new = make(tmp_path / "new.zip", [task("t-1")])
    with open_writer(old, command="the window") as store:
        take_in(store, new)
        rate_from_file(
            store, "new", write_lines(tmp_path / "r.jsonl", [rating("t-1")]), RATER, progress=Progress(), now=noon
        )
        exported = export_results(store, "new", RATER, tmp_path / "new-results.zip", progress=Progress())
        assert (exported.written, exported.complete) == (True, 1)
        rows = {row.id: (row.tasks, row.complete) for row in bundle_statuses(store)}
    assert rows == {"b": (2, 2), "new": (1, 1)}


def test_everything_is_there_when_it_is_brought_up_to_date(old):
    with open_writer(old, command="the window") as store:
        assert_all_is_there(store)
        connected(store)
        queued(store)
        assert states(store) == ["queued"]
    assert not needs_migration(old)
    assert examine_store(old).sound
    assert [one.version for one in backups.list_backups(old, check_cancelled=lambda: None)] == [7]
